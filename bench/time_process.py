#!/usr/bin/env python3
"""Times `assay` as a process, start and end included, and writes the medians as JSON.

    time_process.py PROGRAM FOLDER        writes FOLDER/process/<commit>.json
"""
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

RUNS = 21
STEPS = ["--steps", "104166", "--delta", "1e-5"]
FIXED = ["--noise-multiplier", "6", "--batch-size", "120", "--dataset-size", "50000", *STEPS]
POISSON = ["--noise-multiplier", "6", "--sampling-probability", "0.0024", *STEPS]
COMMANDS = {
    "version": ["--version"],
    "epsilon/without_replacement_replace_one":
        ["epsilon", "--sampling", "fixed-size-without-replacement", "--adjacency", "replace-one", *FIXED],
    "epsilon/with_replacement_add_remove":
        ["epsilon", "--sampling", "fixed-size-with-replacement", "--adjacency", "add-remove", *FIXED],
    "epsilon/poisson_add_remove":
        ["epsilon", "--sampling", "poisson", "--adjacency", "add-remove", *POISSON],
    "epsilon/poisson_replace_one":
        ["epsilon", "--sampling", "poisson", "--adjacency", "replace-one", *POISSON],
}


def milliseconds(command):
    """One run; a failing command ends the measurement with its own message."""
    start = time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    elapsed = 1e3 * (time.perf_counter() - start)
    if run.returncode != 0:
        said = run.stderr.strip() or f"it ended with {run.returncode}"
        sys.exit(f"time_process.py: {' '.join(command)}: {said}")
    return elapsed


def main():
    if len(sys.argv) != 3 or not os.access(sys.argv[1], os.X_OK):
        print("time_process.py: PROGRAM FOLDER; PROGRAM has to be the program assay", file=sys.stderr)
        return 2
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "process"
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    commit = re.search(r"commit (\w+)", version)
    results = {name: [] for name in COMMANDS}
    for _ in range(RUNS):  # interleaved, so that a busy moment does not hit one command alone
        for name, arguments in COMMANDS.items():
            results[name].append(milliseconds([program, *arguments]))
    record = {
        "context": {"version": version, "machine": platform.machine(), "cpus": os.cpu_count(),
                    "runs": RUNS, "load": os.getloadavg()[0]},
        "processes": [{"name": name, "arguments": COMMANDS[name], "unit": "ms",
                       "median": statistics.median(times), "least": min(times), "most": max(times)}
                      for name, times in results.items()],
    }
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{commit.group(1) if commit else 'unknown'}.json"
    temporary = target.with_suffix(".writing")
    temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    temporary.replace(target)
    for process in record["processes"]:
        print(f"{process['name']:45} median {process['median']:7.1f} ms   "
              f"({process['least']:.1f} to {process['most']:.1f})")
    print(f"wrote {os.path.relpath(target)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
