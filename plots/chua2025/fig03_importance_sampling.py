"""chua2025 Figure 3: upper confidence bounds of delta_B with and without importance sampling."""
import style
from chua2025 import looks

SIZE = (10.5, 5.6)
STYLES = {
    "plain_upper": {"color": style.PALETTE[0], "linestyle": "--", "marker": "s", "markersize": 3.5},
    "importance_upper": {"color": style.PALETTE[1], "linestyle": "--", "marker": "o", "markersize": 4},
    "importance_mean": {"color": style.PALETTE[1], "linestyle": "none", "marker": "x", "markersize": 6},
    "event_probability": {"color": "#999999", "linestyle": "-.", "linewidth": 1.1},
    "largest_coordinate": looks.EQUATION_6,
}


def draw(result, figure):
    share = result.parameters["share_of_samples"]
    for axes, panel, described in zip(figure.subplots(1, 2), looks.panels(result),
                                      result.parameters["panel"]):
        for series, keywords in STYLES.items():
            looks.draw_series(axes, result, series, panel, **keywords)
        looks.draw_bracket(axes, result, panel)
        looks.delta_axes(axes, panel, 1e-13)
        samples = round(share * described["samples"])
        axes.set_title(f"T = {panel[0]}, σ = {panel[1]:g}; {samples:,} samples an ε and direction",
                       fontsize=10)
        axes.legend(loc="lower left", fontsize=8)
    figure.suptitle(looks.pretty(result.title), fontsize=12)
