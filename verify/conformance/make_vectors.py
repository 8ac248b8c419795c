#!/usr/bin/env python3
"""Computes the test vectors: questions of `assay ask`, the certified answers, and a second route for each.

usage: make_vectors.py --assay PROGRAM [--out FOLDER] [--jobs N] [--work FILE] [--check SAMPLE]

The questions are those of questions.py and depend on nothing but its text. A bracket whose second route does not
meet it ends the program: nothing is written. --work keeps every answer as it comes, and those that it holds are not
computed again: delete it when the program changes. --check computes so many anew and compares them with the files.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import threading

import mpmath

import closed_forms
import questions

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Assay:
    """`assay ask` as a function, one process for each thread."""

    def __init__(self, program):
        self.program = program
        self.own = threading.local()

    def __call__(self, question):
        if not hasattr(self.own, "process"):
            self.own.process = subprocess.Popen([self.program, "ask"], stdin=subprocess.PIPE,
                                                stdout=subprocess.PIPE, text=True)
        process = self.own.process
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


def identity(question):
    """The same for the same question, whatever stands around it."""
    text = json.dumps(question, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def number(text):
    return mpmath.mpf(text if text != "inf" else "+inf")


def seventeen(value):
    return value if isinstance(value, str) else f"{value:.17g}"


def around(value):
    """Decimals of 30 digits below and above a number that is right to 38."""
    value = mpmath.mpf(value)
    room = abs(value) * mpmath.mpf(10) ** -28
    return mpmath.nstr(value - room, 30), mpmath.nstr(value + room, 30)


def meets(one, other):
    """Whether two brackets can hold one truth; 1e-28 relative is given to decimals."""
    room = mpmath.mpf(10) ** -28
    return (number(one[0]) <= number(other[1]) * (1 + room)
            and number(other[0]) <= number(one[1]) * (1 + room))


def second_route(assay, question, bracket):
    """What confirms a bracket: {"by", "lower", "upper"}."""
    exact = closed_forms.answer(question)
    if exact is not None:
        low, high = around(exact[0])
        return {"by": exact[1], "lower": low, "upper": high}
    if question["ask"] == "noise_multiplier":  # delta at both ends of the bracket
        found = []
        for sigma in bracket:
            asked = json.loads(json.dumps(question))
            asked["ask"] = "delta"
            for phase in asked["release"]["phases"]:
                phase["noise_multiplier"] = sigma
            del asked["delta"]
            reply = assay(asked)
            if "error" in reply:
                return None
            found.append((reply["lower"], reply["upper"]))
        goal = mpmath.mpf(float(question["delta"]))
        if not mpmath.mpf(found[1][0]) <= goal * (1 + mpmath.mpf("1e-12")):
            raise SystemExit(f"delta at the sufficient noise is above the goal: {question}")
        if not mpmath.mpf(found[0][1]) >= goal * (1 - mpmath.mpf("1e-12")):
            raise SystemExit(f"delta at the insufficient noise is below the goal: {question}")
        return {"by": "delta at both ends, by the library's own accountants", "lower": bracket[0],
                "upper": bracket[1]}
    phase = question["release"]["phases"][0]["sampling"]
    if phase in ("balls-and-bins", "shuffle"):
        fixed = json.loads(json.dumps(question))
        for one in fixed["release"]["phases"]:
            one["sampling"] = "deterministic"
        above = closed_forms.answer(fixed)
        return {"by": "batches in a fixed order in closed form are no better (upper side alone)", "lower": "0",
                "upper": around(above[0])[1]}
    if phase == "fixed-size-with-replacement":  # Renyi divergences are the first route: they confirm nothing
        if question["ask"] != "epsilon" or question["release"]["adjacency"] != "add-remove":
            return None
        low = closed_forms.epsilon_of_repeated_record(question)
        return {"by": "one step of a repeated record in closed form is no worse (lower side alone)",
                "lower": mpmath.nstr(low * (1 - mpmath.mpf("1e-15")), 20), "upper": "inf"}
    names = {"rdp": "Renyi divergences", "pld": "privacy loss distributions"}
    for accountant in ("rdp", "pld"):
        reply = assay({**question, "accountant": accountant})
        if "error" not in reply:
            return {"by": f"the library's accountant of {names[accountant]} alone",
                    "lower": seventeen(reply["lower"]), "upper": seventeen(reply["upper"])}
    return None


def vector_of(assay, entry):
    """The test of one question, or a word why there is none."""
    question = entry["question"]
    reply = assay(question)
    theorem = None
    if "error" in reply:
        if reply["error"]["kind"] != "unsupported":
            return f"refused: {reply['error']['message']}"
        exact = closed_forms.answer(question)
        if exact is None:
            return "unsupported"
        lower, upper = around(exact[0])
        if question["ask"] == "steps":
            lower = upper = str(int(exact[0]))
        how = exact[1]
    else:
        lower, upper = seventeen(reply["lower"]), seventeen(reply["upper"])
        theorem, how = reply["theorem"], "assay ask"
    if number(lower) == 0 and mpmath.isinf(number(upper)):
        return "vacuous"
    if how != "assay ask" and question["ask"] in ("type_two_error", "true_positive_rate"):
        mu = closed_forms.gaussian_mu(question["release"])
        rate = question.get("type_one_error", question.get("false_positive_rate"))
        missed = closed_forms.type_two_error_by_duality(mu, mpmath.mpf(float(rate)))
        value = missed if question["ask"] == "type_two_error" else 1 - missed
        confirmed = {"by": "supremum of the lines of delta(epsilon), 15 digits",
                     "lower": mpmath.nstr(value * (1 - mpmath.mpf("1e-15")), 20),
                     "upper": mpmath.nstr(value * (1 + mpmath.mpf("1e-15")), 20)}
    else:
        confirmed = second_route(assay, question, (lower, upper))
    if confirmed is None:
        return "no second route"
    if not meets((lower, upper), (confirmed["lower"], confirmed["upper"])):
        raise SystemExit(f"two routes disagree: {question}: [{lower}, {upper}] and {confirmed}")
    top = number(upper)
    gap = "inf" if mpmath.isinf(top) else mpmath.nstr((top - number(lower)) / top, 3) if top > 0 else "0"
    test = {"id": identity(question), "comment": entry["comment"], "flags": entry["flags"], "question": question,
            "lower": lower, "upper": upper, "gap": gap, "how": how, "theorem": theorem, "confirmed": confirmed}
    if "published" in entry:
        test["published"] = entry["published"]
    return test


def file_of(sampling, tests, version):
    groups = collections.defaultdict(list)
    for test in tests:
        groups[test["question"]["release"]["adjacency"]].append(test)
    used = sorted({flag for test in tests for flag in test["flags"]})
    return {"algorithm": sampling, "schema": "vectors.schema.json", "generatorVersion": version,
            "numberOfTests": len(tests),
            "header": ["Questions about releases of noisy sums, and certified answers: the truth is in [lower, upper].",
                       "The noise multiplier is the standard deviation of the noise on the sum over the clip norm."],
            "notes": {flag: questions.NOTES[flag] for flag in used},
            "testGroups": [{"type": "PrivacyQuestion", "sampling": sampling, "adjacency": adjacency,
                            "source": {"name": "assay", "version": version}, "tests": groups[adjacency]}
                           for adjacency in sorted(groups)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--assay", required=True, help="the program")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results/reference/vectors")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, help="JSON Lines of what is done")
    parser.add_argument("--check", type=int, default=0, metavar="SAMPLE")
    options = parser.parse_args()
    assay = Assay(options.assay)
    entries = {identity(entry["question"]): entry for entry in reversed(questions.all_questions())}
    entries = dict(reversed(entries.items()))  # of two equal questions the first
    if options.check:
        return check(assay, entries, options)
    done = {}
    if options.work and options.work.exists():
        lines = options.work.read_text(encoding="utf-8").split("\n")[:-1]  # a torn last line has no end
        done = {line["id"]: line["test"] for line in map(json.loads, lines)}
    work = open(options.work or os.devnull, "a", encoding="utf-8")

    def tested(item):
        if item[0] not in done:
            test = vector_of(assay, item[1])
            work.write(json.dumps({"id": item[0], "test": test}) + "\n")
            work.flush()
            return test
        test = done[item[0]]  # comments and flags may have changed since
        return test if isinstance(test, str) else {**test, "comment": item[1]["comment"], "flags": item[1]["flags"]}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = []
        for entry, test in zip(entries.values(), pool.map(tested, entries.items())):
            if isinstance(test, str):
                print(f"left out ({test}): {entry['comment']}", file=sys.stderr)
            else:
                found.append(test)
            if sys.stderr.isatty():
                print(f"\r{len(found)} of {len(entries)}", end="", file=sys.stderr)
    version = subprocess.run([options.assay, "--version"], capture_output=True, text=True,
                             check=True).stdout.split()[1]
    options.out.mkdir(parents=True, exist_ok=True)
    by_sampling = collections.defaultdict(list)
    for test in found:
        by_sampling[test["question"]["release"]["phases"][0]["sampling"]].append(test)
    for sampling, tests in by_sampling.items():
        text = json.dumps(file_of(sampling, tests, version), indent=1) + "\n"
        (options.out / f"{sampling}.json").write_text(text, encoding="utf-8")
    print(f"{len(found)} vectors in {len(by_sampling)} files: {options.out}")
    return 0


def check(assay, entries, options):
    """Every k-th vector anew: its bracket must meet the one in the file."""
    kept = [test for path in sorted(options.out.glob("*.json")) if path.name != "vectors.schema.json"
            for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"] for test in group["tests"]]
    strangers = [test["id"] for test in kept if test["id"] not in entries]
    if strangers:
        print(f"no question of questions.py has these ids: {strangers[:5]}")
        return 1
    stride = max(1, len(kept) // options.check)
    wrong = 0
    for test in kept[::stride]:
        anew = vector_of(assay, entries[test["id"]])
        if isinstance(anew, str) or not meets((test["lower"], test["upper"]), (anew["lower"], anew["upper"])):
            print(f"{test['id']} ({test['comment']}): [{test['lower']}, {test['upper']}] in the file, {anew} anew")
            wrong += 1
    print(f"{len(kept[::stride])} of {len(kept)} vectors computed anew: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
