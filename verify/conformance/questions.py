"""The questions of the test vectors: what is asked, why, and what each is meant to catch."""
import itertools
import random

GOOGLE = "https://github.com/google/differential-privacy/issues/"
OPACUS = "https://github.com/pytorch/opacus/issues/"
PRV = "https://github.com/microsoft/prv_accountant/issues/"
TF = "https://github.com/tensorflow/privacy/issues/"


def _note(kind, description, effect, *links):
    return {"bugType": kind, "description": description, "effect": effect, "links": list(links)}


NOTES = {
    "Ordinary": _note("BASIC", "A setting of everyday use.", "An error here is an error of every user."),
    "Published": _note("BASIC", "A setting of a paper, a tutorial or an issue thread.",
                       "The number that was published can be compared."),
    "Extreme": _note("EDGE_CASE", "Noise, sampling, steps, epsilon or delta far from everyday use.",
                     "Overflow, underflow, cancellation or a search that does not end."),
    "SensitivityOfReplaceOne": _note(
        "WRONG_SENSITIVITY", "Replacing a record moves the sum by twice the clip norm.",
        "An accountant that takes one clip norm answers for half of the distance: epsilon is too small.",
        GOOGLE + "378", GOOGLE + "464"),
    "OneDirectionOnly": _note(
        "MISSING_DIRECTION", "Adding and removing a record differ; the answer is the larger of both.",
        "The direction of addition alone gives too small an epsilon."),
    "CoarseOrderGrid": _note(
        "DISCRETE_SEARCH", "The best Renyi order is far above or between those of common lists.",
        "The minimum over a list of orders is loose, sometimes by orders of magnitude."),
    "RoundedDownDiscretisation": _note(
        "ROUNDING", "Many steps, each of which loses a little to a grid that rounds down or to the nearest.",
        "Epsilon too small by the number of steps times half a grid step."),
    "ManySteps": _note(
        "ROUNDING", "Thousands of steps, and a bracket narrower than 1e-6.",
        "An error of 1e-5 that only many steps show is hidden by a bracket of 1e-3."),
    "TruncatedTail": _note(
        "TRUNCATION", "Small delta: the mass of losses beyond the grid counts.",
        "Mass that is cut off and not added to delta makes epsilon too small."),
    "FftFloor": _note(
        "ROUNDING", "Delta below what a Fourier transform of doubles resolves.",
        "A floor of about 1e-15 in delta: epsilon too large, infinite, or noise.", PRV + "17"),
    "CentralLimit": _note(
        "APPROXIMATION", "Few steps or small probabilities, for which the central limit is far away.",
        "The Gaussian limit gives an epsilon that is too small.", OPACUS + "643"),
    "CompositionDropped": _note(
        "WRONG_COMPOSITION", "The same release once and many times.",
        "An accountant that ignores the count answers the same for both."),
    "OtherDataSet": _note(
        "WRONG_PARAMETER", "Batch and data set are so small that n, n - 1 and n + 1 differ.",
        "The sampling probability of the neighbouring data set gives another epsilon."),
    "EpochsForSteps": _note(
        "WRONG_PARAMETER", "Several epochs of several batches.",
        "Who counts epochs as steps, or steps as epochs, is far off."),
    "NegativeEpsilon": _note(
        "INVALID_OUTPUT", "Delta so large that epsilon is 0 or nearly so.",
        "A conversion of Renyi divergences that is not cut off at 0 gives a negative epsilon.",
        OPACUS + "585", TF + "166"),
    "LargeEpsilon": _note(
        "OVERFLOW", "Epsilon in the hundreds or above.", "exp(epsilon) overflows, or the grid grows without bound.",
        PRV + "36"),
    "PrvCase": _note(
        "KNOWN_CASE", "A case in which prv_accountant 0.2 raised or gave a false side.", "See the comment.",
        PRV + "17", PRV + "36", PRV + "42"),
    "PartsOfEpoch": _note(
        "WRONG_DIRECTION", "A record in several batches of an epoch.",
        "One batch of each part of the epoch is an upper bound; its lower side is none, and may be above the truth."),
    "CutBatches": _note(
        "WRONG_MECHANISM", "Poisson batches that are cut at a maximum.",
        "An accountant of the uncut batches leaves out that a record may push another one out."),
    "SeveralDraws": _note(
        "WRONG_SENSITIVITY", "A record may be drawn several times for one batch.",
        "Who allows for one draw alone answers for a smaller distance."),
    "UnknownParameter": _note(
        "SEARCH", "The largest number of steps, rate or batch that is allowed, or the least noise.",
        "A search that ends on the wrong side of the threshold, or does not end."),
    "ErrorsOfTests": _note(
        "TRADE_OFF", "What a test of given level reaches, over both directions.",
        "One direction alone, or a curve that is no lower bound of the errors."),
    "RdpMinimum": _note(
        "DISCRETE_SEARCH", "Sampling with so small a probability that the best order is near a jump of the divergence.",
        "Series for fractional orders lose their digits there: divergences below the truth, or negative."),
}

DELTAS = (1e-5, 1e-6, 1e-8, 1e-3)


class Questions:
    def __init__(self):
        self.entries = []

    def add(self, adjacency, phases, ask, comment, flags, published=None, **given):
        phases = [phases] if isinstance(phases, dict) else phases
        entry = {"question": {"release": {"adjacency": adjacency, "phases": phases}, "ask": ask, **given},
                 "comment": comment, "flags": list(flags)}
        if published:
            entry["published"] = published
        self.entries.append(entry)


def none(sigma, steps):
    return {"sampling": "none", "noise_multiplier": sigma, "steps": steps}


def poisson(sigma, q, steps):
    return {"sampling": "poisson", "noise_multiplier": sigma, "sampling_probability": q, "steps": steps}


def sized(kind, sigma, batch, size, steps):
    return {"sampling": kind, "noise_multiplier": sigma, "batch_size": batch, "dataset_size": size, "steps": steps}


def epochs(kind, sigma, batches, times):
    return {"sampling": kind, "noise_multiplier": sigma, "batches_per_epoch": batches, "epochs": times}


WITHOUT = "fixed-size-without-replacement"
WITH = "fixed-size-with-replacement"


def gaussians(out):
    """No sampling: closed forms, hence brackets of a few units in the last place, at any number of steps."""
    for adjacency in ("add-remove", "replace-one", "zero-out"):
        flags = ["Ordinary"] + (["SensitivityOfReplaceOne"] if adjacency == "replace-one" else [])
        for sigma, steps in itertools.product((0.5, 1, 2, 5, 20), (1, 10, 1000)):
            more = flags + (["CompositionDropped"] if steps > 1 else [])
            for delta in (1e-5, 1e-8):
                out.add(adjacency, none(sigma, steps), "epsilon", f"Gaussian, sigma {sigma}, {steps} steps", more,
                        delta=delta)
            out.add(adjacency, none(sigma, steps), "delta", f"Gaussian, sigma {sigma}, {steps} steps", more, epsilon=1)
            out.add(adjacency, none(sigma, steps), "advantage", f"Gaussian, sigma {sigma}, {steps} steps", more)
        for sigma, steps in ((1e-3, 1), (0.05, 7), (100, 1), (1000, 10), (1e4, 100000), (1e6, 3), (50, 1000000),
                             (300, 10000), (3, 100000)):
            for delta in (1e-2, 1e-12, 1e-30, 1e-100):
                tail = ["Extreme", "TruncatedTail"] + (["FftFloor"] if delta < 1e-15 else [])
                out.add(adjacency, none(sigma, steps), "epsilon",
                        f"Gaussian, sigma {sigma}, {steps} steps, delta {delta}",
                        tail + (["LargeEpsilon"] if sigma < 0.1 else []), delta=delta)
            for epsilon in (0, 1e-6, 0.1, 20):
                out.add(adjacency, none(sigma, steps), "delta",
                        f"Gaussian, sigma {sigma}, {steps} steps, epsilon {epsilon}", ["Extreme"], epsilon=epsilon)
        for epsilon, delta, steps in itertools.product((0.01, 0.5, 1, 3, 10), (1e-5, 1e-9), (1, 100)):
            out.add(adjacency, none(None, steps), "noise_multiplier",
                    f"noise for epsilon {epsilon}, delta {delta}, {steps} steps", flags, epsilon=epsilon, delta=delta)
        for sigma, epsilon in itertools.product((5, 30), (0.5, 2, 8)):
            phase = {"sampling": "none", "noise_multiplier": sigma, "steps": None}
            out.add(adjacency, phase, "steps", f"steps of sigma {sigma} for epsilon {epsilon}", flags, epsilon=epsilon,
                    delta=1e-5)
        for sigma, steps in ((0.7, 1), (2, 1), (2, 10), (30, 1000)):
            out.add(adjacency, none(sigma, steps), "gaussian_mu", f"Gaussian, sigma {sigma}, {steps} steps", flags)
            for rate in (1e-6, 1e-3, 0.05, 0.5):
                out.add(adjacency, none(sigma, steps), "type_two_error",
                        f"Gaussian, sigma {sigma}, {steps} steps, level {rate}", flags, type_one_error=rate)
                out.add(adjacency, none(sigma, steps), "true_positive_rate",
                        f"Gaussian, sigma {sigma}, {steps} steps, rate {rate}", flags, false_positive_rate=rate)
        for first, second in ((none(1, 1), none(3, 20)), (none(10, 50), none(0.8, 1))):
            out.add(adjacency, [first, second], "epsilon", "two Gaussian phases with different noise",
                    flags + ["CompositionDropped"], delta=1e-5)
            out.add(adjacency, [first, second], "delta", "two Gaussian phases with different noise",
                    flags + ["CompositionDropped"], epsilon=2)
        for sigma, delta in ((1000, 0.9), (100, 0.1), (20, 0.5), (5, 0.3)):
            out.add(adjacency, none(sigma, 2), "epsilon", f"Gaussian, sigma {sigma}, delta {delta}",
                    ["NegativeEpsilon"], delta=delta)


def one_step(out):
    """One step of a sampled Gaussian: closed forms, both directions, both adjacencies."""
    for (sigma, q), delta in itertools.product(
            itertools.product((0.3, 0.6, 1, 2, 6), (1e-6, 1e-3, 0.02, 0.3, 0.9)), (1e-5, 1e-9)):
        flags = ["Extreme" if q in (1e-6, 0.9) or sigma == 0.3 else "Ordinary", "CentralLimit"]
        for adjacency in ("add-remove", "replace-one"):
            extra = ["SensitivityOfReplaceOne"] if adjacency == "replace-one" else ["OneDirectionOnly"]
            out.add(adjacency, poisson(sigma, q, 1), "epsilon", f"one Poisson step, sigma {sigma}, q {q}",
                    flags + extra + (["RdpMinimum"] if q < 1e-2 else []), delta=delta)
        phase = {"sampling": WITHOUT, "noise_multiplier": sigma, "sampling_probability": q, "steps": 1}
        out.add("replace-one", phase, "epsilon", f"one step without replacement, sigma {sigma}, q {q}",
                flags + ["SensitivityOfReplaceOne"], delta=delta)
    for (sigma, q), epsilon in itertools.product(itertools.product((0.5, 1, 3), (1e-4, 0.01, 0.4)), (0, 0.1, 1, 5)):
        for adjacency in ("add-remove", "replace-one", "zero-out"):
            out.add(adjacency, poisson(sigma, q, 1), "delta", f"one Poisson step, sigma {sigma}, q {q}",
                    ["Ordinary", "OneDirectionOnly"], epsilon=epsilon)
        phase = {"sampling": WITHOUT, "noise_multiplier": sigma, "sampling_probability": q, "steps": 1}
        out.add("replace-one", phase, "delta", f"one step without replacement, sigma {sigma}, q {q}",
                ["Ordinary", "SensitivityOfReplaceOne"], epsilon=epsilon)
    for q, sigma in ((1e-10, 100), (1e-10, 0.2), (1e-8, 1), (0.999, 1), (0.5, 40), (0.01, 0.05), (0.01, 300)):
        for delta in (1e-4, 1e-11, 1e-20, 1e-60):
            for adjacency in ("add-remove", "replace-one"):
                out.add(adjacency, poisson(sigma, q, 1), "epsilon", f"one Poisson step, sigma {sigma}, q {q}, delta {delta}",
                        ["Extreme", "TruncatedTail"] + (["FftFloor"] if delta < 1e-15 else []), delta=delta)


def directions(out):
    """Delta of one step over a range of epsilon: both directions, tails far below what a transform resolves."""
    for (sigma, q), epsilon in itertools.product(
            itertools.product((0.4, 0.8, 1.5, 4), (1e-5, 2e-3, 0.05, 0.5)), (0.01, 0.5, 2, 8)):
        for adjacency in ("add-remove", "replace-one", "zero-out"):
            out.add(adjacency, poisson(sigma, q, 1), "delta", f"one Poisson step, sigma {sigma}, q {q}, epsilon {epsilon}",
                    ["Ordinary", "OneDirectionOnly", "TruncatedTail"], epsilon=epsilon)
        phase = {"sampling": WITHOUT, "noise_multiplier": sigma, "sampling_probability": q, "steps": 1}
        out.add("replace-one", phase, "delta", f"one step without replacement, sigma {sigma}, q {q}, epsilon {epsilon}",
                ["Ordinary", "SensitivityOfReplaceOne", "TruncatedTail"], epsilon=epsilon)
    for (sigma, times), delta in itertools.product(
            itertools.product((0.9, 1.3, 2.5, 4, 8), (2, 5, 30, 365)), (1e-4, 1e-5, 1e-7, 1e-10)):
        out.add("zero-out", epochs("deterministic", sigma, 50, times), "epsilon",
                f"fixed order, sigma {sigma}, 50 batches, {times} epochs", ["Ordinary", "EpochsForSteps"], delta=delta)
        out.add("replace-one", none(sigma, times), "epsilon", f"Gaussian, sigma {sigma}, {times} steps",
                ["Ordinary", "SensitivityOfReplaceOne", "CompositionDropped"], delta=delta)


def sampled(out):
    """Many steps of Poisson sampling and of fixed batches."""
    grid = list(itertools.product((0.6, 0.8, 1, 1.5, 3), (1e-4, 1e-3, 0.01, 0.1), (10, 100, 1000, 10000)))
    draws = random.Random(20261123)
    for sigma, q, steps in draws.sample(grid, 60):
        for adjacency in ("add-remove", "replace-one"):
            flags = ["Ordinary", "RoundedDownDiscretisation", "CompositionDropped"]
            flags += ["SensitivityOfReplaceOne"] if adjacency == "replace-one" else ["OneDirectionOnly"]
            flags += ["CentralLimit"] if q * steps ** 0.5 < 0.1 else []
            text = f"Poisson, sigma {sigma}, q {q}, {steps} steps"
            out.add(adjacency, poisson(sigma, q, steps), "epsilon", text, flags, delta=draws.choice(DELTAS))
            out.add(adjacency, poisson(sigma, q, steps), "delta", text, flags, epsilon=draws.choice((0.1, 1, 3)))
    for sigma, q, steps in draws.sample(grid, 40):
        out.add("zero-out", poisson(sigma, q, steps), "epsilon", f"Poisson, sigma {sigma}, q {q}, {steps} steps",
                ["Ordinary"], delta=draws.choice(DELTAS))
        out.add("add-remove", poisson(sigma, q, steps), "advantage", f"Poisson, sigma {sigma}, q {q}, {steps} steps",
                ["Ordinary"])
    for sigma, q, steps in draws.sample(grid, 60):
        size = 10000
        batch = max(1, round(q * size))
        phase = sized(WITHOUT, sigma, batch, size, steps)
        text = f"without replacement, sigma {sigma}, {batch} of {size}, {steps} steps"
        for adjacency in ("replace-one", "add-remove"):
            flags = ["Ordinary", "CompositionDropped"]
            flags += ["SensitivityOfReplaceOne"] if adjacency == "replace-one" else []
            out.add(adjacency, phase, "epsilon", text, flags, delta=draws.choice(DELTAS))
        out.add("replace-one", phase, "delta", text, ["Ordinary", "SensitivityOfReplaceOne"], epsilon=1)
    for batch, size, steps in ((1, 2, 1), (1, 3, 5), (2, 5, 20), (5, 10, 10), (3, 4, 3), (9, 10, 50)):
        for adjacency, sigma in itertools.product(("replace-one", "add-remove"), (1, 4)):
            for kind in (WITHOUT, "poisson"):
                out.add(adjacency, sized(kind, sigma, batch, size, steps), "epsilon",
                        f"{kind}, {batch} of {size} records, {steps} steps", ["OtherDataSet"], delta=1e-5)
    for sigma, batch, size, steps in itertools.product((2, 5, 12), (1, 30, 300), (1000, 60000), (1, 100)):
        for adjacency in ("replace-one", "add-remove"):
            out.add(adjacency, sized(WITH, sigma, batch, size, steps), "epsilon",
                    f"with replacement, sigma {sigma}, {batch} of {size}, {steps} steps", ["Ordinary"], delta=1e-5)
    for sigma, q, steps, epsilon in ((None, 0.01, 1000, 2), (None, 0.004, 5000, 1), (None, 0.1, 100, 8),
                                     (None, 0.02, 1, 1)):
        for delta in (1e-5, 1e-7):
            out.add("add-remove", poisson(sigma, q, steps), "noise_multiplier",
                    f"noise of Poisson batches for epsilon {epsilon}", ["Ordinary"], epsilon=epsilon, delta=delta)


def sampled_extremes(out):
    draws = random.Random(1123)
    for _ in range(6):
        sigma = draws.choice((0.2, 0.35, 0.5, 10, 30, 100, 1000))
        q = draws.choice((1e-8, 1e-6, 1e-5, 3e-4, 0.05, 0.3, 0.7, 0.99))
        steps = draws.choice((2, 3, 30, 3000, 100000))
        delta = draws.choice((1e-2, 1e-10, 1e-15, 1e-20, 1e-40))
        flags = ["Extreme", "TruncatedTail"] + (["FftFloor"] if delta < 1e-15 else [])
        flags += ["CoarseOrderGrid"] if sigma >= 30 else []
        flags += ["LargeEpsilon"] if sigma < 0.5 and steps * q > 10 else []
        text = f"Poisson, sigma {sigma}, q {q}, {steps} steps, delta {delta}"
        adjacency = draws.choice(("add-remove", "replace-one"))
        out.add(adjacency, poisson(sigma, q, steps), "epsilon", text, flags, delta=delta)
        out.add(adjacency, poisson(sigma, q, steps), "delta", text, ["Extreme"],
                epsilon=draws.choice((0, 1e-3, 0.5, 10, 40)))
        batch = max(1, round(q * 100000))
        out.add("replace-one", sized(WITHOUT, sigma, batch, 100000, steps), "epsilon",
                f"without replacement, sigma {sigma}, {batch} of 100000, {steps} steps, delta {delta}", flags,
                delta=delta)


def whole_epochs(out):
    for sigma, batches, times in itertools.product((0.7, 1, 2, 5), (5, 100, 10000), (1, 10)):
        for kind in ("deterministic", "shuffle"):
            flags = ["Ordinary", "EpochsForSteps"]
            text = f"{kind}, sigma {sigma}, {batches} batches, {times} epochs"
            for delta in DELTAS[:3]:
                out.add("zero-out", epochs(kind, sigma, batches, times), "epsilon", text, flags, delta=delta)
            out.add("zero-out", epochs(kind, sigma, batches, times), "delta", text, flags, epsilon=1)
    for sigma, batches, times in itertools.product((0.8, 1, 2), (10, 100), (1, 5)):
        text = f"balls and bins, sigma {sigma}, {batches} batches, {times} epochs"
        out.add("zero-out", epochs("balls-and-bins", sigma, batches, times), "epsilon", text,
                ["Ordinary", "EpochsForSteps"], delta=1e-5)
        out.add("zero-out", epochs("balls-and-bins", sigma, batches, times), "delta", text,
                ["Ordinary", "EpochsForSteps"], epsilon=1)
    for epsilon, times in itertools.product((0.5, 2, 8), (1, 20)):
        out.add("zero-out", epochs("deterministic", None, 100, times), "noise_multiplier",
                f"noise of {times} epochs in a fixed order for epsilon {epsilon}", ["Ordinary", "EpochsForSteps"],
                epsilon=epsilon, delta=1e-5)


def published(out):
    """Settings of papers, tutorials and issue threads, with the number that stands there where there is one."""
    def said(value, claims, source):
        return {"value": value, "claims": claims, "source": source}

    def ask(phase, comment, flags, delta, number=None, adjacency="add-remove"):
        out.add(adjacency, phase, "epsilon", comment, ["Published", *flags], published=number, delta=delta)

    ask(poisson(4, 0.01, 10000), "Abadi et al. 2016, section 5.1", [], 1e-5,
        said("1.26", "upper", "https://arxiv.org/abs/1607.00133"))
    for sigma, batches, times in ((1.3, 240, 15), (1.1, 240, 60), (0.7, 240, 45)):
        phase = {"sampling": "poisson", "noise_multiplier": sigma, "batch_size": 250, "dataset_size": 60000,
                 "steps": batches * times}
        ask(phase, f"MNIST tutorial of TensorFlow Privacy, {times} epochs", ["EpochsForSteps"], 1e-5)
    for sigma, batch, size, times in ((1.1, 256, 60000, 15), (1.0, 64, 60000, 10), (1.5, 2000, 50000, 90),
                                      (0.65, 512, 50000, 20), (0.4, 4096, 1281167, 18)):
        phase = {"sampling": "poisson", "noise_multiplier": sigma, "batch_size": batch, "dataset_size": size,
                 "steps": size // batch * times}
        ask(phase, f"training on {size} records, batches of {batch}, {times} epochs", ["EpochsForSteps"], 1e-5)
    ask(none(1, 1), "one Gaussian, replace-one: 4.7285 for 9.9973", ["SensitivityOfReplaceOne"], 1e-5,
        said("4.7285", "upper", GOOGLE + "378"), "replace-one")
    for batch, size, sigma, steps, number in ((100, 10000, 1, 1000, "3.576"), (256, 60000, 1.1, 14063, "5.243"),
                                              (10, 1000, 2, 10000, "5.137")):
        ask(sized(WITHOUT, sigma, batch, size, steps), f"fixed batches of {batch} of {size}, replace-one: {number}",
            ["SensitivityOfReplaceOne"], 1e-5, said(number, "upper", GOOGLE + "464"), "replace-one")
    ask(poisson(0.2, 1e-6, 1), "upper side 27.9622 below the truth", ["PrvCase", "TruncatedTail"], 1e-15)
    ask(poisson(50, 1e-5, 10000), "lower side 1.7208 above the truth", ["PrvCase", "TruncatedTail"], 1e-12)
    ask(poisson(4, 3.3e-4, 10000), "lower side 3.7 above the truth", ["PrvCase", "FftFloor"], 1.13e-18)
    ask(poisson(0.8, 0.125, 1000), "RuntimeError", ["PrvCase", "LargeEpsilon"], 1e-6)
    ask(poisson(1, 0.2, 10), "RuntimeError", ["PrvCase"], 1e-5)
    ask(poisson(3, 0.2, 50), "central limit 1.83 for 1.96", ["CentralLimit"], 1 / 48000,
        said("1.83", "estimate", OPACUS + "643"))
    ask(poisson(0.7, 0.004, 1), "central limit .046 for 1.761", ["CentralLimit"], 1e-8)
    ask(poisson(1, 0.00105, 1), "epsilon = 0 is right", ["NegativeEpsilon"], 1e-3, said("0", "upper", TF + "166"))
    ask(poisson(2, 1e-4, 10), "dp_accounting's grid: 1.28 times", ["RoundedDownDiscretisation"], 1e-5)
    ask(poisson(100, 1e-10, 100000), "math domain error in get_delta", ["RdpMinimum"], 1e-9)
    ask(poisson(9.4, 0.328, 2000), "Gomez et al. 2025, the example of mu = 1.57", [], 1e-5)
    out.add("add-remove", none(None, 1), "noise_multiplier", "75 GB of memory for one Gaussian", ["Published", "Extreme"],
            epsilon=0.01, delta=1e-5)
    draws = random.Random(7)
    for _ in range(70):  # small probabilities, where the best order is near a jump
        sigma = draws.choice((0.3, 0.5, 0.8, 1.1, 4, 10))
        q = draws.choice((1e-7, 1e-5, 1e-3, 4e-3, 0.03))
        steps = draws.choice((1, 5, 50, 500, 5000))
        out.add("add-remove", poisson(sigma, q, steps), "epsilon", f"Poisson, sigma {sigma}, q {q}, {steps} steps",
                ["Ordinary", "RdpMinimum", "CoarseOrderGrid"], delta=draws.choice((1e-5, 1e-7, 1e-10)))


def all_questions():
    """Every question with its comment and flags, in a fixed order."""
    import newer_questions  # which takes the tools above
    out = Questions()
    for part in (published, gaussians, one_step, whole_epochs, directions, sampled, sampled_extremes,
                 *newer_questions.PARTS):
        part(out)
    return out.entries
