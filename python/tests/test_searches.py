"""Calibrations of every unknown to every target, and the comparison of samplers."""

from __future__ import annotations

import json
import math
import pathlib
import subprocess
from statistics import NormalDist

import pytest
from conftest import cdf

import assay

GAUSSIAN = assay.Release("add-remove").gaussian(noise_multiplier=2, steps=4)
POISSON = assay.Release("add-remove").poisson(
    noise_multiplier=1.1, sampling_probability=0.004, steps=1000
)
RUN = {"n": 50_000, "batch_size": 500, "epochs": 1}


def mu_of(target: dict[str, float]) -> float:
    """The shift at which a Gaussian mechanism meets a target exactly."""
    normal = NormalDist()
    if "mu" in target:
        return target["mu"]
    if "advantage" in target:
        return 2 * normal.inv_cdf((1 + target["advantage"]) / 2)
    if "true_positive_rate" in target:
        rates = target["true_positive_rate"], target["false_positive_rate"]
        return normal.inv_cdf(rates[0]) - normal.inv_cdf(rates[1])
    low, high = 1e-3, 100.0
    while high - low > 1e-12:
        mu, epsilon = (low + high) / 2, target["epsilon"]
        delta = cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * cdf(-mu / 2 - epsilon / mu)
        low, high = (low, mu) if delta > target["delta"] else (mu, high)
    return low


TARGETS = [
    {"epsilon": 2.0, "delta": 1e-6},
    {"false_positive_rate": 1e-3, "true_positive_rate": 0.01},
    {"mu": 0.75},
    {"advantage": 0.2},
]
QUANTITIES = ["delta", "true_positive_rate", "gaussian_mu", "advantage"]


@pytest.mark.parametrize(("target", "quantity"), list(zip(TARGETS, QUANTITIES)))
def test_of_gaussian_steps_every_target_has_a_closed_form(
    target: dict[str, float], quantity: str
) -> None:
    mu = mu_of(target)
    noise = assay.calibrate(GAUSSIAN.unknown("noise_multiplier"), **target, relative_gap=1e-4)
    assert noise.insufficient <= 2 / mu * (1 + 1e-9) and 2 / mu * (1 - 1e-9) <= noise.sufficient
    assert (noise.upper - noise.lower) / noise.upper <= 1e-4
    assert noise.quantity == quantity and noise.risk.upper > 0 and quantity in repr(noise)
    steps = assay.calibrate(GAUSSIAN.unknown("steps"), **target)
    assert steps.allowed <= 4 * mu * mu + 1e-6 and 4 * mu * mu - 1e-6 <= steps.refused
    assert isinstance(steps.allowed, int) and steps.is_monotone
    if steps.allowed:
        assert steps.release is not None and steps.release.phases[0].repetitions == steps.allowed
    else:
        assert steps.release is None and steps.note is not None
    assert noise.release.phases[0].noise_multiplier == noise.sufficient
    if quantity != "delta":
        with pytest.raises(AttributeError, match="risk"):
            noise.delta  # noqa: B018


@pytest.mark.parametrize("name", ["steps", "sampling_probability", "batch_size"])
def test_the_largest_allowed_value_meets_the_target_and_the_refused_one_does_not(
    name: str,
) -> None:
    options = {"dataset_size": 10_000} if name == "batch_size" else {}
    unknown = POISSON.unknown(name, **options)  # type: ignore[call-overload]
    found = assay.calibrate(unknown, epsilon=2, delta=1e-6, relative_gap=0.01)
    assert found.name == name and 0 < found.lower <= found.upper < found.refused * 1.0001
    assert found.release == unknown.filled(found.allowed)
    assert found.release is not None and found.release.delta(2).upper <= 1e-6
    assert unknown.filled(found.refused).delta(2).lower > 1e-6
    assert isinstance(found.allowed, float if name == "sampling_probability" else int)
    assert name in repr(found) and f"<th>{name}</th>" in found._repr_html_()


def test_a_batch_size_at_fixed_epochs_claims_no_order() -> None:
    unknown = POISSON.unknown("batch_size", dataset_size=10_000, epochs=4)
    found = assay.calibrate(unknown, epsilon=2, delta=1e-6, relative_gap=0.05)
    assert not found.is_monotone and found.note is not None and "not known" in found.note
    phase = unknown.filled(64).phases[0]
    assert (phase.sampling_probability, phase.repetitions) == (0.0064, 628)
    if found.release is not None:
        upper = found.release.delta(2).upper
        assert upper <= 1e-6 and upper == pytest.approx(found.risk.upper, rel=0.02)
    assert found.upper == 9_999
    with pytest.raises(ValueError, match="batch_size = 0 is less than 1"):
        unknown.filled(0)
    few = POISSON.unknown("batch_size", dataset_size=10, epochs=1)
    assert few.filled(3).phases[0].repetitions == 4


def test_batch_sizes_of_other_samplers() -> None:
    bins = assay.Release("zero-out").balls_and_bins(noise_multiplier=1, batches_per_epoch=7)
    assert bins.unknown("batch_size", dataset_size=1000).filled(10).phases[0][5] == 100
    assert bins.unknown("batch_size", dataset_size=1000).filled(300).phases[0][5] == 3
    drawn = assay.Release("add-remove").fixed_size_with_replacement(
        noise_multiplier=1, batch_size=5, dataset_size=900, steps=9
    )
    assert drawn.unknown("batch_size").filled(6).phases[0][3:5] == (6, 900)


def test_one_phase_of_several() -> None:
    both = POISSON + GAUSSIAN
    found = assay.calibrate(both.unknown("steps", phase=-1), epsilon=20, delta=1e-6)
    assert found.release is not None and found.release.phases[0] == POISSON.phases[0]
    assert found.release.phases[1].repetitions == found.allowed


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: POISSON.unknown("sigma"), "noise_multiplier, steps"),
        (lambda: POISSON.unknown("epochs"), "poisson has steps, not epochs"),
        (lambda: POISSON.unknown("batch_size"), "dataset_size is missing"),
        (lambda: POISSON.unknown("steps", dataset_size=3), "with batch_size alone"),
        (lambda: POISSON.unknown("steps", phase=1), "phase = 1: there are 1"),
        (lambda: (POISSON + POISSON).unknown("steps"), "phase is missing"),
        (lambda: assay.calibrate(POISSON.unknown("steps")), "one target"),
        (lambda: assay.calibrate(POISSON.unknown("steps"), epsilon=1), "delta is missing"),
        (lambda: assay.calibrate(POISSON.unknown("steps"), mu=1, advantage=0.1), "one target"),
        (
            lambda: assay.calibrate(POISSON.unknown("steps"), advantage=0.1, smallest_error=0.1),
            "with mu alone",
        ),
        (lambda: assay.calibrate(POISSON.unknown("steps"), mu=-1), "mu = -1"),
        (lambda: assay.calibrate(GAUSSIAN.unknown("sampling_probability"), mu=1), "sampling"),
        (
            lambda: assay.calibrate(
                POISSON.unknown("noise_multiplier"),
                false_positive_rate=0.1,
                true_positive_rate=0.05,
            ),
            "true positive rate",
        ),
        (lambda: assay.compare(**RUN, epsilon=3), "delta is missing"),
        (lambda: assay.compare(**RUN), "one target"),
        (lambda: assay.compare(**RUN, noise_multiplier=1, epsilon=1), "delta alone"),
        (lambda: assay.compare(n=10, batch_size=10, epsilon=1, delta=1e-5), "batch_size = 10"),
        (lambda: assay.compare(**RUN, noise_multiplier=-1, delta=1e-5), "noise multiplier = -1"),
        (lambda: assay.compare(**RUN, mu=1, adjacency="add"), "add-remove, replace-one"),
    ],
)
def test_what_is_no_question_is_a_value_error(ask, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_calibrate_takes_releases_alone() -> None:
    with pytest.raises(TypeError, match="neither a Release"):
        assay.calibrate(3, epsilon=1, delta=1e-5)  # type: ignore[call-overload]


@pytest.mark.parametrize("adjacency", ["zero-out", "add-remove"])
@pytest.mark.parametrize("given", [{"epsilon": 3, "delta": 1e-5}, {"noise": 1, "delta": 1e-5}])
def test_the_program_compares_with_the_same_bits(
    program: pathlib.Path, adjacency: str, given: dict[str, float]
) -> None:
    options = [f"--{name.replace('noise', 'noise-multiplier')}={x}" for name, x in given.items()]
    ran = subprocess.run(
        [program, "compare", "--dataset-size", "50000", "--batch-size", "500", "--epochs", "1",
         "--adjacency", adjacency, "--json", *options],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    report = json.loads(ran.stdout)
    if "noise" in given:
        found = assay.compare(**RUN, noise_multiplier=1, delta=1e-5, adjacency=adjacency)
    else:
        found = assay.compare(**RUN, epsilon=3, delta=1e-5, adjacency=adjacency)
    assert len(found) == len(report["samplers"]) == 6
    for row, theirs in zip(found, report["samplers"]):
        assert (row.sampling, row.release.adjacency) == (theirs["sampling"], theirs["adjacency"])
        assert row.is_wanted_adjacency == (row.release.adjacency == adjacency)
        assert row.release.assumptions() == theirs["assumptions"]
        if row.noise is not None:
            sides = theirs["noise_multiplier"]["lower"], theirs["noise_multiplier"]["upper"]
            assert row.noise.release == row.release
        else:
            sides = tuple(float(theirs["epsilon"][side]["value"]) for side in ("lower", "upper"))
        assert (row.lower, row.upper) == sides


def test_comparisons_are_tables_and_pictures() -> None:
    found = assay.compare(**RUN, epsilon=3, delta=1e-5, adjacency="add-remove", effort="quick")
    assert found.best.sampling == "poisson" and found["shuffle"].release.adjacency == "zero-out"
    assert found[0] is found["poisson"] and "do not compare" in repr(found)
    assert "<td>balls-and-bins</td>" in found._repr_html_()
    assert set(found.differences()) == {row.sampling for row in found}
    with pytest.raises(KeyError):
        found["bins"]
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    axes = found.plot()
    assert [bar.get_width() for bar in axes.patches] == [row.upper for row in found]
    assert axes.get_xlabel().startswith("noise multiplier for (3, 1e-05)")
