"""Which source files belong to the compiler or the system, not to the program."""

from __future__ import annotations

import re

_SYSTEM = re.compile(
    r"/usr/(?:local/)?(?:include|lib(?:32|64|exec)?|share)/"
    r"|library/(?:core|alloc|std)/src/"  # Rust's own, relative
    r"|.*(?:/include/c\+\+/|/c\+\+/v1/|/c\+\+/\d|ziglang/lib/|/lib/clang/|/rustc/)"
)


def is_system_file(path: str) -> bool:
    """Is it a header or source of the compiler, of its libraries or of the system? `path` may have
    a line and column behind it."""
    return _SYSTEM.match(path) is not None
