"""Loops over random expressions of all integer types, with words at the ends of their ranges: what
wraps, is cut, changes its sign or cancels, also through memory, calls and values that no parameter
tells."""

from __future__ import annotations

from dataclasses import dataclass

from .draft import Draft, Lines, indented

_TYPES = (
    "uint8_t int8_t uint16_t int16_t uint32_t int32_t uint64_t int64_t unsigned int size_t long"
).split()
_LITERALS = (
    "0 1 2 3 5 7 10 16 31 100 255 256 1000 65535 2147483647 4000000000 0x80000000u 1u<<31 ~0u"
    " 1ull<<63 -1 -7"
).split()
_STEPS = (
    "i++|i++|i++|i += 2|i += 3|i += 7|i += 1u << 28|i += 1ull << 60|i--|i -= 3|i *= 2|i *= 3|i /= 2"
    "|i >>= 1|i <<= 1"
).split("|")
_FALLING = ("i--", "i -=", "i /=", "i >>=")
_VALUES = (
    *(0, 1, 5, 12, 100, 255, 256, 1000, 32767, 32768, 65535, 65536),
    *(2**31 - 1, 2**31, 2**32 - 6, 2**32 - 1, 2**63 - 1, 2**64 - 16, 2**64 - 1),
    *(-1, -3, -128, -(2**31), -(2**63)),
)
_INT, _LONG, _UNSIGNED_LONG = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1), (-(2**63), 2**64 - 1)
_READ = (
    ("int", "atoi({})", _INT),
    ("unsigned", "strtoul({}, 0, 10)", _UNSIGNED_LONG),
    ("long", "strtol({}, 0, 10)", _LONG),
    ("size_t", "strtoull({}, 0, 10)", _UNSIGNED_LONG),
    ("short", "strtol({}, 0, 10)", _LONG),
    ("unsigned char", "atoi({})", _INT),
    ("uint64_t", "strtoul({}, 0, 10)", _UNSIGNED_LONG),
    ("int", "strtol({}, 0, 10)", _LONG),
)
_VECTORS = 7
_MEMBERS = {"c": "uint8_t", "s": "int16_t", "u": "unsigned", "i": "int", "w": "uint64_t"}


@dataclass(frozen=True)
class _Values:
    """The variables that expressions may hold."""

    draft: Draft
    names: tuple[str, ...]

    def expression(self, depth: int) -> str:
        d = self.draft
        if depth == 0 or d.chance(7):
            return str(d.pick(*self.names, *self.names, *_LITERALS))
        a = self.expression(depth - 1)
        kind = d.integer(0, 15)
        if kind < 4:
            return f"({d.pick(*_TYPES)})({a})"
        if kind == 4:
            return f"({a} {d.pick('/ 3', '/ 16', '/ 1000', '% 2u', '% 16', '% 1000ul')})"
        if kind == 5:
            return f"({a} {d.pick('<< 1', '<< 5', '>> 1', '>> 5', '>> 16')})"
        if kind == 6:
            return f"({a} & {d.pick('1', '7', '255', '0xffff', '0x7fffffff', '~3')})"
        if kind == 7:
            return f"({d.pick('~', '-')}({a}))"
        if kind == 8:
            return f"({a} * {d.pick('2', '3', '7', '10')})"
        b = self.expression(depth - 1)
        if kind == 9:
            return f"({a} * {b})"
        return f"({a} < {b} ? {a} : {b})" if kind == 10 else f"({a} {d.pick('+', '-')} {b})"

    def nest(self, depth: int) -> Lines:
        """A loop in a loop, whose bounds may hold the outer variables: for, while or do, with other
        ends inside."""
        d = self.draft
        v, k = d.new("v"), d.new("k")
        kind, step = d.pick(*_TYPES), self.step(v)
        falls = "-" in step or "/" in step
        relation = d.pick(*("> > != >=" if falls else "< < <= != >").split())
        test = f"{v} {relation} {self.expression(d.integer(0, 2))}"
        start = f"{kind} {v} = {self.expression(d.integer(0, 2))};"
        inside = _Values(d, (*self.names, v, f"({d.pick(*_TYPES)}){v}"))
        body = inside.nest(depth - 1) if depth else []
        other = inside.expression(d.integer(1, 2))
        body += d.pick(
            [],
            [],
            [f"if ({v} == {other}) break;"],
            [f"if ({other} > {inside.expression(1)}) break;"],
            [f"{v} {d.pick('+', '-')}= {d.pick(*self.names, 1, 2)};"],
        )
        most = d.pick(5, 9, 14)
        counts = d.chance(2)
        guard = f"{k} < {most} && " if counts else ""
        ends = f"{k}++;" if counts else f"if (++{k} > {most}) break;"
        if d.chance(3):
            return [
                f"{start} int {k} = 0;",
                "do {",
                *indented(["s++;", *body, f"{step};", ends]),
                f"}} while ({guard}{test});",
            ]
        if d.chance(3):
            inner = [*body, f"{step};", ends]
            return [f"{start} int {k} = 0;", f"while ({guard}{test}) {{", *indented(inner), "}"]
        return [f"int {k} = 0;", *d.loop(f"{start} {guard}{test}; {step}", ["s++;", *body, ends])]

    def step(self, v: str) -> str:
        """What a variable becomes in the next iteration."""
        d = self.draft
        step = str(d.pick("i++", "i++", "i--", "i += 3", "i -= 2", "i *= 2", "i /= 2", "x", "y"))
        if step == "x":
            return f"{v} += {d.pick(*self.names)}"
        if step == "y":
            return f"{v} = {v} * {d.pick(2, 3)} + {d.pick(1, *self.names)}"
        return step.replace("i", v)

    def loop(self) -> Lines:
        """A loop of at most 70 iterations, ended by a counter where it would not be by itself."""
        d = self.draft
        start, end = self.expression(d.integer(0, 2)), self.expression(d.integer(1, 3))
        if d.chance(3):  # the start is part of the end
            start = d.pick(*self.names)
            end = f"{start} + {d.pick(1, 2, 3, 9, 10)}"
            start = d.pick(start, f"{start} - {d.pick(1, 3, 20)}")
        step = str(d.pick(*_STEPS))
        falls = step.startswith(_FALLING)
        relation = d.pick(">", ">", "!=", ">=") if falls else d.pick(*"< < < <= != > >=".split())
        value = f"i - {d.pick(*self.names)}" if d.chance(7) else "i"
        test = f"{value} {relation} {end}"
        test = f"!({test})" if d.chance(10) else test
        test = f"k < 50 && {test}" if d.chance(3) else f"{test} && k < {d.pick(60, 70)}"
        return d.loop(f"{d.pick(*_TYPES)} i = {start}, k = 0; {test}; {step}, k++")


def expressions(d: Draft) -> Lines:
    """Three to five such loops, and perhaps a function of them."""
    known, lines = _start(d)
    for _ in range(d.integer(3, 5)):
        lines += known.loop()
    if d.chance(2):
        inner = _Values(d, ("a", "b"))
        body = [line for _ in range(d.integer(2, 3)) for line in inner.loop()]
        name = d.function(body, f"{d.pick(*_TYPES)} a, {d.pick(*_TYPES)} b")
        for _ in range(d.integer(1, 2)):
            lines.append(f"s += {name}({known.expression(1)}, {known.expression(1)});")
    return lines


def nests(d: Draft) -> Lines:
    """Two loops in loops, or three deep, one of them perhaps in a function."""
    known, lines = _start(d)
    lines += known.nest(d.integer(1, 2))
    if d.chance(2):
        return lines + known.nest(1)
    name = d.function(_Values(d, ("a", "b")).nest(1), f"{d.pick(*_TYPES)} a, {d.pick(*_TYPES)} b")
    return [*lines, f"s += {name}({known.expression(1)}, {known.expression(1)});"]


def _start(d: Draft) -> tuple[_Values, Lines]:
    """Two words read, and perhaps a value that no word is, and one kept in memory."""
    d.reads = False
    d.include("stdint.h")
    read = [d.pick(*_READ), d.pick(*_READ)]
    d.words += ["5 3", "12 7"]
    d.words += [" ".join(_word(d, *ends) for *_, ends in read) for _ in range(_VECTORS)]
    lines = [
        f"{kind} {name} = {how.format(f'argv[{k}]')};"
        for k, (name, (kind, how, _)) in enumerate(zip("nm", read, strict=True), 1)
    ]
    names = ["n", "m"]
    if d.chance(2):  # a value that no word is
        lines.append(f"{d.pick(*_TYPES)} v = {_hash(d)}(argv[0]) * {d.pick(1, 3, 0x10001)}u;")
        names.append("v")
    if d.chance(2):
        kept, member = d.own("kept"), d.pick(*_MEMBERS)
        d.top(f"struct {kept} {{ {' '.join(f'{t} {n};' for n, t in _MEMBERS.items())} }};")
        lines += [
            f"struct {kept} *g = (struct {kept} *)malloc(sizeof *g);",
            f"g->{member} = {_Values(d, tuple(names)).expression(2)};",
        ]
        names.append(f"g->{member}")
    return _Values(d, tuple(names)), lines


def _word(d: Draft, least: int, most: int) -> str:
    """A number that the call reading it can hold, mostly near an end of some type."""
    fitting = [v for v in _VALUES if least <= v <= most]
    return str(min(max(d.pick(*fitting) + d.pick(0, 0, 0, 1, -1, 2), least), most))


def _hash(d: Draft) -> str:
    """A function that makes a number of a text."""
    name = d.own("hash")
    d.top(
        f"static unsigned {name}(const char *text) {{",
        "    unsigned h = 7;",
        "    while (*text) {",
        "        h = h * 31 + *text++;",
        "    }",
        "    return h;",
        "}",
    )
    return name
