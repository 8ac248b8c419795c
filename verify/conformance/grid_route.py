"""Composed steps on a grid of losses: a second route of the test vectors, for many steps.

A pair is two mixtures of normal distributions of variance 1, each a list of (weight, mean), whose likelihood ratio
increases along the line; a step is a list of (probability, pair) of which it is told which one happens. The pairs are
those of docs/proofs.md (A.3, E, T.11); nothing else is shared with the library: cells of the noise, whose losses are
rounded up for the upper side and down for the lower one, composed by a transform of doubles. ROOM is added to or taken
off every probability for the errors of the transform and for noise beyond REACH standard deviations.
"""
import math
import statistics

import numpy

ROOM = 1e-10
REACH = 12.0
CELLS = 400_000
LENGTH = 1 << 21
_erfc = numpy.vectorize(math.erfc, otypes=[float])


def tail(x):
    """1 - Phi(x) of an array."""
    return 0.5 * _erfc(x / math.sqrt(2))


def _cell_masses(mixture, x):
    """By the rule of Gauss with two places: of cells of 1e-4 its error is below that of the doubles."""
    width = x[1] - x[0]
    middle = (x[:-1] + x[1:]) / 2
    total = numpy.zeros(len(middle))
    for weight, mean in mixture:
        for place in (-0.5, 0.5):
            z = middle + place * width / math.sqrt(3) - mean
            total += weight * numpy.exp(-z * z / 2)
    return total * width / (2 * math.sqrt(2 * math.pi))


def _log_density(mixture, x):
    terms = [math.log(weight) + mean * x - mean * mean / 2 for weight, mean in mixture if weight > 0]
    return numpy.logaddexp.reduce(terms)


def _cells(step):
    """For both directions: masses, and the lowest and the highest loss of each cell."""
    directions = ([], [])
    for probability, (first, second) in step:
        means = [mean for _, mean in first + second]
        x = numpy.linspace(min(means) - REACH, max(means) + REACH, CELLS + 1)
        loss = _log_density(first, x) - _log_density(second, x)
        directions[0].append((probability * _cell_masses(first, x), loss[:-1], loss[1:]))
        directions[1].append((probability * _cell_masses(second, x), -loss[1:], -loss[:-1]))
    return [tuple(numpy.concatenate(part) for part in zip(*one)) for one in directions]


def _composed(masses, losses, steps, width, upper):
    """Masses of the sum of so many rounded losses at the indices from -LENGTH/2, and the mass at infinity."""
    places = (numpy.ceil if upper else numpy.floor)(losses / width)
    limit = LENGTH // 4
    beyond = float(numpy.sum(masses[places > limit])) if upper else 0.0
    keep = places <= limit if upper else places >= -limit  # below, what is too low is left out
    places = numpy.clip(places[keep], -limit, limit).astype(numpy.int64)
    one = numpy.bincount(places % LENGTH, weights=masses[keep], minlength=LENGTH)
    total = numpy.fft.fftshift(numpy.fft.irfft(numpy.fft.rfft(one) ** steps, LENGTH))
    edge = LENGTH // 50
    if numpy.sum(numpy.abs(total[:edge])) + numpy.sum(numpy.abs(total[-edge:])) > ROOM:
        raise ValueError("the composed losses are wider than the grid")
    return numpy.maximum(total, 0.0), -math.expm1(steps * math.log1p(-beyond))


class Side:
    """One direction of composed steps, rounded up or down: delta and the power of tests."""

    def __init__(self, cells, steps, width, upper):
        masses, low, high = cells
        self.upper = upper
        self.losses = width * (numpy.arange(LENGTH) - LENGTH // 2)
        self.p, self.beyond = _composed(masses, high if upper else low, steps, width, upper)
        keep = self.p > 1e-30
        self.losses, self.p = self.losses[keep][::-1], self.p[keep][::-1]
        self.power = self.beyond + numpy.cumsum(self.p)
        self.level = numpy.cumsum(self.p * numpy.exp(-self.losses))

    def delta(self, epsilon):
        over = self.losses > epsilon
        value = self.beyond + float(numpy.sum(self.p[over] * -numpy.expm1(epsilon - self.losses[over])))
        return min(value + ROOM, 1.0) if self.upper else max(value - ROOM, 0.0)

    def true_positive_rate(self, level):
        if self.upper:
            value = numpy.interp(level + ROOM, self.level, self.power)  # below the first level its power
            return min(float(value) + ROOM, 1.0)
        before = numpy.searchsorted(self.level, level - ROOM, side="right")  # whole atoms alone
        return max(level, float(self.power[before - 1]) - ROOM if before else 0.0)


class Composition:
    """Both sides and both directions of so many equal steps, whose pairs stand above and below the truth."""

    def __init__(self, upper_step, lower_step, steps):
        self.sides = {True: [], False: []}
        for upper, step in ((True, upper_step), (False, lower_step)):
            for cells in _cells(step):
                self.sides[upper].append(Side(cells, steps, self._width(cells, steps), upper))

    @staticmethod
    def _width(cells, steps):
        masses, low, _ = cells
        mean = float(numpy.sum(masses * low))
        spread = math.sqrt(max(0.0, float(numpy.sum(masses * low * low)) - mean * mean))
        single = float(numpy.max(numpy.abs(low[masses > 1e-13 / steps])))
        reach = abs(mean) * steps + 9 * spread * math.sqrt(steps) + 1.5 * single
        return 2.2 * reach / LENGTH

    def _worst(self, upper, name, argument):
        return max(getattr(side, name)(argument) for side in self.sides[upper])

    def delta(self, epsilon):
        return tuple(self._worst(upper, "delta", epsilon) for upper in (False, True))

    def true_positive_rate(self, level):
        return tuple(self._worst(upper, "true_positive_rate", level) for upper in (False, True))

    def epsilon(self, goal):
        ends = []
        for upper in (False, True):
            low, high = 0.0, 1.0
            while self._worst(upper, "delta", high) > goal:
                low, high = high, 2 * high
                if high > 1e4:
                    return (ends[0], math.inf) if upper else (0.0, math.inf)
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if self._worst(upper, "delta", middle) > goal else (low, middle)
            ends.append(high if upper else low)
        return tuple(0.0 if end < 1e-15 else end for end in ends)

    def gaussian_mu(self, smallest):
        """Supremum of the difference of normal quantiles over levels at which both errors are at least `smallest`."""
        quantile = statistics.NormalDist().inv_cdf
        half = numpy.geomspace(smallest, 0.5, 1200)
        levels = numpy.concatenate([half, 1 - half[-2::-1]])
        best = [0.0, 0.0]
        for left, right in zip(levels, levels[1:]):
            low, above = self.true_positive_rate(left)
            _, high = self.true_positive_rate(right)
            if 1 - above >= smallest and 0 < low < 1:
                best[0] = max(best[0], quantile(low) - quantile(left))
            if 1 - low >= smallest:
                best[1] = max(best[1], quantile(min(high, 1 - smallest)) - quantile(left))
        return tuple(best)
