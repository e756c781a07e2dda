"""A small process whose children read modules.

What another LLVM has written is read in a child, since this LLVM may end over it. Tests compile two
thousand programs in processes that hold half a gigabyte; with a compiler other than this LLVM's,
the forks of these took a tenth of the time of all tests.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import tempfile
from typing import NoReturn

from looplaw_common.errors import InputError
from looplaw_common.keeper import ENDING, die_with_parent
from looplaw_common.starter import forked
from staticana.frontend import isolation
from staticana.frontend.isolation import BrokeDown, Refused

_ENCODING = ("utf-8", "surrogateescape")
_DONE = b"d"
_ERRORS: dict[bytes, type[InputError]] = {b"r": Refused, b"b": BrokeDown, b"i": InputError}


class SmallReader:
    """The socket of a small process; forks of the process that made it may use it, too."""

    def __init__(self) -> None:
        self._asked, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._by_itself = isolation._reads
        if forked() == 0:
            self._asked.close()
            _serve(other)
        other.close()

    def read(self, text: str) -> bytes:
        """As `isolation` reads a module; by a fork of this process if the small one is gone."""
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as answer, tempfile.TemporaryFile() as module:
            module.write(text.encode(*_ENCODING))
            module.flush()
            try:
                socket.send_fds(self._asked, [b"read"], [module.fileno(), writing])
            except OSError:
                return self._by_itself(text)
            finally:
                os.close(writing)
            told = answer.read()
        if told[:1] == _DONE:
            return told[1:]
        if told[:1] in _ERRORS:
            raise _ERRORS[told[:1]](told[1:].decode(*_ENCODING))
        return self._by_itself(text)


def _serve(asked: socket.socket) -> NoReturn:
    """Fork a child for each module; never returns."""
    try:
        gc.disable()
        die_with_parent()
        os.setsid()
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children end unmourned
        while True:
            _, descriptors, _, _ = socket.recv_fds(asked, 16, 2)
            if len(descriptors) != 2:  # the tests have ended
                break
            if forked() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(*descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)


def _answer(module: int, writing: int) -> NoReturn:
    try:
        with os.fdopen(module, "rb") as file, os.fdopen(writing, "wb") as out:
            file.seek(0)
            try:
                out.write(_DONE + isolation._read_in_child(file.read().decode(*_ENCODING)))
            except InputError as error:
                kind = next(k for k, v in _ERRORS.items() if isinstance(error, v))
                out.write(kind + str(error).encode(*_ENCODING))
    finally:
        os._exit(0)
