"""What writes a random C function: choices, expressions, conditions, statements; the shapes of
loops are in `shapes`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

PREFIX = "PRE"
DATA = "fuzz_data"  # 64 pseudo-random numbers from 0 to 255, defined by the batch

# Those that other loops may contain; the rest only begin a case.
COMMON = (
    "up",
    "down",
    "up",
    "down",
    "up_plain",
    "geometric",
    "halving",
    "meet",
    "do_while",
    "not_equal",
    "parametric_step",
    "tiled",
    "square",
    "while_updates",
    "multi_exit",
    "unsigned",
    "wide",
    "accumulated",
    "moving_bound",
    "chosen",
)

Lines = list[str]


@dataclass(frozen=True)
class Case:
    """`types` are those of the entry's parameters, which are called n, m, u; `choices` write it
    again."""

    source: str
    types: tuple[str, ...]
    choices: tuple[int, ...]

    def named(self, name: str) -> str:
        """The source with the entry called `name`."""
        return self.source.replace(PREFIX, name)

    @property
    def functions(self) -> int:
        return sum(
            line.endswith(") {") and not line.startswith(" ") for line in self.source.splitlines()
        )


@dataclass(frozen=True)
class Scope:
    """What may be read here: signed and unsigned names; how many loops may still be nested."""

    names: tuple[str, ...]
    unsigned: tuple[str, ...] = ()
    depth: int = 2

    def inside(self, *names: str) -> Scope:
        return replace(self, names=(*self.names, *names), depth=self.depth - 1)


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


@dataclass
class Writer:
    """Writes one case. Every choice is an integer from 0, the simplest alternative, upwards: those
    `given` first (as far as they go), then random ones, or 0 without `rng`. Fewer and smaller
    choices make a smaller case."""

    shapes: Mapping[str, Callable[[Writer, Scope], Lines]]
    given: Sequence[int] = ()
    rng: random.Random | None = None
    made: list[int] = field(default_factory=list)
    numbers: int = 0
    tops: Lines = field(default_factory=list)  # globals, types and helpers, in order
    has_box: bool = False

    def pick(self, *values: Any) -> Any:
        return values[self.integer(0, len(values) - 1)]

    def integer(self, low: int, high: int) -> int:
        width = high - low
        if len(self.made) < len(self.given):
            choice = min(self.given[len(self.made)], width)
        else:
            choice = self.rng.randint(0, width) if self.rng else 0
        self.made.append(choice)
        return low + choice

    def chance(self, one_in: int) -> bool:
        return bool(self.integer(0, one_in - 1) == one_in - 1)

    def new(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def new_global(self, letter: str) -> str:
        return f"{PREFIX}_{self.new(letter)}"

    # -- expressions and conditions
    def linear(self, scope: Scope) -> str:
        parts: list[str] = []
        for _ in range(self.pick(0, 1, 1, 2)):
            name, factor = self.pick(*scope.names), self.pick(1, 1, 1, 2, -1, 3)
            parts.append(name if factor == 1 else f"{factor} * {name}")
        constant = self.pick(0, 1, -1, 2, -2, 3, -3, 4, -4, 5, 6)
        if not parts:
            return str(constant)
        return (
            " + ".join(parts)
            if constant == 0
            else f"{' + '.join(parts)} {'+' if constant > 0 else '-'} {abs(constant)}"
        )

    def value(self, scope: Scope) -> str:
        """Mostly affine; sometimes a quotient, a remainder, a minimum or a maximum, a product."""
        text = self.linear(scope)
        kind = self.integer(0, 19)
        if kind < 13:
            return text
        if kind == 13:
            return f"({text}) / {self.integer(2, 4)}"
        if kind == 14:
            return f"({text}) % {self.integer(2, 5)}"
        if kind in (15, 16):
            other = self.linear(scope)
            return f"(({other}) {self.pick('<', '>')} ({text}) ? ({other}) : ({text}))"
        if kind == 17:
            return f"({text}) * {self.pick(*scope.names)}"
        if kind == 18:
            return f"(({text}) >> {self.integer(1, 2)})"
        return f"({text}) - ({self.linear(scope)}) / {self.integer(2, 3)}"

    def condition(self, scope: Scope) -> str:
        kind = self.integer(0, 11)
        if kind < 6:
            return (
                f"{self.linear(scope)} {self.pick('<', '>=', '==', '!=', '>', '<=')}"
                f" {self.linear(scope)}"
            )
        if kind < 8:
            modulus = self.integer(2, 5)
            return (
                f"({self.linear(scope)}) % {modulus} {self.pick('==', '!=')}"
                f" {self.integer(0, modulus - 1)}"
            )
        if kind == 8:
            return f"({self.linear(scope)}) & 1"
        if kind == 9:
            return f"{DATA}[({self.linear(scope)}) & 63] % {self.integer(2, 5)} == 0"
        first, second = self.condition(scope), self.condition(scope)
        return f"({first}) {self.pick('&&', '||')} ({second})"

    # -- statements
    def statements(self, scope: Scope, most: int = 2) -> Lines:
        lines = ["s++;"]
        for _ in range(self.integer(0, most) if scope.depth > 0 else 0):
            lines += self.statement(scope)
        return lines

    def statement(self, scope: Scope) -> Lines:
        kind = self.integer(0, 13)
        if kind < 8:
            return self.loop(scope)
        if kind < 10:
            lines = [f"if ({self.condition(scope)}) {{", *indented(self.loop(scope))]
            if kind == 9:
                lines += ["} else {", *indented(self.statements(scope, 1))]
            return [*lines, "}"]
        if kind == 10:
            lines = [f"switch ({self.pick(*scope.names)}{self.pick('', ' % 3', ' & 3')}) {{"]
            for label in range(self.integer(1, 3)):
                lines += [
                    f"case {label}:",
                    *indented(self.statements(scope, 1)),
                    *([] if self.chance(4) else ["    break;"]),
                ]
            return [*lines, "default:", *indented(self.statements(scope, 1)), "}"]
        if kind == 11:  # a variable changed by a condition, then a bound
            w = self.new("w")
            return [
                f"int {w} = {self.linear(scope)};",
                (
                    f"if ({self.condition(scope)}) {{ {w} {self.pick('=', '+=', '-=')}"
                    f" {self.linear(scope)}; }}"
                ),
                *self.loop(replace(scope, names=(*scope.names, w))),
            ]
        if kind == 12:
            return self.helper_call(scope)
        return [*self.loop(scope), *self.loop(scope)]

    def loop(self, scope: Scope, shape: str | None = None) -> Lines:
        shape = shape or self.pick(*COMMON)
        return self.shapes[shape](self, scope)

    def body(
        self, scope: Scope, *names: str, can_continue: bool = True, tail: Sequence[str] = ()
    ) -> Lines:
        """The inside of a loop, indented, with its closing brace."""
        inner = scope.inside(*names)
        lines = self.statements(inner)
        kind = self.integer(0, 15)
        if kind == 11 and names:
            lines = [
                f"if ({names[0]} {self.pick('==', '>', '<')} {self.linear(scope)}) break;",
                *lines,
            ]
        elif kind == 12:
            lines = [*lines, f"if ({self.condition(inner)}) break;"]
        elif kind == 13 and can_continue:
            lines = [f"if ({self.condition(inner)}) continue;", *lines]
        elif kind == 14 and names:
            lines = [*lines, f"if ({self.condition(inner)}) {names[0]} += {self.integer(1, 2)};"]
        elif kind == 15:
            lines = [f"if ({self.condition(inner)}) break;", *lines]
        return [*indented([*lines, *tail]), "}"]

    def helper(self, scope_names: tuple[str, ...], lines: Lines, parameters: str) -> str:
        name = self.new_global("h")
        self.tops += [
            f"static long {name}({parameters}) {{",
            "    long s = 0;",
            *indented(lines),
            "    return s;",
            "}",
            "",
        ]
        return name

    def helper_call(self, scope: Scope) -> Lines:
        depth = min(scope.depth, 2)
        lines = self.statements(Scope(("a", "b"), depth=depth), 2)
        if self.chance(3):
            lines = [f"if ({self.condition(Scope(('a', 'b')))}) return s;", *lines]
        name = self.helper(("a", "b"), lines, "int a, int b")
        return [f"s += {name}({self.value(scope)}, {self.linear(scope)});"]

    def box(self) -> str:
        if not self.has_box:
            self.has_box = True
            self.tops += [f"struct {PREFIX}_box {{ int a; int n; long b; }};"]
        return f"struct {PREFIX}_box"


def for_loop(w: Writer, scope: Scope, shape: str, head: str, *names: str) -> Lines:
    return [f"for ({head}) {{ /* {shape} */", *w.body(scope, *names)]
