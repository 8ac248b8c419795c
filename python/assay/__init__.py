"""Certified differential privacy: every answer is a lower and an upper bound, rounding included.

>>> import assay
>>> run = assay.Release("add-remove").poisson(
...     noise_multiplier=1.1, sampling_probability=0.004, steps=10_000)
>>> run.epsilon(delta=1e-6)
Bracket(lower=2.0949069, upper=2.0950963)

`assay.ledger`, `assay.samplers`, `assay.ldp`, `assay.opacus` and `assay.dp_accounting` are loaded
when they are first used. docs/python.md has recipes.
"""

from __future__ import annotations

from ._answers import Bracket, BracketArray, Calibration, RdpCurve, Sides
from ._compare import ComparedSampler, Comparison, compare
from ._core import DomainError, InternalError, UnsupportedMechanism
from ._core import version as __version__
from ._release import Phase, Release, delta, epsilon, rdp
from ._searches import LargestAllowed, Unknown, calibrate
from ._trade_off import GaussianMu, TradeOff

__all__ = [
    "Bracket",
    "BracketArray",
    "Calibration",
    "ComparedSampler",
    "Comparison",
    "DomainError",
    "GaussianMu",
    "InternalError",
    "LargestAllowed",
    "Phase",
    "RdpCurve",
    "Release",
    "Sides",
    "TradeOff",
    "Unknown",
    "UnsupportedMechanism",
    "__version__",
    "calibrate",
    "compare",
    "delta",
    "epsilon",
    "rdp",
]

_SUBMODULES = ("dp_accounting", "ldp", "ledger", "opacus", "samplers")


def __getattr__(name: str) -> object:
    if name in _SUBMODULES:
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_SUBMODULES]
