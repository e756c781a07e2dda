"""Tests of how the cost of Python functions grows:
`assert scaling(sort, n=[...], make=data).grows_no_faster_than("n*log2(n)")`.

pytest loads this package in every run, since it is installed as a plugin: what counts and fits is
imported where a test asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from looplaw_common.lazy import exported

if TYPE_CHECKING:
    from .counters import COUNTERS, count_instructions, count_lines, count_time
    from .growth import Scaling, scaling

__all__ = ["COUNTERS", "Scaling", "count_instructions", "count_lines", "count_time", "scaling"]

__getattr__, __dir__ = exported(
    globals(),
    {
        ".counters": ("COUNTERS", "count_instructions", "count_lines", "count_time"),
        ".growth": ("Scaling", "scaling"),
    },
)
