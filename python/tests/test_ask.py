"""The package and `assay ask` are two doors to one house: the same bits, the same refusals."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import pytest

import assay


@pytest.fixture
def program(root: pathlib.Path) -> pathlib.Path:
    found = pathlib.Path(os.environ.get("ASSAY_PROGRAM", root / "build" / "release" / "assay"))
    if not found.exists():
        pytest.skip(f"{found} is not built (make build)")
    return found


def phase(sampling: str, noise: Any = 1.0, **fields: Any) -> dict[str, Any]:
    return {"sampling": sampling, "noise_multiplier": noise, **fields}


RELEASES = [
    ("add-remove", [phase("poisson", 1.1, sampling_probability=0.004, steps=1000)]),
    ("replace-one", [phase("poisson", 2, batch_size=100, dataset_size=5000, steps=500)]),
    ("add-remove", [phase("fixed-size-without-replacement", sampling_probability=0.01, steps=50)]),
    ("add-remove", [phase("fixed-size-with-replacement", batch_size=5, dataset_size=900, steps=9)]),
    ("zero-out", [phase("none", 3, steps=7), phase("poisson", sampling_probability=0.1, steps=3)]),
    ("zero-out", [phase("balls-and-bins", 0.8, batches_per_epoch=50, epochs=2)]),
    ("zero-out", [phase("shuffle", batches_per_epoch=100)]),
    ("zero-out", [phase("deterministic", batches_per_epoch=10, epochs=4)]),
    ("add-remove", [phase("shuffle", batches_per_epoch=10)]),
    ("add-remove", [phase("poisson", -1, sampling_probability=0.1, steps=10)]),
    ("add-remove", [phase("poisson", sampling_probability=0.1, steps=0)]),
]
ASKED = [
    {"ask": "epsilon", "delta": 1e-5},
    {"ask": "delta", "epsilon": 1.25},
    {"ask": "advantage"},
    {"ask": "epsilon", "delta": 1e-6, "effort": "quick"},
    {"ask": "epsilon", "delta": 1e-6, "standing": "published"},
    {"ask": "noise_multiplier", "epsilon": 2, "delta": 1e-6},
]


def answer(question: dict[str, Any]) -> assay.Bracket | assay.Calibration:
    release = assay.Release.from_json(question["release"])
    options = {key: question[key] for key in ("effort", "standing") if key in question}
    if question["ask"] == "epsilon":
        return release.epsilon(question["delta"], **options)
    if question["ask"] == "delta":
        return release.delta(question["epsilon"], **options)
    if question["ask"] == "advantage":
        return release.advantage(**options)
    return assay.calibrate(release, epsilon=question["epsilon"], delta=question["delta"])


def test_the_same_bits_and_the_same_refusals(program: pathlib.Path) -> None:
    questions = []
    for adjacency, phases in RELEASES:
        for asked in ASKED:
            fields = phases
            if asked["ask"] == "noise_multiplier":
                fields = [{**one, "noise_multiplier": None} for one in phases]
            questions.append({"release": {"adjacency": adjacency, "phases": fields}, **asked})
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    ran = subprocess.run([program, "ask"], input=lines, capture_output=True, text=True, check=True)
    replies = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(replies) == len(questions)
    refused = 0
    for question, reply in zip(questions, replies):
        if "error" in reply:
            kind = {"domain": ValueError, "unsupported": NotImplementedError}[
                reply["error"]["kind"]
            ]
            with pytest.raises(kind) as caught:
                answer(question)
            if kind is NotImplementedError:
                assert str(caught.value) == reply["error"]["message"]
            refused += 1
            continue
        found = answer(question)
        lower, upper = float(reply["lower"]), float(reply["upper"])
        assert (found.lower, found.upper) == (lower, upper), question
        if isinstance(found, assay.Bracket):
            assert found.theorem._asdict() == reply["theorem"]
            assert found.standing._asdict() == reply["standing"]
            assert found.note == reply["note"]
            assert found.published_upper == float(reply["published_upper"])
    assert 5 < refused < len(questions) / 2
