"""Answers in closed form, with 40 digits: the second route of the test vectors.

They share no code with the library. Numbers of a question are the doubles that its decimals read as. Gaussian releases
(and batches in a fixed order) of any length, and one step of a sampled Gaussian, whose likelihood ratio is monotone:
both error probabilities are normal tails.
"""
import mpmath
from mpmath import mp, mpf

mp.dps = 40


def cdf(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _sensitivity(adjacency):
    return mpf(2) if adjacency == "replace-one" else mpf(1)


def gaussian_mu(release):
    """Distance of the means over the standard deviation; None for a release that is not Gaussian."""
    total = mpf(0)
    for phase in release["phases"]:
        if phase["sampling"] not in ("none", "deterministic"):
            return None
        times = phase["steps"] if phase["sampling"] == "none" else phase.get("epochs", 1)
        total += times * (_sensitivity(release["adjacency"]) / mpf(float(phase["noise_multiplier"]))) ** 2
    return mpmath.sqrt(total)


def gaussian_delta(mu, epsilon):
    return cdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * cdf(-mu / 2 - epsilon / mu)


def _mixture_delta(q, shift, sigma, epsilon):
    """The larger of both directions of (1-q) N(0, sigma^2) + q N(shift, sigma^2) and N(0, sigma^2)."""
    e = mpmath.exp(epsilon)

    def place(ratio):
        return sigma ** 2 / shift * mpmath.log((ratio - 1 + q) / q) + shift / 2

    x = place(e)
    removed = (1 - q) * cdf(-x / sigma) + q * cdf((shift - x) / sigma) - e * cdf(-x / sigma)
    added = mpf(0)
    if 1 / e > 1 - q:
        y = place(1 / e)
        added = cdf(y / sigma) - e * ((1 - q) * cdf(y / sigma) + q * cdf((y - shift) / sigma))
    return max(removed, added, mpf(0))


def _two_mixtures_delta(q, sigma, epsilon):
    """(1-q) N(0) + q N(1) and (1-q) N(0) + q N(-1): mirror images, so that one direction is both."""
    e = mpmath.exp(epsilon)
    k = q * mpmath.exp(-1 / (2 * sigma ** 2))
    middle = (1 - q) * (e - 1)
    x = sigma ** 2 * mpmath.log((middle + mpmath.sqrt(middle ** 2 + 4 * e * k ** 2)) / (2 * k))

    def above(sign):
        return (1 - q) * cdf(-x / sigma) + q * cdf((sign - x) / sigma)

    return above(1) - e * above(-1)


def delta_function(release):
    """delta as a function of epsilon and the name of the formula, or None where there is none here."""
    mu = gaussian_mu(release)
    if mu is not None:
        return (lambda epsilon: gaussian_delta(mu, epsilon)), "closed form of the Gaussian, 40 digits"
    phase = release["phases"][0]
    if len(release["phases"]) > 1 or phase.get("steps") != 1 or "sampling_probability" not in phase:
        return None
    q, sigma = mpf(float(phase["sampling_probability"])), mpf(float(phase["noise_multiplier"]))
    name = "closed form of one step, 40 digits"
    if phase["sampling"] == "poisson" and release["adjacency"] == "replace-one":
        return (lambda epsilon: _two_mixtures_delta(q, sigma, epsilon)), name
    if phase["sampling"] == "poisson":
        return (lambda epsilon: _mixture_delta(q, mpf(1), sigma, epsilon)), name
    if phase["sampling"] == "fixed-size-without-replacement" and release["adjacency"] != "zero-out":
        return (lambda epsilon: _mixture_delta(q, mpf(2), sigma, epsilon)), name
    return None


def bisect(function, low, high, steps=130):
    """low and high around the place where a decreasing function turns from positive to not."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low, high


def answer(question):
    """(value, formula) of a question in closed form, or None."""
    release, asked = question["release"], question["ask"]
    if question.get("group", 1) != 1:
        return None
    if asked in ("noise_multiplier", "steps"):
        return _threshold(question)
    if asked == "sampling_probability":
        return None
    found = delta_function(release)
    if found is None:
        return None
    delta, name = found
    if asked in ("delta", "advantage"):
        return delta(mpf(float(question["epsilon"])) if asked == "delta" else mpf(0)), name
    if asked == "epsilon":
        goal = mpf(float(question["delta"]))
        if delta(mpf(0)) <= goal:
            return mpf(0), name
        high = mpf(1)
        while delta(high) > goal:
            high *= 2
        return bisect(lambda epsilon: delta(epsilon) - goal, mpf(0), high)[1], name
    mu = gaussian_mu(release)
    if mu is None:
        if asked not in ("type_two_error", "true_positive_rate"):
            return None
        rate = mpf(float(question["type_one_error" if asked == "type_two_error" else "false_positive_rate"]))
        power = _power_of_one_step(release, rate)
        return power if power is None else (1 - power if asked == "type_two_error" else power, name)
    if asked == "gaussian_mu" and "smallest_error" not in question:
        return mu, name
    if asked in ("type_two_error", "true_positive_rate"):
        one = mpf(float(question["type_one_error" if asked == "type_two_error" else "false_positive_rate"]))
        place, _ = bisect(lambda x: cdf(-x) - one, mpf(-60), mpf(60), 200)
        missed = cdf(place - mu)
        return (missed if asked == "type_two_error" else 1 - missed), name
    return None


def _threshold(question):
    release = question["release"]
    phase = release["phases"][0]
    if len(release["phases"]) > 1 or phase["sampling"] not in ("none", "deterministic") or "delta" not in question:
        return None
    goal, epsilon = mpf(float(question["delta"])), mpf(float(question["epsilon"]))
    high = mpf(1)
    while gaussian_delta(high, epsilon) < goal:
        high *= 2
    low, _ = bisect(lambda mu: goal - gaussian_delta(mu, epsilon), mpf(0), high)
    name = "closed form of the Gaussian solved for its distance, 40 digits"
    sensitivity = _sensitivity(release["adjacency"])
    if question["ask"] == "steps":
        return mpmath.floor((low * mpf(float(phase["noise_multiplier"])) / sensitivity) ** 2), name
    times = phase["steps"] if phase["sampling"] == "none" else phase.get("epochs", 1)
    return mpmath.sqrt(mpf(times)) * sensitivity / low, name


def _power_of_one_step(release, level):
    """The largest power of a test of this level, over both directions: the likelihood ratio is monotone."""
    phase = release["phases"][0]
    if len(release["phases"]) > 1 or phase.get("steps") != 1 or "sampling_probability" not in phase:
        return None
    q, sigma = mpf(float(phase["sampling_probability"])), mpf(float(phase["noise_multiplier"]))
    shifts = {("poisson", "add-remove"): (1, 0), ("poisson", "zero-out"): (1, 0), ("poisson", "replace-one"): (1, -1),
              ("fixed-size-without-replacement", "add-remove"): (2, 0)}.get((phase["sampling"], release["adjacency"]))
    if shifts is None or not 0 < level < 1:
        return None
    far, near = shifts

    def above(shift, place):
        return (1 - q) * cdf(-place / sigma) + q * cdf((shift - place) / sigma)

    def below(shift, place):
        return (1 - q) * cdf(place / sigma) + q * cdf((place - shift) / sigma)

    limit = 40 * sigma + 4
    place, _ = bisect(lambda x: above(near, x) - level, -limit, limit)
    other, _ = bisect(lambda x: below(far, -x) - level, -limit, limit)
    return max(above(far, place), below(near, -other))


def epsilon_of_repeated_record(question):
    """Epsilon of removing a record at the clip norm, while all others are at its negative, from one step of sampling
    with replacement: k draws of it move the sum by 2k. What any answer for one step or more is not below, for
    add-remove; with the sampling probability of the larger data set, which is the smaller one."""
    phase = question["release"]["phases"][0]
    size, sigma, goal = phase["batch_size"], mpf(float(phase["noise_multiplier"])), mpf(float(question["delta"]))
    rate = mpf(1) / (phase["dataset_size"] + 1)
    weights = [mpmath.binomial(size, k) * rate ** k * (1 - rate) ** (size - k) for k in range(min(size, 60) + 1)]

    def ratio(x):
        return sum(w * mpmath.exp((4 * k * x - 4 * k * k) / (2 * sigma ** 2)) for k, w in enumerate(weights))

    def excess(x):  # delta at the epsilon whose threshold x is, over the goal
        removed = sum(w * cdf((2 * k - x) / sigma) for k, w in enumerate(weights))
        return removed - ratio(x) * cdf(-x / sigma) - goal

    if excess(mpf(1)) <= 0:
        return mpf(0)
    high = mpf(2)
    while excess(high) > 0:
        high *= 2
    low, _ = bisect(excess, mpf(1), high, 60)
    return max(mpf(0), mpmath.log(ratio(low)))
