"""Answers of the package against results/reference/certified, which the library did not compute."""

from __future__ import annotations

from decimal import Decimal

import pytest
from conftest import certified

import assay

# The tables take c, the package its reciprocal: one rounding more.
ROUNDING = Decimal("1e-12")


def contains(
    lower: float, upper: float, row: dict[str, str], gap: str, absolute: str = "1e-290"
) -> None:
    least, most = Decimal(row["lower"]), Decimal(row["upper"])
    assert Decimal(lower) <= most * (1 + ROUNDING), row
    assert Decimal(upper) >= least * (1 - ROUNDING), row
    # Not only right: close.
    allowed = Decimal(gap) * most + Decimal(absolute)
    assert Decimal(upper) - Decimal(lower) <= allowed, row


RENYI = [
    ("poisson_add_remove", "add-remove", "poisson", "s"),
    ("poisson_replace_one", "replace-one", "poisson", "sigma"),
    ("fixed_size_without_replacement", "add-remove", "fixed_size", "sigma"),
]


@pytest.mark.parametrize(("table", "adjacency", "sampler", "noise"), RENYI)
def test_renyi_divergences_of_one_step(
    table: str, adjacency: str, sampler: str, noise: str
) -> None:
    """The larger of both directions lies in the bracket."""
    worst: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in certified(table):
        key = (row[noise], row["q"], row["alpha"])
        if key not in worst or Decimal(row["upper"]) > Decimal(worst[key]["upper"]):
            worst[key] = row
    checked = 0
    for (sigma, q, alpha), row in worst.items():
        if float(q) >= 1.0:
            continue
        start = assay.Release(adjacency)
        run = getattr(start, sampler)(
            noise_multiplier=float(sigma), sampling_probability=float(q), steps=1
        )
        curve = run.rdp([float(alpha)])
        contains(float(curve.lower[0]), float(curve.upper[0]), row, "1e-9")
        checked += 1
    assert checked > 400


def test_renyi_divergences_with_replacement() -> None:
    worst: dict[tuple[str, str, str, str], dict[str, str]] = {}
    for row in certified("fixed_size_with_replacement"):
        key = (row["sigma"], row["B"], row["D"], row["alpha"])
        if key not in worst or Decimal(row["upper"]) > Decimal(worst[key]["upper"]):
            worst[key] = row
    for (sigma, batch, dataset, alpha), row in list(worst.items())[::3]:
        run = assay.Release("add-remove").fixed_size_with_replacement(
            noise_multiplier=float(sigma),
            batch_size=int(batch),
            dataset_size=int(dataset),
            steps=1,
        )
        curve = run.rdp([float(alpha)])
        assert Decimal(float(curve.upper[0])) >= Decimal(row["lower"]) * (1 - ROUNDING), row
        assert Decimal(float(curve.lower[0])) <= Decimal(row["upper"]) * (1 + ROUNDING), row


def test_hockey_stick_divergences() -> None:
    one_step: dict[tuple[str, str, str], dict[str, str]] = {}
    checked = 0
    for row in certified("hockey_stick"):
        if row["quantity"].startswith("one_step.delta"):
            key = (row["c"], row["q"], row["eps"])
            if key not in one_step or Decimal(row["upper"]) > Decimal(one_step[key]["upper"]):
                one_step[key] = row
        elif row["quantity"].startswith("gaussian.") and Decimal(row["upper"]) < 500:
            c = float(row["c"])
            run = assay.Release("add-remove").gaussian(noise_multiplier=1 / c, steps=int(row["T"]))
            if row["quantity"] == "gaussian.delta":
                found = run.delta(float(row["eps"]))
            else:
                found = run.epsilon(float(row["delta"]))
            if 1 / (1 / c) == c and 1e-290 < float(row["upper"]):
                contains(found.lower, found.upper, row, "1e-6", "1e-13")
                checked += 1
    for (c, q, epsilon), row in one_step.items():
        if float(q) >= 1.0 or float(row["upper"]) < 1e-290:
            continue
        run = assay.Release("add-remove").poisson(
            noise_multiplier=1 / float(c), sampling_probability=float(q), steps=1
        )
        found = run.delta(float(epsilon))
        if 1 / (1 / float(c)) == float(c):
            contains(found.lower, found.upper, row, "1e-6", "1e-13")
            checked += 1
    assert checked > 80
