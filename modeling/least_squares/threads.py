"""One thread for the matrix products of a fit.

Products of a few rows with thousands of hypotheses take microseconds; a second thread costs more in
waiting than it saves, and other processes of the machine want it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np  # noqa: F401  the controller sees libraries that are loaded
from threadpoolctl import ThreadpoolController

from ..settings import FEWEST_FOR_THREADS


@contextmanager
def one_blas_thread(problems: int) -> Iterator[None]:
    """While the block runs, products of so many series at a time are computed by one thread; few
    are never shared among threads."""
    if problems < FEWEST_FOR_THREADS:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
