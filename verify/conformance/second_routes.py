"""The second route of a bracket: closed forms, quadrature, a grid of its own, or another accountant of the program."""
import functools
import json

import mpmath
from mpmath import mpf

import closed_forms
import epoch_routes
import grid_route

UNKNOWNS = ("noise_multiplier", "steps", "sampling_probability")  # what is asked for
OPEN = (*UNKNOWNS, "epochs", "batch_size")  # members of a phase that may be null
GRID_NAME = "own grid of losses, 1e-10 left to every probability"


def around(value):
    """Decimals of 30 digits below and above a number that is right to 38."""
    value = mpmath.mpf(value)
    room = abs(value) * mpmath.mpf(10) ** -28
    return mpmath.nstr(value - room, 30), mpmath.nstr(value + room, 30)


def decimals(low, high):
    """Decimals of 17 digits below and above."""
    room = mpmath.mpf("1e-16")
    return (mpmath.nstr(mpf(low) * (1 - room), 18),
            "inf" if mpmath.isinf(high) else mpmath.nstr(mpf(high) * (1 + room), 18))


def _probability(phase):
    if "sampling_probability" in phase:
        return float(phase["sampling_probability"])
    return phase["batch_size"] / phase["dataset_size"]


def _binomial_tail(count, q, least):
    """P(Bin(count, q) >= least), by the sum of its terms."""
    q, total = mpf(q), mpf(0)
    term = mpmath.binomial(count, least) * q ** least * (1 - q) ** (count - least)
    for k in range(least, count + 1):
        total += term
        if term < total * mpf(10) ** -25 and k > count * q:
            break
        term *= mpf(count - k) / (k + 1) * q / (1 - q)
    return total


def _sampled(q, far, near=0.0):
    return ([(1 - q, 0.0), (q, far)], [(1.0, 0.0)] if near == 0.0 else [(1 - q, 0.0), (q, near)])


def _steps_of(phase, adjacency):
    """Steps that stand above and below the phase's, or None: pairs of docs/proofs.md A.3, E, F.9 and T.11."""
    unit = 1.0 / float(phase["noise_multiplier"])
    kind = phase["sampling"]
    full = unit if adjacency == "zero-out" else 2 * unit
    if kind == "poisson":
        pair = _sampled(_probability(phase), unit, -unit if adjacency == "replace-one" else 0.0)
        return [(1.0, pair)], [(1.0, pair)]
    if kind == "fixed-size-without-replacement" and adjacency == "add-remove":
        pair = _sampled(_probability(phase), 2 * unit)
        return [(1.0, pair)], [(1.0, pair)]
    if kind == "poisson-truncated":
        q, others = _probability(phase), phase["dataset_size"] - (0 if adjacency == "add-remove" else 1)
        cut = float(_binomial_tail(others, q, phase["maximum_batch_size"])) * (1 + 1e-12)
        near = -unit if adjacency == "replace-one" else 0.0
        # Of a batch that is cut the pair of fixed size, under add-remove; else that of a step without sampling.
        worst = _sampled(q, 2 * unit) if adjacency == "add-remove" else ([(1.0, 2 * unit)], [(1.0, 0.0)])
        above = [(1 - cut, _sampled(q, unit, near)), (cut, worst)]
        return above, [(1.0, _sampled(q * (1 - cut) * (1 - 1e-12), unit, near))]
    if kind == "fixed-size-with-replacement":
        size, rate = phase["batch_size"], 1.0 / phase["dataset_size"]
        draws = [float(mpmath.binomial(size, k) * mpf(rate) ** k * (1 - mpf(rate)) ** (size - k))
                 for k in range(min(size, 40) + 1)]
        draws = [one for one in draws if one > 1e-15]
        draws[-1] += max(0.0, 1.0 - sum(draws))  # of mass below what a probability is given anyway
        told = [(weight, ([(1.0, k * full)], [(1.0, 0.0)])) for k, weight in enumerate(draws)]
        hits = [(weight, k * (2 * unit if adjacency == "add-remove" else unit)) for k, weight in enumerate(draws)]
        missed = [(weight, -k * unit) for k, weight in enumerate(draws)] if adjacency == "replace-one" else [(1.0, 0.0)]
        return told, [(1.0, (hits, missed))]
    return None


@functools.lru_cache(maxsize=2)
def _composition(phase, adjacency):
    phase = json.loads(phase)
    steps = _steps_of(phase, adjacency)
    try:
        return steps and grid_route.Composition(*steps, phase["steps"])
    except ValueError:  # wider than the grid
        return None


def _by_grid(question):
    release = question["release"]
    if len(release["phases"]) > 1 or question.get("group", 1) != 1:
        return None
    made = _composition(json.dumps(release["phases"][0]), release["adjacency"])
    if made is None:
        return None
    asked = question["ask"]
    if asked == "epsilon":
        return made.epsilon(float(question["delta"]))
    if asked in ("delta", "advantage"):
        return made.delta(float(question.get("epsilon", 0)))
    if asked == "true_positive_rate":
        return made.true_positive_rate(float(question["false_positive_rate"]))
    if asked == "type_two_error":
        low, high = made.true_positive_rate(float(question["type_one_error"]))
        return 1 - high, 1 - low
    if asked == "gaussian_mu" and question.get("smallest_error", 0):
        return made.gaussian_mu(float(question["smallest_error"]))
    return None


def _without_amplification(question):
    """mu of all levels: that of the steps without sampling is enough; no lower side."""
    phase = question["release"]["phases"][0]
    if phase["sampling"] != "poisson" or len(question["release"]["phases"]) > 1 or "smallest_error" in question:
        return None
    factor = 2 if question["release"]["adjacency"] == "replace-one" else 1
    return 0, factor * mpmath.sqrt(phase["steps"]) / mpf(float(phase["noise_multiplier"]))


def independent(question, assay):
    """(name, lower, upper, whether it is sharp) of a question without unknowns, or None."""
    exact = closed_forms.answer(question)
    if exact is not None:
        return exact[1], *around(exact[0]), True
    integral = epoch_routes.exact(question)
    if integral is not None:
        return "quadrature over all batches but one", *decimals(*integral), True
    ends = epoch_routes.attacked_and_told(question)
    if ends is not None:
        return "attacks by the sum and by the largest batch below, batches that are told above", *decimals(*ends), False
    if question["ask"] == "gaussian_mu":
        mu = _without_amplification(question)
        if mu is not None:
            return "steps without sampling are no better (upper side alone)", *decimals(*mu), False
    wants_grid = question["ask"] not in ("epsilon", "delta", "advantage") or (
        question["release"]["phases"][0]["sampling"] in ("poisson-truncated", "fixed-size-with-replacement"))
    if wants_grid:
        found = _by_grid(question)
        return None if found is None else (GRID_NAME, *decimals(*found), False)
    asked = question
    name = ""
    first = question["release"]["phases"][0]["sampling"]
    if first.startswith("fixed-size") and question["release"]["adjacency"] == "zero-out":
        asked = {**question, "release": {**question["release"], "adjacency": "replace-one"}}
        name = " under replace-one, which covers zero-out (upper side alone)"
    for accountant, what in (("rdp", "Renyi divergences"), ("pld", "privacy loss distributions")):
        reply = assay({**asked, "accountant": accountant})
        if "error" not in reply:
            return (f"the library's accountant of {what} alone{name}", "0" if name else text(reply["lower"]),
                    text(reply["upper"]), False)
    return None


def text(value):
    return value if isinstance(value, str) else f"{value:.17g}"


def number(one):
    return mpmath.mpf(one if one != "inf" else "+inf")


def _risk_at(question, value):
    """The question for the risk, the unknown filled in, and what the risk may be."""
    asked = json.loads(json.dumps(question))
    for phase in asked["release"]["phases"]:
        for name in OPEN:
            if name in phase and phase[name] is None:
                phase[name] = value if name in ("noise_multiplier", "sampling_probability") else int(value)
    if "delta" in question:
        asked["ask"] = "delta"
        return asked, mpf(float(asked.pop("delta")))
    if "true_positive_rate" in question:
        asked["ask"] = "true_positive_rate"
        return asked, mpf(float(asked.pop("true_positive_rate")))
    asked["ask"] = "advantage"
    return asked, mpf(float(asked.pop("advantage")))


def at_both_ends(question, assay, bracket):
    """A threshold: the risk is small enough at the end that is allowed, and too large beyond the other."""
    low, high = (number(end) for end in bracket)
    phase = next(one for one in question["release"]["phases"] if None in one.values())
    name = next(name for name in OPEN if name in phase and phase[name] is None)
    if name == "noise_multiplier":
        allowed, refused, most = high, low, mpmath.inf
    elif name == "sampling_probability":
        allowed, refused, most = low, high, 1
    else:
        allowed, refused, most = low, high + 1, phase["dataset_size"] if name == "batch_size" else mpmath.inf
    names = set()
    for value, is_allowed in ((allowed, True), (refused, False)):
        if value <= 0 or mpmath.isinf(value) or value >= most:
            continue  # the end of the domain
        asked, goal = _risk_at(question, float(value))
        found = independent(asked, assay)
        if found is None:
            return None
        names.add(found[0])
        room = mpf("1e-12")
        if is_allowed and number(found[1]) > goal * (1 + room):
            raise SystemExit(f"the risk at the end that is allowed is above the goal: {question}, {found}")
        if not is_allowed and number(found[2]) < goal * (1 - room):
            raise SystemExit(f"the risk at the end that is refused is below the goal: {question}, {found}")
    return f"the risk at both ends: {' and '.join(sorted(names))}", bracket[0], bracket[1], False


def second_route(question, assay, bracket):
    if question["ask"] in UNKNOWNS:
        exact = closed_forms.answer(question)
        if exact is not None:
            return exact[1], *around(exact[0]), question["ask"] == "noise_multiplier"
        return at_both_ends(question, assay, bracket)
    return independent(question, assay)
