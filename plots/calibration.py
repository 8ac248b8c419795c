#!/usr/bin/env python3
"""Draws the risk by the value that `assay calibrate` looked for, both sides as a band, with the limit and the answer.

    assay calibrate ... --plot FILE.svg
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import style  # noqa: E402  (the folder has to be known first)

RISKS = {"delta": "δ", "true_positive_rate": "true positive rate", "gaussian_mu": "μ", "advantage": "advantage"}


def target_text(report):
    if report["risk"] == "delta":
        return f"δ ≤ {report['limit']:g} at ε = {report['epsilon']:g}" if "epsilon" in report else f"δ ≤ {report['limit']:g}"
    return f"{RISKS[report['risk']]} ≤ {report['limit']:g}"


def draw(axes, report):
    points = [point for point in report["points"] if math.isfinite(float(point["upper"]))]
    values = [point["value"] for point in points]
    lower, upper = ([float(point[side]) for point in points] for side in ("lower", "upper"))
    least = min((x for x in [*upper, report["limit"]] if x > 0), default=1e-300)
    below = [max(x, 0.1 * least) for x in lower]  # nothing is below a logarithmic axis
    axes.fill_between(values, below, upper, color=style.PALETTE[0], alpha=0.3, linewidth=0)
    axes.plot(values, upper, "o-", markersize=3, color=style.PALETTE[0], label="certified, both sides")
    axes.plot(values, below, color=style.PALETTE[0], linewidth=0.8)
    axes.axhline(report["limit"], color="#555555", linestyle="--", linewidth=1, label=target_text(report))
    name = report["parameter"].replace("_", " ")
    axes.axvline(report["enough"], color=style.PALETTE[1], linewidth=1.2, label=f"{name} {report['enough']:.6g} is enough")
    refused = float(report["not_enough"])
    if 0 < refused < math.inf:
        axes.axvline(refused, color=style.PALETTE[1], linestyle=":", linewidth=1.2, label=f"{refused:.6g} is not")
    axes.set_yscale("log")
    axes.set_xlabel(name)
    axes.set_ylabel(RISKS[report["risk"]])
    axes.legend()


if __name__ == "__main__":
    style.report_command(__doc__, lambda report: style.report_figure(report, draw))
