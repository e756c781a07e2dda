"""What of a program's code did not change: fingerprints of functions and of the ends of loops.

A fingerprint is the code in single assignment form with registers numbered in order: names, lines,
comments, `for` or `while` leave no trace in it. Called functions and constants stand for what they
are. The fingerprint of a loop is the slice of the function that decides when the loop ends (Weiser,
"Program Slicing", ICSE 1981, on values instead of lines), so that two loops whose count depends on
data are the same only if everything that ends them is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from staticana.ir.graph import blocks_leading_to, closure
from staticana.ir.loop_info import Loop, LoopForest, loop_forest
from staticana.ir.types import Function, Instruction, Module, Operand

from .conditions import conjuncts, test_of
from .stores import Stores
from .words import Words

_GLOBAL = re.compile(r"@(\"[^\"]*\"|[\w.$-]+)")
_REGISTER = re.compile(r"%(\"[^\"]*\"|[\w.$-]+)")
_WAY = Operand("way")
_QUIET = ("llvm.dbg", "llvm.lifetime")


class Ends(NamedTuple):
    """Of one function. loops: place -> what ends the loop there; ways_out: place -> what each way
    out of the loop there is decided by; decides: what ends its loops, with the code of what it
    calls for that; recursion: what decides on its calls of itself, where there are any."""

    loops: dict[str, str]
    ways_out: dict[str, tuple[str, ...]]
    decides: str | None
    recursion: str | None


@dataclass(frozen=True)
class Fingerprints:
    """own: function -> its code, calls by name; deep: with the code of what it calls; callees:
    function -> functions of the program it calls. What ends loops is found where it is asked
    for."""

    module: Module = field(repr=False)
    own: dict[str, str]
    deep: dict[str, str]
    callees: dict[str, tuple[str, ...]]
    _words: Words = field(repr=False)
    _stores: Stores = field(repr=False)
    _ends: dict[str, Ends] = field(default_factory=dict, repr=False)

    def ends(self, name: str) -> Ends:
        """What ends the loops of a function."""
        if name not in self._ends:
            self._ends[name] = self._found(self.module.functions[name])
        return self._ends[name]

    def ends_of(self, names: Iterable[str]) -> Ends:
        """What ends the loops of several functions."""
        loops: dict[str, str] = {}
        ways_out: dict[str, tuple[str, ...]] = {}
        for ends in (self.ends(n) for n in self.own if n in set(names)):
            for at, hashed in ends.loops.items():
                ways_out[at] = () if at in loops else ends.ways_out[at]
                loops[at] = _hash(loops[at] + hashed) if at in loops else hashed
        return Ends(loops, ways_out, None, None)

    def _found(self, f: Function) -> Ends:
        forest, words = loop_forest(f, self.module), self._words
        loops: dict[str, str] = {}
        ways_out: dict[str, tuple[str, ...]] = {}
        decides = recursion = None
        for loop in forest.loops:
            inside = _Slice(f, self._stores, words, forest.loops, loop.blocks, {loop.header})
            ends, ways = _ends(
                inside, loop, forest, lambda t: _hash(_expanded(t, words, self.deep))
            )
            loops[loop.at] = _hash(loops.get(loop.at, "") + ends)
            # of several copies of a loop no single way out is that of all
            ways_out[loop.at] = ways if loop.at not in ways_out else ()
            decides = _hash((decides or "") + ends)
        if f.name in self.callees[f.name]:
            headers = {loop.header for loop in forest.loops}
            whole = _Slice(f, self._stores, words, forest.loops, f.blocks, headers)
            text = whole.text(_decides(f, forest.loops))
            known = re.sub(rf"@{re.escape(f.name)}(?![\w.$-])", "@self", text)
            recursion = _hash(_expanded(known, words, self.deep))
        return Ends(loops, ways_out, decides, recursion)


def fingerprints(module: Module) -> Fingerprints:
    """The fingerprints of all functions with a body."""
    defined = {name: f for name, f in module.functions.items() if not f.is_declaration}
    words = Words(module)
    callees = {name: _callees(f, defined) for name, f in defined.items()}
    texts = {name: _text(f, words) for name, f in defined.items()}
    calls = re.compile("|".join(rf"@{re.escape(n)}(?![\w.$-])" for n in defined) or "$^")
    own = {name: _hash(_expanded(calls.sub("@", text), words, {})) for name, text in texts.items()}
    deep: dict[str, str] = {}
    for name in defined:
        _deep(name, texts, words, deep, ())
    return Fingerprints(module, own, deep, callees, words, Stores(module))


def _ends(
    inside: _Slice, loop: Loop, forest: LoopForest, hashed: Callable[[str], str]
) -> tuple[str, tuple[str, ...]]:
    """The fingerprints of all that ends a loop, and of each way out of it."""
    f = inside.function
    exits = _exits(f, loop)
    decided = {id(i): _decided(f, loop, forest, i) for i in exits}
    found = set[str]()
    for i in exits:
        ways = inside.exits(i)
        found.update(hashed(inside.text(decided[id(i)], [way])) for way in ways)
        if not ways:
            found.add(hashed(inside.text([i, *decided[id(i)]])))
    every = {id(c): c for i in exits for c in decided[id(i)]}
    return hashed(inside.text([*exits, *every.values()])), tuple(sorted(found))


def _decided(
    f: Function, loop: Loop, forest: LoopForest, leaving: Instruction
) -> list[Instruction]:
    """The branches of a loop that decide whether an iteration comes to one that leaves it
    (Ferrante, Ottenstein and Warren, "The program dependence graph", TOPLAS 1987)."""
    by_line = {b.terminator.line: name for name, b in f.blocks.items()}
    latches = [name for name in loop.latches if name in loop.blocks]

    def above(block: str) -> list[str]:
        if all(forest.dominates(block, latch) for latch in latches):
            return []
        passing = blocks_leading_to(f, latches, without=[block]) & loop.blocks
        coming = blocks_leading_to(f, [block], without=[loop.header]) & loop.blocks
        return [
            name
            for name in coming
            if name != block
            and any(s in passing or s == loop.header for s in f.blocks[name].successors)
            and any(s in coming and s not in passing for s in f.blocks[name].successors)
        ]

    start = by_line[leaving.line]
    found = closure((start,), above) - {start}
    return [b.terminator for name, b in f.blocks.items() if name in found]


def _exits(f: Function, loop: Loop) -> list[Instruction]:
    return [
        f.blocks[name].terminator
        for name in f.blocks
        if name in loop.blocks and any(s not in loop.blocks for s in f.blocks[name].successors)
    ]


def _decides(f: Function, loops: Iterable[Loop]) -> list[Instruction]:
    """The calls of the function in itself, and the branches that decide on them: all but those of
    loops without such a call."""
    calls = {
        name: [i for i in block.instructions if i.is_call and i.operands[0] == f"@{f.name}"]
        for name, block in f.blocks.items()
    }
    idle = {
        name for loop in loops if not any(calls[b] for b in loop.blocks) for name in loop.blocks
    }
    branches = [b.terminator for name, b in f.blocks.items() if name not in idle]
    return [*(i for found in calls.values() for i in found), *(b for b in branches if b.operands)]


def _instructions(f: Function) -> Iterable[Instruction]:
    for block in f.blocks.values():
        for instruction in block.instructions:
            if not any(word in " ".join(instruction.operands) for word in _QUIET):
                yield instruction


def _callees(f: Function, defined: dict[str, Function]) -> tuple[str, ...]:
    found = (
        name.strip('"')
        for i in _instructions(f)
        for o in (*i.operands, *i.extra)
        for name in _GLOBAL.findall(o)
    )
    return tuple(dict.fromkeys(n for n in found if n in defined))


def _line(i: Instruction, operands: Sequence[str]) -> str:
    words = (i.opcode, i.type, *operands, "|", *i.labels, *i.cases, *i.extra)
    return f"{i.result or ''} = {' '.join(words)}"


def _text(f: Function, words: Words) -> str:
    lines = [" ".join(f"{p.type} %{p.token.name}" for p in f.parameters)]
    for block in f.blocks.values():
        lines.append(f"%{block.name}:")
        lines += [
            _line(i, words.of(i))
            for i in block.instructions
            if not any(w in " ".join(i.operands) for w in _QUIET)
        ]
    numbers: dict[str, str] = {}
    text = "\n".join(lines)
    return _REGISTER.sub(lambda m: numbers.setdefault(m[1].strip('"'), f"%{len(numbers)}"), text)


def _expanded(text: str, words: Words, deep: Mapping[str, str]) -> str:
    """Names of constants replaced by what is in them, those of functions by what they do."""

    def value(match: re.Match[str]) -> str:
        name = match[1].strip('"')
        return deep[name] if name in deep else words.content(name) or match[0]

    return _GLOBAL.sub(value, text)


def _deep(
    name: str, texts: dict[str, str], words: Words, done: dict[str, str], above: tuple[str, ...]
) -> str:
    if name in done:
        return done[name]
    if name in above:
        return f"call {len(above) - above.index(name)} up"

    def code(match: re.Match[str]) -> str:
        called = match[1].strip('"')
        if called in texts:
            return _deep(called, texts, words, done, (*above, name))
        return match[0]

    found = _hash(_GLOBAL.sub(code, _expanded(texts[name], words, {})))
    if not above:
        done[name] = found
    return found


@dataclass(frozen=True)
class _Slice:
    """What instructions of a function depend on.

    inside: the blocks of the loop, or all: what is stored there may be what is loaded.
    headers: blocks whose phi instructions are variables of a loop, no choices.
    """

    function: Function
    stores: Stores
    words: Words
    forest: Sequence[Loop]
    inside: Collection[str]
    headers: Collection[str]

    def text(self, roots: Iterable[Instruction], ways: Iterable[tuple[Operand, bool]] = ()) -> str:
        """The instructions that the roots depend on, in the order in which they are reached.

        Args:
            ways: conditions to leave the loop by, with the value with which it is left.
        """
        f = self.function
        numbers = {p.token.name: f"arg{k}" for k, p in enumerate(f.parameters)}
        lines, todo, seen = list[str](), list[Instruction](), set[int]()
        tests = dict[int, tuple[str, tuple[Operand, ...]]]()
        numbers_of_ways = set[int]()

        def numbered(operand: str) -> str:
            for name in _REGISTER.findall(operand):
                key = name.strip('"')
                numbers.setdefault(key, f"v{len(numbers)}")
                if (d := f.definitions.get(f"%{name}") or f.definitions.get(key)) is not None:
                    todo.append(d)
            return _REGISTER.sub(lambda m: numbers.get(m[1].strip('"'), m[0]), operand)

        leaving = list(ways)
        for root in roots:
            exits = self.exits(root)
            leaving += exits
            todo += [root] if not exits else []
        for token, if_true in leaving:
            d = f.definitions.get(token)
            known = None if d is None else test_of(d, if_true)
            if d is not None and known is not None:
                tests[id(d)] = known
            word = "leave" if known is not None or if_true else "leave unless"
            lines.append(f"{word} {numbered(token)}")
        first = {id(i) for i in todo}  # of those that are calls, only the arguments matter
        while todo:
            i = todo.pop(0)
            if id(i) in seen:
                continue
            seen.add(id(i))
            if i.opcode == "phi":
                todo += self._choices(i)
            elif i.opcode == "load" or (i.is_call and id(i) not in first):
                seen_there, handed = self._seen_by(i)
                todo += seen_there
                lines += handed
            kind = [e for e in i.extra if "%" not in e and "!" not in e]
            given: Sequence[str] = self.words.of(i)
            if i.opcode == "switch":
                numbers_of_ways |= self._ways(i)
            if id(i) in numbers_of_ways:
                given = [o if o.startswith("%") else _WAY for o in given]
            if id(i) in tests:
                kind, given = [tests[id(i)][0]], tests[id(i)][1]
            lines.append(" ".join((i.opcode, i.type, *kind, *map(numbered, given))))
        return "\n".join(lines)

    def exits(self, branch: Instruction) -> list[tuple[Operand, bool]]:
        """(condition, the value with which the loop is left) of a branch that leaves it. `a && b`
        as one condition, which is a phi instruction of a constant and of b, is two."""
        if branch.opcode != "br" or len(branch.labels) != 2:
            return []
        stays = [label in self.inside for label in branch.labels]
        if stays[0] == stays[1]:
            return []
        known = conjuncts(self.function, branch.operands[0], stays[0], self.headers)
        return [(condition, not value) for condition, value in known]

    def _ways(self, switch: Instruction) -> set[int]:
        """The phi instructions of constants alone that a switch decides by: the numbers that a
        compiler gives to ways out of a block, which mean nothing."""
        found, todo = set[int](), [switch.operands[0]]
        while todo:
            d = self.function.definitions.get(todo.pop())
            if d is None or d.opcode != "phi":
                return set()
            if id(d) not in found:
                found.add(id(d))
                todo += [o for o in d.operands if o.startswith("%")]
        return found

    def _choices(self, phi: Instruction) -> list[Instruction]:
        """The branches that choose among the values of a phi instruction: not those of a loop
        beside it that control leaves in one way only."""
        block = self.function.block_of[phi.token]
        if block in self.headers:
            return []
        passed = {
            name
            for loop in self.forest
            if block not in loop.blocks and len(loop.exits) == 1
            for name in loop.blocks
        }
        return [
            i
            for i in _ordered(self.function, self.inside, passed)
            if i.opcode in ("br", "switch") and i.operands
        ]

    @cached_property
    def _last(self) -> frozenset[str]:
        """The blocks from which control does not go on: what fails there is seen by nobody."""
        blocks = self.function.blocks.items()
        return frozenset(n for n, b in blocks if b.terminator.opcode == "unreachable")

    @cached_property
    def _writers(self) -> list[tuple[Instruction, frozenset[str]]]:
        """The instructions inside that write, with what they may write."""
        ordered = _ordered(self.function, self.inside, self._last)
        return [(i, w) for i in ordered if (w := self.stores.written(self.function, i))]

    def _seen_by(self, reader: Instruction) -> tuple[list[Instruction], list[str]]:
        """The stores and calls whose effects an instruction may see; of calls that are handed other
        objects than it reads, what they are handed."""
        f = self.function
        read = self.stores.read(f, reader) if reader.opcode == "load" else None
        found, handed = list[Instruction](), list[str]()
        for i, written in self._writers:
            if not (read is None or read in written):
                continue
            others = self.stores.elsewhere(f, reader, i)
            if others is None:
                found.append(i)
            else:
                handed.append(f"may write {others}")
        return found, sorted(set(handed))


def _ordered(
    f: Function, inside: Collection[str], without: Collection[str] = ()
) -> list[Instruction]:
    return [
        i for n, b in f.blocks.items() if n in inside and n not in without for i in b.instructions
    ]


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]
