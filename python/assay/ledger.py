"""Accounts that are kept while a training loop runs.

`Ledger` is an odometer: it records what was released and brackets what that costs. Its numbers
hold where noise, sampling and number of steps were fixed beforehand. `Filter` refuses the step that
would exceed a budget, and holds where they are chosen by what came out.
"""

from __future__ import annotations

import glob
import json
import os
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _arguments as arguments
from . import _core
from ._answers import Bracket
from ._release import (
    Phase,
    Release,
    _ask,
    _phase_from_json,
    _phase_to_json,
    _probability,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    PathLike = Union[str, os.PathLike[str]]

__all__ = ["BudgetExceeded", "Filter", "Ledger"]


def _phase(
    sampling: Optional[str],
    sampling_probability: Optional[float],
    batch_size: Optional[int],
    dataset_size: Optional[int],
    batches_per_epoch: Optional[int],
) -> Phase:
    """One step of a sampler, its noise left open."""
    if sampling is None:
        raise ValueError("sampling is missing: there is no default")
    if sampling == "none" and (sampling_probability, batch_size, dataset_size) != (None,) * 3:
        raise ValueError("sampling none takes every record: leave out how many are drawn")
    if sampling in ("poisson", "fixed-size-without-replacement"):
        q = _probability(sampling_probability, batch_size, dataset_size)
        return Phase(sampling, sampling_probability=q)
    return Phase(
        sampling,
        sampling_probability=sampling_probability,
        batch_size=batch_size,
        dataset_size=dataset_size,
        batches_per_epoch=batches_per_epoch,
    )


class _Runs:
    """Steps of one kind after the other; equal neighbours are one entry [phase, steps]."""

    __slots__ = ("adjacency", "entries")

    def __init__(self, adjacency: str) -> None:
        Release(adjacency)  # refuses an unknown name
        self.adjacency = adjacency
        self.entries: list[list[Any]] = []

    def add(self, phase: Phase, steps: int) -> None:
        if steps < 1:
            raise ValueError(f"steps = {steps} is less than 1")
        if self.entries and self.entries[-1][0] == phase:
            self.entries[-1][1] += steps
            return
        Release(self.adjacency, [phase._replace(repetitions=1)])  # a theorem covers it
        if self.entries:
            last, taken = self.entries[-1]
            if last.is_epoch_sampler and taken % last.batches_per_epoch != 0:
                raise ValueError(
                    f"sampling {last.sampling}: noise and sampler may change between epochs only, "
                    f"and {taken % last.batches_per_epoch} of {last.batches_per_epoch} batches of "
                    "this epoch were released"
                )
        self.entries.append([phase, steps])

    def release(self, begun_counts: bool) -> Release:
        """What was released; an epoch that was begun counts as finished, or as not begun."""
        phases = []
        for phase, steps in self.entries:
            count = steps
            if phase.is_epoch_sampler:
                count = (
                    steps + (phase.batches_per_epoch - 1) * begun_counts
                ) // phase.batches_per_epoch
            if count > 0:
                phases.append(phase._replace(repetitions=count))
        return Release(self.adjacency, phases)

    def ask(
        self,
        wants_delta: bool,
        at: float,
        cache: Optional[_core.EpochCache],
        options: dict[str, Any],
    ) -> Bracket:
        """The bracket of all steps so far; epochs that were begun widen it."""
        above, below = self.release(True), self.release(False)
        goal = {"relative_gap": None, "effort": "normal", "standing": "any", "accountant": None}
        goal.update(options)
        at = arguments.number("epsilon" if wants_delta else "delta", at)

        def answer(release: Release) -> Bracket:
            found: Any
            if goal.keys() <= {"relative_gap", "effort", "standing", "accountant"}:
                found = _ask(wants_delta, release, at, **goal, threads=1, cache=cache)  # type: ignore[arg-type]
            else:
                found = (release.delta if wants_delta else release.epsilon)(at, **options)
            assert isinstance(found, Bracket)
            return found

        if not above.phases:
            answer(
                Release(self.adjacency).gaussian(noise_multiplier=1.0)
            )  # checks delta and options
            nothing = ("nothing was released", "nothing was released")
            return Bracket(0.0, 0.0, nothing, ("published",) * 2, ("certified",) * 2, 0.0,
                           nothing[0], None)  # fmt: skip
        upper = answer(above)
        if above == below:
            return upper
        lower = answer(below) if below.phases else None
        note = "an epoch that was begun counts as finished above and as not begun below"
        return Bracket(
            lower.lower if lower else 0.0,
            upper.upper,
            (lower.theorem.lower if lower else upper.theorem.lower, upper.theorem.upper),
            (lower.standing.lower if lower else upper.standing.lower, upper.standing.upper),
            (lower.status.lower if lower else "vacuous", upper.status.upper),
            upper.published_upper,
            upper.published_theorem,
            note if upper.note is None else f"{upper.note}; {note}",
        )

    def within_epoch(self) -> int:
        """How many batches of the last epoch were released, 0 where it is finished."""
        if not self.entries or not self.entries[-1][0].is_epoch_sampler:
            return 0
        phase, steps = self.entries[-1]
        return int(steps % phase.batches_per_epoch)

    def to_json(self) -> list[dict[str, Any]]:
        return [{**_phase_to_json(phase), "taken": steps} for phase, steps in self.entries]

    def from_json(self, records: Any) -> None:
        for record in records:
            taken = arguments.integer("taken", record.pop("taken"))
            self.add(_phase_from_json(record)._replace(repetitions=1), taken)


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass  # another user's
    return True


def _write(path: PathLike, kind: str, content: dict[str, Any]) -> None:
    """A JSON file with a checksum, whole or not at all."""
    text = json.dumps(content, sort_keys=True)
    record = {"assay": kind, "version": 1, "crc32": zlib.crc32(text.encode()), "content": content}
    for left in glob.glob(f"{glob.escape(os.fspath(path))}.*.part"):
        if not _is_alive(left.rsplit(".", 2)[1]):
            os.remove(left)
    part = f"{os.fspath(path)}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(record, file, sort_keys=True)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _read(path: PathLike, kind: str) -> Any:
    with open(path, encoding="utf-8") as file:
        try:
            record = json.load(file)
            content, sum_, found = record["content"], record["crc32"], record["assay"]
            version = record["version"]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{os.fspath(path)}: not a state of assay, or damaged") from None
    if (found, version) != (kind, 1):
        raise ValueError(
            f"{os.fspath(path)}: {found} of version {version}, not {kind} of version 1"
        )
    if zlib.crc32(json.dumps(content, sort_keys=True).encode()) != sum_:
        raise ValueError(f"{os.fspath(path)}: damaged, its checksum does not fit")
    return content


class Ledger:
    """An odometer: what a run released so far, and the bracket of its cost at any time.

    Args:
        adjacency: as that of `Release`; no default.
        sampling: the sampler of steps that do not name one ("none", "poisson",
            "fixed-size-without-replacement", "fixed-size-with-replacement", "balls-and-bins",
            "shuffle" or "deterministic").

    The brackets hold where noise, sampler and number of steps did not depend on what was released;
    `Filter` is for those that do. Epoch samplers: a step is a batch, whole epochs are accounted
    for; one that was begun counts as finished above and as not begun below. So the steps have to be
    those of one epoch after the other: after one that is left early the numbers do not hold.

    >>> import assay
    >>> ledger = assay.ledger.Ledger("add-remove", "poisson")
    >>> for _ in range(100):
    ...     ledger.step(noise_multiplier=1.1, sampling_probability=0.01)
    >>> ledger.steps, ledger.epsilon(delta=1e-5)
    (100, Bracket(lower=0.549..., upper=0.549...))
    >>> ledger.spent == assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.1, sampling_probability=0.01, steps=100)
    True
    """

    __slots__ = ("_cache", "_given", "_runs", "_sampling")

    def __init__(self, adjacency: str, sampling: Optional[str] = None) -> None:
        self._runs = _Runs(adjacency)
        self._sampling = sampling
        self._cache = _core.EpochCache()
        self._given: Any = None  # arguments of the last step: the next one is often the same

    @property
    def adjacency(self) -> str:
        """As that of `Release`."""
        return self._runs.adjacency

    def step(
        self,
        *,
        noise_multiplier: float,
        phase: Optional[Phase] = None,
        sampling: Optional[str] = None,
        sampling_probability: Optional[float] = None,
        batch_size: Optional[int] = None,
        dataset_size: Optional[int] = None,
        batches_per_epoch: Optional[int] = None,
        steps: int = 1,
    ) -> None:
        """Records steps: the `phase` that a sampler of `assay.samplers` has, or its parameters.

        Raises:
            ValueError, NotImplementedError: as `Release`, and where noise or sampler change within
                an epoch of an epoch sampler; then nothing is recorded.
        """
        given = (
            noise_multiplier,
            phase,
            sampling,
            sampling_probability,
            batch_size,
            dataset_size,
            batches_per_epoch,
        )
        if given == self._given and type(steps) is int and 1 <= steps <= 2**53:
            self._runs.entries[-1][1] += steps
            return
        if phase is not None and given[2:] != (None,) * 5:
            raise ValueError("either phase or the parameters of a sampler, not both")
        if phase is None:
            phase = _phase(
                sampling or self._sampling,
                sampling_probability,
                batch_size,
                dataset_size,
                batches_per_epoch,
            )
        noise = arguments.number("noise_multiplier", noise_multiplier)
        noisy = phase._replace(noise_multiplier=noise, repetitions=1)
        self._runs.add(noisy, arguments.integer("steps", steps))
        self._given = given

    @property
    def steps(self) -> int:
        """Steps that were recorded, batches of epoch samplers included."""
        return sum(steps for _, steps in self._runs.entries)

    @property
    def spent(self) -> Release:
        """What was released so far; an epoch that was begun counts as finished."""
        return self._runs.release(True)

    def epsilon(self, delta: float, **options: Any) -> Bracket:
        """epsilon at delta of all steps so far; options as those of `Release.epsilon`."""
        return self._runs.ask(False, delta, self._cache, options)

    def delta(self, epsilon: float, **options: Any) -> Bracket:
        """delta at epsilon of all steps so far."""
        return self._runs.ask(True, epsilon, None, options)

    def state_dict(self) -> dict[str, Any]:
        """All of the ledger, as values that JSON holds; every double to the bit."""
        return {
            "adjacency": self.adjacency,
            "sampling": self._sampling,
            "runs": self._runs.to_json(),
        }

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> Ledger:
        """The ledger that had this state."""
        ledger = cls(state["adjacency"], state["sampling"])
        ledger._runs.from_json([dict(record) for record in state["runs"]])
        return ledger

    def save(self, path: PathLike) -> None:
        """Writes the ledger to a file, whole or not at all."""
        _write(path, "ledger", self.state_dict())

    @classmethod
    def restore(cls, path: PathLike) -> Ledger:
        """What `save` wrote; it goes on with the same bits.

        Raises:
            ValueError: another kind of file, another version, or damaged.
        """
        return cls.from_state_dict(_read(path, "ledger"))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Ledger.from_state_dict, (self.state_dict(),))

    def __repr__(self) -> str:
        return f"Ledger({self.adjacency}, {self.steps} steps)"


class BudgetExceeded(RuntimeError):
    """The step was refused: with it the filter could not vouch for its (epsilon, delta)."""


DEFAULT_ORDERS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)


class FilterTheorem(NamedTuple):
    """What a filter rests on; `standing` is "published" or "ours"."""

    citation: str
    standing: str


class Filter:
    """A privacy filter: refuses the step that would exceed (epsilon, delta), where noise, sampler,
    their parameters and the number of steps may be chosen by what was released before.

    Args:
        adjacency: as that of `Release`.
        epsilon, delta: what the whole run is to satisfy.
        plan: a release about as large as the run will be: the one order that is best for it is
            taken, and the filter loses nothing to others.
        orders: the Renyi orders instead; several share delta evenly. Without a plan 12 orders from
            1.5 to 64.

    Theorem: with one order the Renyi filter of feldman2021 (published); with several
    docs/proofs.md, section X (ours). `theorem` names the one in
    use. For samplers whose repetition is a step.

    >>> import assay
    >>> plan = assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.0, sampling_probability=0.01, steps=1000)
    >>> guard = assay.ledger.Filter("add-remove", epsilon=2.2, delta=1e-5, plan=plan)
    >>> steps = 0
    >>> while guard.admit(sampling="poisson", noise_multiplier=1.0, sampling_probability=0.01):
    ...     steps += 1
    >>> steps, guard.epsilon <= 2.2, guard.theorem.standing
    (1116, True, 'published')
    """

    def __init__(
        self,
        adjacency: str,
        *,
        epsilon: float,
        delta: float,
        plan: Optional[Release] = None,
        orders: Optional[Sequence[float]] = None,
    ) -> None:
        if plan is not None and orders is not None:
            raise ValueError("either plan or orders, not both")
        if plan is not None and plan.adjacency != adjacency:
            raise ValueError(f"adjacency {adjacency} here, {plan.adjacency} in the plan")
        if plan is not None:
            orders = _core.filter_orders(plan._native, arguments.number("delta", delta))
        self.orders = tuple(arguments.points("orders", orders or DEFAULT_ORDERS)[0])
        self.target = (arguments.number("epsilon", epsilon), arguments.number("delta", delta))
        self._native = _core.PrivacyFilter(adjacency, *self.target, self.orders)
        self._runs = _Runs(adjacency)

    def _asked(self, phase: Optional[Phase], noise_multiplier: Any, fields: Any) -> Phase:
        steps = arguments.integer("steps", fields.pop("steps", 1))
        if phase is not None and fields:
            raise ValueError(f"either phase or {', '.join(fields)}, not both")
        if phase is None:
            names = ("sampling", "sampling_probability", "batch_size", "dataset_size",
                     "batches_per_epoch")  # fmt: skip
            for name in fields:
                if name not in names:
                    raise TypeError(f"{name} is unknown: phase, noise_multiplier, steps, {names}")
            phase = _phase(*(fields.get(name) for name in names))
        noise = arguments.number("noise_multiplier", noise_multiplier)
        return phase._replace(noise_multiplier=noise, repetitions=steps)

    def admits(
        self, *, noise_multiplier: float, phase: Optional[Phase] = None, **fields: Any
    ) -> bool:
        """Whether `admit` would say yes; nothing is recorded."""
        asked = self._asked(phase, noise_multiplier, fields)
        return self._native.admits(Release(self._runs.adjacency, [asked])._native)

    def admit(
        self, *, noise_multiplier: float, phase: Optional[Phase] = None, **fields: Any
    ) -> bool:
        """Whether these steps may be taken; if so they count as taken.

        Args:
            noise_multiplier, phase: as those of `Ledger.step`; or `sampling` and its parameters.
            steps: how many, admitted together or not at all.

        Raises:
            ValueError: also for epoch samplers; NotImplementedError: no theorem.
        """
        asked = self._asked(phase, noise_multiplier, fields)
        if not self._native.admit(Release(self._runs.adjacency, [asked])._native):
            return False
        self._runs.add(asked._replace(repetitions=1), asked.repetitions)
        return True

    def step(self, **fields: Any) -> None:
        """As `admit`, but a refusal raises `BudgetExceeded`: call it before the step is taken."""
        if not self.admit(**fields):
            epsilon, delta = self.target
            raise BudgetExceeded(
                f"with this step the run could not be shown to be ({epsilon}, {delta})-private: "
                f"{self.epsilon:.6g} is spent after {self.steps} steps"
            )

    @property
    def steps(self) -> int:
        """Steps that were admitted."""
        return sum(steps for _, steps in self._runs.entries)

    @property
    def epsilon(self) -> float:
        """An epsilon, at the delta of the target, that the steps so far satisfy however they were
        chosen; never above the target's."""
        return self._native.spent_epsilon()

    @property
    def spent(self) -> Release:
        """What was admitted so far."""
        return self._runs.release(True)

    @property
    def theorem(self) -> FilterTheorem:
        """The citation of what the filter rests on, and its standing."""
        return FilterTheorem(*self._native.theorem())

    def state_dict(self) -> dict[str, Any]:
        """All of the filter, as values that JSON holds; every double to the bit."""
        return {
            "adjacency": self._runs.adjacency,
            "target": list(self.target),
            "orders": list(self.orders),
            "runs": self._runs.to_json(),
        }

    @classmethod
    def from_state_dict(cls, state: dict[str, Any]) -> Filter:
        """The filter that had this state.

        Raises:
            ValueError: more was admitted than its target allows.
        """
        epsilon, delta = state["target"]
        found = cls(state["adjacency"], epsilon=epsilon, delta=delta, orders=state["orders"])
        found._runs.from_json([dict(record) for record in state["runs"]])
        for phase, steps in found._runs.entries:
            admitted = phase._replace(repetitions=steps)
            if not found._native.admit(Release(found._runs.adjacency, [admitted])._native):
                raise ValueError("more steps than the filter admits")
        return found

    def save(self, path: PathLike) -> None:
        """Writes the filter to a file, whole or not at all."""
        _write(path, "filter", self.state_dict())

    @classmethod
    def restore(cls, path: PathLike) -> Filter:
        """What `save` wrote; it goes on with the same bits."""
        return cls.from_state_dict(_read(path, "filter"))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Filter.from_state_dict, (self.state_dict(),))

    def __repr__(self) -> str:
        epsilon, delta = self.target
        return f"Filter(epsilon={self.epsilon:.6g} of {epsilon}, delta={delta}, {self.steps} steps)"
