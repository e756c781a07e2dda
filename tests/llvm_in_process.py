"""LLVM's work in the tests' own process, and compilers as its own children.

For users, modules are read and put through passes in forks, since LLVM may end its process over
what it does not know, and compilers run below a guard and a keeper, which end them when looplaw
ends. Tests compile three thousand small programs: forks and keepers took a fifth of their time.
Tests that hand over what is damaged, without end or not known to LLVM say
`usefixtures("as_users_have_it")`.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence

import pytest

from looplaw_common.commands import tool_environment
from looplaw_common.limits import memory_of_compilers
from looplaw_common.processes import Ended, NotStartedError, completed
from runtime.build import build
from staticana.frontend import front_end, isolation

_IN_FORKS = (isolation._for_passes, isolation._reads)


def llvm_in_this_process() -> None:
    """From now on, but for tests that want to have it as users do."""
    isolation._for_passes = isolation.in_this_process
    isolation._reads = _read
    _start_compilers_by(_completed)


def _read(text: str) -> bytes:
    return isolation.in_this_process(lambda: isolation._passed(text, ()))


def _start_compilers_by(start: Callable[[Sequence[str], float], Ended]) -> None:
    front_end.completed = start
    build.completed = start


def _completed(words: Sequence[str], timeout_s: float) -> Ended:
    """As `completed`, of a command that starts nothing which outlives it."""
    began = time.monotonic()
    try:
        started = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=tool_environment(),
        )
    except OSError as error:
        raise NotStartedError(error.errno, error.strerror, words[0]) from None
    with started:
        try:
            most = memory_of_compilers()
            resource.prlimit(started.pid, resource.RLIMIT_AS, (most, most))
            out, errors = started.communicate(timeout=timeout_s)
        except BaseException:
            started.kill()
            raise
    took = time.monotonic() - began
    return Ended(started.returncode, took, took, stdout=out, stderr=errors)


@pytest.fixture
def as_users_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM in forks, and compilers below a keeper."""
    for name, value in zip(("_for_passes", "_reads"), _IN_FORKS, strict=True):
        monkeypatch.setattr(isolation, name, value)
    for module in (front_end, build):
        monkeypatch.setattr(module, "completed", completed)
