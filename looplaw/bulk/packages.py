"""The packages of the extra "scale", imported only by the functions that need them."""

from __future__ import annotations

import importlib
from typing import Any

from looplaw_common.errors import InputError


def needed(name: str) -> Any:
    """The module, imported when it is needed.

    Raises:
        InputError: it is not installed; the message says how to.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise InputError(
            f"{name.partition('.')[0]} is not installed: pip install 'looplaw[scale]'"
        ) from None
