"""A small process that keepers are forked from, in a new interpreter.

Where tests begin, pytest and its plugins are loaded: forks of that cost the kernel twice as much as
those of an interpreter that has nothing else, and each of thousands of programs needs three.
"""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys

from looplaw_common.starter import Starter
from tests.places import ROOT

_SERVES = (
    "import socket, sys; sys.path.insert(0, sys.argv[1]); from looplaw_common import starter;"
    " starter._serve(socket.socket(fileno=int(sys.argv[2])))"
)


class SmallStarter(Starter):
    """As `Starter`, without what tests have loaded."""

    def __init__(self) -> None:
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            number = other.fileno()
            utf8 = f"utf8={sys.flags.utf8_mode}"
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-X", utf8, "-c", _SERVES, str(ROOT), str(number)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[number],
            )
        self._pid, self._socket, self._maker = self._process.pid, own, os.getpid()
        atexit.register(self._end)
