"""Who calls whom: the calls of a program's own functions, and how often a run makes them.

Functions that an analysis does not list, those of libraries and the bodies of parallel regions, are
passed through: a comparison that std::sort calls is called where the program calls std::sort.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from .alias.call_graph import Site
from .assumed import assumption
from .count import Count
from .expr import ONE
from .expr.budget import OutOfTime
from .frontend.openmp.regions import is_outlined
from .interprocedural.loop_nesting import Key, source_loop
from .ir.graph import callee, calls_in, closure
from .ir.loop_info import loop_forest
from .ir.system_files import is_system_file, own_location
from .ir.tokens import global_names
from .ir.types import Function, Instruction, Module
from .program_laws import ProgramLaws
from .results import Call, LoopResult
from .scev.executions.guards import taken

_FAR = "its function is not called a known number of times from the entry"
_HIDDEN = "it may only run where the program ends by an error or an exception is thrown"
_SOME = "the call goes to one of several functions"
_UNSEEN = "the analysis does not see this call: it is inlined, or never reached"
_PASSED = "what lies between is no function of the analysis: a library's, or a parallel region"


def calls(
    laws: ProgramLaws,
    module: Module,
    origin: Mapping[str, str],
    loops: Mapping[Key, LoopResult],
    listed: Collection[str],
) -> tuple[Call, ...]:
    """The calls between functions, those through pointers whose targets are known among them.

    Args:
        laws: of the program as it was analysed.
        module: the program before what its analysis inlines.
        origin: copy of a function -> the function.
        loops: the results of its loops, copies by themselves.
        listed: symbols of the functions that callers and callees are.
    """
    sources = _Sources(module, listed)
    found: dict[tuple[str, str, str], list[Call]] = {}
    for call in _analysed(laws, origin, loops, sources):
        found.setdefault((call.caller, call.callee, call.at), []).append(call)
    for call in sources.calls(found.keys()):
        found[call.caller, call.callee, call.at] = [call]
    return tuple(
        same[0] if len(same) == 1 else replace(same[0], total=Count.sum([c.total for c in same]))
        for same in found.values()
        if not is_system_file(same[0].at)
    )


def _analysed(
    laws: ProgramLaws, origin: Mapping[str, str], loops: Mapping[Key, LoopResult], sources: _Sources
) -> Iterator[Call]:
    """The calls that the analysis sees, those of each copy of a function by themselves."""
    program, executed = laws.program, _Executed(laws, loops)
    graph = program.calls.graph
    replaced = {*origin.values()} - program.calls.reachable

    def source(name: str) -> str | None:
        return sources.function(origin.get(name, name))

    for site in program.calls.sites:
        caller, view, i = source(site.caller), program.view(site.caller), site.instruction
        if caller is None or site.caller in replaced or site.block not in view.reachable:
            continue
        if _is_of_another(program.module, i):
            continue
        around = source_loop(view, view.forest.innermost.get(site.block))
        loop = None if around is None else view.loops[around].at
        called = source(site.callee)
        if called is None:  # a function of a library, which may call others
            passed = closure((site.callee,), lambda f: () if source(f) else graph.successors(f))
            for f in sorted({f for name in passed if (f := source(name))}):
                yield Call(caller, f, view.own_place(i), loop, Count.unknown(_PASSED))
        elif not is_outlined(origin.get(site.callee, site.callee)):
            yield Call(caller, called, view.own_place(i), loop, executed.total(site))


def _is_of_another(module: Module, i: Instruction) -> bool:
    """Does a call stand in another function of the program, which is inlined here?"""
    at = module.location(i.dbg)
    is_own = at is not None and not is_system_file(at.file)
    return is_own and module.metadata_field(i.dbg, "inlinedAt") is not None


class _Executed:
    """How often a run makes calls: those of the entry, those of functions that are called from it a
    known number of times and make them equally often each time, and those that each iteration of a
    loop makes once."""

    def __init__(self, laws: ProgramLaws, loops: Mapping[Key, LoopResult]) -> None:
        self._laws = laws
        self._loops = loops
        self._of_blocks: dict[tuple[str, str], Count] = {}
        self._runs: dict[str, Count | None] = {}

    def total(self, site: Site) -> Count:
        """Executions of a call in a whole run."""
        if not site.certain:
            return Count.unknown(_SOME)
        key = site.caller, site.block
        if key not in self._of_blocks:
            try:
                found = self._total(site)
                is_taken = any(assumption(a).kind == "way taken" for a in found.assumptions)
                self._of_blocks[key] = Count.unknown(_HIDDEN) if is_taken else found
            except OutOfTime:
                self._of_blocks[key] = Count.unknown(self._laws.program.late())
        return self._of_blocks[key]

    def _total(self, site: Site) -> Count:
        program = self._laws.program
        runs = self._of(site.caller)
        view = program.view(site.caller)
        around = source_loop(view, view.forest.innermost.get(site.block))
        is_exact = runs is not None and runs.kind == "exact"
        if around is None and not is_exact:
            return Count.unknown(_FAR)
        if self._laws.early.is_hidden(site.caller, site.block):
            return Count.unknown(_HIDDEN)
        each = program.within(lambda: view.executions.of(site.block))
        if around is not None and site.caller != program.entry:
            iterations = program.within(lambda: view.executions.iterations_per_call(around))
            if each.formula is not None and each == iterations:
                return self._loops[site.caller, around].total
        if runs is None or not is_exact:
            return Count.unknown(_FAR)
        each = taken(program, each)
        each = self._laws.early.in_whole(site.caller, each)
        if site.caller == program.entry:
            return self._laws.naming.count(each)
        once = None if each.formula is None else each.formula.constant
        if runs.formula is None or once is None:
            return Count.unknown(_FAR)
        named = self._laws.naming.count(each)
        if named.kind != "exact":
            return Count.unknown(_FAR)
        return replace(
            Count.sum([runs, named]),  # both rest on what each rests on
            formula=runs.formula * once,
        )

    def _of(self, name: str) -> Count | None:
        """Calls of a function in a whole run, where they are known."""
        if name not in self._runs:
            self._runs[name] = None  # what calls itself
            self._runs[name] = self._found(name)
        return self._runs[name]

    def _found(self, name: str) -> Count | None:
        calls = self._laws.program.calls
        if name == calls.entry:
            return None if calls.runs_again else Count("exact", ONE)
        sites = calls.callers.get(name, ())
        if (
            not sites
            or is_outlined(name)
            or name in calls.pointed | calls.recursive | self._laws.callable_by_name
            or not all(s.certain for s in sites)
        ):
            return None
        return Count.sum([self.total(s) for s in sites])


class _Sources:
    """The functions of the source, and the calls that stand in them.

    Args:
        module: the program as it is, where what stands in parallel regions is in functions of its
            own.
        listed: symbols of its functions.
    """

    def __init__(self, module: Module, listed: Collection[str]) -> None:
        self._module, self._listed = module, listed
        self._around: dict[str, str] = {}
        if any(map(is_outlined, module.functions)):
            for f, i in calls_in(module):
                for name in (n for o in i.operands for n in global_names(o) if is_outlined(n)):
                    self._around.setdefault(name, f.name)

    def function(self, name: str | None) -> str | None:
        """The function in which the code of this one stands; None where it is not listed."""
        passed = set[str]()
        while name is not None and name not in self._listed and name not in passed:
            passed.add(name)
            name = self._around.get(name)
        return name if name in self._listed else None

    def calls(self, known: Collection[tuple[str, str, str]]) -> Iterator[Call]:
        """Direct calls, and those of functions that are handed to others which are not here, as to
        qsort; but those that are known."""
        for f in self._module.functions.values():
            caller = None if f.is_declaration else self.function(f.name)
            if caller is None:
                continue
            found = {
                (called, at): (i, why)
                for i in f.calls
                for called, why in self._called(i)
                if (caller, called, at := self._place(f, i)) not in known
            }
            loops = loop_forest(f, self._module).loops if found else ()
            for (called, at), (i, why) in found.items():
                block = next(
                    b.name for b in f.blocks.values() if any(x is i for x in b.instructions)
                )
                around = [n for n in loops if n.is_source and block in n.blocks]
                innermost = max(around, key=lambda loop: loop.depth).at if around else None
                yield Call(caller, called, at, innermost, Count.unknown(why))

    def _called(self, i: Instruction) -> Iterator[tuple[str, str]]:
        name = callee(i)
        if name in self._listed:
            yield name or "", _UNSEEN
        elif name is not None and self.function(name) is None:
            for handed in (n for o in i.operands[1:] for n in global_names(o)):
                if handed in self._listed:
                    yield handed, _PASSED

    def _place(self, f: Function, i: Instruction) -> str:
        return str(own_location(self._module, i.dbg) or f.name)
