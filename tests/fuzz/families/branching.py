"""Loops whose ends data decide: counters that take turns, phases, resets, halving, inner loops that
pay with what outer ones have gained, in integers of all widths."""

from __future__ import annotations

from dataclasses import dataclass

from .draft import Draft, Lines, indented

_TYPES = "int int int long unsigned short int8_t uint8_t uint16_t size_t".split()
_FUEL = 3000
"""Iterations after which a program ends its loops: some would never end."""


@dataclass(frozen=True)
class _Loops:
    """Writes loops over a few variables; `coin` and `spent` are functions that nothing tells of."""

    draft: Draft
    names: tuple[str, ...]
    coin: str
    spent: str

    def end(self) -> str:
        d = self.draft
        return str(d.pick("n", "m", "n", "m", "0", "0", "10", "n - 1", *self.names))

    def test(self) -> str:
        """A comparison, which data may take part in."""
        d, x = self.draft, self.draft.pick(*self.names)
        kind = d.integer(0, 12)
        if kind < 4:
            return f"{x} < {self.end()}"
        if kind < 7:
            return f"{x} > {d.pick('0', '0', '1', self.end())}"
        if kind == 7:
            return f"{x} {d.pick('!=', '<=', '>=')} {self.end()}"
        if kind == 8:
            return f"{x} % 2 {d.pick('== 0', '!= 0')}"
        if kind == 9:
            return f"{x} > 0 {d.pick('&&', '||')} {d.pick(*self.names)} < {self.end()}"
        if kind == 10:
            return f"{x} < 30000 && {x} > -30000 && {x} * {x} <= {self.end()}"
        return f"{self.coin}()"

    def step(self) -> Lines:
        d = self.draft
        x, y = d.pick(*self.names), d.pick(*self.names)
        kind = d.integer(0, 22)
        if kind < 5:
            return [f"{x}++;"]
        if kind < 10:
            return [f"{x}--;"]
        if kind < 13:
            return [f"{x} {d.pick('+=', '-=')} {d.integer(2, 5)};"]
        if kind == 13:
            return [f"{x} = {d.pick('0', '0', '1', 'n', 'm', y, f'{y} + 1')};"]
        if kind == 14:
            return [f"{x} = {x} / {d.integer(2, 3)};"]
        if kind == 15:
            return [f"{x} = ({x} + {y}) / 2;"]
        if kind == 16:
            return [f"if ({self.coin}()) {{ long t = {x}; {x} = {y}; {y} = t; }}"]
        if kind == 17:
            return [f"{x} = {x} < {y} ? {d.pick(f'{x} + 1', y, '0')} : {d.pick(x, f'{x} - 1')};"]
        if kind == 18:
            return [f"if ({y} {d.pick('> 0', '!= 0')}) {x} = {x} {d.pick('%', '/', '%')} {y};"]
        if kind == 19:
            return [f"if ({y} > 0) {{ long t = {x} % {y}; {x} = {y}; {y} = t; }}"]
        if kind == 20:
            return [f"if ({x} < {y}) {{ {d.pick(x, y)} = {x} + ({y} - {x}) / 2; }}"]
        small = f"{x} > -9999 && {x} < 9999 && {y} > -999 && {y} < 999"
        return [f"if ({small}) {x} {d.pick('+=', '-=')} {y};"]

    def body(self, depth: int) -> Lines:
        d, lines = self.draft, list[str]()
        for _ in range(d.integer(1, 3)):
            kind = d.integer(0, 7)
            if kind < 3 and depth > 0:
                lines += [f"if ({self.test()}) {{", *indented(self.body(depth - 1))]
                if not d.chance(3):
                    lines += ["} else {", *indented(self.body(depth - 1))]
                lines.append("}")
            elif kind == 3 and depth > 1:
                lines += self.loop(depth - 2)
            elif kind == 4 and d.chance(3):
                lines.append(f"if ({self.test()}) {d.pick('break', 'break', 'continue')};")
            else:
                lines += self.step()
        return lines

    def loop(self, depth: int) -> Lines:
        d = self.draft
        ended = f"if ({self.spent}()) break;"
        inside = ["s++;", ended, *self.body(depth)]
        kind = d.integer(0, 5)
        if kind == 0:
            return ["do {", *indented(inside), f"}} while ({self.test()});"]
        if kind == 1:
            x = d.pick(*self.names)
            head = d.pick(f"; {x} < {self.end()}; {x}++", f"; {x} > {self.end()}; {x}--")
            return [f"for ({head}) {{", *indented(inside), "}"]
        tests = " && ".join(self.test() for _ in range(d.integer(1, 2)))
        return [f"while ({tests}) {{", *indented(inside), "}"]


def coins(d: Draft) -> tuple[str, str]:
    """Functions that nothing tells of: a coin, and whether the fuel of all loops is spent."""
    state, fuel, coin, spent = (d.own(x) for x in ("state", "fuel", "coin", "spent"))
    d.top(
        f"static unsigned {state} = {d.integer(1, 10**6)};",
        f"static long {fuel};",
        f"__attribute__((noinline)) static int {coin}(void) {{",
        f"    {state} = {state} * 1103515245u + 12345u;",
        f"    return {state} >> {d.integer(16, 20)} & {d.pick(1, 1, 1, 3)};",
        "}",
        f"__attribute__((noinline)) static int {spent}(void) {{",
        f"    return ++{fuel} > {_FUEL};",
        "}",
    )
    return coin, spent


def branching(d: Draft) -> Lines:
    """One or two nests in a function of n and m."""
    d.include("stdint.h")
    coin, spent = coins(d)
    names = tuple(d.new("x") for _ in range(d.integer(1, 3)))
    first = [f"{d.pick(*_TYPES)} {x} = {d.pick('n', 'm', '0', '0', '1', 'n + m')};" for x in names]
    writer = _Loops(d, names, coin, spent)
    lines = [*first, *writer.loop(d.integer(1, 3))]
    if d.chance(3):
        lines += writer.loop(d.integer(0, 2))
    if d.chance(3):
        return lines
    name = d.function(lines, "int n, int m")
    return [f"s += {name}(n, m);"]


# -- flags
def _asked(d: Draft, flags: tuple[str, ...], i: str, depth: int) -> Lines:
    """Statements of an iteration that test flags and set them, once or over and over."""
    lines: Lines = []
    for _ in range(d.integer(1, 3)):
        f = d.pick(*flags)
        when = d.pick(f"{i} == m", f"{i} >= m", f"{i} + 1 >= n", f"{i} % 3 == 2", f"{f} == 1")
        step = d.pick(f"{i}++;", f"{i} += 2;", f"s += {i};", "s += 3;")
        kind = d.integer(0, 8)
        if kind == 0:
            lines += [f"if ({f}) {f} = {d.integer(0, 2)}; else {step}"]
        elif kind == 1:
            lines += [f"if ({f} != 0) {{", f"    {f} = 0;", f"    {step}", "}"]
        elif kind < 4:
            lines += [f"if ({when}) {f} = {d.integer(0, 2)};"]
        elif kind == 4:
            lines += [f"if ({f} == {d.integer(0, 2)}) {step}"]
        elif kind == 5:
            lines += [f"if ({f} == 2) {d.pick('break', 'continue')};"]
        elif kind == 6 and depth > 0:
            inside = [f"if ({f}) {{", *indented(_asked(d, flags, i, depth - 1)), "}"]
            lines += inside
        elif kind == 7 and depth > 0:
            j = d.new("j")
            lines += [f"for (long {j} = 0; {j} < {d.pick('m', i, '3')}; {j}++) {{", "    s++;", "}"]
        else:
            lines += [step]
    return lines


def flags(d: Draft) -> Lines:
    """A loop that goes through phases: flags say in which it is, and no data do."""
    names = tuple(d.new("f") for _ in range(d.integer(1, 2)))
    lines = [f"{d.pick('int', 'int', 'char')} {f} = {d.pick('0', '1', '1', 'm')};" for f in names]
    i = d.new("i")
    more = d.pick("", "", f" && {names[0]}", f" && {names[-1]} != 2")
    if d.chance(3):
        head = [f"long {i} = {d.pick('0', 'm')};", f"while ({i} < n{more}) {{", f"    {i}++;"]
    else:
        step = d.pick(f"{i}++", f"{i} += 2")
        head = [f"for (long {i} = {d.pick('0', '1', 'm')}; {i} < n{more}; {step}) {{"]
    lines += [*head, *indented(["s++;", *_asked(d, names, i, 2)]), "}"]
    if d.chance(3):
        return lines
    name = d.function(lines, "int n, int m")
    return [f"s += {name}(n, m);"]
