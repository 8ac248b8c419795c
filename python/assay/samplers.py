"""Samplers of batches: exact distributions, as numpy index arrays, each with the phase that it is
accounted for as.

    batches = assay.samplers.poisson(dataset_size=60_000, batch_size=256)
    for indices in batches.iterate(steps=1000, ledger=ledger, noise_multiplier=1.1):
        ...

A step's batch depends on the seed and on the number of the step alone. The seed is a secret: who
knows it knows the batches, and no amplification by sampling holds against them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import _arguments as arguments
from . import _core
from ._release import Phase

if not hasattr(_core, "BatchSampler"):
    raise ImportError(
        "assay was built without Random123, which assay.samplers needs: install its headers "
        "(librandom123-dev on Debian), then assay again"
    )

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from .ledger import Filter, Ledger

__all__ = [
    "Batches",
    "balls_and_bins",
    "deterministic",
    "fixed_size",
    "fixed_size_with_replacement",
    "poisson",
    "shuffle",
]


class Batches:
    """The batches of one sampler, in the order of their steps.

    Attributes:
        phase: what the accountants take for it: a `Phase` of one step (of one epoch, for samplers
            of whole epochs) whose noise is open.
        dataset_size, batch_size: of which the latter is expected, for Poisson sampling and
            balls-and-bins.
        step: the number of the next batch; set it to go on with an interrupted run.
    """

    def __init__(
        self, sampling: str, dataset_size: int, batch_size: int, seed: Optional[int]
    ) -> None:
        self.dataset_size = arguments.integer("dataset_size", dataset_size)
        self.batch_size = arguments.integer("batch_size", batch_size)
        self._seed = arguments.seed(seed)
        self._native = _core.BatchSampler(sampling, self.dataset_size, self.batch_size, self._seed)
        self.phase = Phase(*self._native.phase())
        self.step = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._native = _core.BatchSampler(
            self.phase.sampling, self.dataset_size, self.batch_size, self._seed
        )

    @property
    def batches_per_epoch(self) -> int:
        """ceil(dataset_size / batch_size)"""
        return self._native.batches_per_epoch()

    def batch(self, step: int) -> NDArray[np.int64]:
        """The indices of one step's batch, from 0, an array of shape (size,); with replacement an
        index may stand several times."""
        return self._native.draw(arguments.integer("step", step))

    def iterate(
        self,
        steps: Optional[int] = None,
        *,
        ledger: Optional[Ledger] = None,
        guard: Optional[Filter] = None,
        noise_multiplier: Optional[float] = None,
    ) -> Iterator[NDArray[np.int64]]:
        """The next batches, an epoch of them by default.

        Args:
            ledger: gets this sampler's phase with every batch that is handed out.
            guard: a filter that is asked before; its refusal ends the iteration.
            noise_multiplier: what the batch is released with; needed with either of them.
        """
        if noise_multiplier is None and (ledger is not None or guard is not None):
            raise ValueError("noise_multiplier is missing: a ledger or a filter needs it")
        if ledger is not None and self.phase.is_epoch_sampler:
            here, there = self.step % self.batches_per_epoch, ledger._runs.within_epoch()
            if here != there:
                raise ValueError(
                    f"{here} batches of this epoch were handed out, and the ledger has {there} of "
                    f"its last one: sampling {self.phase.sampling} is accounted for by whole epochs"
                )
        for _ in range(self.batches_per_epoch if steps is None else steps):
            if noise_multiplier is not None:
                if guard is not None and not guard.admit(
                    phase=self.phase, noise_multiplier=noise_multiplier
                ):
                    return
                if ledger is not None:
                    ledger.step(phase=self.phase, noise_multiplier=noise_multiplier)
            indices = self.batch(self.step)
            self.step += 1
            yield indices

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return self.iterate()

    def __len__(self) -> int:
        return self.batches_per_epoch

    def torch(self) -> Any:
        """The same as a `torch.utils.data.Sampler` of batches, an epoch of steps an iteration:
        `DataLoader(data, batch_sampler=batches.torch())`. It keeps `phase`, by which `assay.opacus`
        recognises it."""
        from torch.utils.data import Sampler

        outer = self

        class TorchBatches(Sampler[list[int]]):  # type: ignore[misc]
            phase = outer.phase

            def __iter__(self) -> Iterator[list[int]]:
                for indices in outer:
                    yield indices.tolist()

            def __len__(self) -> int:
                return len(outer)

        return TorchBatches()

    def __repr__(self) -> str:
        return f"Batches({self.phase.sampling}, {self.batch_size} of {self.dataset_size})"


def poisson(*, dataset_size: int, batch_size: int, seed: Optional[int] = None) -> Batches:
    """Every record by itself, with probability batch_size / dataset_size.

    >>> import assay
    >>> batches = assay.samplers.poisson(dataset_size=1000, batch_size=10, seed=1)
    >>> batches.phase.sampling_probability, len(batches)
    (0.01, 100)
    >>> ledger = assay.ledger.Ledger("add-remove")
    >>> sizes = [len(b) for b in batches.iterate(50, ledger=ledger, noise_multiplier=1.0)]
    >>> ledger.spent == assay.Release("add-remove").poisson(
    ...     noise_multiplier=1.0, sampling_probability=0.01, steps=50)
    True
    """
    return Batches("poisson", dataset_size, batch_size, seed)


def fixed_size(*, dataset_size: int, batch_size: int, seed: Optional[int] = None) -> Batches:
    """A uniform subset of batch_size records at every step."""
    return Batches("fixed-size-without-replacement", dataset_size, batch_size, seed)


def fixed_size_with_replacement(
    *, dataset_size: int, batch_size: int, seed: Optional[int] = None
) -> Batches:
    """batch_size independent uniform records at every step."""
    return Batches("fixed-size-with-replacement", dataset_size, batch_size, seed)


def balls_and_bins(*, dataset_size: int, batch_size: int, seed: Optional[int] = None) -> Batches:
    """In every epoch each record goes to one of its batches, uniformly and independently."""
    return Batches("balls-and-bins", dataset_size, batch_size, seed)


def shuffle(*, dataset_size: int, batch_size: int, seed: Optional[int] = None) -> Batches:
    """In every epoch the records are permuted uniformly and cut into batches."""
    return Batches("shuffle", dataset_size, batch_size, seed)


def deterministic(*, dataset_size: int, batch_size: int) -> Batches:
    """The records cut into batches in the order in which they stand."""
    return Batches("deterministic", dataset_size, batch_size, 0)
