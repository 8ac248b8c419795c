#!/usr/bin/env python3
"""PLD_accounting (Feldman and Shenfeld): random allocation, each record in k of the batches of an epoch.

Claims: its README: "Compute tight upper/lower DP bounds for random allocation", "BoundType.DOMINATES gives an upper
(pessimistic) bound", "BoundType.IS_DOMINATED gives a lower (optimistic) bound": an interval. Its README also says that k
of t is computed as k epochs of 1 of t/k, and does not say which of the two bounds that keeps.
Both of its directions are those of one pair, a mixture of shifted Gaussians and the Gaussian: that of zero-out.
Its default grid (losses of 0.01); the tail that it cuts off is its default or delta/1000, whichever is smaller.
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name on some systems: look for that elsewhere first
warnings.simplefilter("ignore")
from PLD_accounting import (DEFAULT_TAIL_TRUNCATION, AllocationSchemeConfig, BoundType,  # noqa: E402
                            PrivacyParams, gaussian_allocation_delta_configurable,
                            gaussian_allocation_epsilon_configurable)

from protocol import installed, need, only_phase, serve, text_of  # noqa: E402


def parameters(phase):
    need(phase["sampling"] in ("random-allocation", "balls-and-bins"), f"sampling = {phase['sampling']}")
    return {"sigma": float(phase["noise_multiplier"]), "num_steps": phase["batches_per_epoch"],
            "num_selected": phase.get("allocations", 1), "num_epochs": phase.get("epochs", 1)}


def answer(question):
    need(question["release"]["adjacency"] == "zero-out", "adjacency: zero-out alone")
    need(question.get("group", 1) == 1, "group")
    phase = only_phase(question)
    asked = question["ask"]
    need(asked in ("epsilon", "delta"), f"ask = {asked}")
    function = gaussian_allocation_epsilon_configurable if asked == "epsilon" else gaussian_allocation_delta_configurable
    given = {"delta": float(question["delta"])} if asked == "epsilon" else {"epsilon": float(question["epsilon"])}
    config = AllocationSchemeConfig(tail_truncation=min(DEFAULT_TAIL_TRUNCATION, given.get("delta", 1.0) / 1000))
    low, high = (function(params=PrivacyParams(**given, **parameters(phase)), config=config, bound_type=bound)
                 for bound in (BoundType.IS_DOMINATED, BoundType.DOMINATES))
    return {"interval": [text_of(low), text_of(high)]}


serve(answer, installed("PLD_accounting"))
