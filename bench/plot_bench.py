#!/usr/bin/env python3
"""Draws a measurement of assay-bench: certified relative width against time per order.

    plot_bench.py [MEASUREMENT.json]      default: the newest in results/latest/bench

Writes a PNG and a PDF beside the measurement.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plots"))
sys.dont_write_bytecode = True

MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
SERIES = "with_replacement_by_batch_size"
FAMILIES = {"without_replacement": "without replacement", "theorem": "published bounds",
            "wang": "published bounds", "with_replacement": "with replacement", "poisson": "Poisson"}


def read(path):
    """The context, and the median of every benchmark: CPU time in µs and its counters."""
    content = json.loads(path.read_text(encoding="utf-8"))
    medians = {}
    for run in content["benchmarks"]:
        if run.get("aggregate_name", "median") != "median" or "cpu_time" not in run:
            continue
        if run.get("error_occurred"):
            continue
        medians[run["run_name"]] = {**run, "microseconds": run["cpu_time"] * MICROSECONDS[run["time_unit"]]}
    return content["context"], medians


def family(name):
    return next((label for prefix, label in FAMILIES.items() if name.startswith(prefix)), "other")


def draw_width(axes, medians, style):
    """One numbered point a benchmark that reports a width, and the list of their names."""
    points = sorted((run["microseconds"] / run["orders_per_call"], name, run["relative_width"])
                    for name, run in medians.items()
                    if run.get("relative_width") and not name.startswith((SERIES, "conversion")))
    labels = list(dict.fromkeys(family(name) for _, name, _ in points))
    colours = {label: style.PALETTE[i % len(style.PALETTE)] for i, label in enumerate(labels)}
    for number, (x, name, width) in enumerate(points, 1):
        axes.plot(x, width, "o", color=colours[family(name)],
                  label=f"{number:2}  {name.replace('_', ' ')}: {x:.3g} µs")
        axes.annotate(str(number), (x, width), fontsize=8, ha="center", va="bottom",
                      textcoords="offset points", xytext=(5 if number % 2 else -5, 3 + 5 * (number % 3)))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("CPU time per order (µs), median")
    axes.set_ylabel("certified relative width, largest over the orders")
    axes.set_title("Accuracy against time")
    axes.margins(y=0.12)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0), handletextpad=0.2)


def draw_growth(axes, medians, style):
    """Time of the curve with replacement against |B|, beside a line of slope 1."""
    sizes = sorted((int(name.rsplit("/", 1)[1]), run["microseconds"]) for name, run in medians.items()
                   if name.startswith(SERIES + "/"))
    axes.set_title("With replacement, |B|/|D| fixed")
    axes.set_xlabel("batch size |B|")
    axes.set_ylabel("CPU time of the curve (µs), median")
    if not sizes:
        return
    x, y = zip(*sizes)
    axes.loglog(x, y, "o-", color=style.PALETTE[0], label="measured")
    axes.loglog(x, [y[0] * size / x[0] for size in x], "--", color="#999999", label="linear in |B|")
    axes.legend(fontsize=7)


def main():
    if len(sys.argv) > 2:
        print("plot_bench.py: one argument at most, the measurement", file=sys.stderr)
        return 2
    if len(sys.argv) == 2:
        path = pathlib.Path(sys.argv[1])
    else:
        found = sorted((ROOT / "results/latest/bench").glob("*.json"), key=lambda p: p.stat().st_mtime)
        path = found[-1] if found else pathlib.Path("results/latest/bench/*.json")
    try:
        context, medians = read(path)
    except (OSError, ValueError, KeyError) as error:
        print(f"plot_bench.py: {path}: {error}", file=sys.stderr)
        return 2
    import matplotlib.pyplot as plt
    import style
    style.apply()
    figure, (left, right) = plt.subplots(1, 2, figsize=(14.0, 5.2), width_ratios=[3, 2],
                                         layout="constrained")
    draw_width(left, medians, style)
    draw_growth(right, medians, style)
    said = " · ".join(f"{key} {context[key]}" for key in ("commit", "compiler", "cpu", "threads")
                      if key in context)
    figure.supxlabel(said, fontsize=6.5, color="#555555")
    for suffix in (".png", ".pdf"):
        figure.savefig(path.with_suffix(suffix))
    print(f"drew {path.with_suffix('.png')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
