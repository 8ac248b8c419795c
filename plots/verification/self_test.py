#!/usr/bin/env python3
"""Checks that the page of a verification run says what its report says, and refuses what is no report."""
import contextlib
import html.parser
import io
import json
import math
import pathlib
import sys
import tempfile

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import verify_report  # noqa: E402  (the folder has to be known first)
from verification import pictures, report as reports, scales  # noqa: E402

VOID = {"meta", "img", "input", "br"}
CLOSED_BY_ITSELF = {"th", "td"}  # HTML lets the next cell or the row end them


def trial(margin, verdict):
    return {"point": {"alpha": 2.5, "q": 0.0}, "verdict": verdict, "margin": margin, "width": 1e-13,
            "bits": 128, "subject": [0.1 + 0.2, "inf"], "truth": ["1.0000000000000000555e-01", "1.1e-01"]}


def row(name, kind, verdict, lines):
    """A row of three-column samples: alpha, q, margin; the last one decides."""
    passes = verdict in ("holds", "refuted")
    made = {"id": name, "kind": kind, "claim": f"{name} is <right> & sharp", "subject": "library",
            "oracle": "sum", "relation": "encloses", "verdict": verdict, "passes": passes, "points": len(lines), "hard_cases": 1,
            "violated": sum(line[-1] == "violated" for line in lines),
            "undecided": sum(line[-1] == "undecided" for line in lines), "seconds": 0.5,
            "median_margin": None, "widest": "inf", "most_bits": 128, "closest": trial(0.0, "holds"),
            "samples": {"columns": ["alpha", "q", "margin", "verdict"], "values": lines}}
    if made["violated"]:
        made["violation"] = trial(-0.125, "violated")
    return made


def sample_report():
    rows = [row("check.holds", "check", "holds", [[1.5, 0.0, 0.0, "holds"], [64.0, 1e-9, 3e-14, "holds"],
                                                  [2.0, 1.0, "inf", "holds"]]),
            row("control.wrong", "control", "refuted", [[2.0, 0.5, 1.0, "holds"], [2.0, 0.5, -0.5, "violated"]]),
            row("check.fails", "check", "violated", [[2.0, 0.5, -0.125, "violated"]])]
    return {"seed": 77, "tier": "quick", "program": "assay 9.9.9", "threads": 2, "seconds": 2.0, "points": 6,
            "interrupted": False, "verdict": "red", "rows": rows}


class Balance(html.parser.HTMLParser):
    """Every element that is opened is closed, in order; what refers to elsewhere is collected."""

    def __init__(self):
        super().__init__()
        self.open, self.elsewhere, self.ids, self.links = [], [], set(), set()

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.elsewhere += [value for name, value in attributes
                           if name in ("src", "href") and not value.startswith(("#", "data:"))]
        self.ids.add(named.get("id"))
        if tag == "a":
            self.links.add(named["href"][1:])
        if tag not in VOID | CLOSED_BY_ITSELF:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in CLOSED_BY_ITSELF:
            assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"


def check_page():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "report.json"
        source.write_text(json.dumps(sample_report()), encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            assert verify_report.main([str(source), "--jobs", "1"]) == 0
        page = source.with_suffix(".html").read_text(encoding="utf-8")
    balance = Balance()
    balance.feed(page)
    assert not balance.open and not balance.elsewhere, (balance.open, balance.elsewhere)
    assert balance.links <= balance.ids, balance.links - balance.ids
    for said in ("1 of 3 rows fail", "assay 9.9.9", "1 of 1", "is &lt;right&gt; &amp; sharp", "0, then 3e-14",
                 "violated (1)", "refuted after 2 points, at", "violated by 0.125",
                 "[0.30000000000000004, inf]", "[1.0000000000000000555e-01, 1.1e-01]", "128 bits",
                 "alpha=2.5 q=0"):
        assert said in page, f"the page does not say: {said}"
    assert page.index('class="item fails" id="row-check.fails"') < page.index('id="row-check.holds"'), "failing first"
    assert page.index('id="family-check"') < page.index('id="family-control"'), "controls last"
    assert page.count("data:image/png;base64,") == 4, "three rows and all of them"


def check_refusals():
    with tempfile.TemporaryDirectory() as folder:
        broken = sample_report()
        del broken["rows"][1]["relation"]
        for content in ("no json", "[]", '{"rows": []}', json.dumps(broken), None):
            source = pathlib.Path(folder) / "other.json"
            source.unlink(missing_ok=True)
            if content is not None:
                source.write_text(content, encoding="utf-8")
            complaint = io.StringIO()
            with contextlib.redirect_stderr(complaint):
                assert verify_report.main([str(source)]) == 2, content
            assert complaint.getvalue().count("\n") == 1, complaint.getvalue()
            assert not source.with_suffix(".html").exists()


def check_thinning():
    count = 20000
    margins = np.linspace(1.0, 2.0, count)[::-1]
    verdicts = np.array(["holds"] * count, dtype=object)
    verdicts[4321] = "undecided"
    kept = pictures.thinned(margins, verdicts, 3)
    assert len(kept) == pictures.MOST_DOTS
    assert {0, 1, 2, 4321, count - 1, count - 500} <= set(kept)


def check_colours():
    """One violated point among many is as red as in the legend."""
    lines = [[1.5 + i, 0.5, 1e-3, "holds"] for i in range(3000)] + [[2.5, 0.5, -1e-2, "violated"]]
    png = pictures.margin_plot(row("check.fails", "check", "violated", lines))
    colours = {colour for _, colour in Image.open(io.BytesIO(png)).convert("RGB").getcolors()}
    assert {(0xE0, 0, 0), (0, 0x72, 0xB2), (255, 255, 255)} <= colours


def check_scales():
    scale = scales.of_coordinate("sigma", np.array([0.0, 0.01, 100.0]))
    zero, low, middle, high = scale.positions([0.0, 0.01, 1.0, 100.0])
    assert zero < low < high and math.isclose(middle, (low + high) / 2) and scale.limits[0] < zero
    orders = scales.of_coordinate("alpha", np.array([1.000001, 2.0, 1001.0]))
    assert np.allclose(orders.positions([1.01, 2.0, 11.0]), [-2.0, 0.0, 1.0])
    odds = scales.of_coordinate("q", np.array([1e-9, 0.5, 1.0 - 1e-9]))
    assert np.allclose(odds.positions([0.5, 0.1]), [0.0, -math.log10(9)])
    assert np.allclose(odds.positions([1e-6]), -odds.positions([1.0 - 1e-6]))
    plain = scales.of_coordinate("x", np.array([-1.0, 1.0]))
    assert np.allclose(plain.positions([-1.0, 0.25]), [-1.0, 0.25])
    assert scales.power_of_ten(-12) == "10⁻¹²"


def check_ranks():
    """By the smallest margin above 0, where it tells how close the row is to failing."""
    def rank(relation, kind, verdict, margins):
        made = row("a.b", kind, verdict, [[2.0, 0.5, margin, "holds"] for margin in margins])
        made.update(relation=relation, closest=trial(min(margins), "holds"))
        return reports.smallest_size(made)
    assert rank("encloses", "check", "holds", [3.0, 0.5]) == 0.5
    assert rank("at least", "law", "holds", [0.0, 0.25]) == 0.25
    assert rank("at least", "law", "violated", [0.25, -1.0]) == -1.0
    assert all(math.isnan(size) for size in (rank("overlaps", "law", "holds", [-1.0, 0.5]), rank(
        "encloses", "control", "refuted", [-1.0, 0.5]), rank("at most", "law", "holds", [0.0])))


def check_order():
    rows = [{"verdict": verdict, "passes": False} for verdict in ("survives", "undecided", "violated")]
    order = [one["verdict"] for one in reports.failing({"rows": rows})]
    assert order == ["violated", "undecided", "survives"], order


if __name__ == "__main__":
    checks = [check_page, check_refusals, check_thinning, check_colours, check_scales, check_ranks, check_order]
    for check in checks:
        check()
    print(f"the page of a verification run: {len(checks)} checks hold")
