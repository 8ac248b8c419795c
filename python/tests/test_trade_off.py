"""Trade-off curves: closed forms of one step, the program's own bits, and what is refused."""

from __future__ import annotations

import json
import math
import pathlib
import pickle
import subprocess
from statistics import NormalDist

import numpy as np
import pytest
from conftest import cdf
from hypothesis import given, settings
from hypothesis import strategies as st

import assay

GAUSSIAN = assay.Release("add-remove").gaussian(noise_multiplier=2, steps=4)  # mu = 1
POISSON = assay.Release("add-remove").poisson(
    noise_multiplier=1.1, sampling_probability=0.004, steps=1000
)


@settings(max_examples=40)
@given(st.floats(0.3, 20), st.integers(1, 100), st.floats(1e-9, 1 - 1e-9))
def test_gaussian_steps_have_the_curve_of_two_normal_distributions(
    sigma: float, steps: int, level: float
) -> None:
    run = assay.Release("add-remove").gaussian(noise_multiplier=sigma, steps=steps)
    mu = math.sqrt(steps) / sigma
    z = NormalDist().inv_cdf(level)
    for found in (run.trade_off().true_positive_rate(level), run.true_positive_rate(level)):
        assert isinstance(found, assay.Bracket)
        truth = cdf(z + mu)
        assert found.lower * (1 - 1e-9) <= truth <= found.upper * (1 + 1e-9)
        assert found.gap < 1e-9
    missed = run.type_two_error(level)
    assert isinstance(missed, assay.Bracket)
    assert missed.lower * (1 - 1e-7) - 1e-300 <= cdf(-z - mu) <= missed.upper * (1 + 1e-7) + 1e-300


@settings(max_examples=20)
@given(st.floats(0.5, 5), st.floats(1e-3, 0.5), st.floats(-2, 5))
def test_one_poisson_step_has_the_tests_of_neyman_and_pearson(
    sigma: float, q: float, threshold: float
) -> None:
    """By the threshold of the observation: both directions, which differ."""
    curve = (
        assay.Release("add-remove")
        .poisson(noise_multiplier=sigma, sampling_probability=q, steps=1)
        .trade_off()
    )
    null, mixed = cdf(-threshold), (1 - q) * cdf(-threshold) + q * cdf(1 / sigma - threshold)
    found = curve.true_positive_rate(null, "removal")
    assert isinstance(found, assay.Bracket)
    assert found.lower * (1 - 1e-9) <= mixed <= found.upper * (1 + 1e-9)
    below = (1 - q) * cdf(threshold) + q * cdf(threshold - 1 / sigma)
    found = curve.true_positive_rate(below, "addition")
    assert isinstance(found, assay.Bracket)
    assert found.lower * (1 - 1e-9) <= cdf(threshold) <= found.upper * (1 + 1e-9)
    assert not curve.is_symmetric


def test_the_curve_is_the_conjugate_of_delta() -> None:
    """TPR <= e^epsilon FPR + delta(epsilon), and delta is the supremum of what is left."""
    curve = POISSON.trade_off()
    levels = np.geomspace(1e-9, 1, 400)
    rates = curve.true_positive_rate(levels)
    assert isinstance(rates, assay.BracketArray)
    for epsilon in (0.0, 0.2, 0.5, 1.0):
        known = POISSON.delta(epsilon)
        assert (rates.lower - math.exp(epsilon) * levels).max() <= known.upper * (1 + 1e-12)
        assert (rates.upper - math.exp(epsilon) * levels).max() >= known.lower * (1 - 2e-2)
        found = curve.delta(epsilon)
        assert isinstance(found, assay.Bracket)
        assert found.lower <= known.upper and known.lower <= found.upper
    assert curve.advantage().upper >= POISSON.advantage().lower


def test_what_follows_from_the_rates() -> None:
    curve, level, prior, mu = GAUSSIAN.trade_off(), 0.01, 0.2, 1.0
    power = cdf(NormalDist().inv_cdf(level) + mu)
    right = prior * power / (prior * power + (1 - prior) * level)
    odds = prior / (1 - prior) * power / level
    negative = (1 - prior) * (1 - level) / ((1 - prior) * (1 - level) + prior * (1 - power))
    # The best decision between both, by the threshold where the posterior odds are 1.
    cut = mu / 2 + math.log((1 - prior) / prior) / mu
    risk = (1 - prior) * cdf(-cut) + prior * cdf(cut - mu)
    for found, truth in [
        (curve.positive_predictive_value(level, prior), right),
        (curve.negative_predictive_value(level, prior), negative),
        (curve.posterior_odds(level, prior), odds),
        (curve.bayes_risk(prior), risk),
        (curve.advantage(), 2 * cdf(mu / 2) - 1),
        (curve.gaussian_mu().mu, mu),
        (GAUSSIAN.gaussian_mu(), mu),
    ]:
        assert isinstance(found, assay.Bracket)
        assert (found.lower, found.upper) == pytest.approx((truth, truth), rel=1e-9)
    attack = curve.reconstruction(level)
    assert isinstance(attack, assay.Bracket) and attack.upper == pytest.approx(power, rel=1e-9)
    alone = curve.singling_out(1e-6, 1000)
    assert isinstance(alone, assay.Bracket)
    assert alone.upper == pytest.approx(1000 * cdf(NormalDist().inv_cdf(1e-6) + mu), rel=1e-6)
    found = curve.gaussian_mu(0.01)
    assert found.regret.upper < 1e-6 and found.smallest_error == 0.01
    assert isinstance(curve.regret(2.0), assay.Bracket)


def test_groups_of_records() -> None:
    """Of a Gaussian mechanism k records are k times as far apart."""
    for ask in (
        GAUSSIAN.trade_off(group=3).true_positive_rate(0.01),
        GAUSSIAN.true_positive_rate(0.01, group=3),
    ):
        assert isinstance(ask, assay.Bracket)
        assert ask.upper == pytest.approx(cdf(NormalDist().inv_cdf(0.01) + 3), rel=1e-9)
    thrice = assay.Release("add-remove").gaussian(noise_multiplier=2 / 3, steps=4)
    assert GAUSSIAN.delta(1.0, group=3).upper == pytest.approx(thrice.delta(1.0).upper, rel=1e-9)
    assert GAUSSIAN.epsilon(1e-5, group=3).upper == pytest.approx(
        thrice.epsilon(1e-5).upper, rel=1e-2
    )
    assert GAUSSIAN.epsilon(1e-5, group=1) == GAUSSIAN.epsilon(1e-5)
    with pytest.raises(ValueError, match="accountant"):
        GAUSSIAN.epsilon(1e-5, group=2, accountant="rdp")


def test_arrays_have_the_bits_of_single_questions() -> None:
    levels = np.array([[1e-6, 1e-3], [0.1, 0.9]])
    curve = POISSON.trade_off(effort="quick")
    rates, errors = curve.true_positive_rate(levels), curve.type_two_error(levels, "addition")
    asked = POISSON.true_positive_rate(levels, effort="quick", threads=2)
    assert isinstance(rates, assay.BracketArray) and isinstance(errors, assay.BracketArray)
    assert isinstance(asked, assay.BracketArray) and asked.shape == rates.shape == (2, 2)
    for i in np.ndindex(2, 2):
        assert rates[i] == curve.true_positive_rate(float(levels[i]))
        assert errors[i] == curve.type_two_error(float(levels[i]), "addition")
        assert asked[i] == POISSON.true_positive_rate(float(levels[i]), effort="quick")
    again = pickle.loads(pickle.dumps(curve))
    assert again.true_positive_rate(1e-3) == curve.true_positive_rate(1e-3)
    assert "<td>0.001</td>" in curve._repr_html_() and "gap=" in repr(curve)


@pytest.mark.parametrize("adjacency", ["add-remove", "replace-one"])
def test_the_program_gives_the_same_bits(program: pathlib.Path, adjacency: str) -> None:
    run = assay.Release(adjacency).poisson(
        noise_multiplier=1.1, sampling_probability=0.004, steps=1000
    )
    given = "--noise-multiplier 1.1 --sampling-probability 0.004 --steps 1000".split()
    ran = subprocess.run(
        [program, "tradeoff", "--sampling", "poisson", "--adjacency", adjacency, *given,
         "--both-directions", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    report = json.loads(ran.stdout)
    curve = run.trade_off()
    assert (curve.gap, curve.is_symmetric) == (report["gap"], report["symmetric"])
    assert len(report["points"]) > 100
    for point in report["points"]:
        level, direction = point["false_positive_rate"], point["direction"]
        for quantity in ("true_positive_rate", "type_two_error"):
            found = getattr(curve, quantity)(level, direction)
            sides = tuple(float(point[quantity][side]["value"]) for side in ("lower", "upper"))
            assert (found.lower, found.upper) == sides, (level, direction, quantity)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: POISSON.true_positive_rate(-0.1),
        lambda: POISSON.true_positive_rate(math.nan),
        lambda: POISSON.type_two_error([0.5, 1.5]),
        lambda: POISSON.gaussian_mu(0.5),
        lambda: POISSON.trade_off(group=0),
        lambda: POISSON.trade_off(group=2.5),  # type: ignore[arg-type]
        lambda: POISSON.trade_off(effort="great"),
        lambda: POISSON.unknown("noise_multiplier").trade_off(),
        lambda: POISSON.unknown("noise_multiplier").true_positive_rate(0.1),
        lambda: GAUSSIAN.trade_off().true_positive_rate(0.1, "sideways"),
        lambda: GAUSSIAN.trade_off().true_positive_rate(2.0),
        lambda: GAUSSIAN.trade_off().positive_predictive_value(0.1, 0.0),
        lambda: GAUSSIAN.trade_off().bayes_risk(1.0),
        lambda: GAUSSIAN.trade_off().delta(-1.0),
        lambda: GAUSSIAN.trade_off().singling_out(0.1, 0),
        lambda: GAUSSIAN.trade_off().plot(smallest=0.0),
    ],
)
def test_what_is_outside_the_domain_is_a_value_error(ask) -> None:
    if "plot" in ask.__code__.co_names:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    with pytest.raises(ValueError):
        ask()


def test_the_picture_shows_both_sides() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    curve = POISSON.trade_off()
    axes = curve.plot()
    assert axes.get_xscale() == axes.get_yscale() == "log"
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    epsilon = POISSON.epsilon(1e-5).upper
    assert texts[0] == "certified, both sides" and texts[3] == "guessing"
    assert texts[1] == f"({epsilon:.4g}, 1e-05) alone" and texts[2].startswith("Gaussian, μ = ")
    levels, upper = axes.lines[0].get_data()
    lower = axes.lines[1].get_data()[1]
    found = curve.true_positive_rate(levels)
    assert isinstance(found, assay.BracketArray)
    assert (found.upper == upper).all() and (found.lower == lower).all()
    # Either line for reference bounds the attacker where it is meant to.
    assert (axes.lines[2].get_data()[1] >= lower).all()
    visible = (levels >= 1e-3) & (upper <= 1 - 1e-3)
    gaussian = np.asarray(axes.lines[3].get_data()[1])
    assert (gaussian[visible] >= lower[visible]).all()
    whole = curve.plot(axes, corner=False, delta=None, smallest_error=None)
    assert whole is axes
