"""The sampling kernels that `make profile` knows, and the class of every function that they spend on.

    profile_table.py          checks that the table names functions and files that exist

Every instruction has a stack of inlined functions. The first of them, from the innermost, that a row
matches gives the class; rows are tried in their order. Instructions of the benchmark itself, with no
function inlined there, are its loop: sums and counters, which weigh where an item takes 20 instructions.
Arithmetic is what a chain computes between its draws: gradients, moves, counts. What no row matches is
the rest: TBB, allocation. A profile whose rest is not below LARGEST_REST of the instructions fails.
"""
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src" / "assay"
LARGEST_REST = 0.05

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
    "monte_carlo_samples/plain_add": "the same in the addition direction",
    "monte_carlo_samples/importance_remove": "importance sampling",
    "monte_carlo_samples/order_statistics_remove": "order statistics",
    "monte_carlo_samples/order_statistics_add": "order statistics in the addition direction",
    "monte_carlo_samples/both_remove": "importance sampling with order statistics",
    "conditional_samples/remove": "conditional Monte Carlo",
    "conditional_samples/add": "tilted Monte Carlo",
    "gradient_noise": "Gaussian noise added to a gradient; an item is an element",
    "langevin_update/20": "a Langevin update at K = 20, its subsample drawn by index",
    "gibbs_sweep/20": "a Gibbs sweep at K = 20; an item is a sweep",
}

GENERATOR, TRANSFORM, MEMORY, ARITHMETIC = "generator", "transform", "memory", "arithmetic"
LOOP, REST = "loop", "rest"
NAMES = [GENERATOR, TRANSFORM, MEMORY, ARITHMETIC, LOOP, REST]

# Class, source without its ending, the functions that the row is for (none: all of the file).
OWN = [
    (GENERATOR, "numeric/random_streams", "philox philox_plain philox_vector philox_avx2"),
    (GENERATOR, "batch_sampling/uniform_index", "refill next_half UniformIndices"),
    (TRANSFORM, "numeric/random_streams", "normal fill_normals to_polar exponential gamma below"),
    (GENERATOR, "numeric/random_streams", ""),
    (TRANSFORM, "batch_sampling/uniform_index", "below"),
    (TRANSFORM, "numeric/tail_table", ""),
    (TRANSFORM, "numeric/normal_quantile", ""),
    (TRANSFORM, "numeric/vector_log", ""),
    (TRANSFORM, "numeric/vector_turn", ""),
    (TRANSFORM, "numeric/special_functions", ""),
    (TRANSFORM, "batch_sampling/binomial_distribution", ""),
    (TRANSFORM, "monte_carlo/order_sum", ""),
    (TRANSFORM, "monte_carlo/monte_carlo", ""),
    (TRANSFORM, "monte_carlo/conditional_monte_carlo", ""),
    (TRANSFORM, "monte_carlo/importance_sampling", ""),
    (TRANSFORM, "monte_carlo/sampling_tables", ""),
    (TRANSFORM, "ldp/langevin", "signed_tails"),
    (TRANSFORM, "ldp/gibbs", "log_gamma_variable draw_theta binomial"),
    (MEMORY, "batch_sampling/random_groups", ""),  # counts, scatter, swaps
    (MEMORY, "batch_sampling/random_order", ""),
    (MEMORY, "batch_sampling/balls_and_bins", ""),
    (MEMORY, "batch_sampling/random_subset", ""),  # the table of Floyd's algorithm
    (MEMORY, "batch_sampling/fixed_size", ""),  # the batch's own array
    (MEMORY, "batch_sampling/poisson", ""),
    (MEMORY, "batch_sampling/ordered", ""),
    (MEMORY, "batch_sampling/batch", ""),
    (MEMORY, "batch_sampling/batch_sampler", ""),
    (MEMORY, "ldp/subsample", "draw"),  # counts of the drawn answers
    (MEMORY, "ldp/subsample_indices", ""),  # the table of indices that are taken
    (MEMORY, "ldp/gibbs", "spread"),
    (ARITHMETIC, "ldp/subsample", ""),
    (ARITHMETIC, "ldp/langevin", ""),
    (ARITHMETIC, "ldp/gibbs", ""),
    (ARITHMETIC, "ldp/grouped_responses", ""),
    (MEMORY, "dpsgd/gradient_noise", "add_block"),  # the gradient read and written
]

# Functions and files of other libraries, as "function file".
OTHERS = [
    (GENERATOR, r"^philox"),  # Random123
    (TRANSFORM, r" libm[.-]"),  # log, exp, sin and cos
    (TRANSFORM, r" (binomial|gamma|powm1)\.hpp"),  # Boost
    (MEMORY, r"^(__)?(mem(cpy|move|set)|wmemset)"),  # copies and fills
]


def class_of(function, file):
    """The class of a function by its own name and its file's; None where no row matches."""
    stem, _, ending = file.partition(".")
    for label, source, functions in OWN:
        if stem == source.rpartition("/")[2] and ending in ("cpp", "hpp") \
                and (not functions or function in functions.split()):
            return label
    for label, pattern in OTHERS:
        if re.search(pattern, f"{function} {file}"):
            return label
    return None


def stale_rows():
    """What the table names and the sources do not have: such a row would no longer match."""
    found = []
    for _, source, functions in OWN:
        texts = [(SOURCES / f"{source}{ending}") for ending in (".cpp", ".hpp")]
        text = "".join(path.read_text(encoding="utf-8") for path in texts if path.exists())
        if not text:
            found.append(f"src/assay/{source}: no such file")
        found += [f"src/assay/{source}: no function {name}" for name in functions.split()
                  if text and not re.search(rf"\b{name}\b", text)]
    return found


if __name__ == "__main__":
    problems = stale_rows()
    print("\n".join(problems) or f"{len(OWN)} rows name functions and files that exist")
    sys.exit(1 if problems else 0)
