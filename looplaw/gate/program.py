"""A version of a program as the gate compares it: the laws of its functions, and fingerprints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from looplaw_common.errors import InputError

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument, analysis_document
from ..documents.count import CountDocument, OpaqueDocument
from ..documents.study import StudyDocument

if TYPE_CHECKING:
    from staticana import Module

    from .fingerprints import Fingerprints

Kind = Literal["parameter", "argument", "loaded", "mean", "fraction"]
_PLACE = re.compile(r"(\S+):(\d+):(\d+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_KEPT = frozenset("for while do if else return switch case int long char sizeof".split())


class Symbol(msgspec.Struct, frozen=True):
    """A symbol of a law. keys: what it means, the surest first; symbols of two versions are the
    same where they share one."""

    name: str
    kind: Kind
    keys: tuple[str, ...]
    meaning: str


class Law(msgspec.Struct, frozen=True):
    """How often something runs: a formula, or bounds, or only the reason why there are none."""

    formula: str | None = None
    lower: str | None = None
    upper: str | None = None
    symbols: tuple[Symbol, ...] = ()
    reason: str | None = None


class FunctionLaws(msgspec.Struct, frozen=True):
    """A function. own, deep: fingerprints of its code, without and with that of what it calls;
    None where only laws are known. loops: the iterations of
    each of its own loops in one call. calls: how many calls one of it makes, for recursion."""

    name: str
    at: str
    work: Law
    calls: Law = Law()
    own: str | None = None
    deep: str | None = None
    callees: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    is_recursive: bool = False
    loops: tuple[Law, ...] = ()


class ProgramLaws(msgspec.Struct, frozen=True):
    """The functions of a program, as seen from `entry`; None: it has no main function, and the
    laws are in each function's arguments."""

    entry: str | None
    functions: tuple[FunctionLaws, ...]


def program_of_document(data: AnalysisDocument | StudyDocument) -> ProgramLaws:
    """The laws in a saved analysis or study."""
    return _program(data, None, {}, "main")


def program_of_ir(
    canonical_text: str,
    *,
    sources: Mapping[str, str] | None = None,
    parameters: Mapping[str, str] | None = None,
    entry: str | None = None,
    seconds: float = 2.0,
) -> ProgramLaws:
    """Analyse a program.

    Args:
        canonical_text: IR as `staticana.canonical` returns it.
        sources: file -> text, to recognise places again; files are known by the end of their path.
        entry: by default main, else the function that no other calls.
    """
    from staticana import analyze_module, parse_module

    from .fingerprints import fingerprints

    module = parse_module(canonical_text)
    known = fingerprints(module)
    if not known.own:
        return ProgramLaws(None, ())
    has_main = "main" in known.own
    chosen = entry or ("main" if has_main else _root(known))
    names = {n: o for n, o in (parameters or {}).items() if has_main or o.startswith("global:")}
    analysis = analyze_module(module, entry=chosen, parameters=names, matrix=False, seconds=seconds)
    seen = chosen if entry or has_main else None
    data = analysis_document(analysis)
    symbols = [f.symbol for f in analysis.functions]
    return _program(data, (module, known, symbols), sources or {}, seen)


def _root(known: Fingerprints) -> str:
    called = {c for name, cs in known.callees.items() for c in cs if c != name}
    return next((name for name in known.own if name not in called), next(iter(known.own)))


def _program(
    data: AnalysisDocument | StudyDocument,
    code: tuple[Module, Fingerprints, Sequence[str]] | None,
    sources: Mapping[str, str],
    entry: str | None,
) -> ProgramLaws:
    loops = code[1].loops if code else {}
    reader = _Reader(data, sources, loops)
    own_loops: dict[str, list[LoopDocument]] = {}
    for loop in data.loops if isinstance(data, AnalysisDocument) else ():
        own_loops.setdefault(loop.function, []).append(loop)
    found = []
    for k, f in enumerate(data.functions):
        at = f"{f.file or ''}:{f.line or 1}"
        if code is None:
            found.append(FunctionLaws(f.name, at, reader.law(f.work), reader.calls(f)))
            continue
        module, known, symbols = code
        symbol = symbols[k]
        if symbol not in known.own or _is_library(f.file or ""):
            continue
        found.append(
            FunctionLaws(
                f.name,
                at,
                reader.law(f.work),
                reader.calls(f),
                known.own[symbol],
                known.deep[symbol],
                tuple(_source_name(module, c) for c in known.callees[symbol]),
                tuple(p.token.name for p in module.functions[symbol].parameters),
                _is_recursive(symbol, known.callees),
                tuple(reader.law(loop.per_call) for loop in own_loops.get(f.name, ())),
            )
        )
    return ProgramLaws(entry, tuple(found))


def _source_name(module: Module, symbol: str) -> str:
    return module.metadata_field(module.functions[symbol].dbg, "name") or symbol


def _is_library(file: str) -> bool:
    return file.startswith("/usr/") or "/c++/" in file or "/lib/clang/" in file


def _is_recursive(name: str, callees: Mapping[str, Sequence[str]]) -> bool:
    seen, todo = set[str](), list(callees[name])
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.add(n)
            todo += callees[n]
    return name in seen


class _Reader:
    """Counts into laws whose symbols say what they mean."""

    def __init__(
        self,
        data: AnalysisDocument | StudyDocument,
        sources: Mapping[str, str],
        loops: Mapping[str, str],
    ) -> None:
        self._origins = {p.name: p.origin for p in data.parameters}
        self._sources, self._loops = sources, loops

    def calls(self, f: FunctionDocument) -> Law:
        """How many calls one call of the function makes."""
        return self.law(f.operations.get("calls", CountDocument("exact", "0", "0", "0")))

    def law(self, count: CountDocument) -> Law:
        """A count as a law."""
        opaque = {o.symbol: o for o in count.opaque}
        texts = [t for t in (count.formula, count.lower, count.upper) if t]
        names = dict.fromkeys(w for t in texts for w in _WORD.findall(t))
        symbols = [self._opaque(opaque[n]) for n in names if n in opaque]
        symbols += [
            Symbol(n, "parameter", _origin_keys(n, self._origins[n]), f"parameter {n}")
            for n in names
            if n in self._origins and n not in opaque
        ]
        return Law(count.formula, count.lower, count.upper, tuple(symbols), count.reason)

    def _opaque(self, o: OpaqueDocument) -> Symbol:
        kind: Kind = "mean"
        meaning = o.meaning
        if meaning.startswith("argument "):
            name, _, function = meaning.removeprefix("argument ").partition(" of ")
            return Symbol(o.symbol, "argument", (f"argument {name} of {function}",), meaning)
        if meaning.startswith("value ") or meaning.endswith(".size()"):
            kind = "loaded"
            member = re.sub(r"^.*?(->|\.)", "", meaning.removeprefix("value loaded from "))
            return Symbol(o.symbol, kind, (meaning, f"member {member}"), meaning)
        if meaning.startswith("fraction "):
            kind = "fraction"
        place = _PLACE.search(meaning)
        at = o.at or (place[0] if place else "")
        if place and (ends := self._loops.get(place[0])):
            return Symbol(o.symbol, kind, (f"loop {ends}",), meaning)
        line = self._line(at)
        what = _PLACE.sub("", meaning)
        keys = (f"{what} at {line}",) if line else ()
        return Symbol(o.symbol, kind, keys, meaning)

    def _line(self, at: str) -> str | None:
        """The source line at a place, its names numbered in order."""
        place = _PLACE.fullmatch(at)
        if place is None:
            return None
        text = next((t for f, t in self._sources.items() if _is_same(f, place[1])), None)
        lines = [] if text is None else text.splitlines()
        if not 0 < int(place[2]) <= len(lines):
            return None
        numbers: dict[str, str] = {}
        return _WORD.sub(
            lambda m: m[0] if m[0] in _KEPT else numbers.setdefault(m[0], f"x{len(numbers)}"),
            "".join(lines[int(place[2]) - 1].split("//")[0].split()),
        )


def _is_same(file: str, place: str) -> bool:
    return file == place or file.endswith("/" + place) or place.endswith("/" + file)


def _origin_keys(name: str, origin: str) -> tuple[str, ...]:
    if origin.startswith("arg:"):
        return (f"parameter {name}", f"parameter {origin.rsplit(':', 1)[-1]}")
    return (f"origin {origin}", f"parameter {name}")


def alone(canonical_text: str, name: str, seconds: float = 2.0) -> FunctionLaws | None:
    """A function by itself: its laws in its own arguments, whoever calls it; None where it cannot
    be analysed so."""
    try:
        found = program_of_ir(canonical_text, entry=name, seconds=seconds)
    except InputError:
        return None
    return next((f for f in found.functions if f.name == name), None)
