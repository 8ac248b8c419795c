"""chua2025 Figure 4: upper confidence bounds of delta_B with and without order statistics, at like times."""
import style
from chua2025 import looks

SIZE = (10.5, 5.6)
STYLES = {
    "plain_upper": {"color": style.PALETTE[0], "linestyle": "--"},
    "order_statistics_upper": {"color": style.PALETTE[1], "linestyle": "--"},
    "order_statistics_mean": {"color": style.PALETTE[1], "linestyle": "none", "marker": "o",
                              "markersize": 3.5, "markerfacecolor": "none"},
    "largest_coordinate": looks.EQUATION_6,
}


def effort(result, series, panel):
    """"10,000 samples, 2.1 s" of a sampled series."""
    samples = looks.of_panel(result, series, panel, "samples")[1][0]
    seconds = looks.of_panel(result, series, panel, "seconds")[1][0]
    return f"{int(samples):,} samples, {seconds:.1f} s"


def draw(result, figure):
    for axes, panel in zip(figure.subplots(1, 2), looks.panels(result)):
        for series, keywords in STYLES.items():
            label = result.label(series)
            if series.endswith("upper"):
                label += f"\n({effort(result, series, panel)})"
            looks.draw_series(axes, result, series, panel, **keywords, label=label)
        looks.draw_bracket(axes, result, panel)
        looks.delta_axes(axes, panel, 1e-7)
        axes.legend(loc="lower left", fontsize=8)
    figure.suptitle(looks.pretty(result.title), fontsize=12)
