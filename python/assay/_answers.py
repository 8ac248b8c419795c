"""Answers: brackets, arrays of brackets, calibrations, Renyi curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _core

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ._release import Release

    FloatArray = NDArray[np.float64]


class Sides(NamedTuple):
    """The same fact about the lower and about the upper side of an answer."""

    lower: str
    upper: str


def _text(lower: float, upper: float, digits: int = 8) -> str:
    """Rounded outward, so that what is printed holds as well."""
    below = _core.text_not_above(lower, digits)
    above = _core.text_not_below(upper, digits)
    return f"lower={below}, upper={above}"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], note: Optional[str] = None) -> str:
    """A table for notebooks."""
    header = "".join(f"<th>{_escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    below = f"<p>{_escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>{below}"


class Bracket:
    """A certified answer: the truth lies in [lower, upper], rounding included.

    Attributes:
        lower, upper: both sides. Report `upper` as the guarantee; `lower` tells how much of it is
            the accountant's.
        theorem, standing, status: texts for each side, `Sides(lower=..., upper=...)`: what it rests
            on; "published" (peer-reviewed) or "ours" (proved in docs/proofs.md, not
            peer-reviewed); "certified", or "vacuous" where the value is the trivial one.
        published_upper, published_theorem: the best upper bound from peer-reviewed theorems alone.
        note: why the sides are wide, or None.

    >>> import assay
    >>> run = assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.1, sampling_probability=0.004, steps=10_000)
    >>> spent = run.epsilon(delta=1e-6)
    >>> spent
    Bracket(lower=2.0949069, upper=2.0950963)
    >>> 2.095 in spent, spent.gap < 1e-3
    (True, True)
    >>> spent.standing.upper, round(spent.published_upper, 4)
    ('ours', 2.2617)
    """

    __slots__ = (
        "lower",
        "upper",
        "theorem",
        "standing",
        "status",
        "published_upper",
        "published_theorem",
        "note",
    )

    lower: float
    upper: float
    theorem: Sides
    standing: Sides
    status: Sides
    published_upper: float
    published_theorem: str
    note: Optional[str]

    def __init__(
        self,
        lower: float,
        upper: float,
        theorem: tuple[str, str],
        standing: tuple[str, str],
        status: tuple[str, str],
        published_upper: float,
        published_theorem: str,
        note: Optional[str],
    ) -> None:
        put = object.__setattr__
        put(self, "lower", lower)
        put(self, "upper", upper)
        put(self, "theorem", Sides(*theorem))
        put(self, "standing", Sides(*standing))
        put(self, "status", Sides(*status))
        put(self, "published_upper", published_upper)
        put(self, "published_theorem", published_theorem)
        put(self, "note", note or None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Bracket is immutable: {name}")

    def _fields(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __reduce__(self) -> tuple[type[Bracket], tuple[Any, ...]]:
        return (Bracket, self._fields())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bracket) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    @property
    def gap(self) -> float:
        """(upper - lower) / upper; 0 where upper is 0 or infinite."""
        if self.upper == 0.0 or self.upper == float("inf"):
            return 0.0
        return (self.upper - self.lower) / self.upper

    def __repr__(self) -> str:
        return f"Bracket({_text(self.lower, self.upper)})"

    def _repr_html_(self) -> str:
        rows = [
            ("lower", _core.text_not_above(self.lower, 8), self.theorem.lower, self.standing.lower),
            ("upper", _core.text_not_below(self.upper, 8), self.theorem.upper, self.standing.upper),
            (
                "published upper",
                _core.text_not_below(self.published_upper, 8),
                self.published_theorem,
                "published",
            ),
        ]
        return _table(["side", "value", "theorem", "standing"], rows, self.note)


class BracketArray:
    """Brackets of many questions: arrays `lower`, `upper`, `published_upper`, of one shape.

    `answers[i]` is a `Bracket` (an index for each dimension); iteration goes over all of them in
    the order of C.

    >>> import assay
    >>> run = assay.Release("add-remove").gaussian(noise_multiplier=2, steps=4)
    >>> curve = run.delta([0.5, 1.0, 2.0])
    >>> curve.upper.shape, bool((curve.lower <= curve.upper).all())
    ((3,), True)
    >>> curve[1]
    Bracket(lower=0.12693673, upper=0.12693674)
    """

    __slots__ = ("lower", "upper", "published_upper", "_brackets")

    lower: FloatArray
    upper: FloatArray
    published_upper: FloatArray
    _brackets: Any

    def __init__(self, brackets: Sequence[Bracket], shape: tuple[int, ...]) -> None:
        import numpy as np

        self.lower = np.array([b.lower for b in brackets], dtype=np.float64).reshape(shape)
        self.upper = np.array([b.upper for b in brackets], dtype=np.float64).reshape(shape)
        self.published_upper = np.array(
            [b.published_upper for b in brackets], dtype=np.float64
        ).reshape(shape)
        table = np.empty(len(brackets), dtype=object)
        for i, bracket in enumerate(brackets):
            table[i] = bracket
        self._brackets = table.reshape(shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """That of `lower` and of `upper`."""
        return self.lower.shape

    def __len__(self) -> int:
        return len(self.lower)

    def __getitem__(self, index: Union[int, tuple[int, ...]]) -> Bracket:
        found = self._brackets[index]
        if not isinstance(found, Bracket):
            raise IndexError(f"an index for each of the {self.lower.ndim} dimensions is needed")
        return found

    def __iter__(self) -> Iterator[Bracket]:
        return iter(self._brackets.ravel().tolist())

    def __repr__(self) -> str:
        return f"BracketArray(lower={self.lower!r}, upper={self.upper!r})"

    def _repr_html_(self) -> str:
        rows = [
            (_core.text_not_above(b.lower, 8), _core.text_not_below(b.upper, 8), b.note or "")
            for b in self
        ]
        return _table(["lower", "upper", "note"], rows)


def in_shape(
    found: Sequence[tuple[Any, ...]], shape: Optional[tuple[int, ...]]
) -> Union[Bracket, BracketArray]:
    """Brackets of what the extension module answered, in the shape that was asked."""
    if shape is None:
        return Bracket(*found[0])
    return BracketArray([Bracket(*fields) for fields in found], shape)


class Calibration:
    """The noise multiplier that a target needs, from both sides.

    Attributes:
        sufficient, insufficient: enough for certain; not enough for certain (0: none was seen).
            `upper` and `lower` are the same numbers.
        quantity, risk: what the target limits ("delta", "true_positive_rate", "gaussian_mu" or
            "advantage"), and its bracket at `sufficient`; where it is delta, `delta` is the same.
        release: the release with `sufficient` in the phases that were open.
    """

    __slots__ = ("insufficient", "quantity", "release", "risk", "sufficient")

    sufficient: float
    insufficient: float
    risk: Bracket
    release: Release
    quantity: str

    def __init__(
        self,
        sufficient: float,
        insufficient: float,
        risk: Bracket,
        release: Release,
        quantity: str = "delta",
    ) -> None:
        self.sufficient = sufficient
        self.insufficient = insufficient
        self.risk = risk
        self.release = release
        self.quantity = quantity

    @property
    def lower(self) -> float:
        """The same as `insufficient`."""
        return self.insufficient

    @property
    def upper(self) -> float:
        """The same as `sufficient`."""
        return self.sufficient

    @property
    def delta(self) -> Bracket:
        """The same as `risk`, where the target limits delta."""
        if self.quantity != "delta":
            raise AttributeError(f"the target was one of {self.quantity}: its bracket is `risk`")
        return self.risk

    def __repr__(self) -> str:
        sides = _text(self.insufficient, self.sufficient)
        return f"Calibration({sides}, {self.quantity}={self.risk!r})"

    def _repr_html_(self) -> str:
        rows = [
            ("sufficient", repr(self.sufficient), f"{self.quantity} in {self.risk!r}"),
            ("insufficient", repr(self.insufficient), ""),
        ]
        return _table(["noise multiplier", "value", ""], rows, self.risk.note)


class RdpCurve:
    """Renyi divergences of a release by order, in nats: arrays of shape (orders,).

    Attributes:
        orders, lower, upper, published_upper: arrays; lower is attained by neighbouring data sets.
        theorem, standing: of each upper side, lists of texts.
    """

    __slots__ = ("orders", "lower", "upper", "published_upper", "theorem", "standing")

    def __init__(
        self,
        orders: Sequence[float],
        lower: Sequence[float],
        upper: Sequence[float],
        published_upper: Sequence[float],
        theorem: list[str],
        standing: list[str],
    ) -> None:
        import numpy as np

        self.orders: FloatArray = np.asarray(orders, dtype=np.float64)
        self.lower: FloatArray = np.asarray(lower, dtype=np.float64)
        self.upper: FloatArray = np.asarray(upper, dtype=np.float64)
        self.published_upper: FloatArray = np.asarray(published_upper, dtype=np.float64)
        self.theorem = theorem
        self.standing = standing

    def __len__(self) -> int:
        return len(self.orders)

    def __repr__(self) -> str:
        ends = f"{self.orders[0]:g} .. {self.orders[-1]:g}" if len(self) else ""
        return f"RdpCurve({len(self)} orders {ends})"

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{self.orders[i]:g}",
                _core.text_not_above(float(self.lower[i]), 8),
                _core.text_not_below(float(self.upper[i]), 8),
                _core.text_not_below(float(self.published_upper[i]), 8),
                self.theorem[i],
            )
            for i in range(len(self))
        ]
        return _table(["order", "lower", "upper", "published upper", "theorem"], rows)
