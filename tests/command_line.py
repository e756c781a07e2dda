"""The command line in a process of its own, without a start of the interpreter.

A fork of the tests' process has everything imported, which a new interpreter does for half a
second. What depends on the start (imports, signals that arrive early) starts `python -m looplaw`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NoReturn

from looplaw.cli.main import VERBS, command, main

from .imports import SharedImports

_TIMEOUT_S = 300


def looplaw(
    *words: object, cwd: Path, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder; without `stdin` there is nothing to read."""
    _import_all()
    line = [str(word) for word in words]
    return in_a_fork(lambda: exit_code(line), line, cwd, stdin or "")


def python(file: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in Python in a folder."""

    def work() -> int:
        sys.path.insert(0, str(file.parent))
        runpy.run_path(str(file), run_name="__main__")
        return 0

    return in_a_fork(lambda: _ended(work), [str(file)], cwd)


def in_a_fork(
    work: Callable[[], int], line: list[str], cwd: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Do some work in a process of its own, that ends with the exit code which it returns; `line`
    is what the result says was run."""
    with contextlib.ExitStack() as opened:
        streams = [opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams[0].write(stdin.encode())
        streams[0].seek(0)
        imports = opened.enter_context(SharedImports())
        child = os.fork()
        if child == 0:
            _become(work, cwd, [s.fileno() for s in streams], imports)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        texts = []
        for stream in streams[1:]:
            stream.seek(0)
            texts.append(stream.read().decode())
    return subprocess.CompletedProcess(line, os.waitstatus_to_exitcode(status), *texts)


def exit_code(line: Sequence[str]) -> int:
    """Run the command here, as the interpreter would: what is not caught is a traceback and 1."""
    return _ended(lambda: main(list(line), prog_name="looplaw"))


def _ended(work: Callable[[], object]) -> int:
    try:
        work()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


@cache
def _import_all() -> None:
    for verb in VERBS:
        command(verb)


def _become(
    work: Callable[[], int], cwd: Path, streams: Sequence[int], imports: SharedImports
) -> NoReturn:
    code = 99
    try:
        gc.freeze()  # a collection would touch, and so copy, all that the tests hold
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
        os.chdir(cwd)
        signal.alarm(_TIMEOUT_S)
        code = work()
        sys.stdout.flush()
        sys.stderr.flush()
        imports.tell()
    finally:
        os._exit(code)
