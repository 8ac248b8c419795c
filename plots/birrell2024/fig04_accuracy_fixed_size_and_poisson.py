"""birrell2024 Figure 4, right panel: test accuracy by epoch, fixed-size against Poisson batches."""
from birrell2024 import training

SIZE = (6.4, 5.0)


def draw(result, figure):
    axes = figure.add_subplot()
    for name in result.series_names:
        training.shaded(axes, result, name, label=result.label(name),
                        color=training.COLOURS[name])
    axes.set_xlabel("epoch")
    axes.set_ylabel("test accuracy (%)")
    axes.set_title(result.title)
    axes.legend(loc="lower right")
