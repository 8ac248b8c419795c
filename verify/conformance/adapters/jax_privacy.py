#!/usr/bin/env python3
"""jax_privacy: Monte Carlo over balls in bins (jax_privacy.experimental.monte_carlo).

Claims: delta_calculation.delta_from_epsilon_and_samples gives "the delta parameter given by Monte Carlo estimation of
the hockey-stick divergence": an estimate; what may be reported for certain is another function, get_overall_delta, of which
no use is made here. Its docstring names zero-out as the intended adjacency. A record keeps its bin in every cycle
("every b-th coordinate starting at a random position"), so that one epoch alone is the sampler that is asked for.
20,000 samples of each direction, a number chosen here, of a generator with a fixed seed: the same answer every time,
whatever else runs.
"""
import sys

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
import numpy  # noqa: E402
from jax_privacy import batch_selection  # noqa: E402
from jax_privacy.experimental.monte_carlo import delta_calculation, sample_generation  # noqa: E402

from protocol import Unsupported, estimate, installed, need, only_phase, serve  # noqa: E402


def losses(phase):
    """Privacy losses of both directions."""
    batches = phase["batches_per_epoch"]
    strategy = batch_selection.BallsInBinsSampling(iterations=batches, cycle_length=batches)
    generator = numpy.random.default_rng(1)
    found = ([], [])
    for _ in range(20):
        for positive in (True, False):
            some, _ = sample_generation.get_privacy_loss_sample(
                strategy, float(phase["noise_multiplier"]), numpy.ones(1), generator, positive, 1000)
            found[0 if positive else 1].extend(some)
    return [numpy.asarray(one) for one in found]


def answer(question):
    need(question["release"]["adjacency"] == "zero-out", "adjacency: zero-out alone")
    need(question.get("group", 1) == 1, "group")
    need(question["ask"] in ("epsilon", "delta", "advantage"), f"ask = {question['ask']}")
    phase = only_phase(question)
    if phase["sampling"] not in ("balls-and-bins", "random-allocation") or phase.get("allocations", 1) != 1:
        raise Unsupported(f"sampling = {phase['sampling']}")
    need(phase.get("epochs", 1) == 1, "epochs: a record keeps its bin in every cycle")
    samples = losses(phase)

    def delta(epsilon):
        return max(delta_calculation.delta_from_epsilon_and_samples(epsilon, one) for one in samples)

    if question["ask"] != "epsilon":
        return estimate(delta(float(question.get("epsilon", 0))))
    low, high = 0.0, max(float(numpy.max(one)) for one in samples)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta(middle) > question["delta"] else (low, middle)
    return estimate(max(high, 0.0))


serve(answer, installed("jax_privacy"))
