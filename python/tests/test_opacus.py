"""Opacus: the registered accountant, its loaders, checkpoints and calibration."""

from __future__ import annotations

import copy
import math
import pickle
import warnings

import pytest

pytest.importorskip("opacus", reason="Opacus is not installed: pip install '.[test]'")
import gzip
import pathlib
import unittest
from typing import Any

import opacus
import torch
from opacus.accountants.utils import get_noise_multiplier
from torch.utils.data import DataLoader, TensorDataset

import assay
import assay.opacus
from assay.opacus import AssayAccountant

warnings.filterwarnings("ignore", module="opacus")
warnings.filterwarnings("ignore", module="torch")


@pytest.fixture
def digits(root: pathlib.Path) -> TensorDataset:
    with gzip.open(root / "data" / "optical_digits.csv.gz", "rt") as file:
        rows = torch.tensor([[float(x) for x in line.split(",")] for line in file])
    return TensorDataset(rows[:1792, :-1] / 16, rows[:1792, -1].long())  # 28 batches of 64


def private(loader: Any, **options: Any) -> tuple[Any, Any, Any, Any]:
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    engine = opacus.PrivacyEngine(accountant="assay")
    return engine, *engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        max_grad_norm=1.0,
        noise_multiplier=1.0,
        **options,
    )


def train(model: Any, optimizer: Any, loader: Any) -> None:
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def test_a_run_with_poisson_sampling(digits: TensorDataset) -> None:
    assay.opacus.register("add-remove", "poisson")
    engine, model, optimizer, loader = private(DataLoader(digits, batch_size=64))
    train(model, optimizer, loader)
    run = assay.Release("add-remove").poisson(
        noise_multiplier=1.0, sampling_probability=1 / 28, steps=28
    )
    spent = run.epsilon(1e-5)
    assert len(engine.accountant) == 28
    assert engine.accountant.release == run
    assert engine.accountant.bracket(1e-5) == spent
    assert engine.get_epsilon(1e-5) == spent.upper
    for theirs in ("rdp", "prv"):
        other = opacus.accountants.create_accountant(theirs)
        other.history = engine.accountant.history
        claimed = other.get_epsilon(1e-5)
        print(f"Poisson: assay {spent}, Opacus {theirs} {claimed:.4f}")
        assert claimed >= spent.lower * (1 - 1e-9)


def test_a_run_with_shuffled_batches(digits: TensorDataset) -> None:
    assay.opacus.register("zero-out", "shuffle")
    loader = DataLoader(digits, batch_size=64, shuffle=True)
    engine, model, optimizer, loader = private(loader, poisson_sampling=False)
    train(model, optimizer, loader)
    run = assay.Release("zero-out").shuffle(noise_multiplier=1.0, batches_per_epoch=28)
    assert engine.get_epsilon(1e-5) == run.epsilon(1e-5).upper
    train(model, optimizer, loader)
    assert engine.accountant.release.phases[0].repetitions == 2
    rdp = opacus.accountants.create_accountant("rdp")
    rdp.history = engine.accountant.history
    print(f"shuffled: assay {engine.accountant.bracket(1e-5)}, Opacus rdp {rdp.get_epsilon(1e-5)}")
    # What Opacus claims of such a loader is not even above our lower side.
    assert rdp.get_epsilon(1e-5) < engine.accountant.bracket(1e-5).lower


@pytest.mark.parametrize(
    ("registered", "options", "found"),
    [
        (("zero-out", "shuffle"), {"poisson_sampling": True}, "sampling poisson"),
        (("add-remove", "poisson"), {"poisson_sampling": False}, "sampling shuffle"),
        (("zero-out", "deterministic"), {"poisson_sampling": False}, "sampling shuffle"),
    ],
)
def test_another_sampler_than_that_of_the_loader_is_refused(
    digits: TensorDataset, registered: tuple[str, str], options: dict[str, bool], found: str
) -> None:
    assay.opacus.register(*registered)
    with pytest.raises(ValueError, match=found):
        private(DataLoader(digits, batch_size=64, shuffle=True), **options)


def test_a_loader_is_accounted_with_what_it_draws_with(digits: TensorDataset) -> None:
    """Opacus gives one over the number of batches, 1/2, for batches of 100 of 150."""
    assay.opacus.register("add-remove", "poisson")
    few = TensorDataset(*digits[:150])
    drawn = assay.samplers.poisson(dataset_size=150, batch_size=100, seed=1)
    loader = DataLoader(few, batch_sampler=drawn.torch())
    engine, model, optimizer, loader = private(loader, poisson_sampling=False)
    train(model, optimizer, loader)
    assert engine.accountant.release == assay.Release("add-remove").poisson(
        noise_multiplier=1.0, sampling_probability=100 / 150, steps=2
    )
    other = assay.samplers.poisson(dataset_size=160, batch_size=100, seed=1)
    with pytest.raises(ValueError, match="other probabilities"):
        engine.accountant.check(DataLoader(few, batch_sampler=other.torch()))


def test_batches_that_are_added_up_are_refused(digits: TensorDataset) -> None:
    assay.opacus.register("zero-out", "shuffle")
    loader = DataLoader(digits, batch_size=64, shuffle=True)
    engine, model, optimizer, loader = private(loader, poisson_sampling=False)
    x, y = next(iter(loader))
    for _ in range(2):
        torch.nn.functional.cross_entropy(model(x), y).backward()
    with pytest.raises(ValueError, match="several batches"):
        optimizer.step()
    assert len(engine.accountant) == 0
    for rate in (2.5, -0.1, math.nan):
        with pytest.raises(ValueError, match="sample_rate"):
            AssayAccountant("add-remove", "poisson").step(noise_multiplier=1.0, sample_rate=rate)


def test_an_epoch_that_is_left_early_does_not_begin_anew(digits: TensorDataset) -> None:
    assay.opacus.register("zero-out", "deterministic")
    engine, model, optimizer, loader = private(
        DataLoader(digits, batch_size=64), poisson_sampling=False
    )
    train(model, optimizer, loader)
    optimizer.zero_grad()
    x, y = next(iter(loader))
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    with pytest.raises(ValueError, match="anew after 1 of 28 batches"):
        next(iter(loader))
    engine.accountant.check(loader)


def test_loaders_whose_sampling_is_unknown_are_refused(digits: TensorDataset) -> None:
    assay.opacus.register("zero-out", "shuffle")
    for loader in (
        DataLoader(digits, batch_size=60, shuffle=True),  # the last batch is smaller
        DataLoader(digits, batch_size=60, shuffle=True, drop_last=True),
        DataLoader(digits, batch_size=64, sampler=torch.utils.data.SubsetRandomSampler(range(64))),
    ):
        with pytest.raises(ValueError, match="is not known"):
            private(loader, poisson_sampling=False)


def test_calibration_by_opacus() -> None:
    assay.opacus.register("add-remove", "poisson")
    sigma = get_noise_multiplier(
        target_epsilon=2.0, target_delta=1e-6, sample_rate=0.01, steps=1000, accountant="assay"
    )
    run = assay.Release("add-remove").poisson(
        noise_multiplier=sigma, sampling_probability=0.01, steps=1000
    )
    assert 1.98 < run.epsilon(1e-6).upper <= 2.0


def test_make_private_with_epsilon(digits: TensorDataset) -> None:
    assay.opacus.register("add-remove", "poisson")
    model = torch.nn.Linear(64, 10)
    engine = opacus.PrivacyEngine(accountant="assay")
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=DataLoader(digits, batch_size=64),
        target_epsilon=3.0,
        target_delta=1e-5,
        epochs=1,
        max_grad_norm=1.0,
    )
    train(model, optimizer, loader)
    assert 2.9 < engine.get_epsilon(1e-5) <= 3.0


def test_checkpoints_go_on_with_the_same_bits(
    digits: TensorDataset, tmp_path: pathlib.Path
) -> None:
    assay.opacus.register("add-remove", "poisson")
    engine, model, optimizer, loader = private(DataLoader(digits, batch_size=64))
    train(model, optimizer, loader)
    engine.save_checkpoint(path=tmp_path / "run.pt", module=model, optimizer=optimizer)
    restored, model, optimizer, loader = private(DataLoader(digits, batch_size=64))
    restored.load_checkpoint(path=tmp_path / "run.pt", module=model, optimizer=optimizer)
    assert restored.accountant.history == engine.accountant.history
    assert restored.accountant.bracket(1e-5) == engine.accountant.bracket(1e-5)
    other = AssayAccountant("replace-one", "poisson")
    with pytest.raises(
        ValueError, match="adjacency add-remove in the checkpoint, replace-one here"
    ):
        other.load_state_dict(engine.accountant.state_dict())


def test_adjacency_and_sampler_have_to_be_given() -> None:
    with pytest.raises(ValueError, match=r"assay\.opacus\.register"):
        AssayAccountant()
    with pytest.raises(NotImplementedError, match="no theorem"):
        assay.opacus.register("add-remove", "shuffle")
    with pytest.raises(ValueError, match="batch_size and dataset_size"):
        AssayAccountant("add-remove", "fixed-size-with-replacement")


def test_sizes_give_the_probability_of_fixed_size_batches() -> None:
    accountant = AssayAccountant(
        "add-remove", "fixed-size-without-replacement", batch_size=64, dataset_size=1797
    )
    accountant.step(noise_multiplier=1.0, sample_rate=1 / 29)
    assert accountant.release.phases[0].sampling_probability == 64 / 1797


def test_no_noise_is_not_private_and_nothing_costs_nothing() -> None:
    accountant = AssayAccountant("add-remove", "poisson")
    assert accountant.get_epsilon(1e-5) == 0.0 and len(accountant) == 0
    accountant.step(noise_multiplier=0.0, sample_rate=0.01)
    assert accountant.get_epsilon(1e-5) == math.inf


def test_equal_steps_are_one_entry() -> None:
    """Which makes a step quick (bench/python_speed.py measures it)."""
    accountant = AssayAccountant("add-remove", "poisson")
    for _ in range(10_000):
        accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    assert accountant.history == [(1.0, 0.01, 10_000)] and len(accountant) == 10_000


def test_the_tests_of_opacus_with_this_accountant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they ask for Opacus' Renyi accountant. Its numbers are upper bounds: ours are not above
    them, where those tests want them to some digits."""
    import hypothesis
    from opacus.accountants import registry

    hypothesis.settings.register_profile(
        "few", hypothesis.settings.get_profile("untimed"), max_examples=3
    )
    hypothesis.settings.load_profile("few")
    try:
        theirs = pytest.importorskip("opacus.tests.accountants_test", reason="not shipped")
    finally:
        hypothesis.settings.load_profile("untimed")
    ours = assay.opacus.register("add-remove", "poisson")
    monkeypatch.setattr(theirs, "RDPAccountant", ours)
    monkeypatch.setitem(registry._ACCOUNTANTS, "rdp", ours)

    def not_above(case: unittest.TestCase, value: float, known: float, **_: Any) -> None:
        case.assertLessEqual(value, known + 1e-4)

    monkeypatch.setattr(theirs.AccountingTest, "assertAlmostEqual", not_above)
    names = [
        "test_rdp_accountant",
        "test_get_noise_multiplier_rdp_epochs",
        "test_get_noise_multiplier_rdp_steps",
        "test_get_noise_multiplier_overshoot",
        "test_accountant_state_dict",
        "test_accountant_load_state_dict",
    ]
    suite = unittest.TestSuite(theirs.AccountingTest(name) for name in names)
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(theirs.AccountantRegistryTest))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == 10
    assert not [text for _, text in result.errors + result.failures]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_copies_have_a_history_of_their_own(copied: Any) -> None:
    assay.opacus.register(
        "zero-out", "fixed-size-without-replacement", batch_size=3, dataset_size=9
    )
    accountant = opacus.accountants.create_accountant("assay")
    accountant.step(noise_multiplier=1.0, sample_rate=0.5)
    other = copied(accountant)
    assert other.bracket(1e-5) == accountant.bracket(1e-5)
    other.step(noise_multiplier=1.0, sample_rate=0.5)
    assert (len(accountant), len(other)) == (1, 2)


def test_an_engine_is_copied_with_its_account() -> None:
    assay.opacus.register("add-remove", "poisson")
    engine = opacus.PrivacyEngine(accountant="assay")
    engine.accountant.step(noise_multiplier=1.0, sample_rate=0.5)
    assert len(copy.deepcopy(engine).accountant) == 1
