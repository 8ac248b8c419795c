"""chua2025 Figure 1: test AUC by batch size without privacy, and by noise multiplier with it."""
import numpy as np
import style

SIZE = (11.5, 6.6)
STYLES = {
    "shuffle": {"color": style.PALETTE[0], "marker": "o", "linestyle": "-"},
    "poisson": {"color": style.PALETTE[1], "marker": "s", "linestyle": "--"},
    "balls_and_bins": {"color": style.PALETTE[2], "marker": "^", "linestyle": "-."},
}
TURN = 0.1  # logarithmic below, linear above, as in the paper
DECADE = 0.07  # how much of the linear scale a decade takes


def position(sigma):
    """Where a noise multiplier stands on the axis."""
    sigma = np.maximum(np.asarray(sigma, dtype=float), 1e-12)
    return np.where(sigma < TURN, TURN + DECADE * np.log10(sigma / TURN), sigma)


def draw_curves(axes, result, data, chosen, place):
    """The three samplers on the rows that `chosen(batch sizes, noise multipliers)` keeps."""
    for sampler, keywords in STYLES.items():
        series = f"{data}_{sampler}"
        batches, sigmas = result.values(series, "batch_size"), result.values(series, "noise_multiplier")
        here = chosen(batches, sigmas)
        axes.errorbar(place(batches[here], sigmas[here]), result.values(series, "auc")[here],
                      yerr=result.values(series, "deviation")[here], capsize=2.5, markersize=4,
                      linewidth=1.2, elinewidth=0.9, label=result.label(series).split(", ")[0], **keywords)
    best = f"{data}_best_possible"
    if best in result.series:
        axes.axhline(result.values(best, "auc")[0], color=style.EXACT, linestyle=":", linewidth=0.9,
                     label="true model")


def without_privacy(axes, result, data, samples):
    """By batch size."""
    draw_curves(axes, result, data, lambda batches, sigmas: sigmas == 0, lambda batches, sigmas: batches)
    axes.set_xscale("log", base=2)
    axes.set_xticks(result.parameters["batch_sizes"])
    axes.set_xlabel("(expected) batch size")
    axes.set_title(f"{samples}, without privacy")


def with_privacy(axes, result, data, samples, batch):
    """By noise multiplier, on the paper's axis of two scales."""
    draw_curves(axes, result, data, lambda batches, sigmas: (sigmas > 0) & (batches == batch),
                lambda batches, sigmas: position(sigmas))
    sigmas = result.parameters["noise_multipliers"]
    axes.set_xticks(position(sigmas),
                    [f"{s:g}" if s >= TURN else f"$10^{{{round(np.log10(s))}}}$" for s in sigmas])
    axes.minorticks_off()
    axes.axvline(TURN, color="#666666", linestyle=(0, (1, 1.5)), linewidth=0.9)
    axes.set_xlabel("σ")
    axes.set_title(f"{samples}, |B| = {batch}")


def draw(result, figure):
    grid = figure.subplots(2, 3)
    for row, data in zip(grid, ("ads", "search")):
        samples = result.label(f"{data}_shuffle").split(", ")[1]
        samples = samples[0].upper() + samples[1:]
        without_privacy(row[0], result, data, samples)
        for axes, batch in zip(row[1:], result.parameters["private_batch_sizes"]):
            with_privacy(axes, result, data, samples, batch)
        row[0].set_ylabel("AUC on test examples")
    grid[0, 0].legend(loc="lower left")
    figure.suptitle(result.title, fontsize=11)
