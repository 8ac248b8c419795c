"""The extension module: conversions only. Its users are the modules of this package."""

from collections.abc import Iterable, Sequence
from typing import Optional

version: str

class DomainError(ValueError):
    parameter: str
    value: str
    admissible: str

class UnsupportedMechanism(NotImplementedError): ...
class InternalError(RuntimeError): ...

_PhaseFields = tuple[
    str, Optional[float], Optional[float], Optional[int], Optional[int], Optional[int], int
]
_Sides = tuple[str, str]
_Answer = tuple[float, float, _Sides, _Sides, _Sides, float, str, str]

class Release:
    def __init__(self, adjacency: str, phases: Iterable[_PhaseFields]) -> None: ...
    def describe(self) -> str: ...
    def assumptions(self) -> list[str]: ...

class KeptLaws:
    def __init__(self) -> None: ...

def answers(
    wants_delta: bool,
    releases: Sequence[Release],
    at: Sequence[float],
    effort: str,
    relative_gap: Optional[float],
    standing: str,
    accountant: Optional[str],
    threads: int,
    kept: Optional[KeptLaws],
) -> list[_Answer]: ...
def calibrate(
    release: Release,
    epsilon: float,
    delta: float,
    precision: Optional[float],
    effort: str,
    standing: str,
) -> tuple[float, float, _Answer]: ...
def rdp(
    release: Release, orders: Sequence[float], standing: str
) -> tuple[list[float], list[float], list[float], list[str], list[str]]: ...
def opacus_orders() -> list[float]: ...
def text_not_below(x: float, digits: int) -> str: ...
def text_not_above(x: float, digits: int) -> str: ...

class PrivacyFilter:
    def __init__(
        self, adjacency: str, epsilon: float, delta: float, orders: Sequence[float]
    ) -> None: ...
    def admit(self, release: Release) -> bool: ...
    def admits(self, release: Release) -> bool: ...
    def spent_epsilon(self) -> float: ...
    def theorem(self) -> tuple[str, str]: ...

def filter_orders(plan: Release, delta: float) -> list[float]: ...
