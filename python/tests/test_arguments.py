"""Wrong arguments of every kind are refused by name, and copies are copies."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import assay

RUN = assay.Release("add-remove").gaussian(noise_multiplier=2, steps=4)
WRONG_NUMBERS = [True, "1e-5", b"1e-5", 1e-5 + 0j, np.bool_(True), None, object(), {}.values()]


@pytest.mark.parametrize("wrong", WRONG_NUMBERS, ids=repr)
def test_what_is_no_number_is_refused_by_name(wrong):
    questions = {
        "delta": RUN.epsilon,
        "epsilon": RUN.delta,
        "false_positive_rate": RUN.true_positive_rate,
        "smallest_error": RUN.gaussian_mu,
        "mu": lambda mu: assay.calibrate(RUN.unknown("noise_multiplier"), mu=mu, advantage=None),
        "prior": lambda prior: RUN.trade_off().posterior_odds(0.1, prior),
    }
    for name, ask in questions.items():
        if name == "mu" and wrong is None:
            continue  # no target
        with pytest.raises(TypeError, match=f"^{name} = .*is not a number"):
            ask(wrong)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assay.Release(None), "adjacency = None is not a text"),
        (lambda: assay.Release("add-remove", [("none", 1.0)]), "is not a Phase"),
        (lambda: RUN.epsilon(1e-5, effort=3), "effort = 3 is not a text"),
        (lambda: RUN.epsilon(1e-5, standing=None), "standing = None is not a text"),
        (lambda: RUN.epsilon(1e-5, accountant=1), "accountant = 1 is not a text"),
        (lambda: RUN.epsilon(1e-5, relative_gap="1"), "relative_gap = '1' is not a number"),
        (lambda: RUN.epsilon(["1e-5"]), r"delta = \['1e-5'\] is not an array of numbers"),
        (lambda: RUN.epsilon([1e-5, None]), "delta = None is not a number"),
        (lambda: RUN.trade_off(group="2"), "group = '2' is not a number"),
        (lambda: RUN.gaussian(noise_multiplier=1, steps=b"1"), "steps = b'1' is not a number"),
        (lambda: RUN.gaussian(noise_multiplier=True), "noise_multiplier = True is not a number"),
        (lambda: RUN.trade_off().delta(1.0, 2.0), "argument"),
        (lambda: assay.compare(n="5", batch_size=1, mu=1), "n = '5' is not a number"),
        (lambda: assay.samplers.poisson(dataset_size=9, batch_size=3, seed=1.5), "seed = 1.5"),
        (
            lambda: assay.ldp.RestrictedResponse(categories=3, epsilon="1"),
            "epsilon = '1' is not a number",
        ),
    ],
)
def test_wrong_types_are_named(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RUN.epsilon([1e-5], threads=0), "threads = 0 is not from 1 to 4096"),
        (lambda: RUN.epsilon([1e-5], threads=2**53), "is not from 1 to 4096"),
        (lambda: RUN.gaussian(noise_multiplier=1, steps=10**400), "steps = 1000.* is too large"),
        (lambda: RUN.gaussian(noise_multiplier=1, steps=10**5000), "steps = (a huge integer|1000)"),
        (lambda: RUN.gaussian(noise_multiplier=1, steps=2**54), "not an integer of at most 2"),
        (lambda: RUN.delta(Fraction(1, 10**400)), "epsilon = .* is not 0, and below"),
        (lambda: RUN.trade_off(group=2.5), "group = 2.5 is not an integer"),
        (lambda: assay.samplers.poisson(dataset_size=9, batch_size=3, seed=-1), "seed = -1"),
        (lambda: assay.samplers.poisson(dataset_size=9, batch_size=3, seed=2**64), "seed = 18"),
    ],
)
def test_numbers_out_of_range_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_numbers_of_other_libraries_are_numbers():
    expected = RUN.epsilon(0.125)
    for one in (Fraction(1, 8), Decimal("0.125"), np.float32(0.125), np.array(0.125)):
        assert RUN.epsilon(one) == expected
    assert RUN.epsilon([Fraction(1, 8), Decimal("0.125")])[1] == expected
    assert RUN.epsilon([]).upper.shape == (0,)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_go_on_by_themselves(copied):
    ledger = assay.ledger.Ledger("add-remove", "poisson")
    ledger.step(noise_multiplier=1.0, sampling_probability=0.1, steps=3)
    other = copied(ledger)
    other.step(noise_multiplier=1.0, sampling_probability=0.1)
    assert (ledger.steps, other.steps) == (3, 4)
    assert other.spent == RUN.__class__("add-remove").poisson(
        noise_multiplier=1.0, sampling_probability=0.1, steps=4
    )
    guard = assay.ledger.Filter("add-remove", epsilon=2, delta=1e-5)
    guard.step(sampling="poisson", noise_multiplier=1.0, sampling_probability=0.01, steps=5)
    duplicate = copied(guard)
    assert (duplicate.epsilon, duplicate.steps) == (guard.epsilon, 5)
    duplicate.step(sampling="poisson", noise_multiplier=1.0, sampling_probability=0.01)
    assert guard.steps == 5
    batches = assay.samplers.shuffle(dataset_size=100, batch_size=10, seed=3)
    next(iter(batches))
    rest = copied(batches)
    assert rest.step == 1
    assert (next(iter(rest)) == next(iter(batches))).all()
    mechanism = assay.ldp.RestrictedResponse(categories=5, epsilon=1.0)
    assert copied(mechanism).audit() == mechanism.audit()
