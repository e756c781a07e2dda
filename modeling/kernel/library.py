"""The compiled kernel: its IR (see `intermediate`), compiled by llvmlite for this processor.

The compiled object is kept in the user's cache folder, so that LLVM's second is spent once for each
version and kind of processor. Operations are those of IEEE 754 in the order of the sources, so that
every processor gives the same results to the last bit.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from looplaw_common.cache import cache_folder
from looplaw_common.files import write_whole

from . import intermediate

LANES = 8
"""Doubles that the kernel takes at a time (see vectors.h); arrays are padded to multiples."""
_OF_A_TARGET = re.compile(r'^target (?:datalayout|triple) = .*|"[^"]*"="[^"]*"', re.M)
"""What the IR says of the processor that its compiler had in mind."""


class Kernel:
    """The functions of the C files, compiled for a processor: each an attribute that takes what
    ctypes does, returns an int, and raises a MemoryError where memory is short."""

    def __init__(self, machine: Any, compiled: bytes) -> None:
        import llvmlite.binding as llvm

        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(compiled))
        self._engine.finalize_object()

    def __getattr__(self, name: str) -> Callable[..., int]:
        address = self._engine.get_function_address(name)
        if not address:
            raise AttributeError(name)
        found: Any = ctypes.CFUNCTYPE(ctypes.c_int)(address)
        found.errcheck = _checked
        setattr(self, name, found)
        return found  # type: ignore[no-any-return]


def _checked(result: int, function: object, arguments: object) -> int:
    if result < 0:
        raise MemoryError
    return result


def kernel() -> Kernel:
    """The kernel for this processor.

    Raises:
        RunError: it was not built, and there is no compiler.
    """
    return _of_this_machine()


@cache
def _of_this_machine() -> Kernel:
    llvm = _llvm()
    return kernel_for(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


def kernel_for(processor: str, features: str) -> Kernel:
    """The kernel for a processor by LLVM's names.

    Raises:
        RunError: as `kernel`.
    """
    llvm = _llvm()
    words = (intermediate.name(), _version(), processor, features)
    digest = hashlib.sha256(" ".join(words).encode()).hexdigest()[:24]
    machine = llvm.Target.from_default_triple().create_target_machine(
        processor, features, opt=3, reloc="pic", codemodel="small", jit=True
    )
    folder = cache_folder()
    path = folder / f"fit-{digest}.o"
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: not whole
        return Kernel(machine, path.read_bytes())
    compiled = _compiled(machine, folder)
    with contextlib.suppress(OSError):  # made again by the next process
        write_whole(path, compiled)
    return Kernel(machine, compiled)


def _version() -> str:
    import llvmlite

    found: str = llvmlite.__version__
    return found


def _llvm() -> Any:
    """llvmlite, which takes 40 ms to import, with the code generator of this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def _compiled(machine: Any, folder: Path) -> bytes:
    """The object code of the kernel for a machine of llvmlite."""
    import llvmlite.binding as llvm

    path = intermediate.FOLDER / intermediate.name()
    if not path.exists():
        path = folder / path.name
    if not path.exists():
        intermediate.write(path)
    text = str(llvm.parse_bitcode(path.read_bytes()))
    module = llvm.parse_assembly(_OF_A_TARGET.sub("", text))
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    found: bytes = machine.emit_object(module)
    return found


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
