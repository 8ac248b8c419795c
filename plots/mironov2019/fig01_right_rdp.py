"""mironov2019 Figure 1 right: ε against the order, both axes logarithmic; one panel for each σ."""
from matplotlib.lines import Line2D

import style

SIZE = (9.6, 4.6)
KINDS = {
    "exact": ("exact", {"linestyle": "-", "linewidth": 1.6}),
    "theorem_11": ("Theorem 11, where it applies", {"linestyle": "--", "linewidth": 1.6}),
    "exact_addition": ("exact, addition direction", {"linestyle": ":", "linewidth": 1.2}),
}
UNSAMPLED = {"color": style.EXACT, "linestyle": "-.", "linewidth": 0.9}


def draw(result, figure):
    sigmas = result.parameters["sigma"]
    colours = dict(zip(result.parameters["q"], style.PALETTE))
    panels = figure.subplots(1, len(sigmas), sharey=True)
    figure.suptitle(result.title, fontsize=11)
    for axes, sigma in zip(panels, sigmas):
        name = f"unsampled_sigma_{sigma:g}_q_1"
        axes.plot(result.values(name, "x"), result.values(name, "y"), **UNSAMPLED)
        for q, colour in colours.items():
            for kind, (_, look) in KINDS.items():
                name = f"{kind}_sigma_{sigma:g}_q_{q:g}"
                axes.plot(result.values(name, "x"), result.values(name, "y"), color=colour, **look)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(result.unit("x"))
        axes.set_title(f"σ = {sigma:g}", fontsize=10)
    panels[0].set_ylabel(f"Rényi divergence ε ({result.unit('y')})")
    kinds = [Line2D([], [], color="#555555", label=label, **look) for label, look in KINDS.values()]
    kinds.append(Line2D([], [], label="without sampling", **UNSAMPLED))
    panels[0].legend(handles=kinds, loc="lower right", fontsize=8)
    panels[1].legend(handles=[Line2D([], [], color=colour, label=f"q = {q:g}")
                              for q, colour in colours.items()], loc="lower right", fontsize=8)
