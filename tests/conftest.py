"""What holds for all tests."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# How long an example takes depends on what else the machine does; benchmarks measure time.
settings.register_profile("looplaw", deadline=None)
settings.load_profile("looplaw")


def pytest_configure() -> None:
    """Interrupts reach the tests and what they start, even where a shell has started them in the
    background or as workers: there they are ignored, and programs would inherit that. Machines are
    not measured by tests."""
    os.environ.setdefault("LOOPLAW_MACHINE", "none")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
