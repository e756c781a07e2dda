"""Packages that few tests use are imported by those tests alone: a process that has them all is
slow to start, and slow to fork.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest


class Package:
    """A package that is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith(("_", "pytest")):  # pytest asks everything it finds in a module
            raise AttributeError(attribute)
        return getattr(importlib.import_module(self._name), attribute)


def needs(*names: str, reason: str | None = None) -> pytest.MarkDecorator:
    """Skips where one of these packages is not installed."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    said = reason or f"{', '.join(missing)} is not installed"
    return pytest.mark.skipif(bool(missing), reason=said)
