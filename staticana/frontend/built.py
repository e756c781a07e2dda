"""Programs that `looplaw cc`, `c++` and `fc` built: they carry their own IR.

Each object that the wrappers write holds the IR it was made from, and each linked file what else it
was linked with, as records in a section that is never loaded. Linkers and archivers put the records
behind each other, so that a program built by any makefile is analysed and studied without a flag.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import InputError

from .isolation import BrokeDown, Refused, linked, read_apart

_MAGIC = bytes.fromhex("a1706c6c8d0f4b1e9a3c52d7e864c90b")
_HEAD = len(_MAGIC) + 1 + 8 + 32
"""Bytes before a record's content: what it is, how long, and its SHA-256."""
_UNIT, _LINK = b"u", b"l"
_MOST_BYTES = 1 << 30
"""Of a program, and of all its IR."""
_STARTS = (b"\x7fELF", b"!<arch>\n")
_WORDS = re.compile(r"(?m)^!looplaw\.link = !\{!(\d+)\}$")
_WORD = re.compile(r'!"((?:[^"\\]|\\[0-9A-Fa-f]{2})*)"')
_NODE = 1 << 31
"""The number of the node of link words, which no compiler reaches."""


@dataclass(frozen=True)
class _Records:
    """The IR of each object, and the words that the last link took besides."""

    units: tuple[str, ...]
    words: tuple[str, ...]


class Built:
    """The front end of programs that carry their IR."""

    suffixes: tuple[str, ...] = ()

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        records = _records_of(source)
        if not records.units:
            raise InputError(
                f"{source}: a compiled program without IR: build it with looplaw's compiler, as in"
                ' CC="looplaw cc" make, or MPICH_CC="looplaw cc" make with MPI, or name its sources'
            )
        try:
            one, *more = records.units
            text = linked(records.units) if more else read_apart(one)
        except (Refused, BrokeDown) as error:
            raise InputError(f"{source}: its IR does not link: {error}") from None
        return _with_words(text, records.words) if records.words else text


def is_built(path: Path) -> bool:
    """Is it a compiled program, object or library, with IR or without?"""
    try:
        with path.open("rb") as stream:
            return stream.read(8).startswith(_STARTS)
    except OSError:
        return False


def carries_ir(path: Path) -> bool:
    """Does a compiled file hold the IR of any object?"""
    try:
        return is_built(path) and any(kind == _UNIT for kind, _ in _found(path.read_bytes()))
    except OSError:
        return False


def unit_record(ir: str) -> bytes:
    """What an object keeps of the module that it is made from."""
    return _record(_UNIT, ir.encode("utf-8", errors="surrogateescape"))


def link_record(words: Sequence[str]) -> bytes:
    """What a linked file keeps of the libraries and objects that it is linked with."""
    return _record(_LINK, json.dumps([os.fsdecode(word) for word in words]).encode())


def with_section(text: str, file: Path) -> str:
    """A module whose object holds the records of a file, in a section that is not loaded."""
    name = str(file).replace("\\", "\\\\").replace('"', '\\"')
    lines = ('.pushsection .looplaw,"",@progbits', f'.incbin "{name}"', ".popsection")
    return text + "".join(f'\nmodule asm "{_escaped(line)}"' for line in lines) + "\n"


def link_words(text: str) -> tuple[str, ...]:
    """The words that a program of this IR was linked with where it was built."""
    found = _WORDS.search(text)
    node = found and re.search(rf"(?m)^!{found.group(1)} = !\{{(.*)\}}$", text)
    if not node:
        return ()
    return tuple(
        re.sub(
            rb"\\([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m[1].decode()), word.encode()
        ).decode("utf-8", errors="surrogateescape")
        for word in _WORD.findall(node.group(1))
    )


def _record(kind: bytes, content: bytes) -> bytes:
    data = zlib.compress(content, 6)
    length = len(data).to_bytes(8, "little")
    return _MAGIC + kind + length + hashlib.sha256(data).digest() + data


def _found(data: bytes) -> Iterator[tuple[bytes, bytes | None]]:
    """(kind, compressed content; None where it is damaged) of the records in a file."""
    at = data.find(_MAGIC)
    while at >= 0:
        start = at + _HEAD
        kind = data[at + len(_MAGIC) : at + len(_MAGIC) + 1]
        length = int.from_bytes(data[at + len(_MAGIC) + 1 : start - 32], "little")
        content = data[start : start + length]
        is_whole = hashlib.sha256(content).digest() == data[start - 32 : start]
        yield kind, content if is_whole else None
        at = data.find(_MAGIC, start + length if is_whole else at + 1)


def _records_of(path: Path) -> _Records:
    """The records of a program.

    Raises:
        InputError: it is too large, or a record is damaged.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise InputError(f"{path}: larger than {_MOST_BYTES >> 20} MiB")
    units: dict[str, None] = {}
    words: list[str] = []
    left = _MOST_BYTES
    for kind, content in _found(path.read_bytes()):
        if content is None:  # without it the program would be another one
            raise InputError(f"{path}: its IR is damaged: build it again")
        try:
            opened = zlib.decompressobj()
            told = opened.decompress(content, left)
            if not opened.eof:
                raise InputError(f"{path}: more than {_MOST_BYTES >> 20} MiB of IR")
            left -= len(told)
            if kind == _UNIT:
                units[told.decode("utf-8", errors="surrogateescape")] = None
            elif kind == _LINK:
                words += [word for word in json.loads(told) if isinstance(word, str)]
        except (zlib.error, ValueError):
            raise InputError(f"{path}: its IR is damaged: build it again") from None
    return _Records(tuple(units), tuple(words))


def _with_words(text: str, words: Sequence[str]) -> str:
    told = ", ".join(f'!"{_escaped(word)}"' for word in words)
    return f"{text}\n!looplaw.link = !{{!{_NODE}}}\n!{_NODE} = !{{{told}}}\n"


def _escaped(text: str) -> str:
    """As LLVM writes strings."""
    data = text.encode("utf-8", errors="surrogateescape")
    return "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in data)
