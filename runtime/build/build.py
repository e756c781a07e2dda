"""From IR, instrumented or not, to an optimised executable."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.cache import cache_folder
from looplaw_common.errors import InputError, LooplawError, RunError
from looplaw_common.files import without_room, write_whole
from looplaw_common.processes import completed
from looplaw_common.scratch import scratch_folder
from staticana.frontend.clang import Compiler, find_compiler, missing_openmp
from staticana.frontend.compile import link_commands
from staticana.frontend.isolation import BrokeDown, Refused, isolated
from staticana.ir.parser import parse_module

from ..counters.entries import EntryPlan
from ..instrumentation.counter_plan import Plan
from ..instrumentation.instrument import instrument
from .initialisers import in_arrays
from .inline_functions import internal

_TIMEOUT_S = 600
"""For one compiler or linker process."""
_RUNTIME_FLAGS = ("-O2", "-fPIC", "-std=gnu11", "-fvisibility=hidden")
"""Hidden: a library has its own runtime, even in a program that exports its symbols, since what the
library counts in does not outlive it."""
_TRIPLE = re.compile(r'(?m)^target triple = "([^"]+)"')
_OF_COMPILERS = re.compile(r"_?_?(?:Z\w*St|cxa_|gxx_|kmpc_|clang_|divti|omp_|GOMP_)")
"""Symbols of libraries that come with compilers."""
_OF_OPENMP = re.compile(r"_*kmpc_|omp_")
_SAME = {"amd64": "x86_64", "arm64": "aarch64", "i486": "i386", "i586": "i386", "i686": "i386"}


@dataclass(frozen=True)
class Program:
    """An executable, and the plan that it was instrumented with (None: it was not)."""

    executable: Path
    plan: Plan | None


class UndefinedSymbol(InputError):
    """A program uses a symbol that none of its files and libraries defines."""

    def __init__(self, what: str, symbol: str) -> None:
        super().__init__(
            f"{what}: {missing_openmp(find_compiler())}"
            if _OF_OPENMP.match(symbol)
            else f"{what}: {symbol} is not defined; name the source that defines it, or its library"
            " with --link -lNAME"
        )
        self.of_compiler = _OF_COMPILERS.match(symbol) is not None


def _run(command: Sequence[str], output: Path, what: str) -> None:
    """Run a compiler or linker that writes a file, and turn its messages into one line.

    Raises:
        InputError: a library is missing, which the user can name.
        UndefinedSymbol: so is a symbol.
        RunError: it failed for another reason, such as a full disk.
    """
    try:
        done = completed([*command, "-o", str(output)], _TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunError(f"{what}: {error}") from None
    if done.code == 0:
        return
    if full := without_room(done.errors, output.parent, Path(tempfile.gettempdir())):
        raise RunError(f"{what}: {full}")
    if "-lomp" in done.errors:
        raise InputError(f"{what}: {missing_openmp(find_compiler())}")
    missing = re.search(r"undefined (?:symbol|reference to)[:\s]+[`'\"]?([\w.]+)", done.errors)
    if missing:
        raise UndefinedSymbol(what, missing.group(1))
    lines = [
        line for line in done.errors.splitlines() if "error" in line
    ] or done.errors.splitlines()[-1:]
    raise RunError(f"{what}: {lines[0].strip() if lines else 'failed'}")


def _link(commands: Iterable[Sequence[str]], output: Path) -> None:
    """Link by the first command that can: one compiler may have a library that another has not.

    Raises:
        InputError, RunError: as `_run`, for what the first command says.
    """
    first: LooplawError | None = None
    for command in commands:
        try:
            _run(command, output, "linking")
        except UndefinedSymbol as error:
            first = first or error
            if not error.of_compiler:
                break
        except LooplawError as error:
            first = first or error
        else:
            return
    if first is not None:
        raise first


def runtime_object(compiler: Compiler) -> Path:
    """looplaw_rt.c, compiled once for each compiler and version of the sources.

    Raises:
        RunError: it does not compile.
    """
    sources = {
        entry.name: entry.read_bytes()
        for entry in files("runtime.counters").iterdir()
        if entry.name.endswith((".c", ".h"))
    }
    text = b"".join(name.encode() + content for name, content in sorted(sources.items()))
    digest = hashlib.sha256(text + repr((compiler, _RUNTIME_FLAGS)).encode()).hexdigest()[:16]
    target = cache_folder() / f"rt-{digest}.o"
    if target.exists():
        return target
    with scratch_folder() as folder:
        path, out = folder / "looplaw_rt.c", folder / "rt.o"
        for name, content in sources.items():
            (folder / name).write_bytes(content)
        command = [*compiler.command, *_RUNTIME_FLAGS, "-c", str(path)]
        _run(command, out, "building the runtime")
        write_whole(target, out.read_bytes())
    return target


def optimise(text: str, *, level: int = 3) -> bytes:
    """Optimise IR with LLVM's default pipeline of a level; returns position-independent object
    code.

    Raises:
        RunError: the text is not valid IR, which is a fault of the instrumentation.
    """
    return generated(lambda: _object_code(text, level))


def generated(work: Callable[[], bytes]) -> bytes:
    """What LLVM makes of a program, in a process of its own.

    Raises:
        RunError: the text is not valid IR, which is a fault of the instrumentation.
    """
    try:
        return isolated(work, timeout_s=_TIMEOUT_S)
    except Refused as error:
        raise RunError(f"instrumented IR is not valid: {error}") from None
    except BrokeDown as error:
        raise RunError(f"generating code: {error}") from None


def need_native(text: str) -> None:
    """Check that a program of this IR can run here.

    Raises:
        InputError: it is for another kind of machine.
    """
    found = _TRIPLE.search(text)
    here: str = llvm.get_default_triple()
    if found and _machine(found.group(1)) != _machine(here):
        raise InputError(
            f"the program is IR for {found.group(1)} and cannot run on this machine ({here});"
            " looplaw analyze derives its counts without a run"
        )


def _machine(triple: str) -> tuple[str, str]:
    """(processor, operating system) of a triple."""
    processor = _SAME.get(triple.split("-")[0], triple.split("-")[0])
    systems = ("linux", "darwin", "macos", "windows", "freebsd", "cuda", "amdhsa", "wasi")
    return processor, next((s for s in systems if s in triple), "")


def _object_code(text: str, level: int) -> bytes:
    code: bytes = machine_of(text, level).emit_object(optimised(text, level))
    return code


def machine_of(text: str, level: int) -> llvm.TargetMachine:
    """What LLVM generates a program's code with."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for assembly in the source
    found = _TRIPLE.search(text)
    target = llvm.Target.from_triple(found.group(1) if found else llvm.get_default_triple())
    return target.create_target_machine(opt=level, reloc="pic", codemodel="default")


def optimised(text: str, level: int) -> llvm.ModuleRef:
    """A program as its code is generated from; called in a process of its own."""
    # before any pass: LLVM 22 leaves markers of lifetimes that it does not read again
    machine = machine_of(text, level)
    module = llvm.parse_assembly(in_arrays(text))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = level > 1
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def build_program(
    canonical_text: str,
    plan: Plan | None,
    output: Path,
    *,
    entries: EntryPlan | None = None,
    cxx: bool = False,
    link_flags: Sequence[str] = (),
    code: Callable[[str], bytes] = optimise,
) -> Program:
    """Build an executable.

    Args:
        plan: the counters to put in; None for none.
        entries: loops whose entries are recorded, for `looplaw verify`.
        cxx: link with the C++ library.
        link_flags: further words for the linker, such as -lNAME.
        code: IR, instrumented or not, to object code.

    Raises:
        InputError: a symbol is defined nowhere, or the IR is for another kind of machine.
        RunError: code generation or linking fails.
    """
    need_native(canonical_text)
    compiler = find_compiler()
    text = internal(canonical_text)
    objects: list[str] = []
    if plan is not None:
        text = instrument(parse_module(text), plan, entries).text
        if entries is not None:
            text += entries.constants()
        objects.append(str(runtime_object(compiler)))
    output.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder() as folder:
        made = folder / "program.o"
        made.write_bytes(code(text))
        openmp = ("-fopenmp",) if "@__kmpc_" in canonical_text else ()
        inputs = [str(made), *objects, *openmp, *link_flags, "-lm", "-lpthread"]
        _link(link_commands(canonical_text, inputs, folder, cxx=cxx), output)
    return Program(output, plan)
