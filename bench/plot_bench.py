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
FAMILIES = {"without_replacement": "fixed size, without replacement", "theorem": "its published bounds",
            "wang": "its published bounds", "with_replacement": "fixed size, with replacement",
            "poisson": "Poisson", "conversion": "conversion to ε at δ"}


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
    """One point a benchmark that reports a width."""
    points = {name: run for name, run in medians.items()
              if run.get("relative_width") and not name.startswith(SERIES)}
    colours = {label: style.PALETTE[i % len(style.PALETTE)]
               for i, label in enumerate(dict.fromkeys(FAMILIES.values()))}
    drawn = set()
    below = False
    for name, run in sorted(points.items(), key=lambda item: item[1]["microseconds"]):
        label = family(name)
        x = run["microseconds"] / run["orders_per_call"]
        axes.plot(x, run["relative_width"], "o", color=colours.get(label, "#555555"),
                  label=None if label in drawn else label)
        axes.annotate(name.replace("_", " "), (x, run["relative_width"]), fontsize=6,
                      textcoords="offset points", xytext=(5, -7 if below else 4))
        below = not below
        drawn.add(label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("CPU time per order (µs), median")
    axes.set_ylabel("certified relative width, largest over the orders")
    axes.set_title("Accuracy against time")
    axes.margins(x=0.25, y=0.12)
    axes.legend(fontsize=7)


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
    figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 5.4), width_ratios=[2, 1],
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
