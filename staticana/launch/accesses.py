"""What a warp touches of memory: sectors, lines and banks of each access."""

from __future__ import annotations

from ..results import Access
from .laws import LaunchLaws


def accesses_of(threads: LaunchLaws) -> tuple[tuple[Access, ...], tuple[str, ...]]:
    """The accesses of a kernel, and the branches on which its lanes part."""
    return (), ()
