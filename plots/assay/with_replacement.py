"""epsilon of sampling with replacement in the settings of birrell2024 Figures 1, 8 and 9."""
import style

SIZE = (10.5, 4.2)
PANELS = {1: ("delta", "δ", "noise multiplier 6, q = 0.001, by |B|", "batch_size", "|B| = {:g}"),
          8: ("batch_size", "batch size |B|", "δ = 1e-6, q = 0.001, by σ", "noise_multiplier", "σ = {:g}"),
          9: ("delta", "δ", "noise multiplier 6, |B| = 120, |D| = 50 000", "batch_size", "|B| = {:g}")}


def points(result, name, number, column, value):
    """[{column: number}] of a series in one panel, where `column` has `value`."""
    names = ("figure", "noise_multiplier", "batch_size", "delta", "lower", "upper")
    rows = [dict(zip(names, row)) for row in zip(*(result.values(name, one) for one in names))]
    return [row for row in rows if row["figure"] == number and row[column] == value]


def draw(result, figure):
    axes = figure.subplots(1, len(PANELS), sharey=True)
    for panel, (number, (x, x_label, title, by, label)) in zip(axes, PANELS.items()):
        groups = sorted({value for value, row in zip(result.values("renyi", by),
                                                     result.values("renyi", "figure")) if row == number})
        for value, colour in zip(groups, style.PALETTE):
            renyi = points(result, "renyi", number, by, value)
            panel.plot([row[x] for row in renyi], [row["upper"] for row in renyi], "--", color=colour,
                       label=label.format(value))
            known = points(result, "with_replacement", number, by, value)
            panel.fill_between([row[x] for row in known], [row["lower"] for row in known],
                               [row["upper"] for row in known], color=colour, linewidth=3.5, alpha=0.45)
            without = points(result, "without_replacement", number, by, value)
            panel.plot([row[x] for row in without], [row["upper"] for row in without], ":",
                       color=style.EXACT, linewidth=1.0)
        panel.set_xscale("log" if x == "delta" else "linear")
        panel.set_yscale("log")
        panel.set_xlabel(x_label)
        panel.set_title(f"Figure {number}: {title}", fontsize="small")
        panel.legend(fontsize="x-small", loc="upper right" if x == "delta" else "upper left")
    axes[0].set_ylabel("ε after 100 000 steps")
    for style_of, label in (("--", "from Rényi divergences"), (":", "without replacement")):
        axes[2].plot([], [], style_of, color=style.EXACT, linewidth=1.0, label=label)
    axes[2].fill_between([], [], [], color=style.EXACT, alpha=0.45, label="with replacement, both sides")
    axes[2].legend(fontsize="x-small", loc="upper right")
    figure.suptitle(result.title)
