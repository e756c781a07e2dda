"""The compiled kernel: where it comes from, and when there is none.

The C files beside this one are compiled once for each kind of processor, by the compiler at hand
(CC, cc, clang, gcc, or the one in the `ziglang` wheel), into the user's cache folder. A fit of few
series takes the kernel that is there; only one of many series compiles it, which costs a second.
Where there is no compiler, or LOOPLAW_KERNEL=off is set, numpy does the same, more slowly.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from looplaw_common.cache import cache_folder
from looplaw_common.commands import package_folder, tool, tool_words
from looplaw_common.files import replacing

from ..settings import FEWEST_TO_COMPILE

LANES = 8
"""Doubles that the kernel takes at a time (see vectors.h); arrays are padded to multiples."""
SWITCH = "LOOPLAW_KERNEL"
"""The environment variable that keeps the kernel away when it is "off"."""
_FLAGS = ("-O3", "-fno-math-errno", "-fPIC", "-shared", "-w")
_COMPILE_S = 120.0
_FOLDER = Path(__file__).parent
_SOURCES = (
    *("kernel.c", "fits.c", "lines.c", "bounded.c", "beam.c", "worth.c", "choice.c", "pooling.c"),
    "intervals.c",
)
_HEADERS = ("vectors.h", "block.h", "least.h", "candidates.h")
_CPU = Path("/proc/cpuinfo")
_CPU_BYTES = 1 << 12


def kernel(series: int = 0) -> ctypes.CDLL | None:
    """The kernel, for a fit of so many series; None where numpy is to do the work."""
    if os.environ.get(SWITCH) == "off":
        return None
    found = _cached()
    return found if found is not None or series < FEWEST_TO_COMPILE else _compiled()


@lru_cache(maxsize=1)
def _cached() -> ctypes.CDLL | None:
    """The kernel that was compiled before."""
    path = _path()
    return _loaded(path) if path is not None and path.exists() else None


@cache
def _compiled() -> ctypes.CDLL | None:
    """The kernel, compiled now; None where no compiler does it."""
    path = _path()
    if path is None:
        return None
    for command in _compilers():
        for native in (("-march=native",), ("-mcpu=native",), ()):
            if _compile((*command, *_FLAGS, *native), path) and (found := _loaded(path)):
                _cached.cache_clear()
                return found
    return None


def _path() -> Path | None:
    """Where the kernel of this source and this processor is kept."""
    digest = hashlib.sha256(platform.machine().encode() + sys.platform.encode())
    try:
        for name in (*_SOURCES, *_HEADERS):
            digest.update((_FOLDER / name).read_bytes())
        if _CPU.exists():
            with _CPU.open("rb") as file:
                lines = file.read(_CPU_BYTES).splitlines()
            named = (b"flags", b"Features", b"model name", b"CPU part")
            digest.update(b"".join(dict.fromkeys(x for x in lines if x.startswith(named))))
        return cache_folder() / f"fit-{digest.hexdigest()[:24]}.so"
    except OSError:
        return None


def _compilers() -> Iterator[Sequence[str]]:
    if os.environ.get("CC"):
        with contextlib.suppress(FileNotFoundError):
            yield tool_words(os.environ["CC"].split())
    yield from ((path,) for path in map(tool, ("cc", "clang", "gcc")) if path)
    folder = package_folder("ziglang")
    if folder is not None and (zig := tool(str(folder / "zig"))) is not None:
        yield zig, "cc"


def _compile(command: Sequence[str], path: Path) -> bool:
    """Does this command write the library?"""
    from looplaw_common.processes import completed  # few processes compile

    sources = [str(_FOLDER / name) for name in _SOURCES]
    try:
        with replacing(path) as temporary:
            ended = completed([*command, "-o", str(temporary), *sources, "-lm"], _COMPILE_S)
            if ended.code != 0 or not temporary.exists():
                raise OSError(0, "no library", str(temporary))
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _loaded(path: Path) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(str(path))
    except OSError:
        return None


_address_of, _at_buffer, _argument = ctypes.addressof, ctypes.c_char.from_buffer, ctypes.c_void_p


def address(array: NDArray[Any]) -> int:
    """Where the numbers of a contiguous array are."""
    try:  # several times as fast as asking numpy, and a fit of few series asks hundreds of times
        buffer: Any = array
        return _address_of(_at_buffer(buffer))
    except (TypeError, ValueError):  # it is empty, or must not be written
        place: int = array.__array_interface__["data"][0]
        return place


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """The same as an argument."""
    return _argument(address(array))


def doubles(array: NDArray[Any]) -> NDArray[np.float64]:
    """The same numbers, contiguous."""
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(array: NDArray[Any]) -> NDArray[np.int64]:
    """The same numbers, contiguous."""
    return np.ascontiguousarray(array, dtype=np.int64)
