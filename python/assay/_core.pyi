"""The extension module: conversions only. Its users are the modules of this package."""

from collections.abc import Iterable, Sequence
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

version: str

class DomainError(ValueError):
    parameter: str
    value: str
    admissible: str

class UnsupportedMechanism(NotImplementedError): ...
class InternalError(RuntimeError): ...

_PhaseFields = tuple[
    str,
    Optional[float],
    Optional[float],
    Optional[int],
    Optional[int],
    Optional[int],
    Optional[int],
    Optional[int],
    int,
]
_Sides = tuple[str, str]
_Answer = tuple[float, float, _Sides, _Sides, _Sides, float, str, str]

class Release:
    def __init__(self, adjacency: str, phases: Iterable[_PhaseFields]) -> None: ...
    def describe(self) -> str: ...
    def assumptions(self) -> list[str]: ...

class EpochCache:
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
    cache: Optional[EpochCache],
) -> list[_Answer]: ...

class TradeOff:
    def __init__(
        self,
        release: Release,
        effort: str,
        relative_gap: Optional[float],
        standing: str,
        group: int,
    ) -> None: ...
    def rates(
        self, quantity: str, levels: Sequence[float], direction: str, prior: float
    ) -> list[_Answer]: ...
    def risks(self, quantity: str, numbers: Sequence[float]) -> list[_Answer]: ...
    def singling_out(self, weights: Sequence[float], records: int) -> list[_Answer]: ...
    def mu_and_regret(self, smallest_error: float) -> tuple[_Answer, _Answer]: ...
    def gap(self) -> float: ...
    def is_symmetric(self) -> bool: ...
    def note(self) -> str: ...

def risks(
    asked: str,
    releases: Sequence[Release],
    at: Sequence[float],
    effort: str,
    relative_gap: Optional[float],
    standing: str,
    group: int,
    threads: int,
) -> list[_Answer]: ...

_Target = tuple[str, float, float]
_Noise = tuple[float, float, _Answer]

def calibrate(
    release: Release,
    target: _Target,
    effort: str,
    precision: Optional[float],
    standing: str,
) -> _Noise: ...
def largest(
    release: Release,
    unknown: str,
    phase: int,
    dataset_size: int,
    epochs: float,
    target: _Target,
    effort: str,
    precision: Optional[float],
    standing: str,
) -> tuple[float, float, float, _Answer, bool, str]: ...
def steps_of_epochs(epochs: float, dataset_size: int, batch_size: int) -> int: ...
def compare(
    dataset_size: int,
    batch_size: int,
    epochs: int,
    adjacency: str,
    target: Optional[_Target],
    noise_multiplier: float,
    delta: float,
    effort: str,
    precision: float,
    standing: str,
) -> list[tuple[str, _PhaseFields, bool, Optional[_Noise], Optional[_Answer], str]]: ...
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

_Losses = tuple[int, list[float], float]

def dominating_losses(
    release: Release, step: float, negligible: float
) -> tuple[float, _Losses, _Losses, str]: ...

# Where the build has Random123:

class BatchSampler:
    def __init__(self, scheme: str, dataset_size: int, batch_size: int, seed: int) -> None: ...
    def draw(self, step: int) -> NDArray[np.int64]: ...
    def phase(self) -> _PhaseFields: ...
    def batches_per_epoch(self) -> int: ...

class RestrictedResponse:
    def __init__(
        self, categories: int, epsilon: float, budget_share: float, variant: str
    ) -> None: ...

_Audit = tuple[float, float, int, int, int, int]

def ldp_sizes(mechanism: RestrictedResponse) -> tuple[int, int]: ...
def ldp_audit(mechanism: RestrictedResponse, subset_size: Optional[int]) -> _Audit: ...
def ldp_audit_matrix(matrix: ArrayLike) -> _Audit: ...
def ldp_response_distribution(
    mechanism: RestrictedResponse, subset_size: int
) -> tuple[float, float, float, float, float]: ...
def ldp_respond(
    mechanism: RestrictedResponse, subset: Sequence[int], truth: int, seed: int, block: int
) -> int: ...

class AdaptiveEstimator:
    def __init__(
        self,
        mechanism: RestrictedResponse,
        rule: str,
        sampler: str,
        updates: Optional[int],
        planned_responses: Optional[int],
        prior: Sequence[float],
        seed: int,
    ) -> None: ...
    def subset(self) -> list[int]: ...
    def mechanism(self) -> RestrictedResponse: ...
    def categories(self) -> int: ...
    def feed(self, response: int) -> None: ...
    def feed_to(self, subset: Sequence[int], response: int) -> None: ...
    def estimate(
        self, updates: int, discarded: int, level: float
    ) -> tuple[list[float], list[float], list[float]]: ...
    def responses(self) -> int: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def restore(path: str) -> AdaptiveEstimator: ...
