"""What a fork imports is there for the next one.

Commands import what they need when they need it. In a fork that is gone when it ends, and the next
one imports it again, which takes longer than most commands work.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
from types import ModuleType
from typing import Self

from .places import ROOT

_PLACES = tuple(
    f"{folder}{os.sep}"
    for folder in (
        *{os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix)},
        *{os.path.realpath(path) for path in sys.path if path.endswith("site-packages")},
        *(
            ROOT / name
            for name in ("looplaw", "looplaw_common", "modeling", "runtime", "staticana")
        ),
    )
)
"""Where modules lie that are shared; those from elsewhere belong to one test."""


class SharedImports:
    """Around a fork and the wait for its end: what the fork has imported, this process imports."""

    def __enter__(self) -> Self:
        self._names = tempfile.TemporaryFile()
        self._before = frozenset(sys.modules)
        return self

    def tell(self) -> None:
        """In the fork, at its end."""
        names = [
            name
            for name, module in tuple(sys.modules.items())
            if name not in self._before and _is_shared(module)
        ]
        os.write(self._names.fileno(), "\n".join(names).encode())

    def __exit__(self, *_: object) -> None:
        with self._names as stream:
            stream.seek(0)
            for name in stream.read().decode().split():
                with contextlib.suppress(Exception):  # the next fork will say so
                    importlib.import_module(name)


def _is_shared(module: ModuleType) -> bool:
    place = getattr(module, "__file__", None)
    return place is not None and os.path.realpath(place).startswith(_PLACES)
