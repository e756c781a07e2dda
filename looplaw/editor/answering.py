"""The answer to a job: a file compiled, analysed, and laid out for an editor. It runs in a child of
the worker, which can be ended at any time."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from looplaw_common.errors import InputError
from looplaw_common.text import visible
from staticana import parse_module
from staticana.alias.whole_programs import has_main, is_whole
from staticana.analysis import analyze_module
from staticana.frontend.front_end import DoesNotCompile
from staticana.ir.types import Module
from staticana.launch import kernels_of
from staticana.results import Analysis

from ..documents.analysis import AnalysisDocument, LoopDocument, analysis_document
from ..documents.launches import access_text, accesses_in, is_kernel, of_launches
from ..laws.annotate import with_display
from .behind_calls import behind_calls
from .compiled import Source, canonical_ir, laid_out, plain
from .compiler_messages import COMPILER, problems_of
from .flags import flags_of
from .measured import Measured, measured_loops
from .notes import Answer, FunctionSymbol, Hint, Hover, Job, LoopSymbol, Notes, Problem, Severity
from .partial_program import part_of_program, roots
from .stated_laws import broken_laws
from .texts import (
    function_details,
    function_in_short,
    law_in_short,
    library_details,
    loop_details,
    measured_in_short,
)

QUADRATIC, HIDDEN = "accidental-quadratic", "hidden-work"
_PLACE = re.compile(r"(.+):(\d+):(\d+)", re.DOTALL)
_MISSING_CRATES = ("(E0432)", "(E0433)", "(E0463)", "(E0583)")
_STUDY_LEVELS: dict[str, Severity] = {"miscounted": "error", "exceeds": "warning"}
"""Verdicts of a study that are findings, as `looplaw findings` has them, and how grave they are."""


def answer(job: Job) -> Answer:
    """The notes of a job.

    Raises:
        LooplawError, OSError: there is nothing to show, and why.
    """
    path = Path(job.path)
    top = Path(job.top) if job.top else None
    with laid_out(path, job.text) as source:
        flags, said = flags_of(path, top)
        messages = [said] if said else []
        try:
            ir, warned = canonical_ir(source, flags)
        except DoesNotCompile as error:
            found = _not_compiled(source, error) if job.options.compile_errors else ()
            return Answer({job.path: Notes(problems=found)}, False, _cpu(), tuple(messages))
        laws = _Laws.of(source, ir, job)
        broken, unread = broken_laws(source, ir, flags, laws.data if laws.whole else None, top)
        measured, lost = measured_loops(path, source.text, top)
        files = dict(laws.files(measured, broken))
        return Answer(files, True, _cpu(), (*messages, *warned, *unread, *lost))


def _cpu() -> float:
    """CPU seconds of this process and its children."""
    own, below = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def _not_compiled(source: Source, error: DoesNotCompile) -> tuple[Problem, ...]:
    found = problems_of(error.said, source.is_this) or (
        Problem(1, 0, "error", COMPILER, str(error)),
    )
    if source.path.suffix == ".rs" and all(p.message.endswith(_MISSING_CRATES) for p in found):
        why = "looplaw reads crates of one file: other crates and modules are not found"
        return (Problem(found[0].line, 0, "information", COMPILER, why),)
    return found


@dataclass(frozen=True)
class _Laws:
    """What was found in a file. data: places in it are names of files that exist; whole: it is a
    program of its own."""

    source: Source
    data: AnalysisDocument
    module: Module
    whole: bool

    @staticmethod
    def of(source: Source, ir: str, job: Job) -> _Laws:
        """The analysis of a file, as a program of its own or as a part of one."""
        module = parse_module(ir)
        kernels = bool(kernels_of(module))
        whole = is_whole(module) or kernels
        part = module if whole else part_of_program(module)
        analysis = _analysed(part, job.options.budget)
        if analysis is None:
            return _Laws(source, AnalysisDocument("looplaw-analysis/1"), part, False)
        data = of_launches(with_display(analysis_document(analysis), analysis))
        return _Laws(source, data, part, whole)

    def files(
        self, measured: Sequence[Measured], problems: Sequence[Problem]
    ) -> Iterator[tuple[str, Notes]]:
        """The notes of the file, and of headers whose loops it has compiled."""
        by_file: dict[str, list[tuple[int, int, LoopDocument]]] = {str(self.source.path): []}
        for loop in self.data.loops:
            name, line, column = _place(loop.at)
            by_file.setdefault(self._file(name), []).append((line, column, loop))
        for file, loops in by_file.items():
            is_own = file == str(self.source.path)
            yield (
                file,
                self._notes(file, loops, measured if is_own else (), problems if is_own else ()),
            )

    def _notes(
        self,
        file: str,
        loops: Sequence[tuple[int, int, LoopDocument]],
        measured: Sequence[Measured],
        problems: Sequence[Problem],
    ) -> Notes:
        by_place = {(m.line, m.column): m for m in measured}
        hints, hovers = [], []
        for line, column, loop in sorted(loops, key=lambda x: x[:2]):
            known = by_place.get((line, column))
            behind = measured_in_short(known)
            text = law_in_short(loop, self.whole) + (f"; {behind}" if behind else "")
            details = self._mapped(loop_details(loop, self.data, self.whole, known))
            hints.append(Hint(line, self._mapped(text), details))
            hovers.append(Hover(line, details))
        functions = tuple(self._functions(file, loops))
        for f in self.data.functions:
            if f.line is not None and f.file and self._file(f.file) == file:
                hovers.append(Hover(f.line, self._mapped(function_details(f))))
        for call in self.data.library_calls:
            name, line, _ = _place(call.at)
            if self._file(name) == file:
                hovers.append(Hover(line, self._mapped(library_details(call))))
        for kernel, access in accesses_in(self.data.functions):
            name, line, _ = _place(access.at)
            if self._file(name) == file:
                hovers.append(Hover(line, visible(f"{kernel}: {access_text(access)}")))
        found = (*problems, *_findings(measured), *self._hidden(file))
        return Notes(tuple(hints), tuple(hovers), found, functions)

    def _functions(
        self, file: str, loops: Sequence[tuple[int, int, LoopDocument]]
    ) -> Iterator[FunctionSymbol]:
        seen: set[tuple[str, int]] = set()
        for f in sorted(self.data.functions, key=lambda f: f.line or 0):
            if f.line is None or not f.file or self._file(f.file) != file:
                continue
            if (f.name, f.line) in seen:
                continue  # instances of one template
            seen.add((f.name, f.line))
            inside = tuple(
                LoopSymbol(line, self._mapped(law_in_short(loop, self.whole)), loop.nesting)
                for line, _, loop in loops
                if loop.function == f.name
            )
            short = self._mapped(function_in_short(f))
            yield FunctionSymbol(f.line, visible(f.name), short, short, inside)

    def _hidden(self, file: str) -> Iterator[Problem]:
        """Accidental quadratics, and remarks on what calls hide."""
        for f in self.data.findings:
            name, line, column = _place(f.at)
            if self._file(name) == file:
                kind = "" if is_kernel(self.data, f.function) else "accidental quadratic: "
                message = f"{kind}{self._mapped(f.message)}"
                yield Problem(line, column, "warning", QUADRATIC, message)
        for at, text in self._remarks:
            name, line, column = _place(at)
            if self._file(name) == file:
                yield Problem(line, column, "hint", HIDDEN, self._mapped(text))

    @cached_property
    def _remarks(self) -> tuple[tuple[str, str], ...]:
        return tuple(behind_calls(self.data))

    def _file(self, name: str) -> str:
        """A file by the name that debug information gives it."""
        if self.source.is_this(name):
            return str(self.source.path)
        beside = self.source.compiled.parent / plain(name)
        return str(self.source.path.parent / plain(name)) if beside.exists() else name

    def _mapped(self, text: str) -> str:
        """Text in which the copy is called as the file is."""
        short = str(self.source.compiled).lstrip("/")
        text = visible(text)
        return text.replace(f"/{short}", self.source.path.name).replace(
            short, self.source.path.name
        )


def _analysed(module: Module, seconds: float) -> Analysis | None:
    """The analysis from main, else from a function that no other calls; None where there is no
    function."""
    names = ("main",) if has_main(module) or kernels_of(module) else roots(module)
    for name in names:
        try:
            return analyze_module(module, entry=name, matrix=False, seconds=seconds)
        except InputError:
            continue
    return None


def _findings(measured: Sequence[Measured]) -> Iterator[Problem]:
    """What a study found wrong, of the file as it is."""
    for m in measured:
        level = _STUDY_LEVELS.get(m.loop.verdict)
        if level is not None and not m.earlier:
            message = f"{m.loop.verdict}: {m.loop.verdict_reason or ''} ({m.folder})"
            yield Problem(m.line, m.column, level, m.loop.verdict.replace(" ", "-"), message)


def _place(at: str) -> tuple[str, int, int]:
    """File, line and column of file:line:column; line 0 of what is no place."""
    match = _PLACE.fullmatch(at)
    return (at, 0, 0) if match is None else (match[1], int(match[2]), int(match[3]))
