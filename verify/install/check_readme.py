#!/usr/bin/env python3
"""check_readme.py README PROGRAM: does the program say what README prints of it?

Of the commands ("    $ assay ..." and their indented lines) every line that is shown has to come, its
numbers as in check_examples.py. Of the table of brackets every [lower, upper] has to contain the
program's own and to be its rounding outward, and the published bound to be rounded up.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

from check_examples import differs, last_digit

CELLS = re.compile(r"^\| `([a-z-]+)`[^|]*\| ([^|]*) \| \[([\d.]+), ([\d.]+)\] \| ([\d.,]+) \|",
                   re.MULTILINE)
SIZES = {
    "none": "--steps 10",
    "poisson": "--sampling-probability 0.01 --steps 1000",
    "fixed-size-without-replacement": "--sampling-probability 0.01 --steps 1000",
    "fixed-size-with-replacement": "--batch-size 10 --dataset-size 1000 --steps 1000",
    "poisson-truncated": "--batch-size 10 --dataset-size 1000 --maximum-batch-size 30 --steps 1000",
    "random-allocation": "--batches-per-epoch 100 --epochs 1 --allocations 2",
}
EPOCHS = "--batches-per-epoch 100 --epochs 10"


def said(program, words):
    run = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def of_commands(text, program):
    shown = re.findall(r"^    \$ assay ((?:.*\\\n)*.*)\n((?:    [^$ ].*\n)+)", text, re.MULTILINE)
    for command, lines in shown:
        printed = said(program, shlex.split(command.replace("\\\n", " ")))
        for line in lines.splitlines():
            if all(differs(other, line.strip()) for other in printed):
                yield f"assay {command}:\n  README   {line.strip()}\n  program  {printed[0]}"
    if len(shown) < 2:
        yield "README shows fewer than two commands"


def of_table(text, program):
    rows = CELLS.findall(text)
    for sampling, adjacencies, *shown in rows:
        ends = [end.replace(",", "") for end in shown]
        for adjacency in re.findall(r"`([a-z-]+)`", adjacencies):
            words = (f"epsilon --sampling {sampling} --adjacency {adjacency} --noise-multiplier 1 "
                     f"--delta 1e-5 {SIZES.get(sampling, EPOCHS)} --json")
            answer = json.loads("".join(said(program, words.split())))
            found = [answer[side]["value"] for side in ("lower", "upper", "published_upper")]
            outward = [float(end) - x for end, x in zip(ends, found)]
            outward[0] = -outward[0]
            if not all(0.0 <= out <= 1.001 * last_digit(end) for out, end in zip(outward, ends)):
                yield f"assay {words}:\n  README   {shown}\n  program  {found}"
    if len(rows) != 15:
        yield f"the table of brackets has {len(rows)} rows that can be read"


def main():
    readme, program = sys.argv[1:]
    text = pathlib.Path(readme).read_text()
    found = [*of_commands(text, program), *of_table(text, program)]
    print("\n".join(found) if found else "README prints what the program says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
