"""The report as one HTML page: text, tables and the pictures it is given, nothing from elsewhere."""
import math

from html_page import definitions, document, filters, picture, table, tag, text
from verification import report as reports

READING = """
<p class="note">The <b>margin</b> of a point is the distance of the library's answer to a violation, relative
to the oracle's value: <code>upper / truth − 1</code> for an upper bound, <code>1 − lower / truth</code> for a
lower bound, the smaller of both for an enclosure. It is positive where the claim holds; 0 says that the answer
is the truth itself; the next larger one follows. No margin (–) tells how close a row is to failing where two ranges
only have to overlap. A point is <b>undecided</b> when the oracle's interval stayed too wide to tell.
The <b>width</b> is (upper − lower) / truth. <b>Bits</b> is the oracle's precision that decided. Seconds are of
one thread. A <b>control</b> is a statement known to be wrong: it has to be refuted.</p>"""


def figure(value, digits=3):
    """A number for a reader."""
    value = reports.number(value)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{digits}g}"


def where(point):
    return " ".join(f"{name}={reports.number(value)!r}".removesuffix(".0") for name, value in point.items())


def anchor(row):
    return "row-" + row["id"]


def trial(row, one):
    """A point with both numbers, the oracle and its precision."""
    lines = [("at", f"<code>{text(where(one['point']))}</code>")]
    lower, upper = (f"{reports.number(end)!r}" for end in one["subject"])
    lines.append((text(row["subject"]), f"<code>[{lower}, {upper}]</code>"))
    if one["truth"][0]:
        lines.append((f"{text(row['oracle'])}, {one['bits']} bits",
                      f"<code>[{text(one['truth'][0])}, {text(one['truth'][1])}]</code>"))
    lines.append(("margin, width", f"<code>{figure(one['margin'], 6)}, {figure(one['width'])}</code>"))
    if one.get("note"):
        lines.append(("note", text(one["note"])))
    return definitions(lines)


def headline(report):
    green = report["verdict"] == "green"
    failing = len(reports.failing(report))
    done, all_controls = reports.refuted(report)
    said = "Every claim holds" if green else f"{failing} of {len(report['rows'])} rows fail"
    if green and report["interrupted"]:
        said = "No claim fails so far"
    if green and not report["points"]:
        said = "Nothing was tried"
    seconds = report["seconds"]
    facts = [("tier", report["tier"]), ("seed", report["seed"]), ("program", report["program"]),
             ("rows", len(report["rows"])), ("points", f"{report['points']:,}"),
             ("controls refuted", f"{done} of {all_controls}"), ("seconds", f"{seconds:.1f}"),
             ("points per second", f"{report['points'] / seconds:.0f}" if seconds > 0 else "–"),
             ("threads", report["threads"])]
    page = f'<div class="banner {"green" if green else "red"}"><h1>{text(said)}: {text(report["verdict"])}</h1>'
    page += "<p>Every answer of the library against independent oracles of high precision.</p></div>\n"
    page += '<div class="facts">' + "".join(
        f"<div><span>{name}</span><b>{text(value)}</b></div>" for name, value in facts) + "</div>\n"
    if report["interrupted"]:
        page += '<p class="warning">The run ended early: not every planned point was tried.</p>\n'
    return page


def failures(report):
    rows = reports.failing(report)
    if not rows:
        return ""
    page = "<h2>What fails</h2>\n"
    for row in rows:
        bad = row["violated"] + row["undecided"]
        counts = "no point refutes it" if row["kind"] == "control" else f"{bad} of {row['points']} points"
        page += (f'<div class="failure"><h3><a href="#{text(anchor(row))}">{text(row["id"])}</a> '
                 f'{tag(row["verdict"])} {counts}</h3><div>{text(row["claim"])}</div>\n')
        one = reports.decisive_trial(row)
        page += (trial(row, one) if one else "") + "</div>\n"
    return page


def kinds_table(report):
    """Totals by kind."""
    meaning = {"check": "library against oracle", "law": "library against itself",
               "attack": "a theorem against explicit examples", "control": "known to be wrong: to be refuted"}
    lines = []
    for kind in reports.KINDS:
        rows = [row for row in report["rows"] if row["kind"] == kind]
        total = [sum(row[key] for row in rows) for key in ("points", "violated", "undecided", "seconds")]
        numbers = zip([len(rows), *total], [f"{len(rows):,}", *(f"{value:,}" for value in total[:3]), f"{total[3]:.1f}"])
        lines.append([kind, meaning[kind], *((shown, value) for value, shown in numbers)])
    return table("Rows by kind", ["kind", "what it is", "rows", "points", "violated", "undecided", "seconds"], lines)


def sorted_by(value, shown=None):
    """A cell that sorts by `value`: what is no number comes last."""
    value = reports.number(value)
    return shown or figure(value), "1e309" if math.isnan(value) else repr(value).replace("inf", "Infinity")


def verdict_of(rows):
    """A tag for each verdict of failing rows, or one for them all."""
    failing = [row["verdict"] for row in rows if not row["passes"]]
    if failing:
        return " ".join(tag(f"{verdict} ({failing.count(verdict)})") for verdict in sorted(set(failing)))
    return tag("refuted" if all(row["kind"] == "control" for row in rows) else "holds")


def margin_of(row):
    """What the row is ranked by; where the smallest margin is 0, that as well."""
    size = reports.smallest_size(row)
    exact = row["passes"] and reports.worst_margin(row) == 0
    return ("0" if math.isnan(size) else f"0, then {figure(size)}") if exact else figure(size)


def family_table(report, page=""):
    """Each family with its worst margin, points and verdict, the worst first; `page` has the rows."""
    lines = []
    for family, rows in reports.families(report).items():
        total = [sum(row[key] for row in rows) for key in ("points", "seconds")]
        worst = rows[0]
        lines.append([f'<a href="{text(page)}#family-{text(family)}">{text(family)}</a>', verdict_of(rows),
                      sorted_by(reports.smallest_size(worst), margin_of(worst)), f"<code>{text(worst['id'])}</code>",
                      sorted_by(len(rows)), sorted_by(total[0], f"{total[0]:,}"), sorted_by(total[1], f"{total[1]:.1f}")])
    return table("Families of rows, the smallest margin first",
                 ["family", "verdict", "worst margin", "in", "rows", "points", "seconds"], lines, sortable=True)


def summary_of(row):
    """What a closed row says."""
    found = f'{row["points"]:,} points, worst margin {margin_of(row)}'
    if row["kind"] == "control":
        points = f'{row["points"]:,} point{"" if row["points"] == 1 else "s"}'
        found = f"no violation in {points}"
        if row.get("violation"):
            size = figure(abs(reports.number(row["violation"]["margin"])))
            found = (f'refuted after {points}, at <code>{text(where(row["violation"]["point"]))}</code>, '
                     f"violated by {size}")
    return f'<code>{text(row["id"])}</code> {tag(row["verdict"])} {found}'


def details(row, png):
    page = (f'<details class="item{"" if row["passes"] else " fails"}" id="{text(anchor(row))}" '
            f'data-kind="{text(row["kind"])}" data-verdict="{text(row["verdict"])}">'
            f"<summary>{summary_of(row)}</summary>\n<p>{text(row['claim'])}</p>")
    page += definitions([
        ("held to", text(f"{row['subject']} — {row['relation']} — {row['oracle']}")),
        ("points", f"{row['points']:,}, of them {row['hard_cases']} hard cases; {row['violated']} violated, "
                   f"{row['undecided']} undecided; {row['seconds']:.2f} s, {figure(reports.speed(row))} a second"),
        ("median margin", figure(row.get("median_margin"))),
        ("widest answer", figure(row.get("widest"))),
        ("most bits", text(row.get("most_bits", "–")))])
    for key, said in (("violation", "A violation, shrunk:"), ("first_undecided", "Undecided:"),
                      ("closest", "The smallest margin:")):
        page += f"<p>{said}</p>" + trial(row, row[key]) if row.get(key) else ""
    return page + (picture(png, "png", "margins of " + row["id"]) if png else "") + "</details>\n"


def family(name, rows, pictures):
    points = sum(row["points"] for row in rows)
    count = f'{len(rows)} row{"" if len(rows) == 1 else "s"}'
    return (f'<details class="group" id="family-{text(name)}"><summary><b>{text(name)}</b> {verdict_of(rows)} '
            f"{count}, {points:,} points, worst margin {margin_of(rows[0])}</summary>\n"
            + "".join(details(row, pictures.get(row["id"])) for row in rows) + "</details>\n")


def page_of(report, pictures):
    """The whole page. `pictures`: PNG by row id, and under "ranking"."""
    ranking = pictures.get("ranking")
    families = reports.families(report)
    body = headline(report) + failures(report) + "<main>\n<h2>Families</h2>\n" + READING + family_table(report)
    body += "<details><summary>By kind, and every margin in one picture</summary>" + kinds_table(report)
    body += (picture(ranking, "png", "the smallest margin of every row, sorted") if ranking else "") + "</details>\n"
    body += "<h2>Rows</h2>\n" + filters({
        "kind": [kind for kind in reports.KINDS if any(row["kind"] == kind for row in report["rows"])],
        "verdict": sorted({row["verdict"] for row in report["rows"]})})
    body += "".join(family(name, rows, pictures) for name, rows in families.items()) + "</main>\n"
    return document(f'Verification: {report["verdict"]} ({report["tier"]})', body)
