"""dp_accounting: event trees, calibration, and privacy loss distributions in its format."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("dp_accounting", reason="dp_accounting is not installed: pip install '.[test]'")
import dp_accounting as dp
from dp_accounting import NeighboringRelation as Relation
from dp_accounting.pld import PLDAccountant

import assay
from assay.dp_accounting import AssayAccountant, release_of

TREE = dp.ComposedDpEvent(
    [
        dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1.1)), 200),
        dp.NoOpDpEvent(),
        dp.GaussianDpEvent(4.0),
    ]
)
RUN = (
    assay.Release("add-remove")
    .poisson(noise_multiplier=1.1, sampling_probability=0.01, steps=200)
    .gaussian(noise_multiplier=4.0)
)


def test_trees_become_releases() -> None:
    assert release_of(TREE) == RUN
    assert release_of(TREE, Relation.REPLACE_ONE).adjacency == "replace-one"
    fixed = dp.SampledWithoutReplacementDpEvent(1000, 10, dp.GaussianDpEvent(2.0))
    assert release_of(dp.SelfComposedDpEvent(fixed, 5)) == assay.Release("add-remove").fixed_size(
        noise_multiplier=2.0, batch_size=10, dataset_size=1000, steps=5
    )
    drawn = dp.SampledWithReplacementDpEvent(1000, 10, dp.GaussianDpEvent(2.0))
    assert release_of(drawn).phases[0].dataset_size == 1000
    twice = dp.SelfComposedDpEvent(TREE, 2)
    assert [phase.repetitions for phase in release_of(twice).phases] == [400, 2]


def test_the_accountant_gives_the_upper_side() -> None:
    accountant = AssayAccountant().compose(TREE)
    assert accountant.get_epsilon(1e-5) == RUN.epsilon(1e-5).upper
    assert accountant.get_delta(1.0) == RUN.delta(1.0).upper
    assert accountant.bracket(1e-5) == RUN.epsilon(1e-5)
    theirs = PLDAccountant().compose(TREE).get_epsilon(1e-5)
    assert theirs >= accountant.bracket(1e-5).lower
    print(f"assay {accountant.bracket(1e-5)}, dp_accounting PLD {theirs:.6f}")


def test_counts_and_repetitions_are_the_same() -> None:
    """A count that is ignored was found in two accountants of dp_accounting."""
    event = dp.PoissonSampledDpEvent(0.02, dp.GaussianDpEvent(1.5))
    counted = AssayAccountant().compose(event, 60)
    nested = AssayAccountant().compose(dp.SelfComposedDpEvent(event, 30), 2)
    single = AssayAccountant()
    for _ in range(60):
        single.compose(event)
    assert counted.release == nested.release == single.release
    assert counted.ledger == dp.SelfComposedDpEvent(event, 60)


def test_what_is_not_supported_is_said() -> None:
    accountant = AssayAccountant()
    for event in (
        dp.LaplaceDpEvent(1.0),
        dp.UnsupportedDpEvent(),
        dp.PoissonSampledDpEvent(0.1, dp.LaplaceDpEvent(1.0)),
        dp.GaussianDpEvent(-1.0),
        dp.SampledWithoutReplacementDpEvent(10, 10, dp.GaussianDpEvent(1.0)),
    ):
        assert not accountant.supports(event)
        with pytest.raises(dp.UnsupportedEventError):
            accountant.compose(event)
    with_replacement = dp.SampledWithReplacementDpEvent(10, 10, dp.GaussianDpEvent(2.0))
    assert not accountant.supports(with_replacement)
    assert accountant.supports(TREE) and accountant.get_epsilon(1e-5) == 0.0
    with pytest.raises(NotImplementedError, match=r"LaplaceDpEvent"):
        release_of(dp.LaplaceDpEvent(1.0))


def test_an_event_without_privacy() -> None:
    for event in (dp.NonPrivateDpEvent(), dp.GaussianDpEvent(0.0)):
        accountant = AssayAccountant().compose(TREE).compose(event)
        assert accountant.get_epsilon(1e-5) == math.inf and accountant.get_delta(1.0) == 1.0
        with pytest.raises(ValueError, match="not private"):
            accountant.bracket(1e-5)


def test_replace_one_has_its_factor_of_two() -> None:
    """One Gaussian step of noise 1: without the factor it would be 4.7285 or less."""
    accountant = AssayAccountant(Relation.REPLACE_ONE).compose(dp.GaussianDpEvent(1.0))
    assert accountant.get_epsilon(1e-5) == pytest.approx(9.9973, abs=1e-4)


def test_calibration_by_dp_accounting() -> None:
    sigma = dp.calibrate_dp_mechanism(
        AssayAccountant,
        lambda s: dp.SelfComposedDpEvent(
            dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(s)), 500
        ),
        target_epsilon=1.0,
        target_delta=1e-6,
        bracket_interval=dp.ExplicitBracketInterval(0.5, 10.0),
        tol=1e-3,
    )
    run = assay.Release("add-remove").poisson(
        noise_multiplier=sigma, sampling_probability=0.01, steps=500
    )
    ours = assay.calibrate(run.unknown("noise_multiplier"), epsilon=1.0, delta=1e-6)
    assert run.delta(1.0).upper <= 1e-6 * (1 + 1e-9)
    assert ours.sufficient == pytest.approx(sigma, rel=3e-3)


@pytest.mark.parametrize("relation", [Relation.ADD_OR_REMOVE_ONE, Relation.REPLACE_ONE])
def test_loss_distributions_dominate_closely(relation: Relation) -> None:
    accountant = AssayAccountant(relation).compose(TREE)
    pld = accountant.pld(1e-3)
    for epsilon in (0.0, 0.3, 0.8, 1.5):
        delta = accountant.release.delta(epsilon)
        assert isinstance(delta, assay.Bracket)
        found = pld.get_delta_for_epsilon(epsilon)
        assert found >= delta.lower * (1 - 1e-9), "it does not dominate"
        assert found <= delta.upper * 1.05 + 1e-9
    assert pld.get_epsilon_for_delta(1e-5) >= accountant.bracket(1e-5).lower * (1 - 1e-9)
    with pytest.raises(ValueError, match="nothing private"):
        AssayAccountant().pld()
