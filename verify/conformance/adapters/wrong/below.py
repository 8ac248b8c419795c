#!/usr/bin/env python3
"""Wrong on purpose: an upper claim below the truth by 1e-6 of it. Every answer above 0 is UNSOUND."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from protocol import Unsupported, serve, upper  # noqa: E402  (the folder has to be known first)

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/assay"
ask = subprocess.Popen([program, "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answer(question):
    ask.stdin.write(json.dumps(question) + "\n")
    ask.stdin.flush()
    reply = json.loads(ask.stdout.readline())
    if "error" in reply:
        raise Unsupported(reply["error"]["message"])
    return upper(float(reply["lower"]) * (1 - 1e-6))


serve(answer, "wrong on purpose: below by 1e-6")
