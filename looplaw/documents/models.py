"""The JSON documents "looplaw-models/1" and "looplaw-clusters/1": models, and classes of ranks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import msgspec

from looplaw_common.documents import convert
from modeling.pmnf.documents import ModelDocument, ModelsDocument

from .count import Params

if TYPE_CHECKING:
    from modeling.rank_classes.class_models import DivergingKernel

MODELS: Literal["looplaw-models/1"] = "looplaw-models/1"
CLUSTERS: Literal["looplaw-clusters/1"] = "looplaw-clusters/1"


class SizeLawDocument(msgspec.Struct, frozen=True):
    """How the number of ranks in a class grows."""

    formula: str
    order: str
    exact: bool


class RankClassDocument(msgspec.Struct, frozen=True):
    """Ranks that behave alike: how many there are in each experiment, and a model per metric."""

    name: str
    sizes: tuple[int, ...]
    size_law: SizeLawDocument | None
    models: tuple[ModelDocument, ...]


class ExperimentDocument(msgspec.Struct, frozen=True):
    """A parameter vector at which ranks were measured; matched: do its clusters stand for those of
    the other experiments?"""

    params: Params
    ranks: int
    clusters: int
    matched: bool


class KernelClasses(msgspec.Struct, frozen=True):
    """A kernel, the classes of its ranks, and models of the imbalance (largest over mean)."""

    callpath: str
    by: tuple[str, ...]
    classes: tuple[RankClassDocument, ...]
    experiments: tuple[ExperimentDocument, ...]
    imbalance: tuple[ModelDocument, ...]

    @property
    def diverges(self) -> bool:
        """Do its ranks fall into several classes anywhere?"""
        return max((e.clusters for e in self.experiments), default=0) > 1


class FittedDocument(ModelsDocument, frozen=True):
    """Models as `looplaw fit` writes them: with --ranks, with the classes that they belong to."""

    kernels: tuple[KernelClasses, ...] = ()


class ClustersDocument(msgspec.Struct, frozen=True):
    """What `looplaw clusters --json` writes."""

    format: Literal["looplaw-clusters/1"]
    kernels: tuple[KernelClasses, ...]


def kernel_classes(kernels: Iterable[DivergingKernel]) -> tuple[KernelClasses, ...]:
    """The documents of kernels whose ranks were clustered."""
    return tuple(convert(k.to_json(), KernelClasses, k.callpath) for k in kernels)


__all__ = [
    "CLUSTERS",
    "MODELS",
    "ClustersDocument",
    "FittedDocument",
    "KernelClasses",
    "ModelDocument",
    "ModelsDocument",
    "kernel_classes",
]
