#!/usr/bin/env python3
"""check_help.py PROGRAM...: is every help text a sentence, examples, and lines of 80 columns?

The help of each program is read for its subcommands. Programs that are not built are left out.
"""
import pathlib
import re
import subprocess
import sys


def help_of(program, *words):
    run = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def complaints(text, name):
    lines = text.splitlines()
    if not re.match(r"[A-Z].{,78}\.\n\nExamples:\n", text):
        yield "does not begin with a sentence and examples"
    elif not any(line.startswith(f"  {name}") for line in lines):
        yield "has no example of its own"
    yield from (f"has {len(line)} columns: {line}" for line in lines if len(line) > 80)


def main():
    found = []
    for program in map(pathlib.Path, sys.argv[1:]):
        if not program.exists():
            print(f"{program.name} is not built")
            continue
        text = help_of(program)
        commands = re.findall(r"^  ([a-z-]+)  ", text.partition("\nSubcommands:\n")[2], re.MULTILINE)
        if not commands:
            found.append(f"{program.name} lists no subcommand")
        texts = {program.name: text}
        texts |= {f"{program.name} {word}": help_of(program, word) for word in commands}
        found += [f"{name}: {line}" for name, text in texts.items() for line in complaints(text, name)]
    print("\n".join(found) if found else "every help text is in form")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
