#!/usr/bin/env python3
"""Draws what `assay compare --json` prints: for each sampler the noise multiplier that is enough, or its epsilon, as a
bar, and the lower side as a line; grey where it stands under another adjacency than the one asked for.

    assay compare ... --plot FILE.svg
    assay compare ... --json | plots/compare.py - FILE.svg
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import style  # noqa: E402  (the folder has to be known first)
import matplotlib.pyplot as plt  # noqa: E402


def number(side):
    """Sides of the noise are numbers, those of epsilon have theorems."""
    return float(side["value"] if isinstance(side, dict) else side)


def sides(row):
    found = row.get("noise_multiplier") or row.get("epsilon")
    return (number(found["lower"]), number(found["upper"])) if found else None


def draw(axes, report):
    wanted = report.get("adjacency")
    rows = report["samplers"]
    largest = max((found[1] for found in map(sides, rows) if found and math.isfinite(found[1])), default=1)
    for place, row in enumerate(rows):
        found = sides(row)
        if not found or not math.isfinite(found[1]):
            text = "no finite upper side" if found else row.get("refused", "refused")
            axes.text(0.01 * largest, place, text, va="center", fontsize=8)
            continue
        is_wanted = wanted is None or row["adjacency"] == wanted
        axes.barh(place, found[1], height=0.55, color=style.PALETTE[0] if is_wanted else "#999999", alpha=0.85)
        axes.plot([found[0], found[0]], [place - 0.28, place + 0.28], color="#000000", linewidth=1.2)
        axes.text(found[1] + 0.01 * largest, place, f"{found[1]:.4g}", va="center", fontsize=8)
    axes.set_yticks(range(len(rows)), [f"{row['sampling']}\n{row['adjacency']}" for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.12 * largest)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(report.get("title", "upper side") + "  (black: lower side)")


def picture(report):
    figure, axes = plt.subplots(figsize=(7.2, 0.9 + 0.45 * len(report["samplers"])), layout="constrained")
    draw(axes, report)
    figure.suptitle(f"{report['dataset_size']} records, batches of {report['batch_size']}, epochs: {report['epochs']}",
                    fontsize=9)
    return figure


if __name__ == "__main__":
    style.report_command(__doc__, picture)
