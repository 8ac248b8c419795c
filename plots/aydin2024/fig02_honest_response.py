"""aydin2024 Figure 2: P(Y = X) against the ratio of neighbouring probabilities, by k."""
import style
from aydin2024 import looks

SIZE = (10.5, 8.0)


def draw(result, figure):
    epsilons = looks.settings(result, "epsilon")
    grid = figure.subplots(2, len(epsilons), squeeze=False)
    for variant, line in zip(looks.VARIANTS, grid):
        for epsilon, axes in zip(epsilons, line):
            names = [name for name in result.series_names if name.startswith(variant)]
            broken = False
            for i, name in enumerate(names):
                here = result.values(name, "epsilon") == epsilon
                size = name.rsplit("_k", 1)[1]
                true = result.values(name, "true_epsilon")[here].max()
                warning = looks.exceeds(true, epsilon)
                broken = broken or warning
                axes.plot(result.values(name, "ratio")[here], result.values(name, "upper")[here],
                          color=style.PALETTE[i], linestyle=style.DASHES[i],
                          label=f"k = {size}" + (" (SRR)" if size == "0" else "")
                          + (f", not ε-LDP: true ε = {true:.3f}" if warning else ""))
            title = f"{looks.VARIANTS[variant]}, ε = {epsilon:g}"
            axes.set_title(title + (": not ε-LDP where the legend says so" if broken else ""),
                           color="#A00000" if broken else "black")
            axes.set_xlabel("θ(i) / θ(i+1)")
            axes.set_ylabel("P(Y = X)")
            axes.set_ylim(0, 1)
            axes.set_xlim(1, 3)
            axes.legend(loc="best", fontsize=8)
    figure.suptitle(result.title, fontsize=12)
