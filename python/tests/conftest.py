"""What the tests share."""

from __future__ import annotations

import csv
import math
import os
import pathlib
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

ROOT = pathlib.Path(__file__).resolve().parents[2]
CERTIFIED = ROOT / "results" / "reference" / "certified"

# A busy machine is no failure; the library's own limit is 200 ms an example.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("untimed")


@pytest.fixture
def root() -> pathlib.Path:
    return ROOT


@pytest.fixture
def program(root: pathlib.Path) -> pathlib.Path:
    found = pathlib.Path(os.environ.get("ASSAY_PROGRAM", root / "build" / "release" / "assay"))
    if not found.exists():
        pytest.skip(f"{found} is not built (make build)")
    return found


def cdf(x: float) -> float:
    """Of the normal distribution, by the error function of the C library."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def certified(table: str) -> Iterator[dict[str, str]]:
    """The lines of one table of certified values."""
    with open(CERTIFIED / f"{table}.csv", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
