"""Answers in closed form, with 40 digits: the second route of the test vectors.

They share no code with the library. Numbers of a question are the doubles that its decimals read as. Gaussian releases (and batches in a fixed order) of any length, and one step
of a sampled Gaussian, whose likelihood ratio is monotone: both error probabilities are normal tails.
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
    if phase["sampling"] == "fixed-size-without-replacement":
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
        return None
    if asked == "gaussian_mu":
        return mu, name
    if asked in ("type_two_error", "true_positive_rate"):
        one = mpf(float(question["type_one_error" if asked == "type_two_error" else "false_positive_rate"]))
        missed = cdf(-mpmath.sqrt(2) * mpmath.erfinv(2 * one - 1) - mu)
        return (missed if asked == "type_two_error" else 1 - missed), name
    return None


def _threshold(question):
    release = question["release"]
    phase = release["phases"][0]
    if len(release["phases"]) > 1 or phase["sampling"] not in ("none", "deterministic"):
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


def type_two_error_by_duality(mu, one):
    """The trade-off function as the supremum over epsilon of 1 - delta(eps) - e^eps alpha and its mirror."""
    def line(epsilon):
        return 1 - gaussian_delta(mu, epsilon) - mpmath.exp(epsilon) * one

    def mirrored(epsilon):
        return mpmath.exp(-epsilon) * (1 - gaussian_delta(mu, epsilon) - one)

    best = mpf(0)
    for curve in (line, mirrored):
        low, high = mpf(0), 40 * (mu + 1)
        for _ in range(160):  # concave in e^eps, hence with one maximum
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if curve(a) < curve(b) else (low, b)
        best = max(best, curve(low))
    return best


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
