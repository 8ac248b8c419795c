"""What the plots of this paper share: the series of delta_B, panels by T and σ, a logarithmic delta."""
import numpy as np
import style

CERTIFIED = {"color": style.EXACT, "linewidth": 1.0}
EQUATION_6 = {"color": style.PALETTE[4], "linestyle": ":", "linewidth": 2.2}


def panels(result):
    """The (T, σ) of the result, in the order of its rows."""
    name = result.series_names[-1]
    pairs = zip(result.values(name, "steps"), result.values(name, "noise_multiplier"))
    return list(dict.fromkeys((int(steps), noise) for steps, noise in pairs))


def of_panel(result, series, panel, column="delta"):
    """epsilon and a column of one series in one panel."""
    here = (result.values(series, "steps") == panel[0]) & (
        result.values(series, "noise_multiplier") == panel[1])
    return result.values(series, "epsilon")[here], result.values(series, column)[here]


def pretty(text):
    """δ_B and its kin with their indices set as such."""
    for sampler in "BDPS":
        text = text.replace(f"δ_{sampler}", rf"$\delta_{{\mathcal{{{sampler}}}}}$")
    return text


def draw_series(axes, result, series, panel, **keywords):
    """One curve; a delta of 0 has no place on a logarithmic axis."""
    epsilon, delta = of_panel(result, series, panel)
    axes.plot(epsilon, np.where(delta > 0, delta, np.nan),
              **{**keywords, "label": pretty(keywords.get("label", result.label(series)))})


def draw_bracket(axes, result, panel):
    """The certified bracket of delta_B; its two sides are one line where it is narrow."""
    epsilon, lower = of_panel(result, "balls_and_bins_lower", panel)
    _, upper = of_panel(result, "balls_and_bins_upper", panel)
    axes.fill_between(epsilon, np.where(lower > 0, lower, np.nan), upper, color=style.EXACT, alpha=0.25,
                      linewidth=0)
    axes.plot(epsilon, upper, label=pretty("δ_B, certified (both sides)"), **CERTIFIED)


def delta_axes(axes, panel, lowest):
    """Scales, labels and the parameters of a panel."""
    axes.set_yscale("log")
    axes.set_ylim(lowest, 2.0)
    axes.set_xlim(left=0)
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ")
    axes.set_title(f"T = {panel[0]}, σ = {panel[1]:g}", fontsize=10)
