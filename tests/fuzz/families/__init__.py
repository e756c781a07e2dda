"""Families of whole programs that deceive, by name; each in C, in C++ or in both."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from . import (
    arithmetic,
    arrays,
    branching,
    command_line,
    containers,
    cxx,
    endings,
    expressions,
    floats,
    handed,
    library,
    machine,
    marks,
    nodes,
    places,
    searches,
    teams,
    whole,
)
from .draft import OPENMP, Draft, Lines, Program, Vector

__all__ = ["FAMILIES", "OPENMP", "Program", "Vector", "program"]


@dataclass(frozen=True)
class Family:
    """What writes what main of a program does, the languages it is written in, and the flags that
    it needs."""

    write: Callable[[Draft], Lines]
    languages: tuple[str, ...] = ("c", "cxx")
    flags: tuple[str, ...] = ()


_C, _CXX = ("c",), ("cxx",)

FAMILIES: Mapping[str, Family] = {
    "narrow": Family(arithmetic.narrow, ("c", "cxx", "cxx")),
    "unsigned": Family(arithmetic.unsigned),
    "overflow flags": Family(arithmetic.overflow),
    "arrays": Family(arrays.arrays, ("c", "c", "cxx")),
    "branching": Family(branching.branching),
    "containers": Family(containers.containers, _CXX),
    "marks": Family(marks.marks, ("c", "cxx", "cxx")),
    "phases": Family(branching.flags),
    "searches": Family(searches.searches),
    "expressions": Family(expressions.expressions, _C),
    "nests": Family(expressions.nests, _C),
    "floats": Family(floats.floats, _C),
    "bases": Family(command_line.bases),
    "ranges": Family(command_line.ranges),
    "words": Family(command_line.words),
    "options": Family(command_line.options),
    "number of words": Family(command_line.counts_of_words),
    "inputs": Family(command_line.inputs),
    "exits": Family(endings.exits),
    "jumps": Family(endings.jumps, _C),
    "exceptions": Family(endings.exceptions, _CXX),
    "signals": Family(endings.signals, _C),
    "processes": Family(endings.processes, _C),
    "threads": Family(handed.threads),
    "openmp": Family(teams.teams, ("c", "c", "cxx"), OPENMP),
    "callbacks": Family(handed.callbacks, _C),
    "statics": Family(handed.statics),
    "library": Family(library.library, ("c", "c", "c", "cxx")),
    "algorithms": Family(handed.algorithms, _CXX),
    "coroutines": Family(handed.coroutines, _CXX),
    "assembly": Family(machine.assembly),
    "volatiles": Family(machine.volatiles),
    "atomics": Family(machine.atomics),
    "bits": Family(machine.bits),
    "templates": Family(cxx.templates, _CXX),
    "lambdas": Family(cxx.lambdas, _CXX),
    "iterators": Family(cxx.iterators, _CXX),
    "classes": Family(cxx.classes, _CXX),
    "nodes": Family(nodes.nodes),
    "places": Family(places.places),
    "targets": Family(places.targets),
    "whole": Family(whole.whole),
}


def program(family: str, seed: int, number: int) -> Program:
    """Program `number` of a family and a seed."""
    rng = random.Random(f"{family} {seed} {number}")
    known = FAMILIES[family]
    is_cxx = rng.choice(known.languages) == "cxx"
    draft = Draft(family, f"k{number}", rng, is_cxx, flags=known.flags)
    fragment = known.write(draft)
    return draft.program(fragment)
