"""Tests of how the cost of Python functions grows:
`assert scaling(sort, n=[...], make=data).grows_no_faster_than("n*log2(n)")`."""

from .counters import COUNTERS, count_instructions, count_lines, count_time
from .growth import Scaling, scaling

__all__ = ["COUNTERS", "Scaling", "count_instructions", "count_lines", "count_time", "scaling"]
