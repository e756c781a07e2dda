"""Source files -> one module of LLVM IR, and its canonical form.

Each file is compiled by the front end that `registry` has for its suffix; several files are linked
into one module. `canonical` then runs LLVM's sroa, loop-simplify, lcssa and instnamer passes, so
that loops read `while (guard) { x = A x + b }` whatever compiler wrote them.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from looplaw_common.errors import InputError, LooplawWarning
from looplaw_common.scratch import scratch_folder

from ..ir.other_names import has_choices, has_other_names, with_one_name
from .by_value import has_values, with_own_copies
from .clang import Compiler, compiled_together, linkers
from .cleanups import has_cleanups, with_cleanups_apart
from .collapse import with_collapsed_nests
from .containers import with_containers_inlined
from .front_end import DoesNotCompile, FrontEnd, WithoutMPI
from .gpu import (
    OPENCL,
    is_part,
    on_one_machine,
    options_of_hosts,
    texts_in_ir,
    with_open_shared_memory,
    with_told_numbers,
)
from .handed_variables import hands_variables, with_variables_apart
from .isolation import BrokeDown, Refused, linked, transformed
from .loop_shape import may_share_heads, one_latch
from .mpi import mpi_flags
from .no_ops import has_no_ops, without_no_ops
from .registry import CLANG, LANGUAGES, front_end_of
from .uncompiled import uncompiled, with_missing

_OPTNONE = re.compile(r"(?m)^(attributes #\d+ = \{.*?)\boptnone ")


def compile_source(path: Path, flags: Sequence[str] = (), modules: Path | None = None) -> str:
    """Compile one file to IR text.

    Args:
        modules: the folder for module files that the sources of one program share; by default one
            of its own.

    Raises:
        InputError: the file does not exist, is of an unknown kind or does not compile; the first
            error is quoted.
    """
    front_end = _front_end_of_file(path)
    if modules is not None:
        return with_source_nests(front_end.compile(path, flags, modules))
    with scratch_folder() as folder:
        return with_source_nests(front_end.compile(path, flags, folder))


def _front_end_of_file(path: Path) -> FrontEnd:
    """The front end for a file.

    Raises:
        InputError: it does not exist, is a folder, or is of an unknown kind.
    """
    if not path.is_file():
        raise InputError(
            f"{path}: is a folder: name its sources" if path.is_dir() else f"{path}: no such file"
        )
    return front_end_of(path)


def with_source_nests(text: str) -> str:
    """A module as clang writes it, with every loop that its source has (see `collapse`)."""
    return with_collapsed_nests(text, _source_text)


def _source_text(name: str) -> str | None:
    """A source file by the name that debug information has for it."""
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def link_commands(
    text: str, inputs: Sequence[str], folder: Path, *, cxx: bool = False
) -> Iterator[list[str]]:
    """Commands that link a program of this IR with its language's library, up to the -o: the first
    that works is to be used.

    Raises:
        InputError: the language's compiler is missing.
    """
    for language in LANGUAGES:
        if f"DW_LANG_{language.language}" in text:
            yield language.link_command(inputs, folder)
            return
    for c in linkers(text, cxx=cxx):
        yield [*(c.cxx if cxx else c.command), *inputs]


def compile_sources(
    sources: Sequence[Path | str],
    *,
    flags: Sequence[str] = (),
    only: Compiler | None = None,
    left_out: Callable[[Path, str], None] | None = None,
    host_alone: bool = False,
) -> str:
    """Compile files and link them into one module; returns its text, not yet canonical.

    Where no folder of the flags has MPI's header, that of the library at hand is taken.

    Args:
        only: the one compiler for C and C++; by default the next is tried where one fails.
        left_out: is told of each file that does not compile, and why; the others are linked without
            it. By default that is an error.
        host_alone: leave out kernels in texts of C and C++, as where the program itself is run.

    Raises:
        InputError: no file given, a file is missing or does not compile, or the modules do not
            link.
    """
    if not sources:
        raise InputError("no program given: name a .c, .cc, .cpp, .ll or .bc file")
    paths = [Path(source) for source in sources]
    for path in paths:
        _front_end_of_file(path)
    try:
        texts = _texts(paths, flags, only, host_alone)
    except InputError as error:
        if left_out is None or not paths[1:]:
            raise
        failed = uncompiled(paths, lambda path: _texts([path], flags, only, True), error)
        for path, why in failed.items():
            left_out(path, why)
        left = [path for path in paths if path not in failed]
        texts = _texts(left, flags, only, host_alone)
        texts[0] = with_missing(texts[0], failed)
    if len(texts) == 1:
        return texts[0]
    try:
        return with_told_numbers(linked(on_one_machine(texts, linked)))
    except (Refused, BrokeDown) as error:
        names = " and ".join(map(str, sources))
        raise InputError(f"{names}: do not link into one module: {error}") from None


def _texts(
    paths: Sequence[Path], flags: Sequence[str], only: Compiler | None, host_alone: bool
) -> list[str]:
    """The IR of each file of a program, with the MPI at hand where a file wants one.

    Raises:
        InputError: one does not compile.
    """
    try:
        return _compiled(paths, flags, only, host_alone)
    except WithoutMPI as error:
        try:
            of_mpi, _ = mpi_flags()
        except InputError as cure:
            raise DoesNotCompile(f"{error}: {cure}", error.said) from None
        return _compiled(paths, (*flags, *of_mpi), only, host_alone)


def _compiled(
    paths: Sequence[Path], flags: Sequence[str], only: Compiler | None, host_alone: bool
) -> list[str]:
    """The IR of each file, and of the kernels that texts of theirs hold."""
    ours = [path for path in paths if path.suffix in CLANG.suffixes]
    with scratch_folder() as modules:
        compiled = {
            path: with_collapsed_nests(text, _source_text)
            for path, text in zip(ours, compiled_together(ours, flags, only) if ours else ())
        }
        for_kernels = _as_hosts_compile(ours, flags)
        of_texts = [
            text
            for path in (() if host_alone else ours)
            for text in _kernels_in(path, compiled[path], for_kernels)
        ]
        others: dict[FrontEnd, list[Path]] = {}
        for path in dict.fromkeys(paths):
            if path not in compiled:
                others.setdefault(front_end_of(path), []).append(path)
        for front_end, own in others.items():
            given = for_kernels() if front_end is OPENCL else flags
            parts = [p for p in own if is_part(p)] if front_end is OPENCL and own[1:] else []
            if parts:
                of_texts.append(OPENCL.compile_parts(parts, given))
            for path in front_end.in_order([path for path in own if path not in parts]):
                compiled[path] = compile_source(path, given, modules)
        return [*(compiled[path] for path in paths if path in compiled), *of_texts]


def _as_hosts_compile(hosts: Sequence[Path], flags: Sequence[str]) -> Callable[[], Sequence[str]]:
    """The flags for kernels, with the definitions of their hosts, which are said; they are sought
    when they are first asked for."""

    @cache
    def found() -> Sequence[str]:
        options = options_of_hosts(hosts, flags)
        if options:
            warnings.warn(
                f"kernels compiled with {' '.join(options)}, as their host says",
                LooplawWarning,
                stacklevel=2,
            )
        return (*flags, *options)

    return found


def _kernels_in(path: Path, text: str, flags: Callable[[], Sequence[str]]) -> list[str]:
    """The IR of the kernels in texts of a host; those that do not compile are said."""
    found = texts_in_ir(text)
    try:
        return OPENCL.compile_texts(found, path, flags()) if found else []
    except InputError as error:
        warnings.warn(f"{path}: kernels in its texts: {error}", LooplawWarning, stacklevel=2)
        return []


def canonical(ir_text: str) -> str:
    """The form that every later stage works on: scalars in registers, loops with a preheader and
    one latch.

    The control flow is left as it was written: simplify_cfg would fold a break at the top of a body
    into the loop's test, and an iteration that starts and breaks would no longer be one.

    Raises:
        InputError: the text is not valid IR.
    """
    # -O0 marks functions so that no pass, not even promotion to registers, may touch them
    text = _OPTNONE.sub(r"\1", ir_text) if "optnone" in ir_text else ir_text
    try:
        if has_choices(text):
            text = transformed(text, ("instruction_namer",))
        if has_other_names(text):
            text = with_one_name(text)
        has_ways, shares = has_cleanups(text), may_share_heads(text)
        is_handed, is_read = has_values(text), hands_variables(text)
        is_printed = has_no_ops(text) or has_ways or shares or is_handed or is_read
        if is_printed:
            text = without_no_ops(transformed(text, ("instruction_namer",)))
        if is_handed:
            text = with_own_copies(text)
        if is_read:
            text = with_variables_apart(text)
        if has_ways:
            text = with_cleanups_apart(text)
        if has_ways or shares:
            text = one_latch(text)
        text = with_containers_inlined(with_open_shared_memory(text), is_printed=is_printed)
        return transformed(text, ("sroa", "loop_simplify", "lcssa", "instruction_namer"))
    except Refused as error:
        raise InputError(f"not valid LLVM IR: {error}") from None
