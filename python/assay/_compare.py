"""One training run, six samplers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from . import _arguments as arguments
from . import _core
from ._answers import Bracket, Calibration, _table
from ._release import Phase, Release
from ._targets import target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes


class ComparedSampler(NamedTuple):
    """One row of a comparison.

    Attributes:
        sampling: the sampler's name.
        release: the run with it; its noise is None where none was found.
        is_wanted_adjacency: False where no theorem covers it under the adjacency asked for, so that
            it stands under another one: such numbers do not compare.
        noise: the noise that it needs, where that is looked for.
        epsilon: its epsilon, where the noise is given.
        refused: why there is neither, or None.
    """

    sampling: str
    release: Release
    is_wanted_adjacency: bool
    noise: Optional[Calibration]
    epsilon: Optional[Bracket]
    refused: Optional[str]

    @property
    def lower(self) -> float:
        """The lower side of what is compared; infinite where it was refused."""
        found = self.noise or self.epsilon
        return float("inf") if found is None else found.lower

    @property
    def upper(self) -> float:
        """The upper side: what is enough for certain."""
        found = self.noise or self.epsilon
        return float("inf") if found is None else found.upper


class Comparison:
    """The rows of `assay.compare`, in the order of the program's `assay compare`.

    Iterates over `ComparedSampler`s; `found["poisson"]` is the one of that name; `title` says what
    is compared.
    """

    __slots__ = ("_rows", "title")

    title: str
    _rows: tuple[ComparedSampler, ...]

    def __init__(self, rows: tuple[ComparedSampler, ...], title: str) -> None:
        self._rows = rows
        self.title = title

    def __iter__(self) -> Iterator[ComparedSampler]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: Union[int, str]) -> ComparedSampler:
        if isinstance(key, int):
            return self._rows[key]
        for row in self._rows:
            if row.sampling == key:
                return row
        raise KeyError(key)

    @property
    def best(self) -> ComparedSampler:
        """The row of the smallest upper side, of those under the adjacency asked for."""
        rows = [row for row in self._rows if row.is_wanted_adjacency and row.refused is None]
        if not rows:
            raise ValueError("no sampler was answered under the adjacency asked for")
        return min(rows, key=lambda row: row.upper)

    def differences(self) -> dict[str, list[str]]:
        """What each sampler's numbers presume that not all of them do, by sampler."""
        lines = {row.sampling: row.release.assumptions() for row in self._rows}
        common = set.intersection(*(set(own) for own in lines.values()))
        return {name: [line for line in own if line not in common] for name, own in lines.items()}

    def plot(self, axes: Optional[Axes] = None) -> Axes:
        """Draws the upper sides as bars and the lower ones as lines; needs matplotlib. Grey bars
        stand under another adjacency."""
        from ._plots import draw_comparison

        return draw_comparison(self, axes)

    def _cells(self) -> list[tuple[str, str, str, str]]:
        cells = []
        for row in self._rows:
            adjacency = row.release.adjacency + ("" if row.is_wanted_adjacency else " *")
            if row.refused is not None:
                cells.append((row.sampling, adjacency, row.refused, ""))
                continue
            lower = _core.text_not_above(row.lower, 6)
            cells.append((row.sampling, adjacency, _core.text_not_below(row.upper, 6), lower))
        return cells

    def _foot(self) -> Optional[str]:
        if all(row.is_wanted_adjacency for row in self._rows):
            return None
        return "* no theorem covers this sampler under the adjacency asked for: do not compare"

    def __repr__(self) -> str:
        head = ("sampling", "adjacency", "upper", "lower")
        lines = [self.title]
        lines += [f"{a:<31} {b:<13} {c:>12} {d:>12}".rstrip() for a, b, c, d in
                  [head, *self._cells()]]  # fmt: skip
        foot = self._foot()
        return "\n".join(lines + ([foot] if foot else []))

    def _repr_html_(self) -> str:
        foot = self._foot()
        note = self.title + (f"; {foot}" if foot else "")
        return _table(["sampling", "adjacency", "upper", "lower"], self._cells(), note)


def compare(
    *,
    n: int,
    batch_size: int,
    epochs: int = 1,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    noise_multiplier: Optional[float] = None,
    false_positive_rate: Optional[float] = None,
    true_positive_rate: Optional[float] = None,
    mu: Optional[float] = None,
    smallest_error: Optional[float] = None,
    advantage: Optional[float] = None,
    adjacency: str = "zero-out",
    relative_gap: float = 1e-2,
    effort: str = "normal",
    standing: str = "any",
) -> Comparison:
    """The noise that each sampler needs for a target, or its epsilon at a noise multiplier.

    Poisson, fixed size without and with replacement, balls-and-bins, shuffled and deterministic
    batches; steps are round(epochs n / batch_size), batches in an epoch round(n / batch_size).

    Args:
        n, batch_size, epochs: 1 <= batch_size < n records; passes over the data.
        epsilon, delta: the target (epsilon, delta); or another one of `assay.calibrate`.
        noise_multiplier: in the place of a target, with delta: epsilon is compared.
        adjacency: where a theorem covers the sampler; else the first one under which one does.
        relative_gap: how close both sides of the noise are to be.
        effort, standing: as those of `Release.epsilon`.

    Raises:
        DomainError; a sampler that cannot be answered says so in its row.

    >>> import assay
    >>> found = assay.compare(n=5_000, batch_size=500, epsilon=3, delta=1e-5, effort="quick")
    >>> len(found), found.best.sampling
    (6, 'balls-and-bins')
    >>> found["poisson"].noise.release.delta(3).upper <= 1e-5
    True
    """
    target = None
    noise_multiplier = arguments.optional_number("noise_multiplier", noise_multiplier)
    delta = arguments.optional_number("delta", delta)
    if noise_multiplier is None:
        target = target_of(
            epsilon=epsilon,
            delta=delta,
            false_positive_rate=false_positive_rate,
            true_positive_rate=true_positive_rate,
            mu=mu,
            smallest_error=smallest_error,
            advantage=advantage,
        )
        title = f"noise multiplier for {target.text()}"
    else:
        others = (epsilon, false_positive_rate, true_positive_rate, mu, smallest_error, advantage)
        if delta is None or any(given is not None for given in others):
            raise ValueError("noise_multiplier goes with delta alone: epsilon is compared")
        title = f"epsilon at delta = {delta:g}, noise multiplier {noise_multiplier:g}"
    rows = []
    for wanted, fields, is_wanted, noise, spent, refused in _core.compare(
        arguments.integer("n", n),
        arguments.integer("batch_size", batch_size),
        arguments.integer("epochs", epochs),
        arguments.text("adjacency", adjacency),
        target,
        noise_multiplier or 0.0,
        delta or 0.0,
        arguments.text("effort", effort),
        arguments.number("relative_gap", relative_gap),
        arguments.text("standing", standing),
    ):
        release = Release(wanted, [Phase(*fields)])
        found = None
        if noise is not None and target is not None:
            found = Calibration(noise[0], noise[1], Bracket(*noise[2]), release, target.quantity)
        rows.append(
            ComparedSampler(
                fields[0],
                release,
                is_wanted,
                found,
                None if spent is None else Bracket(*spent),
                refused or None,
            )
        )
    return Comparison(tuple(rows), title)
