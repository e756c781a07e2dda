"""Run a kernel on this processor with given launches, and read what was counted."""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Self

import llvmlite.binding as llvm

from looplaw_common.commands import answered
from looplaw_common.errors import InputError, RunError
from looplaw_common.processes import completed
from staticana.frontend.clang import find_compiler, usable_compilers
from staticana.interprocedural.inputs.thread_numbers import MOST_THREADS
from staticana.ir.parser import parse_module
from staticana.launch.kernels import kernel_text, kernels_of

from .host_module import host_module, with_definitions

_RUNTIME = Path(__file__).parent / "fibres.c"
_TIMEOUT_S = 300
_BITS = {"float": "<f", "double": "<d"}


@lru_cache(maxsize=4)
def _kernels(text: str) -> tuple[str, ...]:
    """The kernels of a module, each of which is built from it."""
    return kernels_of(parse_module(text))


@dataclass(frozen=True)
class Buffer:
    """An argument that points to memory: so many zeros, or `data`; kept: what it holds after the
    launch is wanted."""

    size: int = 0
    data: bytes | None = None
    kept: bool = False


@dataclass(frozen=True)
class Local:
    """An argument that points to shared memory of the block."""


Argument = int | float | Buffer | Local


@dataclass(frozen=True)
class CountedLoop:
    """What was counted of a loop: iterations of all threads, of the longest one, and of warps."""

    work: int
    depth: int
    warps: int


@dataclass(frozen=True)
class CountedAccess:
    """What was counted of an access.

    executions: by threads. groups: warps that made it together. full: of them, those in which all
    lanes took part; sectors, lines, ways: the least and the most of these.
    """

    executions: int
    groups: int
    full: int
    total_sectors: int
    sectors: tuple[int, int]
    lines: tuple[int, int]
    ways: tuple[int, int]


@dataclass(frozen=True)
class Counted:
    """One launch: loops by place, accesses by (place, kind), what kept buffers hold by the numbers
    of arguments."""

    loops: Mapping[str, CountedLoop]
    accesses: Mapping[tuple[str, str], tuple[CountedAccess, ...]]
    buffers: Mapping[int, bytes] = field(default_factory=dict)


@dataclass
class KernelProgram:
    """A kernel that was built for this processor. Close it to remove its files."""

    kernel: str
    parameters: tuple[str, ...]
    names: tuple[str, ...]
    _loops: tuple[str, ...]
    _accesses: tuple[tuple[str, str] | None, ...]
    _folder: tempfile.TemporaryDirectory[str] = field(repr=False)

    @staticmethod
    def build(text: str, kernel: str) -> KernelProgram:
        """Build one kernel of a canonical module.

        Raises:
            InputError: there is no such kernel, or it does not run here.
        """
        kernels = _kernels(text)
        if kernel not in kernels:
            raise InputError(f"{kernel} is no kernel; there are {', '.join(kernels) or 'none'}")
        alone = parse_module(kernel_text(text, kernels, kernel))
        made = host_module(alone, kernel)
        ir = with_definitions(made.text, alone)
        folder = tempfile.TemporaryDirectory(prefix="looplaw-kernel-")
        path = Path(folder.name)
        (path / "kernel.o").write_bytes(_object(ir))
        _compile(path)
        return KernelProgram(
            kernel,
            made.parameters,
            made.names,
            tuple(p.at for p in made.loops),
            # those of functions that it calls have no laws of their own
            tuple((p.at, p.kind) if p.function == kernel else None for p in made.accesses),
            folder,
        )

    def run(
        self,
        grid: Sequence[int],
        block: Sequence[int],
        arguments: Sequence[Argument],
        warp: int = 32,
    ) -> Counted:
        """One launch.

        Raises:
            RunError: it failed, or took too long.
        """
        _expect_launchable(grid, block)
        shape = [*grid, *[1] * (3 - len(grid)), *block, *[1] * (3 - len(block))]
        head = f"{' '.join(map(str, shape))} {warp} {len(arguments)}\n".encode()
        given = head + b"".join(
            _written(kind, a) for kind, a in zip(self.parameters, arguments, strict=True)
        )
        try:
            program = str(Path(self._folder.name) / "kernel")
            done = answered([program], timeout_s=_TIMEOUT_S, given=given)
        except subprocess.TimeoutExpired:
            raise RunError(f"{self.kernel}: a launch took longer than {_TIMEOUT_S} s") from None
        if done.returncode:
            why = done.stderr.decode(errors="replace").strip() or f"signal {-done.returncode}"
            raise RunError(f"{self.kernel}: the launch failed: {why}")
        return self._counted(done.stdout.decode())

    def _counted(self, text: str) -> Counted:
        loops: dict[str, CountedLoop] = {}
        accesses: dict[tuple[str, str], tuple[CountedAccess, ...]] = {}
        buffers: dict[int, bytes] = {}
        for line in text.splitlines():
            kind, *words = line.split()
            if kind == "end":
                continue
            if kind == "buffer":
                buffers[int(words[0])] = bytes.fromhex(words[1])
                continue
            number, *n = map(int, words)
            if kind == "loop":
                at, before = self._loops[number], loops.get(self._loops[number])
                found = CountedLoop(*n)
                loops[at] = found if before is None else _both(before, found)
            elif (key := self._accesses[number]) is not None:
                one = CountedAccess(
                    n[0], n[1], n[2], n[3], (n[4], n[5]), (n[6], n[7]), (n[8], n[9])
                )
                accesses[key] = (*accesses.get(key, ()), one)
        return Counted(loops, accesses, buffers)

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _times(sizes: Sequence[int]) -> str:
    return " x ".join(map(str, sizes))


def _expect_launchable(grid: Sequence[int], block: Sequence[int]) -> None:
    """A launch has blocks and threads, and no more of these than machines take.

    Raises:
        RunError: it has not.
    """
    if min(*grid, *block) < 1:
        raise RunError(
            f"a launch of {_times(grid)} blocks of {_times(block)} threads: both are at least 1"
        )
    if prod(block) > MOST_THREADS:
        raise RunError(f"a block of {prod(block)} threads: {MOST_THREADS} are the most")


def _both(a: CountedLoop, b: CountedLoop) -> CountedLoop:
    """Copies of one loop; of their longest threads and warps only the sum is known to be enough."""
    return CountedLoop(a.work + b.work, a.depth + b.depth, a.warps + b.warps)


def _written(kind: str, argument: Argument) -> bytes:
    """An argument as the runtime reads it."""
    if isinstance(argument, Local) or kind == "shared":
        return b"s 0\n"
    if isinstance(argument, Buffer):
        if argument.data is None:
            return f"z {argument.size}\n".encode()
        kind = "r" if argument.kept else "b"
        return f"{kind} {len(argument.data)}\n".encode() + argument.data + b"\n"
    if kind in _BITS:
        packed = struct.pack(_BITS[kind], argument)
        return f"n {int.from_bytes(packed, 'little')}\n".encode()
    return f"n {int(argument)}\n".encode()


def _object(ir: str) -> bytes:
    """Machine code of a module.

    Raises:
        InputError: it is not valid here.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        module = llvm.parse_assembly(ir)
        module.verify()
    except RuntimeError as error:
        raise InputError(
            f"the kernel cannot run here: {' '.join(str(error).split())[:300]}"
        ) from None
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(opt=1, reloc="pic", codemodel="small")
    return bytes(machine.emit_object(module))


def _compile(folder: Path) -> None:
    compiler = _clang()
    command = [
        *(*compiler, "-w", "-o", str(folder / "kernel"), str(folder / "kernel.o")),
        *(str(_runtime(compiler).file), "-lm"),
    ]
    done = completed(command, _TIMEOUT_S)
    if done.code:
        raise InputError(f"the kernel cannot run here: {done.errors.strip()[:400]}")


def _clang() -> tuple[str, ...]:
    compilers = [c for c in (find_compiler(), *usable_compilers()) if c.kind == "clang"]
    if not compilers:
        raise InputError("running a kernel needs a clang: install clang-19")
    return tuple(compilers[0].command)


@dataclass(frozen=True)
class _Runtime:
    """The runtime's object file, in a folder that goes with this process."""

    folder: tempfile.TemporaryDirectory[str]

    @property
    def file(self) -> Path:
        return Path(self.folder.name) / "fibres.o"


@lru_cache(maxsize=4)
def _runtime(compiler: tuple[str, ...]) -> _Runtime:
    """The runtime, compiled once for all kernels."""
    found = _Runtime(tempfile.TemporaryDirectory(prefix="looplaw-fibres-"))
    words = ("-O2", "-w", "-Wno-everything", "-c", "-o", str(found.file), str(_RUNTIME))
    done = completed([*compiler, *words], _TIMEOUT_S)
    if done.code:
        raise InputError(f"kernels cannot run here: {done.errors.strip()[:400]}")
    return found
