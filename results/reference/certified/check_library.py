#!/usr/bin/env python3
"""Example: tests a function for Poisson-sampled Rényi DP against the certified values of this folder."""
import csv
import math
import pathlib
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = Decimal("1e-9")  # relative: what a user of the library would not notice


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def rows(path):
    """The lines of one table, their hashes checked."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines[1:], 2):
        content, _, found = line.rpartition(",")
        if fnv1a(content.encode()) != found:
            raise SystemExit(f"{path.name}:{number}: the hash does not fit, the line is damaged")
    return list(csv.DictReader(lines))


def library(order, noise, probability):
    """The function under test (put another library's here): the binomial sum at integer orders."""
    terms = [math.lgamma(order + 1) - math.lgamma(k + 1) - math.lgamma(order - k + 1)
             + k * math.log(probability) + (order - k) * math.log1p(-probability)
             + k * (k - 1) / (2 * noise**2) for k in range(int(order) + 1)]
    most = max(terms)
    return (most + math.log(sum(math.exp(term - most) for term in terms))) / (order - 1)


tables = {path.name: rows(path) for path in sorted(HERE.glob("*.csv"))}
print(f"{sum(map(len, tables.values()))} lines in {len(tables)} tables, every hash fits")
tried = below = above = 0
for row in tables["poisson_add_remove.csv"]:
    order, noise, probability = (float(row[name]) for name in ("alpha", "s", "q"))
    if row["quantity"] != "exact.poisson_add_remove" or order % 1 or not probability:
        continue
    tried += 1
    value = Decimal(library(order, noise, probability))
    lower, upper = Decimal(row["lower"]), Decimal(row["upper"])
    above += value > upper * (1 + TOLERANCE)
    if value < lower * (1 - TOLERANCE):  # less than the truth: a privacy claim that does not hold
        below += 1
        print(f"below the truth: {value:.6e}, not {upper:.6e}, at alpha={order:g} s={noise:g} q={probability:g}")
print(f"{tried} values: {below} below the truth, {above} above it, by more than {TOLERANCE} of it")
