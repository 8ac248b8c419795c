"""Where a value stands on an axis, by hand: values that span decades on a logarithmic scale, orders by
alpha - 1, probabilities near 0 and near 1 both spread out; zero and infinity have places of their own."""
import math

import numpy as np
from matplotlib.ticker import MaxNLocator

LABELS = {
    "alpha": "order α",
    "sigma": "noise multiplier σ",
    "s": "noise multiplier s",
    "q": "sampling probability q",
    "m": "Taylor terms m",
    "B": "batch size |B|",
    "D": "data set size |D|",
    "K": "cut-off K",
    "k": "k",
    "j": "moment j",
    "T": "steps T",
    "rdp": "Rényi divergence",
    "delta": "δ",
    "eps": "ε",
    "x": "shift x",
    "y": "shift y",
}
DECADES = 30.0  # a ratio above this one calls for a logarithmic axis
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(exponent):
    """10⁻³ as text: mathtext would take most of the drawing time."""
    return "1" if exponent == 0 else "10" + str(exponent).translate(SUPERSCRIPT)


def few_decades(low, high, count=5):
    """Exponents within [low, high], at most about `count`, at a stride that keeps 0 among them."""
    stride = max(1, math.ceil((math.floor(high) - math.ceil(low) + 1) / count))
    return [e for e in range(math.ceil(low), math.floor(high) + 1) if e % stride == 0]


class Scale:
    """positions(values) on the axis, `ticks` as (position, text), limits, and a label."""

    def __init__(self, label, transform, ticks, low, high, has_zero=False, has_infinity=False):
        margin = 0.04 * (high - low) or 0.5
        step = 2.5 * margin
        self.label = label
        self._transform = transform
        self._zero, self._infinity = low - step, high + step
        self.ticks = [tick for tick in ticks if low - margin <= tick[0] <= high + margin]
        if has_zero:
            self.ticks.insert(0, (self._zero, "0"))
        if has_infinity:
            self.ticks.append((self._infinity, "∞"))
        self.limits = ((self._zero if has_zero else low) - margin,
                       (self._infinity if has_infinity else high) + margin)

    def positions(self, values):
        values = np.asarray(values, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            placed = self._transform(values)
        placed = np.where(np.isneginf(placed), self._zero, placed)
        return np.where(np.isposinf(placed), self._infinity, placed)

    def apply(self, axis, set_limits):
        """Puts ticks and limits on matplotlib's axis."""
        axis.set_ticks([position for position, _ in self.ticks], [text for _, text in self.ticks])
        set_limits(*self.limits)


def linear(label, values):
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    locator = MaxNLocator(4).tick_values(low, high) if high > low else [low]
    return Scale(label, lambda v: v, [(t, f"{t:.6g}") for t in locator], low, high,
                 has_infinity=bool(np.isposinf(values).any()))


def logarithmic(label, values):
    """Values >= 0; zero stands left of all others."""
    positive = values[(values > 0) & np.isfinite(values)]
    low, high = (np.log10(positive.min()), np.log10(positive.max())) if positive.size else (0.0, 0.0)
    ticks = [(float(e), power_of_ten(e)) for e in few_decades(low, high)]
    if high - low < 2.5:
        ticks = [(math.log10(d * 10.0**e), f"{d * 10.0**e:g}")
                 for e in range(math.floor(low), math.ceil(high) + 1) for d in (1, 2, 5)]
        if len([t for t in ticks if low <= t[0] <= high]) > 5:
            ticks = ticks[::3]
    return Scale(label, np.log10, ticks, low, high, bool((values == 0).any()),
                 bool(np.isposinf(values).any()))


def log_odds(label, values):
    """Probabilities by log10(q / (1 - q)); exactly 0 and 1 stand beside all others."""
    inside = values[(values > 0) & (values < 1)]
    low, high = np.log10(inside / (1 - inside)).min(), np.log10(inside / (1 - inside)).max()
    candidates = [(float(-k), power_of_ten(-k)) for k in range(300, 0, -1)] + [(0.0, "½")]
    candidates += [(float(k), "1−" + power_of_ten(-k)) for k in range(1, 17)]
    kept = [tick for tick in candidates if low - 0.5 <= tick[0] <= high + 0.5]
    stride = max(1, math.ceil((high - low) / 5))
    kept = [tick for tick in kept if round(tick[0]) % stride == 0]
    return Scale(label, lambda v: np.log10(v / (1 - v)), kept, low, high, bool((values == 0).any()),
                 bool((values == 1).any()))


def of_coordinate(name, values):
    """The scale for a coordinate of that name which takes these values."""
    label = LABELS.get(name, name)
    values = np.asarray(values, float)
    if name == "alpha" and (values >= 1).all():
        inner = of_coordinate("", values - 1)
        return Shifted(inner, label + " − 1")
    positive = values[(values > 0) & np.isfinite(values)]
    if name == "q" and ((values >= 0) & (values <= 1)).all() and (values > 0.9).any() and \
            ((values > 0) & (values < 0.1)).any():
        return log_odds(label, values)
    if (values >= 0).all() and positive.size and positive.max() > DECADES * positive.min():
        return logarithmic(label, values)
    return linear(label, values)


class Shifted:
    """A scale of value - 1."""

    def __init__(self, inner, label):
        self._inner, self.label = inner, label
        self.limits, self.ticks, self.apply = inner.limits, inner.ticks, inner.apply

    def positions(self, values):
        return self._inner.positions(np.asarray(values, float) - 1)


def of_margins(values):
    """Sizes of margins, always logarithmic."""
    return logarithmic("margin", np.abs(values[~np.isnan(values)]))
