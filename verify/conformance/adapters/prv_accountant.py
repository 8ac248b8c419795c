#!/usr/bin/env python3
"""prv_accountant: an interval, as compute_epsilon and compute_delta return "lower bound, estimate, upper bound".

The errors that it takes as parameters: "Typically around 0.1" for eps_error, "typically around 10^-3 * delta" for
delta_error (accountant.py); here 0.01, and delta/1000, or 1e-10 where delta is asked for.
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
warnings.simplefilter("ignore")
from prv_accountant import GaussianMechanism, PoissonSubsampledGaussianMechanism, PRVAccountant  # noqa: E402

from protocol import installed, need, probability, serve, text_of  # noqa: E402


def variable(phase):
    sigma = float(phase["noise_multiplier"])
    if phase["sampling"] == "none":
        return GaussianMechanism(noise_multiplier=sigma)
    need(phase["sampling"] == "poisson", f"sampling = {phase['sampling']}")
    return PoissonSubsampledGaussianMechanism(sampling_probability=probability(phase), noise_multiplier=sigma)


def answer(question):
    need(question["release"]["adjacency"] == "add-remove", "adjacency: add-remove alone")
    need(question["ask"] in ("epsilon", "delta"), f"ask = {question['ask']}")
    need(question.get("group", 1) == 1, "group")
    phases = question["release"]["phases"]
    steps = [phase["steps"] for phase in phases]
    delta_error = question["delta"] / 1000 if "delta" in question else 1e-10
    accountant = PRVAccountant(prvs=[variable(phase) for phase in phases], max_self_compositions=steps,
                               eps_error=0.01, delta_error=delta_error)
    if question["ask"] == "epsilon":
        low, _, high = accountant.compute_epsilon(delta=question["delta"], num_self_compositions=steps)
        return {"interval": [text_of(low), text_of(max(high, 0.0))]}
    low, _, high = accountant.compute_delta(epsilon=float(question["epsilon"]), num_self_compositions=steps)
    return {"interval": [text_of(low), text_of(high)]}


serve(answer, installed("prv-accountant"))
