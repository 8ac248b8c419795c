#!/usr/bin/env python3
"""dp_accounting (google/differential-privacy): `dp_accounting.py rdp|pld`.

Claims: upper, as the epsilon of either accountant is reported as a guarantee. rdp: Renyi divergences of every event and
the conversion of their sum to (epsilon, delta)-DP (rdp_privacy_accountant.py, compute_epsilon); pld: distributions with
pessimistic_estimate=True, "the rounding is done in such a way that the resulting epsilon-hockey stick divergence
computation gives an upper estimate to the real value" (privacy_loss_distribution.py).
calibrate_dp_mechanism finds noise within 1e-6 of the least one, on either side; 1e-6 is added, so that it is enough.
Batches of fixed size without replacement depend on batch over data set alone: a rate is given as that of two integers.
Unit: GaussianDpEvent documents noise_multiplier as s/C for records bounded by C, whatever the relation: that of the
questions, so nothing is converted.
"""
import fractions
import sys

sys.path.append(sys.path.pop(0))  # this file has the library's name: look for that elsewhere first
import dp_accounting  # noqa: E402
from dp_accounting.pld import pld_privacy_accountant  # noqa: E402
from dp_accounting.rdp import rdp_privacy_accountant  # noqa: E402

from protocol import Unsupported, installed, need, probability, serve, upper  # noqa: E402

ACCOUNTANTS = {"rdp": rdp_privacy_accountant.RdpAccountant, "pld": pld_privacy_accountant.PLDAccountant}
RELATIONS = {"add-remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
             "replace-one": dp_accounting.NeighboringRelation.REPLACE_ONE,
             "zero-out": dp_accounting.NeighboringRelation.REPLACE_SPECIAL}
chosen = sys.argv[1] if len(sys.argv) > 1 else "pld"


def event(phase, sigma):
    gaussian = dp_accounting.GaussianDpEvent(sigma)
    kind = phase["sampling"]
    if kind == "none":
        return dp_accounting.SelfComposedDpEvent(gaussian, phase["steps"])
    if kind == "deterministic":  # every record once in an epoch
        return dp_accounting.SelfComposedDpEvent(gaussian, phase.get("epochs", 1))
    if kind == "poisson":
        step = dp_accounting.PoissonSampledDpEvent(probability(phase), gaussian)
    elif kind == "poisson-truncated":
        return dp_accounting.SelfComposedDpEvent(dp_accounting.dp_event.TruncatedSubsampledGaussianDpEvent(
            phase["dataset_size"], probability(phase), phase["maximum_batch_size"], sigma), phase["steps"])
    elif kind == "fixed-size-without-replacement" and "sampling_probability" in phase:
        rate = fractions.Fraction(repr(probability(phase)))
        step = dp_accounting.SampledWithoutReplacementDpEvent(rate.denominator, rate.numerator, gaussian)
    elif kind.startswith("fixed-size") and "batch_size" in phase:
        make = (dp_accounting.SampledWithoutReplacementDpEvent if kind.endswith("without-replacement")
                else dp_accounting.SampledWithReplacementDpEvent)
        step = make(phase["dataset_size"], phase["batch_size"], gaussian)
    else:
        raise Unsupported(f"sampling = {kind}")
    return dp_accounting.SelfComposedDpEvent(step, phase["steps"])


def composed(release, sigma=None):
    accountant = ACCOUNTANTS[chosen](neighboring_relation=RELATIONS[release["adjacency"]])
    for phase in release["phases"]:
        own = phase["noise_multiplier"]
        one = event(phase, sigma if own is None else own)
        if not accountant.supports(one):
            raise Unsupported(f"{chosen}: sampling = {phase['sampling']}, adjacency = {release['adjacency']}")
        accountant.compose(one)
    return accountant


def answer(question):
    release, asked = question["release"], question["ask"]
    need(question.get("group", 1) == 1, "group")
    if asked == "epsilon":
        return upper(composed(release).get_epsilon(question["delta"]))
    if asked in ("delta", "advantage"):
        return upper(composed(release).get_delta(question.get("epsilon", 0.0)))
    if asked == "noise_multiplier" and "delta" in question:
        composed(release, 1.0)  # refuses what is unsupported
        return upper(dp_accounting.calibrate_dp_mechanism(
            lambda: ACCOUNTANTS[chosen](neighboring_relation=RELATIONS[release["adjacency"]]),
            lambda sigma: dp_accounting.ComposedDpEvent([event(p, sigma) for p in release["phases"]]),
            question["epsilon"], question["delta"]) + 1e-6)
    raise Unsupported(f"ask = {asked}")


serve(answer, installed("dp-accounting", chosen))
