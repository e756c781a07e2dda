"""What writes a whole program that deceives: names, choices, plain loops, how main reads its
arguments.

Every loop stands on a line of its own that ends in its brace, and so does every function; the twin
(`tests.claims.truth`) counts by line.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Lines = list[str]
OPENMP = ("-fopenmp", "-fopenmp-version=51")
"""The flags of programs that run in several threads of OpenMP: their vectors say in how many."""
_WORDS = ("4 3", "8 2", "0 5", "20 7", "-3 1", "1 1", "300 4", "5 40")


@dataclass(frozen=True)
class Vector:
    """One run: the words behind the program's name, its environment, its standard input."""

    words: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    stdin: str = ""


@dataclass(frozen=True)
class Program:
    """One program of a family. Its main is `{name}_main`; `alone`: it shares no file with others,
    since what it does before or after main would run in theirs."""

    family: str
    name: str
    lines: tuple[str, ...]
    includes: tuple[str, ...]
    vectors: tuple[Vector, ...]
    is_cxx: bool = False
    alone: bool = False
    standard: str = ""
    flags: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return "\n".join(self.lines)


def indented(lines: Sequence[str]) -> Lines:
    return [f"    {line}" if line else line for line in lines]


@dataclass
class Draft:
    """A program while it is written; all choices come from `rng`."""

    family: str
    name: str
    rng: random.Random
    is_cxx: bool = False
    alone: bool = False
    standard: str = ""
    flags: tuple[str, ...] = ()
    numbers: int = 0
    tops: Lines = field(default_factory=list)
    includes: set[str] = field(default_factory=lambda: {"stdio.h", "stdlib.h"})
    words: list[str] = field(default_factory=list)
    reads: bool = True  # main reads n and m

    # -- choices and names
    def pick(self, *values: Any) -> Any:
        return values[self.rng.randrange(len(values))]

    def integer(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def chance(self, one_in: int) -> bool:
        return self.rng.randrange(one_in) == 0

    def new(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def own(self, letter: str) -> str:
        """A name of its own in the file."""
        return f"{self.name}_{self.new(letter)}"

    def include(self, *headers: str) -> None:
        self.includes.update(headers)

    def top(self, *lines: str) -> None:
        self.tops += [*lines, ""]

    # -- loops and functions
    def number(self, *more: str) -> str:
        """A number that main knows."""
        return str(self.pick("n", "m", "n", "n + m", "2 * n", "n - 2", "n + 1", "5", *more))

    def body(self, *names: str) -> Lines:
        if names and self.chance(5):
            return self.loop(f"int {(k := self.new('k'))} = 0; {k} < {self.pick(*names)}; {k}++")
        return ["s++;"]

    def loop(self, head: str, body: Sequence[str] = ()) -> Lines:
        word = "for" if ";" in head or " : " in head else "while"
        return [f"{word} ({head}) {{", *indented(body or ["s++;"]), "}"]

    def plain(self, bound: str, body: Sequence[str] = ()) -> Lines:
        v = self.new("i")
        if self.chance(5):
            return [
                f"int {v} = 0;",
                f"while ({v} < {bound}) {{",
                *indented([*(body or ["s++;"]), f"{v}++;"]),
                "}",
            ]
        head = self.pick(
            f"int {v} = 0; {v} < {bound}; {v}++",
            f"int {v} = 0; {v} < {bound}; {v}++",
            f"int {v} = 1; {v} <= {bound}; {v}++",
            f"int {v} = {bound}; {v} > 0; {v}--",
        )
        return self.loop(head, body)

    def maybe(self, lines: Sequence[str], one_in: int = 2) -> Lines:
        return list(lines) if self.chance(one_in) else []

    def function(
        self, lines: Sequence[str], parameters: str = "int a", name: str | None = None
    ) -> str:
        """A function that returns how often it came round."""
        name = name or self.own("f")
        self.top(
            f"static long {name}({parameters}) {{",
            "    long s = 0;",
            *indented(lines),
            "    return s;",
            "}",
        )
        return name

    def counted(self, parameters: str = "int a", bound: str = "a") -> str:
        """A function with a plain loop."""
        return self.function(self.plain(bound), parameters)

    # -- the program
    def reading(self) -> Lines:
        """How main gets n and m from the words."""
        kind = self.integer(0, 7)
        if kind == 0:
            self.words.append("")
            return [
                "int n = argc > 1 ? atoi(argv[1]) : 3;",
                "int m = argc > 2 ? atoi(argv[2]) : 2;",
            ]
        if kind == 1:
            self.words += ["", "9"]
            return [
                f"if (argc {self.pick('< 3', '!= 3', '<= 2')}) return {self.pick(0, 1)};",
                "int n = atoi(argv[1]), m = atoi(argv[2]);",
            ]
        if kind == 2:
            self.words += ["", "6"]
            usage = self.own("usage")
            self.top(
                f"static void {usage}(void) {{",
                '    puts("usage: program n m");',
                f"    exit({self.pick(1, 2, 0)});",
                "}",
            )
            return [
                f"if (argc {self.pick('< 3', '!= 3')}) {usage}();",
                "int n = atoi(argv[1]), m = atoi(argv[2]);",
            ]
        if kind == 3:
            self.words += ["", "7"]
            return [
                "int n = 6, m = 4;",
                "if (argc > 1) n = atoi(argv[1]);",
                "if (argc > 2) m = atoi(argv[2]);",
            ]
        if kind == 4:
            return ["int n = (int)strtol(argv[1], NULL, 10), m = (int)strtol(argv[2], 0, 10);"]
        return ["int n = atoi(argv[1]), m = atoi(argv[2]);"]

    def program(self, fragment: Sequence[str]) -> Program:
        """The whole, around what main does."""
        reading = self.reading() if self.reads else []
        tail = self.maybe(self.plain(self.pick("n", "m", "3")), 3) if self.reads else []
        main = [
            f"{self.pick_main()}",
            *indented(["long s = 0;", *reading, *fragment, *tail]),
            '    printf("%ld\\n", s);',
            "    return 0;",
            "}",
        ]
        words = [*self.rng.sample(_WORDS, 4 if self.reads else 0), *dict.fromkeys(self.words)]
        vectors = tuple(
            Vector(
                tuple(w.split()),
                (("FUZZ_N", str(3 + k)), ("FUZZ_M", str(17 - k)), *self._threads(k)),
                f"{6 - k} {k + 2}\n{2 * k + 1}\n",
            )
            for k, w in enumerate(words)
        )
        return Program(
            self.family,
            self.name,
            (*self.tops, *main),
            tuple(sorted(self.includes)),
            vectors,
            self.is_cxx,
            self.alone,
            self.standard,
            self.flags,
        )

    def _threads(self, k: int) -> tuple[tuple[str, str], ...]:
        """With how many threads run number k is made, where it makes any: 1 to 4."""
        if self.flags != OPENMP:
            return ()
        return ("OMP_NUM_THREADS", str(k % 4 + 1)), ("OMP_WAIT_POLICY", "passive")

    def pick_main(self) -> str:
        linkage = 'extern "C" ' if self.is_cxx else ""
        return f"{linkage}int {self.name}_main(int argc, char **argv) {{"
