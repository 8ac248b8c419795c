#!/usr/bin/env python3
"""Draws every figure whose plot stands in plots/<paper>/fig*.py, table*.py, theorem*.py
or section*.py, or in plots/assay, as SVG, PDF and PNG.

A plot is a file with `def draw(result, figure)`, and `SIZE = (width, height)` in inches where it wants
another size than style.SIZE. It is named by the stem of its result. Where it also has `draw_grid` and
`GRID_SIZE`, that is drawn as <stem>_grid: everything, where the figure itself shows what matters.
"""
import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

# A file of the same bits for the same result, whenever it is drawn.
FIXED_DATE = {"SOURCE_DATE_EPOCH": "0"}


def write(result, plot, size, target):
    """One picture in each format, all or nothing."""
    import matplotlib.pyplot as plt
    import style
    figure = plt.figure(figsize=size)
    plot(result, figure)
    style.footer(figure, result)
    target.parent.mkdir(parents=True, exist_ok=True)
    for suffix in (".svg", ".pdf", ".png"):
        temporary = target.with_name(target.name + ".writing" + suffix)
        figure.savefig(temporary, metadata={"Date": None} if suffix == ".svg" else None)
        temporary.replace(target.with_name(target.name + suffix))
    plt.close(figure)


def draw(stem, results, out):
    """Draws one figure; returns a one-line complaint, or None."""
    os.environ.update(FIXED_DATE)
    import style
    from read_result import Result
    try:
        style.apply()
        spec = importlib.util.spec_from_file_location("plot", HERE / f"{stem}.py")
        plot = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(plot)
        result = Result(results, stem)
        write(result, plot.draw, getattr(plot, "SIZE", style.SIZE), pathlib.Path(out) / stem)
        if hasattr(plot, "draw_grid"):
            write(result, plot.draw_grid, plot.GRID_SIZE, pathlib.Path(out) / f"{stem}_grid")
    except Exception as error:  # one broken plot must not hide the others
        return f"{stem}: {type(error).__name__}: {error}"
    return None


def main():
    root = HERE.parent
    parser = argparse.ArgumentParser(description="Draws the figures from their results.")
    parser.add_argument("--results", default=root / "results" / "latest", help="folder of the results")
    parser.add_argument("--out", default=HERE / "figures", help="folder of the pictures")
    parser.add_argument("--figure", action="append", metavar="STEM", help="only this one; repeatable")
    parser.add_argument("--present", action="store_true", help="only those whose results the folder has")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    arguments = parser.parse_args()

    stems = sorted(path.relative_to(HERE).with_suffix("").as_posix()
                   for pattern in ("*/fig*.py", "*/table*.py", "*/theorem*.py", "*/section*.py", "assay/*.py")
                   for path in HERE.glob(pattern))
    for stem in arguments.figure or []:
        if stem not in stems:
            print(f"make_all.py: --figure {stem}: there is no plots/{stem}.py", file=sys.stderr)
            return 2
    stems = arguments.figure or stems
    if arguments.present:
        stems = [stem for stem in stems if (pathlib.Path(arguments.results) / f"{stem}.json").exists()]
    with concurrent.futures.ProcessPoolExecutor(max_workers=max(1, arguments.jobs)) as pool:
        tasks = [pool.submit(draw, stem, arguments.results, arguments.out) for stem in stems]
        complaints = [line for line in (task.result() for task in tasks) if line]
    for line in complaints:
        print(f"make_all.py: {line}", file=sys.stderr)
    shown = os.path.relpath(arguments.out)
    print(f"drew {len(stems) - len(complaints)} figures into {shown}")
    return 2 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
