"""The pictures of a verification report, as PNG in memory."""
import io

import matplotlib
import numpy as np

matplotlib.use("Agg")
import style  # noqa: E402  (the backend has to be chosen first)
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from PIL import Image  # noqa: E402

from verification import report as reports  # noqa: E402
from verification import scales  # noqa: E402

# Verdict -> colour, marker, size; the shapes tell them apart without colour.
LOOKS = {
    "holds": ("#0072B2", ".", 4.5),
    "undecided": ("#E69F00", "^", 6.0),
    "violated": ("#E00000", "X", 7.0),
}
KIND_COLOURS = dict(zip(reports.KINDS, ["#0072B2", "#009E73", "#CC79A7", "#777777"]))
MOST_DOTS = 4000  # of one row
COLUMNS = 5


def palette():
    """Every colour that is used, at all strengths on white, as rows of (r, g, b): edges are smooth, and a single
    dot keeps its colour, which a palette fitted to the picture would give to the many."""
    used = sorted({colour for colour, _, _ in LOOKS.values()} | set(KIND_COLOURS.values()) | {"#000000"})
    tones = [np.array(to_rgb(colour)) * strength + 1 - strength
             for colour in used for strength in np.linspace(0.0, 1.0, 25)]
    return np.round(255 * np.array(tones)).astype(int)


def png(figure, dpi=88):
    """The figure with a small palette: a third of the bytes."""
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3].astype(np.int32)
    present, places = np.unique(pixels @ [65536, 256, 1], return_inverse=True)
    channels = np.stack([present >> 16, present >> 8 & 255, present & 255], axis=1)
    tones = palette()
    nearest = np.array([((tones - colour)**2).sum(axis=1).argmin() for colour in channels], np.uint8)
    image = Image.fromarray(nearest[places].reshape(pixels.shape[:2]), "P")
    image.putpalette(tones.astype(np.uint8).tobytes())
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def thinned(margins, verdicts, hard_cases):
    """Indices of the points to draw: all that fail, the hard cases, the closest 500, some others."""
    count = len(margins)
    if count <= MOST_DOTS:
        return np.arange(count)
    keep = set(np.flatnonzero(verdicts != "holds")[:MOST_DOTS]) | set(range(min(hard_cases, MOST_DOTS)))
    keep |= set(np.argsort(margins, kind="stable")[:500])
    rest = np.setdiff1d(np.arange(count), list(keep))
    room = max(0, MOST_DOTS - len(keep))
    keep |= set(np.random.default_rng(1).choice(rest, min(room, len(rest)), replace=False))
    return np.array(sorted(keep))


def margin_plot(row):
    """The size of the margin against each coordinate; None where nothing was tried."""
    if not row.get("samples", {}).get("values"):
        return None
    columns = row["samples"]["columns"]
    values = row["samples"]["values"]
    names = columns[:-2]
    margins = np.array([reports.number(line[-2]) for line in values])
    verdicts = np.array([line[-1] for line in values])
    kept = thinned(margins, verdicts, row["hard_cases"])
    points = np.array([[reports.number(cell) for cell in values[i][:-2]] for i in kept])
    margins, verdicts, hard = margins[kept], verdicts[kept], kept < row["hard_cases"]

    height = scales.of_margins(margins)
    at = height.positions(np.abs(margins))
    wide = min(len(names), COLUMNS)
    deep = -(-len(names) // COLUMNS)
    size = (0.9 + 2.35 * max(wide, 2), 0.35 + 2.25 * deep)
    figure = Figure(figsize=size)
    for place, name in enumerate(names):
        axes = figure.add_subplot(deep, wide, place + 1)
        scale = scales.of_coordinate(name, points[:, place])
        across = scale.positions(points[:, place])
        for verdict, (colour, marker, area) in LOOKS.items():
            chosen = verdicts == verdict
            axes.plot(across[chosen], at[chosen], marker, color=colour, markersize=area,
                      alpha=0.55 if verdict == "holds" else 0.9, markeredgewidth=0.0 if marker == "." else 0.4,
                      markeredgecolor="white")
        axes.plot(across[hard], at[hard], "o", color="none", markeredgecolor="#000000", markersize=5,
                  markeredgewidth=0.7)
        scale.apply(axes.xaxis, axes.set_xlim)
        height.apply(axes.yaxis, axes.set_ylim)
        axes.tick_params(labelsize=7, length=2, labelleft=place % COLUMNS == 0)
        axes.set_xlabel(scale.label, fontsize=8, labelpad=1)
        if place % COLUMNS == 0:
            axes.set_ylabel("size of the margin", fontsize=8)
    figure.subplots_adjust(left=0.62 / size[0], right=1 - 0.1 / size[0], top=1 - 0.32 / size[1],
                           bottom=0.45 / size[1], wspace=0.08, hspace=0.38)
    legend(figure, verdicts, hard.any(), len(values))
    return png(figure)


def legend(figure, verdicts, has_hard, total):
    handles = []
    for verdict, (colour, marker, area) in LOOKS.items():
        count = int((verdicts == verdict).sum())
        if count:
            handles.append(Line2D([], [], color=colour, marker=marker, linestyle="none", markersize=area + 1,
                                  markeredgewidth=0, label=f"{verdict} ({count})"))
    if has_hard:
        handles.append(Line2D([], [], color="none", marker="o", markeredgecolor="#000000", linestyle="none",
                              markersize=5, label="hard case"))
    if len(verdicts) < total:
        handles.append(Line2D([], [], linestyle="none", label=f"{len(verdicts)} of {total} points drawn"))
    figure.legend(handles=handles, loc="upper left", ncols=4, fontsize=7.5, borderaxespad=0.1,
                  handletextpad=0.2, columnspacing=1.2)


def ranking(rows):
    """The smallest margin above 0 of every row that has one, sorted, coloured by kind; rows that fail stand out."""
    tried = sorted((row for row in rows if not np.isnan(reports.smallest_size(row))), key=reports.smallest_size)
    if not tried:
        return None
    margins = np.array([reports.smallest_size(row) for row in tried])
    failed = np.array([not row["passes"] for row in tried])
    height = scales.of_margins(margins)
    at = height.positions(np.abs(margins))
    figure = Figure(figsize=(11, 3.4))
    axes = figure.add_subplot()
    for kind in reports.KINDS:
        chosen = np.array([row["kind"] == kind for row in tried]) & ~failed
        if chosen.any():
            axes.plot(np.flatnonzero(chosen) + 1, at[chosen], "o", color=KIND_COLOURS[kind], markersize=4.5,
                      label=f"{kind} ({int(chosen.sum())})")
    if failed.any():
        colour, marker, area = LOOKS["violated"]
        axes.plot(np.flatnonzero(failed) + 1, at[failed], marker, color=colour, markersize=area + 1,
                  label=f"fails ({int(failed.sum())})")
    height.apply(axes.yaxis, axes.set_ylim)
    axes.set_xlabel("rows, the smallest margin first")
    axes.set_ylabel("smallest margin above 0\n(of a failing row: its size)", fontsize=9)
    axes.legend(loc="lower right", ncols=4)
    figure.subplots_adjust(left=0.085, right=0.99, top=0.97, bottom=0.15)
    return png(figure, dpi=96)


style.apply()
