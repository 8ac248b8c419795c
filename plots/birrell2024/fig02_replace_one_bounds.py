"""birrell2024 Figure 2: Theorem 3.4 between the bounds of Wang et al., logarithmic divergence."""
import style
from birrell2024 import looks

STYLES = {
    "theorem_3_4_m3": {"color": style.PALETTE[0]},
    "theorem_3_4_m4": {"color": style.PALETTE[1]},
    "theorem_3_4_m5": {"color": style.PALETTE[2]},
    "wang_upper": {"color": style.PALETTE[3], "linestyle": "--"},
    "wang_lower": looks.CIRCLES,
    "exact": looks.EXACT,
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_yscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title)
    axes.legend(loc="lower right")
