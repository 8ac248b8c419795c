#!/usr/bin/env python3
"""riskcal: trade-off and advantage of a privacy loss distribution (CTDAccountant: steps of noise and sample rate).

Claims: its documentation gives "FNR corresponding to FPR alpha" and "maximum attack advantage" of distributions that
dp_accounting makes, and no side: estimates. Add-remove, Poisson sampling; a rate of 1 is no sampling. Noise for a true
positive rate: calibration.dpsgd.find_noise_multiplier_for_err_rates.
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
warnings.simplefilter("ignore")
from riskcal.accountants import CTDAccountant  # noqa: E402
from riskcal.calibration.dpsgd import find_noise_multiplier_for_err_rates  # noqa: E402

from protocol import Unsupported, estimate, installed, need, only_phase, probability, serve  # noqa: E402


def rate(phase):
    need(phase["sampling"] in ("poisson", "none"), f"sampling = {phase['sampling']}")
    return 1.0 if phase["sampling"] == "none" else probability(phase)


def answer(question):
    need(question["release"]["adjacency"] == "add-remove", "adjacency: add-remove alone")
    need(question.get("group", 1) == 1, "group")
    asked = question["ask"]
    if asked == "noise_multiplier" and "true_positive_rate" in question:
        phase = only_phase(question)
        return estimate(find_noise_multiplier_for_err_rates(
            question["false_positive_rate"], 1.0 - question["true_positive_rate"], rate(phase), phase["steps"]))
    accountant = CTDAccountant()
    for phase in question["release"]["phases"]:
        need(phase["noise_multiplier"] is not None and phase["steps"] is not None, f"ask = {asked}")
        accountant.history.append((float(phase["noise_multiplier"]), rate(phase), phase["steps"]))
    if asked == "epsilon":
        return estimate(accountant.get_epsilon(delta=question["delta"]))
    if asked == "delta":
        return estimate(accountant.get_pld().get_delta_for_epsilon(float(question["epsilon"])))
    if asked == "advantage":
        return estimate(accountant.get_advantage())
    if asked == "type_two_error":
        return estimate(accountant.get_beta(alpha=question["type_one_error"]))
    if asked == "true_positive_rate":
        return estimate(1.0 - accountant.get_beta(alpha=question["false_positive_rate"]))
    raise Unsupported(f"ask = {asked}")


serve(answer, installed("riskcal"))
