"""Signals that end looplaw: they unwind it like an exception, so that programs are ended, locks
released and temporary files removed, and leave one line and the exit code of a shell.

Ctrl-C (SIGINT) stays a KeyboardInterrupt: a study then writes the report of the runs that it has.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")


class SignalError(BaseException):
    """A signal asked looplaw to end. Not an Exception: no handler of errors may swallow it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """128 plus the signal's number: 129 for SIGHUP, 131 for SIGQUIT, 143 for SIGTERM."""
        return 128 + self.number

    def __str__(self) -> str:
        return f"ended by {signal.Signals(self.number).name}; what was finished is kept"


@contextmanager
def ending_signals() -> Iterator[None]:
    """Raise `SignalError` in the main thread when one of them comes; signals that are ignored, as
    SIGHUP under nohup, stay ignored."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _ENDING:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(ValueError):
                signal.signal(number, handler)


@contextmanager
def ending_event_loops() -> Iterator[None]:
    """The same while an event loop runs: asyncio logs what callbacks raise and goes on, but for
    KeyboardInterrupt and SystemExit; and who runs the loop may take an interrupt for an end like
    any other, so that Ctrl-C is passed on, too."""
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    numbers = [n for name in _ENDING if (n := getattr(signal, name, None)) is not None]
    ours = {n: _raise for n in numbers if signal.getsignal(n) is _raise}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        ours[signal.SIGINT] = signal.default_int_handler
    for number in ours:
        signal.signal(number, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        if not came:
            raise
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt if came[0] == signal.SIGINT else SignalError(came[0])


def _raise(number: int, _: FrameType | None) -> None:
    raise SignalError(number)
