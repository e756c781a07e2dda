"""The command line: argc, argv, and the integers that main reads from its words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from ...alias.library import Parses, library_function
from ...alias.memory_location import Pointer
from ...expr import ZERO, Expr, expr, is_integer, sym, symbols
from ...ir.graph import blocks_reached, callee, closure, is_intrinsic
from ...ir.matchers import (
    is_alloca,
    is_any,
    is_branch,
    is_gep,
    is_icmp,
    is_load,
    is_return,
    is_store,
)
from ...ir.types import Block, Function, Instruction, IntLiteral, Operand, int_bits
from ...scev.arithmetic.fits import Readers, readers
from ...scev.context import FunctionContext, ProgramContext
from ...scev.source_names import target_name
from .argv_writes import changed_words
from .program_parameters import ProgramParameters, integer_range
from .string_texts import element_of_words, has_words, number_of_words
from .words_reached import WordsReached
from .words_read import WordRead

_INT, _LONG = 32, 64
"""Bits of what atoi and atol return."""
_ARGV = 1
"""The place of argv among the parameters of main."""
_DEEPEST = 4  # functions that hand argc on
_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
}
_UNSIGNED = {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}
"""Comparisons of numbers of words, which are not negative -> those of argc."""


class CommandLine:
    """The words that a run is given.

    argc: how many there are, the program's name included; None: as many as the program reads, and
    its usage check wants; where it reads none by a constant number, a parameter of its own.
    """

    def __init__(
        self, program: ProgramContext, parameters: ProgramParameters, argc: int | None
    ) -> None:
        self.program = program
        self.parameters = parameters
        self.argc = argc
        self.is_assumed = False
        self._highest_named = 0  # of the words that formulas speak of
        self._is_open = False  # while the number of words is being chosen

    def argument(self, function: Function, at: int) -> Expr:
        """An argument of main: argc, argv, or a symbol."""
        if at == 1:
            return sym(symbols.ARGV)
        if at == 0 and not self.program.module.is_fortran:
            if self.argc is None and (self.program.strict or not self._words_read):
                return self.parameters.has_width(self.parameters.introduce("argc", "argc"), 32)
            if self.argc is None:
                self._is_open = True
                self.argc = self._usual_argc(function)
                self._is_open = False
                self.is_assumed = True
                self.program.assume(f"the program is called with {self.argc - 1} arguments")
            return expr(self.argc)
        return sym(self.program.argument_symbol(function, at))

    def is_assumed_argc(self, function: Function, token: Operand) -> bool:
        """Is it argc, in main or as main hands it on, of which a value is taken for granted?"""
        return self.is_assumed and self._is_argc(function, token, _DEEPEST)

    def _is_argc(self, function: Function, token: Operand, depth: int) -> bool:
        i = function.definitions.get(token)
        if i is not None:
            return is_any(i, "sext", "zext") and self._is_argc(function, i.operands[0], depth)
        at = next((k for k, p in enumerate(function.parameters) if p.token == token), None)
        if at is None or function.name == self.program.entry:
            return at == 0
        sites = self.program.calls.callers.get(function.name, ())
        return (
            depth > 0
            and bool(sites)
            and all(
                at + 1 < len(s.instruction.operands)
                and self._is_argc(
                    self.program.defined[s.caller], s.instruction.operands[at + 1], depth - 1
                )
                for s in sites
            )
        )

    @cached_property
    def _pointer(self) -> int:
        """The distance of two words of argv in bytes."""
        return self.program.layout.size("ptr") or 8

    def _usual_argc(self, main: Function) -> int:
        """The least number of words with all that are read which does not end in a usage check: a
        test of argc on whose other side all the loops are."""
        tests = [(p, c, fails) for p, c, _, fails in self._tests(main)]
        tests += self._tests_of_vectors()
        least = max(self._words_read, self._highest_named) + 1
        candidates = sorted({least, *(c + k for _, c, _ in tests for k in (0, 1))})
        return next(
            (
                argc
                for argc in candidates
                if argc >= least and not any(fails[not _HOLDS[p](argc, c)] for p, c, fails in tests)
            ),
            least,
        )

    def _tests(self, main: Function) -> Iterator[tuple[str, int, str, tuple[bool, bool]]]:
        """Branches on a comparison of argc with a number: predicate, number, and whether the sides
        where it holds and where it does not only report a wrong usage."""
        view = self.program.view(main.name)
        argc = self._tokens_of_argc(main)
        for b in main.blocks.values():
            branch = b.terminator
            if not is_branch(branch) or len(branch.labels) != 2:
                continue
            test = main.definitions.get(branch.operands[0])
            if (
                not is_icmp(test)
                or test.operands[0] not in argc
                or not isinstance(number := test.operands[1], IntLiteral)
                or test.extra[0] not in _HOLDS
            ):
                continue
            yield test.extra[0], number.value, b.name, self._fails(view, branch)

    def _fails(self, view: FunctionContext, branch: Instruction) -> tuple[bool, bool]:
        """Do the sides of a branch only report a wrong usage?"""
        work = [self._loops_from(view.function, label) for label in branch.labels]
        dead = [label in view.paths.dead for label in branch.labels]
        return dead[0] or work[0] < work[1], dead[1] or work[1] < work[0]

    @staticmethod
    def _tokens_of_argc(main: Function) -> set[Operand]:
        """argc, and what is read of a variable that holds nothing else, as MPI_Init is handed."""
        argc = main.parameters[0].token
        found: set[Operand] = {argc}
        for kept in main.users.get(argc, ()):
            if not is_store(kept) or not is_alloca(main.definitions.get(kept.operands[1])):
                continue
            users = main.users.get(kept.operands[1], ())
            if all(u is kept or is_load(u) or is_intrinsic(u) or _leaves_argv(u) for u in users):
                found |= {u.token for u in users if is_load(u)}
        return found

    def _tests_of_vectors(self) -> Iterator[tuple[str, int, tuple[bool, bool]]]:
        """Branches on how many elements a vector of all the words behind a certain one has, as
        comparisons of argc with a number."""
        if not any(map(has_words, self.program.defined)):
            return
        for f in self.program.defined.values():
            view = self.program.view(f.name)
            for b in f.blocks.values():
                branch = b.terminator
                if not is_branch(branch) or len(branch.labels) != 2:
                    continue
                found = self._test_of_vector(view, branch.operands[0])
                if found is not None:
                    yield *found, self._fails(view, branch)

    def _test_of_vector(self, view: FunctionContext, token: Operand) -> tuple[str, int] | None:
        """A comparison of argc that says the same as one of the size of a vector of words."""
        test = view.function.definitions.get(token)
        if not is_any(test, "icmp", "call", "invoke"):
            return None
        number, predicate, other = test, "", 0
        if is_icmp(test):
            size = view.function.definitions.get(test.operands[0])
            if is_any(size, "trunc", "zext", "sext"):
                size = view.function.definitions.get(size.operands[0])
            if size is None or not isinstance(literal := test.operands[1], IntLiteral):
                return None
            number, predicate, other = size, test.extra[0], literal.value
        found = number_of_words(self.program, view, number) if number.is_call else None
        skipped = None if found is None else self._words_before(*found[0])
        if found is None or skipped is None:
            return None
        if found[1]:
            return None if predicate else ("eq", skipped)
        predicate = _UNSIGNED.get(predicate, predicate)
        return (predicate, other + skipped) if predicate in _HOLDS else None

    def number_in_vector(self, view: FunctionContext, call: Instruction) -> Expr | None:
        """How many elements a vector of all the words behind a certain one has, in whichever
        function a call asks it; in main itself the vector's fields tell."""
        main = self.program.defined.get(self.program.entry)
        if (
            main is None
            or view.function.name == main.name
            or len(main.parameters) < _ARGV + 1
            or self._is_open
        ):
            return None
        found = number_of_words(self.program, view, call)
        before = None if found is None else self._words_before(*found[0])
        if found is None or before is None:
            return None
        number = self.argument(main, 0) - before
        if not found[1]:
            return number
        return expr(int(number == ZERO)) if number.constant is not None else None

    def _words_before(self, view: FunctionContext, first: Operand, end: Operand) -> int | None:
        """How many words lie before those from `first` to `end`, if these are all the others."""
        main = self.program.defined[self.program.entry]
        if view.function.name != main.name:
            return None
        last = main.definitions.get(end)
        if not is_gep(last) or len(last.operands) != 2:
            return None
        argv = main.parameters[1].token
        all_words = last.operands[0] == argv and self.program.layout.size(last.type) == (
            self._pointer
        )
        if not all_words or not self._is_argc(main, last.operands[1], 0):
            return None
        base, offset = self.program.memory.aliasing.underlying_object(main, first)
        if base != Pointer(main.name, argv) or offset is None or offset % self._pointer:
            return None
        return offset // self._pointer

    @cached_property
    def hides_code(self) -> bool:
        """May code that does not run with the number of words that is taken for granted run, or
        do more, with another? Not where argc only guards a usage check without code to count."""
        if not self.is_assumed or self.argc is None:
            return False
        main = self.program.defined[self.program.entry]
        tests = main.users.get(main.parameters[0].token, ())
        for test in tests:
            branches = main.users.get(test.token, ())
            if not is_icmp(test) or any(not is_branch(b) for b in branches):
                return True
        taken = {
            block: main.blocks[block].terminator.labels[not _HOLDS[p](self.argc, c)]
            for p, c, block, _ in self._tests(main)
        }
        if len(taken) < sum(len(main.users.get(test.token, ())) for test in tests):
            return True

        def successors(name: str) -> tuple[str, ...]:
            return (taken[name],) if name in taken else main.blocks[name].successors

        usual: set[str] = closure([main.entry.name], successors)
        view = self.program.view(main.name)
        hidden = [
            b for b in main.blocks.values() if b.name in view.reachable and b.name not in usual
        ]
        return any(self._does_something(main, b, usual) for b in hidden) or any(
            self._merges(main, phi, usual, taken)
            for name in usual
            for phi in main.blocks[name].phis
        )

    def _does_something(self, main: Function, block: Block, usual: set[str]) -> bool:
        """Has a block what is counted, or does it change memory and go on?"""
        if block.name in self.program.view(main.name).loops:
            return True
        if any(callee(i) in self.program.defined for i in block.instructions):
            return True
        writes = any(i.may_write for i in block.instructions)
        return writes and any(s in usual and self._loops_from(main, s) for s in block.successors)

    @staticmethod
    def _merges(
        main: Function, phi: Instruction, usual: set[str], taken: Mapping[str, str]
    ) -> bool:
        """Does a register hold another value when control comes another way? What main returns
        does not matter."""
        block = main.block_of[phi.token]
        if all(label in usual and taken.get(label, block) == block for label in phi.labels):
            return False
        return any(not is_return(u) for u in main.users.get(phi.token, ()))

    def _loops_from(self, main: Function, label: str) -> int:
        """How many loops and calls of the program's own functions lie behind a block."""
        view = self.program.view(main.name)
        reached = {label, *blocks_reached(main, label, within=main.blocks)}
        calls = sum(
            callee(i) in self.program.defined
            for name in reached
            for i in main.blocks[name].instructions
        )
        return calls + sum(name in view.loops for name in reached)

    @cached_property
    def _words_read(self) -> int:
        """The highest argv[k] that is read with a constant k."""
        reached = WordsReached(self.program)
        return max(reached.highest, self._words_of_vectors(reached.at))

    def _words_of_vectors(self, reached: Mapping[tuple[str, Operand], int]) -> int:
        """The highest argv[k] that is read as an element of a vector of strings."""
        highest = 0
        if not any(map(has_words, self.program.defined)):
            return highest
        for f in self.program.defined.values():
            for i in f.calls:
                found = element_of_words(self.program, self.program.view(f.name), i)
                if found is None or not isinstance(found[2], IntLiteral):
                    continue
                view, first = found[:2]
                base, offset = self.program.memory.aliasing.underlying_object(view.function, first)
                if not isinstance(base, Pointer) or offset is None:
                    continue
                at = reached.get((base.function, base.register))
                if at is not None:
                    highest = max(highest, at + offset // self._pointer + found[2].value)
        return highest

    @cached_property
    def _changes(self) -> tuple[bool, bool]:
        """Does the program change the order of the words (the pointers in argv), or their text?"""
        return changed_words(self.program)

    def argv_string(self, address: Expr) -> Expr | None:
        """The pointer argv[k], from its address."""
        if symbols.ARGV in address.symbols and self._changes[0]:
            return None
        rest = address - sym(symbols.ARGV)
        value = rest.constant
        if (
            symbols.ARGV in address.symbols
            and isinstance(value, int)
            and value > 0
            and value % self._pointer == 0
        ):
            return self._word(value // self._pointer)
        return None

    def _word(self, at: int) -> Expr | None:
        """The pointer argv[k]; None for one that the run is not given."""
        if self.argc is not None and at >= self.argc:
            return None
        self._highest_named = max(self._highest_named, at)
        return sym(symbols.argv_word(at))

    def words_behind(self, address: Expr) -> Expr | None:
        """How many words follow the one whose pointer stands at an address in argv: below 0 for the
        null behind the last one. None for other addresses, and where argc is not one number."""
        main = self.program.defined.get(self.program.entry)
        if symbols.ARGV not in address.symbols or main is None or self._is_open:
            return None
        if self._changes[0] or not main.parameters:
            return None
        at = (address - sym(symbols.ARGV)) * Fraction(1, self._pointer)
        argc = self.argument(main, 0)
        is_named = argc.constant is None and symbols.ARGV not in at.symbols and is_integer(at)
        return argc - at - 1 if is_named else None

    def argv_parameter(
        self, view: FunctionContext, call: Instruction, string: Expr, *, is_decimal: bool
    ) -> Expr | None:
        """atoi(argv[k]) and the like; not `is_decimal`: a prefix of the number says its base."""
        atom = string.atom
        at = symbols.as_argv_word(atom.key) if atom is not None else None
        if at is None or self._changes[1]:
            return None
        name = _receiver(self.program, view, call) or _holder(self.program, view, call.token)
        value = self.argv_value(at, name or f"argv{at}")
        if not is_decimal:
            self.program.assume(f"argv[{at}] is a decimal number")
        bits, read = _type_read(view, call)
        value = self.parameters.is_read(value, bits, read)
        known = library_function(callee(call) or "")
        # std::stoul throws beyond the largest number, but takes negative ones for others
        is_saturated = (
            known is not None
            and known.base is not None
            and (not known.of_string or known.parses is Parses.UNSIGNED)
        )
        is_narrowed = bits < (int_bits(call.type) or 0)
        return self.parameters.is_word(
            value,
            f"argv[{at}]",
            *integer_range(bits, may_be_unsigned=read.unsigned),
            is_cut=is_saturated or is_narrowed,
        )

    def number_read(self, view: FunctionContext, read: WordRead) -> Expr | None:
        """sscanf(argv[k], "%d", &n) and the like, which leave n as it is where the word is no
        number."""
        atom = read.text.atom
        at = symbols.as_argv_word(atom.key) if atom is not None else None
        if at is None or self._changes[1]:
            return None
        users = view.function.users.get(read.address, ())
        loads = [i for i in users if is_load(i)]
        # of a local variable that the function returns
        names = (_receiver(self.program, view, i) for i in loads)
        name = next(filter(None, names), None) or view.variable_name(read.address)
        name = name or target_name(view, read.address)
        value = self.argv_value(at, name or f"argv{at}")
        self.program.assume(f"argv[{at}] is a number")
        bits = int_bits(read.type) or _LONG
        if read.is_unsigned and bits >= _INT:
            is_followed = bits == _INT and all(is_load(i) or i.is_call for i in users)
            is_signed = not is_followed or any(readers(view, i.token).signed for i in loads)
            value = self.parameters.is_read(value, bits, Readers(is_signed, True))
        else:
            value = self.parameters.has_width(value, bits, may_be_unsigned=read.is_unsigned)
        low, high = integer_range(bits, may_be_unsigned=read.is_unsigned)
        low = 0 if read.is_unsigned and read.is_strict else low
        return self.parameters.is_word(value, f"argv[{at}]", low, high, is_cut=True)

    def argv_value(self, at: int, name: str) -> Expr:
        """The number that word `at` of the command line is; `name` unless --param names it."""
        return self.parameters.given(f"argv[{at}]", name)


def _type_read(view: FunctionContext, call: Instruction) -> tuple[int, Readers]:
    """The bits of the integer that the program takes from a call like strtol, and who reads it:
    (int)strtol(...) reads an int, (unsigned)strtol(...) numbers beyond."""
    function = view.function
    users = [
        u
        for u in function.users.get(call.token, ())
        if is_any(u, "trunc", "fptosi") or not is_intrinsic(u)
    ]
    known = library_function(callee(call) or "")
    is_unsigned = known is not None and known.parses is Parses.UNSIGNED
    if users and all(is_any(u, "trunc", "fptosi") for u in users):
        bits = max(_INT, *(int_bits(u.type) or _LONG for u in users))  # (short)atoi(...) wraps
        beyond = is_unsigned or any(readers(view, u.token).unsigned for u in users)
        return bits, Readers(not beyond, beyond and bits <= _INT)
    bits = int_bits(call.type) or _LONG
    read = readers(view, call.token)
    return bits, Readers(read.signed, True) if is_unsigned else Readers(True, False)


def _leaves_argv(i: Instruction) -> bool:
    """Is it a call that is handed argc and argv by address, and leaves them as they are?"""
    known = library_function(callee(i) or "")
    return known is not None and known.leaves_argv


def _receiver(
    program: ProgramContext, view: FunctionContext, call: Instruction, depth: int = 0
) -> str | None:
    """The variable in a caller that holds what a function reads for its one call, and returns."""
    function = view.function
    sites = program.calls.callers.get(function.name, ())
    if len(sites) != 1 or depth > _MOST_READERS:
        return None
    seen: set[Operand] = {call.token}
    work: list[Operand] = [call.token]
    while work:
        for i in function.users.get(work.pop(), ()):
            if is_return(i):
                caller, site = program.view(sites[0].caller), sites[0].instruction
                further = _receiver(program, caller, site, depth + 1)
                return further or _holder(program, caller, site.token)
            if is_any(i, *_PASSED_ON) and i.token not in seen:
                seen.add(i.token)
                work.append(i.token)
    return None


_MOST_READERS = 4
"""Functions that return what another has read, one in the other."""
_PASSED_ON = ("trunc", "sext", "zext", "freeze", "phi", "select", "fptosi", "fptoui")


def _holder(program: ProgramContext, view: FunctionContext, token: Operand) -> str | None:
    """The variable that holds a value, else the parameter of a function it is passed to."""
    function = view.function
    seen, work, passed = {token}, [token], None
    while work:
        current = work.pop(0)
        name = view.variable_name(current)
        if name:
            return name
        for i in function.users.get(current, ()):
            if is_any(i, *_PASSED_ON) and i.token not in seen:
                seen.add(i.token)
                work.append(i.token)
            elif is_store(i) and i.operands[0] == current:
                passed = (
                    passed or view.variable_name(i.operands[1]) or target_name(view, i.operands[1])
                )
            elif (called := callee(i) or "") in program.defined:
                names = program.view(called).parameter_names
                at = i.operands[1:].index(current) if current in i.operands[1:] else None
                if at is not None and at < len(names):
                    passed = passed or names[at]
    return passed
