"""All constants of the default fitter."""

from __future__ import annotations

from dataclasses import dataclass, field

from .choice import ExtrapolationSettings, RegimeSettings, SelectionSettings, TileSettings
from .noise import BoundedNoiseSettings, DisturbanceSettings, NoiseSettings
from .prior import CoefficientSettings, DictionarySettings, HypothesisSettings
from .report import GoodnessSettings, IdentifiabilitySettings, ReportSettings
from .search import BeamSettings, SeveralSettings, SingleSettings


@dataclass(frozen=True)
class BatchSettings:
    """How many series are sampled and modelled at a time, and where laws are compared."""

    most_parameters: int = 10
    """Most varying parameters of a series; their products would fill the memory. Measured: no
    effect (short run)."""
    far: tuple[float, ...] = (2.0, 4.0)
    """Multiples of the largest values at which models are compared (the protocols of the papers ask
    at these); the last one decides which term leads. Measured: halved within -0.6, error -0.65;
    doubled error -0.21 (short run)."""
    farther: tuple[float, ...] = (64.0,)
    """Multiples at which a law must not be negative either. Measured: no effect (short run)."""
    sample: tuple[int, ...] = (24, 48, 48, 24)
    """Series of a metric that tell its noise, with 0, 1, 2, ... varying parameters: their
    distribution is known to a seventh from about fifty, and each costs as much as six other
    series. Measured: 128 with one parameter no effect on real sets."""
    chunk: tuple[int, ...] = (256, 8192, 1024, 256)
    """Series modelled at a time, with 0, 1, 2, ... varying parameters and the usual points.
    Measured: with 16384 of one parameter arrays are so large that each takes new pages of memory,
    which costs 4 % of the time."""
    usual_points: int = 125
    """Points (5 x 5 x 5) up to which a chunk keeps its size. Measured: no effect (short run)."""
    block: int = 1 << 19
    """Values of candidates held at a time: 4 MB of doubles. Measured: no effect (short run)."""
    usual_share: float = 1.0
    """Share of the mean magnitude that noise is at least relative to where values are not all
    positive: small counts beside zeros scatter by their mean, and 1/2 lets the zeros decide
    (measured on real counts: error 12.3 instead of 10.6 %)."""


@dataclass(frozen=True)
class Settings:
    """All constants of the default fitter."""

    dictionary: DictionarySettings = field(default_factory=DictionarySettings)
    """Prior over factors."""
    hypotheses: HypothesisSettings = field(default_factory=HypothesisSettings)
    """Prior over hypotheses."""
    coefficients: CoefficientSettings = field(default_factory=CoefficientSettings)
    """Prior over coefficients."""
    noise: NoiseSettings = field(default_factory=NoiseSettings)
    """Noise levels and their prior."""
    bounded: BoundedNoiseSettings = field(default_factory=BoundedNoiseSettings)
    """Bounded noise."""
    disturbances: DisturbanceSettings = field(default_factory=DisturbanceSettings)
    """Disturbed repetitions."""
    extrapolation: ExtrapolationSettings = field(default_factory=ExtrapolationSettings)
    """Local log-log extrapolation."""
    beam: BeamSettings = field(default_factory=BeamSettings)
    """Beam search."""
    single: SingleSettings = field(default_factory=SingleSettings)
    """Search with one parameter."""
    several: SeveralSettings = field(default_factory=SeveralSettings)
    """Search with several parameters."""
    selection: SelectionSettings = field(default_factory=SelectionSettings)
    """Fits and choice."""
    regimes: RegimeSettings = field(default_factory=RegimeSettings)
    """Changes of regime."""
    tiles: TileSettings = field(default_factory=TileSettings)
    """Work in whole tiles."""
    identifiability: IdentifiabilitySettings = field(default_factory=IdentifiabilitySettings)
    """Identifiability."""
    goodness: GoodnessSettings = field(default_factory=GoodnessSettings)
    """Goodness of fit."""
    report: ReportSettings = field(default_factory=ReportSettings)
    """Rivals and weights shown."""
    batch: BatchSettings = field(default_factory=BatchSettings)
    """Sizes of batches and samples."""


DEFAULT = Settings()
