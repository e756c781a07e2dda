"""Random C functions for the counting tests: one entry with integer parameters, its helpers and its
globals.

Every loop stands on a line of its own that ends in its brace and a comment naming its shape. Names
that are global to the file begin with PREFIX, so that many cases fit in one file. Programs may
overflow or not end for some arguments; the twin (`batch`) finds that out and leaves those arguments
away.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from .shapes import SHAPES
from .writer import PREFIX, Case, Scope, Writer, indented

__all__ = ["SHAPES", "Case", "case_of", "random_case"]


def random_case(rng: random.Random, shape: str | None = None) -> Case:
    """A case of a drawn or given shape."""
    return _write(Writer(SHAPES, () if shape is None else (list(SHAPES).index(shape),), rng))


def case_of(choices: Sequence[int]) -> Case:
    """The case that these choices write."""
    return _write(Writer(SHAPES, choices))


def _write(writer: Writer) -> Case:
    """One entry with two or three parameters; its first nest is of a drawn shape, others may
    follow."""
    shape = writer.pick(*SHAPES)
    kinds = ["int", writer.pick("int", "int", "int", "long", "short")]
    if shape == "unsigned" or writer.chance(6):
        kinds.append(writer.pick("unsigned", "unsigned", "unsigned long"))
    names = ("n", "m", "u")[: len(kinds)]
    scope = Scope(
        ("n", "m") if kinds[1] != "long" else ("n", "(int)m"), names[2:], depth=writer.pick(2, 2, 3)
    )
    if writer.chance(3):  # inside another loop
        outer = writer.new("v")
        lines = [
            (
                f"for (int {outer} = 0; {outer} < {writer.pick('n', 'm', 'n + m', '3')}; {outer}++)"
                " { /* up */"
            ),
            *indented(writer.loop(replace(scope.inside(outer), depth=scope.depth), shape)),
            "}",
        ]
    else:
        lines = writer.loop(scope, shape)
    if writer.chance(3):
        lines += writer.statement(replace(scope, depth=1))
    head = ", ".join(f"{kind} {name}" for kind, name in zip(kinds, names, strict=True))
    text = [
        *writer.tops,
        f"long {PREFIX}({head}) {{",
        "    long s = 0;",
        *indented(lines),
        "    return s;",
        "}",
        "",
    ]
    return Case("\n".join(text), tuple(kinds), tuple(writer.made))
