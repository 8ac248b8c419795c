"""chua2025 Theorem D.1: where delta_B crosses delta_P, and by how much it is larger at epsilon = 0."""
import numpy as np
import style
from chua2025 import looks

SIZE = (11.0, 5.4)
SERIES = "balls_and_bins_against_poisson"


def draw(result, figure):
    crossing, excess = figure.subplots(1, 2)
    steps = result.values(SERIES, "steps")
    noise = result.values(SERIES, "noise_multiplier")
    above = result.values(SERIES, "above_until")
    below = result.values(SERIES, "below_from")
    lower = result.values(SERIES, "ratio_at_0_lower") - 1.0
    upper = result.values(SERIES, "ratio_at_0_upper") - 1.0
    markers = ["o", "s", "^", "D", "v", "P", "X"]
    for index, count in enumerate(dict.fromkeys(steps)):
        here = steps == count
        colour = style.PALETTE[index % len(style.PALETTE)]
        look = {"color": colour, "marker": markers[index % len(markers)], "label": f"T = {int(count)}"}
        # Between the two ends the brackets leave the order open.
        known = here & np.isfinite(above) & np.isfinite(below)
        crossing.plot(noise[known], below[known], **look)
        crossing.fill_between(noise[known], np.maximum(above[known], 1e-9), below[known], color=colour,
                              alpha=0.2, linewidth=0)
        positive = here & (lower > 0)
        excess.plot(noise[positive], lower[positive], **look)
        excess.fill_between(noise[positive], lower[positive], upper[positive], color=colour, alpha=0.2,
                            linewidth=0)
    for axes in (crossing, excess):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("noise multiplier σ")
        axes.set_xticks(sorted(set(noise)), [f"{x:g}" for x in sorted(set(noise))])
        axes.minorticks_off()
        axes.legend(loc="lower left")
    crossing.set_ylim(1e-5, 30)
    crossing.set_ylabel("ε (nats)")
    crossing.set_title(looks.pretty("δ_B < δ_P from the line upwards,\nδ_B > δ_P below the band (in it: open)"),
                       fontsize=10)
    excess.set_ylabel(looks.pretty("δ_B / δ_P - 1"))
    excess.set_title(looks.pretty("how much larger δ_B is at ε = 0\n(line and band: certified lower and upper side)"),
                     fontsize=10)
    figure.suptitle(looks.pretty(result.title), fontsize=12)
