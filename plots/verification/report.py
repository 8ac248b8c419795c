"""Reads report.json of `assay-verify run` and says what of it comes first. Draws nothing."""
import json
import math
import pathlib

KINDS = ["check", "law", "attack", "control"]
RUN_KEYS = ["seed", "tier", "program", "threads", "seconds", "points", "interrupted", "verdict", "rows"]
ROW_KEYS = ["id", "kind", "claim", "subject", "oracle", "relation", "verdict", "passes", "points",
            "hard_cases", "violated", "undecided", "seconds"]


class NoReport(Exception):
    """The file is no report; the message is one line."""


def number(value):
    """A number of the report: infinities are strings there, and what is no number at all is null."""
    if value is None:
        return math.nan
    return float(value)


def read(path):
    """The report as nested dictionaries, its keys checked."""
    try:
        report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise NoReport(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise NoReport(f"{path}: this is no JSON ({error})") from error
    missing = next((key for key in RUN_KEYS if not isinstance(report, dict) or key not in report), None)
    if missing:
        raise NoReport(f"{path}: this is no report of `assay-verify run`: it has no \"{missing}\"")
    for index, row in enumerate(report["rows"]):
        missing = next((key for key in ROW_KEYS if not isinstance(row, dict) or key not in row), None)
        if missing:
            raise NoReport(f"{path}: row {index + 1} of the report has no \"{missing}\"")
    return report


def families(report):
    """Rows by the first part of their names, in each the failing ones first, then the smallest margins; the
    families in the same order."""
    named = {}
    for row in sorted(report["rows"], key=urgency):
        named.setdefault(row["id"].split(".")[0], []).append(row)
    return named


def urgency(row):
    """Sorts rows: what fails, then the smallest margins; controls, which have to be refuted, come last."""
    size = smallest_size(row)
    return row["passes"], row["kind"] == "control", math.inf if math.isnan(size) else size


def failing(report):
    """Rows that fail: violated, then undecided, then controls that survive."""
    order = ["violated", "undecided", "survives"]
    rows = [row for row in report["rows"] if not row["passes"]]
    return sorted(rows, key=lambda row: order.index(row["verdict"]) if row["verdict"] in order else 9)


def refuted(report):
    """How many controls were refuted, and how many there are."""
    rows = [row for row in report["rows"] if row["kind"] == "control"]
    return sum(row["verdict"] == "refuted" for row in rows), len(rows)


def decisive_trial(row):
    """What to show of a row that fails: the shrunk violation, else a point left undecided."""
    return row.get("violation") or row.get("first_undecided")


def worst_margin(row):
    """The smallest margin of a row; NaN where nothing was tried."""
    return number(row["closest"]["margin"]) if "closest" in row else math.nan


def smallest_size(row):
    """What to rank a row by: of a failing one its margin, else the smallest positive one. NaN where none tells
    how close the row is to failing: controls, ranges that only have to overlap, answers that are all exact."""
    worst = worst_margin(row)
    if not row["passes"]:
        return worst
    if row["kind"] == "control" or row["relation"] == "overlaps":
        return math.nan
    return worst if worst > 0 else next_margin(row) or math.nan


def next_margin(row):
    """The smallest positive margin: where a quantity is exactly 0, so is the margin of an exact answer."""
    margins = [number(line[-2]) for line in row.get("samples", {}).get("values", [])]
    return min((margin for margin in margins if margin > 0), default=0.0)


def speed(row):
    """Points per second of one thread; NaN where no time was measured."""
    return row["points"] / row["seconds"] if row["points"] and row["seconds"] > 0 else math.nan
