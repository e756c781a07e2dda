"""LLVM IR as text (.ll) or bitcode (.bc), of LLVM 14 and later.

LLVM ends the process over some damaged files, so that a file is first read by a process of its own
(`read_ir`).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.errors import InputError

MAX_IR_BYTES = 1 << 30
_READING_S = 300
_NOT_IR = 3  # the exit code of `read_ir` for a file that LLVM refuses


class IRFiles:
    """The front end of files that are IR already."""

    suffixes = (".ll", ".bc")

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        if source.stat().st_size > MAX_IR_BYTES:
            raise InputError(f"{source}: larger than {MAX_IR_BYTES >> 20} MiB")
        version = llvm.llvm_version_info[0]
        try:
            done = subprocess.run(
                [sys.executable, "-P", str(Path(__file__).with_name("read_ir.py")), str(source)],
                capture_output=True,
                check=False,
                timeout=_READING_S,
            )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"{source}: LLVM {version} does not come to an end over this file"
            ) from None
        if done.returncode == 0:
            return done.stdout.decode("utf-8", errors="surrogateescape")
        if done.returncode == _NOT_IR:
            said = " ".join(done.stderr.decode("utf-8", errors="replace").split())[:200]
            raise InputError(f"{source}: not LLVM IR that LLVM {version} reads: {said}")
        raise InputError(
            f"{source}: LLVM {version} breaks down over this file:"
            " it is damaged, or was not written by LLVM"
        )
