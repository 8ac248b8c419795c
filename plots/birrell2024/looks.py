"""What the plots of this paper share: markers, the exact curve, the axis of one step, a magnified part."""
import style

CIRCLES = {"linestyle": "none", "marker": "o", "markerfacecolor": "none", "color": style.PALETTE[5]}
EXACT = {"color": style.EXACT, "linewidth": 0.9}
ONE_STEP = "one-step Rényi divergence (nats)"


def magnify(axes, result, styles, place, x_range, y_range):
    """A window at `place` (axes fractions) that shows one part of the same curves, without labels."""
    window = axes.inset_axes(place)
    style.plot_series(window, result, "x", "y", styles)
    window.set_xscale(axes.get_xscale())
    window.set_yscale(axes.get_yscale())
    window.set_xlim(x_range)
    window.set_ylim(y_range)
    window.minorticks_off()
    window.tick_params(labelsize=8)
    axes.indicate_inset_zoom(window, edgecolor="#777777")
    return window
