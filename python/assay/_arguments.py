"""Arguments as Python gives them: numbers of any kind, and a refusal that names what is none."""

from __future__ import annotations

import math
from typing import Any, Optional

LARGEST_INTEGER = 2**53
MOST_THREADS = 4096


def number(name: str, value: Any, *, texts: bool = False) -> float:
    """Any real number, also of numpy, `fractions` or `decimal`; a decimal text where JSON gives it.

    Raises:
        TypeError: no number; ValueError: too large for a double, or of JSON no finite number.
    """
    kind: type[Exception] = ValueError if texts else TypeError
    is_text = isinstance(value, str)
    if is_text and (not texts or not value or not set(value) <= set("0123456789+-.eE")):
        raise kind(f"{name} = {_short(value)} is not a number")
    is_numeric = getattr(getattr(value, "dtype", None), "kind", "f") in "iufO"
    if not is_numeric or isinstance(value, (bool, bytes, bytearray, complex)):
        raise kind(f"{name} = {_short(value)} is not a number")
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise kind(f"{name} = {_short(value)} is not a number") from None
    except OverflowError:
        found = math.inf
        if not texts:
            raise ValueError(f"{name} = {_short(value)} is too large") from None
    mantissa = value.lower().partition("e")[0] if is_text else ""
    if found == 0.0 and (mantissa.strip("+-.0") if is_text else value != 0):
        raise ValueError(f"{name} = {_short(value)} is not 0, and below the least double")
    if texts and not math.isfinite(found):
        raise ValueError(f"{name} = {_short(value)} is not finite")
    return found


def optional_number(name: str, value: Any) -> Optional[float]:
    return None if value is None else number(name, value)


def integer(name: str, value: Any, *, texts: bool = False) -> int:
    """An integer, also one that is written as a float (1e4)."""
    if type(value) is int and abs(value) <= LARGEST_INTEGER:
        return value
    found = number(name, value, texts=texts)
    if not math.isfinite(found) or found != int(found) or abs(found) > LARGEST_INTEGER:
        raise ValueError(f"{name} = {_short(value)} is not an integer of at most 2^53")
    return int(found)


def optional_integer(name: str, value: Any) -> Optional[int]:
    return None if value is None else integer(name, value)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} = {_short(value)} is not a text")
    return value


def goal(effort: Any, relative_gap: Any, standing: Any) -> tuple[str, Optional[float], str]:
    """The options of every question, in the order in which the extension module takes them."""
    return (
        text("effort", effort),
        optional_number("relative_gap", relative_gap),
        text("standing", standing),
    )


def threads(value: Any) -> int:
    """As many as were asked for; None: as many as this process may use."""
    if value is not None:
        count = integer("threads", value)
        if not 1 <= count <= MOST_THREADS:
            raise ValueError(f"threads = {count} is not from 1 to {MOST_THREADS}")
        return count
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def seed(value: Any) -> int:
    """0 .. 2^64 - 1; None: a secret one."""
    if value is None:
        import secrets

        return secrets.randbits(64)
    try:
        found = int(value.__index__())
    except AttributeError:
        raise TypeError(f"seed = {_short(value)} is not an integer") from None
    if isinstance(value, bool) or not 0 <= found < 2**64:
        raise ValueError(f"seed = {_short(value)} is not from 0 to 2^64 - 1")
    return found


def is_number(value: Any) -> bool:
    """Whether one number is meant, not an array of them; what is neither counts as a number, and
    `number` refuses it."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return len(shape) == 0
    return isinstance(value, (str, bytes)) or not hasattr(value, "__len__")


def numbers(name: str, values: Any) -> Any:
    """An array of doubles."""
    import numpy as np

    found = np.asarray(values)
    if found.dtype.kind == "O":  # of other numbers than numpy's
        return np.vectorize(lambda one: number(name, one), otypes=[np.float64])(found)
    if found.dtype.kind not in "iuf" and found.size > 0:
        raise TypeError(f"{name} = {_short(values)} is not an array of numbers")
    return found.astype(np.float64)


def points(name: str, values: Any) -> tuple[list[float], Optional[tuple[int, ...]]]:
    """The numbers of an array in the order of C, and its shape; of one number None."""
    if is_number(values):
        return [number(name, values)], None
    found = numbers(name, values)
    return found.ravel().tolist(), found.shape


def _short(value: Any) -> str:
    try:
        shown = repr(value)
    except ValueError:  # of an integer with thousands of digits
        return "a huge integer"
    return shown if len(shown) <= 60 else shown[:57] + "..."
