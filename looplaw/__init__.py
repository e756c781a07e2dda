"""Performance laws of compiled loops: static analysis, instrumented runs, models, and how they
compare."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import Study
    from .numba_analysis import analyze

__all__ = ["Study", "__version__", "analyze"]

_HOME = Path(__file__).resolve().parent.parent
_MODULES = {"Study": "api", "analyze": "numba_analysis"}


def _check_packages() -> None:
    """`runtime` and `modeling` are common words: make sure that they are ours and not a folder that
    hides them. They are looked up, not imported, which would take a second."""
    for name in ("looplaw_common", "staticana", "modeling", "runtime"):
        found = importlib.util.find_spec(name)
        where = (
            next(iter(found.submodule_search_locations or [found.origin or ""]), "")
            if found
            else "nothing"
        )
        if Path(where).resolve().parent != _HOME:
            raise ImportError(
                f"the package {name} of looplaw is hidden by {where}; rename that folder or run"
                " elsewhere"
            )


_check_packages()

from looplaw_common.version import __version__  # noqa: E402  not before it is known to be ours


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
