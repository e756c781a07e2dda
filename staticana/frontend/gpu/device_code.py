"""OpenCL C, CUDA and HIP -> LLVM IR, by the targets that clang has for graphics processors.

OpenCL C is compiled with clang's own headers for SPIR. CUDA and HIP are compiled with the toolkit
that CUDA_PATH or ROCM_PATH names, or a flag of the user's; without one, a header of ours declares
what programs use (`include/gpu_runtime.h`). A file with code of the host becomes one module with
both sides, in which launches are calls of stubs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from looplaw_common.commands import as_argument
from looplaw_common.errors import InputError

from ..clang import IR_FLAGS, Compiler, find_compiler, usable_compilers
from ..front_end import run_compiler, unreadable
from ..isolation import BrokeDown, Refused, linked, read_apart
from .device_modules import together, with_known_conventions

_HEADERS = Path(__file__).parent / "include"
_HAS_HOST = re.compile(r"<<<|\bhipLaunchKernel|\bcudaLaunchKernel|\bmain\s*\(")
_IS_HIP = re.compile(r"^\s*#\s*include\s*[<\"]hip/hip_runtime", re.M)
_AS_NVCC = (
    "-std=c++17",  # a later -std counts
    *("-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal"),
)
"""The standard of the toolkits' compilers, and what is an error for clang and not for these."""
_OWN_HEADERS = ("-isystem", str(_HEADERS), "-include", "gpu_runtime.h")


def _clang() -> Compiler:
    """A clang with targets for graphics processors: not the one of the ziglang wheel."""
    chosen = find_compiler()
    found = (c for c in (chosen, *usable_compilers()) if c.kind == "clang")
    compiler = next(found, None)
    if compiler is None:
        raise InputError("kernels of graphics processors need a clang: install clang-19")
    return compiler


def _compiled(compiler: Compiler, source: Path, flags: Sequence[str]) -> str:
    """The IR of one side of a file.

    Raises:
        InputError: it does not compile, or LLVM does not read it.
    """
    driver = compiler.command if source.suffix == ".cl" else compiler.cxx
    text = run_compiler(source, [*driver, *IR_FLAGS, *flags, as_argument(source)])
    try:
        return read_apart(with_known_conventions(text))
    except (Refused, BrokeDown) as error:
        raise unreadable(source, str(compiler), error) from None


class _DeviceCode:
    """What the front ends have in common."""

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources


class OpenCL(_DeviceCode):
    """The front end of OpenCL C."""

    suffixes = (".cl",)
    _FLAGS = (
        *("-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown"),
        *("-Xclang", "-finclude-default-header"),
    )

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        return _compiled(_clang(), source, (*self._FLAGS, *flags))


class _TwoSided(_DeviceCode):
    """A language whose files hold code of the device and of the host."""

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        compiler = _clang()
        device = _compiled(compiler, source, (*self._flags(flags), "--cuda-device-only", *flags))
        if not _HAS_HOST.search(source.read_text(encoding="utf-8", errors="replace")):
            return device
        host = _compiled(compiler, source, (*self._flags(flags), "--cuda-host-only", *flags))
        try:
            return linked(together(device, host))
        except (Refused, BrokeDown) as error:
            raise InputError(
                f"{source}: the code of device and host does not link: {error}"
            ) from None

    def _flags(self, given: Sequence[str]) -> tuple[str, ...]:
        """The flags for either side."""
        raise NotImplementedError


class Cuda(_TwoSided):
    """The front end of CUDA, and of HIP in files that are called as CUDA's."""

    suffixes = (".cu",)

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        if _IS_HIP.search(source.read_text(encoding="utf-8", errors="replace")):
            return Hip().compile(source, flags, modules)
        return super().compile(source, flags, modules)

    def _flags(self, given: Sequence[str]) -> tuple[str, ...]:
        named = any(flag.startswith("--cuda-path") for flag in given)
        toolkit = os.environ.get("CUDA_PATH")
        common = ("-x", "cuda", "--cuda-gpu-arch=sm_70", "-Wno-unknown-cuda-version", *_AS_NVCC)
        if named or toolkit:
            return (*common, "-nocudalib", *(() if named else (f"--cuda-path={toolkit}",)))
        version = ("-Xclang", "-target-sdk-version=11.0")
        return (*common, "-nocudainc", "-nocudalib", *version, *_OWN_HEADERS)


class Hip(_TwoSided):
    """The front end of HIP."""

    suffixes = (".hip",)

    def _flags(self, given: Sequence[str]) -> tuple[str, ...]:
        toolkit = os.environ.get("ROCM_PATH")
        common = ("-x", "hip", "--offload-arch=gfx906", "-nogpulib", *_AS_NVCC)
        if toolkit:
            return (*common, f"--rocm-path={toolkit}")
        return (*common, "-nogpuinc", *_OWN_HEADERS)
