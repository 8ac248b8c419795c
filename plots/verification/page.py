"""The report as one HTML page: text, tables and the pictures it is given, nothing from elsewhere."""
import base64
import html
import math
import pathlib

from verification import report as reports

HERE = pathlib.Path(__file__).resolve().parent
CLAIM_COLUMNS = [("row", "text"), ("claim", "text"), ("kind", "text"), ("verdict", "text"),
                 ("points", "number"), ("worst margin", "number"), ("at", "text"),
                 ("median margin", "number"), ("widest answer", "number"), ("most bits", "number"),
                 ("seconds", "number")]

READING = """
<p class="note">The <b>margin</b> of a point is the distance of the library's answer to a violation, relative
to the oracle's value: <code>upper / truth − 1</code> for an upper bound, <code>1 − lower / truth</code> for a
lower bound, the smaller of both for an enclosure. It is positive where the claim holds; 0 says that the answer
is the truth itself. A point is <b>undecided</b> when the oracle's interval stayed too wide to tell.
The <b>width</b> is (upper − lower) / truth. <b>Bits</b> is the oracle's precision that decided. Seconds are of
one thread. A <b>control</b> is a statement known to be wrong: it has to be refuted.</p>"""


def text(value):
    return html.escape(str(value))


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


def tag(verdict):
    return f'<span class="tag {verdict.split()[0]}">{text(verdict)}</span>'


def cell(value, shown=None, style="number"):
    """A table cell that sorts by `value`: what is no number comes last."""
    value = reports.number(value)
    key = repr(value).replace("inf", "Infinity") if not math.isnan(value) else "1e309"
    return f'<td class="{style}" data-value="{key}">{shown or figure(value)}</td>'


def picture(png, name):
    if png is None:
        return ""
    code = base64.b64encode(png).decode("ascii")
    return f'<img loading="lazy" alt="{text(name)}" src="data:image/png;base64,{code}">\n'


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
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{said}</dd>" for name, said in lines) + "</dl>\n"


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
    page = ("<table style='max-width: 46rem'><thead><tr><th>kind<th>what it is<th>rows<th>points<th>violated"
            "<th>undecided<th>seconds</tr></thead><tbody>\n")
    meaning = {"check": "library against oracle", "law": "library against itself",
               "attack": "a theorem against explicit examples", "control": "known to be wrong: to be refuted"}
    for kind in reports.KINDS:
        rows = [row for row in report["rows"] if row["kind"] == kind]
        total = [sum(row[key] for row in rows) for key in ("points", "violated", "undecided", "seconds")]
        page += (f"<tr><td>{kind}<td>{meaning[kind]}<td class=number>{len(rows)}<td class=number>{total[0]:,}"
                 f"<td class=number>{total[1]}<td class=number>{total[2]}<td class=number>{total[3]:.1f}</tr>\n")
    return page + "</tbody></table>\n"


def claims_table(report):
    rows = reports.claims(report)
    verdicts = sorted({row["verdict"] for row in rows})
    kinds = [kind for kind in reports.KINDS if any(row["kind"] == kind for row in rows)]

    def chooser(name, choices):
        options = "".join(f"<option>{text(choice)}</option>" for choice in choices)
        return f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>'

    page = ('<div class="filters" id="filters">' + chooser("kind", kinds) + chooser("verdict", verdicts)
            + '<label>words <input name="words" type="search"></label><output></output></div>\n')
    page += '<table id="claims"><thead><tr>' + "".join(
        f'<th data-sort="{how}">{name}</th>' for name, how in CLAIM_COLUMNS) + "</tr></thead><tbody>\n"
    for row in rows:
        fails = "" if row["passes"] else ' class="fails"'
        closest = row.get("closest")
        page += (f'<tr{fails} data-kind="{row["kind"]}" data-verdict="{text(row["verdict"])}">'
                 f'<td class="id"><a href="#{text(anchor(row))}">{text(row["id"])}</a></td>'
                 f'<td>{text(row["claim"])}</td><td>{row["kind"]}</td><td>{tag(row["verdict"])}</td>')
        page += cell(row["points"], f"{row['points']:,}")
        worst = reports.worst_margin(row)
        beyond = f", then {figure(reports.next_margin(row))}" if worst == 0 and row["passes"] else ""
        page += cell(reports.smallest_size(row), figure(worst) + beyond)
        page += f'<td class="where">{text(where(closest["point"])) if closest else "–"}</td>'
        page += cell(row.get("median_margin")) + cell(row.get("widest")) + cell(row.get("most_bits"),
                                                                              row.get("most_bits", "–"))
        page += cell(row["seconds"], f"{row['seconds']:.2f}") + "</tr>\n"
    return page + "</tbody></table>\n"


def controls_table(report):
    rows = reports.controls(report)
    if not rows:
        return "<p>No control was among the rows.</p>\n"
    page = ("<table><thead><tr><th>control<th>known-wrong claim<th>verdict<th>found<th>violated by<th>seconds"
            "</tr></thead><tbody>\n")
    for row in rows:
        one = row.get("violation")
        points = f"{row['points']} point{'' if row['points'] == 1 else 's'}"
        found = f"no violation in {points}"
        if one:
            found = f'refuted after {points}, at <span class="where">{text(where(one["point"]))}</span>'
        fails = "" if row["passes"] else ' class="fails"'
        page += (f'<tr{fails}><td class="id"><a href="#{text(anchor(row))}">{text(row["id"])}</a></td>'
                 f'<td>{text(row["claim"])}</td><td>{tag(row["verdict"])}</td><td>{found}</td>'
                 f'<td class="number">{figure(abs(reports.number(one["margin"]))) if one else "–"}</td>'
                 f'<td class="number">{row["seconds"]:.2f}</td></tr>\n')
    return page + "</tbody></table>\n"


def details(row, png):
    page = (f'<details id="{text(anchor(row))}"><summary><code>{text(row["id"])}</code> {tag(row["verdict"])} '
            f'{row["points"]:,} points, worst margin {figure(reports.worst_margin(row))}</summary>\n')
    page += f'<p>{text(row["claim"])}</p><dl>'
    lines = [("held to", f"{row['subject']} — {row['relation']} — {row['oracle']}"),
             ("points", f"{row['points']:,}, of them {row['hard_cases']} hard cases; {row['violated']} violated, "
                        f"{row['undecided']} undecided; {figure(reports.speed(row))} a second")]
    page += "".join(f"<dt>{name}</dt><dd>{text(said)}</dd>" for name, said in lines) + "</dl>\n"
    if row.get("violation"):
        page += "<p>A violation, shrunk:</p>" + trial(row, row["violation"])
    if row.get("first_undecided"):
        page += "<p>Undecided:</p>" + trial(row, row["first_undecided"])
    if row.get("closest"):
        page += "<p>The smallest margin:</p>" + trial(row, row["closest"])
    return page + picture(png, "margins of " + row["id"]) + "</details>\n"


def page_of(report, pictures):
    """The whole page. `pictures`: PNG by row id, and under "ranking" and "every row"."""
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    overview = picture(pictures.get("ranking"), "the smallest margin of every row, sorted")
    named = picture(pictures.get("every row"), "margin, time and speed of every row, by name")
    if named:
        overview += (f"<details><summary>Every row by name: margin, time, points per second</summary>{named}"
                     "</details>\n")
    rows = "".join(details(row, pictures.get(row["id"])) for row in reports.claims(report))
    wrong = "".join(details(row, pictures.get(row["id"])) for row in reports.controls(report))
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>Verification: {text(report["verdict"])} ({text(report["tier"])})</title>\n'
            f"<style>\n{style}</style>\n</head>\n<body>\n{headline(report)}{failures(report)}"
            f"<h2>Overview</h2>\n{kinds_table(report)}{overview}"
            f"<h2>Claims</h2>\n{READING}{claims_table(report)}"
            f"<h2>Controls</h2>\n{controls_table(report)}"
            f"<h2>Row by row</h2>\n{rows}"
            f"<h2>Controls one by one</h2>\n{wrong}"
            f"<script>\n{script}</script>\n</body>\n</html>\n")
