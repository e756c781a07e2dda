"""Containers of C++ that loops fill and empty as data decide: stacks, queues, heaps, sets."""

from __future__ import annotations

from dataclasses import dataclass

from .branching import coins
from .draft import Draft, Lines, indented

_KINDS = {
    "std::vector<int>": ("push_back({})", "pop_back()", "back()"),
    "std::deque<int>": ("push_front({})", "pop_back()", "front()"),
    "std::stack<int>": ("push({})", "pop()", "top()"),
    "std::queue<int>": ("push({})", "pop()", "front()"),
    "std::priority_queue<int>": ("push({})", "pop()", "top()"),
    "std::set<int>": ("insert({} % 7)", "erase({c}.begin())", "count(3)"),
    "std::unordered_map<int, int>": ("emplace({} % 5, 1)", "erase({c}.begin())", "count(2)"),
    "std::list<int>": ("emplace_back({})", "pop_front()", "back()"),
}
_PLAIN = frozenset(("std::vector<int>", "std::deque<int>", "std::list<int>"))


@dataclass(frozen=True)
class _Loops:
    """Writes loops over a few containers, by their names and types; `coin` and `spent` are
    functions that nothing tells of."""

    draft: Draft
    kinds: dict[str, str]
    coin: str
    spent: str

    def test(self) -> str:
        d, c = self.draft, self.draft.pick(*self.kinds)
        kind = d.integer(0, 5)
        if kind < 3:
            return f"!{c}.empty()"
        if kind == 3:
            return f"(int){c}.size() {d.pick('> 1', '> m', '>= 1', '< n')}"
        if kind == 4:
            return f"!{c}.empty() && {c}.{_KINDS[self.kinds[c]][2]} {d.pick('>', '!=')} m"
        return f"{self.coin}() {d.pick('&&', '||')} !{c}.empty()"

    def step(self) -> Lines:
        d, c = self.draft, self.draft.pick(*self.kinds)
        kind, (push, pop, _) = self.kinds[c], _KINDS[self.kinds[c]]
        what, guard = d.integer(0, 13), d.pick("", f"if ({self.coin}()) ")
        if what < 4:
            return [f"{guard}{c}.{push.format(d.pick('n', 's', '1', 'm'))};"]
        if what < 9:
            return [f"if (!{c}.empty()) {guard}{c}.{pop.format(c=c)};"]
        other = d.pick(*(x for x in self.kinds if self.kinds[x] == kind))
        if what == 9 and other != c:
            return [f"{guard}{d.pick(f'{c} = {other}', f'std::swap({c}, {other})')};"]
        if what == 10 and kind in _PLAIN:
            return [f"{guard}{c}.{d.pick('clear()', 'resize(n)', 'resize(m)', 'assign(m, 4)')};"]
        if what == 11:
            return [f"{{ auto &r = {d.pick(c, other)}; {guard}r.{push.format('2')}; }}"]
        if what == 12:
            return [f"if (!{c}.empty()) {guard}{{ {kind} *p = &{c}; p->{pop.format(c='(*p)')}; }}"]
        return ["s += 2;"]

    def body(self, depth: int) -> Lines:
        d, lines = self.draft, list[str]()
        for _ in range(d.integer(1, 3)):
            kind = d.integer(0, 6)
            if kind == 0 and depth > 0:
                lines += [f"if ({self.test()}) {{", *indented(self.body(depth - 1)), "}"]
            elif kind < 3 and depth > 0:
                lines += self.loop(depth - 1)
            else:
                lines += self.step()
        return lines

    def loop(self, depth: int) -> Lines:
        d = self.draft
        inside = ["s++;", f"if ({self.spent}()) break;", *self.body(depth)]
        if d.chance(2):
            return [f"while ({self.test()}) {{", *indented(inside), "}"]
        i, c = d.new("i"), d.pick(*self.kinds)
        head = f"int {i} = 0; {i} < {d.pick('n', 'm', f'(int){c}.size()')}; {i}++"
        return [f"for ({head}) {{", *indented(inside), "}"]


def containers(d: Draft) -> Lines:
    """Containers that loops fill, and loops that empty them, in a function of n and m."""
    d.include("vector", "deque", "stack", "queue", "set", "unordered_map", "list", "utility")
    coin, spent = coins(d)
    kind = d.pick(*_KINDS)
    names = [d.new("c") for _ in range(d.integer(1, 3))]
    kinds = {c: kind if d.chance(2) else d.pick(*_KINDS) for c in names}
    writer = _Loops(d, kinds, coin, spent)
    lines = [f"{kinds[c]} {c};" for c in names]
    for _ in range(d.integer(1, 3)):
        lines += writer.loop(d.integer(0, 2))
    handed = ", ".join(["int n", "int m", *(f"{kinds[c]} &{c}" for c in names)])
    if d.chance(2):
        return lines
    if d.chance(2):
        name = d.function(lines, "int n, int m")
        return [f"s += {name}(n, m);"]
    made, rest = lines[: len(names)], lines[len(names) :]
    name = d.function(rest, handed)
    return [*made, f"s += {name}({', '.join(['n', 'm', *names])});"]
