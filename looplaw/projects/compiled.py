"""Which IR a compiler would write, known without running all of it: by the content of everything
that it reads.

The key of some sources is made of what the preprocessor makes of them, the content of each file
that it has read (columns are not in what it writes), the compiler with the options that its driver
hands on, and the working directory. A header that comes to stand in front of another one in the
search path, or that `__has_include` now finds, changes what the preprocessor writes; the time of
day changes it with every run. Sources for which more may be read, such as modules and profiles,
have no key.
"""

from __future__ import annotations

import os
import re
import subprocess
import warnings
from collections.abc import Sequence
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

from looplaw_common.commands import answered, as_argument
from looplaw_common.errors import LooplawWarning
from looplaw_common.limits import memory_of_compilers
from looplaw_common.store import Store, code_version
from looplaw_common.version import __version__
from staticana import compile_sources
from staticana.frontend.clang import (
    C_SUFFIXES,
    CXX_SUFFIXES,
    Compiler,
    compile_flags,
    find_compiler,
    leading_flags,
)
from staticana.frontend.uncompiled import tell_left_out

from .kept import digest

_STORE = Store("compiled")
_PREPROCESS_TIMEOUT_S = 120
_MOST_PREPROCESSED = 256 << 20
"""Bytes of a preprocessed file; what is as long is compiled each time."""
_MARKER = re.compile(rb'(?m)^# \d+ "((?:[^"\\\n]|\\.)*)"')
_WITH_VALUE = frozenset(("-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter"))
_PLAIN = re.compile(
    r"-[IDU].+|-O\w*|-w|-W(?![lpa],)[\w+=-]*|-g\w*|--?std=.+|-pthread|-ansi|-pedantic(?:-errors)?"
    r"|-m[\w.+=-]+|-f(?!.*(?:module|profile|plugin|pch|sanitize))[a-z0-9-]+|-fopenmp=\w+"
)
"""Options with which the compiler reads nothing but sources, as the preprocessor does."""


def known_digest(sources: Sequence[str], flags: Sequence[str]) -> str | None:
    """The digest of the IR of some sources, where they were compiled before as they are now."""
    key = sources_key(sources, flags)
    found = _STORE.get(key) if key is not None else None
    return found.decode("ascii", "replace") if found is not None else None


def compiled_and_remembered(sources: Sequence[str], flags: Sequence[str]) -> str:
    """The IR of some sources; its digest is kept by what was read.

    Raises:
        InputError: they do not compile.
    """
    before = sources_key(sources, flags)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ir = compile_sources(sources, flags=flags, left_out=tell_left_out)
    for w in told:
        warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    by_another = any(issubclass(w.category, LooplawWarning) for w in told)
    # a file that was written meanwhile may have been read before or after
    if before is not None and not by_another and sources_key(sources, flags) == before:
        _STORE.put(before, digest(ir).encode())
    return ir


def sources_key(sources: Sequence[str], flags: Sequence[str]) -> str | None:
    """The key of C and C++ sources; None where what the compiler reads is not known."""
    if not sources or not _are_plain(flags):
        return None
    if any(Path(source).suffix not in C_SUFFIXES | CXX_SUFFIXES for source in sources):
        return None
    compiler = find_compiler()
    if compiler.kind != "clang":
        return None
    parts = [__version__, _code_version(), _identity(compiler), os.getcwd()]
    for source in sources:
        found = _source_key(compiler, Path(source), flags)
        if found is None:
            return None
        parts.append(found)
    return "\n".join(parts)


@cache
def _code_version() -> str:
    """Of what this process runs: asked once."""
    return code_version((Path(__file__).resolve().parents[2] / "staticana",))


def _are_plain(flags: Sequence[str]) -> bool:
    value = False  # of the option before
    for flag in flags:
        if value:
            value = False
        elif flag in _WITH_VALUE:
            value = True
        elif not _PLAIN.fullmatch(flag):
            return False
    return not value


def _identity(compiler: Compiler) -> str:
    """The compiler's files, as they are now."""
    files = [Path(os.path.realpath(name[0])) for name in (compiler.command, compiler.cxx)]
    told = [(str(f), (at := f.stat()).st_size, at.st_mtime_ns) for f in files]
    return f"{told} {compiler.version}"


def _source_key(compiler: Compiler, source: Path, flags: Sequence[str]) -> str | None:
    command = [*compiler.for_source(source), *compile_flags(compiler), *leading_flags(compiler)]
    # what -v tells has all options of the compiler proper, as it has them where it compiles
    read = _run([*command, *flags, as_argument(source), "-E", "-v", "-o", "-"])
    if read is None or b"#embed" in read[0]:
        return None
    whole = sha256(read[1])
    whole.update(sha256(read[0]).digest())
    names = {m[1] for m in _MARKER.finditer(read[0])}
    for name in sorted(names):
        whole.update(name + b"\0" + _content(name))
    return whole.hexdigest()


def _content(name: bytes) -> bytes:
    """A digest of a file; of nothing for names that are no files, such as `<built-in>`, or
    devices, which a source may name in #line."""
    path = os.fsdecode(re.sub(rb"\\(.)", rb"\1", name))
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb") as file:
            return file_digest(file, "sha256").digest()
    except (OSError, ValueError):
        return b""


def _run(command: Sequence[str]) -> tuple[bytes, bytes] | None:
    """What a command writes to stdout and stderr; None where it fails, takes too long, or does not
    come to an end: what it includes may be a device."""
    try:
        done = answered(
            command,
            timeout_s=_PREPROCESS_TIMEOUT_S,
            most=_MOST_PREPROCESSED,
            memory=memory_of_compilers(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (done.stdout, done.stderr) if done.returncode == 0 else None
