"""Less work for the collector of circles of references, where what is made stays."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_COMMAND = (100_000, 20, 100)
"""Objects and collections after which a command's garbage is collected: it loads 50,000 objects
that stay, which Python's own (700, 10, 10) goes through a dozen times."""


def collect_rarely() -> None:
    """For a process that is one command and ends after it: garbage is looked for rarely, and not
    at the end, when the system takes back all memory. A fifth of a short command's time."""
    gc.set_threshold(*_COMMAND)
    atexit.register(gc.freeze)


@contextmanager
def without_collection() -> Iterator[None]:
    """Without the collector of cycles: what an analysis makes lives as long as the analysis, so
    that looking for garbage finds none and takes a sixth of the time. Reference counts still free
    what is dropped."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # among the old from now on: the next collection of the young would look at them all
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
