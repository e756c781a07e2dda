"""A version of a program as the gate compares it: the laws of its functions, and fingerprints."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.tree import Add
from modeling.pmnf.assumed_formula import Assumed, AssumedFormula

from ..documents.analysis import AnalysisDocument, FunctionDocument, LoopDocument, analysis_document
from ..documents.count import CountDocument, OpaqueDocument
from .parts import below, one_activation, only_below

if TYPE_CHECKING:
    from staticana import Module

    from ..documents.study import StudyDocument
    from .fingerprints import Ends, Fingerprints

Kind = Literal["parameter", "argument", "loaded", "mean", "few", "fraction"]
"""What a symbol is; few: a mean of what is at most a small constant."""
_MOST_FEW = 1024
_PLACE = re.compile(r"(\S+):(\d+):(\d+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
LENGTH = "length of the string at "
"""What the meaning of such a symbol begins with."""
_MEAN = "mean iterations of the loop at "
_OF_LIBRARY = "executions of library_steps in "
_SUMS = {"bytes": ("load_bytes", "store_bytes")}
"""Operations that are the sum of others."""
FOOTPRINT = "footprint"
"""The operation that stands for the memory that a function touches."""
_KEPT = frozenset("for while do if else return switch case int long char sizeof".split())


class Symbol(msgspec.Struct, frozen=True):
    """A symbol of a law. keys: what it means, the surest first; symbols of two versions are the
    same where they share one. ways_out: fingerprints of what each way out of the loop is decided
    by whose iterations it is; with more of them, it is no larger."""

    name: str
    kind: Kind
    keys: tuple[str, ...]
    meaning: str
    ways_out: tuple[str, ...] = ()


class Law(msgspec.Struct, frozen=True):
    """How often something runs: a formula, or bounds, or only the reason why there are none.

    conditions, words: what these assume, see `Assumed`; ranges: parameter -> its values by its
    type.
    """

    formula: str | None = None
    lower: str | None = None
    upper: str | None = None
    symbols: tuple[Symbol, ...] = ()
    reason: str | None = None
    conditions: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    ranges: dict[str, tuple[int, int]] = {}

    @staticmethod
    def of(formula: AssumedFormula) -> Law:
        """The law that a formula in parameters is."""
        assumed = formula.assumed
        conditions = (*(c.text for c in assumed.conditions), *assumed.unread)
        ranges = dict(formula.ranges)
        return Law(formula.text, None, None, (), None, conditions, assumed.words, ranges)

    def guarded(self, text: str | None) -> AssumedFormula | None:
        """The formula, or a bound, with what it assumes; None where there is none.

        Raises:
            InputError: it cannot be read.
        """
        if text is None:
            return None
        return AssumedFormula.read(text, Assumed.of(self.conditions, self.words), self.ranges)


class LoopLaw(msgspec.Struct, frozen=True):
    """A loop in a function or in what it calls. total: its iterations in one call of the function;
    where the function calls itself and nobody knows how often, in one activation. ends: the
    fingerprint of what ends it; inner: the places of the loops directly inside it."""

    at: str
    total: Law
    ends: str | None = None
    inner: tuple[str, ...] = ()
    function: str = ""


class HiddenWork(msgspec.Struct, frozen=True):
    """Work that a loop does over and over; `call` is what does it, `message` says so."""

    call: str
    at: str
    message: str


class FunctionLaws(msgspec.Struct, frozen=True):
    """A function. own, deep: fingerprints of its code, without and with that of what it calls;
    None where only laws are known. symbol: its name in the IR; callees: symbols, too. loops: all
    loops that one call runs, known where the function was analysed by itself. calls: how many calls
    one of it makes. is_recursive: it calls itself, or a function that does. library: the work of
    library functions; None: not recorded. accesses: loads and stores. recursion: the fingerprint
    of what decides on its calls of itself. is_once: the loops are
    those of one activation. activation: where it calls itself and its law is known, too, the loops
    of one activation; None where nobody looked. operations: kind -> how many operations of this
    kind one call of it does. hidden: what its own loops do over and over; None where the time did
    not suffice to look. size: its instructions."""

    name: str
    at: str
    work: Law
    calls: Law = Law()
    own: str | None = None
    deep: str | None = None
    callees: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    is_recursive: bool = False
    loops: tuple[LoopLaw, ...] = ()
    library: Law | None = None
    accesses: Law = Law()
    symbol: str = ""
    recursion: str | None = None
    is_once: bool = False
    activation: tuple[LoopLaw, ...] | None = None
    operations: dict[str, Law] = {}
    hidden: tuple[HiddenWork, ...] | None = ()
    size: int = 0


def total_of(laws: Sequence[Law]) -> Law:
    """The sum of laws of one analysis, whose symbols have the same names.

    None of them is negative, also where their symbols contradict each other, as the ends of rows
    might.
    """
    if len(laws) == 1:
        return laws[0]
    symbols = {s.name: s for law in laws for s in law.symbols}

    def added(texts: Sequence[str | None]) -> str | None:
        known = [t for t in texts if t is not None]
        if len(known) < len(texts):
            return None
        counts = (f"Max(0, {t})" if _subtracts(t) else f"({t})" for t in known if t != "0")
        return " + ".join(counts) or "0"

    return Law(
        added([law.formula for law in laws]),
        added([law.lower or "0" for law in laws]),
        added([law.upper for law in laws]),
        tuple(symbols.values()),
        next((law.reason for law in laws if law.formula is None), None),
        tuple(dict.fromkeys(c for law in laws for c in law.conditions)),
        tuple(dict.fromkeys(w for law in laws for w in law.words)),
        {n: r for law in laws for n, r in law.ranges.items()},
    )


def _subtracts(text: str) -> bool:
    """Is a term of a formula subtracted?"""
    if " - " not in text:
        return False
    try:
        formula = parse_formula(text)
    except InputError:
        return False
    return isinstance(formula.tree, Add) and len(formula.parts) == 1


class ProgramLaws(msgspec.Struct, frozen=True):
    """The functions of a program, as seen from `entry`; None: it has no main function, and the
    laws are in each function's arguments. places: of all loops in its code."""

    entry: str | None
    functions: tuple[FunctionLaws, ...]
    places: tuple[str, ...] = ()


def program_of_document(data: AnalysisDocument | StudyDocument) -> ProgramLaws:
    """The laws in a saved analysis or study."""
    return _program(data, None, {}, "main")


def program_of_ir(
    module: Module,
    known: Fingerprints,
    *,
    sources: Mapping[str, str] | None = None,
    parameters: Mapping[str, str] | None = None,
    entry: str | None = None,
    seconds: float = 2.0,
    each: float | None = None,
) -> ProgramLaws:
    """Analyse a program.

    Args:
        module: parsed IR in canonical form. known: its fingerprints.
        sources: file -> text, to recognise places again; files are known by the end of their path.
        entry: by default main, else the function that no other calls.
        seconds, each: CPU time of one count, and of all together.
    """
    from staticana import analyze_module
    from staticana.expr.budget import Allowance

    if not known.own:
        return ProgramLaws(None, ())
    has_main = "main" in known.own
    chosen = entry or ("main" if has_main else _root(known))
    names = {n: o for n, o in (parameters or {}).items() if has_main or o.startswith("global:")}
    allowance = Allowance(seconds, each)
    analysis = analyze_module(
        module, entry=chosen, parameters=names, matrix=False, allowance=allowance
    )
    seen = chosen if entry or has_main else None
    data = analysis_document(analysis)
    symbols = [f.symbol for f in analysis.functions]
    found = _program(data, (module, known, symbols, chosen), sources or {}, seen)
    hidden: dict[str, tuple[HiddenWork, ...] | None] = {
        f.name: None
        if allowance.is_over
        else tuple(
            HiddenWork(h.call, h.at, h.message) for h in analysis.findings if h.function == f.name
        )
        for f in found.functions
    }
    functions = tuple(msgspec.structs.replace(f, hidden=hidden[f.name]) for f in found.functions)
    return msgspec.structs.replace(found, functions=functions)


def outline(module: Module, known: Fingerprints) -> ProgramLaws:
    """The functions of a program without their laws."""
    found = []
    for symbol, f in module.functions.items():
        file = module.file_of(f.dbg) or ""
        if symbol in known.own and not _is_library(file):
            line = module.metadata_field(f.dbg, "line") or 1
            law = Law(reason="not analysed")
            found.append(_with_code(FunctionLaws("", f"{file}:{line}", law), module, known, symbol))
    entry = "main" if "main" in known.own else None
    return ProgramLaws(entry, tuple(found), tuple(sorted(_places(module, known))))


def _with_code(f: FunctionLaws, module: Module, known: Fingerprints, symbol: str) -> FunctionLaws:
    return msgspec.structs.replace(
        f,
        name=_source_name(module, symbol),
        symbol=symbol,
        own=known.own[symbol],
        deep=known.deep[symbol],
        callees=known.callees[symbol],
        arguments=tuple(p.token.name for p in module.functions[symbol].parameters),
        is_recursive=_is_recursive(symbol, known),
        size=sum(len(b.instructions) for b in module.functions[symbol].blocks.values()),
    )


def _places(module: Module, known: Fingerprints) -> set[str]:
    """The places of all loops."""
    from staticana.ir.loop_info import loop_forest

    found = (loop_forest(module.functions[name], module).loops for name in known.own)
    return {loop.at for loops in found for loop in loops}


def _root(known: Fingerprints) -> str:
    called = {c for name, cs in known.callees.items() for c in cs if c != name}
    return next((name for name in known.own if name not in called), next(iter(known.own)))


def _program(
    data: AnalysisDocument | StudyDocument,
    code: tuple[Module, Fingerprints, Sequence[str], str] | None,
    sources: Mapping[str, str],
    entry: str | None,
) -> ProgramLaws:
    reader = _Reader(data, sources, code[1].ends_of(code[2]) if code else None)
    found = []
    for k, f in enumerate(data.functions):
        at = f"{f.file or ''}:{f.line or 1}"
        if code is None:
            laws = FunctionLaws(
                f.name, at, reader.law(f.work), reader.calls(f), operations=reader.operations(f)
            )
            if "library_steps" in f.operations:
                steps = reader.operation(f, "library_steps")
                laws = msgspec.structs.replace(laws, library=steps)
            found.append(laws)
            continue
        module, known, symbols, seen = code
        symbol = symbols[k]
        if symbol not in known.own or _is_library(f.file or ""):
            continue
        laws = FunctionLaws(
            f.name,
            at,
            reader.law(f.work),
            reader.calls(f),
            loops=reader.loops(data) if symbol == seen else (),
            library=reader.operation(f, "library_steps"),
            accesses=total_of([reader.operation(f, "loads"), reader.operation(f, "stores")]),
            operations=reader.operations(f) if symbol == seen else {},
        )
        found.append(_with_code(laws, module, known, symbol))
    return ProgramLaws(entry, tuple(found))


def _source_name(module: Module, symbol: str) -> str:
    return module.metadata_field(module.functions[symbol].dbg, "name") or symbol


def _is_library(file: str) -> bool:
    return file.startswith("/usr/") or "/c++/" in file or "/lib/clang/" in file


def _is_recursive(name: str, known: Fingerprints) -> bool:
    """Does a function call itself, or one that does?"""
    return any(n in below(n, known) for n in (name, *below(name, known)))


class _Reader:
    """Counts into laws whose symbols say what they mean."""

    def __init__(
        self, data: AnalysisDocument | StudyDocument, sources: Mapping[str, str], known: Ends | None
    ) -> None:
        self._origins = {p.name: p.origin for p in data.parameters}
        self._ranges = data.ranges if isinstance(data, AnalysisDocument) else {}
        self._sources = sources
        self._loops: Mapping[str, str] = known.loops if known else {}
        self._ways_out: Mapping[str, tuple[str, ...]] = known.ways_out if known else {}
        self._short = {loop.at for loop in _loops(data) if _is_few(loop.per_entry.upper)}

    def calls(self, f: FunctionDocument) -> Law:
        """How many calls one call of the function makes."""
        return self.operation(f, "calls")

    def operation(self, f: FunctionDocument, kind: str) -> Law:
        """How many operations of a kind one call of the function does."""
        return self.law(f.operations.get(kind, CountDocument("exact", "0", "0", "0")))

    def operations(self, f: FunctionDocument) -> dict[str, Law]:
        """All operations of one call of the function, by kind."""
        found = {kind: self.law(count) for kind, count in f.operations.items()}
        for kind, parts in _SUMS.items():
            if all(part in found for part in parts):
                found[kind] = total_of([found[part] for part in parts])
        return found

    def loops(self, data: AnalysisDocument | StudyDocument) -> tuple[LoopLaw, ...]:
        """All loops that the entry runs."""
        return tuple(
            LoopLaw(
                loop.at, self.law(loop.total), self._loops.get(loop.at), loop.inner, loop.function
            )
            for loop in _loops(data)
            if loop.total.formula != "0"
        )

    def law(self, count: CountDocument) -> Law:
        """A count as a law."""
        opaque = {o.symbol: o for o in count.opaque}
        lower, upper = count.lower, count.upper
        if count.formula is not None:  # which is judged: of bounds, those that hold no more values
            others = opaque.keys() - _WORD.findall(count.formula)
            lower, upper = (
                None if t is None or not others.isdisjoint(_WORD.findall(t)) else t
                for t in (lower, upper)
            )
        texts = [t for t in (count.formula, lower, upper) if t]
        names = dict.fromkeys(w for t in texts for w in _WORD.findall(t))
        symbols = [self._opaque(opaque[n]) for n in names if n in opaque]
        symbols += [
            Symbol(n, "parameter", _origin_keys(n, self._origins[n]), f"parameter {n}")
            for n in names
            if n in self._origins and n not in opaque
        ]
        assumed = count.rests_on
        return Law(
            count.formula,
            lower,
            upper,
            tuple(symbols),
            count.reason,
            (*(c.text for c in assumed.conditions), *assumed.unread),
            assumed.words,
            self._ranges,
        )

    def _opaque(self, o: OpaqueDocument) -> Symbol:
        kind: Kind = "mean"
        meaning = o.meaning
        if meaning.startswith("argument "):
            name, _, function = meaning.removeprefix("argument ").partition(" of ")
            return Symbol(o.symbol, "argument", (f"argument {name} of {function}",), meaning)
        if meaning.startswith(LENGTH):
            plain = re.sub(r"_\d+$", "", meaning)
            return Symbol(o.symbol, "loaded", (plain,), meaning)
        if meaning.startswith("value ") or meaning.endswith(".size()"):
            kind = "loaded"
            member = re.sub(r"^.*?(->|\.)", "", meaning.removeprefix("value loaded from "))
            return Symbol(o.symbol, kind, (meaning, f"member {member}"), meaning)
        if meaning.startswith(("fraction ", "whether ")):
            kind = "fraction"
        place = _PLACE.search(meaning)
        if place and meaning.startswith(_MEAN) and place[0] in self._short:
            kind = "few"
        at = o.at or (place[0] if place else "")
        if place and (ends := self._loops.get(place[0])):
            # of a block with calls it is a mean of what they cost, whatever ends the loop around
            of_calls = _PLACE.sub("", meaning) if _OF_LIBRARY in meaning else ""
            ways = () if of_calls or kind != "mean" else self._ways_out.get(place[0], ())
            return Symbol(o.symbol, kind, (f"loop {ends}{of_calls}",), meaning, ways)
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


def _loops(data: AnalysisDocument | StudyDocument) -> Sequence[LoopDocument]:
    return (*data.loops, *data.library) if isinstance(data, AnalysisDocument) else ()


def _is_few(bound: str | None) -> bool:
    return bound is not None and bound.isdigit() and int(bound) <= _MOST_FEW


def _is_same(file: str, place: str) -> bool:
    return file == place or file.endswith("/" + place) or place.endswith("/" + file)


def _origin_keys(name: str, origin: str) -> tuple[str, ...]:
    if origin.startswith("arg:"):
        return (f"parameter {name}", f"parameter {origin.rsplit(':', 1)[-1]}")
    return (f"origin {origin}", f"parameter {name}")


def alone(
    module: Module,
    known: Fingerprints,
    symbol: str,
    *,
    sources: Mapping[str, str] | None = None,
    parameters: Mapping[str, str] | None = None,
    seconds: float = 2.0,
    each: float | None = None,
    far: Collection[str] = (),
) -> FunctionLaws | None:
    """A function by itself: its laws in its own arguments, whoever calls it; None where it cannot
    be analysed so.

    Args:
        far: functions whose bodies are not looked at.
    """
    given = parameters if symbol == "main" else None
    part = only_below(module, known, symbol, far)
    try:
        found = program_of_ir(
            part, known, sources=sources, parameters=given, entry=symbol, seconds=seconds, each=each
        )
    except InputError:
        return None
    laws = next((f for f in found.functions if f.symbol == symbol), None)
    if laws is not None:
        recursion = known.ends(symbol).recursion
        laws = msgspec.structs.replace(laws, recursion=recursion)
    if laws is None or symbol not in below(symbol, known):
        return laws
    once = one_activation(part, symbol)
    one = program_of_ir(once, known, sources=sources, entry=symbol, seconds=seconds, each=each)
    inner = next((f for f in one.functions if f.symbol == symbol), laws)
    if laws.work.formula is not None:
        return msgspec.structs.replace(laws, activation=inner.loops)
    return msgspec.structs.replace(laws, loops=inner.loops, accesses=inner.accesses, is_once=True)
