"""birrell2024 Figure 3: epsilon against delta, logarithmic delta."""
import style
from birrell2024 import looks

STYLES = {
    "theorem_3_4_m3": {"color": style.PALETTE[0]},
    "theorem_3_4_m4": {"color": style.PALETTE[1], "linewidth": 3.0, "alpha": 0.6},
    "theorem_3_4_m5": {"color": style.PALETTE[2], "linewidth": 1.1},
    "wang_upper": {"color": style.PALETTE[3], "linestyle": "--"},
    "wang_lower": looks.CIRCLES,
    "exact": looks.EXACT,
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_xscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(result.unit("y"))
    axes.set_ylim(bottom=0)
    axes.set_title(result.title)
    axes.legend(loc="lower left", ncols=2)
