"""Measurements -> models in the performance model normal form; knows nothing of compilers and processes."""

from .aggregate import Aggregate, Layout
from .drift import Drift, DriftDetector
from .errors import DataError, InputError, ModelingError
from .estimator import PerformanceModel
from .fitting import fit, noise_levels, sampled
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
from .segments import Segment, segments
from .terms import Prior, Term, grows_faster, growth_in

__all__ = ["METHODS", "READERS", "Aggregate", "Change", "DataError", "Drift", "DriftDetector", "Growth", "InputError",
           "Layout", "Measurements", "Model", "ModelingError", "Models", "OnlineFitter", "PerformanceModel", "Prior",
           "Quality", "Rival", "Segment", "Series", "Statistics", "Term", "changes", "compare_growth", "cost",
           "derivative", "efficiency", "faster", "fit", "grows_faster", "growth_in", "independent", "known_law",
           "noise_levels", "prior_of", "processes_of", "read", "read_files", "reduced", "sampled", "scaling_of",
           "segments", "speedup", "to_latex", "to_sympy", "write_statistics"]
