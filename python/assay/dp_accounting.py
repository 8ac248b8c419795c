"""An accountant for dp_accounting (`pip install dp-accounting`) whose epsilon is certified.

accountant = assay.dp_accounting.AssayAccountant()
accountant.compose(event)
accountant.get_epsilon(1e-6)          # the upper side
accountant.bracket(1e-6)              # both
"""

from __future__ import annotations

import math
from typing import Any, Optional

try:
    import dp_accounting
    from dp_accounting import NeighboringRelation, PrivacyAccountant
    from dp_accounting.pld import pld_pmf, privacy_loss_distribution
except ImportError as error:
    raise ImportError(
        f"assay.dp_accounting needs dp_accounting (pip install dp-accounting): {error}"
    ) from error

from . import _core
from ._answers import Bracket
from ._release import Phase, Release

__all__ = ["AssayAccountant", "release_of"]

_ADJACENCY = {
    NeighboringRelation.ADD_OR_REMOVE_ONE: "add-remove",
    NeighboringRelation.REPLACE_ONE: "replace-one",
    NeighboringRelation.REPLACE_SPECIAL: "zero-out",
}


class _Unsupported(Exception):
    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(reason)
        self.event = event


class _NonPrivate(Exception):
    """An event after which nothing is private."""


def _noise(event: Any) -> float:
    if type(event) is not dp_accounting.GaussianDpEvent:
        raise _Unsupported(event, "only Gaussian events are accounted for")
    if event.noise_multiplier == 0:
        raise _NonPrivate
    return float(event.noise_multiplier)


def _phases(event: Any, count: int) -> list[Phase]:
    """The phases of `count` repetitions of an event tree."""
    kind = type(event)
    if count == 0 or kind is dp_accounting.NoOpDpEvent:
        return []
    if kind is dp_accounting.NonPrivateDpEvent:
        raise _NonPrivate
    if kind is dp_accounting.SelfComposedDpEvent:
        return _phases(event.event, event.count * count)
    if kind is dp_accounting.ComposedDpEvent:
        once = [phase for part in event.events for phase in _phases(part, 1)]
        # Composition does not depend on the order.
        return [phase._replace(repetitions=phase.repetitions * count) for phase in once]
    if kind is dp_accounting.GaussianDpEvent:
        return [Phase("none", _noise(event), repetitions=count)]
    if kind is dp_accounting.PoissonSampledDpEvent:
        return _sampled("poisson", event, event.event, event.sampling_probability, count)
    if kind is dp_accounting.SampledWithoutReplacementDpEvent:
        probability = event.sample_size / event.source_dataset_size
        sampling = "fixed-size-without-replacement"
        return _sampled(sampling, event, event.event, probability, count)
    if kind is dp_accounting.SampledWithReplacementDpEvent:
        return [
            Phase(
                "fixed-size-with-replacement",
                _noise(event.event),
                batch_size=event.sample_size,
                dataset_size=event.source_dataset_size,
                repetitions=count,
            )
        ]
    raise _Unsupported(event, f"{kind.__name__} is not accounted for")


def _sampled(sampling: str, event: Any, inner: Any, probability: float, count: int) -> list[Phase]:
    if type(inner) is dp_accounting.NoOpDpEvent or probability == 0:
        return []
    if type(inner) is dp_accounting.NonPrivateDpEvent:
        raise _NonPrivate
    try:
        noise = _noise(inner)
    except _Unsupported as error:
        raise _Unsupported(event, f"of a sample {error}") from None
    if (
        probability == 1 and sampling != "poisson"
    ):  # with a record more, it is no longer all of them
        raise _Unsupported(event, "takes every record: compose its inner event instead")
    if probability == 1:
        return [Phase("none", noise, repetitions=count)]
    return [Phase(sampling, noise, sampling_probability=float(probability), repetitions=count)]


def release_of(
    event: Any,
    neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
) -> Release:
    """The release that a `DpEvent` tree describes.

    `noise_multiplier` of an event is the noise over the bound of a record's norm, under every
    neighbouring relation: the factors of two of "replace one" are accounted for here.

    Raises:
        NotImplementedError: an event, or a sampler under this relation, without a theorem here.
        ValueError: a parameter outside its domain, and an event that is not private at all.
    """
    try:
        return Release(_ADJACENCY[neighboring_relation], _phases(event, 1))
    except _Unsupported as error:
        raise NotImplementedError(f"{error}: {error.event}") from None
    except _NonPrivate:
        raise ValueError("an event that is not private at all") from None


class AssayAccountant(PrivacyAccountant):  # type: ignore[misc]
    """dp_accounting's `PrivacyAccountant` with certified brackets.

    Args:
        neighboring_relation: ADD_OR_REMOVE_ONE, REPLACE_ONE or REPLACE_SPECIAL ("zero-out").

    Accounts for trees of Gaussian, Poisson-sampled, sampled (with and without replacement),
    composed, self-composed, no-op and non-private events. Units as in `release_of`.
    """

    def __init__(self, neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE) -> None:
        super().__init__(neighboring_relation)
        self._adjacency = _ADJACENCY[neighboring_relation]
        self._phases: list[Phase] = []
        self._is_private = True

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Optional[Any]:
        try:
            phases = _phases(event, max(count, 1))
            Release(self._adjacency, phases)
        except _NonPrivate:
            if do_compose and count > 0:
                self._is_private = False
            return None
        except _Unsupported as error:
            return self.CompositionErrorDetails(error.event, str(error))
        except (ValueError, NotImplementedError) as error:
            return self.CompositionErrorDetails(event, str(error))
        if do_compose and count > 0:
            for phase in phases:
                self._add(phase)
        return None

    def _add(self, phase: Phase) -> None:
        if self._phases:
            last = self._phases[-1]
            if last._replace(repetitions=1) == phase._replace(repetitions=1):
                total = last.repetitions + phase.repetitions
                self._phases[-1] = last._replace(repetitions=total)
                return
        self._phases.append(phase)

    @property
    def release(self) -> Release:
        """What was composed so far."""
        return Release(self._adjacency, self._phases)

    def bracket(self, target_delta: float, **options: Any) -> Bracket:
        """epsilon from both sides; options as those of `Release.epsilon`.

        Raises ValueError where nothing was composed, or an event was not private.
        """
        if not self._is_private:
            raise ValueError("an event that was composed is not private at all")
        found = self.release.epsilon(float(target_delta), **options)
        assert isinstance(found, Bracket)
        return found

    def get_epsilon(self, target_delta: float) -> float:
        """The upper side of epsilon at delta."""
        if not self._is_private:
            return math.inf
        if not self._phases:
            return 0.0
        return self.bracket(target_delta).upper

    def get_delta(self, target_epsilon: float) -> float:
        """The upper side of delta at epsilon."""
        if not self._is_private:
            return 1.0
        if not self._phases:
            return 0.0
        found = self.release.delta(float(target_epsilon))
        assert isinstance(found, Bracket)
        return found.upper

    def pld(self, value_discretization_interval: float = 1e-4) -> Any:
        """A dominating, pessimistic privacy loss distribution in dp_accounting's format, which its
        users (riskcal, gdpnum) take: `removal` and `addition` are its two directions.

        Each phase's distribution is an upper bound with this library's rounding in it. Composing
        them is dp_accounting's: it truncates on the safe side, and the rounding of its transforms,
        some 1e-16 of mass, is not bounded. `get_epsilon` and `get_delta` do not go through it.

        Args:
            value_discretization_interval: of the losses, in nats; the next smaller number of 12
                bits is taken.

        Raises:
            NotImplementedError: a sampler without a dominating pair.
            ValueError: nothing was composed, or an event is not private.
        """
        if not self._is_private or not self._phases:
            raise ValueError("nothing private was composed")
        composed = None
        for phase in self._phases:
            one = Release(self._adjacency, [phase._replace(repetitions=1)])
            step, removal, addition, _ = _core.dominating_losses(
                one._native, value_discretization_interval, 1e-20
            )
            distribution = privacy_loss_distribution.PrivacyLossDistribution(
                _pmf(step, *removal), _pmf(step, *addition)
            )
            if phase.repetitions > 1:
                distribution = distribution.self_compose(phase.repetitions)
            composed = distribution if composed is None else composed.compose(distribution)
        return composed


def _pmf(step: float, first: int, masses: list[float], infinity_mass: float) -> Any:
    import numpy as np

    return pld_pmf.DensePLDPmf(step, first, np.asarray(masses), infinity_mass, True)
