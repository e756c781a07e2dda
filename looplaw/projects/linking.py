"""Which files of a project are one program: those whose functions have different names.

A compilation database lists all that is built, so several programs and their tests may be in it.
One main function makes a program of all files; of several, one is chosen, or none: then the rest is
a library. Of two files that define one function the first is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import InputError

_NAME = r'("[^"]*"|[\w.$\-]+)'
_FUNCTION = re.compile(
    rf"(?m)^define (?![^@\n]*\b(?:internal|private|linkonce|linkonce_odr|weak|weak_odr"
    rf"|available_externally)\b)[^@\n]*@{_NAME}\("
)
_KERNEL = re.compile(r"(?m)^define [^@\n]*\b(?:ptx_kernel|amdgpu_kernel|spir_kernel)\b")
_VARIABLE = re.compile(
    rf"(?m)^@{_NAME} = (?:(?:dso_local|local_unnamed_addr|unnamed_addr|hidden|protected"
    r"|thread_local(?:\(\w+\))?) )*(?:global|constant) "
)


@dataclass(frozen=True)
class Parts:
    """IR of the files that are linked; left_out: file -> why it is not."""

    texts: Mapping[Path, str]
    left_out: Mapping[Path, str]
    has_main: bool


def parts(texts: Mapping[Path, str], main: Path | None = None) -> Parts:
    """The files that link.

    Args:
        texts: IR of each file, as compiled.
        main: the file whose main function is run.

    Raises:
        InputError: `main` is none of the files, or has no main function.
    """
    defined = {path: _strong(text) for path, text in texts.items()}
    mains = [path for path, names in defined.items() if "main" in names]
    if main is not None and main not in mains:
        listed = ", ".join(map(str, mains[:6])) or "none"
        raise InputError(f"--main {main}: defines no main function; files that do: {listed}")
    chosen = [main] if main is not None else mains if len(mains) == 1 else []
    left_out = {
        path: f"defines main, as {len(mains) - 1} others do; --main FILE chooses one"
        for path in mains
        if path not in chosen
    }
    owners: dict[str, Path] = {}
    kept: dict[Path, str] = {}
    for path in (*chosen, *(p for p in texts if p not in chosen and p not in left_out)):
        twice = next((name for name in sorted(defined[path]) if name in owners), None)
        if twice is not None:
            left_out[path] = f"defines {twice}, as {owners[twice]} does"
            continue
        owners.update(dict.fromkeys(defined[path], path))
        kept[path] = texts[path]
    return Parts(kept, left_out, bool(chosen))


def is_library(text: str) -> bool:
    """Has a module neither a function with which a program begins, nor kernels of a graphics
    processor?"""
    return not has_main(text) and _KERNEL.search(text) is None


def has_main(text: str) -> bool:
    """Does a module define the function with which a program begins?"""
    return "main" in _FUNCTION.findall(text)


def _strong(text: str) -> frozenset[str]:
    """The names that only one module of a program may define."""
    return frozenset(_FUNCTION.findall(text)) | frozenset(_VARIABLE.findall(text))
