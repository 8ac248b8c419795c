"""birrell2024 Figure 5: memory by epoch, live bytes of the training step and resident set."""
import style

SIZE = (10.0, 4.9)
COLOURS = {"fixed_size": style.PALETTE[0], "poisson": style.PALETTE[1],
           "balls_and_bins": style.PALETTE[2]}


def draw(result, figure):
    live, resident = figure.subplots(1, 2)
    for axes, column in ((live, "live_megabytes"), (resident, "resident_megabytes")):
        for name in result.series_names:
            sampler, path = name.rsplit("_", 1)
            axes.plot(result.values(name, "epoch"), result.values(name, column),
                      color=COLOURS[sampler], linestyle="-" if path == "materialised" else ":",
                      label=result.label(name))
        axes.set_xlabel("epoch")
        axes.set_ylim(bottom=0)
    live.set_ylabel("live bytes of the largest step (MB)")
    resident.set_ylabel("peak resident set of the process (MB)")
    live.legend(loc="center right", bbox_to_anchor=(1.0, 0.6))
    figure.suptitle(result.title, fontsize=11)
