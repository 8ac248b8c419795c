"""delta against epsilon in the setting of birrell2024 Figure 4: brackets as bands, bounds as lines."""
import style


def draw(result, figure):
    axes = figure.add_subplot()
    colours = dict(zip(result.series_names, [style.PALETTE[0], style.PALETTE[5], style.PALETTE[1],
                                             style.PALETTE[2]]))
    for name in result.series_names:
        x, low, high = (result.values(name, column) for column in ("x", "lower", "upper"))
        if name == "fixed_size_renyi":
            axes.plot(x, high, color=colours[name], linestyle="--", label=result.label(name))
            continue
        axes.fill_between(x, low, high, color=colours[name], alpha=0.4, linewidth=0)
        axes.plot(x, high, color=colours[name], label=result.label(name))
        axes.plot(x, low, color=colours[name], linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xlabel(result.unit("x"))
    axes.set_ylabel(result.unit("upper"))
    axes.set_title(result.title)
    axes.legend(loc="lower left")
