"""The examples of docs/python.md and the notebook are run."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

NEEDS = re.compile(r"^# needs (.+)$", re.M)
# print(...)  # what it prints
PRINTED = re.compile(r"^print\(.*\) +# (\S.*)$", re.M)


def blocks(root: pathlib.Path) -> list[str]:
    text = (root / "docs" / "python.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)


def test_recipes(
    root: pathlib.Path,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one namespace and in their order, printing what their comments say; a block that says
    `# needs X` is left out without X."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("ASSAY_DATA", str(root / "data"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    found = blocks(root)
    assert len(found) >= 6
    for block in found:
        needed = [name for line in NEEDS.findall(block) for name in line.split(", ")]
        if any(importlib.util.find_spec(name) is None for name in needed):
            continue
        capsys.readouterr()
        exec(compile(block, "docs/python.md", "exec"), namespace)
        printed = capsys.readouterr().out.splitlines()
        for line in PRINTED.findall(block):
            assert line in printed


def test_the_notebook(root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    notebook = nbformat.read(root / "examples" / "python.ipynb", as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()


def test_the_import_takes_nothing_heavy() -> None:
    """What makes it quick (bench/python_speed.py measures it)."""
    code = "import sys, assay; print(sorted({'numpy', 'json', 'matplotlib'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
