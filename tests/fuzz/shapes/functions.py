"""Loops behind calls: recursion, function pointers, answers of functions."""

from __future__ import annotations

from dataclasses import replace

from ..writer import DATA, Lines, Scope, Writer, for_loop, indented


def call(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    call = w.helper_call(scope.inside(v))
    return [
        f"for (int {v} = 0; {v} < {w.linear(scope)}; {v}++) {{ /* around calls */",
        *indented(call),
        "}",
    ]


def early_return(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    inner = Scope(("a", "b"), depth=1)
    lines = [
        f"for (int {v} = {w.pick('0', 'b')}; {v} < a; {v}++) {{ /* early return */",
        f"    if ({w.condition(Scope(('a', 'b', v)))}) return s;",
        *w.body(inner, v),
    ]
    name = w.helper(("a", "b"), lines, "int a, int b")
    return [f"s += {name}({w.linear(scope)}, {w.linear(scope)});"]


def recursion(w: Writer, scope: Scope) -> Lines:
    name, kind = w.new_global("f"), w.integer(0, 5)
    inner = w.loop(Scope(("a", "b"), depth=1), w.pick("up_plain", "up", "halving"))
    least = w.pick(0, 1, 2) if kind < 4 else w.pick(1, 2)
    call = (
        f"{name}(a - 1, b)",
        f"{name}(a / 2, b)",
        f"{name}(a - 2, b + 1)",
        f"{name}(a - {w.integer(1, 3)}, b)",
        f"{name}(a / 2, b) + {name}(a - a / 2, b)",
        f"{name}(a / 2, b) + {name}(a / 2, b)",
    )[kind]
    lines = [
        f"static long {name}(int a, int b) {{",
        "    long s = 0;",
        f"    if (a <= {least}) return 1;",
    ]
    tail = kind < 4 and w.chance(2)
    w.tops += [*lines, *indented(inner), f"    return {'' if tail else 's + '}{call};", "}", ""]
    return [f"s += {name}({w.linear(scope)}, {w.linear(scope)});"]


def range_recursion(w: Writer, scope: Scope) -> Lines:
    """Calls for parts of a range: halves, one half, parts around a place that data choose."""
    name, kind = w.new_global("f"), w.integer(0, 5)
    inclusive = w.chance(2)
    middle = w.pick(
        "a + (b - a) / 2", "(a + b) / 2", "(a + b) >> 1", "a + (b - a + 1) / 2", "a + (b - a) / 3"
    )
    end = w.pick(
        "if (a >= b) return 1;",
        "if (b - a < 2) return 1;",
        "if (a > b) return 1;",
        "if (b - a == 1) return 1;",
        "if (a == b) return 1;",
    )
    first, second = f"{name}(a, m)", f"{name}(m{' + 1' if inclusive else ''}, b)"
    if kind == 5:
        middle = f"a + ({DATA}[(a + b) & 63] & 7) % (b - a + 1)"
        first, second = w.pick(
            (f"{name}(a, m - 1)", f"{name}(m + 1, b)"), (f"{name}(a, m)", f"{name}(m + 1, b)")
        )
    inner = w.loop(Scope(("a", "b"), depth=1), w.pick("up_plain", "up", "halving", "over_range"))
    choice = w.pick(f"{DATA}[m & 63] & 1", "m & 1", f"{DATA}[m & 63] == 7")
    lines = [
        f"static long {name}(int a, int b) {{",
        "    long s = 0;",
        f"    {end}",
        f"    int m = {middle};",
        *indented(inner),
    ]
    if kind in (0, 1, 2, 5):
        lines += [f"    s += {first};", f"    return s + {second};", "}", ""]
    elif kind == 3:
        lines += [f"    if ({choice}) return s + {first};", f"    return s + {second};", "}", ""]
    else:
        lines += [f"    if ({choice}) s += {first};", "    return s;", "}", ""]
    w.tops += lines
    low = w.pick("0", "0", "1", w.linear(scope))
    return [f"s += {name}({low}, {low} + {w.pick(*scope.names)}{w.pick('', ' - 1', ' + 2')});"]


def over_range(w: Writer, scope: Scope) -> Lines:
    v, names = w.new("v"), (*scope.names, *scope.names)[:2]
    return for_loop(
        w,
        scope,
        "over range",
        f"int {v} = {names[0]}; {v} {w.pick('<', '<=')} {names[1]}; {v}++",
        v,
    )


def branching(w: Writer, scope: Scope) -> Lines:
    """Several calls with arguments less by different numbers."""
    name = w.new_global("f")
    distances = w.pick((1, 2), (2, 1), (1, 1, 2), (1, 2, 3), (2, 3), (1, 4))
    inner = w.loop(Scope(("a", "b"), depth=1), w.pick("up_plain", "up"))
    calls = " + ".join(f"{name}(a - {d}, b)" for d in distances)
    w.tops += [
        f"static long {name}(int a, int b) {{",
        "    long s = 0;",
        *(["    if (a < 3) return 1;"] if w.chance(2) else []),
        *indented(inner),
        f"    if (a < {w.integer(0, 3)}) return s;",
        f"    return s + {calls};",
        "}",
        "",
    ]
    return [f"s += {name}({w.pick(*scope.names)} / {w.integer(3, 6)}, {w.linear(scope)});"]


def fibonacci(w: Writer, scope: Scope) -> Lines:
    """Two variables that step through a sequence each of whose numbers is the sum of the two
    before."""
    x, y, z = w.new("x"), w.new("x"), w.new("x")
    start = w.pick((0, 1), (1, 1), (1, 2), (2, 3), (1, 0), (2, 1), (4, 6), (0, 3), (1, 3), (-1, 1))
    test = w.pick(f"{x} < ", f"{x} <= ", f"{y} < ", f"{x} + {y} < ", f"2 * {x} < ", f"{y} - {x} < ")
    bound = w.value(scope)
    body = w.body(
        replace(scope, depth=min(scope.depth, 1)),
        x,
        can_continue=False,
        tail=[f"long {z} = {x} + {y};", f"{x} = {y};", f"{y} = {z};"],
    )
    return [
        f"long {x} = {start[0]}, {y} = {start[1]};",
        f"while ({test}{bound}) {{ /* fibonacci */",
        *body,
    ]


def harmonic(w: Writer, scope: Scope) -> Lines:
    """Inner loops with as many iterations as a quotient, a root or a logarithm of the outer
    variable."""
    o, i, n = w.new("v"), w.new("v"), w.linear(scope)
    outer = w.pick(
        f"int {o} = 1; {o} <= {n}; {o}++",
        f"int {o} = {n}; {o} > 0; {o}--",
        f"int {o} = {w.integer(1, 3)}; {o} < {n}; {o}++",
        f"int {o} = 1; {o} < {n}; {o} *= 2",
    )
    inner = w.pick(
        f"int {i} = 0; {i} < {w.linear(scope)}; {i} += {o}",
        f"int {i} = 0; {i} < ({w.linear(scope)}) / {o}; {i}++",
        f"int {i} = {o}; {i} < {w.linear(scope)}; {i} += {o} + {w.integer(0, 2)}",
        f"int {i} = 1; {i} < {o}; {i} *= {w.integer(2, 3)}",
        f"int {i} = {o}; {i} < {n}; {i} *= 2",
        f"int {i} = 0; {i} * {i} < {o} + {w.integer(0, 3)}; {i}++",
        f"int {i} = 0; {i} < {w.linear(scope)} - {o}; {i} += 2 * {o} + 1",
    )
    body = w.body(replace(scope.inside(o, i), depth=w.integer(0, 1)), i)
    return [
        f"for ({outer}) {{ /* harmonic */",
        f"    for ({inner}) {{ /* harmonic */",
        *indented(body),
        "}",
    ]


def function_pointer(w: Writer, scope: Scope) -> Lines:
    names = [
        w.helper(("a",), w.loop(Scope(("a",), depth=1), "up_plain"), "int a")
        for _ in range(w.integer(1, 2))
    ]
    f = w.new("f")
    choice = names[0] if len(names) == 1 else f"({w.condition(scope)}) ? {names[0]} : {names[1]}"
    return [f"long (*{f})(int) = {choice};", f"s += {f}({w.linear(scope)});"]


def by_value(w: Writer, scope: Scope) -> Lines:
    """Structures handed over, returned and copied by value."""
    name, b, c = w.new_global("v"), w.new("q"), w.new("q")
    fields = w.pick(
        "int a; int n; long b;",
        "int a, n;",
        "short a; int n;",
        "long n; int a; int b; int c;",
        "int n; float f; int a;",
    )
    w.tops += [f"struct {name} {{ {fields} }};"]
    struct = f"struct {name}"
    lines = w.loop(Scope(("x.n", "x.a"), depth=min(scope.depth, 1)), w.pick("up_plain", "up"))
    write = w.pick("", "", "x.n--;", "x.a = (int)x.n;")
    helper = w.helper(("x",), [*([write] if write else []), *lines], f"{struct} x")
    maker = w.new_global("m")
    member = w.pick("l", "3", "k > l", "l & 63")
    w.tops += [
        f"static {struct} {maker}(int k, int l) {{ {struct} x; x.n = k; x.a = {member}; return"
        " x; }"
    ]
    made = w.pick(
        f"{maker}({w.pick(*scope.names)}, 4)", f"{maker}({w.linear(scope)}, {w.integer(0, 9)})"
    )
    change = w.pick(
        "",
        f"{b}.n += 2;",
        f"{c} = {b};",
        f"{b}.n = {c}.a;",
        f"{c} = {b}; {b}.n--;",
        f"{b} = {maker}((int){c}.n, 2);",
    )
    return [
        f"{struct} {b} = {made}, {c} = {maker}(7, {w.integer(0, 5)});",
        *([change] if change else []),
        f"s += {helper}({b});",
        *([f"s += {helper}({c});"] if w.chance(2) else []),
    ]


def answers(w: Writer, scope: Scope) -> Lines:
    """A bound that functions with several returns give, one calling the other."""
    least, most, v = w.new_global("a"), w.new_global("a"), w.new("v")
    early = w.pick(
        ["if (a < b) return a;"],
        ["if (a < 0) return 0;"],
        ["if (b > 3) return b;", "if (a > 5) return 5;"],
        [
            "for (int k = 0; k < b; k++) { /* answering */",
            f"    if ({DATA}[k & 63] % 5 == 2) return k;",
            "}",
        ],
    )
    w.tops += [
        f"static int {least}(int a, int b) {{",
        *indented(early),
        f"    return {w.pick('b', 'a - b', '2')};",
        "}",
        (
            f"static int {most}(int a, int b) {{ if ({w.condition(Scope(('a', 'b')))}) return"
            f" {least}(b, a); return {w.pick(f'{least}(a, 3)', 'a', 'a + b')}; }}"
        ),
    ]
    name = w.pick(least, most)
    return for_loop(
        w,
        scope,
        "answered bound",
        f"int {v} = 0; {v} < {name}({w.linear(scope)}, {w.linear(scope)}); {v}++",
        v,
    )
