"""What of a program's code did not change: fingerprints of functions and of the ends of loops.

A fingerprint is the code in single assignment form with registers numbered in order: names, lines,
comments, `for` or `while` leave no trace in it. Called functions and constants stand for what they
are. The fingerprint of a loop is the slice of the function that decides when the loop ends (Weiser,
"Program Slicing", ICSE 1981, on values instead of lines), so that two loops whose count depends on
data are the same only if everything that ends them is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from looplaw_common.digraph import Digraph, circles
from staticana.ir.types import Function, Instruction, Module

from .shapes import AGAIN, Shapes
from .words import Words

_GLOBAL = re.compile(r"@(\"[^\"]*\"|[\w.$-]+)")
_REGISTER = re.compile(r"%(\"[^\"]*\"|[\w.$-]+)")
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
    _shapes: Shapes = field(repr=False)
    _ends: dict[str, Ends] = field(default_factory=dict, repr=False)

    def ends(self, name: str) -> Ends:
        """What ends the loops of a function."""
        if name not in self._ends:
            self._ends[name] = self._found(name)
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

    def _found(self, name: str) -> Ends:
        loops: dict[str, str] = {}
        ways_out: dict[str, tuple[str, ...]] = {}
        decides = recursion = None
        for walk in self._shapes.walks(name):
            ways = tuple(sorted(_hash(f"{way} {sorted(needs)}") for way, needs in walk.ways))
            ends = _hash(f"{sorted(walk.moves)} {ways}")
            # of several copies of a loop no single way out is that of all
            ways_out[walk.at] = ways if walk.at not in loops else ()
            loops[walk.at] = _hash(loops[walk.at] + ends) if walk.at in loops else ends
            decides = _hash((decides or "") + ends)
        if name in self.callees[name]:
            chains = self._shapes.of_function(name) or ()
            found = [
                f"{[loops[w.at] for w in c.loops]} {sorted(c.needs)} {sorted(c.passed)}"
                for c in chains
                if c.call == AGAIN
            ]
            recursion = _hash("\n".join(found)) if found else None
        return Ends(loops, ways_out, decides, recursion)


def fingerprints(module: Module) -> Fingerprints:
    """The fingerprints of all functions with a body."""
    defined = {name: f for name, f in module.functions.items() if not f.is_declaration}
    words = Words(module)
    callees = {name: _callees(f, defined) for name, f in defined.items()}
    texts = {name: _text(f, words) for name, f in defined.items()}
    calls = re.compile("|".join(rf"@{re.escape(n)}(?![\w.$-])" for n in defined) or "$^")
    own = {name: _hash(_expanded(calls.sub("@", text), words, {})) for name, text in texts.items()}
    deep = _deep(texts, words)
    shapes = Shapes(module, frozenset(), deep)
    return Fingerprints(module, own, deep, callees, shapes)


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


def _deep(texts: Mapping[str, str], words: Words) -> dict[str, str]:
    """The fingerprints of functions with all that they call.

    Those that call each other are told apart by rounds, in each of which a function is hashed with
    what its callees were in the round before, until a round tells no more of them apart (colour
    refinement: Weisfeiler and Leman, 1968); so they are the same under other names.
    """
    bodies = {n: _expanded(text, words, {}) for n, text in texts.items()}
    named = ((n, m.strip('"')) for n, body in bodies.items() for m in set(_GLOBAL.findall(body)))
    done = dict[str, str]()
    for circle in circles(Digraph(texts, ((n, m) for n, m in named if m in texts))):
        now, told = dict.fromkeys(circle, "itself"), 0
        while len(set(now.values())) > told:
            told = len(set(now.values()))
            label = _label({**done, **now})
            now = {n: _hash(_GLOBAL.sub(label, bodies[n])) for n in circle}
        done |= now
    return done


def _label(labels: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: labels.get(match[1].strip('"'), match[0])


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]
