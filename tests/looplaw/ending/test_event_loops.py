"""A signal ends an event loop wherever it comes."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from looplaw.cli.signals import SignalError, ending_event_loops, ending_signals


def test_a_signal_during_a_callback_ends_the_loop() -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(os.kill, os.getpid(), signal.SIGTERM)
        await asyncio.sleep(60)

    with pytest.raises(SignalError) as ended, ending_signals(), ending_event_loops():
        asyncio.run(work())
    assert ended.value.exit_code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
