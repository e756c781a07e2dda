"""Which source files belong to the compiler or the system, not to the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import Location, Module

_SYSTEM = re.compile(
    r"/usr/(?:local/)?(?:include|lib(?:32|64|exec)?|share)/"
    r"|library/(?:core|alloc|std)/src/"  # Rust's own, relative
    r"|.*(?:/include/c\+\+/|/c\+\+/v1/|/c\+\+/\d|ziglang/lib/|/lib/clang/|/rustc/"
    r"|/staticana/frontend/gpu/include/)"
)


def is_system_file(path: str) -> bool:
    """Is it a header or source of the compiler, of its libraries or of the system? `path` may have
    a line and column behind it."""
    return _SYSTEM.match(path) is not None


def own_location(module: Module, node: str | None) -> Location | None:
    """The place of a DILocation in the program's own files: what is inlined from a header of a
    library stands where that is called. None where there is none."""
    while node is not None:
        at = module.location(node)
        if at is not None and not is_system_file(at.file):
            return at
        node = module.metadata_field(node, "inlinedAt")
    return None
