"""chua2025 Figure 2: delta against epsilon for Poisson, shuffle and balls-and-bins, a panel for each T and σ."""
import style
from chua2025 import looks

SIZE = (13.0, 7.4)
LOWEST = 1e-10
STYLES = {
    "deterministic": {"color": "#999999", "linestyle": "-.", "linewidth": 1.2},
    "shuffle_lower": {"color": style.PALETTE[2], "linestyle": "--"},
    "poisson_lower": {"color": style.PALETTE[0], "linewidth": 3.2, "alpha": 0.45},
    "poisson_upper": {"color": style.PALETTE[0], "linewidth": 1.1},
    "monte_carlo_curve_upper": {"color": style.PALETTE[3], "linestyle": ":", "linewidth": 1.3},
    "monte_carlo_upper": {"color": style.PALETTE[3], "linestyle": "--"},
    "monte_carlo_bernstein": {"color": style.PALETTE[5], "linestyle": "-.", "linewidth": 1.2},
    "monte_carlo_mean": {"color": style.PALETTE[1], "linestyle": "none", "marker": "o", "markersize": 3.2,
                         "markerfacecolor": "none"},
    "largest_coordinate": looks.EQUATION_6,
}


def draw(result, figure):
    grid = figure.subplots(2, 4).flatten()
    for axes, panel, described in zip(grid, looks.panels(result), result.parameters["panel"]):
        for series, keywords in STYLES.items():
            looks.draw_series(axes, result, series, panel, **keywords)
        looks.draw_bracket(axes, result, panel)
        looks.delta_axes(axes, panel, LOWEST)
        axes.set_title(f"{described['data']}\nT = {panel[0]}, σ = {panel[1]:g}", fontsize=9)
    handles, labels = grid[0].get_legend_handles_labels()
    parameters = result.parameters
    samples = f"{parameters['samples']:,} samples a direction"
    if "samples_of_other_panels" in parameters:
        samples += f"\nin the first panel, {parameters['samples_of_other_panels']:,} in the others"
    grid[-1].axis("off")
    grid[-1].legend(handles, labels, loc="upper left", fontsize=8.5, borderaxespad=0, alignment="left",
                    title_fontsize=9, title=looks.pretty(
                        f"δ_B: the larger of both directions.\n{samples},\n"
                        f"β = {parameters['confidence_error']:g}; upper confidence by KL\nwhere not Bernstein"))
    figure.suptitle(result.title, fontsize=12)
