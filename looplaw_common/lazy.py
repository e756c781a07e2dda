"""Packages whose public names are imported when they are first used (PEP 562), so that whoever
needs one of them does not wait for all."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def exported(
    package: dict[str, Any], modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package.

    Args:
        package: its `globals()`.
        modules: module, relative to the package or absolute -> the names that it gives.
    """
    name_of_package = str(package["__name__"])
    home = {name: module for module, names in modules.items() for name in names}

    def attribute(name: str) -> object:
        module = home.get(name)
        if module is None:
            raise AttributeError(f"module {name_of_package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(module, name_of_package), name)
        package[name] = found
        return found

    def names() -> list[str]:
        return sorted(package["__all__"])

    return attribute, names
