"""Bounds of loops out, for those who verify: CBMC, OTAWA, TACLeBench.

An exporter is one function in a file here, from the bounds of the loops to a text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .flow_facts import flow_facts
from .loop_bounds import LoopBound, loop_bounds
from .loop_pragmas import loop_pragmas
from .unwindset import unwindset

EXPORTERS: Mapping[str, Callable[[Sequence[LoopBound]], str]] = {
    "unwindset": unwindset,
    "flowfacts": flow_facts,
    "loopbound": loop_pragmas,
}
"""What `looplaw analyze --export` writes, by name."""

__all__ = ["EXPORTERS", "LoopBound", "loop_bounds"]
