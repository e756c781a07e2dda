"""Follows the counts of the program that is running."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from runtime import Snapshot, totals

_INTERVAL_S = 0.25


class Watch:
    """Reads the cells of the current run a few times a second and tells what was counted so far, in
    a thread of its own.

    The program is not disturbed: its cells are a memory-mapped file that it writes without waiting
    for readers. With `enabled` false nothing is read.
    """

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._current: tuple[Path, Callable[[Snapshot], None]] | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        if self._enabled:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._enabled:
            self._thread.join()

    def follow(self, cells: Path, tell: Callable[[Snapshot], None]) -> None:
        """From now on, this file."""
        self._current = (cells, tell)

    def _run(self) -> None:
        while not self._done.wait(_INTERVAL_S):
            if self._current is None:
                continue
            cells, tell = self._current
            if (seen := totals(cells)) is not None:  # else not yet written, or the run is over
                tell(seen)
