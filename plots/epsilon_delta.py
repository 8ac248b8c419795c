#!/usr/bin/env python3
"""Draws delta over epsilon, both sides as a band, and the answer of `assay epsilon --plot` or `assay delta --plot` on it.

    assay epsilon ... --plot FILE.svg
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import style  # noqa: E402  (the folder has to be known first)


def draw(axes, report):
    points = report["points"]
    epsilons = [point["epsilon"] for point in points]
    lower, upper = ([float(point[side]) for point in points] for side in ("lower", "upper"))
    least = min((x for x in upper if x > 0), default=1e-300)
    below = [max(x, 0.1 * least) for x in lower]  # nothing is below a logarithmic axis
    axes.fill_between(epsilons, below, upper, color=style.PALETTE[0], alpha=0.3, linewidth=0)
    axes.plot(epsilons, upper, color=style.PALETTE[0], label="certified, both sides")
    axes.plot(epsilons, below, color=style.PALETTE[0], linewidth=0.8)
    answer = report["answer"]
    (left, right), (low, high) = answer["epsilon"], answer["delta"]
    if float(left) == float(right):
        name = f"δ in [{float(low):.5g}, {float(high):.5g}] at ε = {float(left):g}"
    else:
        name = f"ε in [{float(left):.5g}, {float(right):.5g}] at δ = {float(high):g}"
    axes.plot([float(left), float(right)], [max(float(low), 0.1 * least), float(high)], "o-", color=style.PALETTE[1],
              markersize=4, label=name)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5 * least)
    axes.set_xlim(0, epsilons[-1])
    axes.set_xlabel("ε")
    axes.set_ylabel("δ")
    axes.legend()


if __name__ == "__main__":
    style.report_command(__doc__, lambda report: style.report_figure(report, draw))
