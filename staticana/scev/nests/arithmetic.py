"""The arithmetic of a nest of loops: what instructions make of linear forms."""

from __future__ import annotations

from collections.abc import Sequence

from ...expr import Expr, Sym, Trunc, symbols
from ...expr.polynomial import Atom
from ...ir.graph import callee
from ...ir.types import Instruction, IntLiteral, Register, int_bits
from ...ranking.linear import ZERO_FORM, Linear, number
from ...ranking.polyhedra import implies
from ..arithmetic.fits import INT
from .containers import NestContainers
from .values import Path

_DIVISIONS = ("sdiv", "udiv", "srem", "urem")
_SELECTED = {"llvm.smax": 1, "llvm.umax": 1, "llvm.smin": -1, "llvm.umin": -1}


class NestArithmetic(NestContainers):
    """What instructions make of the numbers on a path."""

    def _computed(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        """What an instruction of a path makes of its operands; None where that is not linear."""
        match i.opcode:
            case "phi":
                return self._value(path, self._incoming_operand(path, i), unsigned, bits)
            case "freeze":
                return self._value(path, i.operands[0], unsigned, bits)
            case "add" | "sub" | "mul" | "shl":
                return self._sum(path, i, unsigned, bits)
            case "sext" | "zext":
                return self._extended(path, i)
            case "trunc":
                return self._cut(path, i, unsigned, bits)
            case "select":
                return self._selected(path, i, unsigned, bits)
            case "sdiv" | "udiv" | "srem" | "urem" | "lshr" | "ashr" | "and":
                return self._quotient(path, i, bits)
            case "call":
                elements = self._number_of_elements(path, i)
                found = self._extreme(path, i, bits) if elements is None else elements
                return self._returned(path, i, unsigned) if found is None else found
        return None

    def _returned(self, path: Path, call: Instruction, unsigned: bool) -> Linear | None:
        """What a function of the program makes of its arguments: `return (i - 1) / 2;`."""
        if unsigned or (callee(call) or "") not in self.view.program.defined:
            return None
        steady = self._steady(call, unsigned)  # with what it takes for the type to hold it
        if steady is not None:
            return steady
        value, bits = self.view.scalars.value(call.token), int_bits(call.type) or 0
        found = None if value.preconditions else self._formula(path, call, value.expr)
        fits = found is not None and (bits >= INT or self._fits(path, found, bits, False))
        return found if fits else None

    def _formula(self, path: Path, call: Instruction, e: Expr) -> Linear | None:
        """A formula over what registers hold where a call is made."""
        if not self._changes(e):
            return self._form(e)
        total = ZERO_FORM
        for monomial, c in e.terms.items():
            if c != int(c) or sum(n for _, n in monomial) > 1:
                return None
            form = self._atom(path, call, monomial[0][0]) if monomial else number(1)
            if form is None:
                return None
            total = total + form.times(c)
        return total

    def _atom(self, path: Path, call: Instruction, a: Atom) -> Linear | None:
        if isinstance(a, Sym):
            name = symbols.register_name(a.name, self.function.name)
            return None if name is None else self._held_at(path, call, Register(f"%{name}"))
        by = a.den.constant if isinstance(a, Trunc) else None
        if not isinstance(a, Trunc) or by is None or by != int(by):
            return None
        inner = self._formula(path, call, a.num)
        if inner is None:
            return None
        is_least = self._is_least(path, f"{call.token} {a}", inner, 0)
        own = self._open(path, str(call.token), False, None)
        sign = 1 if is_least else -1
        rest = (inner - own.times(int(by))).times(sign)
        path.facts += [own.times(sign), rest, number(int(by) - 1) - rest]
        return own

    def _held_at(self, path: Path, call: Instruction, register: Register) -> Linear | None:
        """What a signed register holds where a call is made, that was set in the same iteration."""
        forest, block = self.view.forest, self.function.block_of.get(register)
        at, bits = self._block(call), int_bits(self._type(register))
        if block is None or bits is None or bits < 2 or register == call.token:
            return None
        if self._is_unsigned(register):
            return None
        own = forest.innermost.get(block)
        is_set = own is None or at in self.view.loops[own].blocks
        if not is_set or not forest.dominates(block, at):
            return None
        return self._value(path, register, False, bits)

    def _extended(self, path: Path, i: Instruction) -> Linear | None:
        source = i.operands[0]
        if i.extra[0] != "i1":
            return self._value(path, source, i.opcode == "zext", int_bits(i.extra[0]))
        holds = self._chosen(path, f"{i.token} bit")
        self._holds(path, source, holds)
        return number((1 if i.opcode == "zext" else -1) * holds)

    def _cut(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        if bits == 1:
            return None
        source = i.operands[0]
        inner = self._value(path, source, self._is_unsigned(source), int_bits(i.extra[0]))
        return inner if self._fits(path, inner, bits, unsigned) else None

    def _sum(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        """Sums, differences and multiples, which must not wrap around."""
        if unsigned and "nuw" not in i.flags:
            # a number that is added may stand for its opposite
            left, right = (
                number(o.value) if isinstance(o, IntLiteral) else self._value(path, o, True, bits)
                for o in i.operands
            )
        else:
            left, right = (self._value(path, o, unsigned, bits) for o in i.operands)
        found = self._combined(i.opcode, left, right)
        if found is None:
            is_product = i.opcode == "mul" and ("nuw" if unsigned else "nsw") in i.flags
            return self._product(path, i, left, right, unsigned) if is_product else None
        is_right = ("nuw" if unsigned else "nsw") in i.flags
        return found if is_right or self._fits(path, found, bits, unsigned) else None

    def _product(
        self, path: Path, i: Instruction, x: Linear, y: Linear, unsigned: bool
    ) -> Linear | None:
        """A product that does not wrap around, by what is known of the signs of its factors."""
        steady = self._steady(i, unsigned)
        if steady is not None:
            return steady
        if x == y:
            own = self._open(path, str(i.token), unsigned, None)
            # of neighbours k and k + 1, a whole number lies between none: (x - k)(x - k - 1) >= 0
            path.facts += [own - x.times(2 * k + 1) + k * (k + 1) for k in (-2, -1, 0, 1)]
            path.facts.append(own)
            return own
        facts = self._facts(path)
        left, right = _side(facts, x), _side(facts, y)
        if left is None or right is None:
            return None
        (s, a), (t, b) = left, right
        own = self._open(path, str(i.token), unsigned, None)
        # (s x - a)(t y - b) >= 0
        path.facts.append(own.times(s * t) - x.times(s * b) - y.times(t * a) + a * b)
        path.facts.append(own.times(s * t) - a * b)
        return own

    @staticmethod
    def _combined(opcode: str, left: Linear, right: Linear) -> Linear | None:
        if opcode == "add":
            return left + right
        if opcode == "sub":
            return left - right
        by = right.constant
        if opcode == "shl":
            return left.times(1 << int(by)) if by is not None and 0 <= by < 62 else None
        if by is not None:
            return left.times(by)
        return right.times(left.constant) if left.constant is not None else None

    def _selected(self, path: Path, i: Instruction, unsigned: bool, bits: int) -> Linear | None:
        holds = self._chosen(path, str(i.token))
        self._holds(path, i.operands[0], holds)
        return self._value(path, i.operands[1 if holds else 2], unsigned, bits)

    def _extreme(self, path: Path, i: Instruction, bits: int) -> Linear | None:
        """llvm.smax and the like, llvm.abs."""
        name = callee(i) or ""
        kind = name.rpartition(".")[0]
        if kind == "llvm.abs" and i.operands[2:3] == ("true",):
            inner = self._value(path, i.operands[1], False, bits)
            holds = self._chosen(path, str(i.token))
            path.facts.append(inner if holds else -inner - 1)
            return inner if holds else -inner
        if kind not in _SELECTED or self._is_unsigned(i.token) != (kind[5] == "u"):
            return None
        left, right = (self._value(path, o, kind[5] == "u", bits) for o in i.operands[1:3])
        holds = self._chosen(path, str(i.token))
        over = (left - right).times(_SELECTED[kind])
        path.facts.append(over if holds else -over - 1)
        return left if holds else right

    def _quotient(self, path: Path, i: Instruction, bits: int) -> Linear | None:
        """A quotient by a number is a new name between two forms; what is left, or a mask keeps,
        too."""
        by = i.operands[1]
        if isinstance(by, Register) and i.opcode in _DIVISIONS:
            return self._divided(path, i, bits)
        if not isinstance(by, IntLiteral) or (by.value <= 0 and i.opcode != "ashr"):
            return None
        if i.opcode in ("lshr", "ashr") and not 0 <= by.value < bits - 1:
            return None
        divisor = 1 << by.value if i.opcode in ("lshr", "ashr") else by.value
        if i.opcode == "and":
            return self._masked(path, i, by.value, bits)
        is_unsigned = i.opcode in ("udiv", "urem", "lshr")
        inner = self._value(path, i.operands[0], is_unsigned, bits)
        is_least = i.opcode == "ashr" or is_unsigned or implies(self._facts(path), inner)
        if not is_least:
            holds = self._chosen(path, f"{i.token} sign")
            path.facts.append(inner if holds else -inner - 1)
            is_least = holds
        own = self._open(path, str(i.token), is_unsigned, None)
        rest = inner - own.times(divisor)
        if not is_least or i.opcode != "ashr" or implies(self._facts(path), inner):
            path.facts.append(own if is_least else -own)
        path.facts += (
            [rest, number(divisor - 1) - rest] if is_least else [-rest, rest + (divisor - 1)]
        )
        return rest if i.opcode in ("srem", "urem") else own

    def _divided(self, path: Path, i: Instruction, bits: int) -> Linear | None:
        """A quotient, or what is left, where the divisor varies and is positive."""
        is_unsigned = i.opcode in ("udiv", "urem")
        x, y = (self._value(path, o, is_unsigned, bits) for o in i.operands)
        if not is_unsigned and not self._is_least(path, f"{i.token} divisor", y, 1):
            return None
        own = self._open(path, str(i.token), is_unsigned, None)
        path.facts.append(y - 1)
        if i.opcode in ("srem", "urem"):
            path.facts += [y - 1 - own, own if is_unsigned else y - 1 + own]
        elif is_unsigned or self._is_least(path, f"{i.token} sign", x, 0):
            path.facts += [own, x - own]
            self.divides = True
            if self.with_shares:
                self._share(path, i, x, y, own)
        else:
            path.facts += [-own, own - x]
        return own

    def _share(self, path: Path, i: Instruction, x: Linear, y: Linear, own: Linear) -> None:
        """What is known of the quotient of a number that is not negative: it is all of it, or half
        at most; and where nothing is left, it is not 0 unless the number is."""
        is_half = self._is_least(path, f"{i.token} half", y, 2)
        path.facts.append(x - own.times(2) if is_half else own - x)
        rest = self._rest(path, i)
        if rest is not None and implies(self._facts(path), -rest):
            if self._is_least(path, f"{i.token} some", x, 1):
                path.facts.append(own - 1)

    def _rest(self, path: Path, quotient: Instruction) -> Linear | None:
        """What is left of a division, where a path has found it before."""
        opcode = quotient.opcode.replace("div", "rem")
        for b in path.blocks:
            for i in self.function.blocks[b].instructions:
                if i is quotient:
                    return None
                if i.opcode == opcode and i.operands[:2] == quotient.operands[:2]:
                    bits = int_bits(i.type)
                    return self._value(path, i.token, opcode == "urem", bits)
        return None

    def _is_least(self, path: Path, key: str, form: Linear, least: int) -> bool:
        """Is a form at least a number? Both ways are gone where that is open."""
        if form.constant is not None:
            return form.constant >= least
        holds = self._chosen(path, key)
        path.facts.append(form - least if holds else -form + (least - 1))
        return holds

    def _masked(self, path: Path, i: Instruction, mask: int, bits: int) -> Linear:
        """Between 0 and the mask, and no more than a number that is not negative."""
        own = self._open(path, str(i.token), True, None)
        inner = self._value(path, i.operands[0], self._is_unsigned(i.operands[0]), bits)
        path.facts += [own, number(mask) - own]
        if implies(self._facts(path), inner):
            path.facts.append(inner - own)
        return own


def _side(facts: Sequence[Linear], x: Linear) -> tuple[int, int] | None:
    """Sign s and a small number a, of which facts say that s x >= a."""
    for sign in (1, -1):
        if implies(facts, x.times(sign)):
            return sign, next(a for a in (2, 1, 0) if a == 0 or implies(facts, x.times(sign) - a))
    return None
