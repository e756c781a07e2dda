"""Loops that end at what they find in an array, which always is there: up or down, in steps that
data choose, behind an offset, in structures, in what callers hand over."""

from __future__ import annotations

from dataclasses import dataclass

from .draft import Draft, Lines, indented

_KINDS = "int int long short int8_t uint8_t unsigned".split()
_MORE = 24
"""Elements beyond n: the first and the last ones hold what is sought."""
_FOUND = 7


@dataclass(frozen=True)
class _Searches:
    """Writes loops over `array` of `size` elements; `coin` is a function that nothing tells of."""

    draft: Draft
    coin: str
    array: str
    size: str
    member: str

    def held(self, index: str) -> str:
        return f"{self.array}[{index}]{self.member}"

    def filled(self) -> Lines:
        ends = f"i < {_MORE // 2} || i >= {self.size} - {_MORE // 2}"
        value = f"({ends}) ? {_FOUND} : {self.coin}() + {self.draft.integer(0, 6)}"
        return self.draft.loop(f"int i = 0; i < {self.size}; i++", [f"{self.held('i')} = {value};"])

    def step(self) -> str:
        d = self.draft
        few = d.integer(1, 4)
        return str(d.pick("1", "1", str(few), f"(1 + {self.coin}())", f"({self.coin}() ? 1 : 3)"))

    def search(self) -> Lines:
        """A loop that ends at the latest at the first or the last elements."""
        d, x = self.draft, self.draft.new("x")
        is_up = d.chance(2)
        kind = d.pick("int", "int", "long", "size_t" if is_up else "long")
        start = d.pick("0", "5", "n / 2") if is_up else d.pick("n + 12", "n + 16", "15 + n / 2")
        index = d.pick(x, x, x, f"{x} + 2" if is_up else f"{x} - 1")
        step = f"{x} {'+' if is_up else '-'}= {self.step()};"
        head = [f"{kind} {x} = {start};"]
        sought = self.held(index)
        way = d.integer(0, 4)
        if way == 0:
            body = [f"if ({sought} == {_FOUND}) break;", "s++;", step]
            return [*head, *d.loop("; ; ", body)]
        if way == 1:
            return [*head, "do {", *indented(["s++;", step]), f"}} while ({sought} != {_FOUND});"]
        if way == 2:
            moved = [f"if ({self.coin}()) {{", f"    {step}", "    s++;", "}"]
            return [*head, *d.loop(f"{sought} != {_FOUND}", moved)]
        if way == 3:
            inner = [f"{self.held(index)} = {_FOUND};", step]
            return [*head, *d.loop(f"{sought} != {_FOUND}", ["s++;", *inner])]
        return [*head, *d.loop(f"{sought} != {_FOUND} && {x} != 9999", ["s++;", step])]

    def stack(self) -> Lines:
        """What is put on top and taken away, as far as there is room."""
        d, top = self.draft, self.draft.new("top")
        room = f"{self.held(f'{top}')} != {_FOUND}"
        push = f"if ({self.coin}() && {room}) {{"
        end = f"if ({room} && {self.coin}() && {self.coin}()) {top} = {_MORE // 2};"
        body = ["s++;", push, f"    {top}++;", f"}} else if ({top} > 12 && {self.coin}()) {{"]
        body += [f"    {top}--;", "} else {", "    break;", "}", *([end] if d.chance(3) else [])]
        taken = d.loop(f"{top} > 12", ["s++;", f"s += {self.held(f'--{top}')} == {_FOUND};"])
        return [f"int {top} = 12;", *d.loop("1", body), *taken]


def searches(d: Draft) -> Lines:
    """Two or three loops over one array, made here or by callers."""
    d.include("stdint.h")
    state, coin = d.own("state"), d.own("coin")
    d.top(
        f"static unsigned {state} = {d.integer(1, 10**6)};",
        f"__attribute__((noinline)) static int {coin}(void) {{",
        f"    {state} = {state} * 1103515245u + 12345u;",
        f"    return {state} >> {d.integer(16, 20)} & 1;",
        "}",
    )
    kind, member = d.pick(*_KINDS), ""
    if d.chance(4):
        name = d.own("cell")
        d.top(f"struct {name} {{", "    char before;", f"    {kind} v;", "};")
        kind, member = f"struct {name}", ".v"
    size = f"n + {_MORE}"
    writer = _Searches(d, coin, "a", f"({size})", member)
    lines = writer.filled()
    for _ in range(d.integer(1, 3)):
        lines += writer.stack() if d.chance(5) else writer.search()
    guard = "if (n < 0 || n > 400) return 0;"
    static = d.own("a")
    d.top(f"static {kind} {static}[{400 + _MORE}];")
    made = d.pick(
        f"{kind} *a = ({kind} *)malloc(({size}) * sizeof *a);",
        f"{kind} *a = ({kind} *)calloc({size}, sizeof *a);",
        f"{kind} a[{400 + _MORE}];",
        f"{kind} *a = {static};",
    )
    if d.chance(2):
        return [guard, made, *lines]
    called = d.function(lines, f"int n, {kind} *a")
    calls = [f"s += {called}(n, a);"]
    if d.chance(2):
        other = d.new("b")
        calls += [
            f"{kind} {other}[{500 + _MORE}];",
            f"s += {called}({d.pick('n', '11')}, {other});",
        ]
    return [guard, made, *calls]
