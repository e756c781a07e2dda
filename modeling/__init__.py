"""Measurements -> models in the performance model normal form; knows nothing of compilers and processes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .aggregate import Aggregate, Layout
    from .drift import Drift, DriftDetector
    from .errors import DataError, InputError, ModelingError
    from .estimator import PerformanceModel
    from .fitting import fit, sampled, shared_by
    from .growth import Change, Growth, changes, compare_growth, derivative, faster, to_latex, to_sympy
    from .known import known_law, prior_of
    from .measurements import Measurements, Series, Statistics
    from .methods import METHODS
    from .model import Model, Models, Quality, Rival
    from .online import OnlineFitter
    from .readers import READERS, read, read_files
    from .readers.statistics import write_statistics
    from .reduce import cost, efficiency, reduced, speedup
    from .roles import independent, processes_of, scaling_of
    from .segmentation import Segment, segments
    from .terms import Prior, Term, grows_faster, growth_in

__all__ = ["METHODS", "READERS", "Aggregate", "Change", "DataError", "Drift", "DriftDetector", "Growth", "InputError",
           "Layout", "Measurements", "Model", "ModelingError", "Models", "OnlineFitter", "PerformanceModel", "Prior",
           "Quality", "Rival", "Segment", "Series", "Statistics", "Term", "changes", "compare_growth", "cost",
           "derivative", "efficiency", "faster", "fit", "grows_faster", "growth_in", "independent", "known_law",
           "prior_of", "processes_of", "read", "read_files", "reduced", "sampled", "scaling_of",
           "segments", "shared_by", "speedup", "to_latex", "to_sympy", "write_statistics"]

_MODULES = {
    "aggregate": ("Aggregate", "Layout"),
    "drift": ("Drift", "DriftDetector"),
    "errors": ("DataError", "InputError", "ModelingError"),
    "estimator": ("PerformanceModel",),
    "fitting": ("fit", "sampled", "shared_by"),
    "growth": ("Change", "Growth", "changes", "compare_growth", "derivative", "faster", "to_latex", "to_sympy"),
    "known": ("known_law", "prior_of"),
    "measurements": ("Measurements", "Series", "Statistics"),
    "methods": ("METHODS",),
    "model": ("Model", "Models", "Quality", "Rival"),
    "online": ("OnlineFitter",),
    "readers": ("READERS", "read", "read_files"),
    "readers.statistics": ("write_statistics",),
    "reduce": ("cost", "efficiency", "reduced", "speedup"),
    "roles": ("independent", "processes_of", "scaling_of"),
    "segmentation": ("Segment", "segments"),
    "terms": ("Prior", "Term", "grows_faster", "growth_in"),
}
"""Modules and what is exported of each; they are imported when something of them is asked for (PEP 562)."""

_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
