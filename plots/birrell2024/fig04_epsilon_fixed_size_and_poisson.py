"""birrell2024 Figure 4, its panel on privacy: epsilon against delta, logarithmic delta."""
import style
from birrell2024 import looks

SIZE = (6.4, 4.9)
STYLES = {
    "theorem_3_4": {"color": style.PALETTE[0]},
    "wang_upper": {"color": style.PALETTE[3], "linestyle": "--"},
    "theorem_c_9_as_printed": {"color": style.PALETTE[1]},
    "theorem_c_9_repaired": {"color": style.PALETTE[1], "linestyle": ":"},
    "exact_fixed_size": looks.EXACT,
    "exact_poisson": {**looks.EXACT, "linestyle": "-."},
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_xscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(result.unit("y"))
    axes.set_ylim(0, 4.6)
    axes.set_title(result.title)
    axes.legend(loc="lower left", ncols=2, fontsize=8)
    looks.magnify(axes, result, STYLES, (0.66, 0.64, 0.33, 0.34), (4e-6, 2.5e-5), (0.98, 1.17))
