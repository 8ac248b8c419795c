"""A wheel of the package runs in a fresh environment that has no compiler."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys
import venv

import pytest


def test_the_wheel_runs_where_there_is_no_compiler(
    root: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    for tool in ("scikit_build_core", "pybind11"):
        if importlib.util.find_spec(tool) is None:
            pytest.skip(f"{tool} is not installed")
    build = root / "build" / "python"
    cache = build / "CMakeCache.txt"
    if not cache.exists() or sys.prefix not in cache.read_text(encoding="utf-8"):
        pytest.skip(f"{build} was not built by this environment (make python)")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps",
         f"--config-settings=build-dir={build}", "-w", tmp_path / "wheels", root],
        check=True,
    )  # fmt: skip
    (wheel,) = (tmp_path / "wheels").iterdir()
    venv.create(tmp_path / "fresh", with_pip=True)
    bin_ = tmp_path / "fresh" / "bin"
    path = {"PATH": str(bin_)}
    subprocess.run(
        [bin_ / "python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel],
        check=True,
        env={**os.environ, **path},
    )
    code = (
        "import assay, sys\n"
        "run = assay.Release('add-remove').poisson(\n"
        "    noise_multiplier=1.1, sampling_probability=0.004, steps=10_000)\n"
        "print(run.epsilon(1e-6), 'numpy' in sys.modules, assay.__version__)\n"
    )
    ran = subprocess.run(
        [bin_ / "python", "-c", code], check=True, capture_output=True, text=True, env=path,
        cwd=tmp_path,
    )  # fmt: skip
    assert ran.stdout.startswith("Bracket(lower=2.0949069, upper=2.0950963) False 0.")
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", wheel], check=True, capture_output=True, text=True
    ).stdout
    assert "assay/py.typed" in names and "assay/_core.pyi" in names
    assert ".hpp" not in names and ".a " not in names
