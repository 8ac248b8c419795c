"""The odometer and the filter."""

from __future__ import annotations

import json
import math
import pathlib

import numpy as np
import pytest

import assay
from assay.ledger import BudgetExceeded, Filter, Ledger


def test_steps_add_up_to_a_release() -> None:
    ledger = Ledger("add-remove", "poisson")
    for _ in range(5):
        ledger.step(noise_multiplier=1.5, sampling_probability=0.01)
    ledger.step(noise_multiplier=1, sampling_probability=0.01, steps=3)
    ledger.step(noise_multiplier=2, sampling="none")
    release = (
        assay.Release("add-remove")
        .poisson(noise_multiplier=1.5, sampling_probability=0.01, steps=5)
        .poisson(noise_multiplier=1, sampling_probability=0.01, steps=3)
        .gaussian(noise_multiplier=2)
    )
    assert ledger.spent == release and ledger.steps == 9
    assert ledger.epsilon(1e-5) == release.epsilon(1e-5)
    assert ledger.delta(1.0) == release.delta(1.0)
    assert ledger.epsilon(1e-5, effort="quick") == release.epsilon(1e-5, effort="quick")


def test_an_empty_ledger_has_spent_nothing() -> None:
    spent = Ledger("zero-out").epsilon(1e-5)
    assert (spent.lower, spent.upper, spent.status.upper) == (0.0, 0.0, "certified")


def test_what_is_refused_is_not_recorded() -> None:
    ledger = Ledger("add-remove", "poisson")
    ledger.step(noise_multiplier=1, sampling_probability=0.1)
    for wrong in (
        {"noise_multiplier": 0, "sampling_probability": 0.1},
        {"noise_multiplier": 1, "sampling_probability": 1.5},
        {"noise_multiplier": 1},
        {"noise_multiplier": 1, "sampling_probability": 0.1, "steps": 0},
        {"noise_multiplier": 1, "sampling": "shuffle", "batches_per_epoch": 3},
    ):
        with pytest.raises((ValueError, NotImplementedError)):
            ledger.step(**wrong)
        assert ledger.steps == 1
    with pytest.raises(ValueError, match="sampling is missing"):
        Ledger("add-remove").step(noise_multiplier=1, sampling_probability=0.1)


def epoch_run(epochs: int) -> assay.Release:
    return assay.Release("zero-out").balls_and_bins(
        noise_multiplier=0.8, batches_per_epoch=20, epochs=epochs
    )


def test_what_no_step_can_have_is_refused_after_an_equal_step(tmp_path: pathlib.Path) -> None:
    ledger = Ledger("add-remove", "poisson")
    step = {"noise_multiplier": 1.0, "sampling_probability": 0.01}
    ledger.step(**step)
    for steps in (1.5, float("inf"), "x", 0, 10**400):
        with pytest.raises((ValueError, TypeError), match="steps = "):
            ledger.step(**step, steps=steps)
    ledger.step(**step, steps=np.int32(3))
    assert ledger.steps == 4
    ledger.save(tmp_path / "ledger.json")
    assert Ledger.restore(tmp_path / "ledger.json").steps == 4
    assert ledger.epsilon(1e-5, group=2) == ledger.spent.epsilon(1e-5, group=2)
    with pytest.raises(ValueError, match="not both"):
        ledger.step(phase=ledger.spent.phases[0], noise_multiplier=1.0, sampling_probability=0.5)
    with pytest.raises(ValueError, match="takes every record"):
        ledger.step(sampling="none", noise_multiplier=1.0, sampling_probability=0.5)
    with pytest.raises(ValueError):
        Ledger("add-remove").epsilon(float("nan"))


def test_what_a_killed_process_left_is_removed(tmp_path: pathlib.Path) -> None:
    left = tmp_path / "ledger.json.99999999.part"
    left.write_text("{")
    Ledger("add-remove").save(tmp_path / "ledger.json")
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.json"]


def test_an_epoch_that_was_begun_is_finished_above_and_not_begun_below() -> None:
    ledger = Ledger("zero-out", "balls-and-bins")
    step = {"noise_multiplier": 0.8, "batches_per_epoch": 20}
    ledger.step(**step, steps=7)
    first = ledger.epsilon(1e-5)
    assert (first.lower, first.upper) == (0.0, epoch_run(1).epsilon(1e-5).upper)
    assert first.status.lower == "vacuous" and "begun" in (first.note or "")
    ledger.step(**step, steps=13)
    assert ledger.epsilon(1e-5) == epoch_run(1).epsilon(1e-5)
    ledger.step(**step)
    partly = ledger.epsilon(1e-5)
    assert partly.lower == epoch_run(1).epsilon(1e-5).lower
    assert partly.upper == epoch_run(2).epsilon(1e-5).upper
    with pytest.raises(ValueError, match="between epochs only"):
        ledger.step(noise_multiplier=0.9, batches_per_epoch=20)
    ledger.step(**step, steps=19)
    ledger.step(noise_multiplier=0.9, batches_per_epoch=20, steps=20)
    assert len(ledger.spent.phases) == 2


def test_a_restored_ledger_has_the_same_bits(tmp_path: pathlib.Path) -> None:
    ledger = Ledger("replace-one", "poisson")
    for i in range(5):
        ledger.step(noise_multiplier=1 + math.sqrt(i) / 7, sampling_probability=0.1 / (i + 3))
    path = tmp_path / "ledger.json"
    ledger.save(path)
    restored = Ledger.restore(path)
    assert restored.spent == ledger.spent and restored.epsilon(1e-5) == ledger.epsilon(1e-5)
    for one in (ledger, restored):
        one.step(noise_multiplier=3, sampling_probability=0.25)
    assert restored.spent == ledger.spent
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger.json"]


def test_damaged_and_foreign_files_are_refused(tmp_path: pathlib.Path) -> None:
    ledger = Ledger("add-remove", "none")
    ledger.step(noise_multiplier=1)
    path = tmp_path / "state"
    ledger.save(path)
    with pytest.raises(ValueError, match="not filter"):
        Filter.restore(path)
    record = json.loads(path.read_text())
    record["content"]["runs"][0]["taken"] = 2
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match="checksum"):
        Ledger.restore(path)
    path.write_text("{}")
    with pytest.raises(ValueError, match="not a state"):
        Ledger.restore(path)
    with pytest.raises(FileNotFoundError):
        Ledger.restore(tmp_path / "none")


def renyi_epsilon(order: float, rdp: float, delta: float) -> float:
    """canonne2020, Proposition 12, in double."""
    return max(
        0.0, rdp + math.log1p(-1 / order) - (math.log(delta) + math.log(order)) / (order - 1)
    )


def test_a_filter_ends_where_the_conversion_says() -> None:
    guard = Filter("add-remove", epsilon=2, delta=1e-5, orders=[9])
    steps = 0
    while guard.admit(sampling="none", noise_multiplier=20):
        steps += 1
    assert (
        renyi_epsilon(9, steps * 9 / 800, 1e-5) <= 2 < renyi_epsilon(9, (steps + 1) * 9 / 800, 1e-5)
    )
    assert guard.epsilon == pytest.approx(renyi_epsilon(9, steps * 9 / 800, 1e-5), rel=1e-12)
    assert guard.theorem.standing == "published" and "feldman2021" in guard.theorem.citation
    with pytest.raises(BudgetExceeded, match="is spent after"):
        guard.step(sampling="none", noise_multiplier=20)
    assert guard.steps == steps
    assert not guard.admits(sampling="none", noise_multiplier=20)
    guard.step(sampling="none", noise_multiplier=1e6)
    assert guard.steps == steps + 1


def test_several_orders_share_delta() -> None:
    guard = Filter("add-remove", epsilon=5, delta=1e-4, orders=[4, 16])
    guard.step(sampling="none", noise_multiplier=3, steps=2)
    expected = min(renyi_epsilon(a, a / 9, 0.5e-4) for a in (4, 16))
    assert guard.epsilon == pytest.approx(expected, rel=1e-9)
    assert guard.theorem.standing == "ours"


def test_a_filter_never_spends_more_than_its_target() -> None:
    """Whatever is asked, also the ledger's tighter number for the same steps stays below."""
    guard = Filter("add-remove", epsilon=1.5, delta=1e-5)
    state = 7
    for _ in range(60):
        state = state * 48271 % 2147483647
        sigma, q = 0.6 + (state % 97) / 30, 10 ** -(1 + state % 3)
        guard.admit(sampling="poisson", noise_multiplier=sigma, sampling_probability=q)
    assert 0 < guard.epsilon <= 1.5
    assert guard.spent.epsilon(1e-5).lower <= guard.epsilon


def test_a_restored_filter_has_the_same_bits(tmp_path: pathlib.Path) -> None:
    guard = Filter("zero-out", epsilon=3, delta=1e-6)
    for i in range(1, 6):
        guard.step(
            sampling="poisson", noise_multiplier=1 + 1 / i, sampling_probability=0.01, steps=i
        )
    guard.save(tmp_path / "filter")
    restored = Filter.restore(tmp_path / "filter")
    assert restored.epsilon == guard.epsilon and restored.spent == guard.spent
    assert repr(restored) == repr(guard)


def test_what_a_filter_refuses_to_be_asked() -> None:
    with pytest.raises(ValueError):
        Filter("add-remove", epsilon=-1, delta=1e-5)
    with pytest.raises(ValueError, match="not both"):
        Filter("add-remove", epsilon=1, delta=1e-5, orders=[2], plan=assay.Release("add-remove"))
    guard = Filter("zero-out", epsilon=1, delta=1e-5)
    with pytest.raises(ValueError):
        guard.admit(sampling="balls-and-bins", noise_multiplier=1, batches_per_epoch=5)
    with pytest.raises(TypeError, match="step is unknown"):
        guard.admit(sampling="none", noise_multiplier=1, step=3)
    assert guard.steps == 0 and guard.epsilon == 0.0
