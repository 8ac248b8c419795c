"""What the plots of this paper share: the two variants, the settings of the simulations."""
import itertools

import numpy as np
import style
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

VARIANTS = {"theorem": "Theorem 1", "as_released": "as released"}


def settings(result, column):
    """The distinct values of an input column, in rising order."""
    return sorted({float(row[column]) for row in result.rows})


def methods(result):
    """The series without their variant, in the order of the result."""
    return [name.removeprefix("theorem_") for name in result.series_names if name.startswith("theorem_")]


def cell(result, series, column, **where):
    """The value of a column in the one row of a series with these inputs."""
    here = np.ones(len(result.values(series, column)), dtype=bool)
    for name, value in where.items():
        here &= result.values(series, name) == value
    (value,) = result.values(series, column)[here]
    return value


def exceeds(true_epsilon, epsilon):
    """Whether an audited ε breaks the claim; the audit's upper side is above the truth by its rounding."""
    return true_epsilon > epsilon * (1 + 1e-9)


def warning(result, variant, epsilon, **where):
    """"U1 .. not ε-LDP: true ε up to ..." of the methods of a panel that exceed their ε; else nothing."""
    true = {method: cell(result, f"{variant}_{method}", "true_epsilon", epsilon=epsilon, **where)
            for method in methods(result)}
    broken = [short(result, method).split()[0] for method in true if exceeds(true[method], epsilon)]
    return f"{' '.join(broken)} not ε-LDP: true ε up to {max(true.values()):.3f}" if broken else ""


def short(result, method):
    """A method's label without what is said of its variant."""
    return result.label(f"theorem_{method}").split(",")[0]


def panel_title(result, axes, variant, k, epsilon, rho):
    """The setting, which reading of the semi-adaptive rule it has, and who is not private."""
    (share,) = {result.parameters["budget_share"]}
    semi = f"ε1 = {share:g} ε" if variant == "theorem" else "ε1 = ε, ε2 = 0"
    note = warning(result, variant, epsilon, categories=k, concentration=rho)
    axes.set_title(f"{VARIANTS[variant]}, K = {k:g}, ε = {epsilon:g}; semi-adaptive: {semi}"
                   + (f"\n{note}" if note else ""), fontsize=8.5, color="#A00000" if note else "black")


def runs(result):
    """"n = 5 runs", the number of Monte Carlo runs behind every box and mean."""
    (count,) = {int(float(row["runs"])) for row in result.rows}
    return f"n = {count} runs"


def by_method(result, figure, values, label, mean):
    """A panel for each variant: `values(variant, names, setting)` of all methods in every setting, and a bar at the mean."""
    names, rhos, epsilons = methods(result), settings(result, "concentration"), settings(result, "epsilon")
    across = np.arange(len(names))
    panels = figure.subplots(len(VARIANTS), 1, sharex=True, sharey=True)
    for axes, variant in zip(panels, VARIANTS):
        every, excess = [], np.ones(len(names))
        for (r, rho), (e, epsilon), k in itertools.product(enumerate(rhos), enumerate(epsilons), settings(result, "categories")):
            where = {"categories": k, "epsilon": epsilon, "concentration": rho}
            every.append(values(variant, names, where))
            true = [cell(result, f"{variant}_{name}", "true_epsilon", **where) for name in names]
            excess = np.maximum(excess, np.array(true) / epsilon)
            axes.plot(across + (r - 1) * 0.24 + (e - 1) * 0.06, every[-1], "os^"[e], color=style.PALETTE[r],
                      markersize=5, alpha=0.75, markeredgewidth=0)
        axes.hlines(mean(np.array(every)), across - 0.4, across + 0.4, color="black", linewidth=2)
        broken = " ".join(short(result, name).split()[0] for name, one in zip(names, excess) if exceeds(one, 1.0))
        axes.set_title(VARIANTS[variant] + (f": {broken} not ε-LDP, true ε up to {excess.max():.3f} ε" if broken else ""),
                       color="#A00000" if broken else "black")
        axes.set_ylabel(label)
        axes.grid(axis="x", visible=False)
    axes.set_xticks(across, [short(result, name) for name in names], rotation=40, ha="right")
    handles = [Line2D([], [], marker="s", linestyle="none", color=style.PALETTE[r], label=f"ρ = {rho:g}")
               for r, rho in enumerate(rhos)]
    handles += [Line2D([], [], marker="os^"[e], linestyle="none", color="#777777", label=f"ε = {epsilon:g}")
                for e, epsilon in enumerate(epsilons)]
    handles.append(Line2D([], [], color="black", linewidth=2, label="mean over the settings"))
    panels[0].legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=len(handles), columnspacing=1.2,
                     handletextpad=0.4)
    return panels


def errors(result, figure):
    """Each method's median error over that of the best one in the same setting."""
    def ratios(variant, names, where):
        medians = np.array([cell(result, f"{variant}_{name}", "median", **where) for name in names])
        return medians / medians.min()
    panels = by_method(result, figure, ratios, "error / best error", lambda every: np.exp(np.log(every).mean(axis=0)))
    panels[0].set_yscale("log")
    panels[0].set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    panels[0].minorticks_off()
    figure.suptitle(f"{result.title}: median of {runs(result)} over the best of a setting; bars: geometric means", fontsize=11)


def sizes(result, figure):
    """Each method's mean |S| / K."""
    def shares(variant, names, where):
        return [cell(result, f"{variant}_{name}", "mean_subset_size", **where) / where["categories"] for name in names]
    by_method(result, figure, shares, "|S| / K", lambda every: every.mean(axis=0))
    figure.suptitle(f"{result.title}, as a share of K; {runs(result)}", fontsize=11)


def box_plots(result, figure):
    """A row of panels for each variant and K, a panel for each epsilon; boxes by method and rho."""
    categories, epsilons = settings(result, "categories"), settings(result, "epsilon")
    rhos, names = settings(result, "concentration"), methods(result)
    rows = [(variant, k) for variant in VARIANTS for k in categories]
    grid = figure.subplots(len(rows), len(epsilons), squeeze=False)
    for (variant, k), line in zip(rows, grid):
        for epsilon, axes in zip(epsilons, line):
            for r, rho in enumerate(rhos):
                where = {"categories": k, "epsilon": epsilon, "concentration": rho}
                stats = [{
                    "whislo": cell(result, f"{variant}_{name}", "whisker_low", **where),
                    "q1": cell(result, f"{variant}_{name}", "lower_quartile", **where),
                    "med": cell(result, f"{variant}_{name}", "median", **where),
                    "q3": cell(result, f"{variant}_{name}", "upper_quartile", **where),
                    "whishi": cell(result, f"{variant}_{name}", "whisker_high", **where),
                } for name in names]
                axes.bxp(stats, positions=np.arange(len(names)) + (r - 1) * 0.26, widths=0.2,
                         showfliers=False, patch_artist=True, manage_ticks=False,
                         boxprops={"facecolor": style.PALETTE[r], "alpha": 0.55, "linewidth": 0.6},
                         medianprops={"color": "black", "linewidth": 1.1},
                         whiskerprops={"linewidth": 0.7}, capprops={"linewidth": 0.7})
            axes.set_yscale("log")
            axes.set_xticks(range(len(names)))
            axes.set_xticklabels([])
            axes.set_xlim(-0.6, len(names) - 0.4)
            panel_title(result, axes, variant, k, epsilon, rhos[0])
            if axes in grid[-1]:
                axes.set_xticklabels([short(result, name) for name in names], rotation=90, fontsize=7.5)
            if axes in grid[:, 0]:
                axes.set_ylabel("TV error")
    handles = [Patch(facecolor=style.PALETTE[r], alpha=0.55, label=f"ρ = {rho:g}") for r, rho in enumerate(rhos)]
    figure.legend(handles=handles, loc="upper right", ncols=len(rhos))
    figure.suptitle(f"{result.title}; {runs(result)} a box", fontsize=12, x=0.4)


def heat_maps(result, figure):
    """A row of maps for each variant and K, a map for each epsilon: mean |S| by method and rho."""
    categories, epsilons = settings(result, "categories"), settings(result, "epsilon")
    rhos, names = settings(result, "concentration"), methods(result)
    rows = [(variant, k) for variant in VARIANTS for k in categories]
    grid = figure.subplots(len(rows), len(epsilons), squeeze=False)
    for (variant, k), line in zip(rows, grid):
        for epsilon, axes in zip(epsilons, line):
            sizes = np.array([[cell(result, f"{variant}_{name}", "mean_subset_size", categories=k,
                                    epsilon=epsilon, concentration=rho) for name in names] for rho in rhos])
            image = axes.imshow(sizes, aspect="auto", vmin=0, vmax=k, cmap="viridis")
            for (r, m), size in np.ndenumerate(sizes):
                axes.text(m, r, f"{size:.1f}", ha="center", va="center", fontsize=6.5,
                          color="white" if size < 0.6 * k else "black")
            axes.grid(False)
            axes.set_yticks(range(len(rhos)), [f"{rho:g}" for rho in rhos], fontsize=7.5)
            axes.set_xticks(range(len(names)), [])
            panel_title(result, axes, variant, k, epsilon, rhos[0])
            if axes in grid[-1]:
                axes.set_xticks(range(len(names)), [short(result, name) for name in names], rotation=90,
                                fontsize=7.5)
            if axes in grid[:, 0]:
                axes.set_ylabel("ρ")
        figure.colorbar(image, ax=list(line), label="mean |S|", pad=0.01)
    figure.suptitle(f"{result.title}; {runs(result)}; |S| = 0 is the mechanism of the non-adaptive method, "
                    "which counts K as in the paper", fontsize=11)
