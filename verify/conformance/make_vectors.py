#!/usr/bin/env python3
"""Computes the test vectors: questions of `assay ask`, the certified answers, and a second route for each.

usage: make_vectors.py --assay PROGRAM [--out FOLDER] [--jobs N] [--work FILE] [--check SAMPLE]

The questions are those of questions.py and depend on nothing but its text. A bracket whose second route does not
meet it ends the program: nothing is written. --work keeps every answer of the program as it comes, and those that it
holds are not asked again: delete it when the program changes. --check computes so many anew and compares them with
the files.
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

import mpmath

import questions
import second_routes
from second_routes import number, text

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Assay:
    """`assay ask` as a function. What is in the file of answers is not asked again."""

    def __init__(self, program, file=None):
        self.program = program
        self.process = None
        self.known = {}
        if file and file.exists():
            lines = file.read_text(encoding="utf-8").split("\n")[:-1]  # a torn last line has no end
            self.known = {line["question"]: line["reply"] for line in map(json.loads, lines)}
        self.file = open(file or os.devnull, "a", encoding="utf-8")

    def __call__(self, question):
        key = json.dumps(question, sort_keys=True)
        if key in self.known:
            return self.known[key]
        if self.process is None:
            self.process = subprocess.Popen([self.program, "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True)
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        self.known[key] = reply
        self.file.write(json.dumps({"question": key, "reply": reply}) + "\n")
        self.file.flush()
        return reply


def identity(question):
    """The same for the same question, whatever stands around it."""
    text = json.dumps(question, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def meets(one, other):
    """Whether two brackets can hold one truth; 1e-28 relative is given to decimals."""
    room = mpmath.mpf(10) ** -28
    return (number(one[0]) <= number(other[1]) * (1 + room)
            and number(other[0]) <= number(one[1]) * (1 + room))


def vector_of(assay, entry):
    """The test of one question, or a word why there is none."""
    question = entry["question"]
    reply = assay(question)
    if "error" in reply:
        return f"{reply['error']['kind']}: {reply['error']['message']}"
    lower, upper, how = text(reply["lower"]), text(reply["upper"]), "assay ask"
    if number(lower) == 0 and mpmath.isinf(number(upper)):
        return "vacuous"
    route = second_routes.second_route(question, assay, (lower, upper))
    if route is None:
        return "no second route"
    name, low, high, is_exact = route
    if not meets((lower, upper), (low, high)):
        raise SystemExit(f"two routes disagree: {question}: [{lower}, {upper}] and {route}")
    if is_exact and number(high) > mpmath.mpf("1e-300"):  # more digits are what a claim is compared with
        ends = (low if number(low) > number(lower) else lower, high if number(high) < number(upper) else upper)
        if ends != (lower, upper) and number(ends[0]) <= number(ends[1]):
            (lower, upper), how = ends, "assay ask, and the second route where it is closer"
    top = number(upper)
    gap = "inf" if mpmath.isinf(top) else mpmath.nstr((top - number(lower)) / top, 3) if top > 0 else "0"
    test = {"id": identity(question), "comment": entry["comment"], "flags": entry["flags"], "question": question,
            "lower": lower, "upper": upper, "gap": gap, "how": how, "theorem": reply["theorem"],
            "confirmed": {"by": name, "lower": low, "upper": high}}
    if "published" in entry:
        test["published"] = entry["published"]
    return test


def start_worker(program, work):
    global own_assay  # of this worker
    own_assay = Assay(program, work)


def tested(entry):
    return vector_of(own_assay, entry)


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
    entries = {identity(entry["question"]): entry for entry in reversed(questions.all_questions())}
    entries = dict(reversed(entries.items()))  # of two equal questions the first
    if options.check:
        return check(Assay(options.assay), entries, options)
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=start_worker,
                                                initargs=(options.assay, options.work)) as pool:
        found = []
        for entry, test in zip(entries.values(), pool.map(tested, entries.values())):
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
