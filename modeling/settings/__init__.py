"""Every tuning constant of the default fitter: what it trades, and where its value comes from.

A constant that a paper or a theorem gives cites it. What the numbers of the search do was measured:

    python -m benchmarks.bench_settings --real FILE.jsonl
    python -m benchmarks.bench_settings --real FILE.jsonl --functions 6 --every 40

halve and double each of them alone (probabilities that sum to one are flattened and sharpened) and
print how many leading terms (lead, in %) and predictions within 2 % (within) are right on the
protocols of the papers, and the mean error in % on the held-out points of real series (error). The
docstrings quote differences to the values as they are: lead 79.0, within 63.1, error 14.5 on 420
functions and 445 series; in the short run lead 69.6, within 58.9, error 16.2 on 168 functions and
112 series, where a difference of 2.4 in one of the four protocols is one function. CPU time is
quoted where it changes by more than a third. "No effect" is what a constant should have around a
good value.

The settings are values: `fit(..., settings=Settings(...))` hands them down, and nothing reads or
writes a global. `ARITHMETIC` is no tuning: it says what double precision can resolve.

This room imports nothing of the package, so that every other may import it; `search.settings` hands
it on.
"""

from .arithmetic import ARITHMETIC, DERIVED, NORMAL_MEDIAN, UNIFORM, Arithmetic, Floats, at
from .choice import ExtrapolationSettings, RegimeSettings, SelectionSettings, TileSettings
from .fitter import DEFAULT, BatchSettings, Settings
from .lasso import LASSO, LassoSettings
from .limits import (
    ACTIVE_SET_ROUNDS,
    COLUMNS_KEPT,
    COUNTED_POINTS,
    COUNTED_SERIES,
    COUNTED_VALUES,
    DESIGNS_KEPT,
    FEWEST_FOR_THREADS,
    FORM_ROWS,
    MODELS_TOGETHER,
    MOST_FORM_POINTS,
    RANKINGS_KEPT,
)
from .noise import (
    RESOLUTION,
    BoundedNoiseSettings,
    DisturbanceSettings,
    NoiseSettings,
    ResolutionSettings,
)
from .prior import CoefficientSettings, DictionarySettings, HypothesisSettings
from .report import (
    CURVES,
    INTERVAL,
    CurveSettings,
    GoodnessSettings,
    IdentifiabilitySettings,
    IntervalSettings,
    ReportSettings,
)
from .search import BeamSettings, SeveralSettings, SingleSettings

__all__ = [
    "ACTIVE_SET_ROUNDS",
    "ARITHMETIC",
    "COLUMNS_KEPT",
    "COUNTED_POINTS",
    "COUNTED_SERIES",
    "COUNTED_VALUES",
    "CURVES",
    "DEFAULT",
    "DERIVED",
    "DESIGNS_KEPT",
    "FEWEST_FOR_THREADS",
    "FORM_ROWS",
    "INTERVAL",
    "LASSO",
    "MODELS_TOGETHER",
    "MOST_FORM_POINTS",
    "NORMAL_MEDIAN",
    "RANKINGS_KEPT",
    "RESOLUTION",
    "UNIFORM",
    "Arithmetic",
    "BatchSettings",
    "BeamSettings",
    "BoundedNoiseSettings",
    "CoefficientSettings",
    "CurveSettings",
    "DictionarySettings",
    "DisturbanceSettings",
    "ExtrapolationSettings",
    "Floats",
    "GoodnessSettings",
    "HypothesisSettings",
    "IdentifiabilitySettings",
    "IntervalSettings",
    "LassoSettings",
    "NoiseSettings",
    "RegimeSettings",
    "ReportSettings",
    "ResolutionSettings",
    "SelectionSettings",
    "Settings",
    "SeveralSettings",
    "SingleSettings",
    "TileSettings",
    "at",
]
