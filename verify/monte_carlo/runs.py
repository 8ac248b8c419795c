#!/usr/bin/env python3
"""Interrupted, resumed and divided Monte Carlo runs end with the same bits.

usage: runs.py ASSAY [ASSAY_MPI MPIRUN]

Threads, SIGKILL and resume, refused checkpoints, shards and merge; with assay-mpi the same run on
1, 2 and 4 ranks as well, or exit code 77 (skipped) where it or mpirun does not exist.
"""
import json
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PLAN = {
    "noise-multiplier": "0.4",
    "batches-per-epoch": "1000",
    "epsilons": "0.5,1,2",
    "direction": "both",
    "method": "order-statistics",
    "orders": "1-200,210-400:10",
    "seed": "20250604",
}


def options(changes=None):
    plan = {**PLAN, **(changes or {})}
    return [word for name, value in plan.items() for word in (f"--{name}", value)]


def expect(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


class TooShort(Exception):
    """A run was over before it could be interrupted: checkpoints are rare where writing is slow."""


class Runs:
    """Runs of one plan with one program, in one scratch folder."""

    def __init__(self, assay, folder):
        self.assay = [assay]
        self.folder = pathlib.Path(folder)
        self.samples = 20000

    def command(self, *more, changes=None):
        return [*self.assay, "monte-carlo", *options(changes), "--samples", str(self.samples),
                "--json", *more]

    def run(self, *more, changes=None, prefix=()):
        return subprocess.run([*prefix, *self.command(*more, changes=changes)],
                              capture_output=True, text=True, timeout=120)

    def answer(self, *more, changes=None, prefix=()):
        done = self.run(*more, changes=changes, prefix=prefix)
        expect(done.returncode == 0, f"{more}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def expect_refusal(self, done, *parts):
        line = done.stderr
        expect(done.returncode == 2, f"exit {done.returncode} instead of 2: {line}")
        expect(done.stdout == "", f"something was printed beside the refusal: {done.stdout}")
        expect(line.startswith("assay: ") and line.count("\n") == 1, f"not one line: {line}")
        for part in parts:
            expect(part in line, f"'{part}' is missing in the refusal: {line}")

    def scale(self, seconds):
        """As many samples as take one thread about so long, besides what a run takes to begin; of
        its own time, which a starved machine does not stretch."""
        def used():
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

        def measured(samples):
            self.samples = samples
            begin = used()
            self.answer("--threads", "1")
            return used() - begin

        beginning = min(measured(1) for _ in range(2))
        samples = 20000
        while (taken := measured(samples) - beginning) < 0.3:
            samples *= 4
        self.samples = int(samples * seconds / taken)


def groups_in(checkpoint):
    """How many groups a checkpoint holds: behind its header stand the fields of its run, each a
    name and a value with their lengths, then four numbers and that of its groups."""
    try:
        content = checkpoint.read_bytes().split(b"\n", 1)[1][16:]
        (fields,) = struct.unpack_from("<Q", content)
        at = 8
        for _ in range(2 * fields):
            at += 8 + struct.unpack_from("<Q", content, at)[0]
        return struct.unpack_from("<Q", content, at + 4 * 8)[0]
    except (FileNotFoundError, IndexError):
        return 0


def interrupt(runs, checkpoint, signal_number, *more):
    """Starts the run, and interrupts it as soon as its checkpoint has some more groups."""
    before = groups_in(checkpoint)
    process = subprocess.Popen(runs.command("--checkpoint", str(checkpoint), *more),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while groups_in(checkpoint) < before + 3 and process.poll() is None:
        time.sleep(0.02)
    if process.poll() is not None:
        output = process.communicate()
        expect(process.returncode == 0, f"exit {process.returncode}: {output}")
        raise TooShort
    process.send_signal(signal_number)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def check_threads(runs):
    truth = runs.answer("--threads", "1")
    for threads in ("2", "3"):
        expect(runs.answer("--threads", threads) == truth, f"{threads} threads change the bits")
    other = runs.answer("--threads", "2", changes={"seed": "1"})
    expect(json.loads(other)["curves"] != json.loads(truth)["curves"], "the seed changes nothing")
    return truth


def check_kill_and_resume(runs, truth):
    checkpoint = runs.folder / "run.checkpoint"
    for session, threads in enumerate(("1", "2")):
        killed = interrupt(runs, checkpoint, signal.SIGKILL, "--threads", threads,
                           *(["--resume"] if session else []))
        expect(killed.returncode == -signal.SIGKILL and killed.stdout == "", "it was not killed")
    stopped = interrupt(runs, checkpoint, signal.SIGTERM, "--threads", "1", "--resume")
    runs.expect_refusal(stopped, "stopped", str(checkpoint), "--resume")
    kept = checkpoint.read_bytes()

    runs.expect_refusal(runs.run("--checkpoint", str(checkpoint)), str(checkpoint), "exists")
    for name, value, difference in (
            ("noise-multiplier", "0.5", "noise-multiplier 0.4 there, 0.5 here"),
            ("seed", "7", "seed 20250604 there, 7 here"),
            ("orders", "1-200", "orders 1-200,210-400:10 there, 1-200 here")):
        runs.expect_refusal(runs.run("--checkpoint", str(checkpoint), "--resume",
                                     changes={name: value}), str(checkpoint), difference)
    expect(checkpoint.read_bytes() == kept, "a refusal changed the checkpoint")
    damaged = runs.folder / "damaged.checkpoint"
    middle = len(kept) // 2
    flipped = kept[:middle] + bytes([kept[middle] ^ 1]) + kept[middle + 1:]
    for content, word in ((kept[:middle], "cut short"), (kept[:-3], "cut short"),
                          (b"", "no checkpoint"), (flipped, "damaged"),
                          (b"samples,delta\n", "no checkpoint")):
        damaged.write_bytes(content)
        runs.expect_refusal(runs.run("--checkpoint", str(damaged), "--resume"), str(damaged), word)
        expect(damaged.read_bytes() == content, "a refusal changed the file")

    finished = runs.answer("--checkpoint", str(checkpoint), "--resume", "--threads", "2")
    expect(finished == truth, "the resumed run has other bits")
    again = runs.answer("--checkpoint", str(checkpoint), "--resume")
    expect(again == truth, "a complete checkpoint gives other bits")


def merge(runs, *files):
    return subprocess.run([*runs.assay, "merge", "--json", *map(str, files)],
                          capture_output=True, text=True, timeout=120)


def check_shards(runs, truth):
    files = [runs.folder / f"shard{index}" for index in (1, 2, 3)]
    for index, file in enumerate(files, 1):
        runs.answer("--shard", f"{index}/3", "--out", str(file), "--threads", str(1 + index % 2))
    merged = merge(runs, files[2], files[0], files[1])
    expect(merged.returncode == 0 and merged.stdout == truth,
           f"the merged shards have other bits: {merged.stderr}")
    runs.expect_refusal(merge(runs, files[0], files[2]), "shard 2/3 is missing")
    runs.expect_refusal(merge(runs, *files, files[1]), str(files[1]), "also in")
    foreign = runs.folder / "foreign"
    runs.answer("--shard", "2/3", "--out", str(foreign), changes={"noise-multiplier": "0.5"})
    runs.expect_refusal(merge(runs, files[0], foreign, files[2]), str(foreign),
                        "noise-multiplier 0.5 there, 0.4 here")
    none = runs.folder / "none"
    runs.expect_refusal(runs.run("--shard", "4/3", "--out", str(none)), "shard = 4/3")
    runs.expect_refusal(runs.run("--shard", "1/3"), "out")
    runs.expect_refusal(merge(runs, none), str(none))
    expect(not none.exists(), "a refused run left a file")
    left = sorted(file.name for file in runs.folder.iterdir() if ".writing-" in file.name)
    expect(len(left) <= 2, f"temporary files were left behind: {left}")  # at most one a SIGKILL


def check_bad_input(runs):
    out = runs.folder / "bad"
    for name, value in (("noise-multiplier", "0"), ("noise-multiplier", "nan"), ("batches-per-epoch", "0"),
                        ("epsilons", "nan"), ("epsilons", ""), ("orders", "2-200"),
                        ("orders", "1,5,3"), ("orders", "1-2000"), ("method", "best"),
                        ("direction", "up"), ("seed", "-1"), ("confidence-error", "0"),
                        ("confidence-error", "1"), ("epochs", "0"), ("samples", "0"),
                        ("threads", "0")):
        words = [f"--{name}", value]
        command = [*runs.assay, "monte-carlo",
                   *options({key: text for key, text in PLAN.items() if key != name})]
        if name in PLAN:
            at = command.index(f"--{name}")
            command[at:at + 2] = []
        if name != "samples":
            command += ["--samples", str(runs.samples)]
        done = subprocess.run([*command, *words, "--checkpoint", str(out)], capture_output=True,
                              text=True, timeout=60)
        runs.expect_refusal(done, name)
        expect(not out.exists(), f"--{name} {value} left a file")


def check_ranks(runs, truth, mpi_program, mpirun):
    copies = runs.run("--threads", "1", prefix=[mpirun, "-n", "2", "--oversubscribe",
                                                "--allow-run-as-root"])
    expect(copies.returncode == 2 and copies.stdout == ""
           and copies.stderr.count("assay: ") == 1 and "2 copies" in copies.stderr,
           f"copies under mpirun were not refused: {copies.stdout}{copies.stderr}")
    checkpoint = runs.folder / "ranks.checkpoint"
    interrupt(runs, checkpoint, signal.SIGKILL, "--threads", "2")
    on_ranks = Runs(mpi_program, runs.folder)
    on_ranks.samples = runs.samples
    for ranks in ("1", "2", "4"):
        prefix = [mpirun, "-n", ranks, "--oversubscribe", "--allow-run-as-root"]
        expect(on_ranks.answer(prefix=prefix) == truth, f"{ranks} ranks change the bits")
    resumed = on_ranks.answer("--checkpoint", str(checkpoint), "--resume", "--threads", "2",
                              prefix=prefix)
    expect(resumed == truth, "a run resumed on ranks has other bits")
    shards = [runs.folder / "first", runs.folder / "second"]
    for index, shard in enumerate(shards, 1):
        on_ranks.answer("--shard", f"{index}/2", "--out", str(shard), prefix=prefix)
    expect(merge(runs, *shards).stdout == truth, "shards made on ranks have other bits")
    refused = on_ranks.run("--checkpoint", str(checkpoint), "--resume", changes={"seed": "7"},
                           prefix=prefix)
    expect(refused.returncode == 2 and "seed 20250604 there, 7 here" in refused.stderr,
           f"a foreign checkpoint was not refused on ranks: {refused.stderr}")


def check_runs(arguments, seconds):
    with tempfile.TemporaryDirectory(prefix="assay_monte_carlo_") as folder:
        runs = Runs(arguments[0], folder)
        check_bad_input(runs)
        runs.scale(seconds)
        truth = check_threads(runs)
        check_kill_and_resume(runs, truth)
        check_shards(runs, truth)
        print("the same bits on any number of threads and shards, and after interruptions")
        if len(arguments) == 1 or not all(os.access(path, os.X_OK) for path in arguments[1:]):
            print("ranks are skipped: there is no assay-mpi or no mpirun")
            return SKIPPED if len(arguments) > 1 else 0
        check_ranks(runs, truth, *arguments[1:])
        print("the same bits on any number of ranks")
    return 0


def main(arguments):
    if len(arguments) not in (1, 3):
        sys.exit(__doc__)
    for seconds in (1.2, 3.0, 8.0):
        try:
            return check_runs(arguments, seconds)
        except TooShort:
            print(f"runs of {seconds} s are over before they can be interrupted", flush=True)
    sys.exit("FAILED: no run could be interrupted")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
