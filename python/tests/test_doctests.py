"""The examples in help() are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import assay

OPTIONAL = {"assay.opacus", "assay.dp_accounting"}
MODULES = ["assay", *(f"assay.{m.name}" for m in pkgutil.iter_modules(assay.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("._core")])
def test_examples(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if name in OPTIONAL:
            pytest.skip(str(error))
        raise
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.testmod(module, optionflags=flags).failed == 0
