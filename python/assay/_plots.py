"""The pictures of answers; matplotlib is loaded when one is drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Optional

from ._answers import BracketArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._compare import Comparison
    from ._trade_off import TradeOff

BLUE, GREEN, GREY = "#0072B2", "#009E73", "#777777"


def new_axes(axes: Optional[Axes], width: float, height: float) -> Axes:
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    drawn: Axes = plt.subplots(figsize=(width, height), layout="constrained")[1]
    return drawn


def gaussian_power(mu: float, level: float) -> float:
    """Phi(Phi^-1(level) + mu)."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(level) + mu
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def epsilon_delta_power(epsilon: float, delta: float, level: float) -> float:
    """The largest true positive rate that (epsilon, delta)-privacy by itself allows."""
    steep = math.exp(min(epsilon, 700.0)) * level + delta
    return max(0.0, min(1.0, steep, 1.0 - math.exp(-epsilon) * (1.0 - delta - level)))


def draw_trade_off(
    curve: TradeOff,
    axes: Optional[Axes],
    direction: str,
    corner: bool,
    smallest: float,
    delta: Optional[float],
    smallest_error: Optional[float],
) -> Axes:
    import numpy as np

    if not 0.0 < smallest < 1.0:
        raise ValueError(f"smallest = {smallest} has to be between 0 and 1")
    axes = new_axes(axes, 4.8, 3.6)
    if corner:
        levels = np.geomspace(smallest, 1.0, 121)[:-1]
    else:
        levels = np.unique(np.r_[np.geomspace(1e-6, 0.02, 60), np.linspace(0.02, 1.0, 141)[:-1]])
    found = curve.true_positive_rate(levels, direction)
    assert isinstance(found, BracketArray)
    axes.fill_between(levels, found.lower, found.upper, color=BLUE, alpha=0.35, linewidth=0)
    axes.plot(levels, found.upper, color=BLUE, label="certified, both sides")
    axes.plot(levels, found.lower, color=BLUE, linewidth=0.8)
    if delta is not None:
        epsilon = curve.release.epsilon(delta, group=curve.group).upper
        axes.plot(
            levels, [epsilon_delta_power(epsilon, delta, x) for x in levels.tolist()],
            "-.", color=GREEN, linewidth=1.1, label=f"({epsilon:.4g}, {delta:g}) alone",
        )  # fmt: skip
    if smallest_error is not None:
        mu = curve.gaussian_mu(smallest_error).mu.upper
        if mu < math.inf:
            axes.plot(
                levels, [gaussian_power(mu, x) for x in levels.tolist()],
                "--", color=GREY, linewidth=1.1,
                label=f"Gaussian, μ = {mu:.4g} (errors from {smallest_error:g})",
            )  # fmt: skip
    axes.plot(levels, levels, ":", color=GREY, linewidth=1, label="guessing")
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    if corner:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(smallest, 1.0)
        axes.set_ylim(smallest, 2.0)
    axes.legend(fontsize=8, frameon=False)
    return axes


def draw_comparison(comparison: Comparison, axes: Optional[Axes]) -> Axes:
    rows = [row for row in comparison if math.isfinite(row.upper)]
    axes = new_axes(axes, 6.0, 0.6 + 0.4 * len(comparison))
    for place, row in enumerate(rows):
        axes.barh(
            place,
            row.upper,
            height=0.55,
            color=BLUE if row.is_wanted_adjacency else GREY,
            alpha=0.8,
        )
        axes.plot([row.lower, row.lower], [place - 0.27, place + 0.27], color="black", linewidth=1)
    axes.set_yticks(
        range(len(rows)),
        [f"{row.sampling}\n{row.release.adjacency}" for row in rows],
        fontsize=7.5,
    )
    axes.invert_yaxis()
    axes.set_xlabel(f"{comparison.title}; black: lower side")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes
