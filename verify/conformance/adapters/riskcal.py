#!/usr/bin/env python3
"""riskcal: trade-off and advantage of a privacy loss distribution (CTDAccountant: steps of noise and sample rate).

Claims: its documentation gives "FNR corresponding to FPR alpha" and "maximum attack advantage" of distributions that
dp_accounting makes, and no side: estimates. Add-remove, Poisson sampling; a rate of 1 is no sampling.
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
warnings.simplefilter("ignore")
from riskcal.accountants import CTDAccountant  # noqa: E402

from protocol import Unsupported, estimate, installed, need, only_phase, probability, serve  # noqa: E402


def answer(question):
    need(question["release"]["adjacency"] == "add-remove", "adjacency: add-remove alone")
    need(question.get("group", 1) == 1, "group")
    phase = only_phase(question)
    need(phase["sampling"] in ("poisson", "none"), f"sampling = {phase['sampling']}")
    need(phase["noise_multiplier"] is not None and phase["steps"] is not None, f"ask = {question['ask']}")
    accountant = CTDAccountant()
    rate = 1.0 if phase["sampling"] == "none" else probability(phase)
    accountant.history = [(float(phase["noise_multiplier"]), rate, phase["steps"])]
    if question["ask"] == "epsilon":
        return estimate(accountant.get_epsilon(delta=question["delta"]))
    if question["ask"] == "advantage":
        return estimate(accountant.get_advantage())
    if question["ask"] == "type_two_error":
        return estimate(accountant.get_beta(alpha=question["type_one_error"]))
    if question["ask"] == "true_positive_rate":
        return estimate(1.0 - accountant.get_beta(alpha=question["false_positive_rate"]))
    raise Unsupported(f"ask = {question['ask']}")


serve(answer, installed("riskcal"))
