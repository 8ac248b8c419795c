"""Width of the brackets by sampler and adjacency: a dot a run, the range of version 0.1 behind them."""
import style


def draw(result, figure):
    axes = figure.add_subplot()
    rows = result.parameters["row"]
    least = 1e-9
    for y, (name, row) in enumerate(zip(result.series_names, rows)):
        first = row.get("first_gap")
        if first:
            axes.plot(first, [y, y], color="#BBBBBB", linewidth=9.0, solid_capstyle="round",
                      label="version 0.1" if y == 0 else None)
        gaps = [max(gap, least) for gap in result.values(name, "gap")]
        axes.plot(gaps, [y] * len(gaps), "o", color=style.PALETTE[0],
                  label="now, four runs" if y == 0 else None)
    axes.axvline(1e-3, color=style.EXACT, linewidth=0.8, linestyle="--")
    axes.set_xscale("log")
    axes.set_xlim(right=1.2)
    axes.set_yticks(range(len(rows)), [result.label(name) for name in result.series_names])
    axes.invert_yaxis()
    axes.set_xlabel("(upper - lower) / upper (dashed: the gap that is asked for)")
    axes.set_title(result.title, loc="right")
    axes.legend(loc="lower left")
