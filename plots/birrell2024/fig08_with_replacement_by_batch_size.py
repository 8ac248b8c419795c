"""birrell2024 Figure 8: the lower bound with replacement at order 2 against |B|, logarithmic divergence."""
import style
from birrell2024 import looks


def draw(result, figure):
    axes = figure.add_subplot()
    bounds = [name for name in result.series_names if name.startswith("lower_bound_")]
    for name, colour in zip(bounds, style.PALETTE):
        exact = name.replace("lower_bound", "exact")
        axes.plot(result.values(name, "x"), result.values(name, "y"), color=colour, linewidth=3.5,
                  alpha=0.45, label=result.label(name))
        axes.plot(result.values(exact, "x"), result.values(exact, "y"), color=colour, linewidth=0.9)
    axes.plot([], [], color="#777777", linewidth=0.9, label="exact (thin)")
    axes.set_yscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(looks.ONE_STEP)
    axes.set_title(result.title)
    axes.legend(loc="center", bbox_to_anchor=(0.585, 0.40))
