"""birrell2024 Figure 1: lower bounds with replacement against the order, logarithmic divergence."""
import style
from birrell2024 import looks


def draw(result, figure):
    axes = figure.add_subplot()
    bounds = [name for name in result.series_names if name.startswith("lower_bound_")]
    for name, colour in zip(bounds, style.PALETTE):
        exact = name.replace("lower_bound", "exact")
        axes.plot(result.values(exact, "x"), result.values(exact, "y"), "--", color=colour,
                  linewidth=1.0)
        axes.plot(result.values(name, "x"), result.values(name, "y"), "-o", color=colour,
                  markersize=4, label=result.label(name))
    axes.plot([], [], "--", color="#777777", linewidth=1.0, label="exact, any order (same colour)")
    flat = "exact_without_replacement"
    axes.plot(result.values(flat, "x"), result.values(flat, "y"), ":", color=style.EXACT,
              label=result.label(flat))
    axes.set_yscale("log")
    axes.set_ylim(bottom=1e-11)  # room for the legend
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title)
    axes.legend(loc="lower right", ncols=2)
