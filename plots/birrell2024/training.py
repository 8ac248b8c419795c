"""What the training figures share: mean over seeds, shaded by three standard deviations."""
import style


def shaded(axes, result, name, **keywords):
    """Accuracy in per cent against the epoch, and its band."""
    epoch = result.values(name, "epoch")
    mean = [100 * x for x in result.values(name, "accuracy")]
    band = [300 * x for x in result.values(name, "deviation")]
    (line,) = axes.plot(epoch, mean, **keywords)
    axes.fill_between(epoch, [m - b for m, b in zip(mean, band)],
                      [m + b for m, b in zip(mean, band)], color=line.get_color(), alpha=0.18,
                      linewidth=0)
    return line


COLOURS = {"fixed_size": style.PALETTE[0], "poisson": style.PALETTE[1]}
