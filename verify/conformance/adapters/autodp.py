#!/usr/bin/env python3
"""autodp: its analytical accountant of Renyi divergences (rdp_acct.anaRDPacct), whose get_eps is an upper bound.

compose_poisson_subsampled_mechanisms and compose_subsampled_mechanism take the Renyi function of the base mechanism;
the latter is for fixed-size batches without replacement under replace-one, whose Gaussian has twice the distance.
The class has no function for delta. (autodp_core's mechanisms, which compose functions of delta, are not asked.)
"""
import sys
import warnings

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
warnings.simplefilter("ignore")
from autodp import rdp_acct, rdp_bank  # noqa: E402

from protocol import Unsupported, installed, need, probability, serve, upper  # noqa: E402


def compose(accountant, phase, adjacency):
    distance = 2.0 if adjacency == "replace-one" else 1.0
    sigma = phase["noise_multiplier"] / distance

    def renyi(order):
        return rdp_bank.RDP_gaussian({"sigma": sigma}, order)

    kind = phase["sampling"]
    if kind == "none":
        accountant.compose_mechanism(renyi, phase["steps"])
    elif kind == "poisson" and adjacency == "add-remove":
        accountant.compose_poisson_subsampled_mechanisms(renyi, probability(phase), phase["steps"])
    elif kind == "fixed-size-without-replacement" and adjacency == "replace-one":
        accountant.compose_subsampled_mechanism(renyi, probability(phase), phase["steps"])
    else:
        raise Unsupported(f"sampling = {kind}, adjacency = {adjacency}")


def answer(question):
    need(question["ask"] == "epsilon", f"ask = {question['ask']}")
    need(question.get("group", 1) == 1, "group")
    accountant = rdp_acct.anaRDPacct()
    for phase in question["release"]["phases"]:
        compose(accountant, phase, question["release"]["adjacency"])
    return upper(accountant.get_eps(question["delta"]))


serve(answer, installed("autodp", "rdp"))
