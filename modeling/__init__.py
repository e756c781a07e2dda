"""Measurements -> models in the performance model normal form; knows nothing of compilers and processes."""

from .aggregate import Aggregate, Layout
from .errors import DataError, InputError, ModelingError
from .estimator import PerformanceModel
from .fitting import fit, noise_levels, sampled
from .growth import Change, changes, derivative, faster, to_latex, to_sympy
from .measurements import Measurements, Series, Statistics
from .methods import METHODS
from .model import Model, Models, Quality, Rival
from .online import OnlineFitter
from .readers import READERS, read
from .readers.statistics import write_statistics
from .reduce import cost, efficiency, reduced, speedup
from .segments import Segment, segments
from .terms import Prior, Term, grows_faster, growth_in

__all__ = ["METHODS", "READERS", "Aggregate", "Change", "DataError", "InputError", "Layout", "Measurements",
           "Model", "ModelingError",
           "Models", "OnlineFitter", "PerformanceModel", "Prior", "Quality", "Rival", "Segment", "Series",
           "Statistics", "Term", "changes", "cost", "derivative", "efficiency", "faster", "fit",
           "grows_faster", "growth_in", "noise_levels", "read", "reduced", "sampled", "segments", "speedup", "to_latex",
           "to_sympy", "write_statistics"]
