"""Cells that are marked once, and what lets a loop go on for each: worklists, colours, numbers that
are counted down, keys of sets; marks that are taken back, written through others, or elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from .branching import coins
from .draft import Draft, Lines, indented

_CELLS = 16


@dataclass(frozen=True)
class _Kind:
    """How marks are kept: a declaration at the top of the file or in the function, the cell at an
    index, what an unmarked and a marked cell holds, and a pointer to one, if there is such."""

    top: str
    local: str
    cell: str
    unmarked: str
    marked: tuple[str, ...]
    pointer: str = ""
    wide: bool = True


_C_KINDS = (
    _Kind("static int {a}[16];", "", "{a}[{w}]", "0", ("1", "2", "-1"), "int *{p} = {a};"),
    _Kind("static _Bool {a}[16];", "", "{a}[{w}]", "0", ("1",), "", False),
    _Kind(
        "static signed char {a}[16];", "", "{a}[{w}]", "3", ("4", "0"), "signed char *{p} = {a};"
    ),
    _Kind("static unsigned {a}[4][4];", "", "{a}[({w}) / 4][({w}) % 4]", "0", ("1", "9")),
    _Kind(
        "struct {a}_t {{ short x, mark; int y; }}; static struct {a}_t {a}[16];",
        "",
        "{a}[{w}].mark",
        "0",
        ("1", "5"),
    ),
    _Kind("", "long {a}[16] = {{0}};", "{a}[{w}]", "0", ("1", "c"), "long *{p} = {a} + 1;"),
    _Kind("", "int *{a} = (int *)calloc(17, 4);", "{a}[{w}]", "0", ("1", "m"), "int *{p} = {a};"),
)
_CXX_KINDS = (
    _Kind("", "std::vector<int> {a}(16);", "{a}[{w}]", "0", ("1", "2"), "int *{p} = {a}.data();"),
    _Kind("", "std::vector<int> {a}(17, -1);", "{a}[{w}]", "-1", ("0", "c", "m")),
    _Kind("", "std::vector<bool> {a}(16);", "{a}[{w}]", "0", ("true", "1"), "", False),
    _Kind("", "std::vector<char> {a}(18);", "{a}[{w}]", "0", ("1",), "char *{p} = &{a}[1];"),
    _Kind(
        "",
        "std::vector<std::vector<short>> {a}(4, std::vector<short>(4));",
        "{a}[({w}) / 4][({w}) % 4]",
        "0",
        ("1", "7"),
    ),
)


@dataclass(frozen=True)
class _Marks:
    """Writes a loop over a worklist of `c` things, and statements that mark cells of `a`."""

    draft: Draft
    kind: _Kind
    a: str
    pointer: str
    coin: str
    spent: str
    pick: str

    def cell(self, w: str) -> str:
        return self.kind.cell.format(a=self.a, w=w)

    def pays(self) -> str:
        return str(self.draft.pick("c++;", "c++;", "c += 2;", "c += 3;", "s += 5;"))

    def statement(self) -> Lines:
        d, kind = self.draft, self.kind
        w = d.pick("w", "w", "w", "w", "v")
        marked, unmarked = d.pick(*kind.marked), kind.unmarked
        cell, other = self.cell(w), self.cell(d.pick("w", "v", "v", "(w + 1) % 16"))
        what = d.integer(0, 16)
        if what < 5:
            return [f"if ({cell} == {unmarked}) {{ {cell} = {marked}; {self.pays()} }}"]
        if what == 5:
            return [f"if ({cell} != {unmarked}) continue;", f"{cell} = {marked};", self.pays()]
        if what == 6:
            return [f"if ({cell} == {unmarked}) {{ {other} = {marked}; {self.pays()} }}"]
        if what == 7:
            return [f"if ({self.coin}()) {cell} = {unmarked};"]
        if what == 8 and kind.wide:
            return [f"if (--{cell} == {unmarked}) {self.pays()}"]
        if what == 9 and kind.wide:
            return [f"if ({cell} > 0) {{ {cell}--; {self.pays()} }}"]
        if what == 10 and kind.wide:
            return [f"if ({cell} < {d.pick('n', '3', '1')}) {{ {cell}++; {self.pays()} }}"]
        if what == 11 and self.pointer:
            return [f"{self.pointer}[v % 8] = {d.pick('0', '1', unmarked, marked)};"]
        if what == 12:
            return [f"if ({cell} == {unmarked}) {self.pays()}", f"{cell} = {marked};"]
        if what == 13:
            return [
                f"if ({cell} == {unmarked}) {{",
                f"    {d.pick('v', 'w')} = {self.pick}();",
                f"    {cell} = {marked};",
                f"    {self.pays()}",
                "}",
            ]
        if what == 14:
            return [f"if ({cell} != {other}) {{ {cell} = {marked}; {self.pays()} }}"]
        if what == 15:
            return [f"if ({self.coin}()) {cell} = {other};"]
        return [f"if ({cell} == {unmarked} && {self.coin}()) {{ {cell} = {marked}; c++; }}"]

    def loop(self) -> Lines:
        d = self.draft
        inside = ["s++;", f"if ({self.spent}()) break;", "c--;"]
        inside += [f"int w = {self.pick}(), v = {self.pick}();"]
        for _ in range(d.integer(1, 2)):
            inside += self.statement()
        if d.chance(4):
            k = d.new("k")
            more = [f"w = {self.pick}();", *self.statement()]
            inside += [f"for (int {k} = 0; {k} < {d.pick('3', 'm')}; {k}++) {{"]
            inside += [*indented(["s++;", *more]), "}"]
        return ["while (c > 0) {", *indented(inside), "}"]

    def reset(self) -> Lines:
        k = self.draft.new("k")
        head = f"for (int {k} = 0; {k} < {_CELLS}; {k}++) {{"
        return [head, *indented(["s++;", f"{self.cell(k)} = {self.kind.unmarked};"]), "}"]


def marks(d: Draft) -> Lines:
    """Loops that mark cells, once or inside of another loop, in a function of n and m."""
    d.include("vector", "set", "unordered_set") if d.is_cxx else d.include("stdlib.h")
    coin, _ = coins(d)
    pick, spent, fuel = d.own("pick"), d.own("out"), d.own("fuel")
    d.top(  # a number that bounds the loops, but of which nothing is known
        f"static volatile int {fuel};",
        f"__attribute__((noinline)) static int {spent}(void) {{",
        f"    {fuel} = {fuel} + 1;",
        f"    return {fuel} > 3000;",
        "}",
    )
    d.top(
        f"__attribute__((noinline)) static int {pick}(void) {{",
        f"    return {coin}() * 8 + {coin}() * 4 + {coin}() * 2 + {coin}() & {_CELLS - 1};",
        "}",
    )
    if d.is_cxx and d.chance(3):
        return _keys(d, coin, spent, pick)
    if d.chance(3):
        return _visits(d, coin, spent, pick)
    kind = d.pick(*_C_KINDS, *(_CXX_KINDS * 2 if d.is_cxx else ()))
    a = d.own("a") if kind.top else d.new("a")
    top = kind.top.format(a=a)
    if d.is_cxx:
        top = top.replace("_Bool", "bool")
    if top:
        d.top(top)
    pointer = d.new("p") if kind.pointer and d.chance(3) else ""
    writer = _Marks(d, kind, a, pointer, coin, spent, pick)
    lines = [kind.local.format(a=a)] if kind.local else []
    lines += [kind.pointer.format(a=a, p=pointer)] if pointer else []
    lines += d.maybe(writer.reset())
    started = d.pick("n", "1", "m", "n + m")
    if d.chance(3):
        i = d.new("i")
        inside = [*d.maybe(writer.reset(), 3), f"c {d.pick('=', '+=')} {started};", *writer.loop()]
        lines += [f"int c = {started};", f"for (int {i} = 0; {i} < m; {i}++) {{"]
        lines += [*indented(["s++;", f"if ({spent}()) break;", *inside]), "}"]
    else:
        lines += [f"int c = {started};", *writer.loop()]
    name = d.function(lines, "int n, int m")
    return [f"s += {name}(n, m);"]


def _keys(d: Draft, coin: str, spent: str, pick: str) -> Lines:
    """A set that keys are put into, while it has few."""
    kind = d.pick("std::set<int>", "std::unordered_set<int>")
    k, q = d.new("k"), d.new("q")
    push = f"{q}.push_back(w);"
    statements = [
        f"if ({k}.insert(w).second) {push}",
        f"if (!{k}.count(w)) {{ {k}.insert(w); {push} }}",
        f"if (!{k}.count(w)) {{ {k}.insert({d.pick('v', 'w')}); {push} }}",
        f"if ({k}.find(w) == {k}.end()) {{ {k}.emplace(w); {push} }}",
        f"if ({k}.count(w)) continue;\n    {k}.insert(w); {push}",
        f"if (!{k}.count(w)) {{ w = v; {k}.insert(w); {push} }}",
        f"if ({coin}()) {k}.erase(w);",
        f"{k}.insert(v);",
    ]
    inside = ["s++;", f"if ({spent}()) break;", *d.maybe([f"{q}.pop_back();"])]
    inside += [f"int w = {pick}(), v = {pick}();"]
    for _ in range(d.integer(1, 2)):
        inside += d.pick(*statements[:5], *statements).split("\n    ")
    test = d.pick(
        f"(int){k}.size() < {d.pick('n', 'm', '9')}",
        f"!{q}.empty()",
        f"!{q}.empty() && (int){k}.size() < {d.pick('n', 'm', '12')}",
    )
    if f"{q}.pop_back();" in inside and "empty" not in test:
        inside.remove(f"{q}.pop_back();")
    lines = [f"{kind} {k};", f"std::vector<int> {q} = {{{d.pick('0', 'n', '1, 2')}}};"]
    lines += [f"while ({test}) {{", *indented(inside), "}"]
    if d.chance(2):
        lines += [
            f"while (!{q}.empty()) {{",
            *indented(["s++;", f"std::vector<int> p{q};", f"for (int u : {q}) {{"]),
            *indented(
                indented(
                    [
                        f"if ({coin}() && {spent}()) s++;",
                        f"if (u == {pick}() && {k}.insert(u).second) p{q}.push_back(u + 1);",
                    ]
                )
            ),
            *indented(
                [
                    "}",
                    d.pick(f"{q} = std::move(p{q});", f"std::swap({q}, p{q});", f"{q} = p{q};"),
                    f"if ({spent}()) break;",
                ]
            ),
            "}",
        ]
    name = d.function(lines, "int n, int m")
    return [f"s += {name}(n, m);"]


def _visits(d: Draft, coin: str, spent: str, pick: str) -> Lines:
    """A function that calls itself for cells, and marks what it has seen, or not quite."""
    kind = d.pick(*(_CXX_KINDS * 2 if d.is_cxx else ()), *(k for k in _C_KINDS if k.top))
    a, visit = d.own("a"), d.own("visit")
    marked = [m for m in kind.marked if m != "c"]
    top, handed, passed = (
        kind.top.format(a=a).replace("_Bool", "bool" if d.is_cxx else "_Bool"),
        "",
        "",
    )
    if top:
        d.top(top)
    else:
        made = kind.local.format(a=a)
        handed = f"{made.split(f' {a}')[0]} {d.pick('&', '&', '&', '')}{a}, "
        passed = f"{a}, "

    def cell(w: str) -> str:
        return kind.cell.format(a=a, w=w)

    def call(w: str, *more: str) -> str:
        return f"s += {visit}({passed}{w}, {d.pick('v', 'v', 'w')}, {d.pick('m', 'm', *more)});"

    is_open, mark = f"{cell('w')} == {kind.unmarked}", f"{cell('w')} = {d.pick(*marked)};"
    at_first = d.pick(
        [f"if (!({is_open})) return s;", mark],
        [f"if (!({is_open})) return s;", mark],
        [mark],
        [mark],
        [f"if ({coin}()) return s;", mark],
        [f"if ({is_open}) {mark}"],
        [f"w = {d.pick('v', 'w')};", mark],
        [],
    )
    u = d.pick("u", "u", "u", "w", "(u + 1) % 16")
    inner = d.pick(
        [f"if ({cell('u')} == {kind.unmarked}) {call(u, 'm - 1')}"],
        [f"if ({cell('u')} == {kind.unmarked}) {call('u')}"],
        [f"if ({cell('u')} == {kind.unmarked}) {{ {call('u')} {call('u')} }}"],
        [f"if ({cell('u')} == {kind.unmarked}) {{ {cell('u')} = {marked[0]}; {call('u')} }}"],
        [f"if ({cell('u')} == {kind.unmarked}) {{ {call('u')} {cell('u')} = {marked[0]}; }}"],
        [call("u")],
        [call(u)],
        [f"if ({cell('u')} != {kind.unmarked}) continue;", call(u)],
    )
    k = d.new("k")
    lines = [f"if ({spent}()) return s;", *at_first]
    lines += d.maybe(
        [f"for (int j{k} = 0; j{k} < {d.pick('2', 'm')}; j{k}++) {{", "    s++;", "}"], 3
    )
    lines += [f"for (int {k} = 0; {k} < {d.pick('3', 'm', 'm', 'w')}; {k}++) {{"]
    lines += indented(["s++;", f"int u = {pick}();", *inner])
    lines += ["}"]
    lines += d.maybe([f"if ({coin}()) {cell(d.pick('w', 'v'))} = {kind.unmarked};"], 5)
    d.function(lines, f"{handed}int w, int v, int m", visit)
    start = [] if top else [kind.local.format(a=a)]
    i = d.new("i")
    started = f"s += {visit}({passed}{d.pick('0', '3', i)}, 1, m % 6);"
    if d.chance(2):
        start += [f"for (int {i} = 0; {i} < n % 16; {i}++) {{", "    s++;", f"    {started}", "}"]
    else:
        start += [started.replace(i, "2")]
    return [f"s += {d.function(start, 'int n, int m')}(n, m);"]
