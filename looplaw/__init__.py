"""Performance laws of compiled loops: static analysis, instrumented runs, models, and how they compare."""

from __future__ import annotations

import importlib
from pathlib import Path

__version__ = "0.1.0"

_HOME = Path(__file__).resolve().parent.parent


def _check_packages() -> None:
    """`runtime` and `modeling` are common words: make sure that they are ours and not a folder that hides them."""
    for name in ("staticana", "modeling", "runtime"):
        found = importlib.import_module(name)
        where = Path(found.__file__ or "").resolve().parent if found.__file__ else Path(next(iter(found.__path__)))
        if where.parent != _HOME:
            raise ImportError(f"the package {name} of looplaw is hidden by {where}; rename that folder or run elsewhere")


_check_packages()

from .finished import Study  # noqa: E402  (only once the packages are known to be ours)
from .jitted import analyze  # noqa: E402

__all__ = ["Study", "__version__", "analyze"]
