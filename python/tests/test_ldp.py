"""Local privacy: exact audits, answers, the streaming estimator."""

from __future__ import annotations

import math
import pathlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ldp = pytest.importorskip("assay.ldp", exc_type=ImportError)


def matrix_of(mechanism, subset_size: int) -> np.ndarray:
    """The whole response matrix, S being the first categories."""
    k, distribution = mechanism.categories, mechanism.response_distribution(subset_size)
    table = np.empty((k, k))
    for x in range(k):
        for y in range(k):
            if y < subset_size:
                table[x, y] = distribution.honest_inside if x == y else distribution.other_inside
            elif x < subset_size:
                table[x, y] = distribution.outside_from_inside
            else:
                table[x, y] = distribution.honest_outside if x == y else distribution.other_outside
    return table


@settings(max_examples=30)
@given(st.integers(3, 12), st.floats(0.1, 6.0), st.floats(0.0, 1.0), st.data())
def test_audits_meet_the_whole_matrix(k: int, epsilon: float, share: float, data) -> None:
    mechanism = ldp.RestrictedResponse(categories=k, epsilon=epsilon, budget_share=share)
    size = data.draw(st.sampled_from(list(mechanism.subset_sizes)))
    table = matrix_of(mechanism, size)
    assert table.sum(axis=1) == pytest.approx(1.0)
    ratios = np.log(table[:, None, :] / table[None, :, :])
    found = mechanism.audit(size)
    assert found.lower - 1e-9 <= ratios.max() <= found.upper + 1e-9
    assert ratios[found.truth, found.other_truth, found.response] == pytest.approx(
        ratios.max(), abs=1e-9
    )
    assert found.lower <= epsilon * (1 + 1e-12) + 1e-12
    whole = ldp.audit_matrix(table)
    assert whole.lower - 1e-9 <= ratios.max() <= whole.upper + 1e-9


def test_the_released_table_is_not_private() -> None:
    wrong = ldp.RestrictedResponse(
        categories=10, epsilon=1.0, budget_share=0.8, variant="as-released"
    )
    assert wrong.audit().lower > 1.0


def test_answers_have_their_distribution() -> None:
    """20,000 answers, each count within 5 deviations."""
    mechanism = ldp.RestrictedResponse(categories=5, epsilon=1.5, budget_share=0.7)
    distribution = matrix_of(mechanism, 2)
    answers = [mechanism.respond(3, [0, 1], seed=1, user=i) for i in range(20_000)]
    counts = np.bincount(answers, minlength=5)
    expected = 20_000 * distribution[3]
    assert (abs(counts - expected) < 5 * np.sqrt(expected)).all()
    assert answers[:5] == [mechanism.respond(3, [0, 1], seed=1, user=i) for i in range(5)]


@pytest.mark.parametrize("sampler", ["gibbs", "langevin"])
def test_the_estimator_goes_on_with_the_same_bits(tmp_path: pathlib.Path, sampler: str) -> None:
    mechanism = ldp.RestrictedResponse(categories=6, epsilon=2.0)
    one = ldp.Estimator(mechanism, seed=4, sampler=sampler, planned_responses=3000)
    rng = np.random.default_rng(0)
    truth = np.array([0.5, 0.2, 0.1, 0.1, 0.05, 0.05])
    for user in range(3000):
        x = int(rng.choice(6, p=truth))
        one.feed(mechanism.respond(x, one.subset(), seed=7, user=user))
    assert one.responses == 3000
    found = one.estimate()
    assert 0.5 * abs(found.mean - truth).sum() < 0.1
    assert (found.lower <= found.mean).all() and (found.mean <= found.upper).all()
    one.save(tmp_path / "state")
    two = ldp.Estimator.restore(tmp_path / "state", mechanism)
    assert two.estimate().mean.tolist() == found.mean.tolist()
    for estimator in (one, two):
        estimator.feed(2, [0, 1])
    assert one.estimate().mean.tolist() == two.estimate().mean.tolist()


def test_answers_of_another_mechanism_are_refused(tmp_path: pathlib.Path) -> None:
    five, nine = (ldp.RestrictedResponse(categories=k, epsilon=1.0) for k in (5, 9))
    ldp.Estimator(five).save(tmp_path / "state")
    assert ldp.Estimator.restore(tmp_path / "state", five).responses == 0
    with pytest.raises(ValueError, match="another mechanism"):
        ldp.Estimator.restore(tmp_path / "state", nine)


def test_what_is_outside_the_domain() -> None:
    with pytest.raises(ValueError):
        ldp.RestrictedResponse(categories=1, epsilon=1.0)
    with pytest.raises(ValueError):
        ldp.RestrictedResponse(categories=5, epsilon=1.0, variant="other")
    mechanism = ldp.RestrictedResponse(categories=5, epsilon=1.0)
    for truth, subset in ((5, [0]), (-1, [0]), (0, [7]), (0, [1, 1])):
        with pytest.raises(ValueError):
            mechanism.respond(truth, subset, seed=0, user=0)
    with pytest.raises(ValueError):
        ldp.Estimator(mechanism, rule="best")
    with pytest.raises(ValueError, match="planned_responses"):
        ldp.Estimator(mechanism, sampler="langevin")
    with pytest.raises(ValueError):
        ldp.audit_matrix([[0.5, 0.6], [0.5, 0.5]])
    assert math.isinf(ldp.audit_matrix([[1.0, 0.0], [0.5, 0.5]]).upper)
    with pytest.raises(OSError, match="nowhere"):
        ldp.Estimator.restore("/nowhere/state", mechanism)
