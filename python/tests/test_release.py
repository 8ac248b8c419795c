"""Releases: immutable values that say what they are, in Python and in JSON."""

from __future__ import annotations

import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay

noise = st.floats(1e-3, 1e6) | st.none()
probability = st.floats(0.0, 0.999)
steps = st.integers(1, 10**12)
by_steps = st.one_of(
    st.builds(lambda s, n: assay.Phase("none", s, repetitions=n), noise, steps),
    st.builds(
        lambda s, q, n: assay.Phase("poisson", s, sampling_probability=q, repetitions=n),
        noise,
        probability,
        steps,
    ),
    st.builds(
        lambda s, b, more, n: assay.Phase(
            "fixed-size-with-replacement", s, batch_size=b, dataset_size=b + more, repetitions=n
        ),
        noise,
        st.integers(1, 10**6),
        st.integers(1, 10**6),
        steps,
    ),
)
by_cut_steps = st.builds(
    lambda s, b, most, more, n: assay.Phase(
        "poisson-truncated",
        s,
        batch_size=b,
        dataset_size=b + more,
        maximum_batch_size=b + most,
        repetitions=n,
    ),
    noise,
    st.integers(1, 10**6),
    st.integers(0, 10**6),
    st.integers(1, 10**6),
    steps,
)
by_allocation = st.builds(
    lambda s, k, more, n: assay.Phase(
        "random-allocation", s, batches_per_epoch=k + more, allocations=k, repetitions=n
    ),
    noise,
    st.integers(1, 1000),
    st.integers(0, 1000),
    st.integers(1, 10**5),
)
by_epochs = st.builds(
    lambda name, s, t, k: assay.Phase(name, s, batches_per_epoch=t, repetitions=k),
    st.sampled_from(["balls-and-bins", "shuffle", "deterministic"]),
    noise,
    st.integers(1, 10**12),
    st.integers(1, 10**5),
)
releases = st.one_of(
    st.builds(
        assay.Release,
        st.just("add-remove"),
        st.lists(by_steps | by_cut_steps, min_size=1, max_size=4),
    ),
    st.builds(
        assay.Release,
        st.just("zero-out"),
        st.lists(by_epochs | by_allocation, min_size=1, max_size=4),
    ),
)


@given(releases)
def test_json_and_pickle_give_the_same_release(release: assay.Release) -> None:
    assert assay.Release.from_json(release.to_json()) == release
    assert assay.Release.from_json(json.loads(release.to_json())) == release
    assert pickle.loads(pickle.dumps(release)) == release
    assert len({release, assay.Release.from_json(release.to_json())}) == 1


def test_a_release_cannot_be_changed() -> None:
    release = assay.Release("add-remove")
    longer = release.gaussian(noise_multiplier=1)
    assert release.phases == () and len(longer.phases) == 1
    for name in ("adjacency", "phases", "_phases", "anything"):
        with pytest.raises(AttributeError):
            setattr(release, name, "zero-out")
    with pytest.raises(AttributeError):
        del release._phases


def test_releases_of_different_adjacency_do_not_add() -> None:
    one = assay.Release("add-remove").gaussian(noise_multiplier=1)
    other = assay.Release("zero-out").gaussian(noise_multiplier=1)
    assert (one + one).phases == 2 * one.phases
    with pytest.raises(ValueError, match="add-remove here, zero-out there"):
        one + other


def test_numbers_in_json_may_be_texts_and_sizes_give_the_probability() -> None:
    phase = {"sampling": "poisson", "noise_multiplier": "1.5", "steps": "1e3"}
    by_text = {"adjacency": "zero-out", "phases": [{**phase, "sampling_probability": "0.01"}]}
    by_size = {
        "adjacency": "zero-out",
        "phases": [{**phase, "batch_size": 10, "dataset_size": "1000"}],
    }
    assert assay.Release.from_json(by_text) == assay.Release.from_json(by_size)
    assert assay.Release.from_json(by_text) == assay.Release("zero-out").poisson(
        noise_multiplier=1.5, sampling_probability=0.01, steps=1000
    )


GOOD = {"sampling": "poisson", "noise_multiplier": 1, "sampling_probability": 0.1, "steps": 3}


@pytest.mark.parametrize(
    ("phase", "message"),
    [
        ({**GOOD, "step": 3}, "step is unknown"),
        ({**GOOD, "epochs": 3}, "epochs is unknown"),
        ({**GOOD, "steps": 2.5}, "steps = 2.5 is not an integer"),
        ({**GOOD, "steps": 0}, "steps = 0 is not admitted"),
        ({**GOOD, "steps": None}, "steps = None is not a number"),
        ({**GOOD, "sampling_probability": "1e-400"}, "sampling_probability = '1e-400' is not 0"),
        ({**GOOD, "steps": True}, "steps = True is not a number"),
        ({**GOOD, "steps": "1_0"}, "steps = '1_0' is not a number"),
        ({**GOOD, "steps": "1e"}, "steps = '1e' is not a number"),
        ({**GOOD, "noise_multiplier": -1}, "noise_multiplier = -1 is not admitted"),
        ({**GOOD, "noise_multiplier": float("nan")}, "not finite"),
        ({**GOOD, "sampling_probability": 1}, "sampling_probability = 1 is not admitted"),
        ({**GOOD, "batch_size": 3}, "not both"),
        ({**GOOD, "sampling": "poison"}, "sampling = poison is not admitted"),
        ({"sampling": "poisson", "steps": 1}, "noise_multiplier is missing"),
        ({"sampling": "none", "noise_multiplier": 1}, "steps is missing"),
        ([], "a phase is not an object"),
    ],
)
def test_malformed_phases_are_refused_by_name(phase: object, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        assay.Release.from_json({"adjacency": "add-remove", "phases": [phase]})


def test_malformed_releases_are_refused_by_name() -> None:
    for record, message in [
        ("[]", "release is not an object"),
        ({"phases": [GOOD]}, "adjacency is missing"),
        ({"adjacency": "add-remove"}, "phases is not a list"),
        ({"adjacency": "add-remove", "phases": []}, "phases is not a list"),
        ({"adjacency": "add-remove", "phases": [GOOD], "x": 1}, "x is unknown"),
        ({"adjacency": "add", "phases": [GOOD]}, "add-remove, replace-one or zero-out"),
        ("{", "Expecting"),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            assay.Release.from_json(record)


def test_samplers_without_a_theorem_are_refused() -> None:
    start = assay.Release("add-remove")
    with pytest.raises(NotImplementedError, match="no theorem covers sampling = shuffle"):
        start.shuffle(noise_multiplier=1, batches_per_epoch=10)
    with pytest.raises(ValueError, match="size = 4 is not admitted"):
        start.poisson_truncated(
            noise_multiplier=1, batch_size=5, dataset_size=50, maximum_batch_size=4, steps=1
        )


def test_assumptions_and_notebook_tables() -> None:
    release = assay.Release("add-remove").poisson(
        noise_multiplier=1, sampling_probability=0.1, steps=2
    )
    assert any("adjacency" in line or "neighbour" in line for line in release.assumptions())
    assert "<td>poisson</td>" in release._repr_html_()
