#!/usr/bin/env python3
"""Kills resumable programs at random moments and compares what the resumed runs end with.

usage: kills.py BUILD [--kills N] [--seconds S] [--seed N] [--only NAME]...

BUILD holds assay, assay-verify and assay-experiments. Each program runs once to its end; then, by
turns, it is killed by SIGKILL at moments drawn from its whole run and resumed, up to three times,
until it ends: the result has the same bits as that of the run that was left alone. Ends after N
kills or S seconds, whichever is first. Exit code 1 and the folder left where a result differs.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = {"seconds", "seconds_per_point", "started", "finished", "time", "date"}


def without_times(value):
    """What a report says, but for how long it took."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(part) for part in value]
    return value


class Program:
    """A run in `folder` that can be gone on with; `command(folder)` begins it or goes on."""

    def __init__(self, name, command, result):
        self.name = name
        self.command = command
        self.result = result
        self.truth = None
        self.seconds = None

    def run(self, folder, kill_after=None):
        """True where the run came to its end, False where it was killed."""
        process = subprocess.Popen(self.command(folder), cwd=ROOT, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=kill_after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        if process.returncode != 0:
            raise RuntimeError(f"{self.name}: exit {process.returncode}: {err.strip()[-500:]}")
        (folder / "stdout").write_text(out)
        return True

    def measure(self, folder):
        begin = time.monotonic()
        self.run(folder)
        self.seconds = time.monotonic() - begin
        self.truth = self.result(folder)


def programs(build, scratch):
    assay = build / "assay"
    verify = build / "assay-verify"
    experiments = build / "assay-experiments"

    # Each takes about a second of work and keeps what it has done many times in it.
    def monte_carlo(folder):
        state = folder / "checkpoint"
        return [assay, "monte-carlo", "--noise-multiplier", "0.4", "--batches-per-epoch", "1000",
                "--epsilons", "0.5,1", "--direction", "both", "--samples", "50000", "--seed", "7",
                "--threads", "2", "--json", "--checkpoint", state,
                *(["--resume"] if state.exists() else [])]

    def train(folder):
        return [assay, "train", "--model", "logistic", "--sampling", "poisson", "--adjacency",
                "add-remove", "--batch-size", "64", "--noise-multiplier", "1", "--clip-norm", "1",
                "--epochs", "40", "--state", folder / "state", "--resume"]

    def estimate(folder):
        # The state says whether it was written before the kill; then nothing is left to take.
        answers = folder / "answers.csv"
        if (folder / "state").exists():
            answers = pathlib.Path("/dev/null")
        elif not answers.exists():
            numbers = random.Random(3)
            answers.write_text("".join(f"{numbers.randint(1, 9)},1 2 3\n" for _ in range(20000)))
        return [assay, "ldp", "estimate", answers, "--categories", "9", "--epsilon", "1",
                "--budget-share", "0.9", "--final-updates", "200000", "--state", folder / "state",
                "--out", folder / "estimates.csv"]

    def points(folder):
        return [verify, "run", "--tier", "quick", "--only", "law.exact.poisson*", "--seed", "3",
                "--threads", "2", "--out", folder / "out", "--resume"]

    def conformance(folder):
        return [verify, "conformance", "--command",
                f"exec python3 verify/conformance/adapters/assay.py {assay}", "--vectors",
                quick_vectors(), "--jobs", "2", "--out", folder / "out", "--resume"]

    def figures(folder):
        names = ["fig04_epsilon_fixed_size_and_poisson", "fig07_fixed_size_and_poisson_at_high_orders",
                 "fig08_with_replacement_by_batch_size", "fig09_with_replacement_bounds"]
        return [experiments, "run", "--stale-only", "--no-table", "--out", folder / "out",
                *(word for name in names for word in ("--figure", f"birrell2024/{name}"))]

    def quick_vectors():
        folder = scratch / "vectors"
        if not folder.exists():
            folder.mkdir()
            shutil.copy(ROOT / "results/reference/vectors/none.json", folder)
        return folder

    def text(name):
        return lambda folder: (folder / name).read_bytes()

    def report(name):
        return lambda folder: without_times(json.loads((folder / name).read_text()))

    def tables(folder):
        return {file.name: file.read_bytes() for file in (folder / "out").rglob("*.csv")}

    return [
        Program("monte-carlo", monte_carlo, text("stdout")),
        Program("train", train, text("state")),
        Program("ldp-estimate", estimate, text("estimates.csv")),
        Program("verify-run", points, report("out/report.json")),
        Program("conformance", conformance, report("out/verdicts.json")),
        Program("figures", figures, tables),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--only", action="append")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    numbers = random.Random(arguments.seed)
    end = time.monotonic() + arguments.seconds
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="assay_kills_"))
    chosen = [program for program in programs(arguments.build.resolve(), scratch)
              if not arguments.only or program.name in arguments.only]
    killed = {program.name: 0 for program in chosen}
    runs = {program.name: 0 for program in chosen}
    while sum(killed.values()) < arguments.kills and time.monotonic() < end:
        print(f"{sum(killed.values())} kills", file=sys.stderr, flush=True)
        for program in chosen:
            if program.truth is None:
                folder = scratch / f"{program.name}-truth"
                folder.mkdir()
                program.measure(folder)
            folder = scratch / f"{program.name}-{runs[program.name]}"
            folder.mkdir()
            ended = False
            for _ in range(numbers.randint(1, 3)):
                ended = program.run(folder, numbers.uniform(0.0, program.seconds))
                if ended:
                    break
                killed[program.name] += 1
            if not ended:
                program.run(folder)
            runs[program.name] += 1
            if program.result(folder) != program.truth:
                print(f"FAILED: {program.name}: another result in {folder}")
                return 1
            shutil.rmtree(folder)
            if time.monotonic() >= end:
                break
    for name, count in killed.items():
        print(f"{name}: {count} kills in {runs[name]} runs, the same bits")
    print(f"all: {sum(killed.values())} kills")
    shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
