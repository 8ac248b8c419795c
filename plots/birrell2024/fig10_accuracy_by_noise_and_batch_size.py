"""birrell2024 Figure 10: test accuracy by epoch, (a) by noise multiplier, (b) by batch size."""
from birrell2024 import training

SIZE = (11.0, 6.4)


def draw(result, figure):
    settings = [name.removeprefix("fixed_size_") for name in result.series_names
                if name.startswith("fixed_size_")]
    grid = figure.subplots(2, 4, sharey=True, sharex=True)
    for axes, setting in zip(grid.flat, settings):
        for sampler in ("fixed_size", "poisson"):
            name = f"{sampler}_{setting}"
            label, title = result.label(name).rsplit(", ", 1)
            training.shaded(axes, result, name, label=label, color=training.COLOURS[sampler])
            axes.set_title(title)
    for axes, letter in zip(grid[:, 0], "ab"):
        axes.set_ylabel(f"({letter})  test accuracy (%)")
    for axes in grid[-1]:
        axes.set_xlabel("epoch")
    grid[0, 3].legend(loc="upper left")
    figure.suptitle(result.title, fontsize=11)
