"""How much is tried, kept and computed at a time."""

from __future__ import annotations

COUNTED_POINTS = 3
"""Fewest points of counts that a formula is searched for: a constant, and two that confirm it."""
COUNTED_VALUES = 3
"""Fewest values of a parameter that a formula has it from."""
COUNTED_SERIES = 2000
"""Series of counts that are searched, some minutes; those beyond stay fitted."""
FORM_ROWS = 128
"""Series whose errors are computed at a time, so that (rows x hypotheses) stay in the cache: a
matter of speed, not of results."""
MOST_FORM_POINTS = 12
"""Points of a line up to which errors along it come from packed quadratic forms, P (P + 1) / 2
numbers a hypothesis; with more, what the bases leave of values takes less memory. A matter of
speed, not of results."""
FEWEST_FOR_THREADS = 4
"""Series from which a product with all hypotheses is large enough for libraries to share it among
threads: a matter of speed, not of results."""
MODELS_TOGETHER = 1024
"""Models made at a time by those who look at all, a column of each field: a matter of speed, not of
results."""
COLUMNS_KEPT = 8
"""Values of a parameter whose factors are kept: a matter of speed, not of results."""
DESIGNS_KEPT = 8
"""Sets of points whose tables and hypotheses are kept for further series: a matter of speed, not of
results."""
RANKINGS_KEPT = 96
"""Weights for which the factored hypotheses of one size are kept, a quarter of a megabyte each with
five points: those of a sample of series under every noise profile. A matter of speed, not of
results."""
ACTIVE_SET_ROUNDS = 50
"""Rounds for each coefficient of non-negative least squares before a trust region takes over;
scipy's own limit is 3, which near-parallel rows exceed."""
