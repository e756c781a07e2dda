"""OpenCL programs run with their own code of the host, by the OpenCL library of this machine (pocl
runs kernels on the processor): what they launch, with what, and what memory holds before and after.

A second truth beside fibres: another compiler's kernels leave the same memory.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from ctypes.util import find_library
from dataclasses import dataclass, field
from pathlib import Path

from looplaw_common.commands import answered, as_argument, tool_environment
from looplaw_common.errors import InputError, RunError
from looplaw_common.processes import completed
from staticana.frontend.clang import find_compiler, usable_compilers

_RECORDER = Path(__file__).parent / "opencl_launches.c"
_WRAPPED = ("clCreateKernel", "clCreateBuffer", "clSetKernelArg", "clEnqueueNDRangeKernel")
_TIMEOUT_S = 300


@dataclass
class RecordedLaunch:
    """A launch of a run. total, block: threads of all and of a block along three axes. numbers: the
    bytes of arguments that are no buffers; before, after: the bytes of those that are (empty where
    they are too many to keep)."""

    kernel: str
    total: tuple[int, ...]
    block: tuple[int, ...]
    numbers: dict[int, bytes] = field(default_factory=dict)
    locals: set[int] = field(default_factory=set)
    before: dict[int, bytes] = field(default_factory=dict)
    after: dict[int, bytes] = field(default_factory=dict)

    @property
    def grid(self) -> tuple[int, ...]:
        """Blocks along the axes."""
        return tuple(t // b for t, b in zip(self.total, self.block, strict=True))


def has_opencl() -> bool:
    """Is there an OpenCL library?"""
    return find_library("OpenCL") is not None


@dataclass
class OpenCLProgram:
    """A host program that was built to record its launches. Close it to remove its files."""

    _folder: tempfile.TemporaryDirectory[str] = field(repr=False)

    @staticmethod
    def build(
        sources: Sequence[Path], flags: Sequence[str], link: Sequence[str] = ()
    ) -> OpenCLProgram:
        """Compile and link host sources.

        Raises:
            InputError: there is no OpenCL library, or they do not compile.
        """
        library = find_library("OpenCL")
        compilers = [c for c in (find_compiler(), *usable_compilers()) if c.kind == "clang"]
        if library is None or not compilers:
            raise InputError("running an OpenCL program needs a clang and libOpenCL")
        folder = tempfile.TemporaryDirectory(prefix="looplaw-opencl-")
        path = Path(folder.name)
        is_cxx = any(s.suffix != ".c" for s in sources)
        recorder = [*compilers[0].command, "-O1", "-w", "-c", str(_RECORDER), "-o"]
        driver = compilers[0].cxx if is_cxx else compilers[0].command
        wrapped = ",".join(f"--wrap={name}" for name in _WRAPPED)
        program = [*driver, "-O1", "-w", *flags, *map(as_argument, sources)]
        program += [str(path / "recorder.o"), f"-Wl,{wrapped}", f"-l:{library}", "-lm", *link]
        for words in ([*recorder, str(path / "recorder.o")], [*program, "-o", str(path / "host")]):
            done = completed(words, _TIMEOUT_S)
            if done.code:
                folder.cleanup()
                raise InputError(f"{sources[0]}: does not build: {done.errors.strip()[:300]}")
        return OpenCLProgram(folder)

    def run(self, words: Sequence[str]) -> tuple[RecordedLaunch, ...]:
        """The launches of a run with these words, in the working folder.

        Raises:
            RunError: it failed, or took too long.
        """
        out = Path(self._folder.name) / "launches"
        out.unlink(missing_ok=True)
        environment = {**tool_environment(), "LOOPLAW_LAUNCHES": str(out)}
        try:
            program = [str(Path(self._folder.name) / "host"), *words]
            done = answered(program, timeout_s=_TIMEOUT_S, environment=environment)
        except subprocess.TimeoutExpired:
            raise RunError(f"the program took longer than {_TIMEOUT_S} s") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise RunError(f"the program failed with {done.returncode} {' '.join(said)}".rstrip())
        return _launches(out.read_text("ascii")) if out.exists() else ()

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()


def _launches(text: str) -> tuple[RecordedLaunch, ...]:
    found: list[RecordedLaunch] = []
    for line in text.splitlines():
        kind, *words = line.split(" ")
        if kind == "launch":
            sizes = tuple(map(int, words[1:]))
            found.append(RecordedLaunch(words[0], sizes[:3], sizes[3:]))
        elif kind == "local":
            found[-1].locals.add(int(words[0]))
        elif kind == "end":
            if int(words[0]):
                found.pop()  # the library refused it
        else:
            held = {"number": "numbers"}.get(kind, kind)
            getattr(found[-1], held)[int(words[0])] = bytes.fromhex(words[1])
    return tuple(found)
