#!/usr/bin/env python3
"""Wrong on purpose: NaN, in the spelling of Python, which is no JSON. Every answer is invalid."""
import json
import sys

for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "value": float("nan"), "claims": "upper"}), flush=True)
