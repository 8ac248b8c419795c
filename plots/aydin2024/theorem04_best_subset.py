"""aydin2024 Theorem 4: frequency of the best subset against the number of users."""
import style
from aydin2024 import looks

SIZE = (7.4, 5.2)


def draw(result, figure):
    axes = figure.subplots()
    for i, epsilon in enumerate(looks.settings(result, "epsilon")):
        for name, dash in zip(result.series_names, ("-", "--")):
            here = result.values(name, "epsilon") == epsilon
            best = result.values(name, "best_size")[here][0]
            axes.errorbar(result.values(name, "users")[here], result.values(name, "frequency")[here],
                          yerr=result.values(name, "standard_error")[here], capsize=2, elinewidth=0.8,
                          color=style.PALETTE[i], linestyle=dash, marker="o", markersize=3.5,
                          label=f"ε = {epsilon:g} (|S*| = {best:g}), {result.label(name)}")
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("t, users")
    axes.set_ylabel("frequency of S_t = S*")
    axes.legend(loc="lower right")
    axes.set_title(result.title)
