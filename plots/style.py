"""One look for every figure: size, fonts, a palette that colour-blind readers can tell apart, a footer."""
import argparse
import json
import pathlib
import sys
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend has to be chosen first)
from read_result import STAND_IN  # noqa: E402

# Okabe and Ito's palette, its yellow left out: it is too pale for a line on white.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
EXACT = "#000000"  # the exact curve, in every figure
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1))]
SIZE = (6.4, 4.4)  # inches, where a figure does not say otherwise


def apply():
    """Sets matplotlib's defaults; every later figure follows."""
    plt.rcParams.update({
        "figure.dpi": 100,
        "savefig.dpi": 160,
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.labelsize": 10,
        "axes.prop_cycle": plt.cycler(color=PALETTE),
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": "#DDDDDD",
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.6,
        "lines.markersize": 5,
        "legend.frameon": False,
        "legend.fontsize": 8.5,
        "pdf.fonttype": 42,
        "svg.hashsalt": "assay",
    })


def release_text(report):
    """What was released, for a title: the phases and the adjacency of a report of the program."""
    phases = "; ".join(", ".join(f"{key.replace('_', ' ')} {value}" for key, value in phase.items() if value is not None)
                       for phase in report["phases"])
    return "\n".join(textwrap.wrap(f"{phases}; {report['adjacency']}", 95))


def report_figure(report, draw):
    """One pair of axes on which `draw(axes, report)` draws, under the release."""
    figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
    draw(axes, report)
    figure.suptitle(release_text(report), fontsize=9)
    return figure


def report_command(description, picture):
    """The command line of a script that draws a report of the program: `picture(report)` is the figure."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report", metavar="REPORT.json", help="the program's report; - for standard input")
    parser.add_argument("picture", metavar="FILE", help="FILE.svg, .png or .pdf")
    options = parser.parse_args()
    text = sys.stdin.read() if options.report == "-" else pathlib.Path(options.report).read_text(encoding="utf-8")
    apply()
    picture(json.loads(text)).savefig(options.picture)


def footer(figure, result):
    """Under the figure: the data that stand in for the paper's, the stem, and the commit that computed it.

    The other notes stand beside the figure, on the page, and in the JSON.
    """
    width = int(15 * figure.get_figwidth())
    said = [line for note in result.notes if STAND_IN.match(note) for line in textwrap.wrap(note, width)]
    build = result.record["build"]
    commit = build["commit"] + (" + changes" if build["dirty"] else "")
    lines = said + [f"{result.stem}  ·  assay {build['version']}, commit {commit}"]
    # Placed by the figure's own height, so that any number of lines stays clear of the axes.
    line_height = 0.155 / figure.get_figheight()
    bottom = line_height * (len(lines) + 0.6)
    figure.set_layout_engine("constrained", rect=(0, bottom, 1, 1 - bottom))
    figure.text(0.01, line_height * 0.4, "\n".join(lines), fontsize=8, color="#555555",
                va="bottom", ha="left", linespacing=1.25)


def plot_series(axes, result, x, y, styles=None):
    """Draws column `y` against `x` for every series, in the order and with the labels of the result.

    `styles` maps the name of a series to keywords of matplotlib's plot; None leaves the series out.
    """
    styles = styles or {}
    for name in result.series_names:
        if name in styles and styles[name] is None:
            continue
        keywords = {"label": result.label(name), **styles.get(name, {})}
        axes.plot(result.values(name, x), result.values(name, y), **keywords)
