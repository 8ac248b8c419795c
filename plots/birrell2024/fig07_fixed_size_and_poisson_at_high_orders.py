"""birrell2024 Figure 7: fixed-size and Poisson sampling at high orders, linear axes."""
import style
from birrell2024 import looks

SIZE = (6.4, 5.2)
STYLES = {
    "theorem_3_4": {"color": style.PALETTE[0]},
    "theorem_c_9_as_printed": {"color": style.PALETTE[1], "linestyle": "--"},
    "theorem_c_9_repaired": {"color": style.PALETTE[1], "linestyle": ":"},
    "wang_upper": {"color": style.PALETTE[3], "linestyle": "-."},
    "wang_lower": looks.CIRCLES,
    "exact_fixed_size": looks.EXACT,
    "exact_poisson": {**looks.EXACT, "linestyle": (0, (1, 1.5))},
}


def draw(result, figure):
    axes = figure.add_subplot()
    style.plot_series(axes, result, "x", "y", STYLES)
    axes.set_ylim(0, 1.35e-4)  # room for the legend
    axes.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title, pad=14)
    axes.legend(loc="upper center", ncols=2, fontsize=8)
    window = looks.magnify(axes, result, STYLES, (0.30, 0.25, 0.40, 0.29), (54, 57), (1.7e-5, 2.25e-5))
    window.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    window.yaxis.get_offset_text().set_fontsize(7)
