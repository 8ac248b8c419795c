"""Parameters that are looked for: the noise, or the largest number of something."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Optional, Union, overload

from . import _arguments as arguments
from . import _core
from ._answers import Bracket, Calibration, _table
from ._release import Phase, Release
from ._targets import target_of

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class Targets(TypedDict, total=False):
        """The options of `calibrate`."""

        epsilon: Optional[float]
        delta: Optional[float]
        false_positive_rate: Optional[float]
        true_positive_rate: Optional[float]
        mu: Optional[float]
        smallest_error: Optional[float]
        advantage: Optional[float]
        relative_gap: Optional[float]
        effort: str
        standing: str


UNKNOWNS = ("noise_multiplier", "steps", "epochs", "sampling_probability", "batch_size")


class Unknown(NamedTuple):
    """A release in which one parameter of one phase is looked for; made by `Release.unknown`.

    Attributes:
        release: with some value in its place, which is not looked at.
        name: "steps", "epochs", "sampling_probability" or "batch_size".
        phase: the index of its phase.
        dataset_size: for a batch size, the records.
        epochs: for a batch size, the passes over the data; 0: as many steps, whatever the batch.
    """

    release: Release
    name: str
    phase: int
    dataset_size: int
    epochs: float

    def filled(self, value: float) -> Release:
        """The release with this value."""
        phases = list(self.release.phases)
        phases[self.phase] = self._phase(phases[self.phase], value)
        return Release(self.release.adjacency, phases)

    def _phase(self, phase: Phase, value: float) -> Phase:
        if self.name == "sampling_probability":
            return phase._replace(sampling_probability=value)
        if self.name != "batch_size":
            return phase._replace(repetitions=int(value))
        size = int(value)
        if size < 1:
            raise ValueError(f"batch_size = {value} is less than 1")
        if phase.is_epoch_sampler:
            return phase._replace(batches_per_epoch=self.dataset_size // size)
        if self.epochs > 0.0:
            steps = _core.steps_of_epochs(self.epochs, self.dataset_size, size)
            phase = phase._replace(repetitions=steps)
        if phase.dataset_size is not None:
            return phase._replace(batch_size=size, dataset_size=self.dataset_size)
        return phase._replace(sampling_probability=size / self.dataset_size)


def unknown_of(
    release: Release,
    name: str,
    phase: Optional[int],
    dataset_size: Optional[int],
    epochs: Optional[float],
) -> Unknown:
    if name not in UNKNOWNS:
        raise ValueError(f"unknown = {name!r}: {', '.join(UNKNOWNS)}")
    phases = release.phases
    if phase is None:
        if len(phases) != 1:
            raise ValueError(f"phase is missing: the index of the one whose {name} is looked for")
        phase = 0
    phase = arguments.integer("phase", phase)
    if not -len(phases) <= phase < len(phases):
        raise ValueError(f"phase = {phase}: there are {len(phases)}")
    index = phase % len(phases)
    open_phase = phases[index]
    if name in ("steps", "epochs") and (name == "epochs") != open_phase.is_epoch_sampler:
        other = "epochs" if open_phase.is_epoch_sampler else "steps"
        raise ValueError(f"{open_phase.sampling} has {other}, not {name}")
    if name != "batch_size" and (dataset_size is not None or epochs is not None):
        raise ValueError("dataset_size and epochs are given with batch_size alone")
    size = open_phase.dataset_size if dataset_size is None else dataset_size
    if name == "batch_size" and size is None:
        raise ValueError("dataset_size is missing: the records that batches are drawn from")
    records = arguments.integer("dataset_size", size or 0)
    return Unknown(release, name, index, records, arguments.number("epochs", epochs or 0.0))


class LargestAllowed:
    """The largest value of a parameter with which a release satisfies a target, from both sides.

    Attributes:
        name: the parameter's.
        allowed: satisfies the target for certain; 0: none was seen that does.
        refused: does not, for certain; infinite: none was seen.
        lower, upper: the bracket of the largest allowed value. `upper` is `refused`, of an integer
            `refused` - 1; where none was refused or not `is_monotone`, the largest possible value.
        quantity, risk: what the target limits, and its bracket at `allowed`.
        is_monotone: everything below `allowed` is allowed as well and nothing above `refused`;
            elsewhere the two say nothing of other values.
        note: why the two are apart, or None.
        release: the release with `allowed`; None where that is 0.
    """

    __slots__ = (
        "allowed",
        "is_monotone",
        "name",
        "note",
        "quantity",
        "refused",
        "release",
        "risk",
        "upper",
    )

    def __init__(
        self,
        unknown: Unknown,
        quantity: str,
        allowed: float,
        refused: float,
        upper: float,
        risk: Bracket,
        is_monotone: bool,
        note: Optional[str],
    ) -> None:
        is_integer = unknown.name != "sampling_probability"
        self.name = unknown.name
        self.quantity = quantity
        self.allowed: Union[int, float] = int(allowed) if is_integer else allowed
        self.refused: Union[int, float] = (
            int(refused) if is_integer and math.isfinite(refused) else refused
        )
        self.upper: Union[int, float] = int(upper) if is_integer and math.isfinite(upper) else upper
        self.risk = risk
        self.is_monotone = is_monotone
        self.note = note or None
        self.release = unknown.filled(allowed) if allowed > 0.0 else None

    @property
    def lower(self) -> Union[int, float]:
        """The same as `allowed`."""
        return self.allowed

    def __repr__(self) -> str:
        return (
            f"LargestAllowed({self.name}: allowed={self.allowed!r}, refused={self.refused!r}, "
            f"{self.quantity}={self.risk!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("allowed", repr(self.allowed), f"{self.quantity} in {self.risk!r}"),
            ("refused", repr(self.refused), ""),
        ]
        return _table([self.name, "value", ""], rows, self.note)


@overload
def calibrate(release: Release, **target: Unpack[Targets]) -> Calibration: ...
@overload
def calibrate(release: Unknown, **target: Unpack[Targets]) -> LargestAllowed: ...
def calibrate(
    release: Union[Release, Unknown],
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    false_positive_rate: Optional[float] = None,
    true_positive_rate: Optional[float] = None,
    mu: Optional[float] = None,
    smallest_error: Optional[float] = None,
    advantage: Optional[float] = None,
    relative_gap: Optional[float] = None,
    effort: str = "normal",
    standing: str = "any",
) -> Union[Calibration, LargestAllowed]:
    """The smallest noise multiplier, or the largest other parameter, that satisfies a target.

    Args:
        release: of `Release.unknown(name)`, or with a noise multiplier that is None in at least one
            phase: those phases get one common value, the others keep theirs.
        epsilon, delta: the target delta(epsilon) <= delta; epsilon >= 0 in nats, 0 < delta < 1.
        false_positive_rate, true_positive_rate: in its place, no test of that false positive rate
            has a larger true positive rate; 0 < FPR < TPR < 1.
        mu, smallest_error: mu-Gaussian privacy at all levels at which both errors are at least
            `smallest_error` (0).
        advantage: no test has a larger TPR - FPR.
        relative_gap: how close the two values are to be.
        effort, standing: as those of `Release.epsilon`.

    Returns:
        A `Calibration` of the noise; of other parameters a `LargestAllowed`.

    Raises:
        DomainError: nothing is open, or no noise below 1e12 is seen to be enough.
        ValueError: not one target.

    Source: docs/proofs.md, A.7 (the risk falls with the noise), A.6 (it grows with sampling).

    >>> import assay
    >>> run = assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.1, sampling_probability=0.004, steps=10_000)
    >>> noise = assay.calibrate(run.unknown("noise_multiplier"), epsilon=2, delta=1e-6)
    >>> round(noise.sufficient, 4), round(noise.insufficient, 4)
    (1.1314, 1.1309)
    >>> noise.release.delta(2).upper <= 1e-6
    True
    >>> steps = assay.calibrate(run.unknown("steps"), epsilon=2, delta=1e-6)
    >>> steps.release.delta(2).upper <= 1e-6, 9_100 < steps.allowed < steps.refused < 9_200
    (True, True)
    >>> assay.calibrate(run.unknown("steps"), advantage=0.1).quantity
    'advantage'
    """
    target = target_of(
        epsilon=epsilon,
        delta=delta,
        false_positive_rate=false_positive_rate,
        true_positive_rate=true_positive_rate,
        mu=mu,
        smallest_error=smallest_error,
        advantage=advantage,
    )
    goal = arguments.goal(effort, relative_gap, standing)
    if isinstance(release, Release):
        sufficient, insufficient, found = _core.calibrate(release._native, target, *goal)
        return Calibration(
            sufficient,
            insufficient,
            Bracket(*found),
            release.with_noise(sufficient),
            target.quantity,
        )
    if not isinstance(release, Unknown):
        raise TypeError(f"{release!r} is neither a Release nor what its unknown() gives")
    allowed, refused, upper, risk, is_monotone, note = _core.largest(
        release.release._native,
        release.name,
        release.phase,
        release.dataset_size,
        release.epochs,
        target,
        *goal,
    )
    return LargestAllowed(
        release, target.quantity, allowed, refused, upper, Bracket(*risk), is_monotone, note
    )
