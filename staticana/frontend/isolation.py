"""Work on LLVM modules in a child process.

LLVM ends the process that reads, links or transforms some damaged or foreign modules, and over
others it never comes to an end. A fork costs about 5 ms, a new interpreter with llvmlite 70 ms, and
a fork leaves nothing to be shut down.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import select
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from typing import IO

import llvmlite.binding as llvm

from looplaw_common.errors import InputError
from looplaw_common.keeper import die_with_parent

from .constant_expressions import REFUSED, without_constant_expressions
from .older_ir import repaired
from .passes import run_passes

TIMEOUT_S = 300
"""Seconds that a child process may take for one module."""
_ENCODING = ("utf-8", "surrogateescape")
_FAILED, _REFUSED = b"\1", b"\2"
_DONE = b"\0"
_SHORT = 300
"""Characters of LLVM's message that are repeated."""


class Refused(InputError):
    """LLVM says that the input is not valid."""


class BrokeDown(InputError):
    """LLVM ended its process over the input, or did not come to an end."""


def isolated(work: Callable[[], bytes], *, timeout_s: float = TIMEOUT_S) -> bytes:
    """Call `work` in a child process and return what it returns.

    Raises:
        Refused: `work` raised a RuntimeError, as llvmlite does over what it cannot read.
        BrokeDown: the child died or took too long; the message says which.
        InputError: `work` raised one.
    """
    with tempfile.TemporaryFile() as said:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            # about threads: none of the process's others holds a lock of LLVM
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os.close(reading)
            _child(work, writing, said)
        os.close(writing)
        ended = False
        try:
            answer = _read(reading, time.monotonic() + timeout_s)
            ended = answer is not None
        finally:
            os.close(reading)
            if not ended:
                os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        said.seek(0)
        last = said.read().decode(*_ENCODING)
    version = llvm.llvm_version_info[0]
    if answer is None:
        raise BrokeDown(f"LLVM {version} does not come to an end over this module")
    if answer[:1] == _DONE and status == 0:
        return answer[1:]
    message = answer[1:].decode(*_ENCODING)
    if answer[:1] == _REFUSED:
        raise _refusal(message)
    if answer[:1] == _FAILED:
        raise InputError(" ".join(message.split()))
    errors = [line for line in last.splitlines() if "error" in line.lower()]
    why = f" ({' '.join(errors[0].split())[:_SHORT]})" if errors else ""
    raise BrokeDown(f"LLVM {version} breaks down over this module{why}")


def in_this_process(work: Callable[[], bytes]) -> bytes:
    """As `isolated` for modules that LLVM is known to bear, without a limit of time: a fork of a
    process that holds much takes fifteen times as long as the passes over a small module.

    Raises:
        Refused: `work` raised a RuntimeError.
        InputError: `work` raised one.
    """
    try:
        return work()
    except RuntimeError as error:
        raise _refusal(str(error)) from None


def _refusal(message: str) -> Refused:
    return Refused(" ".join(message.split())[:_SHORT])


def _child(work: Callable[[], bytes], writing: int, said: IO[bytes]) -> None:
    """Never returns: the parent's buffers, handlers and tests are not the child's to run."""
    code = 1
    gc.disable()  # a collection would touch, and so copy, all that the parent holds
    try:
        die_with_parent()
        faulthandler.disable()  # the parent hears of it anyway
        os.dup2(said.fileno(), 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            answer = _DONE + work()
        except RuntimeError as error:
            answer = _REFUSED + str(error).encode(*_ENCODING)
        except InputError as error:
            answer = _FAILED + str(error).encode(*_ENCODING)
        with os.fdopen(writing, "wb") as out:
            out.write(answer)
        code = 0
    except BaseException as error:  # nothing may come back from here
        os.write(2, f"error: {type(error).__name__}: {error}\n".encode(*_ENCODING))
    finally:
        os._exit(code)


def _read(source: int, deadline: float) -> bytes | None:
    """Everything up to the end of the pipe; None when the time is over."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            return None
        part = os.read(source, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def isolated_text(bitcode: bytes) -> str:
    """The IR of bitcode, read and verified in a process of its own.

    Raises:
        Refused: LLVM says that it is not valid.
        BrokeDown: LLVM ends or hangs over it.
    """

    def work() -> bytes:
        module = llvm.parse_bitcode(bitcode)
        module.verify()
        return str(module).encode(*_ENCODING)

    return isolated(work).decode(*_ENCODING)


_for_passes: Callable[[Callable[[], bytes]], bytes] = isolated
"""What passes run in; our tests, whose process is large, take `in_this_process`."""


def transformed(text: str, passes: Sequence[str] = ()) -> str:
    """A module that LLVM has read before, put through passes and written as this LLVM writes it.

    Args:
        passes: names as llvmlite has them between `add_` and `_pass`, such as "sroa".

    Raises:
        Refused: it is not valid IR.
        BrokeDown: LLVM ends or hangs over it.
    """

    return _for_passes(lambda: _passed(text, passes)).decode(*_ENCODING)


def read_apart(text: str) -> str:
    """A module from a file or another LLVM, read, checked and written as this LLVM writes it;
    always in a child process, since it is not known yet whether LLVM bears it.

    Raises:
        Refused: it is not valid IR.
        BrokeDown: LLVM ends or hangs over it.
    """
    return _reads(text).decode(*_ENCODING)


def _read_in_child(text: str) -> bytes:
    return isolated(lambda: _passed(text, ()))


_reads: Callable[[str], bytes] = _read_in_child
"""What modules that are not known yet are read by; our tests take a smaller process's children."""


def _passed(text: str, passes: Sequence[str]) -> bytes:
    # in a context of its own: names of types are unique in it
    module = _parsed(text, llvm.create_context())
    module.verify()
    if passes:
        run_passes(module, passes)
    return str(module).encode(*_ENCODING)


def _parsed(text: str, context: llvm.ContextRef) -> llvm.ModuleRef:
    """A module that this or an older LLVM has written."""
    text = repaired(text)
    try:
        return llvm.parse_assembly(text, context)
    except RuntimeError as error:
        if REFUSED not in str(error):
            raise
    return llvm.parse_assembly(without_constant_expressions(text), context)


def linked(texts: Sequence[str]) -> str:
    """One module of several.

    Raises:
        Refused: one is not valid IR, or they do not link.
        BrokeDown: LLVM ends or hangs over them.
    """

    def work() -> bytes:
        context = llvm.create_context()
        # linking goes through all that is in the first module: in pairs of about the same size,
        # each module is gone through as often as the number of modules can be halved
        waiting: list[tuple[int, llvm.ModuleRef]] = []  # the larger ones first
        for text in texts:
            size, module = 1, _parsed(text, context)
            while waiting and waiting[-1][0] <= size:
                number, before = waiting.pop()
                before.link_in(module)
                size, module = size + number, before
            waiting.append((size, module))
        _, whole = waiting.pop()
        for _, before in reversed(waiting):
            before.link_in(whole)
            whole = before
        return str(whole).encode(*_ENCODING)

    return _for_passes(work).decode(*_ENCODING)
