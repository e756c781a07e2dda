"""Integers that must fit: registers hold bits, their readers take them for numbers.

Sums and products are right modulo 2**width whatever they wrap. What compares, divides, converts or
shifts right reads a number, and asks that it fits: as signed, or as unsigned. What is stored,
passed or returned is read where nobody sees how it was made, so that it must fit before.
"""

from __future__ import annotations

from typing import NamedTuple

from ...expr import Assumptions, Expr, Loaded, expr, is_nonnegative, sym, symbols
from ...expr.intervals import ANY_LARGE, interval
from ...ir.graph import callee
from ...ir.matchers import is_any, is_gep, is_icmp, is_phi
from ...ir.types import Instruction, IntLiteral, Operand, int_bits
from ..context import FunctionContext
from ..values import NO_PRECONDITIONS, Value

WRAPPING = frozenset(("add", "sub", "mul", "shl"))
_CUTTING = WRAPPING | {"trunc"}
_FROM_PARTS = WRAPPING | {"or", "xor", "and", "phi", "select", "freeze", "call"}
"""Instructions whose result wraps around where a part of it has."""
_UNSIGNED = frozenset(("zext", "udiv", "urem", "lshr", "uitofp"))
_MERGING = ("phi", "select", "freeze")
_BYSTANDERS = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.mem")
_ABSOLUTE = ("abs", "labs", "llabs", "imaxabs")
_MOST_STEPS = 32
"""Instructions that are looked at behind a value, for arithmetic that wraps around."""
_SMALL_STEP = 1 << 16
"""The largest number that may be added to a variable which still counts as a counter."""
_MOST_CALLS = 4
"""Functions that hand a value on to each other which are looked at."""
_NO_WRAP = frozenset(("nsw", "nuw"))
INT = 32
"""Bits from which integers are taken to be wide enough: narrower ones wrap by conversion, which is
no overflow."""


def assumptions_at(view: FunctionContext, i: Instruction) -> Assumptions:
    """What holds where an instruction stands."""
    return view.paths.assumptions(view.function.block_of[i.token])


def unsigned(view: FunctionContext, value: Value, i: Instruction) -> Value:
    """The value taken as unsigned: it must not be negative (constants are printed as signed and are
    converted)."""
    kind = i.extra[0] if is_any(i, "zext", "uitofp") else i.type
    number = value.expr.constant
    if isinstance(number, int) and kind[:1] == "i":
        return Value(expr(number % (1 << int(kind[1:]))), value.preconditions)
    if kind == "ptr" and is_icmp(i):
        return value  # pointers into one object are compared, and none lies beyond 2**63
    if kind in ("i32", "i64"):
        high = (1 << int(kind[1:])) - 1
        value = within(view, value, i, None, high, in_each=kind == "i32" and not _is_counter(value))
    if is_nonnegative(value.expr) or is_nonnegative(value.expr, assumptions_at(view, i)):
        return value
    return Value(value.expr, value.preconditions | {value.expr})


def within(
    view: FunctionContext,
    value: Value,
    i: Instruction,
    low: int | None,
    high: int,
    *,
    in_each: bool = False,
) -> Value:
    """A value whose bits are read as a number from `low` to `high`: where the types of the
    program's parameters do not show that it fits, it must; `in_each`: in each iteration of the
    loops whose variables it has, too."""
    found = interval(value.expr, view.program.range_of)
    if found is None and in_each:
        found = interval(value.expr, lambda s: _range_in_loops(view, s))
    if found is None:
        return value
    needed = []
    if low is not None and found[0] < low:
        needed.append(value.expr - low)
    if found[1] > high:
        needed.append(high - value.expr)
    assumptions = assumptions_at(view, i) if needed else None
    more = {n for n in needed if not is_nonnegative(n, assumptions)}
    return Value(value.expr, value.preconditions | more) if more else value


def _range_in_loops(view: FunctionContext, symbol: str) -> tuple[int, int] | None:
    """The range of a symbol, where variables of loops may be anything."""
    known = view.program.range_of(symbol)
    if known is not None:
        return known
    info = view.program.unknowns.get(symbol)
    is_variable = symbols.is_iteration(symbol) or (info is not None and info.kind == "variable")
    return (-ANY_LARGE, ANY_LARGE) if is_variable else None


def started(view: FunctionContext, value: Value, phi: Instruction, token: Operand) -> Value:
    """What a loop variable is at first: it must fit where arithmetic made it that wraps around. A
    constant is the number that the readers of the variable take it for."""
    number, bits = value.expr.constant, int_bits(phi.type)
    if isinstance(number, int) and bits is not None and bits > 1:
        value = as_printed(value, phi.type)
        is_high = value.expr.constant != number or number < 0
        if is_high and not readers(view, phi.token).behind:
            return Value(expr(number % (1 << bits)), value.preconditions)
        return value
    source = view.function.definitions.get(token)
    if source is None or not _wraps(view, source):
        return value
    # those who ask whether it equals another value see to it themselves (`as_equal`)
    read = readers(view, phi.token, is_asked=True)
    if read.signed:
        return cut(view, value, phi)
    return within(view, value, phi, None, (1 << (bits or INT)) - 1) if read.unsigned else value


def cut(view: FunctionContext, value: Value, i: Instruction) -> Value:
    """A value cut to an int or a wider integer: as a number it must fit, which its readers decide:
    those that read it as unsigned see the numbers behind the largest int, too."""
    if value.expr.constant is not None:
        return as_printed(value, i.type)
    width = int(i.type[1:])
    high = (1 << width) - 1 if is_never_signed(view, i.token) else (1 << (width - 1)) - 1
    return within(view, value, i, -(1 << (width - 1)), high, in_each=is_any(i, "trunc"))


def is_never_signed(view: FunctionContext, token: Operand) -> bool:
    """Is a value taken as unsigned by all that reads it, or by arithmetic that wraps around, of
    which its own readers decide?"""
    return bool(view.function.users.get(token)) and not readers(view, token).signed


class Readers(NamedTuple):
    """Does anything take a value as signed; it, or what wrapping arithmetic makes of it, as
    unsigned; or, `behind`, any of them as signed? Where it is not followed, it may be signed."""

    signed: bool
    unsigned: bool
    behind: bool = False


ANYONE = Readers(True, True, True)
_NOBODY = Readers(False, False)


_Passed = frozenset[tuple[str, Operand]]


def readers(
    view: FunctionContext, token: Operand, passed: _Passed = frozenset(), *, is_asked: bool = False
) -> Readers:
    """Who reads a value, in functions that it is passed to, too; `passed`: to these parameters on
    the way; is_asked: those who ask in this function whether it equals another value do not."""
    signed = unsigned = behind = False
    seen: set[tuple[Operand, bool]] = set()
    work = [(token, True)]
    while work and not (signed and unsigned):
        now, is_itself = work.pop()
        if (now, is_itself) in seen:
            continue
        seen.add((now, is_itself))
        if len(seen) > _MOST_STEPS:
            return Readers(True, unsigned, True)
        for user in view.function.users.get(now, ()):
            if is_any(user, *_MERGING):
                work.append((user.token, is_itself))
            elif is_any(user, *WRAPPING) and "nsw" not in user.flags:
                unsigned |= "nuw" in user.flags
                work.append((user.token, False))
            elif reads_unsigned(user):
                unsigned = True
            elif user.is_call:
                found = _read_by_call(view, user, now, passed)
                signed |= found.signed and is_itself
                behind |= found.signed or found.behind
                unsigned |= found.unsigned
            elif is_asked and is_icmp(user) and user.extra[0] in ("eq", "ne"):
                continue
            elif not _reads_bits(view, user, now):
                signed |= is_itself
                behind = True
    return Readers(signed, unsigned, behind)


def _reads_bits(view: FunctionContext, user: Instruction, token: Operand) -> bool:
    """Is it all the same to an instruction whether a value is signed?"""
    if is_icmp(user):  # equal bits
        other = user.operands[user.operands[0] == token]
        if user.extra[0] not in ("eq", "ne") or not isinstance(other, IntLiteral):
            return False
        return 0 <= other.value <= 1 << (int(user.type[1:]) - 2)
    if is_gep(user):  # narrower indices are extended
        made = view.function.definitions.get(token)
        types = (p.type for p in view.function.parameters if p.token == token)
        return (made.type if made is not None else next(types, "")) == "i64"
    return is_any(user, "trunc")


def _read_by_call(
    view: FunctionContext, call: Instruction, token: Operand, passed: _Passed
) -> Readers:
    """How a call reads what it is passed."""
    name = callee(call)
    target = view.program.target(view.function.name, call)
    if target is not None and len(passed) < _MOST_CALLS and not target.is_declaration:
        to = {
            (target.name, p.token)
            for o, p in zip(call.operands[1:], target.parameters, strict=False)
            if o == token
        }
        found = [readers(view.program.view(f), t, passed | to) for f, t in to - passed]
        return Readers(*(any(part) for part in zip(*found, strict=True))) if found else _NOBODY
    if target is not None or name is None or name in view.program.defined:
        return Readers(True, False)
    if name.startswith("llvm."):
        is_unsigned = name.startswith(("llvm.umin.", "llvm.umax."))
        return Readers(not is_unsigned and not name.startswith(_BYSTANDERS), is_unsigned)
    return Readers(name in _ABSOLUTE, False)  # sizes of memory, numbers that are printed


def reads_unsigned(user: Instruction) -> bool:
    """Does an instruction take its operands as unsigned numbers?"""
    if is_icmp(user):
        return user.extra[0][0] == "u"
    return is_any(user, *_UNSIGNED) and "nneg" not in user.flags


def as_signed(view: FunctionContext, value: Value, i: Instruction, token: Operand) -> Value:
    """An int, or a wider integer, that is read as signed: it must fit where arithmetic made it that
    wraps around."""
    source = view.function.definitions.get(token)
    if source is None or not _wraps(view, source):
        return value
    if value.expr.constant is not None:
        return as_printed(value, source.type)
    half = 1 << (int(source.type[1:]) - 1)
    return within(view, value, i, -half, half - 1, in_each=not _is_counter(value))


def as_equal(view: FunctionContext, left: Value, right: Value, i: Instruction) -> frozenset[Expr]:
    """What two ints, or wider integers, that are compared for equality rest on: where arithmetic
    made one that wraps around, equal bits must mean equal numbers."""
    sources = (view.function.definitions.get(o) for o in i.operands[:2])
    if i.type[:1] != "i" or not any(x is not None and _wraps(view, x) for x in sources):
        return NO_PRECONDITIONS
    highest = (1 << int(i.type[1:])) - 1
    difference = Value(left.expr - right.expr)
    return within(view, difference, i, -highest, highest, in_each=True).preconditions


def as_tested(view: FunctionContext, test: Instruction) -> frozenset[Expr]:
    """What a test rests on that reads counters extended to wider integers (`i < n` of an unsigned i
    and a size n): they must not wrap around while it is asked."""
    needed: frozenset[Expr] = NO_PRECONDITIONS
    seen: set[Operand] = set()
    work = list(test.operands[:2])
    while work and len(seen) <= _MOST_STEPS:
        token = work.pop()
        source = view.function.definitions.get(token)
        if source is None or token in seen or is_any(source, *_WHOLE):
            continue
        seen.add(token)
        if not is_any(source, "zext", "sext"):
            work += source.operands
        elif (int_bits(source.extra[0]) or 0) >= INT and not _goes_round(view, test, token):
            needed |= _while_asked(view, source)
    return needed


_WHOLE = ("phi", "load", "call", "invoke", "alloca")
"""What a test is not computed from, but has at once."""


def _while_asked(view: FunctionContext, widened: Instruction) -> frozenset[Expr]:
    """What a counter rests on that is extended in each iteration."""
    inner, half = widened.operands[0], 1 << (int(widened.extra[0][1:]) - 1)
    value = view.scalars.value(inner)
    is_signed = is_any(widened, "sext") or "nneg" in widened.flags
    if not _is_counter(value) or (is_signed and not may_wrap_around(view, inner)):
        return NO_PRECONDITIONS  # it is asked to fit where it is extended, or may not wrap around
    low, high = (-half, half - 1) if is_signed else (None, 2 * half - 1)
    asked = within(view, Value(value.expr), widened, low, high, in_each=True)
    return asked.preconditions


def _goes_round(view: FunctionContext, test: Instruction, token: Operand) -> bool:
    """Is it the only test of its loop, of a variable that grows by a power of two: one that never
    ends where the variable wraps around?"""
    function, block = view.function, view.function.block_of[test.token]
    loop = view.loops.get(view.forest.innermost.get(block, ""))
    if loop is None or token not in test.operands:
        return False
    exits = [e for e in loop.exits if not e.is_unwind and e.target not in view.paths.dead]
    ends = {function.blocks[e.source].terminator.operands[0] for e in exits}
    if len(exits) != 1 or ends != {test.token}:
        return False
    i = function.definitions.get(function.definitions[token].operands[0])
    if is_phi(i) and function.block_of[i.token] == loop.header:
        back = dict(zip(i.labels, i.operands, strict=True)).get(loop.latch or "")
        i = function.definitions.get(back or "")
    by = i.operands[1] if is_any(i, "add") else None
    return isinstance(by, IntLiteral) and by.value > 0 and by.value & (by.value - 1) == 0


def handed_on(view: FunctionContext, token: Operand) -> Value:
    """The value of a register that is stored, passed to a function or returned: those who read it
    there do not see how it was made, so that it must fit here (see `taken_over`)."""
    value = view.scalars.value(token)
    source = view.function.definitions.get(token)
    if source is None or not _wraps(view, source, by=_CUTTING):
        return value
    if value.expr.constant is not None:
        return as_printed(value, source.type)
    width = int(source.type[1:])
    half = 1 << (width - 1)
    # a counter of 64 bits takes more than a life to wrap around
    in_each = width == INT or not _is_counter(value)
    return within(view, value, source, -half, half - 1, in_each=in_each)


def _is_counter(value: Value) -> bool:
    """Is it a variable, maybe with a small number added?"""
    return any(
        isinstance(by := (value.expr - sym(s)).constant, int) and abs(by) <= _SMALL_STEP
        for s in value.expr.symbols
    )


def taken_over(view: FunctionContext, value: Value, token: Operand, kind: str) -> Value:
    """A value that was handed on, where all that reads it takes it as unsigned: the numbers behind
    the largest int are as good to it."""
    if not value.preconditions or kind[:1] != "i" or not kind[1:].isdigit():
        return value
    width = int(kind[1:])
    half = 1 << (width - 1)
    signed = {value.expr + half, half - 1 - value.expr}
    if width < INT or signed.isdisjoint(value.preconditions) or not is_never_signed(view, token):
        return value
    # readers ask that it is not negative; equality with small numbers can tell 3/4 of all below 0
    needed = {value.expr + (half + half // 2 - 1), 2 * half - 1 - value.expr}
    ranges = ((n, interval(n, view.program.range_of)) for n in needed)
    needed = {n for n, found in ranges if found is None or found[0] < 0}
    return Value(value.expr, value.preconditions - signed | needed)


def _wraps(view: FunctionContext, source: Instruction, by: frozenset[str] = WRAPPING) -> bool:
    """Is it an int, or a wider integer, made by instructions that wrap around as signed numbers?"""
    kind = source.type
    if kind[:1] != "i" or not kind[1:].isdigit() or int(kind[1:]) < INT:
        return False
    seen: set[Operand] = set()
    work = [source]
    while work:
        i = work.pop()
        if i.token in seen or i.type != kind:
            continue
        seen.add(i.token)
        if len(seen) > _MOST_STEPS:
            return True
        if i.opcode in by and "nsw" not in i.flags:
            return True
        if is_any(i, *_FROM_PARTS):
            found = (view.function.definitions.get(o) for o in i.operands)
            work += (x for x in found if x is not None)
    return False


def may_wrap_around(view: FunctionContext, token: Operand) -> bool:
    """Is a value, or a loop's variable in one of its iterations, made by arithmetic that may wrap
    around as signed numbers? Not where only a part of it is."""
    source = view.function.definitions.get(token)
    if source is None:
        return False
    made = [source]
    if is_any(source, *_MERGING):
        made = [x for o in source.operands if (x := view.function.definitions.get(o)) is not None]
    return any(is_any(i, *WRAPPING) and "nsw" not in i.flags for i in made)


def as_printed(value: Value, kind: str) -> Value:
    """A value of a type, constants as IR prints them: signed."""
    number = value.expr.constant
    if not isinstance(number, int) or kind[:1] != "i" or not kind[1:].isdigit() or kind == "i1":
        return value
    half = 1 << (int(kind[1:]) - 1)
    return Value(expr((number + half) % (2 * half) - half), value.preconditions)


def is_narrow(kind: str) -> bool:
    """Is it an integer narrower than int? C computes in int and cuts the result to fit."""
    return kind[:1] == "i" and kind[1:].isdigit() and 1 < int(kind[1:]) < INT


def fitting(view: FunctionContext, value: Value, i: Instruction, kind: str, signed: bool) -> Value:
    """A narrow value where its number matters and no longer its bits alone: it must fit.

    Sums and products of a narrow type are right modulo 2**width whatever they wrap; what extends,
    compares, divides or shifts them right reads a number. Values that data decide have the type
    already, and fit.
    """
    if not is_narrow(kind) or _is_data(view, value.expr, kind):
        return value
    width = int(kind[1:])
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    number = value.expr.constant
    if isinstance(number, int):  # constants are printed as signed
        return Value(expr((number - low) % (1 << width) + low), value.preconditions)
    assumptions = assumptions_at(view, i)
    needed = (value.expr - low, high - value.expr)
    return Value(
        value.expr, value.preconditions | {n for n in needed if not is_nonnegative(n, assumptions)}
    )


def _is_data(view: FunctionContext, e: Expr, kind: str) -> bool:
    """Is it one value of the type that only a run can tell?"""
    atom = e.atom
    if atom is None:
        return False
    if isinstance(atom, Loaded):
        return atom.kind == kind or int_bits(atom.kind) is None
    info = view.program.unknowns.get(atom.key)
    return info is not None and info.kind == "value" and info.type in ("", kind)
