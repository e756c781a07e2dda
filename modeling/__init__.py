"""Measurements -> models in the performance model normal form; knows nothing of compilers and processes."""

from .errors import DataError, InputError, ModelingError
from .fitting import fit
from .measurements import Measurements, Series, Statistics
from .methods import METHODS
from .model import Model, Models, Quality, Rival
from .online import OnlineFitter
from .readers import READERS, read
from .terms import Prior, Term, grows_faster

__all__ = ["METHODS", "READERS", "DataError", "InputError", "Measurements", "Model", "ModelingError", "Models", "OnlineFitter",
           "Prior", "Quality", "Rival", "Series", "Statistics", "Term", "fit", "grows_faster", "read"]

