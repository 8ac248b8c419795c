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

# The sampling kernels of the project. Epochs are profiled at their full size: the simulated caches
# are this machine's, so a smaller epoch would miss them less often.
KERNELS = {
    "kernel_words": "the generator alone: halves of Philox words",
    "kernel_uniform_index": "uniform indices below n, kept in a register",
    "kernel_subset/8192": "a uniform subset of 8192: Floyd's algorithm with its table",
    "kernel_binomial/8192": "the size of a Poisson batch of 8192; an item is a draw",
    "kernel_epoch_labels": "the labels of an epoch of n without their memory",
    "kernel_epoch_groups": "an epoch's examples into cache-sized groups",
    "kernel_cut/8192": "cutting 16384 indices to a maximum of 8192; an item is an index that goes",
    "batches/deterministic/8192": "batches in the order of the data, in the cache: below a copy of memory",
    "truncated_batches/8192/100": "Poisson batches, every other one cut at its expected size",
    "truncated_batches/8192/150": "Poisson batches padded up to half more than expected",
    "batches/poisson/1024": "Poisson batches",
    "batches/poisson/8192": "Poisson batches",
    "batches/without_replacement/1024": "fixed-size batches without replacement",
    "batches/without_replacement/8192": "fixed-size batches without replacement",
    "batches/with_replacement/1024": "fixed-size batches with replacement",
    "batches/with_replacement/8192": "fixed-size batches with replacement",
    "epoch_shuffle/1024/1": "a shuffled epoch",
    "epoch_balls_and_bins/each_example/1024/1": "an epoch of balls and bins, a bin an example",
    "epoch_balls_and_bins/each_example/8192/1": "the same at batches of 8192",
    "epoch_balls_and_bins/conditional_sizes/1024/1": "binomial sizes on a shuffled epoch",
    "epoch_balls_and_bins/conditional_sizes/8192/1": "the same at batches of 8192",
    "monte_carlo_samples/plain_remove": "delta of balls and bins, plain; an item is a sample of T",
    "monte_carlo_samples/plain_add": "the same in the direction add",
    "monte_carlo_samples/importance_remove": "importance sampling",
    "monte_carlo_samples/order_statistics_remove": "order statistics",
    "monte_carlo_samples/order_statistics_add": "order statistics in the direction add",
    "monte_carlo_samples/both_remove": "importance sampling with order statistics",
    "conditional_samples/remove": "conditional Monte Carlo",
    "conditional_samples/add": "tilted Monte Carlo",
    "gradient_noise": "Gaussian noise added to a gradient; an item is an element",
    "langevin_update/20": "a Langevin update at K = 20, its subsample drawn by index",
    "gibbs_sweep/20": "a Gibbs sweep at K = 20; an item is a sweep",
}

# Every instruction has a stack of inlined functions. The first of them, from the innermost, that a
# row here matches as "function file" gives the class; rows are tried in their order, and what no
# row matches is the rest (loops of the benchmark, TBB, allocation, gradients of Langevin's updates).
GENERATOR, TRANSFORM, MEMORY, REST = "generator", "transform", "memory", "rest"
CLASSES = [
    (GENERATOR, r"^philox"),
    (GENERATOR, r"^(refill|next_half|UniformIndices) uniform_index\.hpp"),
    (TRANSFORM, r"^(normal|exponential|gamma|below) random_streams\."),
    (GENERATOR, r" random_streams\.[ch]pp"),  # bits, uniform, fill_*, refill
    (TRANSFORM, r"^below uniform_index\.hpp"),  # Lemire's index
    (TRANSFORM, r" libm[.-]"),  # log, exp, sin and cos
    (TRANSFORM, r" (tail_table|normal_quantile|vector_log|special_functions)\."),
    (TRANSFORM, r" (binomial_law|binomial_distribution|binomial|gamma|powm1)\."),
    (TRANSFORM, r" (order_sum|monte_carlo|conditional_monte_carlo|importance_sampling|"
                r"sampling_tables)\."),
    (TRANSFORM, r"^signed_tails langevin\.cpp"),
    (TRANSFORM, r"^(log_gamma_variable|draw_theta|binomial) gibbs\.cpp"),
    (MEMORY, r"^(__)?(mem(cpy|move|set)|wmemset)"),  # copies and fills
    (MEMORY, r" (random_groups|random_order|balls_and_bins)\.cpp"),  # counts, scatter, swaps
    (MEMORY, r" random_subset\.cpp"),  # Floyd's table
    (MEMORY, r" (fixed_size|poisson|ordered|batch|batch_sampler)\."),  # the batch's own array
    (MEMORY, r"^(draw|operator) subsample\.cpp"),  # counts of the drawn answers
    (MEMORY, r"^spread gibbs\.cpp"),
    (MEMORY, r"^add_block gradient_noise\.cpp"),  # the gradient read and written
]
NAMES = [GENERATOR, TRANSFORM, MEMORY, REST]

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
    for function, file in stack:
        for label, pattern in CLASSES:
            if re.search(pattern, f"{function} {file}"):
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
    colours = dict(zip(NAMES, [*style.PALETTE[:3], "#999999"]))
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
    left.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.45, -0.16))
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
