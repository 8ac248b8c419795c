#!/usr/bin/env python3
"""check_examples.py EXAMPLES BUILD: does every example print what EXAMPLES/expected/<name>.txt says?

Words have to be equal; numbers may differ by 1e-6 of their size or by one in the last digit that is
printed, for other C libraries.
"""
import pathlib
import re
import subprocess
import sys

NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def last_digit(number):
    digits, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def is_near(printed, expected):
    allowed = max(1e-6 * abs(float(expected)), 1.01 * last_digit(expected))
    return abs(float(printed) - float(expected)) <= allowed


def differs(printed, expected):
    if NUMBER.sub("#", printed) != NUMBER.sub("#", expected):
        return True
    return not all(map(is_near, NUMBER.findall(printed), NUMBER.findall(expected)))


def complaints(source, expected, program):
    if not program.is_file():
        return [f"{source.name} was not built"]
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    printed = [line.rstrip() for line in run.stdout.splitlines()]
    wanted = expected.read_text().splitlines()
    found = [f"{source.name} ended with {run.returncode}: {run.stderr}"] if run.returncode else []
    if len(printed) != len(wanted):
        found.append(f"{source.name} printed {len(printed)} lines, {len(wanted)} are expected")
    return found + [f"{source.name}:\n  printed  {a}\n  expected {b}"
                    for a, b in zip(printed, wanted) if differs(a, b)]


def main():
    examples, build = map(pathlib.Path, sys.argv[1:])
    sources = sorted(examples.glob("*.cpp"))
    found = [line for source in sources
             for line in complaints(source, examples / "expected" / f"{source.stem}.txt",
                                    build / source.stem)]
    print("\n".join(found) if found else f"{len(sources)} examples print what is expected")
    return 1 if found or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
