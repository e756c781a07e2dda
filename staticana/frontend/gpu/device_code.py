"""OpenCL C, CUDA and HIP -> LLVM IR, by the targets that clang has for graphics processors.

OpenCL C is compiled with clang's own headers for SPIR. CUDA and HIP are compiled with the toolkit
that CUDA_PATH or ROCM_PATH names, or a flag of the user's; without one, a header of ours declares
what programs use (`include/gpu_runtime.h`). A file with code of the host becomes one module with
both sides, in which launches are calls of stubs.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from looplaw_common.commands import as_argument
from looplaw_common.errors import InputError, LooplawWarning
from looplaw_common.scratch import scratch_folder

from ..clang import IR_FLAGS, Compiler, find_compiler, usable_compilers
from ..front_end import DoesNotCompile, run_compiler, unreadable
from ..isolation import BrokeDown, Refused, linked, read_apart
from .device_modules import together, with_inlined, with_known_conventions
from .host_errors import ErrorOfDevice, overlay, without_host_errors
from .kernel_text import (
    is_cuda,
    is_part,
    text_in_literals,
    texts_in_python,
    with_own_names,
    with_places,
)

_HEADERS = Path(__file__).parent / "include"
_HAS_HOST = re.compile(r"<<<|\bhipLaunchKernel|\bcudaLaunchKernel|\bmain\s*\(")
_IS_HIP = re.compile(r"^\s*#\s*include\s*[<\"]hip/hip_runtime", re.M)
_INCLUDED = re.compile(r"^\s*#\s*include\s*\"([^\"\n]+)\"", re.M)
_AS_NVCC = (
    "-std=c++17",  # a later -std counts
    "-ferror-limit=0",
    *("-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-register"),
)
"""The standard of the toolkits' compilers, and what is an error for clang and not for these."""
_INDICES = r"_ZNK?(?:17__HIP_CoordinatesI|\d+__HIP_(?:Thread|Block|Grid)(?:Idx|Dim))"
"""How ROCm's headers read where a thread stands."""
_ATTEMPTS = 9
"""Times that a file is compiled with less and less of its host."""
_OWN_HEADERS = ("-isystem", str(_HEADERS), "-include", "gpu_runtime.h")


def _clang() -> Compiler:
    """A clang with targets for graphics processors: not the one of the ziglang wheel."""
    chosen = find_compiler()
    found = (c for c in (chosen, *usable_compilers()) if c.kind == "clang")
    compiler = next(found, None)
    if compiler is None:
        raise InputError("kernels of graphics processors need a clang: install clang-19")
    return compiler


def _compiled(
    compiler: Compiler,
    source: Path,
    flags: Sequence[str],
    explain: Callable[[str], str | None] = lambda _: None,
) -> str:
    """The IR of one side of a file.

    Raises:
        InputError: it does not compile, or LLVM does not read it.
    """
    driver = compiler.command if source.suffix in OpenCL.suffixes else compiler.cxx
    text = run_compiler(source, [*driver, *IR_FLAGS, *flags, as_argument(source)], explain)
    if "@__enqueue_kernel" in text:
        raise InputError(f"{source}: code of the card enqueues kernels: {_DYNAMIC}")
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

    suffixes = (".cl", ".opencl")
    _FLAGS = (
        *("-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown"),
        *("-Xclang", "-finclude-default-header"),
    )

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        if is_part(source):
            return self.compile_parts([source], flags)
        return _compiled(_clang(), source, (*self._FLAGS, *flags), _undefined)

    def compile_parts(self, sources: Sequence[Path], flags: Sequence[str]) -> str:
        """The IR of one text whose parts are literals of files.

        Raises:
            InputError: it does not compile.
        """
        texts = []
        for source in sources:
            text = text_in_literals(_text(source))
            texts.append(f'#line 1 "{source}"\n{text}\n')
        return self.compile_text("".join(texts), sources[-1], flags)

    def compile_text(self, text: str, place: Path, flags: Sequence[str]) -> str:
        """The IR of a text in OpenCL C that stands in a file.

        Raises:
            InputError: it does not compile.
        """
        given = (*self._FLAGS, f"-I{place.parent}", *flags)
        return _compiled_text(text, f"{place.stem}.cl", given, _undefined)


OPENCL = OpenCL()


class PythonHost(_DeviceCode):
    """The front end of kernels in the texts of Python programs."""

    suffixes = (".py",)

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        text = _text(source)
        try:
            found = texts_in_python(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(
                f"{source}: not Python that can be read: {str(error) or 'nested too deeply'}"
            ) from None
        if not found:
            raise InputError(
                f"{source}: holds no kernel in OpenCL C or CUDA; functions of numba are handed to"
                " looplaw.analyze"
            )
        compiled = compile_texts(found, source, flags)
        try:
            return compiled[0] if len(compiled) == 1 else linked(compiled)
        except (Refused, BrokeDown) as error:
            raise InputError(f"{source}: its kernels do not link: {error}") from None


_NAME = re.compile(r"error: (?:use of undeclared identifier|unknown type name) '([A-Z][A-Z0-9_]*)'")


def _undefined(said: str) -> str | None:
    """What to type where a kernel wants definitions of its host."""
    first = next((line for line in said.splitlines() if "error:" in line), "")
    names = list(dict.fromkeys(_NAME.findall(said)))
    if not names or _NAME.search(first) is None:
        return None
    typed = " ".join(f"--flag=-D{name}=..." for name in names)
    return f"does not compile: {first}; hosts define such names: name the host, or type {typed}"


_DYNAMIC = "dynamic parallelism is not read"
_NESTED = re.compile(
    r"^(\S+:\d+:\d+): error: reference to __global__ function '(\w+)' in (?:__global__|__device__)",
    re.M,
)


def _launches_inside(said: str) -> str | None:
    """What to say of kernels that launch kernels."""
    found = _NESTED.search(said)
    if found is None:
        return None
    return f"{found[1]}: code of the card launches {found[2]}: {_DYNAMIC}"


class _TwoSided(_DeviceCode):
    """A language whose files hold code of the device and of the host."""

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        compiler = _clang()
        given = (*self._flags(flags), "--cuda-device-only", *flags)
        try:
            device = _compiled(compiler, source, given, _launches_inside)
        except DoesNotCompile as error:
            return _device_alone(compiler, source, given, error)
        device = with_inlined(device, _INDICES)
        if not _HAS_HOST.search(_text(source)):
            return device
        host = _compiled(compiler, source, (*self._flags(flags), "--cuda-host-only", *flags))
        try:
            return linked(together(device, host))
        except (Refused, BrokeDown) as error:
            raise InputError(
                f"{source}: the code of device and host does not link: {error}"
            ) from None

    def compile_text(self, text: str, place: Path, flags: Sequence[str]) -> str:
        """The IR of a text that stands in a file.

        Raises:
            InputError: it does not compile.
        """
        given = (*self._flags(flags), "--cuda-device-only", f"-I{place.parent}", *flags)
        return _compiled_text(text, f"{place.stem}.cu", given, _launches_inside)

    def _flags(self, given: Sequence[str]) -> tuple[str, ...]:
        """The flags for either side."""
        raise NotImplementedError


def _device_alone(
    compiler: Compiler, source: Path, flags: Sequence[str], first: DoesNotCompile
) -> str:
    """The device's side of a file whose host does not compile here, which is said.

    Raises:
        InputError: the device's side does not compile, either.
    """
    error, texts, attempt = first, dict[Path, str](), 0
    while attempt < _ATTEMPTS:
        try:
            texts = without_host_errors(error.said, texts, attempt)
        except ErrorOfDevice as its:
            why = _launches_inside(error.said) or f"does not compile: {its}"
            raise DoesNotCompile(
                why if error is first else f"{first}; without its host: {why}", error.said
            ) from None
        attempt += "fatal error" not in error.said  # which stops at the first missing header
        with scratch_folder() as folder:
            try:
                found = _compiled(compiler, source, (*flags, *overlay(texts, folder)))
            except DoesNotCompile as again:
                error = again
                continue
        if "\ndefine " not in found and "__global__" not in _text(source):
            raise first  # there is no kernel to go on with
        warnings.warn(
            f"{source}: its kernels alone, since its host {first}", LooplawWarning, stacklevel=2
        )
        return found
    last = str(error).removeprefix("does not compile: ")
    raise DoesNotCompile(f"{first}; without its host: {last}", error.said)


def _compiled_text(
    text: str, name: str, flags: Sequence[str], why: Callable[[str], str | None]
) -> str:
    """The IR of a text that gets a file of its own."""
    with scratch_folder() as folder:
        file = folder / name
        file.write_text(text, encoding="utf-8")
        return _compiled(_clang(), file, flags, why)


def _text(source: Path) -> str:
    return source.read_text(encoding="utf-8", errors="replace")


def _includes_hip(file: Path, seen: set[Path]) -> bool:
    """Does a file include HIP's header, itself or through one of its own beside it?"""
    if file in seen or not file.is_file():
        return False
    seen.add(file)
    text = _text(file)
    own = (file.parent / name for name in _INCLUDED.findall(text))
    return _IS_HIP.search(text) is not None or any(_includes_hip(o, seen) for o in own)


class Cuda(_TwoSided):
    """The front end of CUDA, and of HIP in files that are called as CUDA's."""

    suffixes = (".cu",)

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        if _includes_hip(source, set()):
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


def compile_texts(texts: Sequence[str], place: Path, flags: Sequence[str]) -> list[str]:
    """The IR of each text of a host.

    Raises:
        InputError: one does not compile.
    """
    source = _text(place)
    own = Hip() if "hiprtc" in source else Cuda()
    named = with_own_names([with_places(text, source, place) for text in texts])
    return [(own if is_cuda(t) else OPENCL).compile_text(t, place, flags) for t in named]
