"""birrell2024 Figure 5: memory by epoch, live bytes of the training step and resident set."""
import style

SIZE = (10.0, 5.4)
LOOKS = {"fixed_size": (style.PALETTE[0], "-"), "with_replacement": (style.PALETTE[3], "--"),
         "deterministic": (style.PALETTE[4], "-."), "shuffle": (style.PALETTE[5], ":"),
         "poisson": (style.PALETTE[1], "-"), "balls_and_bins": (style.PALETTE[2], "-")}


def draw(result, figure):
    panels = figure.subplots(1, 3)
    materialised = [name for name in result.series_names if name.endswith("_materialised")]
    streamed = [name for name in result.series_names if name.endswith("_streamed")]
    for axes, column, names in zip(panels, ("live_megabytes", "live_megabytes", "resident_megabytes"),
                                   (materialised, streamed, result.series_names)):
        for name in names:
            sampler, path = name.rsplit("_", 1)
            colour, line = LOOKS[sampler]
            axes.plot(result.values(name, "epoch"), result.values(name, column), color=colour,
                      linestyle=line, label=result.label(name),
                      linewidth=0.9 if axes is panels[2] and path == "streamed" else 1.6)
        axes.set_xlabel("epoch")
        axes.set_ylim(bottom=0)
    panels[0].set_ylabel("live bytes of the largest step (MB)")
    panels[0].set_title("gradients materialised", fontsize=9.5)
    panels[1].set_title("gradients streamed", fontsize=9.5)
    panels[2].set_title("peak resident set of the process (MB)", fontsize=9.5)
    for axes in panels[:2]:
        axes.legend(loc="lower left")
    figure.suptitle(result.title, fontsize=11)
