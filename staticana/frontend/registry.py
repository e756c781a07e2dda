"""The front ends, by the suffixes of their files.

A new one is a module of its own and an entry here.
"""

from __future__ import annotations

from pathlib import Path

from looplaw_common.errors import InputError

from .built import Built, is_built
from .clang import Clang
from .fortran import Fortran
from .front_end import FrontEnd, Language
from .gpu import OPENCL, Cuda, Hip, PythonHost, SpirV
from .ir_files import IRFiles
from .rust import Rust

CLANG = Clang()
LANGUAGES: tuple[Language, ...] = (Rust(), Fortran())
"""Languages that link by a driver of their own; all else links by clang."""
_BUILT = Built()
FRONT_ENDS: tuple[FrontEnd, ...] = (
    *(CLANG, *LANGUAGES),
    *(OPENCL, PythonHost(), Cuda(), Hip(), SpirV(), IRFiles()),
)
_BY_SUFFIX = {suffix: front_end for front_end in FRONT_ENDS for suffix in front_end.suffixes}
SUFFIXES = frozenset(_BY_SUFFIX)
"""The suffixes of all files that can be analysed."""


def front_end_of(path: Path) -> FrontEnd:
    """The front end for a file, by its suffix; compiled programs have none of their own.

    Raises:
        InputError: there is none.
    """
    found = _BY_SUFFIX.get(path.suffix)
    if found is None and is_built(path):
        return _BUILT
    if found is None:
        *most, last = _BY_SUFFIX
        raise InputError(
            f"{path}: unknown kind of file; the suffixes are {', '.join(most)} and {last}"
        )
    return found


def is_program(path: Path) -> bool:
    """Is it a file that can be analysed?"""
    return path.suffix in SUFFIXES or is_built(path)
