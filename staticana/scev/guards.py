"""Guards of code that runs at most once in a run: it comes there or not, which is no fraction.

A test on data in code that a run passes once decides over all that stands behind it. Counts behind
it are multiplied by a symbol that is 1 where the run comes there and 0 where it does not; whoever
reads the count of one loop takes it for 1 and says so (`taken`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..alias.library import source_name
from ..expr import ONE, Expr, symbols
from ..ir.graph import blocks_leading_to, callee, closure
from ..ir.types import GlobalRef, Instruction, IntLiteral, Operand
from .bounded_count import BoundedCount
from .context import FunctionContext, ProgramContext
from .source_names import access_text
from .unknowns import UnknownInfo

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_MOST_DEPTH = 4
_PRINTING = frozenset(
    "printf puts putchar fprintf fputs fputc fwrite perror vfprintf vprintf dprintf write".split()
)
_STREAMS = ("_ZNSo", "_ZStls", "_ZSt16__ostream_insert", "_ZNSt3__1ls", "_ZNSt3__113basic_ostream")
_LONGEST_WORDS = 60
PREFIX = "the run "
"""How the words of a guard that is taken begin."""


def is_guarded(view: FunctionContext) -> bool:
    """Is a test outside of the loops of this function decided at most once in a run?"""
    return not view.forest.irreducible and view.program.runs_once(view.function.name)


def guard(view: FunctionContext, block: str) -> Expr:
    """The symbol that is 1 where the run comes to a block, else 0."""
    return view.program.unknowns.add(
        UnknownInfo(
            symbols.unknown(view.function.name, "guard", block),
            "guard",
            "f",
            _meaning(view, block),
            _place(view, block),
            view.function.name,
            block,
        )
    )


def _meaning(view: FunctionContext, block: str) -> str:
    return f"whether {_words(view, block)} (1) or not (0)"


def _words(view: FunctionContext, block: str) -> str:
    """What is true of the run where it comes to the block."""
    top = view.paths.top(block)
    terminator = view.function.blocks[top].terminator
    # compilers differ in where a branch stands, not in where its test does
    test = view.function.definitions.get(terminator.operands[0]) if terminator.operands else None
    at = view.place(terminator if test is None or test.dbg is None else test)
    condition = _condition(view, terminator, block)
    if condition is not None:
        return f"{PREFIX}passes `{condition}` at {at}"
    return f"{PREFIX}passes the test at {at} and comes to {_place(view, block)}"


def _place(view: FunctionContext, block: str) -> str:
    instructions = view.function.blocks[block].instructions
    return view.place(next((i for i in instructions if i.dbg is not None), instructions[0]))


# -- conditions in source words
def _condition(view: FunctionContext, terminator: Instruction, block: str) -> str | None:
    """The test of a branch, as it turns out for runs that come to the block."""
    if terminator.opcode != "br" or len(terminator.labels) != 2:
        return None
    function = view.function
    reaching = [
        label
        for label in terminator.labels
        if label == block
        or block in closure([label], lambda name: function.blocks[name].successors)
    ]
    if len(reaching) != 1:
        return None
    text = _test(view, terminator.operands[0], holds=reaching[0] == terminator.labels[0])
    return text if text is not None and len(text) <= _LONGEST_WORDS else None


def _test(view: FunctionContext, token: Operand, *, holds: bool) -> str | None:
    i = view.function.definitions.get(token)
    if i is None:
        return None
    if i.opcode == "xor" and "true" in i.operands:
        return _test(view, i.operands[0], holds=not holds)
    if i.opcode in ("freeze", "trunc", "zext"):
        return _test(view, i.operands[0], holds=holds)
    if i.opcode not in ("icmp", "fcmp"):
        return None
    predicate = i.extra[0][-2:]
    if predicate not in _SIGNS:
        return None
    left, right = (_name(view, o, 0) for o in i.operands[:2])
    if left is None or right is None:
        return None
    return f"{left} {_SIGNS[predicate if holds else _OPPOSITE[predicate]]} {right}"


def _name(view: FunctionContext, token: Operand, depth: int) -> str | None:
    """A value in source words: a variable, a member, a call, a constant."""
    if isinstance(token, IntLiteral):
        return str(token.value)
    if token == "null":
        return "NULL"
    if isinstance(token, GlobalRef):
        return token.name
    i = view.function.definitions.get(token)
    if i is None:
        parameters = zip(view.function.parameters, view.parameter_names, strict=True)
        return next((name for p, name in parameters if p.token == token), None)
    held = view.held_by(i)
    if held is not None:
        return held
    if depth == _MOST_DEPTH:
        return None
    if i.opcode == "load":
        text, inside = access_text(view, i)
        return text if text and not inside and "?" not in text else None
    if i.opcode in ("call", "invoke"):
        name = callee(i)
        known = view.program.module.functions.get(name) if name is not None else None
        if known is not None and known.dbg is not None:
            name = view.program.module.metadata_field(known.dbg, "name") or name
        if name is None or name.startswith(("_Z", "llvm.")):
            return None
        return f"{source_name(name)}(...)"
    if i.opcode in ("sext", "zext", "trunc", "freeze", "fpext", "fptrunc", "sitofp"):
        return _name(view, i.operands[0], depth + 1)
    return None


# -- taken
def taken(program: ProgramContext, count: BoundedCount) -> BoundedCount:
    """The count for runs that are not given up before: behind a test whose other way does nothing
    but end the function with a message or another result, which the count then says."""
    infos = list(_guards(program, count.formula))
    found = [
        info
        for info in infos
        if _is_way_on(program, info, [i.block for i in infos if i.function == info.function])
    ]
    if not found or count.formula is None:
        return count
    passed = {info.symbol: ONE for info in found}
    formula = count.formula.substitute(passed)
    notes = count.notes | {_words(program.view(i.function), i.block) for i in found}
    if count.reason is not None or any(_guards(program, formula)):
        return replace(count, formula=formula, notes=notes)
    return BoundedCount(formula, formula, formula, count.preconditions, notes)


def _guards(program: ProgramContext, e: Expr | None) -> Iterator[UnknownInfo]:
    """The guards among the symbols of a formula."""
    for s in sorted(e.symbols) if e is not None else ():
        info = program.unknowns.get(s)
        if info is not None and info.kind == "guard":
            yield info


def _is_way_on(program: ProgramContext, info: UnknownInfo, passed: Sequence[str]) -> bool:
    """Does a run that does not come to the block give up: with a message, or another result of the
    function, and without a loop? `passed`: the blocks that the same count needs."""
    view = program.view(info.function)
    blocks = view.function.blocks

    def behind(*start: str) -> set[str]:
        return closure(start, lambda name: blocks[name].successors)

    after = behind(info.block)
    before = behind(view.paths.top(info.block)) & blocks_leading_to(view.function, {info.block})
    before -= after
    aside = {s for b in before for s in blocks[b].successors if s not in before and s != info.block}
    rest = behind(*aside)
    own = rest.difference(set(blocks).intersection(*map(behind, passed)))
    if any(b in view.forest.innermost for b in own) or any(
        s.block in own and _works(program, s.callee)
        for s in program.calls.sites_in.get(info.function, ())
    ):
        return False
    instructions = [i for b in own for i in blocks[b].instructions]
    return any(_says(i) for i in instructions) or _returns_otherwise(view, before | own, after)


def _works(program: ProgramContext, name: str) -> bool:
    """Has a function loops, or one that it calls?"""
    below = (name, *program.calls.below(name))
    return any(program.view(f).loops for f in below)


def _says(i: Instruction) -> bool:
    """Is it a call that prints?"""
    name = callee(i) if i.is_call else None
    return name is not None and (name in _PRINTING or name.startswith(_STREAMS))


def _returns_otherwise(view: FunctionContext, aside: set[str], after: set[str]) -> bool:
    """Has the function another constant result where it is left by the blocks `aside`?"""
    for block in view.function.blocks.values():
        if block.terminator.opcode != "ret" or not block.terminator.operands:
            continue
        value = block.terminator.operands[0]
        phi = view.function.definitions.get(value)
        if phi is None or phi.opcode != "phi":
            continue
        arriving = list(zip(phi.operands, phi.labels, strict=True))
        early = {v for v, label in arriving if label in aside}
        late = {v for v, label in arriving if label in after}
        if any(isinstance(v, IntLiteral) and v not in late for v in early):
            return True
    return False
