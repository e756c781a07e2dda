"""Work that makes much which stays, without the collector of circles of references."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
