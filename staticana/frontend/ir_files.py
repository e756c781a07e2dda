"""LLVM IR as text (.ll) or bitcode (.bc), of LLVM 14 and later."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.errors import InputError

from .gpu.device_modules import with_known_conventions
from .isolation import BrokeDown, Refused, isolated_text, read_apart

MAX_IR_BYTES = 1 << 30
"""Bytes of the largest file that is read."""
_MOST_DIGITS = 100_000
"""Digits of the longest number that is read; see `_LONG_NUMBER`."""
_LONG_NUMBER = re.compile(rb"\d{%d}" % _MOST_DIGITS)
"""LLVM takes quadratic time to read a number; what is as long is none of a program."""
_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


class IRFiles:
    """The front end of files that are IR already."""

    suffixes = (".ll", ".bc")

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        if source.stat().st_size > MAX_IR_BYTES:
            raise InputError(f"{source}: larger than {MAX_IR_BYTES >> 20} MiB")
        data = source.read_bytes()
        try:
            if data[:4] in _BITCODE:
                return isolated_text(data)
            if _LONG_NUMBER.search(data):
                raise InputError(f"{source}: a number of more than {_MOST_DIGITS} digits")
            text = data.decode("utf-8", errors="surrogateescape")
            text = with_known_conventions(text)
            read_apart(text)
            return text
        except Refused as error:
            version = llvm.llvm_version_info[0]
            raise InputError(
                f"{source}: not LLVM IR that LLVM {version} reads: {str(error)[:200]}"
            ) from None
        except BrokeDown as error:
            raise InputError(
                f"{source}: {error}: it is damaged, or was not written by LLVM"
            ) from None
