"""A long analysis on a terminal: how far it is, and what Ctrl-C does to it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from rich.status import Status

from staticana.expr.budget import Allowance, MemoryLimit

from .console import messages, say

_PATIENCE_S = 2.0
"""Seconds before it is said how far an analysis is."""
_EVERY_S = 0.2


class _Told:
    """Says on a terminal how many functions are done."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self._status: Status | None = None

    def __call__(self, done: int, number: int) -> None:
        now = time.monotonic()
        if now - self._start < _PATIENCE_S or now - self._last < _EVERY_S:
            return
        self._last = now
        text = f"analysing: {done} of {number} functions (Ctrl-C shows what is done)"
        if self._status is None:
            self._status = messages.status(text)
            self._status.start()
        self._status.update(text)

    def stop(self) -> None:
        if self._status is not None:
            self._status.stop()


@contextmanager
def endable(seconds: float, total: float | None, memory: int) -> Iterator[Allowance]:
    """What an analysis may take (CPU seconds of a count and of all, bytes of memory), while Ctrl-C
    lets it come to an end; pressed once more, it ends looplaw."""
    told = _Told()
    quiet = not messages.is_terminal
    limit = MemoryLimit(memory)
    allowance = (
        Allowance(seconds, total, memory=limit)
        if quiet
        else Allowance(seconds, total, told, memory=limit)
    )

    def end(number: int, frame: FrameType | None) -> None:
        if allowance.is_stopped:
            raise KeyboardInterrupt
        allowance.stop()
        say("looplaw: interrupted; what is done follows (Ctrl-C again: nothing)")

    is_main = threading.current_thread() is threading.main_thread()
    mine = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = signal.signal(signal.SIGINT, end) if mine else None
    try:
        yield allowance
    finally:
        told.stop()
        if mine:
            with suppress(ValueError):
                signal.signal(signal.SIGINT, before)
