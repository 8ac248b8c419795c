"""birrell2024 Figure 9: upper and lower bounds with replacement, logarithmic divergence."""
import style
from birrell2024 import looks

STYLES = {
    "theorem_3_6": {"color": style.PALETTE[0]},
    "lower_bound": {**looks.CIRCLES, "color": style.PALETTE[1], "markersize": 7},
    "theorem_3_3": {"color": style.PALETTE[2], "linestyle": "--"},
    "exact": looks.EXACT,
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_yscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title)
    axes.legend(loc="center right")
