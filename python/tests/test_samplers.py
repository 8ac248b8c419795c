"""Batches have their distribution, repeat by their seed, and hand their phase to the ledger."""

from __future__ import annotations

import numpy as np
import pytest

import assay

samplers = pytest.importorskip("assay.samplers", exc_type=ImportError)

MAKERS = [
    samplers.poisson,
    samplers.fixed_size,
    samplers.fixed_size_with_replacement,
    samplers.balls_and_bins,
    samplers.shuffle,
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_seed_decides_every_batch(make) -> None:
    one, two, other = (make(dataset_size=500, batch_size=50, seed=s) for s in (3, 3, 4))
    assert all(np.array_equal(one.batch(t), two.batch(t)) for t in (5, 0, 17))
    assert not np.array_equal(one.batch(0), other.batch(0))
    batch = one.batch(0)
    assert batch.dtype == np.int64 and batch.min() >= 0 and batch.max() < 500
    unseeded = make(dataset_size=10**6, batch_size=100)
    assert not np.array_equal(unseeded.batch(0), make(dataset_size=10**6, batch_size=100).batch(0))


def test_sizes_and_epochs() -> None:
    fixed = samplers.fixed_size(dataset_size=100, batch_size=7, seed=1)
    assert all(len(set(b.tolist())) == 7 for b in fixed.iterate(200))
    for make in (samplers.shuffle, samplers.balls_and_bins):
        epoch = np.concatenate(list(make(dataset_size=101, batch_size=10, seed=1)))
        assert sorted(epoch.tolist()) == list(range(101))
    ordered = np.concatenate(list(samplers.deterministic(dataset_size=101, batch_size=10)))
    assert sorted(ordered.tolist()) == list(range(101))


def test_poisson_batches_are_binomial() -> None:
    """Mean and variance of 4,000 sizes, and of one record's presence: within 5 deviations."""
    batches = samplers.poisson(dataset_size=400, batch_size=40, seed=9)
    drawn = list(batches.iterate(4000))
    sizes = np.array([len(b) for b in drawn])
    assert abs(sizes.mean() - 40) < 5 * 6 / np.sqrt(4000)
    assert abs(sizes.var() - 36) < 5 * 36 * np.sqrt(2 / 4000)
    present = sum(bool((b == 7).any()) for b in drawn)
    assert abs(present - 400) < 5 * np.sqrt(4000 * 0.1 * 0.9)


def test_every_phase_goes_to_the_ledger() -> None:
    expected = {
        "poisson": assay.Release("add-remove").poisson(
            noise_multiplier=1, sampling_probability=0.1, steps=10
        ),
        "fixed-size-without-replacement": assay.Release("add-remove").fixed_size(
            noise_multiplier=1, sampling_probability=0.1, steps=10
        ),
        "fixed-size-with-replacement": assay.Release("add-remove").fixed_size_with_replacement(
            noise_multiplier=1, batch_size=50, dataset_size=500, steps=10
        ),
        "balls-and-bins": assay.Release("zero-out").balls_and_bins(
            noise_multiplier=1, batches_per_epoch=10
        ),
        "shuffle": assay.Release("zero-out").shuffle(noise_multiplier=1, batches_per_epoch=10),
    }
    for make in MAKERS:
        batches = make(dataset_size=500, batch_size=50, seed=1)
        release = expected[batches.phase.sampling]
        ledger = assay.ledger.Ledger(release.adjacency)
        for _ in batches.iterate(ledger=ledger, noise_multiplier=1):
            pass
        assert ledger.spent == release


def test_a_ledger_takes_whole_epochs_of_one_sampler() -> None:
    """Two first batches of two epochs are not one epoch."""
    ledger = assay.ledger.Ledger("zero-out")
    for seed in (1, 2):
        batches = assay.samplers.balls_and_bins(dataset_size=1000, batch_size=500, seed=seed)
        handed_out = batches.iterate(1, ledger=ledger, noise_multiplier=1.0)
        if seed == 1:
            assert len(list(handed_out)) == 1
        else:
            with pytest.raises(ValueError, match="whole epochs"):
                next(handed_out)
    assert ledger.steps == 1
    batches.step = 1
    assert len(list(batches.iterate(1, ledger=ledger, noise_multiplier=1.0))) == 1


def test_a_filter_ends_the_batches() -> None:
    guard = assay.ledger.Filter("add-remove", epsilon=1.0, delta=1e-5)
    ledger = assay.ledger.Ledger("add-remove")
    batches = samplers.poisson(dataset_size=1000, batch_size=100, seed=1)
    taken = sum(1 for _ in batches.iterate(10**6, ledger=ledger, guard=guard, noise_multiplier=2.0))
    assert taken == ledger.steps == guard.steps > 0
    with pytest.raises(ValueError, match="noise_multiplier is missing"):
        next(batches.iterate(ledger=ledger))


def test_an_interrupted_run_goes_on() -> None:
    batches = samplers.shuffle(dataset_size=100, batch_size=10, seed=5)
    whole = list(batches.iterate(30))
    again = samplers.shuffle(dataset_size=100, batch_size=10, seed=5)
    again.step = 17
    assert all(np.array_equal(a, b) for a, b in zip(whole[17:], again.iterate(13)))


def test_torch_batches_keep_their_phase() -> None:
    pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    batches = samplers.fixed_size(dataset_size=100, batch_size=10, seed=5)
    loader = DataLoader(range(100), batch_sampler=batches.torch())
    assert [len(b) for b in loader] == [10] * 10 and len(loader) == 10
    assert loader.batch_sampler.phase == batches.phase


def test_what_is_outside_the_domain() -> None:
    for wrong in ({"batch_size": 0}, {"batch_size": 501}):
        with pytest.raises(ValueError):
            samplers.poisson(dataset_size=500, **wrong)
