"""The search methods of the papers, for comparison with the default modeler: each is one file and
one entry here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..data.measurements import Series
from ..pmnf.model import Model
from ..pmnf.terms import Prior
from .exhaustive import exhaustive
from .golden import golden_section
from .hierarchical import hierarchical
from .lasso import lasso
from .refinement import refinement

Method = Callable[[Series, Prior], Model]

METHODS: Mapping[str, Method] = {
    "exhaustive": exhaustive,
    "golden": lambda series, prior: hierarchical(series, prior, golden_section),
    "refinement": lambda series, prior: hierarchical(series, prior, refinement),
    "lasso": lasso,
}
"""Name -> method; with several parameters golden-section search and refinement are combined
hierarchically."""

__all__ = ["METHODS", "Method"]
