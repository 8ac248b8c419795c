#!/usr/bin/env python3
"""Keeps the verdicts of trials and prints their table.

usage: summary.py keep VERDICTS.json NAME-VERSION   writes results/reference/conformance/NAME-VERSION.json
       summary.py table                             the table of docs/conformance.md, of all that is kept
"""
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "results/reference/conformance"
COLUMNS = ("sound", "close", "loose", "off", "UNSOUND", "undecided", "invalid", "crash", "timeout", "unsupported")


def factor_of(answer):
    return math.nan if answer["factor"] is None else float(answer["factor"])


def keep(source, name):
    """Counts, and one line for each answer: enough to compare with a later run as a baseline."""
    run = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    answers = run.pop("answers")
    kept = [{key: answer[key] for key in ("id", "group", "verdict", "claims", "said", "factor", "note", "seconds")}
            for answer in answers]
    head = {"library": name, "vectors": run["vectors"], "answered": run["answered"], "timeout": run["timeout"],
            "counts": run["counts"], "groups": run["groups"]}
    lines = ",\n  ".join(json.dumps({**one, "seconds": round(one["seconds"], 4)}) for one in kept)
    text = json.dumps(head, indent=1)[:-2] + f',\n "answers": [\n  {lines}\n ]\n}}\n'
    json.loads(text)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def worst(answers):
    """The largest factor of a loose claim and the smallest of an UNSOUND one or of an estimate below."""
    factors = [factor_of(answer) for answer in answers if answer["verdict"] in ("loose", "off")]
    above = max((factor for factor in factors if factor > 1), default=None)
    below = min((factor_of(answer) for answer in answers
                 if answer["verdict"] in ("UNSOUND", "off") and factor_of(answer) < 1), default=None)
    return " / ".join("-" if one is None else f"{one:.3g}" for one in (above, below))


def table():
    print("| accountant, group | " + " | ".join(COLUMNS) + " | worst above / below |")
    print("| --- |" + " ---: |" * (len(COLUMNS) + 1))
    for path in sorted(FOLDER.glob("*.json")):
        run = json.loads(path.read_text(encoding="utf-8"))
        rows = [(f"**{run['library']}**", run["counts"], run["answers"])]
        rows += [(group, counts, [answer for answer in run["answers"] if answer["group"] == group])
                 for group, counts in run["groups"].items() if set(counts) - {"unsupported"}]
        for name, counts, answers in rows:
            print(f"| {name} | " + " | ".join(str(counts.get(column, "")) for column in COLUMNS)
                  + f" | {worst(answers)} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["keep"] and len(sys.argv) == 4:
        keep(sys.argv[2], sys.argv[3])
    elif sys.argv[1:] == ["table"]:
        table()
    else:
        sys.exit(__doc__)
