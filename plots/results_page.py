#!/usr/bin/env python3
"""Writes one self-contained HTML page about a run of the experiments: every figure beside what its paper says and
what was found, the papers' mistakes, and the summary of the verification."""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
from collections import Counter

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from html_page import definitions, document, filters, picture, table, tag, text, write  # noqa: E402
from read_result import STAND_IN, Result  # noqa: E402
from verification import report as reports  # noqa: E402
from verification.page import family_table  # noqa: E402

PAPERS = {
    "birrell2024": "DP-SGD with Fixed-Size Minibatches: Tighter RDP Guarantees with or without Replacement",
    "mironov2019": "Rényi Differential Privacy of the Sampled Gaussian Mechanism",
    "chua2025": "Balls-and-Bins Sampling for DP-SGD",
    "aydin2024": "Adaptive Online Bayesian Estimation of Frequency Distributions with Local Differential Privacy",
    "assay": "Certified brackets by sampler and adjacency",
}
VERDICTS = ["reproduced", "differs", "undecidable"]
BROAD = 700  # points: a wider picture's text is too small beside the claims
ERRATA_VERDICTS = ["confirmed", "not confirmed", "not decidable"]


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def figures_of(results, larger):
    """The records of all figures by paper, in the order of their stems; where the folder `larger` has a
    larger run of a figure, its claims say what was found there, and the record its run."""
    records = [read_json(path) for path in sorted(results.glob("*/*.json")) if path.with_suffix(".csv").exists()]
    for record in records:
        path = larger / f"{record['stem']}.json"
        if not path.exists():
            continue
        other = read_json(path)
        record["larger_run"] = other
        found = {claim["id"]: claim for claim in other["claims"]}
        for claim in record["claims"]:
            claim["larger_run"] = found.get(claim["id"])
    return {paper: [record for record in records if record["paper"] == paper] for paper in PAPERS}


def verdict_of(claim):
    """The better founded one."""
    return (claim.get("larger_run") or claim)["verdict"]


def anchor(record):
    return record["stem"].replace("/", "-")



def name_of(record):
    """"Figure 4" of <paper>/fig04_..., "Section 4.1" of <paper>/section41_..., "Table D.1" of <paper>/table_d1_...,
    "Fixed size" of assay/fixed_size."""
    found = re.match(r"(fig|table|theorem|section)_?([a-z]?)0*(\d+)", record["stem"].split("/")[1])
    if not found:
        return record["stem"].split("/")[1].replace("_", " ").capitalize()
    kind, letter, number = found.groups()
    if letter or kind == "section":
        number = ".".join((letter + number).upper())
    return {"fig": "Figure", "table": "Table", "theorem": "Theorem", "section": "Section"}[kind] + " " + number


def counts_table(papers):
    """Claims by paper and verdict; a number leads to what it counts."""
    rows, total = [], Counter()
    for paper, records in papers.items():
        count = Counter(verdict_of(claim) for record in records for claim in record["claims"])
        total += count
        cells = [(f"<a href='#{paper}' data-choose='{json.dumps({'verdict': verdict, 'paper': paper})}'>"
                  f"{count[verdict]}</a>", count[verdict]) for verdict in VERDICTS]
        rows.append([f'<a href="#{paper}">{paper}</a>', (len(records), len(records)), *cells])
    figures = sum(map(len, papers.values()))
    rows.append(["all", (figures, figures), *((total[verdict], total[verdict]) for verdict in VERDICTS)])
    return table("Statements of the papers by verdict", ["paper", "figures", *VERDICTS], rows)


def claim_item(claim):
    """The paper's sentence, what was found, what would decide it; the rule and the numbers of each setting folded."""
    larger = claim.get("larger_run")
    page = (f'<li class="item" data-verdict="{text(verdict_of(claim))}" data-paper="{text(claim["paper"])}" '
            f'id="{text(claim["id"])}"><p>{tag(verdict_of(claim))} <span class="note">{text(claim["where"])}</span></p>'
            f'<p>{text(claim["statement"])}</p>')
    if larger:
        page += f'<p><b>Found by a larger run:</b> {text(larger["found"])}</p>'
        same = "" if larger["verdict"] == claim["verdict"] else f' ({text(claim["verdict"])})'
        page += f'<p class="note">In the picture{same}: {text(claim["found"])}</p>'
    else:
        page += f'<p><b>Found:</b> {text(claim["found"])}</p>'
    founded = larger or claim
    if "would_decide" in founded:
        page += f'<p><b>What would decide it:</b> {text(founded["would_decide"])}</p>'
    folded = f'<p>Judged by: {text(founded["criterion"])}</p>' if "criterion" in founded else ""
    if "details" in founded:
        folded += f'<ul>{"".join(f"<li>{text(line)}</li>" for line in founded["details"])}</ul>'
    if folded:
        page += f"<details><summary>How it was judged</summary>{folded}</details>"
    return page + "</li>\n"


def value_of(value):
    """A parameter as text: short lists in one line, tables by name."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {value_of(one)}" for name, one in value.items())
    if isinstance(value, list):
        return "; ".join(value_of(one) for one in value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def provenance(record):
    build, run = record["build"], record["run"]
    libraries = ", ".join(f"{name} {version}" for name, version in build["libraries"].items())
    return [("program", f"assay {text(build['version'])}, commit <code>{text(build['commit'])}</code>"
             + (" with uncommitted changes" if build["dirty"] else "")),
            ("compiler", f"{text(build['compiler'])}, {text(build['build_type'])}, <code>{text(build['flags'])}</code>"),
            ("libraries", text(libraries)),
            ("run", f"{run['seconds']:.3g} s on {run['threads']} threads"
             + (f", {text(run['processor'])}" if "processor" in run else "")),
            ("seed", "no randomness" if record["seed"] is None else text(record["seed"]))]


def drawn(pictures, stem, title):
    """A picture that a press enlarges; an absent one is named."""
    path = pictures / f"{stem}.svg"
    if not path.exists():
        return f'<p class="warning">There is no picture {text(stem)}.svg.</p>\n'
    return (f'<button class="zoom" aria-label="enlarge: {text(title)}">'
            f'{picture(path.read_bytes(), "svg+xml", title)}</button>\n')


def is_broad(pictures, stem):
    """Whether the picture needs the width of the window for its text to be read."""
    path = pictures / f"{stem}.svg"
    width = re.search(r'<svg [^>]*?width="([\d.]+)pt"', path.read_text(encoding="utf-8")) if path.exists() else None
    return width is not None and float(width[1]) > BROAD


def larger_run(record, pictures, address):
    """The same figure from a larger run, folded."""
    larger = record.get("larger_run")
    if larger is None:
        return ""
    stem, run = larger["stem"], larger["run"]
    shown = drawn(pictures / "paper", stem, larger["title"]) if (pictures / "paper" / f"{stem}.svg").exists() else ""
    return (f'<details><summary>The larger run ({run["seconds"]:.0f} s on {run["threads"]} threads)</summary>{shown}'
            f'<p>Data: <a href="{text(address)}/{text(stem)}.csv">{text(stem)}.csv</a>, '
            f'<a href="{text(address)}/{text(stem)}.json">JSON</a></p></details>\n')


def figure_article(record, pictures, larger_address):
    stem, title = record["stem"], record["title"]
    labels = ", ".join(series["label"] for series in record["series"])
    shown = f"{name_of(record)}: {title}"
    badge = tag("stand-in data") if any(STAND_IN.match(note) for note in record["notes"]) else ""
    page = (f'<article class="group" id="{text(anchor(record))}" data-words="{text(shown)}">\n<h3>{text(shown)} {badge}</h3>\n'
            f'<div class="{"broad" if is_broad(pictures, stem) else "beside"}"><div>'
            f'<figure>{drawn(pictures, stem, f"{title}. Curves: {labels}")}'
            f'<figcaption class="note">{"<br>".join(text(note) for note in record["notes"])}</figcaption></figure>\n'
            f'<p>Data: <a href="{text(stem)}.csv">{text(stem)}.csv</a>, <a href="{text(stem)}.json">JSON</a></p>\n'
            + larger_run(record, pictures, larger_address)
            + "<details><summary>Parameters</summary>"
            + definitions((text(name), text(value_of(value))) for name, value in record["parameters"].items()
                          if name not in ("notes", "title"))
            + f"</details>\n<details><summary>Provenance</summary>{definitions(provenance(record))}</details></div>\n"
            f'<ul class="claims">\n{"".join(map(claim_item, record["claims"]))}</ul></div>\n')
    if (pictures / f"{stem}_grid.svg").exists():
        grid = drawn(pictures, f"{stem}_grid", f"{title}, every setting")
        page += f"<details><summary>Every setting</summary>{grid}</details>\n"
    return page + "</article>\n"


def gaps(record, results):
    """(upper - lower) / upper at the certified points of the exact curves: {what: gaps}. An exact curve has both
    sides in its rows, or is two series, <name>_lower and <name>_upper."""
    result = Result(results, record["stem"])
    sides = [(series, series, "lower", "upper") for series in result.series_names if series.startswith("exact")]
    if "delta" in result.columns:
        sides = [(series, series.replace("_lower", "_upper"), "delta", "delta") for series in result.series_names
                 if series.endswith("_lower") and series.replace("_lower", "_upper") in result.series]
    found = {}
    for below, above, lower_column, upper_column in sides:
        lower, upper = result.values(below, lower_column), result.values(above, upper_column)
        certified = np.array([a == b == "certified" for a, b in zip(result.statuses(below), result.statuses(above))])
        kept = certified & np.isfinite(upper) & (upper > 0)
        name = re.sub(r"_lower$|_(b|sigma_|q_)[\d.]+", "", below).replace("_", " ")
        found.setdefault(name, []).extend((1 - lower[kept] / upper[kept]).tolist())
    return found


def brackets(papers, results):
    """How far apart the two certified sides are, by figure; its title names sampler and adjacency."""
    rows = [[f'<a href="#{anchor(record)}">{record["paper"]}, {name_of(record)}</a>', text(record["title"]), text(name),
             (len(found), len(found)), (f"{np.median(found):.2g}", np.median(found)), (f"{max(found):.2g}", max(found))]
            for records in papers.values() for record in records for name, found in gaps(record, results).items() if found]
    return table("Certified brackets of the exact curves: (upper − lower) / upper",
                 ["figure", "setting", "curve", "points", "median gap", "largest gap"], rows, sortable=True)


def number_of(value):
    return f"[{value[0]}, {value[1]}]" if isinstance(value, list) else str(value)


def erratum(entry):
    """One mistake: the statement, then its numbers; [a, b] contains the exact value."""
    numbers = definitions((text(name), f"<code>{text(number_of(value))}</code>")
                          for name, value in entry["numbers"].items())
    return (f'<li class="item" data-verdict="{text(entry["verdict"])}" data-paper="{text(entry["paper"])}">'
            f'<p><b>{entry["item"]}</b> {tag(entry["verdict"])} <span class="note">{text(entry["paper"])}</span></p>'
            f'<p>{text(entry["statement"])}</p><details><summary>Numbers</summary>{numbers}</details></li>\n')


def verification(folder, address):
    """The verdict and the families of each tier that was run; its page is found from `address`."""
    page = ""
    for tier in ("full", "quick"):
        path = folder / tier / "report.json"
        if not path.exists():
            continue
        report = reports.read(path)
        done, controls = reports.refuted(report)
        link = f"{address}/{tier}/report.html"
        page += (f'<p>{tag("holds" if report["verdict"] == "green" else "violated")} The {text(report["tier"])} tier, '
                 f'{text(report["program"])}, seed {report["seed"]}: {len(report["rows"])} rows, '
                 f'{report["points"]:,} points, {len(reports.failing(report))} rows fail, {done} of {controls} wrong '
                 f'claims refuted{", ended early" if report["interrupted"] else ""}. '
                 f'<a href="{text(link)}">Every row</a></p>\n'
                 f"<details><summary>By family</summary>{family_table(report, link)}</details>\n")
    return page or ('<p>These results have no verification run beside them; <code>make verify-quick</code> writes one, '
                    "<code>make verify</code> one with many more points.</p>\n")


def page_of(results, pictures, errata, verify, address, larger, larger_address):
    """The whole page. `address` and `larger_address` are where the page finds the verification and `larger`, the
    results at the papers' sizes."""
    papers = figures_of(results, larger)
    mistakes = read_json(errata)
    count = Counter(verdict_of(claim) for records in papers.values() for record in records for claim in record["claims"])
    links = [*papers, "errata", "brackets", "verification"]
    body = ('<a class="skip" href="#main">to the results</a>\n<header><h1>Assay: what four papers say, computed again</h1>'
            f"<p>{count.total()} statements: " + ", ".join(f"{count[verdict]} {'differ' if verdict == 'differs' else verdict}" for verdict in VERDICTS)
            + f"; of a figure that was run at its paper’s size too, that verdict counts. {len(mistakes)} remarks on mistakes "
            "in the papers.</p>\n<nav><ul>"
            + "".join(f'<li><a href="#{name}">{name}</a></li>' for name in links) + "</ul></nav></header>\n"
            + filters({"verdict": VERDICTS + ERRATA_VERDICTS, "paper": PAPERS}) + '<main id="main">\n' + counts_table(papers))
    for paper, records in papers.items():
        body += (f'<section class="group" id="{paper}"><h2>{paper}: {text(PAPERS[paper])}</h2>\n'
                 + "".join(figure_article(record, pictures, larger_address) for record in records) + "</section>\n")
    body += ('<section class="group" id="errata"><h2>Errata</h2>\n<p class="note">Each number is computed in interval '
             "arithmetic: [a, b] contains the exact value.</p>\n"
             f'<ul class="claims">\n{"".join(map(erratum, mistakes))}</ul></section>\n'
             f'<section id="brackets"><h2>Brackets</h2>\n{brackets(papers, results)}</section>\n'
             f'<section id="verification"><h2>Verification</h2>\n{verification(verify, address)}</section>\n</main>\n'
             '<dialog aria-label="enlarged picture"><form method="dialog"><button type="button" data-grow="1.4">larger</button>'
             '<button type="button" data-grow="0.714">smaller</button><button>close</button></form>'
             '<img alt="" src="data:,"></dialog>\n')
    return document("Assay: figures, claims and verdicts", body)


def main(arguments=None):
    root = HERE.parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=pathlib.Path, default=root / "results" / "latest", help="folder of the results")
    parser.add_argument("--figures", type=pathlib.Path, default=HERE / "figures", help="folder of the pictures")
    parser.add_argument("--errata", type=pathlib.Path, default=root / "results" / "reference" / "errata.json")
    parser.add_argument("--paper-sizes", type=pathlib.Path, default=root / "results" / "reference" / "paper",
                        help="folder of results at the papers' sizes")
    parser.add_argument("--verify", type=pathlib.Path, help="folder of verification runs; default: verify in the results")
    parser.add_argument("--publish", type=pathlib.Path, metavar="FOLDER",
                        help="write the page there, with copies of all files that it links to")
    options = parser.parse_args(arguments)
    verify, larger = options.verify or options.results / "verify", options.paper_sizes
    out = (options.publish or options.results) / "index.html"
    try:
        if options.publish:
            for path in options.results.glob("*/*.*"):
                if path.parent.name in PAPERS:
                    copy(path, options.publish / path.relative_to(options.results))
            for folder, name in ((verify, "verify"), (larger, "paper")):
                for path in folder.glob("*/report.html" if name == "verify" else "*/fig*.*"):
                    copy(path, options.publish / name / path.relative_to(folder))
        address, larger_address = (name if options.publish else os.path.relpath(folder, out.parent)
                                   for folder, name in ((verify, "verify"), (larger, "paper")))
        write(out, page_of(options.results, options.figures, options.errata, verify, address, larger, larger_address))
    except (OSError, KeyError, json.JSONDecodeError, reports.NoReport) as error:
        print(f"results_page.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    print(f"page: {os.path.relpath(out)}")
    return 0


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


if __name__ == "__main__":
    sys.exit(main())
