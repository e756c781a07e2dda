"""Loops that count: steps, conditions, exits and types of their variables."""

from __future__ import annotations

from dataclasses import replace

from ..writer import DATA, Lines, Scope, Writer, for_loop, indented


def up(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("v"), w.pick("int", "int", "long")
    step = w.integer(1, 3)
    head = (
        f"{v} = {w.value(scope)}; {v} {w.pick('<', '<=')} {w.value(scope)};"
        f" {v}{'++' if step == 1 else f' += {step}'}"
    )
    if w.chance(5):  # its last value is read afterwards
        return [
            f"{kind} {v};",
            *for_loop(w, scope, "up", head, v),
            *w.loop(replace(scope, names=(*scope.names, v)), "up_plain"),
        ]
    return for_loop(w, scope, "up", f"{kind} {head}", v)


def up_plain(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    return for_loop(
        w, scope, "up", f"int {v} = {w.integer(0, 2)}; {v} < {w.linear(scope)}; {v}++", v
    )


def down(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.integer(1, 3)
    change = f"{v}--" if step == 1 else f"{v} -= {step}"
    return for_loop(
        w,
        scope,
        "down",
        f"int {v} = {w.value(scope)}; {v} {w.pick('>', '>=')} {w.value(scope)}; {change}",
        v,
    )


def geometric(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    change = w.pick(
        f"{v} *= 2",
        f"{v} *= 3",
        f"{v} <<= 1",
        f"{v} = 2 * {v} + 1",
        f"{v} += {v}",
        f"{v} = 3 * {v} - 1",
    )
    start = w.integer(1, 3) if w.chance(2) else w.pick(*scope.names)
    return for_loop(
        w,
        scope,
        "geometric",
        f"int {v} = {start}; {v} {w.pick('<', '<=')} {w.value(scope)}; {change}",
        v,
    )


def geometric_twice(w: Writer, scope: Scope) -> Lines:
    """A geometric loop around another, or around a linear one whose bound or step is its variable.
    A geometric loop around another, or around a linear one whose bound or step is its variable."""
    o, i = w.new("v"), w.new("v")
    outer = w.pick(
        f"int {o} = 1; {o} < {w.linear(scope)}; {o} *= {w.integer(2, 3)}",
        f"int {o} = {w.linear(scope)}; {o} > 0; {o} {w.pick('/=', '>>=')} {w.integer(2, 3)}",
    )
    inner = w.pick(
        f"int {i} = 1; {i} < {o}; {i} *= 2",
        f"int {i} = 1; {i} <= {o}; {i} *= 3",
        f"int {i} = {o}; {i} > 0; {i} /= 2",
        f"int {i} = 0; {i} < {w.linear(scope)}; {i} += {o}",
        f"int {i} = {o}; {i} < {w.linear(scope)}; {i} *= 2",
    )
    lines = for_loop(w, replace(scope.inside(o, i), depth=0), "geometric, twice", inner, i)
    return [f"for ({outer}) {{ /* geometric, twice */", *indented(lines), "}"]


def conditions(w: Writer, scope: Scope) -> Lines:
    """Conditions on two loop variables inside each other."""
    i, j, k, outside = w.new("v"), w.new("v"), w.new("v"), scope
    scope = replace(outside, names=(*outside.names, i, j), depth=0)
    innermost = for_loop(
        w, scope, "under conditions", f"int {k} = 0; {k} < {w.linear(scope)}; {k}++", k
    )
    first, second = w.condition(scope), w.condition(scope)
    lines = [
        f"if ({first}) {{",
        f"    if ({second}) {{",
        *indented(indented(innermost)),
        "    } else {",
        "        s++;",
        "    }",
        "}",
    ]
    first_name, last_name = w.pick(*outside.names), w.pick(*outside.names, f"{i} + 3")
    return [
        f"for (int {i} = 0; {i} < {first_name}; {i}++) {{ /* up */",
        f"    for (int {j} = {w.pick('0', i)}; {j} < {last_name}; {j}++) {{ /* up */",
        *indented(indented(lines)),
        "    }",
        "}",
    ]


def halving(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    change = w.pick(
        f"{v} /= 2",
        f"{v} >>= 1",
        f"{v} /= 3",
        f"{v} = {v} / 2",
        f"{v} = {v} / 2 - 1",
        f"{v} = ({v} + 1) / 2",
    )
    test = w.pick("> 0", "> 1", ">= 1", "!= 0", "> 3")
    return for_loop(w, scope, "halving", f"int {v} = {w.value(scope)}; {v} {test}; {change}", v)


def meet(w: Writer, scope: Scope) -> Lines:
    a, b = w.new("v"), w.new("v")
    change = w.pick(
        f"{a}++, {b}--",
        f"{a} += 2, {b} -= 1",
        f"{a}++, {b} += 2",
        f"{a} *= 2, {b}++",
        f"{a} += 3, {b} += 1",
    )
    head = (
        f"int {a} = {w.value(scope)}, {b} = {w.value(scope)}; {a} {w.pick('<', '<=')} {b}; {change}"
    )
    return for_loop(w, scope, "meet", head, a, b)


def do_while(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.integer(1, 3)
    up = w.chance(2)
    tail = f"{v} {'+=' if up else '-='} {step};"
    body = w.body(scope, v, can_continue=False, tail=[tail])[:-1]
    test = f"{v} {w.pick('<', '<=', '!=') if up else w.pick('>', '>=')} {w.value(scope)}"
    return [f"int {v} = {w.value(scope)};", "do { /* do while */", *body, f"}} while ({test});"]


def not_equal(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.pick(1, 1, 2, -1, -2)
    low, high = w.linear(scope), w.linear(scope)
    start, end = (low, high) if abs(step) == 1 else (low, f"{low} + {step} * ({high})")
    return for_loop(w, scope, "not equal", f"int {v} = {start}; {v} != {end}; {v} += {step}", v)


def parametric_step(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.pick(*scope.names)
    up = w.chance(2)
    step = w.pick(step, f"{step} + 1", f"2 * {step}")
    head = (
        f"{v} < {w.linear(scope)}; {v} += {step}"
        if up
        else f"{v} > {w.linear(scope)}; {v} -= {step}"
    )
    return for_loop(w, scope, "parametric step", f"int {v} = {w.linear(scope)}; {head}", v)


def tiled(w: Writer, scope: Scope) -> Lines:
    o, i, size = w.new("v"), w.new("v"), w.pick(4, 8, 3, 16)
    low, high = w.pick("0", "1", w.linear(scope)), w.linear(scope)
    end = w.pick(
        f"({o} + {size} < {high} ? {o} + {size} : {high})",
        f"({high} < {o} + {size} ? {high} : {o} + {size})",
    )
    inner = for_loop(w, scope.inside(o), "tile", f"int {i} = {o}; {i} < {end}; {i}++", i)
    return [
        f"for (int {o} = {low}; {o} < {high}; {o} += {size}) {{ /* tile */",
        *indented(inner),
        "}",
    ]


def square(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    return for_loop(
        w,
        scope,
        "square",
        f"int {v} = {w.integer(0, 3)}; {v} * {v} {w.pick('<=', '<')} {w.value(scope)}; {v}++",
        v,
    )


def while_updates(w: Writer, scope: Scope) -> Lines:
    a, b = w.new("v"), w.new("v")
    tail = w.pick(
        [f"{a} -= {b};", f"{b}++;"],
        [f"{a} += {b};", f"{b}--;"],
        [f"{a} -= {b};"],
        [f"{a}--;", f"{b} += {a};"],
        [f"{a} = {a} - {b} - 1;", f"{b} += 2;"],
        [f"{a} -= 2;", f"{b} = {a};"],
    )
    return [
        f"int {a} = {w.value(scope)}, {b} = {w.linear(scope)};",
        (
            f"while ({w.pick(f'{a} > 0', f'{a} >= 0', f'{a} > {b}', f'{a} > 0 && {b} < 20')}) {{ /*"
            " while, several updates */"
        ),
        *w.body(scope, a, b, can_continue=False, tail=tail),
    ]


def multi_exit(w: Writer, scope: Scope) -> Lines:
    v, inner = w.new("v"), scope
    data = w.chance(3)
    second = (
        f"{DATA}[{v} & 63] % {w.integer(3, 9)} == 1"
        if data
        else w.condition(replace(inner, names=(*inner.names, v)))
    )
    first = f"{v} >= {w.value(scope)}"
    exits = [f"    if ({first}) break;", f"    if ({second}) break;"]
    head = w.pick(
        "while (1)",
        "for (;;)",
        f"while ({v} < {w.linear(scope)})",
        f"while ({v} < {w.linear(scope)} && !({second}))",
    )
    return [
        f"int {v} = {w.linear(scope)};",
        f"{head} {{ /* several exits */",
        *(exits if w.chance(2) else exits[::-1]),
        *w.body(scope, v, can_continue=False, tail=[f"{v} += {w.integer(1, 2)};"]),
    ]


def unsigned(w: Writer, scope: Scope) -> Lines:
    v = w.new("u")
    name = w.pick(*scope.unsigned) if scope.unsigned else f"(unsigned)({w.linear(scope)})"
    kind, size = w.integer(0, 8), w.pick("unsigned", "unsigned", "unsigned long")
    low = w.pick("0", "1", "2", *scope.unsigned)
    high = w.pick(name, f"{name} + 1", f"{name} - 1", f"{name} / 2", f"2 * {name}", f"{name} % 5")
    head = (
        f"{size} {v} = {low}; {v} < {high}; {v}++",
        f"{size} {v} = {high}; {v} > 0; {v}--",
        f"{size} {v} = {high}; {v}-- > 0;",
        f"{size} {v} = 1; {v} < {high}; {v} *= 2",
        f"{size} {v} = {high}; {v}; {v} >>= 1",
        f"{size} {v} = {low}; {v} <= {high}; {v} += 2",
        f"{size} {v} = {low}; {v} != {high}; {v}++",
        f"{size} {v} = {high}; {v} >= {w.integer(1, 3)}; {v} -= {w.integer(1, 2)}",
        f"{size} {v} = {high}; {v} > {low}; {v} /= 2",
    )[kind]
    inner = replace(scope, unsigned=(*scope.unsigned, v))
    return [f"for ({head}) {{ /* unsigned */", *w.body(inner)]


def narrow(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("v"), w.pick("short", "signed char", "unsigned char", "unsigned short", "char")
    high, low = w.linear(scope), w.integer(0, 4)
    head = w.pick(
        f"{v} = {low}; {v} < {high}; {v}++",
        f"{v} = {low}; {v} <= {high}; {v} += 2",
        f"{v} = 20; {v} > {high}; {v}--",
        f"{v} = 1; {v} < {high}; {v} *= 2",
    )
    return for_loop(w, scope, "narrow", f"{kind} {head}", v)


def wide(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("v"), w.pick("long", "long long")
    factor = w.pick("", "", "1000000000L * ")
    body = w.body(scope)
    step = (
        f"{v} += {w.integer(1, 3)}"
        if not factor
        else f"{v} += {w.pick(500000000, 1000000000, 300000000)}L"
    )
    return [
        (
            f"for ({kind} {v} = {w.linear(scope)}; {v} < {factor}({w.linear(scope)}); {step}) {{ /*"
            " 64 bits */"
        ),
        *body,
    ]


def floating(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("x"), w.pick("double", "double", "float")
    step = w.pick("1.0", "0.5", "0.25", "1.5")
    low, high = (
        w.pick("0", "0.5", "1.0", w.linear(scope)),
        w.pick(w.linear(scope), f"0.5 * ({w.linear(scope)})"),
    )
    head = w.pick(
        f"{v} = {low}; {v} < {high}; {v} += {step}",
        f"{v} = {low}; {v} <= {high}; {v} += {step}",
        f"{v} = {high}; {v} > {low}; {v} -= {step}",
        f"{v} = {high}; {v} > 1.0; {v} *= 0.5",
        f"{v} = 1.0; {v} < {high}; {v} *= 2.0",
        f"{v} = {high}; {v} >= 1.0; {v} /= 2.0",
    )
    return [f"for ({kind} {head}) {{ /* floating point */", *w.body(scope)]


def accumulated(w: Writer, scope: Scope) -> Lines:
    v, b, j = w.new("v"), w.new("w"), w.new("v")
    change = w.pick(
        f"{b} += {v};",
        f"{b}++;",
        f"{b} += 2;",
        f"if ({w.condition(scope.inside(v))}) {{ {b}++; }}",
        f"{b} -= 1;",
    )
    inner = for_loop(
        w,
        replace(scope.inside(v, b), depth=0),
        "accumulated bound",
        f"int {j} = 0; {j} < {b}; {j}++",
        j,
    )
    lines = [
        f"int {b} = {w.linear(scope)};",
        f"for (int {v} = 0; {v} < {w.linear(scope)}; {v}++) {{ /* up */",
    ]
    lines += indented([change, *inner] if w.chance(2) else [*inner, change])
    after = w.loop(replace(scope, names=(*scope.names, b)), "up_plain") if w.chance(3) else []
    return [*lines, "}", *after]


def moving_bound(w: Writer, scope: Scope) -> Lines:
    v, b = w.new("v"), w.new("w")
    change = w.pick(
        f"{b}--;",
        f"{b} -= 2;",
        f"if ({w.condition(scope.inside(v))}) {{ {b}--; }}",
        f"{b} = {b} / 2;",
        f"{b} = {w.linear(scope)};",
    )
    body = w.body(scope, v, b, tail=[change], can_continue=False)
    return [
        f"int {b} = {w.value(scope)};",
        f"for (int {v} = 0; {v} < {b}; {v}++) {{ /* moving bound */",
        *body,
    ]


def both_tests(w: Writer, scope: Scope) -> Lines:
    """Loops with two tests in their head."""
    a, b = w.new("v"), w.new("v")
    first = f"{a} < {w.linear(scope)}"
    second = w.pick(
        f"{b} > {w.linear(scope)}",
        f"{a} < {w.linear(scope)}",
        f"{b} != {w.integer(0, 5)}",
        f"{a} * {b} < 60",
        f"{a} + {b} < {w.linear(scope)}",
    )
    tail = w.pick(
        [f"{a}++;", f"{b}--;"],
        [f"{a} += 2;"],
        [f"{a}++;", f"{b} -= 2;"],
        [f"if ({b} > 3) {a}++; else {b}++;"],
    )
    test = f"{first} {w.pick('&&', '&&', '||')} {second}"
    return [
        f"int {a} = {w.value(scope)}, {b} = {w.linear(scope)};",
        f"while ({test}) {{ /* two tests */",
        *w.body(scope, a, b, can_continue=False, tail=tail),
    ]


def jump(w: Writer, scope: Scope) -> Lines:
    """goto out of a nest, or over a part of it."""
    label, i, j = w.new("l"), w.new("v"), w.new("v")
    inner_scope = replace(scope, names=(*scope.names, i, j), depth=0)
    test = w.pick(
        f"{DATA}[({i} + {j}) & 63] == 7",
        w.condition(inner_scope),
        f"{i} + {j} == {w.integer(3, 30)}",
    )
    jump = f"if ({test}) goto {label};"
    inner = [
        f"for (int {j} = 0; {j} < {w.pick(*scope.names, i)}; {j}++) {{ /* jump */",
        f"    {jump}",
        "    s++;",
        "}",
    ]
    outer = f"for (int {i} = {w.integer(0, 2)}; {i} < {w.linear(scope)}; {i}++) {{ /* jump */"
    inside = w.chance(2)
    lines = [outer, *indented(inner), *([f"    {label}: s++;"] if inside else ["    s++;"]), "}"]
    after = w.loop(replace(scope, depth=1), "up_plain") if w.chance(3) else []
    return [*lines, *([] if inside else [f"{label}: s++;"]), *after]


def marked(w: Writer, scope: Scope) -> Lines:
    """What a loop leaves behind, by the way it was left: a mark set before a break, its variable, a
    last value."""
    x, j = w.new("w"), w.new("v")
    inner = replace(scope, names=(*scope.names, j, x))
    test = w.pick(
        w.condition(scope),
        w.condition(inner),
        f"{j} > {w.linear(scope)}",
        f"{DATA}[{j} & 63] % 9 == 1",
    )
    mark = w.pick(f"{x} = 5;", f"{x} = {j};", f"{x}++;", f"{x} = {w.linear(scope)};")
    leave = w.pick("break;", "break;", "", "continue;")
    lines = [
        "s++;",
        f"if ({test}) {{ {mark} {leave} }}",
        *w.pick([], [], [f"{x} = 3;"], [f"{x} = {j} + 1;"]),
    ]
    bound = w.pick(x, x, f"{x} + {j}", j, f"({x} == 5 ? n : {x})")
    return [
        f"int {x} = {w.integer(0, 2)}, {j};",
        f"for ({j} = 0; {j} < {w.linear(scope)}; {j}++) {{ /* marking */",
        *indented(lines),
        "}",
        f"for (int k = 0; k < {bound}; k++) {{ /* marked */",
        "    s++;",
        "}",
    ]
