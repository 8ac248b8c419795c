#!/usr/bin/env python3
"""Assay: `assay ask` answers the questions as they are. Both sides are certified (docs/notation.md), hence an interval.

usage: assay.py [PROGRAM]
"""
import json
import subprocess
import sys

from protocol import Unsupported, serve

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/assay"
ask = subprocess.Popen([program, "ask"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answer(question):
    ask.stdin.write(json.dumps(question) + "\n")
    ask.stdin.flush()
    reply = json.loads(ask.stdout.readline())
    if "error" in reply:
        if reply["error"]["kind"] == "unsupported":
            raise Unsupported(reply["error"]["message"])
        raise ValueError(reply["error"]["message"])
    return {"interval": [reply["lower"], reply["upper"]]}


serve(answer, subprocess.run([program, "--version"], capture_output=True, text=True).stdout.partition("\n")[0])
