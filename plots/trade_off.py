#!/usr/bin/env python3
"""Draws what `assay tradeoff --json` prints: the band between both sides of the trade-off curve, in the corner of rare
false positives (both axes logarithmic) and as a whole, beside the mu-Gaussian curve that fits where both errors are
at least 1e-3.

    assay tradeoff ... --json | plots/trade_off.py - FILE.svg
"""
import argparse
import json
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


def fitted_mu(curves):
    """The largest mu that a visible level shows of the upper side: for reference, no bound."""
    shown = [NORMAL.inv_cdf(upper) - NORMAL.inv_cdf(level) for points in curves.values()
             for level, _, upper in points if level >= 1e-3 and upper <= 1 - 1e-3]
    return max(shown, default=None)


def draw(axes, curves, mu, corner):
    for colour, (direction, points) in zip(style.PALETTE, curves.items()):
        levels, lower, upper = zip(*points)
        axes.fill_between(levels, lower, upper, color=colour, alpha=0.3, linewidth=0)
        axes.plot(levels, upper, color=colour, label=NAMES[direction])
        axes.plot(levels, lower, color=colour, linewidth=0.8)
    levels = [level for points in curves.values() for level, _, _ in points]
    if mu is not None:
        grid = sorted(set(levels))
        axes.plot(grid, [NORMAL.cdf(NORMAL.inv_cdf(level) + mu) for level in grid], style.DASHES[1],
                  color="#888888", linewidth=1, label=f"Gaussian, mu = {mu:.4g}")
    axes.plot([min(levels), 1], [min(levels), 1], style.DASHES[3], color="#888888", linewidth=1,
              label="guessing")
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    if corner:
        axes.set_xscale("log")
        axes.set_yscale("log")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report", metavar="REPORT.json", help="what `assay tradeoff --json` printed; - for standard input")
    parser.add_argument("picture", metavar="FILE", help="FILE.svg, .png or .pdf")
    options = parser.parse_args(arguments)
    text = sys.stdin.read() if options.report == "-" else pathlib.Path(options.report).read_text(encoding="utf-8")
    report = json.loads(text)
    curves = series(report)
    style.apply()
    figure, (corner, whole) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
    mu = fitted_mu(curves)
    draw(corner, curves, mu, True)
    draw(whole, curves, mu, False)
    whole.legend(loc="lower right")
    phases = "; ".join(", ".join(f"{key.replace('_', ' ')} {value}" for key, value in phase.items())
                       for phase in report["phases"])
    figure.suptitle(f"{phases}; {report['adjacency']}", fontsize=9)
    figure.savefig(options.picture)


if __name__ == "__main__":
    main()
