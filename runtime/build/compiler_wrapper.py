"""A compiler command that instruments: `CC="looplaw cc" CXX="looplaw c++" make`.

The real compiler compiles each source to IR with the user's flags; the IR is instrumented and
optimised at the user's level. The result is an ordinary object file, so that archives, shared
objects and partial links work as usual. Each object carries its plan and registers itself with the
runtime when the program starts; the runtime is added to every link. Command lines that do not make
an object file (-E, -S, -M, --version, ...) are passed on unchanged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.commands import with_messages
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from looplaw_common.scratch import scratch_folder
from looplaw_common.text import as_line, for_people
from staticana.frontend.clang import (
    C_SUFFIXES,
    CXX_SUFFIXES,
    Compiler,
    compile_flags,
    find_compiler,
    leading_flags,
)
from staticana.frontend.compile import canonical, with_source_nests
from staticana.ir.parser import parse_module
from staticana.ir.types import Module

from ..instrumentation.counter_cost import affordable
from ..instrumentation.counter_plan import Plan, plan_for
from ..instrumentation.instrument import instrument
from ..instrumentation.kernels import Kernel, Selection, kernels_of, select
from ..instrumentation.signals import leaving_handlers
from .build import optimise, runtime_object

_WITH_VALUE = frozenset(  # flags whose value is the next word
    """-o -I -D -U -L -l -include -isystem -iquote -idirafter -imacros -MF -MT -MQ -MJ -x -Xclang
    -Xlinker -Xpreprocessor -Xassembler -arch -target -u -T -z --sysroot -framework -e -mllvm -G -A
    --param -isysroot -rpath -soname -install_name -F""".split()
)
_UNTOUCHED = frozenset(
    (
        "-E",
        "-S",
        "-M",
        "-MM",
        "-fsyntax-only",
        "--version",
        "-dumpversion",
        "-dumpmachine",
        "-###",
        "-",
        "-x",
        "--help",
        "-v",
        "-V",
        "--analyze",
    )
)
_UNTOUCHED_STARTS = (
    "-print-",
    "--print-",
    "-emit-",
    "-fsanitize",
    "-fprofile",
    "-fcoverage",
    "--target",
    "-x",
)
_LEVELS = {
    "-O0": 0,
    "-O": 1,
    "-O1": 1,
    "-Og": 1,
    "-O2": 2,
    "-Os": 2,
    "-Oz": 2,
    "-O3": 3,
    "-O4": 3,
    "-Ofast": 3,
}
_SHARED = frozenset(("-fPIC", "-fpic"))


@dataclass(frozen=True)
class Invocation:
    """A compiler's command line.

    Attributes:
        sources: indices of the C and C++ sources among the arguments.
        inputs: indices of all files and libraries.
        output: what follows -o.
    """

    arguments: tuple[str, ...]
    sources: tuple[int, ...]
    inputs: tuple[int, ...]
    output: str | None

    @property
    def is_untouched(self) -> bool:
        """Does the command make no object file from a source?"""
        return not self.inputs or any(
            a in _UNTOUCHED or a.startswith(_UNTOUCHED_STARTS) for a in self.arguments
        )

    @property
    def links(self) -> bool:
        """Does it link an executable or a library?"""
        return "-c" not in self.arguments

    @property
    def level(self) -> int:
        """The optimisation level: the last one given counts."""
        given = [a for a in self.arguments if a in _LEVELS]
        return _LEVELS[given[-1]] if given else 0


def parse_invocation(arguments: Sequence[str]) -> Invocation:
    """Tell sources from flags and their values in a compiler's arguments."""
    sources, inputs, output, at = [], [], None, 0
    while at < len(arguments):
        word = arguments[at]
        if word in _WITH_VALUE:
            output = arguments[at + 1] if word == "-o" and at + 1 < len(arguments) else output
            inputs += [at] if word == "-l" else []
            at += 2
            continue
        if word.startswith("-o") and word not in ("-o", "-objc"):
            output = word[2:]
        if not word.startswith("-") or word == "-":
            inputs.append(at)
            if Path(word).suffix in C_SUFFIXES | CXX_SUFFIXES:
                sources.append(at)
        at += 1
    return Invocation(tuple(arguments), tuple(sources), tuple(inputs), output)


def compile_wrapped(
    arguments: Sequence[str], *, cxx: bool, selection: Selection | None = None
) -> int:
    """Do what the real compiler would do with these arguments, and instrument the selected kernels.

    A pattern of the selection need not match anything in these sources; others may have it. The
    cost of counters is predicted without a run.

    Returns:
        The compiler's exit code.

    Raises:
        InputError: there is no compiler.
    """
    compiler = find_compiler()
    command = compiler.cxx if cxx else compiler.command
    call = parse_invocation(arguments)
    if call.is_untouched:
        return _call([*command, *arguments])
    with scratch_folder() as folder:
        objects: dict[int, str] = {}
        for k, at in enumerate(call.sources):
            source = Path(call.arguments[at])
            target = (
                str(folder / f"{source.stem}-{k}.o")
                if call.links
                else call.output or f"{source.stem}.o"
            )
            code = _compile(
                compiler, command, call, at, Path(target), folder, selection or Selection()
            )
            if code:
                return code
            objects[at] = target
        if not call.links:
            rest = [a for at, a in enumerate(call.arguments) if at not in objects]
            return _call([*command, *rest]) if len(call.inputs) > len(objects) else 0
        words = [objects.get(at, a) for at, a in enumerate(call.arguments)]
        if "-r" in words:
            return _call([*command, *words])
        # A library that counts is never unloaded: the destructor of a thread that ends later is
        # part of its code.
        pinned = ["-Wl,-z,nodelete"] if "-shared" in words else []
        return _call([*command, *words, str(runtime_object(compiler)), *pinned, "-lpthread"])


def _compile(
    compiler: Compiler,
    command: Sequence[str],
    call: Invocation,
    at: int,
    target: Path,
    folder: Path,
    selection: Selection,
) -> int:
    """Compile one source to an object file; returns the exit code."""
    source = call.arguments[at]
    flags = _flags_of(call, at)
    ir = folder / "unit.ll"
    code = _call(
        [
            *command,
            *leading_flags(compiler),
            *(("-fdiagnostics-color=always",) if sys.stderr.isatty() else ()),
            *flags,
            *_dependencies(call, target),
            *compile_flags(compiler),
            source,
            "-o",
            str(ir),
        ]
    )
    if code:
        return code
    try:
        written = ir.read_text(encoding="utf-8", errors="surrogateescape")
        text = canonical(with_source_nests(written))
        module = parse_module(text)
        plan = _plan(module, selection, source)
        if plan.counters:
            model = "generaldynamic" if _SHARED & set(call.arguments) else "initialexec"
            instrumented = instrument(module, plan, model=model).text
            write_whole(target, optimise(instrumented, level=call.level))
            return 0
    except LooplawError as error:
        _say(f"{source}: not instrumented: {error}")
    except OSError as error:
        _say(f"{target}: cannot be written: {error.strerror or error}")
        return 1
    leading = leading_flags(compiler)
    return _call([*command, *leading, *flags, "-c", source, "-o", str(target)])


def _plan(module: Module, selection: Selection, source: str) -> Plan:
    """The plan of one source. Reports kernels that are left out as too expensive, and signal
    handlers because of which counters are kept in memory."""
    wanted = os.environ.get("LOOPLAW_PLAN", "time").split(",")
    handlers = leaving_handlers(module)
    precise = bool(handlers) or "precise" in wanted
    if handlers and "precise" not in wanted:
        _say(
            f"{source}: signal handlers may leave in the middle of a loop"
            f" ({', '.join(handlers)}): counters here are kept in memory at every moment; for those"
            " of other files set LOOPLAW_PLAN=time,precise"
        )

    def plan_of(kernels: Sequence[Kernel]) -> Plan:
        return plan_for(
            module,
            [key for kernel in kernels for key in kernel.loops],
            timed="time" in wanted,
            calls="calls" in wanted,
            precise=precise,
        )

    kernels = select(kernels_of(module), selection, known=False)
    if selection.most_overhead is not None:
        kernels, left = affordable(module, kernels, plan_of, selection.most_overhead)
        for out in left:
            _say(
                f"{out.kernel.names[0]} ({out.kernel.at}) is not instrumented: its"
                f" counters are predicted to cost {100 * out.overhead:.2g} % of the file's"
                " instructions"
            )
    return plan_of(kernels)


def _flags_of(call: Invocation, source: int) -> list[str]:
    """The arguments that matter for compiling one source."""
    flags: list[str] = []
    at = 0
    while at < len(call.arguments):
        word = call.arguments[at]
        width = 2 if word in _WITH_VALUE else 1
        skipped = (
            word in ("-o", "-c", "-shared", "-l", "-L", "-Xlinker", "-rpath", "-soname")
            or word.startswith(("-Wl,", "-l", "-L", "-flto", "-o"))
            or at in call.inputs
        )
        if not skipped:
            flags += call.arguments[at : at + width]
        at += width
    return flags


def _dependencies(call: Invocation, target: Path) -> list[str]:
    """Words for -MD and -MMD, which name the dependency file and its target after the output: here
    the output is a temporary file."""
    words = call.arguments
    if not any(w in ("-MD", "-MMD") or w.startswith(("-Wp,-MD", "-Wp,-MMD")) for w in words):
        return []
    named = (
        []
        if "-MF" in words or any(w.startswith(("-MF", "-Wp,")) for w in words)
        else ["-MF", str((Path(call.output) if call.output else target).with_suffix(".d"))]
    )
    return named + (
        []
        if any(w.startswith(("-MT", "-MQ")) for w in words)
        else ["-MT", str(call.output or target)]
    )


def _call(command: Sequence[str]) -> int:
    """Run the compiler, with its messages as terminals and build servers may get them."""
    try:
        code, said = with_messages(command)
    except OSError as error:
        _say(f"{command[0]}: {error.strerror or error}")
        return 1
    print(for_people(said, styled=True), end="", file=sys.stderr, flush=True)
    return code


def _say(text: str) -> None:
    print(as_line(f"looplaw: {text}"), file=sys.stderr)
