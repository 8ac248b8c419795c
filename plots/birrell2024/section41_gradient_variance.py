"""birrell2024 Section 4.1: the variances of three batch means along a training run."""
import style

SIZE = (11.5, 4.9)
NAMES = ("poisson", "with_replacement", "without_replacement")


def draw(result, figure):
    variance, ratio, few = figure.subplots(1, 3)
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
        small = f"{name}_few"
        listed = f"{name}_enumerated"
        few.plot(epoch, result.values(small, "variance"), color=colour,
                 linestyle="--" if name == "with_replacement" else "-", label=result.label(small))
        few.plot(epoch, result.values(listed, "variance"), color=colour, marker="x",
                 linestyle="none", label="enumerated")
    few.set_xlabel("epoch")
    few.set_ylim(bottom=0)
    few.set_ylabel("the same of small batches")
    few.legend(fontsize=8)
    variance.set_ylabel("total variance of the batch mean")
    variance.set_yscale("log")
    ratio.set_ylabel("over that of Poisson batches")
    variance.legend()
    figure.suptitle(result.title, fontsize=11)
