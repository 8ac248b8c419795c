"""An accountant for Opacus (`pip install opacus`) whose epsilon is certified from both sides.

Opacus' own history has neither the adjacency nor the sampler. Both are given here, once:

    import assay.opacus
    assay.opacus.register("add-remove", "poisson")
    engine = opacus.PrivacyEngine(accountant="assay")

From then on `PrivacyEngine.make_private` refuses a data loader that draws its batches otherwise.
The accountant then refuses a step of several batches added up (gradient accumulation), which none
of these samplers draws, and, of samplers of whole epochs, an epoch that begins before the last one
ended.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Optional

try:
    import opacus
    import torch.utils.data as torch_data
    from opacus.accountants import IAccountant, register_accountant
    from opacus.data_loader import DPDataLoader
    from opacus.utils.uniform_sampler import (
        DistributedUniformWithReplacementSampler,
        UniformWithReplacementSampler,
    )
except ImportError as error:
    raise ImportError(f"assay.opacus needs Opacus (pip install opacus): {error}") from error

from ._answers import Bracket
from ._core import EpochCache
from ._release import EPOCH_SAMPLERS, Phase
from .ledger import _Runs

if TYPE_CHECKING:
    from ._release import Release

__all__ = ["AssayAccountant", "phase_of", "register"]


def phase_of(loader: Any) -> Optional[Phase]:
    """How a data loader draws its batches, as a phase: one step of it, the noise left open; None
    where it cannot be told.

    Known are Opacus' Poisson loaders, the samplers of `assay.samplers`, and those of torch: in the
    order of the data, and shuffled (`shuffle=True`) where batches divide the data evenly.
    """
    drawn: Any = getattr(loader, "batch_sampler", None)
    phase = getattr(drawn, "phase", None)
    if isinstance(phase, Phase):
        return phase
    poisson = (UniformWithReplacementSampler, DistributedUniformWithReplacementSampler)
    if isinstance(drawn, poisson) or isinstance(loader, DPDataLoader):
        return _with_probability("poisson", float(drawn.sample_rate))
    if getattr(type(drawn), "watched", type(drawn)) is not torch_data.BatchSampler:
        return None
    is_even = len(drawn) * drawn.batch_size == len(loader.dataset)
    if drawn.drop_last and not is_even:
        return None  # records that are left out: no theorem covers these
    if type(drawn.sampler) is torch_data.SequentialSampler:
        return Phase("deterministic", batches_per_epoch=len(drawn))
    if type(drawn.sampler) is torch_data.RandomSampler:
        if drawn.sampler.num_samples != len(loader.dataset):
            return None
        if is_even and not drawn.sampler.replacement:
            return Phase("shuffle", batches_per_epoch=len(drawn))
    return None


def _with_probability(sampling: str, probability: float) -> Phase:
    if probability == 1.0 and sampling == "poisson":
        return Phase("none")
    return Phase(sampling, sampling_probability=probability)


class AssayAccountant(IAccountant):  # type: ignore[misc]
    """Opacus' `IAccountant` with certified brackets.

    Args:
        adjacency: "add-remove", "replace-one" or "zero-out"; no default.
        sampling: the sampler that draws the batches, as `Release` names it; no default. Opacus'
            own loaders are "poisson", torch's `shuffle=True` is "shuffle" (under "zero-out").
        batch_size, dataset_size: of fixed-size sampling, whose probability they give; Opacus' rate,
            one over the number of batches, differs from it where the batches do not divide the
            data.

    `get_epsilon` gives the upper side, `bracket` both. Units: noise over the clip norm, on the sum.

    Raises:
        ValueError, NotImplementedError: where no theorem covers sampler and adjacency, and where
            what a data loader does contradicts them.
    """

    def __init__(
        self,
        adjacency: Optional[str] = None,
        sampling: Optional[str] = None,
        *,
        batch_size: Optional[int] = None,
        dataset_size: Optional[int] = None,
    ) -> None:
        if adjacency is None or sampling is None:
            raise ValueError(
                "the accountant of assay needs an adjacency and a sampler, which Opacus does not "
                'pass on: assay.opacus.register("add-remove", "poisson") before PrivacyEngine('
                'accountant="assay")'
            )
        self.history: list[tuple[float, float, int]] = []
        self.adjacency = adjacency
        self.sampling = sampling
        self.batch_size = batch_size
        self.dataset_size = dataset_size
        self._cache = EpochCache()
        # Of data loaders that were checked: what each draws with, by the rate that Opacus gives.
        self._probabilities: dict[float, float] = {}
        if (batch_size is None) != (dataset_size is None):
            raise ValueError("batch_size and dataset_size are given together")
        if sampling == "fixed-size-with-replacement" and (
            batch_size is None or dataset_size is None
        ):
            raise ValueError(f"sampling {sampling} needs batch_size and dataset_size")
        self._runs_of([(1.0, 0.5, 1)])  # a theorem covers them

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Records a step; a microsecond.

        Raises:
            ValueError: a rate that no data loader of this run has; nothing is recorded.
        """
        if self._probabilities:
            known = self._probabilities.get(sample_rate)
            if known is None:
                raise ValueError(
                    f"sample_rate = {sample_rate} is not that of the data loader: a step of "
                    "several batches is not accounted for"
                )
            sample_rate = known
        if not 0.0 <= sample_rate <= 1.0:
            raise ValueError(f"sample_rate = {sample_rate} is not in [0, 1]")
        history = self.history
        if history:
            sigma, rate, steps = history[-1]
            if sigma == noise_multiplier and rate == sample_rate:
                history[-1] = (sigma, rate, steps + 1)
                return
        history.append((noise_multiplier, sample_rate, 1))

    def _phase(self, noise_multiplier: float, sample_rate: float) -> Phase:
        if self.sampling in EPOCH_SAMPLERS:
            batches = round(1.0 / sample_rate)
            if batches < 1 or not math.isclose(batches * sample_rate, 1.0, rel_tol=1e-9):
                raise ValueError(
                    f"sample_rate = {sample_rate}: sampling {self.sampling} takes one over the "
                    "number of batches of an epoch"
                )
            return Phase(self.sampling, noise_multiplier, batches_per_epoch=batches)
        if self.sampling == "none":
            if sample_rate != 1.0:
                raise ValueError(f"sample_rate = {sample_rate}: sampling none takes every record")
            return Phase("none", noise_multiplier)
        if self.sampling == "fixed-size-with-replacement":
            return Phase(
                self.sampling,
                noise_multiplier,
                batch_size=self.batch_size,
                dataset_size=self.dataset_size,
            )
        probability = sample_rate
        if self.sampling == "fixed-size-without-replacement" and self.dataset_size is not None:
            assert self.batch_size is not None  # they are given together
            probability = self.batch_size / self.dataset_size
        return _with_probability(self.sampling, probability)._replace(
            noise_multiplier=noise_multiplier
        )

    def _runs_of(self, history: list[tuple[float, float, int]]) -> _Runs:
        runs = _Runs(self.adjacency)
        for sigma, rate, steps in history:
            if self.sampling == "none" and history is not self.history:
                rate = 1.0
            runs.add(self._phase(sigma, rate), steps)
        return runs

    @property
    def release(self) -> Release:
        """What was released so far; an epoch that was begun counts as finished."""
        return self._runs_of(self.history).release(True)

    def bracket(self, delta: float, **options: Any) -> Bracket:
        """epsilon at delta from both sides; options as those of `Release.epsilon`."""
        return self._runs_of(self.history).ask(False, delta, self._cache, options)

    def get_epsilon(self, delta: float, *args: Any, **kwargs: Any) -> float:
        """The upper side of epsilon at delta; infinite where a step had no noise.

        What only Opacus' own accountants know (alphas, eps_error, delta_error) is not looked at.
        """
        for name in ("alphas", "eps_error", "delta_error"):
            kwargs.pop(name, None)
        if any(sigma == 0.0 for sigma, _, _ in self.history):
            return math.inf
        return self.bracket(delta, **kwargs).upper

    def __len__(self) -> int:
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls) -> str:
        return "assay"

    def check(self, loader: Any) -> None:
        """Refuses a data loader that does not draw its batches as this accountant assumes.

        Raises:
            ValueError: the loader draws otherwise, or how it draws cannot be told.
        """
        phase = phase_of(loader)
        if phase is None:
            raise ValueError(
                f"how {type(loader).__name__} draws its batches is not known: use "
                "Opacus' Poisson sampling, assay.samplers, or torch's shuffle with batches that "
                "divide the data evenly"
            )
        if phase.sampling != self.sampling:
            raise ValueError(
                f"the data loader draws its batches by sampling {phase.sampling}, the accountant "
                f"accounts for {self.sampling}"
            )
        if phase.sampling == "fixed-size-without-replacement":
            given = None
            if self.dataset_size is not None and self.batch_size is not None:
                given = self.batch_size / self.dataset_size
            if given is None:
                raise ValueError(f"sampling {phase.sampling} needs batch_size and dataset_size")
            if given != phase.sampling_probability:
                raise ValueError(
                    f"the data loader's sampling probability is {phase.sampling_probability}, the "
                    f"accountant's {given}"
                )
        rate = 1.0 / len(loader)
        drawn = phase.sampling_probability if phase.sampling == "poisson" else rate
        if self._probabilities.setdefault(rate, float(drawn or 0.0)) != drawn:
            raise ValueError(
                f"two data loaders of {len(loader)} batches draw with other probabilities: Opacus "
                "does not tell their steps apart"
            )
        sizes = (phase.batch_size, phase.dataset_size)
        if phase.sampling == "fixed-size-with-replacement" and sizes != (
            self.batch_size,
            self.dataset_size,
        ):
            raise ValueError(
                f"the data loader draws {sizes[0]} of {sizes[1]} records, the accountant has "
                f"{self.batch_size} of {self.dataset_size}"
            )

    def begin_epoch(self) -> None:
        """Told by a data loader that was checked: its batches begin anew.

        Raises:
            ValueError: within an epoch of a sampler of whole epochs, whose records could take part
                once more than is accounted for.
        """
        entries = self._runs_of(self.history).entries
        if not entries or not entries[-1][0].is_epoch_sampler:
            return
        phase, steps = entries[-1]
        if steps % phase.batches_per_epoch != 0:
            raise ValueError(
                f"an epoch begins anew after {steps % phase.batches_per_epoch} of "
                f"{phase.batches_per_epoch} batches: sampling {phase.sampling} is accounted for by "
                "whole epochs"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        sizes = (self.batch_size, self.dataset_size)
        state = (list(self.history), dict(self._probabilities))
        return (_copied, (self.adjacency, self.sampling, *sizes, *state))

    def state_dict(self, destination: Any = None) -> Any:
        state = super().state_dict(destination)
        for name in ("adjacency", "sampling", "batch_size", "dataset_size"):
            state[name] = getattr(self, name)
        return state

    def load_state_dict(self, state_dict: Any) -> None:
        """Raises ValueError also where adjacency or sampler of the checkpoint are others."""
        if state_dict:
            for name in ("adjacency", "sampling", "batch_size", "dataset_size"):
                if name in state_dict and state_dict[name] != getattr(self, name):
                    raise ValueError(
                        f"{name} {state_dict[name]} in the checkpoint, {getattr(self, name)} here"
                    )
        super().load_state_dict(state_dict)
        self.history = [(float(s), float(q), int(n)) for s, q, n in self.history]


def _copied(
    adjacency: str,
    sampling: str,
    batch_size: Optional[int],
    dataset_size: Optional[int],
    history: list[tuple[float, float, int]],
    probabilities: dict[float, float],
) -> AssayAccountant:
    """An accountant with a history of its own, whatever is registered."""
    made = AssayAccountant(adjacency, sampling, batch_size=batch_size, dataset_size=dataset_size)
    made.history, made._probabilities = history, probabilities
    return made


def register(
    adjacency: str,
    sampling: str,
    *,
    batch_size: Optional[int] = None,
    dataset_size: Optional[int] = None,
) -> type[AssayAccountant]:
    """Makes `PrivacyEngine(accountant="assay")`, `make_private_with_epsilon` and
    `get_noise_multiplier(accountant="assay")` use `AssayAccountant` with these arguments; the last
    call counts. `PrivacyEngine.make_private` then checks its data loader against them.

    Returns the class that was registered; its constructor takes no arguments.
    """

    class Registered(AssayAccountant):
        def __init__(self) -> None:
            super().__init__(adjacency, sampling, batch_size=batch_size, dataset_size=dataset_size)

    Registered()  # refuses here what has no theorem
    Registered.__name__ = Registered.__qualname__ = "AssayAccountant"
    register_accountant("assay", Registered, force=True)
    return Registered


def _watch(drawn: Any, accountant: AssayAccountant) -> None:
    """From now on the accountant hears when these batches begin anew, also where Opacus'
    `BatchMemoryManager` splits them."""
    kind: Any = type(drawn)

    class Watched(kind):  # type: ignore[misc]
        watched = getattr(kind, "watched", kind)

        def __iter__(self) -> Any:
            accountant.begin_epoch()
            return super().__iter__()

    Watched.__name__ = Watched.__qualname__ = kind.__name__
    drawn.__class__ = Watched


def _check_loaders_of(engine: Any) -> None:
    """Wraps `make_private` of the class once: the loader it is about to return is checked."""
    prepare = engine._prepare_data_loader
    if hasattr(prepare, "checked_by_assay"):
        return

    @functools.wraps(prepare)
    def prepare_and_check(self: Any, *args: Any, **kwargs: Any) -> Any:
        loader = prepare(self, *args, **kwargs)
        if isinstance(self.accountant, AssayAccountant):
            self.accountant.check(loader)
            if self.accountant.sampling in EPOCH_SAMPLERS:
                _watch(loader.batch_sampler, self.accountant)
        return loader

    prepare_and_check.checked_by_assay = True  # type: ignore[attr-defined]
    engine._prepare_data_loader = prepare_and_check


_check_loaders_of(opacus.PrivacyEngine)
# Until `register` is called, the name is known and says what is missing.
register_accountant("assay", AssayAccountant, force=True)
