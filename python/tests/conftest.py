"""What the tests share."""

from __future__ import annotations

import csv
import pathlib
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CERTIFIED = ROOT / "results" / "reference" / "certified"


@pytest.fixture
def root() -> pathlib.Path:
    return ROOT


def certified(table: str) -> Iterator[dict[str, str]]:
    """The lines of one table of certified values."""
    with open(CERTIFIED / f"{table}.csv", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
