"""Local differential privacy: categorical answers, what they truly cost, and frequencies from them.

Source: aydin2024 (arXiv:2405.07020), with the accountings of docs/proofs.md S.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _arguments as arguments
from . import _core

if not hasattr(_core, "AdaptiveEstimator"):
    raise ImportError(
        "assay was built without Random123, which assay.ldp needs: install its headers "
        "(librandom123-dev on Debian), then assay again"
    )

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Audit", "Estimate", "Estimator", "RestrictedResponse", "audit_matrix"]


class Audit(NamedTuple):
    """The true epsilon of a mechanism, in [lower, upper] nats, rounding included, and a triple that
    attains it: the answer `response` tells the categories `truth` and `other_truth` apart best."""

    lower: float
    upper: float
    subset_size: int
    truth: int
    other_truth: int
    response: int


class ResponseDistribution(NamedTuple):
    """The five probabilities g(y | x) of a mechanism whose set S has one size."""

    honest_inside: float  # y in S, x = y
    other_inside: float  # y in S, x != y
    outside_from_inside: float  # y outside S, x in S
    honest_outside: float  # y outside S, x = y
    other_outside: float  # y outside S, x != y outside S


class RestrictedResponse:
    """Randomly restricted randomised response (aydin2024 Algorithm 2): the answer to "which of K
    categories are you?" is confined to a set S of likely categories and one random outsider.

    Args:
        categories: K, from 2 to 10^6.
        epsilon: of the whole answer, nats, 0 < epsilon <= 500.
        budget_share: the part of epsilon that is spent within S, from 0 to 1.
        variant: "theorem"; "as-released" is the table of the authors' program, which is not
            epsilon-LDP and is there to be audited.

    >>> import assay
    >>> mechanism = assay.ldp.RestrictedResponse(categories=10, epsilon=1.0, budget_share=0.8)
    >>> found = mechanism.audit(subset_size=3)
    >>> found.lower <= 1.0 + 1e-12 and found.upper < 1.0001
    True
    >>> wrong = assay.ldp.RestrictedResponse(
    ...     categories=10, epsilon=1.0, budget_share=0.8, variant="as-released")
    >>> wrong.audit().lower > 1.0
    True
    """

    def __init__(
        self,
        *,
        categories: int,
        epsilon: float,
        budget_share: float = 0.9,
        variant: str = "theorem",
    ) -> None:
        self.categories = arguments.integer("categories", categories)
        self.epsilon = arguments.number("epsilon", epsilon)
        self.budget_share = arguments.number("budget_share", budget_share)
        self.variant = arguments.text("variant", variant)
        self._native = self._made()

    def _made(self) -> _core.RestrictedResponse:
        return _core.RestrictedResponse(
            self.categories, self.epsilon, self.budget_share, self.variant
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._native = self._made()

    @property
    def subset_sizes(self) -> range:
        """The sizes of S among which the mechanism may choose; 0 is plain randomised response."""
        smallest, largest = _core.ldp_sizes(self._native)
        return range(smallest, largest + 1)

    def audit(self, subset_size: Optional[int] = None) -> Audit:
        """The true epsilon with a set of this size, or the worst over all sizes."""
        size = arguments.optional_integer("subset_size", subset_size)
        return Audit(*_core.ldp_audit(self._native, size))

    def response_distribution(self, subset_size: int) -> ResponseDistribution:
        """The probabilities of the answers where the set has this size."""
        size = arguments.integer("subset_size", subset_size)
        return ResponseDistribution(*_core.ldp_response_distribution(self._native, size))

    def respond(self, truth: int, subset: Sequence[int], *, seed: int, user: int) -> int:
        """The answer of one whose category is `truth`, 0 .. K-1, to the set `subset`: a function of
        the seed, a secret of that user, and of the user's number. Probabilities are met exactly."""
        members = [arguments.integer("subset", member) for member in subset]
        category = arguments.integer("truth", truth)
        key, number = arguments.seed(seed), arguments.integer("user", user)
        return _core.ldp_respond(self._native, members, category, key, number)

    def __repr__(self) -> str:
        return (
            f"RestrictedResponse(categories={self.categories}, epsilon={self.epsilon}, "
            f"budget_share={self.budget_share}, variant={self.variant!r})"
        )


def audit_matrix(matrix: ArrayLike) -> Audit:
    """The true epsilon of any mechanism, from its matrix of shape (truths, answers): row x is the
    distribution of the answer of x. Each row adds up to 1 within 1e-9.

    >>> import assay
    >>> round(assay.ldp.audit_matrix([[0.75, 0.25], [0.25, 0.75]]).upper, 6)
    1.098612
    """
    return Audit(*_core.ldp_audit_matrix(matrix))


class Estimate(NamedTuple):
    """Posterior mean of the frequencies, and equal-tailed credible intervals: arrays of shape
    (categories,). Statistical, not certified."""

    mean: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


class Estimator:
    """AdOBEst-LDP (aydin2024 Algorithm 1) as a stream: ask for the set of the next user, feed the
    answer, take the estimate at any time.

    Args:
        mechanism: that the users answer by.
        rule: how sets are chosen: "honest-response", "fisher-information", "entropy",
            "posterior-total-variation", "marginal-total-variation", "mean-squared-error",
            "semi-adaptive-0.9" (any mass) or "non-adaptive".
        sampler: of the posterior: "gibbs", or "langevin", which is quicker and biased by its step:
            that of the paper for `planned_responses`.
        updates: steps of it after each answer.
        prior: Dirichlet parameters, 1 each by default.
        seed: decides every bit of what comes.

    >>> import assay
    >>> mechanism = assay.ldp.RestrictedResponse(categories=4, epsilon=3.0)
    >>> estimator = assay.ldp.Estimator(mechanism, seed=1)
    >>> for user in range(500):
    ...     answer = estimator.mechanism.respond(0, estimator.subset(), seed=2, user=user)
    ...     estimator.feed(answer)
    >>> bool(estimator.estimate().mean[0] > 0.8)
    True
    """

    def __init__(
        self,
        mechanism: RestrictedResponse,
        *,
        rule: str = "honest-response",
        sampler: str = "gibbs",
        updates: Optional[int] = None,
        planned_responses: Optional[int] = None,
        prior: Optional[Sequence[float]] = None,
        seed: int = 0,
    ) -> None:
        self.mechanism = mechanism
        self._native = _core.AdaptiveEstimator(
            mechanism._native,
            arguments.text("rule", rule),
            arguments.text("sampler", sampler),
            arguments.optional_integer("updates", updates),
            arguments.optional_integer("planned_responses", planned_responses),
            arguments.points("prior", prior)[0] if prior is not None else [],
            arguments.seed(seed),
        )

    def subset(self) -> list[int]:
        """The set that the next user is asked with."""
        return self._native.subset()

    def feed(self, response: int, subset: Optional[Sequence[int]] = None) -> None:
        """An answer to `subset()`, or one that was collected elsewhere, to the set named."""
        answer = arguments.integer("response", response)
        if subset is None:
            self._native.feed(answer)
        else:
            members = [arguments.integer("subset", member) for member in subset]
            self._native.feed_to(members, answer)

    @property
    def responses(self) -> int:
        """How many answers were fed."""
        return self._native.responses()

    def estimate(
        self, *, updates: int = 2000, discarded: int = 1000, level: float = 0.95
    ) -> Estimate:
        """From `updates` further steps of the sampler, the first `discarded` not counted; the
        stream goes on as if it had not been asked."""
        import numpy as np

        taken = arguments.integer("updates", updates)
        left_out = arguments.integer("discarded", discarded)
        mean, lower, upper = self._native.estimate(
            taken, left_out, arguments.number("level", level)
        )
        return Estimate(np.asarray(mean), np.asarray(lower), np.asarray(upper))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes all that decides what comes; `assay ldp estimate` reads it as well."""
        self._native.save(os.fspath(path))

    @classmethod
    def restore(cls, path: Union[str, os.PathLike[str]], mechanism: RestrictedResponse) -> Any:
        """What `save` wrote; it goes on with the same bits.

        Raises:
            ValueError: the file's answers are those of another mechanism.
            OSError: it cannot be read, or is damaged.
        """
        made = cls.__new__(cls)
        made.mechanism = mechanism
        made._native = _core.AdaptiveEstimator.restore(os.fspath(path))
        if made._native.mechanism() != mechanism._native:
            raise ValueError(f"{os.fspath(path)}: the answers of another mechanism")
        return made
