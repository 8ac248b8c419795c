"""aydin2024 Table 1: seconds for choosing S against K, with the fitted exponents."""
import style

SIZE = (10.5, 5.6)


def draw(result, figure):
    names = [name for name in result.series_names if not name.endswith("_dense")]
    closed, dense = figure.subplots(1, 2)
    for axes, suffix, title in ((closed, "", "closed forms, all k at once"),
                                (dense, "_dense", "dense matrices, one k at a time")):
        for i, name in enumerate(names):
            series = name + suffix
            if series not in result.series_names:
                continue
            exponent, printed = result.values(series, "exponent")[0], result.values(series, "printed_order")[0]
            axes.plot(result.values(series, "categories"), result.values(series, "seconds"),
                      color=style.PALETTE[i], linestyle=style.DASHES[i % len(style.DASHES)], marker="o",
                      markersize=3, label=f"{result.label(name)}: K^{exponent:.2f} (paper K^{printed:g})")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("K, categories")
        axes.set_ylabel("seconds to choose S")
        axes.set_title(title)
        axes.legend(fontsize=7.5)
    figure.suptitle(result.title, fontsize=12)
