#!/usr/bin/env python3
"""Opacus: `opacus.py rdp|prv|gdp`.

Claims: rdp returns the epsilon of Renyi bounds, prv the upper end of its interval (accountants/prv.py: "_, _,
eps_upper"): upper. gdp warns that it "can underestimate privacy expenditure" (accountants/gdp.py): an estimate.
Its accountants know Poisson sampling and adding or removing a record; a rate of 1 is a batch of everything. The steps of
gdp have to be alike (GaussianAccountant.step refuses others).
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
warnings.simplefilter("ignore")
from opacus.accountants import create_accountant  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402

from protocol import Unsupported, estimate, installed, need, only_phase, probability, serve, upper  # noqa: E402

chosen = sys.argv[1] if len(sys.argv) > 1 else "prv"
claim = estimate if chosen == "gdp" else upper


def rate(phase):
    need(phase["sampling"] in ("poisson", "none"), f"sampling = {phase['sampling']}")
    return 1.0 if phase["sampling"] == "none" else probability(phase)


def answer(question):
    need(question["release"]["adjacency"] == "add-remove", "adjacency: add-remove alone")
    need(question.get("group", 1) == 1, "group")
    if question["ask"] == "epsilon":
        need(chosen != "gdp" or len(question["release"]["phases"]) == 1, "gdp: one phase alone")
        accountant = create_accountant(mechanism=chosen)
        accountant.history = [(float(phase["noise_multiplier"]), rate(phase), phase["steps"])
                              for phase in question["release"]["phases"]]
        return claim(accountant.get_epsilon(delta=question["delta"]))
    if question["ask"] == "noise_multiplier" and "delta" in question:
        phase = only_phase(question)
        return claim(get_noise_multiplier(target_epsilon=question["epsilon"], target_delta=question["delta"],
                                          sample_rate=rate(phase), steps=phase["steps"], accountant=chosen))
    raise Unsupported(f"ask = {question['ask']}")


serve(answer, installed("opacus", chosen))
