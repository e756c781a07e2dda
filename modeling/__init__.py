"""Measurements -> models in the performance model normal form; knows nothing of compilers and
processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looplaw_common.errors import DataError, InputError, LooplawError
from looplaw_common.lazy import exported

if TYPE_CHECKING:
    from .data.aggregate import Aggregate, Layout
    from .data.measurements import Measurements, Series, Statistics, independent
    from .data.parameter_roles import processes_of, scaling_of
    from .data.reductions import cost, efficiency, reduced, speedup
    from .fitter.estimator import PerformanceModel
    from .fitter.fit import fit
    from .fitter.pooling import pool_noise, sampled
    from .methods import METHODS
    from .pmnf.known_laws import known_law, prior_of
    from .pmnf.model import Model, Models, Quality, Rival
    from .pmnf.model_forms import (
        Change,
        GrowthComparison,
        changes,
        compare_growth,
        derivative,
        faster,
        to_latex,
        to_sympy,
    )
    from .pmnf.terms import Prior, Term, grows_faster, growth_in
    from .readers import READERS, read, read_files
    from .readers.statistics import write_statistics
    from .stream.drift import Drift, DriftDetector
    from .stream.online import OnlineFitter
    from .stream.segments import Segment, segments

__all__ = [
    "METHODS",
    "READERS",
    "Aggregate",
    "Change",
    "DataError",
    "Drift",
    "DriftDetector",
    "GrowthComparison",
    "InputError",
    "Layout",
    "LooplawError",
    "Measurements",
    "Model",
    "Models",
    "OnlineFitter",
    "PerformanceModel",
    "Prior",
    "Quality",
    "Rival",
    "Segment",
    "Series",
    "Statistics",
    "Term",
    "changes",
    "compare_growth",
    "cost",
    "derivative",
    "efficiency",
    "faster",
    "fit",
    "grows_faster",
    "growth_in",
    "independent",
    "known_law",
    "pool_noise",
    "prior_of",
    "processes_of",
    "read",
    "read_files",
    "reduced",
    "sampled",
    "scaling_of",
    "segments",
    "speedup",
    "to_latex",
    "to_sympy",
    "write_statistics",
]

_MODULES = {
    ".data.aggregate": ("Aggregate", "Layout"),
    ".stream.drift": ("Drift", "DriftDetector"),
    ".fitter.estimator": ("PerformanceModel",),
    ".fitter.fit": ("fit",),
    ".fitter.pooling": ("pool_noise", "sampled"),
    ".pmnf.model_forms": (
        "Change",
        "GrowthComparison",
        "changes",
        "compare_growth",
        "derivative",
        "faster",
        "to_latex",
        "to_sympy",
    ),
    ".pmnf.known_laws": ("known_law", "prior_of"),
    ".data.measurements": ("Measurements", "Series", "Statistics", "independent"),
    ".methods": ("METHODS",),
    ".pmnf.model": ("Model", "Models", "Quality", "Rival"),
    ".stream.online": ("OnlineFitter",),
    ".readers": ("READERS", "read", "read_files"),
    ".readers.statistics": ("write_statistics",),
    ".data.reductions": ("cost", "efficiency", "reduced", "speedup"),
    ".data.parameter_roles": ("processes_of", "scaling_of"),
    ".stream.segments": ("Segment", "segments"),
    ".pmnf.terms": ("Prior", "Term", "grows_faster", "growth_in"),
}

__getattr__, __dir__ = exported(globals(), _MODULES)
