"""The package and `assay ask` are two doors to one house: the same bits, the same refusals."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest

import assay


def phase(sampling: str, noise: Any = 1.0, **fields: Any) -> dict[str, Any]:
    return {"sampling": sampling, "noise_multiplier": noise, **fields}


RELEASES = [
    ("add-remove", [phase("poisson", 1.1, sampling_probability=0.004, steps=1000)]),
    ("replace-one", [phase("poisson", 2, batch_size=100, dataset_size=5000, steps=500)]),
    ("add-remove", [phase("fixed-size-without-replacement", sampling_probability=0.01, steps=50)]),
    ("add-remove", [phase("fixed-size-with-replacement", batch_size=5, dataset_size=900, steps=9)]),
    ("zero-out", [phase("none", 3, steps=7), phase("poisson", sampling_probability=0.1, steps=3)]),
    (
        "replace-one",
        [phase("poisson-truncated", batch_size=9, dataset_size=90, maximum_batch_size=20, steps=9)],
    ),
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
    {"ask": "delta", "epsilon": 1, "group": 2, "effort": "quick"},
    {"ask": "epsilon", "delta": 1e-5, "group": 2, "effort": "quick"},
    {"ask": "true_positive_rate", "false_positive_rate": 1e-3},
    {"ask": "type_two_error", "type_one_error": 1e-6, "effort": "quick"},
    {"ask": "gaussian_mu"},
    {"ask": "gaussian_mu", "smallest_error": 1e-3, "effort": "quick"},
    {"ask": "noise_multiplier", "epsilon": 2, "delta": 1e-6},
    {"ask": "noise_multiplier", "advantage": 0.1, "effort": "quick"},
    {"ask": "steps", "epsilon": 8, "delta": 1e-6, "effort": "quick"},
    {"ask": "epochs", "epsilon": 8, "delta": 1e-6, "effort": "quick"},
    {"ask": "sampling_probability", "epsilon": 8, "delta": 1e-6, "effort": "quick"},
    {"ask": "batch_size", "epsilon": 8, "delta": 1e-6, "effort": "quick"},
]
OPTIONS = ("effort", "standing", "group", "relative_gap")
UNKNOWNS = ("steps", "epochs", "sampling_probability", "batch_size")


def answer(question: dict[str, Any]) -> Any:
    """What is looked for has some value in the place of null, but for the noise."""
    fillers = {"steps": 1, "epochs": 1, "sampling_probability": 0.5, "batch_size": 1}
    release = assay.Release.from_json(
        {
            "adjacency": question["release"]["adjacency"],
            "phases": [
                {key: fillers[key] if value is None and key in fillers else value
                 for key, value in phase.items()}
                for phase in question["release"]["phases"]
            ],
        }
    )  # fmt: skip
    options = {key: question[key] for key in OPTIONS if key in question}
    asked = question["ask"]
    if asked == "epsilon":
        return release.epsilon(question["delta"], **options)
    if asked == "delta":
        return release.delta(question["epsilon"], **options)
    if asked == "true_positive_rate":
        return release.true_positive_rate(question["false_positive_rate"], **options)
    if asked == "type_two_error":
        return release.type_two_error(question["type_one_error"], **options)
    if asked == "gaussian_mu":
        return release.gaussian_mu(question.get("smallest_error", 0.0), **options)
    if asked == "advantage":
        return release.advantage(**options)
    target = {key: question[key] for key in ("epsilon", "delta", "advantage") if key in question}
    if asked == "noise_multiplier":
        return assay.calibrate(release, **target, **options)
    sizes = [one.get("dataset_size") for one in question["release"]["phases"]]
    size = sizes[0] if asked == "batch_size" else None
    return assay.calibrate(release.unknown(asked, dataset_size=size), **target, **options)


def asked_of(phases: list[dict[str, Any]], unknown: str) -> list[dict[str, Any]] | None:
    """The phases with what is looked for left open; None where that is no question."""
    if unknown == "noise_multiplier":
        return [{**one, unknown: None} for one in phases]
    if unknown not in UNKNOWNS:
        return phases
    if len(phases) > 1 or unknown not in phases[0]:
        return None
    return [{**phases[0], unknown: None}]


def test_the_same_bits_and_the_same_refusals(program: pathlib.Path) -> None:
    questions = []
    for adjacency, phases in RELEASES:
        for asked in ASKED:
            fields = asked_of(phases, asked["ask"])
            if fields is not None:
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
