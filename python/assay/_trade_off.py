"""The trade-off curve: what an attacker can do, between certified sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, overload

from . import _arguments as arguments
from . import _core
from ._answers import Bracket, BracketArray, _table, in_shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from ._release import Release

    Brackets = Union[Bracket, BracketArray]


class GaussianMu(NamedTuple):
    """The smallest mu of Gaussian differential privacy, and what reporting it costs.

    Attributes:
        mu: the smallest mu with T(N(0,1), N(mu,1)) <= the trade-off function at all levels at which
            both errors are at least `smallest_error`.
        regret: how much the Bayes risk of any prior falls at most where that mu is reported.
        smallest_error: the errors that count; 0: all.
    """

    mu: Bracket
    regret: Bracket
    smallest_error: float


class TradeOff:
    """What an attacker who knows all but one record (of `group` records: all but those) can do.

    The trade-off function of the outputs, the largest true positive rate of any test of a level
    over all neighbours, on the whole of [0, 1]; every number is a bracket. Made by
    `Release.trade_off`. `direction` is "removal" (the test claims that the record was there),
    "addition" (that it was not) or "worst", the better of both tests at each level.

    Attributes:
        release, group: what the curve is of.
        gap: the largest distance of both sides of the true positive rate.
        is_symmetric: both directions have the same curve.
        note: why the sides are wide, or None.

    Source: docs/proofs.md W; dong2019 Proposition 2.12 and its converse.

    >>> import assay
    >>> curve = assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.1, sampling_probability=0.004, steps=10_000).trade_off()
    >>> curve.true_positive_rate(1e-3).upper < 0.03
    True
    >>> curve.type_two_error([1e-6, 1e-3, 0.5]).lower.shape
    (3,)
    >>> curve.gap < 1e-4, curve.is_symmetric
    (True, False)
    """

    __slots__ = ("_native", "_options", "group", "release")

    release: Release
    group: int
    _options: tuple[Optional[float], str, str]
    _native: _core.TradeOff

    def __init__(
        self,
        release: Release,
        relative_gap: Optional[float] = None,
        effort: str = "normal",
        standing: str = "any",
        group: int = 1,
    ) -> None:
        self.release = release
        self.group = arguments.integer("group", group)
        self._options = (relative_gap, effort, standing)
        goal = arguments.goal(effort, relative_gap, standing)
        self._native = _core.TradeOff(release._native, *goal, self.group)

    def __reduce__(self) -> tuple[type[TradeOff], tuple[Any, ...]]:
        return (TradeOff, (self.release, *self._options, self.group))

    @property
    def gap(self) -> float:
        """The largest distance of both sides of the true positive rate."""
        return self._native.gap()

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same curve."""
        return self._native.is_symmetric()

    @property
    def note(self) -> Optional[str]:
        """Why the sides are wide, or None."""
        return self._native.note() or None

    def _rates(self, quantity: str, levels: Any, direction: str, prior: float = 0.5) -> Brackets:
        points, shape = arguments.points("level", levels)
        test = arguments.text("direction", direction)
        prior = arguments.number("prior", prior)
        return in_shape(self._native.rates(quantity, points, test, prior), shape)

    def _risks(self, quantity: str, numbers: Any) -> Brackets:
        points, shape = arguments.points(quantity, numbers)
        return in_shape(self._native.risks(quantity, points), shape)

    @overload
    def true_positive_rate(self, false_positive_rate: float, direction: str = ...) -> Bracket: ...
    @overload
    def true_positive_rate(
        self, false_positive_rate: ArrayLike, direction: str = ...
    ) -> Brackets: ...
    def true_positive_rate(
        self, false_positive_rate: ArrayLike, direction: str = "worst"
    ) -> Brackets:
        """The largest power of any test whose false positive rate is at most this, in [0, 1]; a
        `Bracket`, of an array a `BracketArray`.

        >>> import assay
        >>> curve = assay.Release("add-remove").gaussian(noise_multiplier=1).trade_off()
        >>> curve.true_positive_rate(0.05)
        Bracket(lower=0.25951102, upper=0.25951103)
        """
        return self._rates("true_positive_rate", false_positive_rate, direction)

    @overload
    def type_two_error(self, type_one_error: float, direction: str = ...) -> Bracket: ...
    @overload
    def type_two_error(self, type_one_error: ArrayLike, direction: str = ...) -> Brackets: ...
    def type_two_error(self, type_one_error: ArrayLike, direction: str = "worst") -> Brackets:
        """The least type II error of any test of that level: one less the above, with its own
        digits where it is small."""
        return self._rates("type_two_error", type_one_error, direction)

    @overload
    def delta(self, epsilon: float) -> Bracket: ...
    @overload
    def delta(self, epsilon: ArrayLike) -> Brackets: ...
    def delta(self, epsilon: ArrayLike) -> Brackets:
        """delta at epsilon >= 0, of the larger direction: sup of TPR - e^epsilon FPR."""
        return self._risks("delta", epsilon)

    def advantage(self) -> Bracket:
        """The largest TPR - FPR, delta(0)."""
        return self.delta(0.0)

    @overload
    def positive_predictive_value(
        self, false_positive_rate: float, prior: float, direction: str = ...
    ) -> Bracket: ...
    @overload
    def positive_predictive_value(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = ...
    ) -> Brackets: ...
    def positive_predictive_value(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = "worst"
    ) -> Brackets:
        """The probability, at most, that a positive answer of a test of that level is right, where
        the record was there with the probability `prior`; both strictly between 0 and 1."""
        return self._rates("positive_predictive_value", false_positive_rate, direction, prior)

    @overload
    def negative_predictive_value(
        self, false_positive_rate: float, prior: float, direction: str = ...
    ) -> Bracket: ...
    @overload
    def negative_predictive_value(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = ...
    ) -> Brackets: ...
    def negative_predictive_value(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = "worst"
    ) -> Brackets:
        """The same of a negative answer."""
        return self._rates("negative_predictive_value", false_positive_rate, direction, prior)

    @overload
    def posterior_odds(
        self, false_positive_rate: float, prior: float, direction: str = ...
    ) -> Bracket: ...
    @overload
    def posterior_odds(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = ...
    ) -> Brackets: ...
    def posterior_odds(
        self, false_positive_rate: ArrayLike, prior: float, direction: str = "worst"
    ) -> Brackets:
        """Odds that the record was there after a positive answer: prior odds times TPR / FPR."""
        return self._rates("posterior_odds", false_positive_rate, direction, prior)

    @overload
    def bayes_risk(self, prior: float) -> Bracket: ...
    @overload
    def bayes_risk(self, prior: ArrayLike) -> Brackets: ...
    def bayes_risk(self, prior: ArrayLike) -> Brackets:
        """The smallest probability of error of any decision, where the record was there with that
        prior probability, strictly between 0 and 1."""
        return self._risks("bayes_risk", prior)

    @overload
    def reconstruction(self, baseline: float) -> Bracket: ...
    @overload
    def reconstruction(self, baseline: ArrayLike) -> Brackets: ...
    def reconstruction(self, baseline: ArrayLike) -> Brackets:
        """The success of a reconstruction attack that would succeed with the probability `baseline`
        without the release (balle2022, kulynych2025). No lower side but the baseline."""
        return self._risks("reconstruction", baseline)

    @overload
    def singling_out(self, weight: float, records: int) -> Bracket: ...
    @overload
    def singling_out(self, weight: ArrayLike, records: int) -> Brackets: ...
    def singling_out(self, weight: ArrayLike, records: int) -> Brackets:
        """The probability that a predicate of at most that weight singles one of `records` records
        out: at most records times the power at that level. Its lower side is 0."""
        points, shape = arguments.points("weight", weight)
        count = arguments.integer("records", records)
        return in_shape(self._native.singling_out(points, count), shape)

    def gaussian_mu(self, smallest_error: float = 0.0) -> GaussianMu:
        """The smallest mu of Gaussian privacy, at all levels at which both errors are at least
        `smallest_error` (0 <= it < 1/2). At 0 rates far below any that is observed decide.

        >>> import assay
        >>> curve = assay.Release("add-remove").gaussian(noise_multiplier=2, steps=4).trade_off()
        >>> curve.gaussian_mu().mu
        Bracket(lower=0.99999999, upper=1.0000001)
        """
        error = arguments.number("smallest_error", smallest_error)
        mu, regret = self._native.mu_and_regret(error)
        return GaussianMu(Bracket(*mu), Bracket(*regret), error)

    @overload
    def regret(self, mu: float) -> Bracket: ...
    @overload
    def regret(self, mu: ArrayLike) -> Brackets: ...
    def regret(self, mu: ArrayLike) -> Brackets:
        """How much the Bayes risk of any prior falls at most when the release is reported as
        mu-Gaussian private."""
        return self._risks("regret", mu)

    def plot(
        self,
        axes: Optional[Axes] = None,
        *,
        direction: str = "worst",
        corner: bool = True,
        smallest: float = 1e-9,
        delta: Optional[float] = 1e-5,
        smallest_error: Optional[float] = 1e-3,
    ) -> Axes:
        """Draws both sides as a band over false positive rates; needs matplotlib.

        Args:
            axes: of matplotlib; by default those of a new figure.
            direction: "worst", "removal" or "addition".
            corner: both axes logarithmic, down to the rate `smallest`; else [0, 1].
            delta: for reference, what (epsilon, delta) at this delta says by itself; None: nothing.
            smallest_error: for reference, the Gaussian curve of the smallest mu at errors of at
                least this; None: nothing.

        Returns:
            The axes.
        """
        from ._plots import draw_trade_off

        return draw_trade_off(self, axes, direction, corner, smallest, delta, smallest_error)

    def __repr__(self) -> str:
        return f"TradeOff({self.release!r}, group={self.group}, gap={self.gap:.2g})"

    def _repr_html_(self) -> str:
        rows = []
        for level in (1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.5):
            found = self.true_positive_rate(level)
            lower = _core.text_not_above(found.lower, 6)
            rows.append((f"{level:g}", lower, _core.text_not_below(found.upper, 6)))
        return _table(
            ["false positive rate", "true positive rate: lower", "upper"], rows, self.note
        )
