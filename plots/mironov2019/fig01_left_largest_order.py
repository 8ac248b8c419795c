"""mironov2019 Figure 1 left: the largest order against the sampling probability, both axes logarithmic."""
import style

KINDS = {
    "condition_4": {"linestyle": "--", "linewidth": 1.1},
    "condition_5": {"linestyle": ":", "linewidth": 1.4},
    "minimum": {"linestyle": "-", "linewidth": 2.6, "alpha": 0.45},
    "exact": {"linestyle": "-", "linewidth": 1.6},
}


def draw(result, figure):
    axes = figure.subplots()
    colours = dict(zip(result.parameters["sigma"], [style.PALETTE[0], style.PALETTE[1]]))
    for sigma, colour in colours.items():
        for kind, look in KINDS.items():
            name = f"{kind}_sigma_{sigma:g}"
            axes.plot(result.values(name, "x"), result.values(name, "y"), color=colour,
                      label=result.label(name), **look)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(top=6e4)  # room for the legend
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel("largest " + result.unit("y"))
    axes.set_title(result.title)
    axes.legend(ncols=2, loc="upper right")
