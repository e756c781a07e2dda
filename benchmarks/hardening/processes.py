"""The processes that a command started, however they hid: found by a mark in their environment.
Signals that reach them."""

from __future__ import annotations

import signal
import time
from pathlib import Path

MARK = "LOOPLAW_TEST_MARK"


def marked(mark: str) -> list[int]:
    """The living processes that have the mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def survivors(mark: str, seconds: float = 10) -> list[int]:
    """Those that still live after this time at most."""
    until = time.monotonic() + seconds
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def hear_signals() -> None:
    """Have signals reach this process and what it starts, even where a shell has started it in the
    background or with nohup: there they are ignored, and programs would inherit that."""
    for number in (signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
