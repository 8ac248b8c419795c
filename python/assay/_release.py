"""What was released, and the questions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, overload

from . import _arguments as arguments
from . import _core
from ._answers import Bracket, BracketArray, RdpCurve, in_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike
    from typing_extensions import Literal, TypedDict, Unpack

    from ._searches import Unknown
    from ._trade_off import TradeOff

    class Risks(TypedDict, total=False):
        """The options of `Release.true_positive_rate` and `Release.type_two_error`."""

        relative_gap: Optional[float]
        effort: str
        standing: str
        group: int
        threads: Optional[int]

    class Goals(Risks, total=False):
        """The options of `Release.epsilon` and `Release.delta`."""

        accountant: Optional[str]


EPOCH_SAMPLERS = ("balls-and-bins", "random-allocation", "shuffle", "deterministic")


class Phase(NamedTuple):
    """Repetitions of one mechanism: steps, or epochs of an epoch sampler.

    What a sampler does not have is None; so is a noise multiplier that is looked for.
    """

    sampling: str
    noise_multiplier: Optional[float] = None
    sampling_probability: Optional[float] = None
    batch_size: Optional[int] = None
    dataset_size: Optional[int] = None
    batches_per_epoch: Optional[int] = None
    allocations: Optional[int] = None
    maximum_batch_size: Optional[int] = None
    repetitions: int = 1

    @property
    def is_epoch_sampler(self) -> bool:
        """Whether its repetitions are epochs."""
        return self.sampling in EPOCH_SAMPLERS


def _plain(phase: Phase) -> Phase:
    """With Python's own numbers, whatever numbers it was given."""
    if not isinstance(phase, Phase):
        raise TypeError(f"{phase!r} is not a Phase")
    sampling, noise, probability, batch, dataset, batches, allocations, most, repetitions = phase
    integer = arguments.optional_integer
    return Phase(
        arguments.text("sampling", sampling),
        arguments.optional_number("noise_multiplier", noise),
        arguments.optional_number("sampling_probability", probability),
        integer("batch_size", batch),
        integer("dataset_size", dataset),
        integer("batches_per_epoch", batches),
        integer("allocations", allocations),
        integer("maximum_batch_size", most),
        arguments.integer("repetitions", repetitions),
    )


def _probability(
    sampling_probability: Optional[float],
    batch_size: Optional[int],
    dataset_size: Optional[int],
) -> float:
    if sampling_probability is not None:
        if batch_size is not None or dataset_size is not None:
            raise ValueError("either sampling_probability or batch_size and dataset_size, not both")
        return arguments.number("sampling_probability", sampling_probability)
    if batch_size is None or dataset_size is None:
        raise ValueError("sampling_probability, or batch_size and dataset_size, is missing")
    batch = arguments.integer("batch_size", batch_size)
    dataset = arguments.integer("dataset_size", dataset_size)
    if not 1 <= batch < dataset:
        raise ValueError(f"batch_size = {batch} has to be from 1 to dataset_size - 1")
    return batch / dataset


_MEMBERS = {
    "none": ("steps",),
    "poisson": ("sampling_probability", "batch_size", "dataset_size", "steps"),
    "fixed-size-without-replacement": (
        "sampling_probability",
        "batch_size",
        "dataset_size",
        "steps",
    ),
    "fixed-size-with-replacement": ("batch_size", "dataset_size", "steps"),
    "poisson-truncated": ("batch_size", "dataset_size", "maximum_batch_size", "steps"),
    "balls-and-bins": ("batches_per_epoch", "epochs"),
    "random-allocation": ("batches_per_epoch", "allocations", "epochs"),
    "shuffle": ("batches_per_epoch", "epochs"),
    "deterministic": ("batches_per_epoch", "epochs"),
}


def _phase_from_json(record: Any) -> Phase:
    if not isinstance(record, dict):
        raise ValueError("a phase is not an object")
    sampling = record.get("sampling")
    if not isinstance(sampling, str):
        raise ValueError("sampling is missing, or not a text")
    known = _MEMBERS.get(sampling)
    if known is None:  # the library says what it knows
        _core.Release("zero-out", [Phase(sampling)])
        raise AssertionError(sampling)
    for name in record:
        if name not in ("sampling", "noise_multiplier", *known):
            names = ", ".join(("sampling", "noise_multiplier", *known))
            raise ValueError(f"{name} is unknown: {names}")
    if "noise_multiplier" not in record:
        raise ValueError("noise_multiplier is missing")
    noise = record["noise_multiplier"]
    noise = None if noise is None else arguments.number("noise_multiplier", noise, texts=True)
    if sampling in EPOCH_SAMPLERS:
        sizes = {}
        for name in known[:-1]:
            if name not in record:
                raise ValueError(f"{name} is missing")
            sizes[name] = arguments.integer(name, record[name], texts=True)
        return Phase(
            sampling,
            noise,
            **sizes,
            repetitions=arguments.integer("epochs", record.get("epochs", 1), texts=True),
        )
    if "steps" not in record:
        raise ValueError("steps is missing")
    steps = arguments.integer("steps", record["steps"], texts=True)
    sizes = {
        name: arguments.integer(name, record[name], texts=True)
        for name in ("batch_size", "dataset_size", "maximum_batch_size")
        if name in record
    }
    if sampling == "none":
        return Phase(sampling, noise, repetitions=steps)
    if sampling in ("fixed-size-with-replacement", "poisson-truncated"):
        return Phase(sampling, noise, repetitions=steps, **sizes)
    given = record.get("sampling_probability")
    if given is not None:
        given = arguments.number("sampling_probability", given, texts=True)
    probability = _probability(given, sizes.get("batch_size"), sizes.get("dataset_size"))
    return Phase(sampling, noise, sampling_probability=probability, repetitions=steps)


def _phase_to_json(phase: Phase) -> dict[str, Any]:
    record: dict[str, Any] = {
        "sampling": phase.sampling,
        "noise_multiplier": phase.noise_multiplier,
    }
    for name in Phase._fields[2:-1]:
        value = getattr(phase, name)
        if value is not None:
            record[name] = value
    record["epochs" if phase.is_epoch_sampler else "steps"] = phase.repetitions
    return record


class Release:
    """Everything that was released about one data set: an adjacency and its phases in their order.

    Immutable and hashable: each method that adds a phase gives a new release. Phases compose; later
    ones may depend on what earlier ones gave. `noise_multiplier` is the standard deviation of the
    noise on the sum of clipped gradients, divided by the clip norm, whatever the adjacency; None
    leaves it open for `assay.calibrate`.

    Args:
        adjacency: "add-remove" (one data set has one record more), "replace-one" (equal size, one
            record differs) or "zero-out" (equal public size, one record is replaced by a null
            record). It has no default.
        phases: `Phase` records; usually added by the methods below.

    Raises:
        DomainError (a ValueError): a parameter outside its domain.
        UnsupportedMechanism (a NotImplementedError): no theorem covers this sampler under this
            adjacency.

    Source: docs/api.md; the theorems are named in every answer.

    >>> import assay
    >>> run = (assay.Release("zero-out")
    ...        .balls_and_bins(noise_multiplier=0.6, batches_per_epoch=1000, epochs=2)
    ...        .poisson(noise_multiplier=1.0, sampling_probability=0.01, steps=100))
    >>> run == assay.Release.from_json(run.to_json())
    True
    >>> assay.Release("add-remove").shuffle(noise_multiplier=1, batches_per_epoch=10)
    Traceback (most recent call last):
        ...
    assay.UnsupportedMechanism: adjacency = add-remove is not admitted: ...
    """

    __slots__ = ("_adjacency", "_phases", "_native")

    _adjacency: str
    _phases: tuple[Phase, ...]
    _native: _core.Release

    def __init__(self, adjacency: str, phases: Iterable[Phase] = ()) -> None:
        kept = tuple(_plain(phase) for phase in phases)
        put = object.__setattr__
        put(self, "_adjacency", arguments.text("adjacency", adjacency))
        put(self, "_phases", kept)
        put(self, "_native", _core.Release(adjacency, kept))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Release is immutable: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Release is immutable: {name}")

    def __reduce__(self) -> tuple[type[Release], tuple[str, tuple[Phase, ...]]]:
        return (Release, (self._adjacency, self._phases))

    @property
    def adjacency(self) -> str:
        """ "add-remove", "replace-one" or "zero-out"."""
        return self._adjacency

    @property
    def phases(self) -> tuple[Phase, ...]:
        """In their order."""
        return self._phases

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Release):
            return NotImplemented
        return self._adjacency == other._adjacency and self._phases == other._phases

    def __hash__(self) -> int:
        return hash((self._adjacency, self._phases))

    def __repr__(self) -> str:
        return f"Release({self._native.describe()})"

    def _repr_html_(self) -> str:
        from ._answers import _table

        names = Phase._fields
        rows = [
            [str(value) if value is not None else "" for value in phase] for phase in self._phases
        ]
        return _table(names, rows, f"adjacency: {self._adjacency}")

    def assumptions(self) -> list[str]:
        """What every number about this release presumes, a sentence each."""
        return self._native.assumptions()

    # Phases ------------------------------------------------------------------------------------

    def then(self, *phases: Phase) -> Release:
        """This release, and these phases after it."""
        return Release(self._adjacency, self._phases + phases)

    def __add__(self, later: Release) -> Release:
        """One release after the other, of one data set and adjacency."""
        if not isinstance(later, Release):
            return NotImplemented
        if later._adjacency != self._adjacency:
            raise ValueError(f"adjacency {self._adjacency} here, {later._adjacency} there")
        return self.then(*later._phases)

    def gaussian(self, *, noise_multiplier: Optional[float], steps: int = 1) -> Release:
        """Steps in which every record takes part (sampling "none")."""
        return self.then(
            Phase("none", noise_multiplier, repetitions=arguments.integer("steps", steps))
        )

    def poisson(
        self,
        *,
        noise_multiplier: Optional[float],
        sampling_probability: Optional[float] = None,
        steps: int,
        batch_size: Optional[int] = None,
        dataset_size: Optional[int] = None,
    ) -> Release:
        """Steps in which each record takes part independently with `sampling_probability`,
        0 <= q < 1, or batch_size / dataset_size."""
        return self._sampled("poisson", noise_multiplier, sampling_probability, steps, batch_size,
                             dataset_size)  # fmt: skip

    def poisson_truncated(
        self,
        *,
        noise_multiplier: Optional[float],
        batch_size: int,
        dataset_size: int,
        maximum_batch_size: int,
        steps: int,
    ) -> Release:
        """Steps of Poisson sampling with batch_size / dataset_size, in which a batch of more than
        `maximum_batch_size` records is cut to a uniform subset of that size."""
        return self._drawn(
            "poisson-truncated",
            noise_multiplier,
            steps,
            batch_size=batch_size,
            dataset_size=dataset_size,
            maximum_batch_size=maximum_batch_size,
        )

    def fixed_size(
        self,
        *,
        noise_multiplier: Optional[float],
        sampling_probability: Optional[float] = None,
        steps: int,
        batch_size: Optional[int] = None,
        dataset_size: Optional[int] = None,
    ) -> Release:
        """Steps with a uniform subset of fixed size, without replacement; `sampling_probability` is
        batch_size / dataset_size."""
        return self._sampled("fixed-size-without-replacement", noise_multiplier,
                             sampling_probability, steps, batch_size, dataset_size)  # fmt: skip

    def _sampled(
        self,
        sampling: str,
        noise_multiplier: Optional[float],
        sampling_probability: Optional[float],
        steps: int,
        batch_size: Optional[int],
        dataset_size: Optional[int],
    ) -> Release:
        probability = _probability(sampling_probability, batch_size, dataset_size)
        return self.then(
            Phase(
                sampling,
                noise_multiplier,
                sampling_probability=probability,
                repetitions=arguments.integer("steps", steps),
            )
        )

    def fixed_size_with_replacement(
        self, *, noise_multiplier: Optional[float], batch_size: int, dataset_size: int, steps: int
    ) -> Release:
        """Steps with `batch_size` independent uniform draws from `dataset_size` records (of the
        larger data set)."""
        return self._drawn("fixed-size-with-replacement", noise_multiplier, steps,
                           batch_size=batch_size, dataset_size=dataset_size)  # fmt: skip

    def _drawn(self, sampling: str, noise: Optional[float], steps: int, **sizes: int) -> Release:
        integers = {name: arguments.integer(name, size) for name, size in sizes.items()}
        return self.then(
            Phase(sampling, noise, repetitions=arguments.integer("steps", steps), **integers)
        )

    def balls_and_bins(
        self, *, noise_multiplier: Optional[float], batches_per_epoch: int, epochs: int = 1
    ) -> Release:
        """Epochs in which each record goes to one of the batches, uniformly and independently."""
        return self._epochs("balls-and-bins", noise_multiplier, batches_per_epoch, epochs)

    def random_allocation(
        self,
        *,
        noise_multiplier: Optional[float],
        batches_per_epoch: int,
        allocations: int,
        epochs: int = 1,
    ) -> Release:
        """Epochs in which each record takes part in `allocations` of the batches, a uniform subset
        of that size."""
        return self.then(
            Phase(
                "random-allocation",
                noise_multiplier,
                batches_per_epoch=batches_per_epoch,
                allocations=allocations,
                repetitions=arguments.integer("epochs", epochs),
            )
        )

    def shuffle(
        self, *, noise_multiplier: Optional[float], batches_per_epoch: int, epochs: int = 1
    ) -> Release:
        """Epochs in which the records are permuted uniformly and cut into batches."""
        return self._epochs("shuffle", noise_multiplier, batches_per_epoch, epochs)

    def deterministic(
        self, *, noise_multiplier: Optional[float], batches_per_epoch: int, epochs: int = 1
    ) -> Release:
        """Epochs whose batches are cut in the order of the records."""
        return self._epochs("deterministic", noise_multiplier, batches_per_epoch, epochs)

    def _epochs(
        self, sampling: str, noise: Optional[float], batches_per_epoch: int, epochs: int
    ) -> Release:
        return self.then(
            Phase(
                sampling,
                noise,
                batches_per_epoch=arguments.integer("batches_per_epoch", batches_per_epoch),
                repetitions=arguments.integer("epochs", epochs),
            )
        )

    @overload
    def unknown(self, name: Literal["noise_multiplier"]) -> Release: ...
    @overload
    def unknown(
        self,
        name: Literal["steps", "epochs", "sampling_probability", "batch_size"],
        *,
        phase: Optional[int] = ...,
        dataset_size: Optional[int] = ...,
        epochs: Optional[float] = ...,
    ) -> Unknown: ...
    def unknown(
        self,
        name: str,
        *,
        phase: Optional[int] = None,
        dataset_size: Optional[int] = None,
        epochs: Optional[float] = None,
    ) -> Union[Release, Unknown]:
        """The same release with a parameter left open, for `assay.calibrate`.

        Args:
            name: "noise_multiplier", of all phases; or "steps" ("epochs" of an epoch sampler),
                "sampling_probability" (Poisson, or fixed size without replacement) or "batch_size",
                of one phase, whose value so far is not looked at.
            phase: which one; may be left out where there is one.
            dataset_size: with "batch_size", the records; may be left out where the phase has it.
            epochs: with "batch_size" of a sampler of steps, the passes over the data, so that the
                steps are ceil(epochs ceil(dataset_size / batch_size)); by default the phase's.
        """
        if name == "noise_multiplier" and phase is None:
            return Release(
                self._adjacency,
                tuple(one._replace(noise_multiplier=None) for one in self._phases),
            )
        from ._searches import unknown_of

        return unknown_of(self, name, phase, dataset_size, epochs)

    def with_noise(self, noise_multiplier: float) -> Release:
        """The same release with this noise in the phases that leave it open."""
        return Release(
            self._adjacency,
            tuple(
                phase._replace(noise_multiplier=noise_multiplier)
                if phase.noise_multiplier is None
                else phase
                for phase in self._phases
            ),
        )

    # JSON --------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """The release as `assay ask` reads it: {"adjacency": ..., "phases": [...]}."""
        import json

        phases = [_phase_to_json(phase) for phase in self._phases]
        return json.dumps({"adjacency": self._adjacency, "phases": phases})

    @classmethod
    def from_json(cls, record: Union[str, bytes, Mapping[str, Any]]) -> Release:
        """The inverse: a JSON text, or what `json.loads` made of one. Numbers may be decimal texts.

        Raises:
            ValueError: malformed, an unknown member, or a parameter outside its domain.
        """
        if isinstance(record, (str, bytes)):
            import json

            record = json.loads(record, parse_float=str)  # as texts, no number is rounded to 0
        if not isinstance(record, dict):
            raise ValueError("release is not an object")
        for name in record:
            if name not in ("adjacency", "phases"):
                raise ValueError(f"{name} is unknown: adjacency, phases")
        adjacency = record.get("adjacency")
        if not isinstance(adjacency, str):
            raise ValueError("adjacency is missing, or not a text")
        phases = record.get("phases")
        if not isinstance(phases, list) or not phases:
            raise ValueError("phases is not a list of at least one phase")
        return cls(adjacency, tuple(_phase_from_json(phase) for phase in phases))

    # Questions ---------------------------------------------------------------------------------

    @overload
    def epsilon(self, delta: float, **goal: Unpack[Goals]) -> Bracket: ...
    @overload
    def epsilon(self, delta: ArrayLike, **goal: Unpack[Goals]) -> Union[Bracket, BracketArray]: ...
    def epsilon(
        self,
        delta: Any,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        accountant: Optional[str] = None,
        group: int = 1,
        threads: Optional[int] = None,
    ) -> Union[Bracket, BracketArray]:
        """The smallest epsilon >= 0 with delta(epsilon) <= delta, in nats, from both sides.

        Args:
            delta: 0 < delta < 1, a number or an array of any shape.
            relative_gap: (upper - lower) / upper that is asked for; by default that of the effort.
            effort: "quick" (gap 1e-2), "normal" (1e-3) or "thorough" (1e-4), and the work that goes
                with it: counted, not timed, so the bits do not depend on the machine. The latter
                two reach a tenth of that where it takes a tenth of the work at most.
            standing: "any", or "published" for peer-reviewed theorems alone.
            accountant: "rdp" or "pld" for what that one says; by default the best of all.
            group: so many records differ; 1 .. 1000000.
            threads: for arrays; by default all cores. The bits do not depend on it.

        Returns:
            A `Bracket`, or a `BracketArray` of the shape of delta.

        Raises:
            DomainError, UnsupportedMechanism; KeyboardInterrupt within a second of Ctrl-C.

        >>> import assay
        >>> run = assay.Release("add-remove").gaussian(noise_multiplier=1, steps=10)
        >>> run.epsilon(1e-5)
        Bracket(lower=17.856586, upper=17.856587)
        >>> run.epsilon([1e-5, 1e-6]).upper.round(3)
        array([17.857, 19.424])
        """
        if group != 1:
            _without_accountant(accountant)
            return _ask_risk("epsilon", self, delta, relative_gap, effort, standing, group, threads)
        return _ask(False, self, delta, relative_gap, effort, standing, accountant, threads)

    @overload
    def delta(self, epsilon: float, **goal: Unpack[Goals]) -> Bracket: ...
    @overload
    def delta(self, epsilon: ArrayLike, **goal: Unpack[Goals]) -> Union[Bracket, BracketArray]: ...
    def delta(
        self,
        epsilon: Any,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        accountant: Optional[str] = None,
        group: int = 1,
        threads: Optional[int] = None,
    ) -> Union[Bracket, BracketArray]:
        """delta at epsilon >= 0 (nats), the larger of both directions; otherwise as `epsilon`.

        >>> import assay
        >>> run = assay.Release("add-remove").poisson(
        ...     noise_multiplier=1, sampling_probability=0.01, steps=100)
        >>> answers = run.delta([0.5, 1, 2])
        >>> answers.lower.shape
        (3,)
        """
        if group != 1:
            _without_accountant(accountant)
            return _ask_risk("delta", self, epsilon, relative_gap, effort, standing, group, threads)
        return _ask(True, self, epsilon, relative_gap, effort, standing, accountant, threads)

    def trade_off(
        self,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        group: int = 1,
    ) -> TradeOff:
        """The trade-off curve: what any attacker can do, between certified sides.

        For rates down to 1e-12 with the relative gap that is asked for, and 1e-2 of it in the sup
        norm. Where one rate matters, `true_positive_rate` of the release is cheaper and goes down
        to 1e-300.

        Args:
            relative_gap, effort, standing: as those of `epsilon`.
            group: so many records differ.

        >>> import assay
        >>> curve = assay.Release("add-remove").gaussian(noise_multiplier=1).trade_off()
        >>> curve.advantage()
        Bracket(lower=0.38292492, upper=0.38292493)
        """
        from ._trade_off import TradeOff

        return TradeOff(self, relative_gap, effort, standing, arguments.integer("group", group))

    @overload
    def true_positive_rate(self, false_positive_rate: float, **goal: Unpack[Risks]) -> Bracket: ...
    @overload
    def true_positive_rate(
        self, false_positive_rate: ArrayLike, **goal: Unpack[Risks]
    ) -> Union[Bracket, BracketArray]: ...
    def true_positive_rate(
        self,
        false_positive_rate: ArrayLike,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        group: int = 1,
        threads: Optional[int] = None,
    ) -> Union[Bracket, BracketArray]:
        """The largest power of any test whose false positive rate is at most this, in [0, 1], over
        all neighbours and both directions; options as those of `epsilon`.

        >>> import assay
        >>> run = assay.Release("add-remove").gaussian(noise_multiplier=1)
        >>> run.true_positive_rate(0.05)
        Bracket(lower=0.25951102, upper=0.25951103)
        """
        goal = (relative_gap, effort, standing, group, threads)
        return _ask_risk("true_positive_rate", self, false_positive_rate, *goal)

    @overload
    def type_two_error(self, type_one_error: float, **goal: Unpack[Risks]) -> Bracket: ...
    @overload
    def type_two_error(
        self, type_one_error: ArrayLike, **goal: Unpack[Risks]
    ) -> Union[Bracket, BracketArray]: ...
    def type_two_error(
        self,
        type_one_error: ArrayLike,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        group: int = 1,
        threads: Optional[int] = None,
    ) -> Union[Bracket, BracketArray]:
        """The trade-off function: the least type II error of any test of that level."""
        goal = (relative_gap, effort, standing, group, threads)
        return _ask_risk("type_two_error", self, type_one_error, *goal)

    def gaussian_mu(
        self,
        smallest_error: float = 0.0,
        *,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        group: int = 1,
    ) -> Bracket:
        """The smallest mu of Gaussian privacy at all levels at which both errors are at least
        `smallest_error`, 0 <= it < 1/2; `TradeOff.gaussian_mu` gives its regret as well."""
        goal = (relative_gap, effort, standing, group, 1)
        found = _ask_risk("gaussian_mu", self, smallest_error, *goal)
        assert isinstance(found, Bracket)
        return found

    def advantage(self, **options: Any) -> Bracket:
        """delta(0): the largest TPR - FPR of any test between the two output distributions.

        Options as those of `epsilon`.
        """
        found = self.delta(0.0, **options)
        assert isinstance(found, Bracket)
        return found

    def rdp(self, orders: Optional[Sequence[float]] = None, *, standing: str = "any") -> RdpCurve:
        """Renyi divergences of all steps together, by order > 1, in nats.

        Args:
            orders: a sequence; by default Opacus' 1.1, 1.2, .., 10.9, 12, 13, .., 63.
            standing: "any", or "published" for peer-reviewed theorems alone.

        Raises:
            DomainError for epoch samplers (and orders <= 1), UnsupportedMechanism.

        >>> import assay
        >>> assay.Release("add-remove").gaussian(noise_multiplier=2).rdp([2, 8]).upper
        array([0.25, 1.  ])
        """
        at = (
            _core.opacus_orders() if orders is None else arguments.points("orders", list(orders))[0]
        )
        return RdpCurve(at, *_core.rdp(self._native, at, arguments.text("standing", standing)))


def _without_accountant(accountant: Optional[str]) -> None:
    if accountant is not None:
        raise ValueError("accountant is left out where group is not 1")


def _broadcast(
    releases: Any, name: str, at: Any
) -> tuple[list[_core.Release], list[float], Optional[tuple[int, ...]]]:
    """The questions one by one, and their shape; of one question None."""
    if isinstance(releases, Release) and arguments.is_number(at):
        return [releases._native], [arguments.number(name, at)], None
    import numpy as np

    # A release is one object, whatever it can be turned into.
    if isinstance(releases, Release):
        one = np.empty((), dtype=object)
        one[()] = releases
        releases = one
    table = np.asarray(releases, dtype=object)
    spread, points = np.broadcast_arrays(table, arguments.numbers(name, at))
    natives = []
    for release in spread.ravel().tolist():
        if not isinstance(release, Release):
            raise TypeError(f"{release!r} is not a Release")
        natives.append(release._native)
    return natives, points.ravel().tolist(), points.shape


def _ask(
    wants_delta: bool,
    releases: Any,
    at: Any,
    relative_gap: Optional[float],
    effort: str,
    standing: str,
    accountant: Optional[str],
    threads: Optional[int],
    cache: Optional[_core.EpochCache] = None,
) -> Union[Bracket, BracketArray]:
    """One question, or one for each element of `releases` and `at` broadcast to one shape."""
    natives, points, shape = _broadcast(releases, "epsilon" if wants_delta else "delta", at)
    workers = arguments.threads(threads if shape is not None else threads or 1)
    goal = arguments.goal(effort, relative_gap, standing)
    if accountant is not None:
        arguments.text("accountant", accountant)
    found = _core.answers(wants_delta, natives, points, *goal, accountant, workers, cache)
    return in_shape(found, shape)


_POINT_OF = {
    "epsilon": "delta",
    "delta": "epsilon",
    "true_positive_rate": "false_positive_rate",
    "type_two_error": "type_one_error",
    "gaussian_mu": "smallest_error",
}


def _ask_risk(
    asked: str,
    releases: Any,
    at: Any,
    relative_gap: Optional[float],
    effort: str,
    standing: str,
    group: int,
    threads: Optional[int],
) -> Union[Bracket, BracketArray]:
    """The same of what the trade-off curve answers."""
    natives, points, shape = _broadcast(releases, _POINT_OF[asked], at)
    workers = arguments.threads(threads if shape is not None else threads or 1)
    goal = arguments.goal(effort, relative_gap, standing)
    size = arguments.integer("group", group)
    return in_shape(_core.risks(asked, natives, points, *goal, size, workers), shape)


def epsilon(
    releases: Any,
    delta: Any,
    *,
    relative_gap: Optional[float] = None,
    effort: str = "normal",
    standing: str = "any",
    accountant: Optional[str] = None,
    threads: Optional[int] = None,
) -> Union[Bracket, BracketArray]:
    """epsilon of many releases at once: `releases` (one, or nested sequences of them) and `delta`
    are broadcast to one shape; each is answered as `Release.epsilon` does, on all threads.

    >>> import assay
    >>> runs = [assay.Release("add-remove").gaussian(noise_multiplier=s) for s in (1, 2)]
    >>> assay.epsilon(runs, 1e-5).upper.round(4)
    array([4.3772, 1.9931])
    """
    return _ask(False, releases, delta, relative_gap, effort, standing, accountant, threads)


def delta(
    releases: Any,
    epsilon: Any,
    *,
    relative_gap: Optional[float] = None,
    effort: str = "normal",
    standing: str = "any",
    accountant: Optional[str] = None,
    threads: Optional[int] = None,
) -> Union[Bracket, BracketArray]:
    """delta of many releases at once, broadcast with `epsilon`; see `assay.epsilon`."""
    return _ask(True, releases, epsilon, relative_gap, effort, standing, accountant, threads)


def rdp(
    release: Release, orders: Optional[Sequence[float]] = None, *, standing: str = "any"
) -> RdpCurve:
    """Renyi divergences by order, as `Release.rdp`."""
    return release.rdp(orders, standing=standing)
