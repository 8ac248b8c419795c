#!/usr/bin/env python3
"""Writes one self-contained HTML page about a run of `assay-verify run`: the verdict, every claim with its
smallest margin and where, counterexamples, and the margins over the space of the parameters."""
import argparse
import concurrent.futures
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from html_page import write  # noqa: E402  (the folder has to be known first)
from verification import page, pictures, report as reports  # noqa: E402


def draw_all(report, jobs):
    """PNG by row id, and the one of all rows."""
    rows = report["rows"]
    with concurrent.futures.ProcessPoolExecutor(max_workers=max(1, jobs)) as pool:
        drawn = pool.map(pictures.margin_plot, rows, chunksize=4)
        result = {row["id"]: png for row, png in zip(rows, drawn)}
    result["ranking"] = pictures.ranking([row for row in rows if row["kind"] != "control"])
    return result


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", metavar="REPORT.json", help="what `assay-verify run` wrote")
    parser.add_argument("-o", "--out", help="the page; default: report.html beside the report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that draw")
    options = parser.parse_args(arguments)
    out = pathlib.Path(options.out) if options.out else pathlib.Path(options.report).with_suffix(".html")
    try:
        report = reports.read(options.report)
        write(out, page.page_of(report, draw_all(report, options.jobs)))
    except reports.NoReport as error:
        print(f"verify_report.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"verify_report.py: {out}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"page: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
