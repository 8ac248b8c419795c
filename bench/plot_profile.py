#!/usr/bin/env python3
"""Draws what a sampling kernel spends per item, by class of work, with the floor beside it.

    plot_profile.py list                              the sampling kernels, a line each
    plot_profile.py names                             their names alone
    plot_profile.py FOLDER/NAME GENERATOR             reads, for both, <stem>.callgrind,
                                                      <stem>.profiled.json and <stem>.native.json

Writes FOLDER/NAME.txt, .json and .png. scripts/profile makes the inputs: Callgrind's counts of the
benchmark's loop alone, Google Benchmark's report of that run (how many items it counted) and of a
native run (how long an item takes, and how fast this machine copies memory).
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plots"))
sys.dont_write_bytecode = True

from profile_table import (GENERATOR, KERNELS, LARGEST_REST, LOOP, MEMORY,  # noqa: E402
                           NAMES, REST, class_of)

# Cycles that the events are taken to cost where the measured time is split among the classes: four
# instructions a cycle, a mispredicted branch, a line from beyond the first cache, a line from memory
# (fetched ahead for the most part, or written without being waited for).
COST = {"instructions": 0.25, "mispredictions": 15.0, "l1_lines": 4.0, "memory_lines": 15.0}
LINE = 64
UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def bare(name):
    """A function's own name: no namespace, arguments, template arguments or clone."""
    name = re.sub(r" \[clone.*", "", name).replace("operator()", "operator")
    previous = None
    while previous != name:
        previous, name = name, re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}", "", name)
    return (name.replace(" const", "").strip().rsplit("::", 1)[-1] or "operator").split(" ")[-1]


def classify(stack):
    """The class of a stack of (function, file), innermost first, and the function that decided."""
    if re.fullmatch(r"bench_\w+\.cpp", stack[0][1]):
        return LOOP, "{} ({})".format(*stack[0])
    for function, file in stack:
        if label := class_of(function, file):
            return label, f"{function} ({file})"
    function, file = stack[-1]
    return REST, f"{function} ({file})"


def read_callgrind(path):
    """Sums of the events of every instruction: {(object, address, function): [..]}."""
    names, costs, events = {"ob": {}, "fn": {}}, {}, []
    here = {"ob": "", "fn": ""}
    address, is_call = 0, False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            first = line[0]
            if first in "0+-*":
                place, _, *numbers = line.split()
                if is_call:  # inclusive: the callee has its own lines, and places do not go on here
                    is_call = False
                    continue
                if place != "*":
                    address = int(place, 0) + (0 if first == "0" else address)
                key = (here["ob"], address, here["fn"])
                sums = costs.setdefault(key, [0] * len(events))
                for i, number in enumerate(numbers):
                    sums[i] += int(number)
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith("events:"):
                events = line.split()[1:]
            elif found := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?", line):
                called, kind, number, name = found.groups()
                if name:
                    names[kind][number] = name
                if not called:
                    here[kind] = names[kind][number]
    return events, costs


def inlined(program, addresses):
    """{address: [(function, file), ..] innermost first} from the program's line tables."""
    asked = "\n".join(hex(address) for address in addresses)
    answer = subprocess.run(["addr2line", "-a", "-i", "-f", "-C", "-e", program], input=asked,
                            capture_output=True, text=True, check=True).stdout.splitlines()
    stacks, stack, i = {}, [], 0
    while i < len(answer):
        if re.fullmatch(r"0x[0-9a-f]+", answer[i]):
            stack = stacks.setdefault(int(answer[i], 16), [])
            i += 1
            continue
        file = re.sub(r":[\d?]+( \(.*\))?$", "", answer[i + 1])
        stack.append((bare(answer[i]), pathlib.PurePath(file).name))
        i += 2
    return stacks


def read_json(path, name=None):
    """The context and the report of one benchmark: of its medians where it was repeated."""
    content = json.loads(path.read_text(encoding="utf-8"))
    runs = [run for run in content["benchmarks"] if name is None or run["run_name"].startswith(name)]
    runs = [run for run in runs if run.get("aggregate_name") == "median"] or runs
    if not runs or runs[0].get("error_occurred"):
        raise ValueError(f"{path}: no measurement of {name or 'the kernel'}")
    return content["context"], runs[0]


def items_per_iteration(run):
    """What items_per_second counts; an iteration is the item where a benchmark counts none."""
    time = run["real_time" if run["run_name"].endswith("/real_time") else "cpu_time"]
    return run.get("items_per_second", 1e9 / (time * UNITS[run["time_unit"]])) \
        * time * UNITS[run["time_unit"]] * 1e-9


def counted(stem):
    """Events per item by class and by function, of one profiled benchmark."""
    context, run = read_json(stem.with_suffix(".profiled.json"))
    events, costs = read_callgrind(stem.with_suffix(".callgrind"))
    program = context["executable"]
    ours = sorted({address for ob, address, _ in costs if ob and pathlib.Path(ob).name
                   == pathlib.Path(program).name})
    stacks = inlined(program, ours)
    items = items_per_iteration(run) * run["iterations"]
    table, functions, philox = {}, {}, 0.0
    for (ob, address, function), numbers in costs.items():
        event = dict(zip(events, numbers))
        count = lambda *names: sum(event[name] for name in names) / items  # noqa: E731
        row = {"instructions": count("Ir"), "reads": count("Dr"), "writes": count("Dw"),
               "mispredictions": count("Bcm", "Bim"),
               "l1_lines": count("D1mr", "D1mw"),
               "memory_lines": count("DLmr", "DLmw", "DLdmr", "DLdmw")}
        library = pathlib.PurePath(ob).name
        stack = [(bare(function), library)]
        known = stacks.get(address, []) if library == pathlib.Path(program).name else []
        if known and known[-1][1] != "??":
            stack = known
        label, decided = classify(stack)
        for sums in (table.setdefault(label, {}), functions.setdefault((label, decided), {})):
            for key, value in row.items():
                sums[key] = sums.get(key, 0.0) + value
        philox += row["instructions"] if decided.startswith("philox") else 0.0
    none = dict.fromkeys(("instructions", "reads", "writes", "mispredictions", "l1_lines",
                          "memory_lines"), 0.0)
    return {"table": {label: table.get(label, none) for label in NAMES}, "functions": functions,
            "philox": philox, "items": items, "iterations": run["iterations"]}


def nanoseconds(run):
    """CPU time of an item: what else runs on the machine does not enter it."""
    return run["cpu_time"] * UNITS[run["time_unit"]] / items_per_iteration(run)


def profile_of(stem, generator):
    """Everything that is printed and drawn."""
    context, native = read_json(stem.with_suffix(".native.json"), stem_name(stem))
    copy = read_json(stem.with_suffix(".native.json"), "memory_copy/46000000")[1]
    words = read_json(stem.with_suffix(".native.json"), "kernel_words")[1]
    counts, generator_counts = counted(stem), counted(generator)
    table = counts["table"]
    for row in table.values():
        row["cycles"] = sum(weight * row[key] for key, weight in COST.items())
    cycles = sum(row["cycles"] for row in table.values())
    measured = nanoseconds(native)
    for row in table.values():
        row["nanoseconds"] = measured * row["cycles"] / cycles
    moved = LINE * sum(row["memory_lines"] for row in table.values())
    per_word_instruction = nanoseconds(words) / generator_counts["philox"]
    stated = native.get("bytes_per_second", 0.0) / native.get("items_per_second", 1.0)
    floors = {"generator": counts["philox"] * per_word_instruction,
              "memory": moved / copy["bytes_per_second"] * 1e9,
              "arrays": stated / copy["bytes_per_second"] * 1e9}
    hottest = sorted(counts["functions"].items(), key=lambda entry: -entry[1]["instructions"])[:12]
    return {
        "kernel": native["run_name"],
        "context": {key: context[key] for key in ("cpu", "commit", "dirty", "compiler", "flags")
                    if key in context},
        "profiled": {"iterations": counts["iterations"], "items": counts["items"]},
        "per_item": table,
        "nanoseconds_per_item": measured,
        "floor_nanoseconds_per_item": {**floors, "largest": max(floors.values())},
        "bytes_per_item": {"beyond_first_cache": LINE * sum(r["l1_lines"] for r in table.values()),
                           "memory": moved, "arrays": stated},
        "copy_bytes_per_second": copy["bytes_per_second"],
        "functions": [{"class": label, "function": function, **row}
                      for (label, function), row in hottest],
    }


def stem_name(stem):
    """The benchmark's name as the profiled run reported it."""
    return read_json(stem.with_suffix(".profiled.json"))[1]["run_name"]


def text_of(profile):
    """The numbers as a table."""
    columns = [("instructions", "instructions"), ("reads", "reads"), ("writes", "writes"),
               ("mispredicted", "mispredictions"), ("L1 lines", "l1_lines"),
               ("memory lines", "memory_lines"), ("ns (split)", "nanoseconds")]
    table = profile["per_item"]
    total = {key: sum(row[key] for row in table.values()) for _, key in columns}
    lines = [f"{profile['kernel']}: per item, {profile['profiled']['items']:.4g} items counted", "",
             "           " + "".join(f"{title:>14}" for title, _ in columns) + "   share"]
    for label, row in [*table.items(), ("all", total)]:
        share = row["instructions"] / total["instructions"]
        lines.append(f"{label:<11}" + "".join(f"{row[key]:14.4g}" for _, key in columns)
                     + f"{100 * share:7.1f}%")
    floor, moved = profile["floor_nanoseconds_per_item"], profile["bytes_per_item"]
    lines += ["", f"measured {profile['nanoseconds_per_item']:.4g} ns CPU an item, "
              f"{total['instructions'] / profile['nanoseconds_per_item']:.3g} instructions a ns",
              f"floor    {floor['largest']:.4g} ns, the largest of: its Philox words alone "
              f"{floor['generator']:.3g} ns; at this machine's copy of "
              f"{profile['copy_bytes_per_second'] / 1e9:.3g} GB/s its bytes to and from memory "
              f"{floor['memory']:.3g} ns, and the bytes of its arrays {floor['arrays']:.3g} ns",
              f"bytes    {moved['memory']:.4g} to and from memory, {moved['beyond_first_cache']:.4g} "
              f"into the first cache; of its arrays, as the benchmark states them, "
              + (f"{moved['arrays']:.4g}" if moved["arrays"] else "not stated"),
              "", "instructions  share  class      function"]
    lines += [f"{row['instructions']:12.4g} {100 * row['instructions'] / total['instructions']:5.1f}%"
              f"  {row['class']:<10} {row['function']}" for row in profile["functions"]]
    lines += ["", NOTE]
    return "\n".join(lines) + "\n"


NOTE = ("Counted by Callgrind in the benchmark's loop; this machine's caches are simulated, without "
        "prefetching; lines of 64 bytes, memory lines in and out. The measured time is split by a "
        "model of cycles: "
        + " + ".join(f"{weight:g} x {key.replace('_', ' ')}" for key, weight in COST.items()) + ".")


def short(number):
    """Three digits, and no powers of ten."""
    if number >= 1000.0:
        return f"{number:,.0f}"
    return f"{number:.3g}" if number >= 5e-4 else "< 0.0005"


def draw(profile, path):
    """Shares by class on the left, the measured time beside its floor on the right."""
    import textwrap

    import matplotlib.pyplot as plt
    import style
    style.apply()
    colours = dict(zip(NAMES, [*style.PALETTE[:4], "#666666", "#bbbbbb"]))
    table = profile["per_item"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.4), width_ratios=[3, 2])
    rows = [("instructions", "instructions"), ("reads", "reads"), ("writes", "writes"),
            ("mispredictions", "mispredicted\nbranches"), ("l1_lines", "lines from\nbeyond L1"),
            ("memory_lines", "lines to and\nfrom memory")]
    for y, (key, _) in enumerate(rows):
        total, start = sum(row[key] for row in table.values()), 0.0
        for label in NAMES:
            share = 100.0 * table[label][key] / total if total > 0 else 0.0
            left.barh(y, share, left=start, color=colours[label], label=label if y == 0 else None)
            if share >= 7.0:
                left.text(start + share / 2, y, f"{share:.0f}", color="white", fontsize=8,
                          ha="center", va="center")
            start += share
        left.text(101.5, y, short(total), va="center", fontsize=9)
    left.set_yticks(range(len(rows)), [title for _, title in rows])
    left.invert_yaxis()
    left.set_xlim(0, 112)
    left.set_xticks(range(0, 101, 20))
    left.set_xlabel("share (%); at the right, the number per item")
    left.set_title(profile["kernel"].replace("/process_time", "").replace("/real_time", ""))
    left.legend(ncols=len(NAMES), fontsize=9, columnspacing=1.2, loc="upper center",
                bbox_to_anchor=(0.45, -0.16))
    unit, scale = ("ns", 1.0) if profile["nanoseconds_per_item"] < 1e4 else ("µs", 1e-3)
    start = 0.0
    for label in NAMES:
        right.barh(0, scale * table[label]["nanoseconds"], left=start, color=colours[label])
        start += scale * table[label]["nanoseconds"]
    floor = {key: scale * value for key, value in profile["floor_nanoseconds_per_item"].items()}
    floors = [("generator", GENERATOR, "Philox words\nalone"),
              ("memory", MEMORY, "memory traffic\nat copy speed"),
              ("arrays", MEMORY, "arrays' bytes\nat copy speed")]
    floors = [row for row in floors if row[0] != "arrays" or floor["arrays"] > 0.0]
    right.annotate(f"{short(start)} {unit}", (start, 0), xytext=(4, 0), textcoords="offset points",
                   va="center", fontsize=9)
    for y, (key, label, _) in enumerate(floors, 1):
        right.barh(y, floor[key], color="none", hatch="///", edgecolor=colours[label])
        right.annotate(f"{short(floor[key])} {unit}", (floor[key], y), xytext=(5, 0),
                       textcoords="offset points", va="center", fontsize=9,
                       bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0})
    right.axvline(floor["largest"], color="#000000", linestyle="--", linewidth=1.0, zorder=0)
    right.set_yticks(range(len(floors) + 1),
                     ["measured,\nsplit by a model", *(title for _, _, title in floors)])
    right.invert_yaxis()
    right.set_xlim(0, 1.22 * max(start, floor["largest"]))
    right.set_xlabel(f"CPU time per item ({unit})")
    right.set_title(f"Floor: {100 * floor['largest'] / start:.0f} % of the time")
    said = textwrap.wrap(NOTE, 200) + [" · ".join(
        [f"copy {profile['copy_bytes_per_second'] / 1e9:.3g} GB/s"]
        + [f"{key} {profile['context'][key]}" for key in ("cpu", "compiler", "commit")
           if key in profile["context"]])]
    figure.set_layout_engine("constrained", rect=(0, 0.11, 1, 0.89))
    figure.text(0.01, 0.01, "\n".join(said), fontsize=6.5, color="#555555", va="bottom")
    figure.savefig(path)


def share_of_rest(profile):
    """The share of the instructions that no row of the table accounts for."""
    table = profile["per_item"]
    return table[REST]["instructions"] / sum(row["instructions"] for row in table.values())


def main():
    if sys.argv[1:] == ["list"]:
        width = max(map(len, KERNELS))
        print("\n".join(f"  {name:<{width}}  {said}" for name, said in KERNELS.items()))
        return 0
    if sys.argv[1:] == ["names"]:
        print("\n".join(KERNELS))
        return 0
    if len(sys.argv) != 3:
        print("plot_profile.py: list, names, or the stems of a kernel's and the generator's files",
              file=sys.stderr)
        return 2
    stem, generator = (pathlib.Path(argument) for argument in sys.argv[1:])
    try:
        profile = profile_of(stem, generator)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        print(f"plot_profile.py: {stem}: {error}", file=sys.stderr)
        return 2
    stem.with_suffix(".json").write_text(json.dumps(profile, indent=1) + "\n", encoding="utf-8")
    stem.with_suffix(".txt").write_text(text_of(profile), encoding="utf-8")
    draw(profile, stem.with_suffix(".png"))
    print(text_of(profile), end="")
    print(f"wrote {stem}.txt, .json and .png")
    rest = share_of_rest(profile)
    if rest >= LARGEST_REST:
        print(f"plot_profile.py: {profile['kernel']}: {100 * rest:.1f} % of the instructions are in "
              "no class of bench/profile_table.py: a function was renamed, or is new", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
