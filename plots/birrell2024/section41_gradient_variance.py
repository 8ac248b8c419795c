"""birrell2024 Section 4.1: the variances of three batch means along a training run."""
import style

SIZE = (10.0, 4.9)
NAMES = ("poisson", "with_replacement", "without_replacement")


def draw(result, figure):
    variance, ratio = figure.subplots(1, 2)
    base = result.values("poisson", "variance")
    for name, colour, marker in zip(NAMES, style.PALETTE, "os^"):
        epoch = result.values(name, "epoch")
        exact = result.values(name, "variance")
        simulated = f"{name}_simulated"
        found = result.values(simulated, "variance")
        error = [2 * x for x in result.values(simulated, "standard_error")]
        for axes, scale in ((variance, [1.0] * len(base)), (ratio, base)):
            axes.plot(epoch, [x / s for x, s in zip(exact, scale)], color=colour,
                      linestyle="--" if name == "with_replacement" else "-",
                      label=result.label(name))
            axes.errorbar(epoch, [x / s for x, s in zip(found, scale)],
                          [x / s for x, s in zip(error, scale)], color=colour, marker=marker,
                          linestyle="none", markersize=4, capsize=2)
            axes.set_xlabel("epoch")
    variance.set_ylabel("total variance of the batch mean")
    variance.set_yscale("log")
    ratio.set_ylabel("over that of Poisson batches")
    variance.legend()
    figure.suptitle(result.title, fontsize=11)
