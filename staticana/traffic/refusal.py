"""Why there is no law."""

from __future__ import annotations

from looplaw_common.errors import DataError


class Refused(DataError):
    """The traffic cannot be told; the message says why."""
