"""Questions about several batches of an epoch, cut batches, repeated draws, tests of a level, and unknowns."""
import itertools

from questions import WITH, WITHOUT, epochs, none, poisson, sized


def allocation(sigma, batches, times, rounds=1):
    return {"sampling": "random-allocation", "noise_multiplier": sigma, "batches_per_epoch": batches,
            "allocations": times, "epochs": rounds}


def cut(sigma, batch, size, most, steps):
    return {"sampling": "poisson-truncated", "noise_multiplier": sigma, "batch_size": batch, "dataset_size": size,
            "maximum_batch_size": most, "steps": steps}


def several_batches(out):
    """Each record in k of T batches; two and three batches have a quadrature."""
    for (batches, times), sigma in itertools.product(((2, 1), (3, 1), (3, 2)), (0.8, 1, 2, 5)):
        flags = ["Ordinary", "PartsOfEpoch"] if times > 1 else ["Ordinary"]
        text = f"{times} of {batches} batches, sigma {sigma}"
        for delta in (1e-3, 1e-5):
            out.add("zero-out", allocation(sigma, batches, times), "epsilon", text, flags, delta=delta)
        for epsilon in (0.2, 1):
            out.add("zero-out", allocation(sigma, batches, times), "delta", text, flags, epsilon=epsilon)
        out.add("zero-out", allocation(sigma, batches, times), "advantage", text, flags)
    for (batches, times), sigma, rounds in itertools.product(((4, 2), (10, 3), (100, 2), (100, 10), (1000, 5)),
                                                             (0.8, 2), (1, 4)):
        text = f"{times} of {batches} batches, sigma {sigma}, {rounds} epochs"
        flags = ["Ordinary", "PartsOfEpoch"] + (["EpochsForSteps"] if rounds > 1 else [])
        out.add("zero-out", allocation(sigma, batches, times, rounds), "epsilon", text, flags, delta=1e-5)
        out.add("zero-out", allocation(sigma, batches, times, rounds), "delta", text, flags, epsilon=1)
    for sigma, batches, times, rounds, delta in ((0.3, 50, 2, 1, 1e-12), (20, 10000, 3, 100, 1e-8),
                                                 (50, 7, 6, 20, 1e-30)):
        out.add("zero-out", allocation(sigma, batches, times, rounds), "epsilon",
                f"{times} of {batches} batches, sigma {sigma}, {rounds} epochs, delta {delta}",
                ["Extreme", "PartsOfEpoch"], delta=delta)
    for sigma, batches, rounds in itertools.product((0.8, 1.5), (2, 8, 500), (3, 30)):
        out.add("zero-out", epochs("shuffle", sigma, batches, rounds), "epsilon",
                f"shuffle, sigma {sigma}, {batches} batches, {rounds} epochs", ["Ordinary", "EpochsForSteps"],
                delta=1e-6)


def cut_batches(out):
    for adjacency, (most, steps), sigma in itertools.product(
            ("add-remove", "replace-one", "zero-out"), ((110, 1), (130, 100), (150, 2000), (101, 30)), (0.8, 2)):
        out.add(adjacency, cut(sigma, 100, 10000, most, steps), "epsilon",
                f"Poisson batches of 100 of 10000 cut at {most}, sigma {sigma}, {steps} steps",
                ["Ordinary", "CutBatches"], delta=1e-5)
    for adjacency, epsilon in itertools.product(("add-remove", "replace-one", "zero-out"), (0.1, 1)):
        out.add(adjacency, cut(1, 5, 50, 8, 10), "delta", "small Poisson batches, cut at 8",
                ["CutBatches", "OtherDataSet"], epsilon=epsilon)


def repeated_draws(out):
    for adjacency, (batch, size), steps in itertools.product(
            ("add-remove", "replace-one", "zero-out"), ((1, 100), (20, 1000), (256, 60000)), (1, 50)):
        phase = sized(WITH, 3, batch, size, steps)
        text = f"with replacement, {batch} of {size}, sigma 3, {steps} steps"
        out.add(adjacency, phase, "epsilon", text, ["Ordinary", "SeveralDraws"], delta=1e-6)
        out.add(adjacency, phase, "delta", text, ["Ordinary", "SeveralDraws"], epsilon=0.1)


def fixed_against_null(out):
    """Fixed size without replacement, a record against a null one."""
    sizes = ((1, 10), (100, 10000), (600, 60000))
    for sigma, (batch, size), steps in itertools.product((0.8, 2), sizes, (1, 20, 1000)):
        out.add("zero-out", sized(WITHOUT, sigma, batch, size, steps), "epsilon",
                f"without replacement, {batch} of {size}, sigma {sigma}, {steps} steps", ["Ordinary"], delta=1e-5)


def tests_of_a_level(out):
    for adjacency, (sigma, q, steps) in itertools.product(
            ("add-remove", "replace-one", "zero-out"), ((1, 0.01, 1), (0.6, 0.3, 1), (1, 0.01, 500), (2, 0.1, 100))):
        phase = poisson(sigma, q, steps)
        text = f"Poisson, sigma {sigma}, q {q}, {steps} steps"
        flags = ["Ordinary", "ErrorsOfTests", "OneDirectionOnly"]
        for rate in (1e-4, 0.01, 0.1):
            out.add(adjacency, phase, "true_positive_rate", f"{text}, rate {rate}", flags, false_positive_rate=rate)
        out.add(adjacency, phase, "type_two_error", f"{text}, level 0.05", flags, type_one_error=0.05)
        out.add(adjacency, phase, "gaussian_mu", text, flags)
        if adjacency != "replace-one":
            out.add(adjacency, phase, "advantage", text, flags)
        if steps > 1:
            out.add(adjacency, phase, "gaussian_mu", f"{text}, errors of at least 0.02", flags, smallest_error=0.02)
    for sigma, batches, rounds in ((1, 10, 1), (2, 100, 10)):
        for kind in ("balls-and-bins", "shuffle", "deterministic"):
            text = f"{kind}, sigma {sigma}, {batches} batches, {rounds} epochs"
            flags = ["Ordinary", "ErrorsOfTests"]
            out.add("zero-out", epochs(kind, sigma, batches, rounds), "true_positive_rate", text, flags,
                    false_positive_rate=0.01)
            out.add("zero-out", epochs(kind, sigma, batches, rounds), "gaussian_mu", text, flags)
            out.add("zero-out", epochs(kind, sigma, batches, rounds), "advantage", text, flags)
    for sigma, rate in ((1e-3, 1e-9), (1000, 1e-9), (0.05, 1e-300), (300, 0.999)):
        out.add("add-remove", none(sigma, 2), "true_positive_rate", f"Gaussian, sigma {sigma}, rate {rate}",
                ["Extreme", "ErrorsOfTests"], false_positive_rate=rate)
        out.add("add-remove", none(sigma, 2), "type_two_error", f"Gaussian, sigma {sigma}, level {rate}",
                ["Extreme", "ErrorsOfTests"], type_one_error=rate)


def unknowns(out):
    flags = ["Ordinary", "UnknownParameter"]
    for adjacency, epsilon in itertools.product(("add-remove", "replace-one"), (1, 4)):
        target = {"epsilon": epsilon, "delta": 1e-5}
        out.add(adjacency, poisson(1, 0.01, None), "steps", f"steps of Poisson batches for epsilon {epsilon}", flags,
                **target)
        out.add(adjacency, poisson(1, None, 1000), "sampling_probability",
                f"rate of 1000 Poisson steps for epsilon {epsilon}", flags, **target)
        out.add(adjacency, sized("poisson", 1, None, 60000, 500), "sampling_probability",
                f"batch of 500 Poisson steps for epsilon {epsilon}", flags, **target)
        out.add(adjacency, sized(WITHOUT, 2, None, 10000, 100), "sampling_probability",
                f"batch without replacement for epsilon {epsilon}", flags, **target)
        out.add(adjacency, sized(WITHOUT, 2, 100, 10000, None), "steps",
                f"steps without replacement for epsilon {epsilon}", flags, **target)
    for kind, epsilon in itertools.product(("deterministic", "balls-and-bins", "shuffle"), (2, 8)):
        out.add("zero-out", {**epochs(kind, 2, 50, 1), "epochs": None}, "steps",
                f"epochs of {kind} for epsilon {epsilon}", flags, epsilon=epsilon, delta=1e-5)
    for level, power in ((0.01, 0.05), (0.1, 0.3)):
        out.add("add-remove", none(None, 4), "noise_multiplier", f"noise for power {power} at level {level}", flags,
                false_positive_rate=level, true_positive_rate=power)
        out.add("add-remove", poisson(None, 0.05, 200), "noise_multiplier",
                f"noise of Poisson batches for power {power} at level {level}", flags,
                false_positive_rate=level, true_positive_rate=power)
    for sigma, epsilon, delta in ((1000, 1e-3, 1e-6), (0.1, 0.5, 1e-8), (5, 300, 1e-12)):
        phase = {"sampling": "none", "noise_multiplier": sigma, "steps": None}
        out.add("replace-one", phase, "steps", f"steps of sigma {sigma} for epsilon {epsilon}, delta {delta}",
                ["Extreme", "UnknownParameter"], epsilon=epsilon, delta=delta)
    for sigma, epsilon, delta in ((0.3, 1e-4, 1e-8), (30, 2, 1e-6), (1, 1e-6, 0.3)):
        out.add("add-remove", poisson(sigma, None, 1), "sampling_probability",
                f"rate of one Poisson step, sigma {sigma}, epsilon {epsilon}, delta {delta}",
                ["Extreme", "UnknownParameter"], epsilon=epsilon, delta=delta)


def sharp(out):
    """Thousands of steps, answered to 1e-6: an error that grows with their number shows while it is small."""
    work = {"relative_gap": 1e-6, "effort": "thorough"}
    for adjacency, sigma, q, steps, delta in (("add-remove", 1.1, 0.004, 10000, 1e-6), ("add-remove", 1, 0.01, 1000, 1e-5),
                                              ("add-remove", 2, 0.02, 5000, 1e-6), ("add-remove", 4, 0.1, 2000, 1e-5),
                                              ("replace-one", 1.1, 0.004, 10000, 1e-6),
                                              ("replace-one", 4, 0.1, 2000, 1e-5)):
        out.add(adjacency, poisson(sigma, q, steps), "epsilon", f"Poisson, sigma {sigma}, q {q}, {steps} steps, to 1e-6",
                ["Ordinary", "ManySteps", "RoundedDownDiscretisation"], delta=delta, **work)


PARTS = (several_batches, cut_batches, repeated_draws, fixed_against_null, tests_of_a_level, unknowns, sharp)
