"""epsilon of sampling with replacement in the settings of birrell2024 Figures 1, 8 and 9."""
import style

SIZE = (10.5, 4.2)
NAMES = {"noise_multiplier": "σ", "batch_size": "|B|", "delta": "δ", "sampling_probability": "q"}


def points(result, series, number, column, value):
    """[{column: number}] of a series in one panel, where `column` has `value`."""
    names = ("figure", "noise_multiplier", "batch_size", "delta", "lower", "upper")
    rows = [dict(zip(names, row)) for row in zip(*(result.values(series, name) for name in names))]
    return [row for row in rows if row["figure"] == number and row[column] == value]


def draw_panel(axes, result, panel):
    """Against the batch size where there is one delta, else against delta; a colour each other value."""
    values = {"noise_multiplier": panel["noise_multipliers"], "batch_size": panel["batch_sizes"],
              "delta": panel["deltas"], "sampling_probability": [panel["sampling_probability"]]}
    x = "delta" if len(values["delta"]) > 1 else "batch_size"
    by = "noise_multiplier" if x == "batch_size" else "batch_size"
    for value, colour in zip(values[by], style.PALETTE):
        renyi, known, without = (points(result, series, panel["figure"], by, value)
                                 for series in ("renyi", "with_replacement", "without_replacement"))
        axes.plot([row[x] for row in renyi], [row["upper"] for row in renyi], "--", color=colour,
                  label=f"{NAMES[by]} = {value:g}")
        axes.fill_between([row[x] for row in known], [row["lower"] for row in known],
                          [row["upper"] for row in known], color=colour, linewidth=3.5, alpha=0.45)
        axes.plot([row[x] for row in without], [row["upper"] for row in without], ":",
                  color=style.EXACT, linewidth=1.0)
    axes.set_xscale("log" if x == "delta" else "linear")
    axes.set_yscale("log")
    axes.set_xlabel(NAMES[x])
    fixed = [f"{name} = {values[key][0]:g}" for key, name in NAMES.items() if len(values[key]) == 1]
    axes.set_title(f"Figure {panel['figure']}: {', '.join(fixed)}", fontsize="small")
    axes.legend(fontsize="x-small", loc="upper right" if x == "delta" else "upper left")


def draw(result, figure):
    panels = result.parameters["panel"]
    axes = figure.subplots(1, len(panels), sharey=True)
    for one, panel in zip(axes, panels):
        draw_panel(one, result, panel)
    last = axes[-1]
    last.plot([], [], "--", color=style.EXACT, linewidth=1.0, label="from Rényi divergences")
    last.plot([], [], ":", color=style.EXACT, linewidth=1.0, label="without replacement")
    last.fill_between([], [], [], color=style.EXACT, alpha=0.45, label="with replacement, both sides")
    last.legend(fontsize="x-small", loc="upper right")
    axes[0].set_ylabel(f"ε after {result.parameters['steps']} steps")
    figure.suptitle(result.title)
