"""SPIR-V -> LLVM IR, through llvm-spirv where it is installed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from looplaw_common.commands import as_argument, tool
from looplaw_common.errors import InputError
from looplaw_common.processes import completed

from ..front_end import unreadable
from ..isolation import BrokeDown, Refused, isolated_text, transformed
from .device_modules import with_known_conventions

_TIMEOUT_S = 300
"""Time that a translation may take."""
_NEWEST, _OLDEST = 22, 14
"""Versions of llvm-spirv that are looked for."""
_INSERT = re.compile(
    r"^\s*(%[\w.]+) = insertelement <\d+ x \w+> (\S+), (\w+) (\S+), i\d+ (\d+)", re.M
)
_UNNAMED = re.compile(r"(?:(?<=%)|^)bb(\d*)\b", re.M)
_FUNCTION = re.compile(r"^define .*?^\}", re.M | re.S)
_EXTRACT = re.compile(
    r"^(?P<head>\s*%[\w.]+ = )extractelement <\d+ x (?P<type>i\d+)> (?P<vector>%[\w.]+), i\d+"
    r" (?P<at>\d+)",
    re.M,
)


class SpirV:
    """The front end of SPIR-V."""

    suffixes = (".spv",)

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        versions = (f"llvm-spirv-{n}" for n in range(_NEWEST, _OLDEST - 1, -1))
        command = next((c for name in ("llvm-spirv", *versions) if (c := tool(name))), None)
        if command is None:
            raise InputError(f"{source}: SPIR-V needs llvm-spirv: install llvm-spirv-15")
        out = modules / f"{source.stem}.bc"
        words = [command, "-r", "--spirv-target-env=CL2.0", as_argument(source), "-o", str(out)]
        done = completed(words, _TIMEOUT_S)
        if done.code or not out.is_file():
            raise InputError(f"{source}: not SPIR-V that {Path(command).name} reads")
        try:
            text = transformed(isolated_text(out.read_bytes()), ("instruction_namer",))
        except (Refused, BrokeDown) as error:
            raise unreadable(source, command, error) from None
        # blocks that are called bb1 are read as rustc's, whose loops begin with their bodies
        return with_known_conventions(with_elements(_UNNAMED.sub(r"block\1", text)))


def with_elements(text: str) -> str:
    """IR in which an element of a vector that was put together from numbers is that number, as
    where a thread stands along an axis."""
    return _FUNCTION.sub(lambda function: _in_function(function[0]), text)


def _in_function(text: str) -> str:
    parts = {m[1]: (m[2], m[4], m[5]) for m in _INSERT.finditer(text)}

    def found(m: re.Match[str]) -> str:
        vector = m["vector"]
        while vector in parts:
            vector, value, at = parts[vector]
            if at == m["at"]:
                return f"{m['head']}add {m['type']} {value}, 0"
        return m[0]

    return _EXTRACT.sub(found, text)
