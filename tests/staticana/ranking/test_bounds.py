"""Bounds of loops whose ends data decide, against every way in which they can run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from staticana import Analysis, Count, analyze, canonical, compile_sources

HEAD = "extern int coin(void);\n"
State = dict[str, int]
Body = Callable[[State], Iterator[State]]


def analysed(tmp_path: Path, source: str) -> Analysis:
    file = tmp_path / "p.c"
    file.write_text(HEAD + source)
    return analyze(canonical(compile_sources([file])), entry="f")


def longest(state: State, body: Body) -> int:
    """The most iterations of a loop over all that data can decide: `body` yields the states behind
    an iteration, none where the loop ends."""
    known: dict[tuple[int, ...], int] = {}

    def most(s: State) -> int:
        key = tuple(s.values())
        if key not in known:
            known[key] = 0
            known[key] = max((1 + most(n) for n in body(s)), default=0)
        return known[key]

    return most(state)


def turns(s: State) -> Iterator[State]:
    if s["x"] > 0 and s["y"] > 0:
        yield {**s, "x": s["x"] - 1}
        yield {**s, "y": s["y"] - 1}


def phases(s: State) -> Iterator[State]:
    if s["x"] < s["n"]:
        yield {**s, "y": s["y"] - 1} if s["y"] > 0 else {**s, "x": s["x"] + 1}


def resets(s: State) -> Iterator[State]:
    if s["x"] > 0:
        yield {**s, "x": s["x"] - 1, "y": s["n"]}
        if s["y"] > 0:
            yield {**s, "y": s["y"] - 1}


def meets(s: State) -> Iterator[State]:
    if s["x"] != s["y"]:
        step = 1 if s["x"] < s["y"] else -1
        yield {**s, "x": s["x"] + step}
        yield {**s, "y": s["y"] - step}


def falls(s: State) -> Iterator[State]:
    if s["x"] >= 0:
        yield {**s, "x": s["x"] + s["y"], "y": s["y"] - 1}


def halves(s: State) -> Iterator[State]:
    if s["x"] < s["y"]:
        middle = s["x"] + (s["y"] - s["x"]) // 2
        yield {**s, "x": middle + 1}
        yield {**s, "y": middle}


def remainders(s: State) -> Iterator[State]:
    if s["y"] > 0:
        rest = abs(s["x"]) % s["y"]
        yield {**s, "x": s["y"], "y": rest if s["x"] >= 0 else -rest}


def squares(s: State) -> Iterator[State]:
    if s["x"] * s["x"] <= s["n"]:
        yield {**s, "x": s["x"] + 1}
        yield {**s, "x": s["x"] + 1, "n": s["n"] - 1}


def multiplies(s: State) -> Iterator[State]:
    if 0 < s["x"] < s["n"]:
        yield {**s, "x": 2 * s["x"]}
        yield {**s, "x": 3 * s["x"]}


def changes_sign(s: State) -> Iterator[State]:
    if s["x"] >= 0:
        yield {**s, "x": s["x"] + s["y"], "y": -2 * s["y"] - 1}


def three_phases(s: State) -> Iterator[State]:
    if s["x"] > 0:
        yield {**s, "x": s["x"] + s["y"], "y": s["y"] + s["n"], "n": s["n"] - 1}


def two_steps(s: State) -> Iterator[State]:
    if s["x"] > s["y"]:
        yield {**s, "x": s["y"] - s["x"], "y": s["y"] + 1}


def ring(s: State) -> Iterator[State]:
    if 0 <= s["y"] <= s["n"] and s["x"] != s["y"]:
        yield {**s, "x": s["x"] + 1 if s["x"] <= s["n"] else 0}


def returns(s: State) -> Iterator[State]:
    if s["y"] > 0:
        if s["x"] > 100:
            yield {**s, "x": s["x"] - 10, "y": s["y"] - 1}
        else:
            yield {**s, "x": s["x"] + 11, "y": s["y"] + 1}


def flag(s: State) -> Iterator[State]:
    if s["x"] >= 0 and 0 <= s["y"] <= s["n"]:
        for turned in (0, 1):
            if s["b"] == 0:
                yield {**s, "y": s["y"] + 1, "b": turned}
            else:
                yield {**s, "y": s["y"] - 1, "x": s["x"] - turned, "b": 1 - turned}


def smaller_one(s: State) -> Iterator[State]:
    x, y = s["x"], s["y"]
    if x > 0 and y > 0:
        yield {**s, "x": min(x, y) - 1, "y": x + y}
        yield {**s, "x": x + y, "y": min(x, y) - 1}


LOOPS: dict[str, tuple[str, Body]] = {
    "counters that take turns": ("while (x > 0 && y > 0) { if (coin()) x--; else y--; }", turns),
    "one after another": ("while (x < n) { if (y > 0) y--; else x++; }", phases),
    "resets": ("while (x > 0) { if (y > 0 && coin()) y--; else { y = n; x--; } }", resets),
    "from both sides": (
        "while (x != y) { if (coin()) { if (x < y) x++; else x--; }"
        " else if (x < y) y--; else y++; }",
        meets,
    ),
    "a gap that is halved": (
        "while (x < y) { int m = x + (y - x) / 2; if (coin()) x = m + 1; else y = m; }",
        halves,
    ),
    "remainders": ("while (y > 0) { int t = x % y; x = y; y = t; }", remainders),
    "up to a root": ("while (x * x <= n) { x++; if (coin()) n--; }", squares),
    "up, then down": ("while (x >= 0) { x += y; y--; }", falls),
    "multiples": ("while (x > 0 && x < n) x = coin() ? 2 * x : 3 * x;", multiplies),
    "a sign that changes": ("while (x >= 0) { x += y; y = -2 * y - 1; }", changes_sign),
    "three phases": ("while (x > 0) { x += y; y += n; n--; }", three_phases),
    "two steps in turn": ("while (x > y) { x = y - x; y++; }", two_steps),
    "a ring": ("if (y >= 0 && y <= n) while (x != y) if (x <= n) x++; else x = 0;", ring),
    "91": ("while (y > 0) if (x > 100) { x -= 10; y--; } else { x += 11; y++; }", returns),
    "the smaller one": (
        "while (x > 0 && y > 0) { int z = x > y ? y : x;"
        " if (coin()) { y += x; x = z - 1; } else { x += y; y = z - 1; } }",
        smaller_one,
    ),
    "a flag": (
        "int b = 0; while (x >= 0 && y >= 0 && y <= n) if (b == 0) { y++; if (coin()) b = 1; }"
        " else { y--; if (coin()) { x--; b = 0; } }",
        flag,
    ),
}


@pytest.mark.parametrize(("loop", "body"), LOOPS.values(), ids=list(LOOPS))
def test_no_run_is_longer_than_the_bound(tmp_path: Path, loop: str, body: Body) -> None:
    found = analysed(tmp_path, f"void f(int x, int y, int n) {{ {loop} }}")
    upper = found.loops[0].total.upper
    assert upper is not None
    for x in range(-2, 6):
        for y in range(-2, 6):
            for n in (-1, 0, 3):
                most = longest({"x": x, "y": y, "n": n, "b": 0}, body)
                assert most <= upper.evaluate({"x": x, "y": y, "n": n})


def test_what_is_halved_is_bounded_by_its_logarithm(tmp_path: Path) -> None:
    loop, _ = LOOPS["a gap that is halved"]
    upper = analysed(tmp_path, f"void f(int x, int y) {{ {loop} }}").loops[0].total.upper
    assert upper is not None
    assert [upper.evaluate({"x": 0, "y": y}) for y in (0, 1, 2, 7, 8, 2**20)] == [0, 1, 2, 3, 4, 21]


def test_what_doubles_is_bounded_by_a_logarithm_or_by_its_type(tmp_path: Path) -> None:
    loops = "while (x > 0 && x < n) x = coin() ? 2 * x : 3 * x;"
    upper = analysed(tmp_path, f"void f(int x, int n) {{ {loops} }}").loops[0].total.upper
    assert upper is not None
    assert [upper.evaluate({"x": 1, "n": n}) for n in (1, 2, 5, 2**20)] == [1, 2, 3, 21]
    loops = "while (x > 1 && x < n[0]) { x = x * x; n[0] -= coin(); }"
    upper = analysed(tmp_path, f"void f(int x, int *n) {{ {loops} }}").loops[0].total.upper
    assert upper is not None
    assert upper.evaluate({"x": 2, "n": 0}) <= 31


FACTORS = {"all divisors": "i <= n", "up to the root": "i * i <= n"}


@pytest.mark.parametrize("test", FACTORS.values(), ids=list(FACTORS))
def test_what_is_divided_while_nothing_is_left_falls(tmp_path: Path, test: str) -> None:
    source = f"""void f(int n) {{
        if (n > 0) for (int i = 2; {test}; i++) while (n % i == 0) n /= i; }}"""
    upper = analysed(tmp_path, source).loops[0].total.upper
    assert upper is not None
    for n in range(1, 200):
        rest, i, runs = n, 2, 0
        while (i if test == "i <= n" else i * i) <= rest:
            runs += 1
            while rest % i == 0:
                rest //= i
            i += 1
        assert runs <= upper.evaluate({"n": n})


def test_an_unsigned_comparison_of_a_counter_that_is_not_negative(tmp_path: Path) -> None:
    found = analysed(
        tmp_path, "void f(unsigned long n) { for (int i = 0; i < n; i++) if (coin()) i++; }"
    )
    upper = found.loops[0].total.upper
    assert upper is not None
    assert upper.evaluate({"n": 9}) == 9


TOTALS = {
    "a stack": (
        "int top = 0; for (int i = 0; i < n; i++) { top++; while (top > 0 && coin()) top--; }",
        ["Max(0, n)", "Max(0, n)"],
    ),
    "two pointers": (
        "for (int j = 0, i = 0; i < n; i++) while (j < m && coin()) j++;",
        ["Max(0, n)", "Max(0, m)"],
    ),
    "a loop behind another": (
        "int k = 0; while (n > 0) { n--; if (coin()) k += 2; } while (k > 0 && coin()) k--;",
        ["Max(0, n)", "2*Max(0, n)"],
    ),
    "a stack in memory": (
        "static int top; top = 0;"
        " for (int i = 0; i < n; i++) { top++; while (top > 0 && coin()) top--; }",
        ["Max(0, n)", "Max(0, n)"],
    ),
    "what an outer loop pays for in large steps": (
        "int y = 0; while (n > 0) { n--; y += 1000; while (y >= 100 && coin()) y -= 100; }",
        ["Max(0, n)", "Max(0, 10*n)"],
    ),
    "an end that comes nearer": (
        "for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) if (coin()) { j--; n--; }",
        ["Max(0, n)", "Max(0, n)**2"],
    ),
    "a loop behind one that adds a parameter": (
        "int k = 0, x = m; while (n > 0) { n--; k = x + m; x = coin() ? k : m; }"
        " while (k > 0) k--;",
        ["Max(0, n)", "Max(0, -m, m)*Max(0, n) + Max(-m, m) + Max(0, -m, m)"],
    ),
    "a gap": ("int l = 0; while (l < n) if (coin()) l++; else n--;", ["Max(0, n)"]),
}


@pytest.mark.parametrize(("body", "uppers"), TOTALS.values(), ids=list(TOTALS))
def test_totals_share_what_outer_loops_have_gained(
    tmp_path: Path, body: str, uppers: list[str]
) -> None:
    found = analysed(tmp_path, f"void f(int n, int m) {{ {body} }}")
    assert [str(loop.total.upper) for loop in found.loops] == uppers


MEMORY = {
    "through a pointer": ("while (p->k > 0) { p->k--; if (coin()) p->k--; }", {"k": 7}, 7),
    "beside others": (
        "while (p->k > 0) { p->k--; p->other = 3; if (coin()) p->k--; }",
        {"k": 7},
        7,
    ),
    "paid by a counter": (
        "while (n > 0) if (p->k > 0 && coin()) p->k--; else { n--; p->k += 2; }",
        {"k": 7, "n": 5},
        22,
    ),
}


@pytest.mark.parametrize(("loop", "at", "most"), MEMORY.values(), ids=list(MEMORY))
def test_counters_that_are_kept_in_memory(
    tmp_path: Path, loop: str, at: dict[str, int], most: int
) -> None:
    source = f"struct s {{ int k, other; }};\nvoid f(struct s *p, int n) {{ {loop} }}"
    upper = analysed(tmp_path, source).loops[0].total.upper
    assert upper is not None
    assert upper.evaluate({**dict.fromkeys(map(str, upper.symbols), 0), **at}) == most


def test_callers_and_work_have_the_bound(tmp_path: Path) -> None:
    found = analysed(
        tmp_path,
        "static void g(int k) { while (k > 0) { k -= 1 + (coin() & 1); } }\n"
        "void f(int n) { for (int i = 0; i < n; i++) g(n); }",
    )
    assert str(found["g"].work.upper) == "Max(0, n)"
    assert str(found["f"].work.upper) == "Max(0, n)**2"
    assert str(found["p.c:2"].total.upper) == "Max(0, n)**2"


UNBOUNDED = {
    "nothing falls": "while (x > 0) { if (coin()) x--; }",
    "what wraps around": "unsigned char c = 0; while (c < x) c += coin() ? 3 : 5;",
    "a step that may be 0": "while (x > 0) { x -= y; if (coin()) y--; }",
    "a cell that something else may write": "extern int *q; int *p = q + x;"
    " while (*p > 0) { --*p; q[y] = 5; }",
    "a cell that a call may write": "extern int *q; extern void h(void);"
    " while (*q > 0) { --*q; h(); }",
    "a product that may be 0": "while (x < 100) { x = x * y; if (coin()) y--; }",
    "data alone": "while (coin()) x--;",
    "a share of 0": "if (y > 1) while (x % y == 0) { x /= y; if (coin()) y++; }",
    "a share of all": "if (x > 0 && y > 0) while (x % y == 0) { x /= y; if (coin()) y++; }",
    "what leaves something": "if (x > 0 && y > 1) while (x % y) { x /= y; if (coin()) x = y; }",
    "a call that writes it": "int *p = &x; extern void h(int *);"
    " h(p); while (x > 0) { x--; h(p); }",
}


@pytest.mark.parametrize("loop", UNBOUNDED.values(), ids=list(UNBOUNDED))
def test_loops_that_need_not_end_have_no_bound(tmp_path: Path, loop: str) -> None:
    found = analysed(tmp_path, f"void f(int x, int y) {{ {loop} }}")
    count: Count = found.loops[0].total
    assert count.kind != "exact"
    assert count.upper is None
    assert count.reason


def quotients(s: State) -> Iterator[State]:
    if s["x"] != 0:
        yield {**s, "x": (s["x"] - 1) // 2}


def halves_or_steps(s: State) -> Iterator[State]:
    if s["x"] != 0:
        yield {**s, "x": s["x"] - 1 if s["x"] % 2 else s["x"] // 2}


def rises(s: State) -> Iterator[State]:
    if s["y"] != s["x"]:
        yield {**s, "y": s["y"] + 1}


ASSUMING = [
    ("while (x != 0 && coin()) x = (x - 1) / 2;", quotients, "x >= 0"),
    ("while (x) { if (x % 2) x--; else x = x / 2; }", halves_or_steps, "x >= 0"),
    ("while (y != x && coin()) y++;", rises, "x - y >= 0"),
]


@pytest.mark.parametrize(("loop", "body", "assumed"), ASSUMING, ids=[a[2] for a in ASSUMING])
def test_what_a_loop_need_not_start_with_is_assumed(
    tmp_path: Path, loop: str, body: Body, assumed: str
) -> None:
    count = analysed(tmp_path, f"void f(int x, int y) {{ {loop} }}").loops[0].total
    assert count.upper is not None
    assert assumed in count.assumptions
    for x in range(30):
        for y in range(x + 1):
            most = count.upper.evaluate({"x": x, "y": y})
            assert longest({"x": x, "y": y}, body) <= most


HELPERS = {
    "a search by halves": (
        "static int mid(int l, int r) { return l + (r - l) / 2; }",
        "while (y < x) { int m = mid(y, x); if (coin()) y = m + 1; else x = m; }",
    ),
    "up a heap": (
        "static int parent(int i) { return (i - 1) / 2; }",
        "while (x > 0 && coin()) x = parent(x);",
    ),
}


@pytest.mark.parametrize(("helper", "loop"), HELPERS.values(), ids=list(HELPERS))
def test_functions_that_calculate_are_looked_into(tmp_path: Path, helper: str, loop: str) -> None:
    found = analysed(tmp_path, f"{helper}\nvoid f(int x, int y) {{ {loop} }}")
    upper = found.loops[0].total.upper
    assert upper is not None
    for n in (1, 2, 3, 7, 8, 9, 100, 1023, 1024):
        most = upper.evaluate({"x": n, "y": 0})
        assert n.bit_length() - 1 <= most <= n.bit_length() + 2


def test_a_function_that_calculates_may_lead_past_an_end(tmp_path: Path) -> None:
    source = """static int less(int i) { return i / 2 - 3; }
        void f(int x, int y) { while (x != 0 && coin()) x = less(x); }"""
    assert analysed(tmp_path, source).loops[0].total.upper is None


@pytest.mark.parametrize(
    ("helper", "loop"),
    [
        ("short next(int i) { return i + 1; }", "while (x < 100000 && coin()) x = next(x);"),
        ("signed char next(int i) { return i + 1; }", "while (x < 200 && coin()) x = next(x);"),
        (
            "signed char next(int i) { return i / 2 + 100; }",
            "while (x < 150 && coin()) x = next(x);",
        ),
    ],
)
def test_a_function_may_return_less_than_it_calculates(
    tmp_path: Path, helper: str, loop: str
) -> None:
    """These wrap around, and go on for ever."""
    found = analysed(tmp_path, f"static {helper}\nvoid f(int x, int y) {{ {loop} }}")
    assert found.loops[0].total.upper is None


def test_what_a_returned_type_must_hold_is_assumed(tmp_path: Path) -> None:
    source = """static short end(int n) { return n + 1; }
        void f(int n) { for (int i = 0; i < end(n) && coin(); i++) if (coin()) i++; }"""
    total = analysed(tmp_path, source).loops[0].total
    assert total.upper is not None
    assert {"n <= 32766", "n >= -32769"} <= set(map(str, total.assumptions))


def test_no_loop_is_assumed_not_to_run(tmp_path: Path) -> None:
    found = analysed(tmp_path, "void f(int x, int y) { while (x > 0) { if (coin()) x += y; } }")
    assert found.loops[0].total.upper is None


def test_the_bound_of_a_whole_call_holds_for_each_entry(tmp_path: Path) -> None:
    source = """int f(int *a, int n) { int best = 0, i = 0;
        for (int j = 0; j < n; j++) { while (i < j && coin()) i++; best += i; }
        return best; }"""
    inner = next(x for x in analysed(tmp_path, source).loops if x.nesting == 2)
    assert inner.per_entry.upper is not None
    for n in range(9):
        assert inner.per_entry.upper.evaluate({"n": n}) >= max(0, n - 1)


def test_a_part_of_a_structure_that_a_call_returns_is_a_number(tmp_path: Path) -> None:
    source = """
    struct sizes { int n; double step; };
    extern void fill(int *);
    extern void use(int);
    static struct sizes sizes(void) { struct sizes s = {0, 0.5}; fill(&s.n); return s; }
    void f(void) { struct sizes s = sizes(); for (int i = 0; i < s.n; i++) use(i); }
    """
    (total,) = (loop.total for loop in analysed(tmp_path, source).loops)
    assert total.formula is not None
    assert total.upper != 0
