"""aydin2024 Theorem 3: posterior mass outside the shrinking ball against the number of answers."""
import numpy as np
import style
from aydin2024 import looks

SIZE = (7.4, 5.2)


def draw(result, figure):
    axes = figure.subplots()
    for i, power in enumerate(looks.settings(result, "power")):
        for name, dash in zip(result.series_names, ("-", "--")):
            here = result.values(name, "power") == power
            mass = result.values(name, "outside")[here]
            axes.errorbar(result.values(name, "users")[here], np.where(mass > 0, mass, np.nan),
                          yerr=result.values(name, "standard_error")[here], capsize=2, elinewidth=0.8,
                          color=style.PALETTE[i], linestyle=dash, marker="o", markersize=3.5,
                          label=f"a = {power:g}, {result.label(name)}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("n, answers")
    axes.set_ylim(bottom=1e-7)
    axes.set_ylabel("posterior mass outside the ball")
    axes.legend(loc="lower right", ncols=2, fontsize=7.5)
    axes.set_title(result.title)
