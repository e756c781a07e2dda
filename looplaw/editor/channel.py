"""What a client says on a pipe, until it goes or the server ends."""

from __future__ import annotations

import io
import os
import select
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Incoming(io.RawIOBase):
    """A pipe that is read until its other end closes, or until `end` is called: a thread that waits
    in `read` cannot be interrupted, so that a server that is told to end would wait for its client
    to say something."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._ended, self._end = os.pipe()

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        ready, _, _ = select.select([self._pipe, self._ended], [], [])
        return 0 if self._ended in ready else os.readv(self._pipe, [into])

    def end(self) -> None:
        """Whoever reads, now or later, finds the end; may be called again."""
        if self._end >= 0:
            number, self._end = self._end, -1
            os.close(number)
