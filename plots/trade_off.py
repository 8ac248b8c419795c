#!/usr/bin/env python3
"""Draws what `assay tradeoff --json` prints: the band between both sides of the trade-off curve, in the corner of rare
false positives (both axes logarithmic) and as a whole. For reference, where the report has it (`--plot`): what one
(epsilon, delta) allows by itself, and the Gaussian curve that is above where both errors are at least 1e-3.

    assay tradeoff ... --plot FILE.svg
    assay tradeoff ... --json | plots/trade_off.py - FILE.svg
"""
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import style  # noqa: E402  (the folder has to be known first)
import matplotlib.pyplot as plt  # noqa: E402

NORMAL = statistics.NormalDist()
NAMES = {"worst": "the worse of both directions", "removal": "removal", "addition": "addition"}


def series(report):
    """(fpr, lower, upper) by direction; points without a false positive are left out."""
    found = {}
    for point in report["points"]:
        level = float(point["false_positive_rate"])
        if 0 < level < 1:
            rate = point["true_positive_rate"]
            found.setdefault(point["direction"], []).append(
                (level, float(rate["lower"]["value"]), float(rate["upper"]["value"])))
    if not found:
        raise SystemExit("trade_off.py: no point with a false positive rate between 0 and 1")
    return {direction: sorted(points) for direction, points in found.items()}


def gaussian_power(mu, level):
    return 0.5 * math.erfc(-(NORMAL.inv_cdf(level) + mu) / math.sqrt(2))


def pair_power(epsilon, delta, level):
    """The largest true positive rate that (epsilon, delta)-privacy by itself allows."""
    return min(1, math.exp(min(epsilon, 700)) * level + delta, 1 - math.exp(-epsilon) * max(0, 1 - delta - level))


def draw_references(axes, reference, levels):
    epsilon, delta, mu = (float(reference[name]) for name in ("epsilon", "delta", "mu"))
    if math.isfinite(epsilon):
        axes.plot(levels, [pair_power(epsilon, delta, level) for level in levels], style.DASHES[2], color=style.PALETTE[2],
                  linewidth=1.1, label=f"({epsilon:.4g}, {delta:g}) alone")
    if math.isfinite(mu):
        axes.plot(levels, [gaussian_power(mu, level) for level in levels], style.DASHES[1], color="#777777",
                  linewidth=1.1, label=f"Gaussian, μ = {mu:.4g} (errors from {float(reference['smallest_error']):g})")


def draw(axes, curves, reference, corner):
    for colour, (direction, points) in zip(style.PALETTE, curves.items()):
        levels, lower, upper = zip(*points)
        axes.fill_between(levels, lower, upper, color=colour, alpha=0.3, linewidth=0)
        axes.plot(levels, upper, color=colour, label=NAMES[direction])
        axes.plot(levels, lower, color=colour, linewidth=0.8)
    levels = sorted({level for points in curves.values() for level, _, _ in points})
    if reference:
        draw_references(axes, reference, levels)
    axes.plot([min(levels), 1], [min(levels), 1], style.DASHES[3], color="#777777", linewidth=1,
              label="guessing")
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    if corner:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(bottom=min(levels))


def picture(report):
    curves = series(report)
    figure, (corner, whole) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
    reference = report.get("reference")
    draw(corner, curves, reference, True)
    draw(whole, curves, reference, False)
    whole.legend(loc="lower right")
    figure.suptitle(style.release_text(report), fontsize=9)
    return figure


if __name__ == "__main__":
    style.report_command(__doc__, picture)
