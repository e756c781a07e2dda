"""A compiler command that instruments: `CC="looplaw cc" CXX="looplaw c++" FC="looplaw fc" make`.

The real compiler compiles each source to IR with the user's flags; the IR is instrumented and
optimised at the user's level. The result is an ordinary object file, so that archives, shared
objects and partial links work as usual. Each object carries its plan and registers itself with the
runtime when the program starts; the runtime is added to every link. Objects keep their IR, and
linked files what they were linked with, so that the program can be analysed and built again (see
`staticana.frontend.built`). Command lines that do not make an object file (-E, -S, -M, --version,
...) are passed on unchanged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.commands import with_messages
from looplaw_common.errors import LooplawError
from looplaw_common.files import write_whole
from looplaw_common.scratch import scratch_folder
from looplaw_common.text import as_line, for_people
from staticana.frontend.built import carries_ir, link_record, unit_record, with_section
from staticana.frontend.clang import find_compiler
from staticana.frontend.compile import canonical
from staticana.frontend.program_files import with_source_nests
from staticana.ir.parser import parse_module
from staticana.ir.types import Module

from ..instrumentation.counter_cost import affordable
from ..instrumentation.counter_plan import Plan, plan_for
from ..instrumentation.instrument import instrument
from ..instrumentation.kernels import Kernel, Selection, kernels_of, select
from ..instrumentation.signals import leaving_handlers
from .build import optimise, runtime_object
from .drivers import Driver, driver_of

_WITH_VALUE = frozenset(  # flags whose value is the next word
    """-o -I -D -U -L -l -include -isystem -iquote -idirafter -imacros -MF -MT -MQ -MJ -x -Xclang
    -Xlinker -Xpreprocessor -Xassembler -arch -target -u -T -z --sysroot -framework -e -mllvm -G -A
    --param -isysroot -rpath -soname -install_name -F -J -module-dir""".split()
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
        sources: indices of the sources to compile among the arguments.
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


def parse_invocation(arguments: Sequence[str], suffixes: Collection[str]) -> Invocation:
    """Tell sources, by their suffixes, from flags and their values in a compiler's arguments."""
    sources, inputs, output = [], [], None
    for at, word, value in _options(arguments):
        if value is not None:
            output = value if word == "-o" else output
            inputs += [at] if word == "-l" else []
            continue
        if word.startswith("-o") and word not in ("-o", "-objc"):
            output = word[2:]
        if not word.startswith("-") or word == "-":
            inputs.append(at)
            if Path(word).suffix in suffixes:
                sources.append(at)
    return Invocation(tuple(arguments), tuple(sources), tuple(inputs), output)


def _options(arguments: Sequence[str]) -> Iterator[tuple[int, str, str | None]]:
    """(index, word, the word behind it that is its value or None) of a compiler's arguments."""
    at = 0
    while at < len(arguments):
        has_value = arguments[at] in _WITH_VALUE and at + 1 < len(arguments)
        yield at, arguments[at], arguments[at + 1] if has_value else None
        at += 1 + has_value


def compile_wrapped(
    arguments: Sequence[str], *, language: str, selection: Selection | None = None
) -> int:
    """Do what the real compiler would do with these arguments, and instrument the selected kernels.

    A pattern of the selection need not match anything in these sources; others may have it. The
    cost of counters is predicted without a run.

    Args:
        language: "c", "c++" or "fortran".

    Returns:
        The compiler's exit code.

    Raises:
        InputError: there is no compiler.
    """
    driver = driver_of(language)
    call = parse_invocation(driver.known(arguments), driver.suffixes)
    if call.is_untouched:
        return _call([*driver.command, *call.arguments])
    with scratch_folder() as folder:
        objects: dict[int, str] = {}
        for k, at in enumerate(call.sources):
            source = Path(call.arguments[at])
            target = (
                str(folder / f"{source.stem}-{k}.o")
                if call.links
                else call.output or f"{source.stem}.o"
            )
            code = _compile(driver, call, at, Path(target), folder, selection or Selection())
            if code:
                return code
            objects[at] = target
        if not call.links:
            rest = [a for at, a in enumerate(call.arguments) if at not in objects]
            return _call([*driver.command, *rest]) if len(call.inputs) > len(objects) else 0
        words = [objects.get(at, a) for at, a in enumerate(call.arguments)]
        if "-r" in words:
            return _call([*driver.command, *words])
        # A library that counts is never unloaded: the destructor of a thread that ends later is
        # part of its code.
        pinned = ["-Wl,-z,nodelete"] if "-shared" in words else []
        ours = [_record_object(call, folder), str(runtime_object(find_compiler()))]
        return _call([*driver.command, *words, *ours, *pinned, "-lpthread"])


def _record_object(call: Invocation, folder: Path) -> str:
    """An object that keeps what a program is linked with besides the objects that carry IR."""
    words: list[str] = []
    for at, word, value in _options(call.arguments):
        if at in call.inputs and not word.startswith("-"):
            path = Path(word).absolute()
            words += [str(path)] if at not in call.sources and not _is_own(path) else []
        elif value is not None and word in ("-l", "-L", "-Xlinker"):
            words += [word, str(Path(value).absolute()) if word == "-L" else value]
        elif value is None and word.startswith("-L"):
            words.append(f"-L{Path(word[2:]).absolute()}")
        elif word.startswith(("-l", "-Wl,", "-pthread", "-fopenmp", "-static")):
            words.append(word)
    kept, made = folder / "link.looplaw", folder / "looplaw-link.o"
    kept.write_bytes(link_record(words))
    made.write_bytes(optimise(with_section("", kept)))
    return str(made)


def _is_own(path: Path) -> bool:
    """Is it an object whose IR stands for it? Of a library only what is missing is linked."""
    return path.suffix == ".o" and carries_ir(path)


def _compile(
    driver: Driver, call: Invocation, at: int, target: Path, folder: Path, selection: Selection
) -> int:
    """Compile one source to an object file; returns the exit code."""
    source = call.arguments[at]
    flags = _flags_of(call, at)
    ir, kept = folder / "unit.ll", folder / "unit.looplaw"
    leading = driver.leading(flags)
    colour = ("-fdiagnostics-color=always",) if sys.stderr.isatty() else ()
    dependencies = _dependencies(call, target)
    command = [*driver.command, *leading, *colour, *flags, *dependencies, *driver.writes_ir]
    code = _call([*command, source, "-o", str(ir)])
    if code:
        return code
    try:
        written = ir.read_text(encoding="utf-8", errors="surrogateescape")
        unit = with_source_nests(driver.read(Path(source), written))
        text = canonical(unit)
        module = parse_module(text)
        plan = _plan(module, selection, source)
        if plan.counters:
            model = "generaldynamic" if _SHARED & set(call.arguments) else "initialexec"
            text = instrument(module, plan, model=model).text
        kept.write_bytes(unit_record(unit))
        write_whole(target, optimise(with_section(text, kept), level=call.level))
        return 0
    except LooplawError as error:
        _say(f"{source}: not instrumented: {error}")
    except OSError as error:
        _say(f"{target}: cannot be written: {error.strerror or error}")
        return 1
    return _call([*driver.command, *leading, *flags, "-c", source, "-o", str(target)])


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
    for at, word, value in _options(call.arguments):
        skipped = (
            word in ("-o", "-c", "-shared", "-l", "-L", "-Xlinker", "-rpath", "-soname")
            or word.startswith(("-Wl,", "-l", "-L", "-flto", "-o"))
            or at in call.inputs
        )
        if not skipped:
            flags += [word] if value is None else [word, value]
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
