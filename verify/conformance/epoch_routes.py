"""Second routes for epochs of batches: each record in k of the T batches of an epoch, zero-out.

Above: the batches are told, which leaves a Gaussian of distance sqrt(k E) / sigma over E epochs. Below: two attacks, by
the sum of all batches, a Gaussian of distance k sqrt(E / T) / sigma, and by the largest batch of one epoch. For two
and three batches and one epoch the truth itself, by quadrature: given the others the likelihood ratio is affine in the
ratio of one batch, whose part is a closed form.
"""
import math

import mpmath
import numpy
from mpmath import mpf

import closed_forms
from grid_route import tail

EPOCHS = ("balls-and-bins", "shuffle", "deterministic", "random-allocation")
QUADRATURE_ROOM = 1e-6


def shape(phase):
    """T, k, E, sigma of a phase."""
    return (phase["batches_per_epoch"], phase.get("allocations", 1), phase.get("epochs", 1),
            mpf(float(phase["noise_multiplier"])))


def _gaussian(question, mu):
    """The answer of a Gaussian release of this distance."""
    phase = {"sampling": "none", "noise_multiplier": str(mpmath.nstr(1 / mu, 40)), "steps": 1}
    return closed_forms.answer({**question, "release": {"adjacency": "zero-out", "phases": [phase]}})[0]


def _largest(question, phase):
    """What the event that the largest batch of one epoch is above a place proves."""
    batches, times, _, sigma = shape(phase)
    best = mpf(0)
    for step in range(-8, 161):
        place = mpf(step) / 20 * sigma
        beyond = closed_forms.cdf(-place / sigma)
        seen = -mpmath.expm1(batches * mpmath.log1p(-beyond))
        hit = -mpmath.expm1((batches - times) * mpmath.log1p(-beyond)
                            + times * mpmath.log1p(-closed_forms.cdf((1 - place) / sigma)))
        if question["ask"] == "epsilon":
            over = hit - mpf(float(question["delta"]))
            best = max(best, mpmath.log(over / seen) if over > seen else mpf(0))
        else:
            best = max(best, hit - mpmath.exp(mpf(float(question.get("epsilon", 0)))) * seen)
    return best


def attacked_and_told(question):
    """Lower and upper end for phases of epochs, or None for what has no such route."""
    phases = question["release"]["phases"]
    if any(phase["sampling"] not in EPOCHS for phase in phases) or question.get("group", 1) != 1:
        return None
    told = attack = mpf(0)
    for phase in phases:
        batches, times, epochs, sigma = shape(phase)
        told += times * epochs / sigma ** 2
        fixed = phase["sampling"] == "deterministic"
        attack += epochs / sigma ** 2 * (1 if fixed else mpf(times) ** 2 / batches)
    ends = [_gaussian(question, mpmath.sqrt(mu)) for mu in (attack, told)]
    if question["ask"] == "type_two_error":
        return ends[1], ends[0]
    if question["ask"] in ("epsilon", "delta", "advantage") and len(phases) == 1:
        if phases[0]["sampling"] != "deterministic":
            ends[0] = max(ends[0], _largest(question, phases[0]))
    return tuple(ends)


def _density(z):
    return numpy.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _delta_by_quadrature(batches, times, sigma, epsilon, points=None):
    """The larger direction. By symmetry the last ratio X is taken as the largest, which keeps the integrand smooth."""
    z = numpy.linspace(-9.5, 9.5, points or (20001 if batches == 2 else 1001))
    weight = _density(z) * (z[1] - z[0])
    ratio = numpy.exp(z / sigma - 0.5 / sigma ** 2)
    if batches == 2:
        both, largest, fixed, slope = 2 * weight, z, ratio / 2, numpy.full(z.shape, 0.5)
    else:  # the smallest from below up to the middle one, by Gauss and Legendre: six orders
        nodes, shares = numpy.polynomial.legendre.leggauss(64)
        half = (z[:, None] + 9.5) / 2
        smallest = -9.5 + half * (nodes + 1)
        both = 6 * weight[:, None] * half * shares * _density(smallest)
        largest = numpy.broadcast_to(z[:, None], both.shape)
        one, other = numpy.exp(smallest / sigma - 0.5 / sigma ** 2), ratio[:, None]
        slope = (numpy.ones(both.shape) if times == 1 else one + other) / 3
        fixed = (one + other if times == 1 else one * other) / 3
    values = []
    # E(fixed + slope X - limit)^+ and exp(epsilon) E(limit - fixed - slope X)^+ with limit exp(-epsilon), X lognormal.
    for sign, limit in ((1, math.exp(epsilon)), (-1, math.exp(-epsilon))):
        room = limit - fixed
        place = numpy.where(room > 0, sigma * numpy.log(numpy.maximum(room, 1e-300) / slope) + 0.5 / sigma, -60.0)
        from_z = numpy.maximum(place, largest) if sign == 1 else largest
        mass, shifted = tail(from_z), tail(from_z - 1 / sigma)
        if sign == -1:
            to_z = numpy.maximum(place, largest)
            mass, shifted = mass - tail(to_z), shifted - tail(to_z - 1 / sigma)
        part = sign * (slope * shifted - room * mass)
        values.append(float(numpy.sum(both * part)) * (1.0 if sign == 1 else math.exp(epsilon)))
    return max(values)


def _solved(delta, goal):
    """The epsilon at which a decreasing, log-concave delta is the goal: by secants."""
    if delta(0.0) <= goal:
        return 0.0
    epsilon = 0.5
    excess = math.log(delta(epsilon) / goal)
    other, before = 0.0, math.log(delta(0.0) / goal)
    for _ in range(60):
        slope = (excess - before) / (epsilon - other)
        step = -excess / slope
        other, before = epsilon, excess
        epsilon = max(0.0, epsilon + max(-2.0, min(2.0, step)))
        if abs(epsilon - other) < 1e-10 * max(1.0, epsilon):
            return epsilon
        excess = math.log(delta(epsilon) / goal)
    raise ArithmeticError("the search for epsilon does not end")


def exact(question):
    """Ends by quadrature for two or three batches and one epoch, or None."""
    phases = question["release"]["phases"]
    if len(phases) != 1 or phases[0]["sampling"] not in ("random-allocation", "balls-and-bins"):
        return None
    batches, times, epochs, sigma = shape(phases[0])
    if epochs != 1 or batches > 3 or times == batches or question["ask"] not in ("epsilon", "delta", "advantage"):
        return None

    def delta(epsilon):
        return _delta_by_quadrature(batches, times, float(sigma), epsilon)

    if question["ask"] != "epsilon":
        value = delta(float(question.get("epsilon", 0)))
    else:
        value = _solved(delta, float(question["delta"]))
    return value * (1 - QUADRATURE_ROOM), value * (1 + QUADRATURE_ROOM)
