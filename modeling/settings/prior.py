"""What is believed of laws before anything is measured: factors, terms, coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arithmetic import Floats


@dataclass(frozen=True)
class DictionarySettings:
    """Factors x**i log2(x)**j that are tried, and how improbable each is beforehand (in nats).

    The order of simple before odd exponents is that of Reisert et al. (Euro-Par 2017, section 4.1:
    common, rare and exotic classes); the sizes of the steps are tuned.
    """

    denominators: tuple[float, ...] = (0.0, 1.0, 1.2, 1.8, 2.1)
    """Cost of powers i with denominator 1, 2, ...: high costs keep noise from choosing odd roots,
    low ones find them with fewer points. Measured: halved within -0.2, error +0.37; doubled lead
    -1.4, within -0.7, error -0.40."""
    other_denominator: float = 2.5
    """Cost of all other denominators, which only a known law brings in. Measured: no effect."""
    power: float = 0.35
    """Cost of each unit of |i| above 1: steep growth is rarer than slow growth. Measured: halved no
    effect; doubled lead -0.2, within -0.2."""
    logarithms: tuple[float, ...] = (0.0, 1.3, 2.3)
    """Cost of j = 0, 1, 2 beside a power. Measured: halved lead -1.2, within -1.0, error -0.11;
    doubled lead +0.5, within -0.2, error +2.17."""
    other_logarithm: float = 2.5
    """Cost of other powers of a logarithm beside a power. Measured: no effect."""
    pure_logarithms: tuple[float, ...] = (0.0, 0.0, 1.0)
    """Cost of log2(x)**j alone, j = 0, 1, 2. Measured: no effect."""
    other_pure_logarithm: float = 1.9
    """Cost of log2(x)**(1/2) and log2(x)**(3/2) alone. Measured: halved lead +0.7, within +0.7;
    doubled lead -0.2, within +0.2, error +0.07."""
    negative: float = 1.0
    """Cost of a falling power, beside that of its size. Measured: halved within +0.2, error -0.19;
    doubled within +0.2, error +0.72."""
    beside_falling: float = 1.0
    """Cost of each unit of a power above 1 in a law that also falls in the same parameter: what
    processes share falls, what they coordinate grows with their number at most, and where the
    largest point alone tells of it, any steep power does. Measured on 878 public series of 44
    applications: 0.5, 1 and 2 give a mean error of 17.80, 17.70 and 17.72 % instead of 17.96; 1
    gives 14.58 instead of 14.80 % on 339 series of 25 others that confirm it, and 9.6
    instead of 11.9 % for a + b/p + c log p of the hard shapes (seed 71)."""
    largest_whole: int = 4
    """Largest whole power: x**4 is the fastest growth of the protocols (Calotoiu et al., SC 2013,
    go to 3). Measured: halved lead +0.2; doubled lead -0.5, error +0.29."""
    largest_power: int = 3
    """Largest power with a denominator or with a logarithm (Calotoiu et al., SC 2013). Measured:
    halved lead -18.3, within -15.7, error -0.21; doubled error +0.18."""
    mixed_denominators: int = 4
    """Largest denominator beside a logarithm; more of them make the dictionary longer and a fit
    slower. Measured: halved lead -7.1, within -6.4, error +2.39; doubled error -1.52."""
    mixed_logarithms: tuple[int, ...] = (1, 2)
    """Powers of the logarithm beside a power (Calotoiu et al., SC 2013: J = {0, 1, 2}). Measured:
    halved lead -9.3, within -9.5; doubled lead -6.4, within -5.2, error +2.28."""
    half_logarithms: tuple[int, ...] = (1, 2, 3, 4)
    """Powers of a logarithm alone, in halves. Measured: halved lead -1.0, within -0.7, error +0.16;
    doubled lead -0.7, within -0.5."""
    falling: tuple[str, ...] = ("1/3", "1/2", "2/3", "1", "3/2", "2")
    """Falling powers 1 / x**i: strong scaling and surface-to-volume ratios."""


@dataclass(frozen=True)
class HypothesisSettings:
    """Prior over hypotheses: how many terms, a constant or none, interactions."""

    terms: tuple[float, ...] = (0.25, 0.4, 0.33, 0.02)
    """Probability of 0, 1, 2, 3 terms beside the constant, with one parameter. Real regions have
    one or two (Calotoiu et al., SC 2013, n = 2). Measured: flattened no effect; sharpened lead
    +0.2, within +0.2, error -0.10."""
    with_constant: float = 0.6
    """Probability of a constant beside the terms. Measured: halved lead -1.0, within -0.2, error
    -0.12."""
    plain_share: float = 0.25
    """Probability that all factors of a law of one parameter are plain (see `SingleSettings`): the
    parts of a program are more alike than factors drawn one by one."""
    several_terms: tuple[float, ...] = (0.2, 0.3, 0.25, 0.15, 0.07, 0.03)
    """Probability of 0, 1, ... terms with several parameters, the last one for each greater number.
    Measured: flattened lead +0.2; sharpened no effect."""
    interaction: float = 0.7
    """Cost in nats of each parameter beyond the first in a term: additive laws before products.
    Measured: halved no effect; doubled within -0.2."""
    disguised: float = 10.0
    """Cost of more distinct factors of a parameter than it has values, less one: such a hypothesis
    is a simpler one in disguise. Measured: no effect."""
    absent: float = -1.0
    """Log prior of each term of a fixed law that is left out because it may be too small to
    show."""
    wrong: float = 0.5
    """Probability that a fixed law is wrong, so that all others are averaged with it: equal odds,
    where nothing is known of how often such laws hold (Kass and Raftery, JASA 90, 1995, section 1).
    Measured: 0.2 and 0.05 are no better for right laws, and at 10 % noise leave 60 and 65 % of the
    models of wrong ones off by more than a quarter, 0.5 leaves 28 %."""
    near: float = 0.5
    """Probability that a wrong law is a neighbour of the right one, which differs in one place:
    equal odds, as for `wrong`. Measured: 0.8 does the same."""
    farthest: float = 1.0
    """How far off the power and the power of the logarithm of a neighbour are at most: what is
    overlooked or counted twice is mostly a loop or a logarithm."""
    doubted: float = 1.5
    """Log Bayes factor of the neighbours of a fixed law over it from which they count: positive
    evidence (Kass and Raftery, section 3.2, from 1.1 on), since with noise some of many neighbours
    fit better by chance. Measured at 20 % noise: with none, five points fewer of the models of
    right laws are within 10 %; at 5 % noise 2 finds up to 8 points fewer of the right laws beside
    wrong ones."""
    refuted: float = 3.0
    """Log Bayes factor against a prior from which it is dropped: 20, from where Kass and Raftery
    call evidence strong; what was believed with a probability of 95 % is then as probable as
    not."""
    most_tested: int = 3
    """Varying parameters up to which a prior is tested: with more the laws without it are too many
    to compare."""
    too_slow: float = 20.0
    """Cost of growing more slowly than a static lower bound. A penalty and no exclusion: a bound
    holds for all sizes, measured ones may be too small to show it."""

    @cached_property
    def log_right(self) -> float:
        """Log prior of a fixed law."""
        return float(np.log1p(-self.wrong))

    @cached_property
    def log_wrong(self) -> float:
        """Log prior of all others beside it."""
        return float(np.log(self.wrong))

    @cached_property
    def log_near(self) -> float:
        """Log prior of the neighbours of a law that is wrong."""
        return float(np.log(self.near))

    @cached_property
    def log_not_near(self) -> float:
        """Log prior of all others beside them."""
        return float(np.log1p(-self.near))

    @cached_property
    def log_terms(self) -> Floats:
        """Log prior of the number of terms beside the constant."""
        return np.log(self.terms)

    @cached_property
    def log_several_terms(self) -> Floats:
        """The same with several parameters."""
        return np.log(self.several_terms)

    @cached_property
    def log_constant(self) -> Floats:
        """Log prior of a hypothesis without and with a constant."""
        return np.log([1 - self.with_constant, self.with_constant])


@dataclass(frozen=True)
class CoefficientSettings:
    """Prior over coefficients, and the fit of their logarithmic residuals."""

    log_range: float = 12.0
    """Width L in nats of the log-uniform prior over the magnitude of a coefficient: a ratio of
    e**12 = 160 000. Each term pays log L as part of its Occam factor (MacKay, Neural Computation 4,
    1992), so a larger one keeps models smaller. Measured: halved lead +0.5, within -0.7, error
    +0.13; doubled lead -0.2, within +0.7."""
    negative: float = 0.02
    """Prior probability that a coefficient is negative: costs mostly add up. Measured: no
    effect."""
    closest: float = 1e-3
    """Values of a linear fit below this much of the observation count as that in the first
    Gauss-Newton step, which would otherwise leave the range of logarithms. Measured: no effect."""
    bounds: tuple[float, float] = (0.3, 3.0)
    """The same for the scale of the residuals, as factors of the observation: narrower converges
    more safely, wider faster. Measured: halved no effect; doubled error +0.09."""
    step: float = 1.0
    """Longest Gauss-Newton step in a logarithm. Measured: halved no effect; doubled error -0.05."""

    @cached_property
    def log_width(self) -> float:
        """log L, what each term pays."""
        return float(np.log(self.log_range))
