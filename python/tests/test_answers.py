"""Answers: brackets, arrays, calibrations, Renyi curves, and what is refused."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay

RUN = assay.Release("add-remove").poisson(
    noise_multiplier=1.1, sampling_probability=0.004, steps=10_000
)
GAUSSIAN = assay.Release("add-remove").gaussian(noise_multiplier=1, steps=10)


def test_the_first_answer() -> None:
    spent = RUN.epsilon(delta=1e-6)
    assert (spent.lower, spent.upper) == pytest.approx((2.0949069708, 2.0950962443), rel=1e-10)
    assert spent.gap <= 1e-3 and spent.note is None
    assert spent.status == ("certified", "certified")
    assert spent.published_upper > spent.upper and "mironov" in spent.published_theorem
    assert repr(spent) == "Bracket(lower=2.0949069, upper=2.0950963)"
    assert "2.0950963" in spent._repr_html_()


def test_brackets_are_values() -> None:
    spent = GAUSSIAN.epsilon(1e-5)
    assert spent == GAUSSIAN.epsilon(1e-5) and hash(spent) == hash(copy.deepcopy(spent))
    assert pickle.loads(pickle.dumps(spent)) == spent
    with pytest.raises(AttributeError):
        spent.upper = 0.0
    assert spent.lower in spent and 1.0 not in spent


def test_arrays_have_the_bits_of_single_questions() -> None:
    deltas = np.array([[1e-5, 1e-6], [1e-7, 0.5]])
    answers = RUN.epsilon(deltas, threads=2)
    assert answers.shape == (2, 2) and len(answers) == 2
    for i in range(2):
        for j in range(2):
            single = RUN.epsilon(float(deltas[i, j]))
            assert answers[i, j] == single
            assert (answers.lower[i, j], answers.upper[i, j]) == (single.lower, single.upper)
    assert [b.upper for b in answers] == answers.upper.ravel().tolist()
    with pytest.raises(IndexError):
        answers[0]
    assert "<table>" in answers._repr_html_()
    curve = GAUSSIAN.delta([0.5, 1, 2], threads=1)
    assert curve.upper.tolist() == [GAUSSIAN.delta(x).upper for x in (0.5, 1, 2)]


def test_many_releases_broadcast_with_points() -> None:
    runs = [assay.Release("add-remove").gaussian(noise_multiplier=s) for s in (1.0, 2.0, 3.0)]
    table = assay.epsilon([[run] for run in runs], [1e-5, 1e-6])
    assert table.shape == (3, 2)
    assert table[2, 1] == runs[2].epsilon(1e-6)
    assert assay.delta(runs, 1.0).upper.tolist() == [run.delta(1.0).upper for run in runs]
    assert assay.epsilon(runs[0], 1e-5) == runs[0].epsilon(1e-5)
    with pytest.raises(TypeError, match="not a Release"):
        assay.epsilon([1, 2], 1e-5)


def test_epoch_samplers_give_the_same_bits_whatever_was_answered_before() -> None:
    runs = [
        assay.Release("zero-out").balls_and_bins(
            noise_multiplier=0.7, batches_per_epoch=100, epochs=k
        )
        for k in (1, 2, 3)
    ]
    together = assay.epsilon(runs, 1e-5, threads=2)
    assert [b.upper for b in together] == [run.epsilon(1e-5).upper for run in runs]


def test_numpy_scalars_are_numbers() -> None:
    assert GAUSSIAN.epsilon(np.float64(1e-5)) == GAUSSIAN.epsilon(1e-5)
    assert GAUSSIAN.delta(np.array(1.0)) == GAUSSIAN.delta(1)


def test_goals() -> None:
    close = RUN.epsilon(1e-6, relative_gap=1e-4)
    assert close.gap <= 1e-4 < RUN.epsilon(1e-6, effort="quick").gap
    published = RUN.epsilon(1e-6, standing="published")
    assert published.standing.upper == "published"
    assert published.upper == RUN.epsilon(1e-6).published_upper
    rdp, pld = (RUN.epsilon(1e-6, accountant=name) for name in ("rdp", "pld"))
    assert rdp.upper > pld.upper


@pytest.mark.parametrize(
    "ask",
    [
        lambda: RUN.epsilon(0),
        lambda: RUN.epsilon(1),
        lambda: RUN.epsilon(math.nan),
        lambda: RUN.epsilon([1e-5, -1]),
        lambda: RUN.delta(-1),
        lambda: RUN.delta(math.inf),
        lambda: RUN.epsilon(1e-5, effort="great"),
        lambda: RUN.epsilon(1e-5, relative_gap=0),
        lambda: RUN.epsilon(1e-5, standing="mine"),
        lambda: RUN.epsilon(1e-5, accountant="gdp"),
        lambda: RUN.epsilon([1e-5], threads=0),
        lambda: RUN.rdp([1.0]),
        lambda: assay.Release("add-remove").epsilon(1e-5),
        lambda: RUN.unknown("noise_multiplier").epsilon(1e-5),
        lambda: assay.calibrate(RUN, epsilon=1, delta=1e-5),
        lambda: assay.calibrate(RUN.unknown("noise_multiplier"), epsilon=-1, delta=1e-5),
        lambda: (
            assay.Release("zero-out")
            .shuffle(noise_multiplier=1, batches_per_epoch=3)
            .epsilon(1e-5, accountant="rdp")
        ),
    ],
)
def test_what_is_outside_the_domain_is_a_value_error(ask) -> None:
    with pytest.raises(ValueError):
        ask()


def test_the_error_names_its_parameter() -> None:
    with pytest.raises(assay.DomainError) as caught:
        RUN.epsilon(2.0)
    assert (caught.value.parameter, caught.value.admissible) == ("delta", "0 < delta < 1")


def test_of_two_refused_questions_the_first_is_named() -> None:
    for threads in (1, 2):
        with pytest.raises(assay.DomainError, match="delta = 2 "):
            assay.epsilon([RUN], [2.0, 3.0], threads=threads)


def test_calibration() -> None:
    open_run = RUN.unknown("noise_multiplier")
    found = assay.calibrate(open_run, epsilon=2, delta=1e-6)
    assert found.release.delta(2).upper <= 1e-6 < open_run.with_noise(found.lower).delta(2).upper
    assert found.upper == found.sufficient > found.insufficient == found.lower
    assert (found.upper - found.lower) / found.upper <= 1e-3
    partly = RUN + assay.Release("add-remove").gaussian(noise_multiplier=None)
    kept = assay.calibrate(partly, epsilon=3, delta=1e-6).release
    assert kept.phases[0] == RUN.phases[0] and kept.phases[1].noise_multiplier is not None


def test_renyi_curves() -> None:
    curve = assay.rdp(GAUSSIAN, [2, 4.5])
    assert curve.upper == pytest.approx([10.0, 22.5], rel=1e-14)
    assert (curve.lower <= curve.upper).all() and curve.standing == ["published"] * 2
    assert len(RUN.rdp()) == 151 and "151 orders" in repr(RUN.rdp())
    assert "<td>2</td>" in curve._repr_html_()


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Balle and Wang 2018, Theorem 8, with the error function of the C library."""

    def phi(x: float) -> float:
        return 0.5 * math.erfc(-x / math.sqrt(2))

    return phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


@settings(max_examples=60)
@given(st.floats(0.3, 30), st.integers(1, 1000), st.floats(0, 3))
def test_gaussian_steps_have_their_closed_form(sigma: float, steps: int, epsilon: float) -> None:
    found = assay.Release("zero-out").gaussian(noise_multiplier=sigma, steps=steps).delta(epsilon)
    truth = gaussian_delta(math.sqrt(steps) / sigma, epsilon)
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12


@settings(max_examples=8)
@given(st.floats(0.5, 5), st.floats(1e-4, 0.5), st.integers(1, 500), st.floats(1e-9, 1e-2))
def test_sides_are_ordered_and_epsilon_inverts_delta(
    sigma: float, q: float, steps: int, delta: float
) -> None:
    run = assay.Release("add-remove").poisson(
        noise_multiplier=sigma, sampling_probability=q, steps=steps
    )
    spent = run.epsilon(delta)
    assert 0 <= spent.lower <= spent.upper <= spent.published_upper
    if 0 < spent.upper < math.inf:
        assert run.delta(spent.upper * 1.0001).lower <= delta
    if spent.lower > 0:
        assert run.delta(spent.lower * 0.9999).upper >= delta
