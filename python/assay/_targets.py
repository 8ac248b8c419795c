"""What a release has to satisfy."""

from __future__ import annotations

from typing import NamedTuple, Optional

from . import _arguments as arguments


class Target(NamedTuple):
    """A limit of a quantity ("delta", "true_positive_rate", "gaussian_mu", "advantage"), and what
    the quantity is at: epsilon, the false positive rate, the smallest error, nothing."""

    quantity: str
    limit: float
    at: float

    def text(self) -> str:
        if self.quantity == "delta":
            return f"({self.at:g}, {self.limit:g})"
        if self.quantity == "true_positive_rate":
            return f"TPR {self.limit:g} at FPR {self.at:g}"
        if self.quantity == "gaussian_mu":
            return f"mu {self.limit:g}" + (f", errors from {self.at:g}" if self.at > 0.0 else "")
        return f"advantage {self.limit:g}"


def target_of(
    *,
    epsilon: Optional[float],
    delta: Optional[float],
    false_positive_rate: Optional[float],
    true_positive_rate: Optional[float],
    mu: Optional[float],
    smallest_error: Optional[float],
    advantage: Optional[float],
) -> Target:
    """The one target that is given; ValueError where there is none, half of one, or two."""
    pairs = {
        ("epsilon", "delta"): (epsilon, delta),
        ("false_positive_rate", "true_positive_rate"): (false_positive_rate, true_positive_rate),
        ("mu",): (mu,),
        ("advantage",): (advantage,),
    }
    given = {
        names: values
        for names, values in pairs.items()
        if any(value is not None for value in values)
    }
    if len(given) != 1:
        raise ValueError(
            "one target: epsilon and delta, false_positive_rate and true_positive_rate, mu, "
            "or advantage"
        )
    if smallest_error is not None and mu is None:
        raise ValueError("smallest_error is given with mu alone")
    ((names, values),) = given.items()
    for name, value in zip(names, values):
        if value is None:
            raise ValueError(f"{name} is missing: {' and '.join(names)} are one target")
    numbers = [arguments.number(name, value) for name, value in zip(names, values)]
    if names == ("mu",):
        error = arguments.number("smallest_error", smallest_error or 0.0)
        return Target("gaussian_mu", numbers[0], error)
    if names == ("advantage",):
        return Target("advantage", numbers[0], 0.0)
    quantity = "delta" if names[0] == "epsilon" else "true_positive_rate"
    return Target(quantity, numbers[1], numbers[0])
