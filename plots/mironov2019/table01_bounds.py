"""mironov2019 Table 1 as a picture: a panel for each row of the table, a cell for each (q, σ, α).

The number in a cell is bound / exact value; an empty cell is one that the row says nothing about.
"""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

SIZE = (13.5, 6.2)
TITLES = {
    "abadi_leading_term": "1  Abadi et al.\n$q^2\\alpha/((1-q)\\sigma^2)$, asymptotic",
    "abadi_integer_sum": "2  Abadi et al.\nnumerical, integer $\\alpha$",
    "bun_fixed_size": "3  Bun et al.\n$6q^2\\alpha/\\sigma^2$, fixed-size sample",
    "theorem_11": "4  Theorem 11\n$2q^2\\alpha/\\sigma^2$",
    "numerical_procedure": "5  Section 3.3\nnumerical, any $\\alpha$",
}


def draw(result, figure):
    settings = [(q, sigma) for q in result.parameters["q"] for sigma in result.parameters["sigma"]]
    orders = result.parameters["alpha"]
    panels = figure.subplots(1, len(TITLES), sharey=True)
    colours = plt.get_cmap("viridis_r").with_extremes(bad="#F2F2F2")
    norm = LogNorm(1.0, 12.0)
    for axes, (name, title) in zip(panels, TITLES.items()):
        # Rows come in the order of the loops q, σ, α.
        ratio = result.values(name, "ratio_lower").reshape(len(settings), len(orders))
        applies = result.values(name, "applies").reshape(ratio.shape) > 0
        shown = np.ma.masked_where(~applies, ratio)
        image = axes.imshow(shown, norm=norm, cmap=colours, aspect="auto")
        for row, column in zip(*np.nonzero(applies)):
            value = ratio[row, column]
            axes.text(column, row, f"{value:.2f}" if value < 10 else f"{value:.1f}", ha="center",
                      va="center", fontsize=7, color="white" if value > 3.2 else "black")
        axes.set_title(title, fontsize=9)
        axes.set_xticks(range(len(orders)), [f"{order:g}" for order in orders], fontsize=8, rotation=60)
        axes.set_xlabel("order α")
        axes.set_yticks(range(len(settings)), [f"q = {q:g}, σ = {sigma:g}" for q, sigma in settings],
                        fontsize=8)
        axes.grid(False)
        for line in range(1, len(result.parameters["q"])):
            axes.axhline(line * len(result.parameters["sigma"]) - 0.5, color="white", linewidth=2)
    figure.suptitle(result.title, fontsize=11)
    figure.colorbar(image, ax=panels, label="bound / exact", ticks=[1, 2, 3, 4, 6, 8, 12],
                    format="%g", shrink=0.8)
