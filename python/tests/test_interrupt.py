"""Ctrl-C ends a long answer within a second."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import assay


def estimate() -> object:
    ldp = pytest.importorskip("assay.ldp", exc_type=ImportError)
    mechanism = ldp.RestrictedResponse(categories=100, epsilon=1.0)
    return ldp.Estimator(mechanism).estimate(updates=1_000_000)


LONG = {
    "answers": estimate,
    "loss distributions": lambda: (
        assay.Release("add-remove")
        .poisson(noise_multiplier=0.3, sampling_probability=0.1, steps=10**5)
        .epsilon([1e-5] * 200, relative_gap=1e-6, effort="thorough", threads=2)
    ),
    "one question": lambda: (
        assay.Release("add-remove")
        .poisson(noise_multiplier=0.3, sampling_probability=0.01, steps=10**5)
        .epsilon(1e-5, relative_gap=1e-7, effort="thorough")
    ),
    "epochs": lambda: (
        assay.Release("zero-out")
        .balls_and_bins(noise_multiplier=0.3, batches_per_epoch=10**5, epochs=50)
        .delta([1.0] * 50, relative_gap=1e-6, effort="thorough", threads=2)
    ),
    "renyi": lambda: (
        assay.Release("add-remove")
        .fixed_size_with_replacement(
            noise_multiplier=0.5, batch_size=5000, dataset_size=10**6, steps=10
        )
        .rdp([1.0 + 0.01 * i for i in range(1, 30000)])
    ),
    "calibration": lambda: assay.calibrate(
        assay.Release("zero-out").balls_and_bins(
            noise_multiplier=None, batches_per_epoch=10**5, epochs=30
        ),
        epsilon=2,
        delta=1e-6,
        relative_gap=1e-6,
        effort="thorough",
    ),
}


@pytest.fixture(autouse=True)
def _ctrl_c_is_not_ignored() -> Iterator[None]:
    """A shell starts what runs in the background with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_heard_within_a_second(name: str) -> None:
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.process_time())  # of all threads: what else runs here does not count
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[name]()
            time.sleep(1)  # the signal came too late: the test is not about anything
            raise AssertionError("the answer took less than half a second")
        assert time.process_time() - sent[0] < 2.0  # a second of two threads
    finally:
        timer.cancel()


def test_an_interrupted_answer_leaves_nothing_behind() -> None:
    run = assay.Release("add-remove").gaussian(noise_multiplier=1)
    before = run.epsilon(1e-5)
    test_ctrl_c_is_heard_within_a_second("loss distributions")
    assert run.epsilon(1e-5) == before
