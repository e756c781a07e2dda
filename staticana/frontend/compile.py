"""Source files -> one module of LLVM IR, and its canonical form.

Each file is compiled by the front end that `registry` has for its suffix (`program_files`); several
files are linked into one module. `canonical` then runs LLVM's sroa, loop-simplify, lcssa and
instnamer passes, so that loops read `while (guard) { x = A x + b }` whatever compiler wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from looplaw_common.errors import InputError

from ..ir.other_names import has_choices, has_other_names, with_one_name
from .aggregates import has_aggregates, with_members_apart
from .built import link_words
from .by_value import has_values, with_own_copies
from .clang import Compiler, linkers
from .cleanups import has_cleanups, with_cleanups_apart
from .containers import with_containers_inlined
from .gpu import on_one_machine, with_open_shared_memory, with_told_numbers
from .handed_variables import hands_variables, with_variables_apart
from .host_variables import has_host_variables, with_host_variables_apart
from .isolation import BrokeDown, Refused, linked, transformed
from .loop_shape import may_share_heads, one_latch
from .no_ops import has_no_ops, without_no_ops
from .program_files import ProgramFiles, front_end_of_file
from .registry import LANGUAGES
from .short_functions import with_device_functions_inlined
from .uncompiled import with_cure, with_missing

_OPTNONE = re.compile(r"(?m)^(attributes #\d+ = \{.*?)\boptnone ")


def link_commands(
    text: str, inputs: Sequence[str], folder: Path, *, cxx: bool = False
) -> Iterator[list[str]]:
    """Commands that link a program of this IR with its language's library, up to the -o: the first
    that works is to be used.

    Raises:
        InputError: the language's compiler is missing.
    """
    words = (*inputs, *link_words(text))
    for language in LANGUAGES:
        if f"DW_LANG_{language.language}" in text:
            yield language.link_command(words, folder)
            return
    for c in linkers(text, cxx=cxx):
        yield [*(c.cxx if cxx else c.command), *words]


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
        front_end_of_file(path)
    files = ProgramFiles(tuple(paths), only, host_alone)
    try:
        texts = files.texts(flags)
    except InputError:
        if left_out is None or not paths[1:]:
            raise
        texts, failed = files.that_compile(flags)
        if not texts or not failed:
            raise
        for path, why in failed.items():
            left_out(path, with_cure(str(why)))
        texts[0] = with_missing(texts[0], failed)
    if len(texts) == 1:
        return texts[0]
    try:
        return with_told_numbers(linked(on_one_machine(texts, linked)))
    except (Refused, BrokeDown) as error:
        names = " and ".join(map(str, sources))
        raise InputError(f"{names}: do not link into one module: {error}") from None


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
        is_whole, is_hosted = has_aggregates(text), has_host_variables(text)
        is_printed = has_no_ops(text) or has_ways or shares or is_handed or is_read
        is_printed |= is_whole or is_hosted
        if is_printed:
            text = without_no_ops(transformed(text, ("instruction_namer",)))
        if is_handed:
            text = with_own_copies(text)
        if is_read:
            text = with_variables_apart(text)
        if is_whole:
            text = with_members_apart(text)
        if is_hosted:
            text = with_host_variables_apart(text)
        if has_ways:
            text = with_cleanups_apart(text)
        if has_ways or shares:
            text = one_latch(text)
        text = with_device_functions_inlined(with_open_shared_memory(text))
        text = with_containers_inlined(text, is_printed=is_printed)
        return transformed(text, ("sroa", "loop_simplify", "lcssa", "instruction_namer"))
    except Refused as error:
        raise InputError(f"not valid LLVM IR: {error}") from None
