#!/usr/bin/env python3
"""Checks that the page of all results has every figure, claim and erratum of the committed results, that it refers to
nothing but files beside it, and that the check itself sees what is missing."""
import contextlib
import html
import html.parser
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import make_all  # noqa: E402  (the folder has to be known first)
import results_page  # noqa: E402
from read_result import STAND_IN  # noqa: E402

REFERENCE = HERE.parent / "results" / "reference"
VOID = {"meta", "img", "input", "br"}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'


class Page(html.parser.HTMLParser):
    """Every element that is opened is closed, in order; ids are unique; what is linked and what is said is collected."""

    def __init__(self, content):
        super().__init__()
        self.open, self.ids, self.links, self.loaded, self.unnamed, self.words = [], [], [], [], [], []
        self.feed(content)
        self.said = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        self.loaded += [named["src"]] if "src" in named else []
        if tag == "img" and "alt" not in named:
            self.unnamed.append(named["src"][:60])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.words.append(data)


def complaints(content, folder):
    """What is wrong with a page that stands in a folder."""
    page = Page(content)
    wrong = [f"<{tag}> is not closed" for tag in page.open]
    wrong += [f"the id {name} is used twice" for name in {name for name in page.ids if page.ids.count(name) > 1}]
    wrong += [f"{name} has no text beside it" for name in page.unnamed]
    wrong += [f"loads {address[:60]}" for address in page.loaded if not address.startswith("data:")]
    style_and_script = content[:content.index("<body>")] + content[content.index("<script>"):]
    wrong += [f"the style or script has {sign}" for sign in ("http:", "https:", "url(", "@import", "fetch(", "import(")
              if sign in style_and_script]
    for address in page.links:
        if address.startswith("#"):
            if address[1:] not in page.ids:
                wrong.append(f"{address} leads nowhere")
        elif not (folder / address.split("#")[0]).is_file():
            wrong.append(f"{address} is no file beside the page")

    def says(what, kind):
        if " ".join(what.split()) not in page.said:
            wrong.append(f"{kind} is missing: {what[:80]}")

    drawn = {address for address in page.loaded if address.startswith("data:image/svg+xml;base64,")}
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(REFERENCE.glob("*/*_*.json")) if path.with_suffix(".csv").exists()]
    if len(drawn) != len(records) + 1:  # a picture for each, and a grid beside one
        wrong.append(f"{len(drawn)} different pictures for {len(records)} figures")
    for record in records:
        says(record["title"], "figure")
        for note in record["notes"]:
            says(note, "note")
        for suffix in (".csv", ".json"):
            if record["stem"] + suffix not in page.links:
                wrong.append(f"no link to {record['stem']}{suffix}")
    badges = sum(any(STAND_IN.match(note) for note in record["notes"]) for record in records)
    if content.count(">stand-in data<") != badges:
        wrong.append(f"not {badges} figures are marked as made from stand-in data")
    claims = [claim for path in sorted(REFERENCE.glob("*/claims.json")) for claim in json.loads(path.read_text(encoding="utf-8"))]
    larger = {claim["id"]: claim for path in REFERENCE.glob("paper/*/*.json")
              for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]}
    for claim in claims:
        if claim["id"] not in page.ids:
            wrong.append(f"claim is missing: {claim['id']}")
        founded = larger.get(claim["id"], claim)
        found, more = f'Found: {claim["found"]}', ""
        if founded is not claim:
            if claim["larger_run"] != {"found": founded["found"], "verdict": founded["verdict"]}:
                wrong.append(f"another result of the larger run than in claims.json: {claim['id']}")
            same = "" if founded["verdict"] == claim["verdict"] else f' ({claim["verdict"]})'
            found = f'Found by a larger run: {founded["found"]} In the picture{same}: {claim["found"]}'
        if "would_decide" in founded:
            more = f' What would decide it: {founded["would_decide"]}'
        says(f'{founded["verdict"]} {claim["where"]} {claim["statement"]} {found}{more}', "claim")
        for line in filter(None, [founded.get("criterion"), *founded.get("details", [])]):
            says(line, "basis of a claim")
    for entry in json.loads((REFERENCE / "errata.json").read_text(encoding="utf-8")):
        says(f'{entry["item"]} {entry["verdict"]} {entry["paper"]} {entry["statement"]}', "erratum")
        for name, value in entry["numbers"].items():
            says(f"{name} {results_page.number_of(value)}", "number of an erratum")
    return wrong


def build(folder):
    """The page of the committed results with pictures of a few bytes, each its own."""
    pictures = folder / "pictures"
    stems = [str(path.relative_to(REFERENCE).with_suffix("")) for path in REFERENCE.glob("*/*_*.json") if path.with_suffix(".csv").exists()]
    for number, stem in enumerate([*stems, "aydin2024/fig03_total_variation_share_0_8_grid"]):
        (pictures / stem).parent.mkdir(parents=True, exist_ok=True)
        (pictures / f"{stem}.svg").write_text(SVG.replace("4", str(4 + number)), encoding="utf-8")
    out = folder / "page"
    with contextlib.redirect_stdout(io.StringIO()):
        assert results_page.main(["--results", str(REFERENCE), "--figures", str(pictures), "--publish", str(out)]) == 0
    return out


def check_the_page(out, content):
    found = complaints(content, out)
    assert not found, "\n".join(found[:20])


def check_that_faults_are_seen(out, content):
    """Each fault, seeded into the page, brings the complaint about it."""
    claim = json.loads((REFERENCE / "chua2025" / "claims.json").read_text(encoding="utf-8"))[3]
    statement = json.loads((REFERENCE / "errata.json").read_text(encoding="utf-8"))[7]["statement"]
    faults = {
        "claim is missing": (html.escape(claim["found"]), "nothing"),
        "erratum is missing": (html.escape(statement), "nothing"),
        "different pictures": ('src="data:image/svg+xml;base64,', 'src="data:image/png;base64,'),
        "loads https": ("<main", '<img alt="" src="https://example.org/a.png"><main'),
        "style or script has https:": ("</script>", 'open("https://example.org")</script>'),
        "is no file beside the page": (".csv\"", ".tsv\""),
        "stand-in": (">stand-in data<", "><"),
        "leads nowhere": ('href="#errata"', 'href="#mistakes"'),
    }
    for said, (old, new) in faults.items():
        assert old in content, old
        found = complaints(content.replace(old, new, 1), out)
        assert any(said in line for line in found), f"{said}: not seen; {found[:5]}"


def check_claims():
    """Every committed claim is two sentences, the paper's and ours; an undecidable one says what would decide it."""
    for path in sorted(REFERENCE.glob("*/claims.json")):
        for claim in json.loads(path.read_text(encoding="utf-8")):
            statement, found, name = claim["statement"], claim["found"], claim["id"]
            assert statement.endswith(".") and "found" not in statement, f"{name}: {statement}"
            assert isinstance(found, str) and found.endswith(".") and re.search(r"[a-z]{2,} ", found), f"{name}: {found}"
            assert (claim["verdict"] == "undecidable") == ("would_decide" in claim), f"{name}: {claim['verdict']}"


def check_repeats():
    """A picture drawn twice has the same bytes."""
    stem = "birrell2024/fig06_add_remove_bound_by_m"
    with tempfile.TemporaryDirectory() as name:
        folders = [pathlib.Path(name) / "first", pathlib.Path(name) / "second"]
        assert not any(make_all.draw(stem, REFERENCE, folder) for folder in folders)
        first, second = ((folder / f"{stem}.svg").read_bytes() for folder in folders)
    assert first == second and b"<dc:date>" not in first


def check_refusals():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(REFERENCE / "mironov2019" / "table01_bounds.csv", folder)
        complaint = io.StringIO()
        with contextlib.redirect_stderr(complaint):
            assert results_page.main(["--results", name, "--errata", str(folder / "none.json")]) == 2
        assert complaint.getvalue().count("\n") == 1 and not (folder / "index.html").exists()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        out = build(pathlib.Path(name))
        content = (out / "index.html").read_text(encoding="utf-8")
        check_the_page(out, content)
        check_that_faults_are_seen(out, content)
    check_claims()
    check_repeats()
    check_refusals()
    print("the page of all results: complete, and every seeded fault is seen")
