"""birrell2024 Figure 6: Theorem 3.3 with m = 3 and m = 4, logarithmic divergence."""
import style
from birrell2024 import looks

STYLES = {
    "theorem_3_3_m3": {"color": style.PALETTE[0]},
    "theorem_3_3_m4": {"color": style.PALETTE[1]},
    "exact": {**looks.EXACT, "linestyle": "--"},
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_yscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title)
    axes.legend(loc="lower right")
    window = looks.magnify(axes, result, STYLES, (0.34, 0.30, 0.28, 0.28), (55, 64), (1.85e-5, 2.4e-5))
    window.set_yticks([1.9e-5, 2.1e-5, 2.3e-5], ["1.9e-5", "2.1e-5", "2.3e-5"])
