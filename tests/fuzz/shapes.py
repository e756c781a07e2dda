"""The shapes of loops that random C functions have, by name. Each loop stands on a line of its own
that ends in its brace and a comment naming its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .writer import DATA, Lines, Scope, Writer, indented


def _for(w: Writer, scope: Scope, shape: str, head: str, *names: str) -> Lines:
    return [f"for ({head}) {{ /* {shape} */", *w.body(scope, *names)]


def _up(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("v"), w.pick("int", "int", "long")
    step = w.integer(1, 3)
    head = (
        f"{v} = {w.value(scope)}; {v} {w.pick('<', '<=')} {w.value(scope)};"
        f" {v}{'++' if step == 1 else f' += {step}'}"
    )
    if w.chance(5):  # its last value is read afterwards
        return [
            f"{kind} {v};",
            *_for(w, scope, "up", head, v),
            *w.loop(replace(scope, names=(*scope.names, v)), "up_plain"),
        ]
    return _for(w, scope, "up", f"{kind} {head}", v)


def _up_plain(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    return _for(w, scope, "up", f"int {v} = {w.integer(0, 2)}; {v} < {w.linear(scope)}; {v}++", v)


def _down(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.integer(1, 3)
    change = f"{v}--" if step == 1 else f"{v} -= {step}"
    return _for(
        w,
        scope,
        "down",
        f"int {v} = {w.value(scope)}; {v} {w.pick('>', '>=')} {w.value(scope)}; {change}",
        v,
    )


def _geometric(w: Writer, scope: Scope) -> Lines:
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
    return _for(
        w,
        scope,
        "geometric",
        f"int {v} = {start}; {v} {w.pick('<', '<=')} {w.value(scope)}; {change}",
        v,
    )


def _geometric_twice(w: Writer, scope: Scope) -> Lines:
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
    lines = _for(w, replace(scope.inside(o, i), depth=0), "geometric, twice", inner, i)
    return [f"for ({outer}) {{ /* geometric, twice */", *indented(lines), "}"]


def _conditions(w: Writer, scope: Scope) -> Lines:
    """Conditions on two loop variables inside each other."""
    i, j, k, outside = w.new("v"), w.new("v"), w.new("v"), scope
    scope = replace(outside, names=(*outside.names, i, j), depth=0)
    innermost = _for(
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


def _halving(w: Writer, scope: Scope) -> Lines:
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
    return _for(w, scope, "halving", f"int {v} = {w.value(scope)}; {v} {test}; {change}", v)


def _meet(w: Writer, scope: Scope) -> Lines:
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
    return _for(w, scope, "meet", head, a, b)


def _do_while(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.integer(1, 3)
    up = w.chance(2)
    tail = f"{v} {'+=' if up else '-='} {step};"
    body = w.body(scope, v, can_continue=False, tail=[tail])[:-1]
    test = f"{v} {w.pick('<', '<=', '!=') if up else w.pick('>', '>=')} {w.value(scope)}"
    return [f"int {v} = {w.value(scope)};", "do { /* do while */", *body, f"}} while ({test});"]


def _not_equal(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.pick(1, 1, 2, -1, -2)
    low, high = w.linear(scope), w.linear(scope)
    start, end = (low, high) if abs(step) == 1 else (low, f"{low} + {step} * ({high})")
    return _for(w, scope, "not equal", f"int {v} = {start}; {v} != {end}; {v} += {step}", v)


def _parametric_step(w: Writer, scope: Scope) -> Lines:
    v, step = w.new("v"), w.pick(*scope.names)
    up = w.chance(2)
    step = w.pick(step, f"{step} + 1", f"2 * {step}")
    head = (
        f"{v} < {w.linear(scope)}; {v} += {step}"
        if up
        else f"{v} > {w.linear(scope)}; {v} -= {step}"
    )
    return _for(w, scope, "parametric step", f"int {v} = {w.linear(scope)}; {head}", v)


def _tiled(w: Writer, scope: Scope) -> Lines:
    o, i, size = w.new("v"), w.new("v"), w.pick(4, 8, 3, 16)
    low, high = w.pick("0", "1", w.linear(scope)), w.linear(scope)
    end = w.pick(
        f"({o} + {size} < {high} ? {o} + {size} : {high})",
        f"({high} < {o} + {size} ? {high} : {o} + {size})",
    )
    inner = _for(w, scope.inside(o), "tile", f"int {i} = {o}; {i} < {end}; {i}++", i)
    return [
        f"for (int {o} = {low}; {o} < {high}; {o} += {size}) {{ /* tile */",
        *indented(inner),
        "}",
    ]


def _square(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    return _for(
        w,
        scope,
        "square",
        f"int {v} = {w.integer(0, 3)}; {v} * {v} {w.pick('<=', '<')} {w.value(scope)}; {v}++",
        v,
    )


def _while_updates(w: Writer, scope: Scope) -> Lines:
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


def _multi_exit(w: Writer, scope: Scope) -> Lines:
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


def _unsigned(w: Writer, scope: Scope) -> Lines:
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


def _narrow(w: Writer, scope: Scope) -> Lines:
    v, kind = w.new("v"), w.pick("short", "signed char", "unsigned char", "unsigned short", "char")
    high, low = w.linear(scope), w.integer(0, 4)
    head = w.pick(
        f"{v} = {low}; {v} < {high}; {v}++",
        f"{v} = {low}; {v} <= {high}; {v} += 2",
        f"{v} = 20; {v} > {high}; {v}--",
        f"{v} = 1; {v} < {high}; {v} *= 2",
    )
    return _for(w, scope, "narrow", f"{kind} {head}", v)


def _wide(w: Writer, scope: Scope) -> Lines:
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


def _float(w: Writer, scope: Scope) -> Lines:
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


def _accumulated(w: Writer, scope: Scope) -> Lines:
    v, b, j = w.new("v"), w.new("w"), w.new("v")
    change = w.pick(
        f"{b} += {v};",
        f"{b}++;",
        f"{b} += 2;",
        f"if ({w.condition(scope.inside(v))}) {{ {b}++; }}",
        f"{b} -= 1;",
    )
    inner = _for(
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


def _moving_bound(w: Writer, scope: Scope) -> Lines:
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


def _data(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    draw = f"{DATA}[({w.pick(v, w.linear(scope))}) & 63]"
    test = w.pick(
        f"{v} < ({draw} & 7)",
        f"{v} < {w.linear(scope)} && {draw} % 7 != 1",
        f"{draw} % 5 != 2 && {v} < {w.linear(scope)}",
        f"{v} < {w.value(scope)} || {v} < ({draw} & 7)",
    )
    return _for(w, scope, "data", f"int {v} = 0; {test}; {v}++", v)


def _chosen(w: Writer, scope: Scope) -> Lines:
    return [
        f"if ({w.condition(scope)}) {{",
        *indented(w.loop(scope, "up")),
        "} else {",
        *indented(w.loop(scope)),
        "}",
    ]


def _switch_in_loop(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    inner = scope.inside(v)
    lines = [
        (
            f"for (int {v} = {w.integer(0, 1)}; {v} < {w.linear(scope)}; {v}++) {{ /* around a"
            " switch */"
        ),
        f"    switch ({w.pick(f'{v} % 3', v, f'{v} & 1', w.pick(*scope.names))}) {{",
    ]
    for label in range(w.integer(1, 3)):
        end = w.pick("break;", "break;", "continue;", "")
        case = [*w.loop(replace(inner, depth=0), "up_plain"), *([end] if end else [])]
        lines += [f"    case {label}:", *indented(indented(case))]
    return [*lines, "    default:", "        s++;", "    }", "}"]


def _member(w: Writer, scope: Scope) -> Lines:
    """A bound in a structure reached by a pointer, with writes that do or do not reach it."""
    box, v, b = w.box(), w.new("v"), w.new("q")
    depth = min(scope.depth, 1)
    inner = Scope(("k",), depth=depth)
    write = w.pick(
        "",
        "p->a = k;",
        "p->b++;",
        "p->n--;",
        "p->n = k;",
        "*r = k;",
        "*r -= 1;",
        "touch",
        "p->a--;",
    )
    if write == "touch":
        toucher = w.new_global("t")
        self_write = w.pick("p->a++;", "p->n--;", "p->b = p->n;")
        w.tops += [f"static void {toucher}({box} *p) {{ {self_write} }}"]
        write = f"{toucher}(p);"
    body = w.body(inner, v, can_continue=False, tail=[write] if write else [])
    head = w.pick(
        f"int {v} = 0; {v} < p->n; {v}++",
        f"int {v} = p->a; {v} < p->n; {v}++",
        f"int {v} = p->n; {v} > 0; {v}--",
        f"long {v} = 0; {v} < p->b; {v}++",
    )
    name = w.helper(("k",), [f"for ({head}) {{ /* member */", *body], f"{box} *p, int k, int *r")
    other = w.new("w")
    target = w.pick(f"&{other}", f"&{b}.a", f"&{b}.n")
    call = [f"s += {name}(&{b}, {w.linear(scope)}, {target});"]
    return [
        f"{box} {b} = {{{w.linear(scope)}, {w.linear(scope)}, {w.linear(scope)}}};",
        f"int {other} = 1;",
        *call,
        *(call if w.chance(4) else []),
        *(
            [f"for (int {v} = 0; {v} < {b}.n; {v}++) {{ /* member */", "    s++;", "}"]
            if w.chance(3)
            else []
        ),
    ]


def _local_member(w: Writer, scope: Scope) -> Lines:
    box, v, b, p = w.box(), w.new("v"), w.new("q"), w.new("p")
    write = w.pick("", f"{p}->a = {v};", f"{p}->b++;", f"{p}->n--;", f"{b}.n -= 1;", f"{p}->a--;")
    body = w.body(scope, v, can_continue=False, tail=[write] if write else [])
    where = w.pick(f"&{b}", f"({w.condition(scope)}) ? &{b} : &{b}2", f"malloc(sizeof *{p})")
    fill = [f"{p}->n = {w.linear(scope)};", f"{p}->a = 3;"] if "malloc" in where else []
    return [
        (
            f"{box} {b} = {{{w.linear(scope)}, {w.linear(scope)}, 0}}, {b}2 = {{1,"
            f" {w.linear(scope)}, 2}};"
        ),
        f"{box} *{p} = {where};",
        *fill,
        f"for (int {v} = 0; {v} < {p}->n; {v}++) {{ /* member, local */",
        *body,
    ]


def _global(w: Writer, scope: Scope) -> Lines:
    g, v = w.new_global("g"), w.new("v")
    w.tops += [f"static int {g}{w.pick(' = 5', '', ' = -1')};"]
    lines = [f"{g} = {w.linear(scope)};"] if w.chance(2) else []
    toucher = w.new_global("t")
    w.tops += [
        f"static void {toucher}(int k) {{"
        f" {w.pick(f'{g} = k;', f'{g}--;', f'if (k > 3) {g} -= 2;', '(void)k;')} }}"
    ]
    if w.chance(3):
        lines += [f"{toucher}({w.linear(scope)});"]
    write = w.pick("", "", f"{g}--;", f"{toucher}({v});", f"{g} = {w.linear(scope)};")
    body = w.body(scope, v, can_continue=False, tail=[write] if write else [])
    after = (
        [f"for (int {v} = 0; {v} < {g}; {v}++) {{ /* global */", "    s++;", "}"]
        if w.chance(3)
        else []
    )
    return [*lines, f"for (int {v} = 0; {v} < {g}; {v}++) {{ /* global */", *body, *after]


def _element(w: Writer, scope: Scope) -> Lines:
    a, v = w.new("b"), w.new("v")
    at, index = w.integer(0, 3), w.pick("0", "1", "2", "3", f"({w.linear(scope)}) & 3")
    write = w.pick("", f"{a}[{w.integer(0, 3)}] = {v};", f"{a}[{v} & 3]--;", f"{a}[{at}]--;")
    body = w.body(scope, v, can_continue=False, tail=[write] if write else [])
    return [
        f"int {a}[4] = {{{w.linear(scope)}, {w.linear(scope)}, 3, {w.linear(scope)}}};",
        f"{a}[{index}] = {w.linear(scope)};",
        f"for (int {v} = 0; {v} < {a}[{at}]; {v}++) {{ /* array element */",
        *body,
    ]


def _rows(w: Writer, scope: Scope) -> Lines:
    r, i, k, n = w.new_global("r"), w.new("v"), w.new("v"), w.new("w")
    w.tops += [f"static int {r}[201];"]
    step = w.pick(
        "2", i, f"({i} * 7) % 5", f"(fuzz_data[{i} & 63] & 3)", f"{i} % 3", f"({i} < 4 ? 1 : 3)"
    )
    inner = _for(
        w,
        replace(scope.inside(i), depth=0),
        "rows",
        f"int {k} = {r}[{i}]; {k} < {r}[{i} + 1]; {k}++",
        k,
    )
    start = w.pick("0", "0", "1", w.pick(*scope.names))
    lines = [
        f"int {n} = {w.linear(scope)};",
        f"{r}[0] = {start};",
        f"for (int {i} = 0; {i} < {n}; {i}++) {{ /* filling rows */",
        f"    {r}[{i} + 1] = {r}[{i}] + {step};",
        "}",
        f"for (int {i} = {w.pick('0', '0', '1')}; {i} < {n}; {i}++) {{ /* over rows */",
        *indented(inner),
        "}",
    ]
    whole = [
        f"for (int {k} = {r}[0]; {k} < {r}[{n} < 0 ? 0 : {n}]; {k}++) {{ /* rows, whole */",
        "    s++;",
        "}",
    ]
    return [*lines, *(whole if w.chance(3) else [])]


def _by_reference(w: Writer, scope: Scope) -> Lines:
    t, x, v = w.new_global("t"), w.new("w"), w.new("v")
    change = w.pick("*p = k;", "*p += k;", "if (k > 2) *p = k;", "*p = *p / 2 + k;")
    w.tops += [f"static void {t}(int *p, int k) {{ {change} }}"]
    write = w.pick("", "", f"{t}(&{x}, {v});", f"{x}--;")
    body = w.body(scope, v, can_continue=False, tail=[write] if write else [])
    after = w.loop(replace(scope, names=(*scope.names, x)), "up_plain") if w.chance(3) else []
    return [
        f"int {x} = {w.linear(scope)};",
        f"{t}(&{x}, {w.linear(scope)});",
        f"for (int {v} = 0; {v} < {x}; {v}++) {{ /* by reference */",
        *body,
        *after,
    ]


def _pointer_pointer(w: Writer, scope: Scope) -> Lines:
    x, y, p, q, v = w.new("w"), w.new("w"), w.new("p"), w.new("p"), w.new("v")
    write = w.pick("", "", f"{y}--;", f"**{q} -= 1;", f"{x}--;", f"*{q} = &{y};", f"*{p} = {v};")
    body = w.body(scope, v, can_continue=False, tail=[write] if write else [])
    where = w.pick(f"&{x}", f"({w.condition(scope)}) ? &{x} : &{y}")
    return [
        f"int {x} = {w.linear(scope)}, {y} = {w.linear(scope)};",
        f"int *{p} = {where};",
        f"int **{q} = &{p};",
        f"for (int {v} = 0; {v} < **{q}; {v}++) {{ /* pointer to pointer */",
        *body,
    ]


def _calls(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    call = w.helper_call(scope.inside(v))
    return [
        f"for (int {v} = 0; {v} < {w.linear(scope)}; {v}++) {{ /* around calls */",
        *indented(call),
        "}",
    ]


def _early_return(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    inner = Scope(("a", "b"), depth=1)
    lines = [
        f"for (int {v} = {w.pick('0', 'b')}; {v} < a; {v}++) {{ /* early return */",
        f"    if ({w.condition(Scope(('a', 'b', v)))}) return s;",
        *w.body(inner, v),
    ]
    name = w.helper(("a", "b"), lines, "int a, int b")
    return [f"s += {name}({w.linear(scope)}, {w.linear(scope)});"]


def _recursion(w: Writer, scope: Scope) -> Lines:
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


def _range_recursion(w: Writer, scope: Scope) -> Lines:
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


def _over_range(w: Writer, scope: Scope) -> Lines:
    v, names = w.new("v"), (*scope.names, *scope.names)[:2]
    return _for(
        w,
        scope,
        "over range",
        f"int {v} = {names[0]}; {v} {w.pick('<', '<=')} {names[1]}; {v}++",
        v,
    )


def _branching(w: Writer, scope: Scope) -> Lines:
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


def _fibonacci(w: Writer, scope: Scope) -> Lines:
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


def _harmonic(w: Writer, scope: Scope) -> Lines:
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


def _function_pointer(w: Writer, scope: Scope) -> Lines:
    names = [
        w.helper(("a",), w.loop(Scope(("a",), depth=1), "up_plain"), "int a")
        for _ in range(w.integer(1, 2))
    ]
    f = w.new("f")
    choice = names[0] if len(names) == 1 else f"({w.condition(scope)}) ? {names[0]} : {names[1]}"
    return [f"long (*{f})(int) = {choice};", f"s += {f}({w.linear(scope)});"]


def _read_first(w: Writer, scope: Scope) -> Lines:
    """A member that is read, changed, and whose old value is then handed on, in one activation or
    through several."""
    box, b, other, x = w.box(), w.new("q"), w.new("q"), w.new("w")
    depth = min(scope.depth, 1)
    member = w.pick("n", "a", "b")
    run = w.helper(
        ("k",),
        w.loop(Scope(("k", "l"), depth=depth), w.pick("up_plain", "up", "halving")),
        "int k, int l",
    )
    see = w.helper(
        ("k",),
        w.loop(Scope(("k", f"p->{w.pick('n', 'a')}"), depth=depth), "up_plain"),
        f"{box} *p, int k",
    )
    change = w.pick(
        f"p->{member} = k;",
        f"p->{member} += k;",
        f"p->{member}--;",
        f"if (k > 2) p->{member} = k;",
        f"p->{member} = p->a;",
        f"*p = ({box}){{k, 2, k}};",
    )
    use = w.pick(
        f"s += {run}({x}, k);", f"s += {see}(p, {x});", f"s += {run}(k, {x} + 1);", "loop", "later"
    )
    lines = [f"int {x} = (int)p->{member};"]
    if use == "later":  # the change comes after the call
        lines += [f"s += {see}(p, {x});", change, f"s += {run}({x}, (int)p->n);"]
    else:
        lines += [
            change,
            *(w.loop(Scope((x, "k"), depth=depth), "up_plain") if use == "loop" else [use]),
        ]
    change_all = w.helper(("k",), lines, f"{box} *p, int k")
    first = f"s += {change_all}(&{b}, {w.linear(scope)});"
    second = w.pick(
        "",
        f"s += {change_all}(&{b}, {w.linear(scope)});",
        f"s += {change_all}(&{other}, {w.linear(scope)});",
        f"s += {run}({b}.{member}, {other}.n);",
        f"{other} = {b}; s += {see}(&{other}, {b}.a);",
    )
    return [
        (
            f"{box} {b} = {{{w.linear(scope)}, {w.linear(scope)}, 3}}, {other} ="
            f" {{{w.linear(scope)}, 1, {w.linear(scope)}}};"
        ),
        first,
        *([second] if second else []),
    ]


def _by_value(w: Writer, scope: Scope) -> Lines:
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


def _static_local(w: Writer, scope: Scope) -> Lines:
    """A variable that keeps its value between the calls."""
    v, kept, start = w.new("v"), w.new("z"), w.integer(0, 4)
    change = w.pick(
        f"{kept}++;",
        f"{kept} += a;",
        f"if (a > 2) {kept} = a;",
        f"{kept} = a;",
        f"{kept} = {kept} / 2 + b;",
    )
    loop = _for(
        w, Scope(("a", "b", kept), depth=1), "static local", f"int {v} = 0; {v} < {kept}; {v}++", v
    )
    name = w.helper(
        ("a",),
        [f"static int {kept} = {start};", *w.pick([change, *loop], [*loop, change])],
        "int a, int b",
    )
    call = f"s += {name}({w.linear(scope)}, {w.integer(0, 3)});"
    return [call, *([call] if w.chance(2) else [])]


def _walk(w: Writer, scope: Scope) -> Lines:
    """A pointer that walks along an array, or a string."""
    p, end, k = w.new("p"), w.new("p"), w.linear(scope)
    kind = w.integer(0, 6)
    if kind == 6:
        text = w.new_global("s")
        letters = w.pick("abracadabra", "", "x", "looplaw counts")
        w.tops += [f'static const char {text}[] = "{letters}";']
        head = w.pick(
            f"const char *{p} = {text}; *{p}; {p}++",
            f"int {p} = 0; {text}[{p}]; {p}++",
            f"const char *{p} = {text}; *{p} && *{p} != 'd'; ++{p}",
        )
        return _for(w, scope, "string", head)
    base = w.new_global("g")
    w.tops += [f"static int {base}[4096];"]
    head = (
        f"int *{p} = {base}; {p} < {base} + ({k}); {p}++",
        f"int *{p} = {base} + ({k}); {p} > {base}; {p}--",
        f"int *{p} = {base}, *{end} = {base} + 40; {p} < {end}; {p} += {w.integer(1, 3)}",
        f"int *{p} = {base} + {w.integer(0, 3)}; {p} - {base} < {k}; {p} += 2",
        f"int *{p} = {base}, *{end} = {base} + ({k}); {p} != {end}; {p}++",
        f"int *{p} = {base}, *{end} = {base} + ({k}); {p} < {end}; {p}++, {end}--",
    )[kind]
    return _for(w, scope, "walk", head)


def _both_tests(w: Writer, scope: Scope) -> Lines:
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


def _jump(w: Writer, scope: Scope) -> Lines:
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


def _answers(w: Writer, scope: Scope) -> Lines:
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
    return _for(
        w,
        scope,
        "answered bound",
        f"int {v} = 0; {v} < {name}({w.linear(scope)}, {w.linear(scope)}); {v}++",
        v,
    )


def _marked(w: Writer, scope: Scope) -> Lines:
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


def _chain(w: Writer, scope: Scope) -> Lines:
    """Members behind pointers that are members, exchanged in between; elements of arrays of
    structures."""
    box, holder, a, b, h = w.box(), w.new_global("o"), w.new("q"), w.new("q"), w.new("p")
    w.tops += [f"struct {holder} {{ {box} *box; int k; {box} own; }};"]
    change = w.pick(
        "",
        "h->box = other;",
        "h->box->n = k;",
        "other->n = k;",
        "p->n--;",
        "h->own = *p;",
        "h->own.n += 2;",
        "h->k = k;",
        "p = other;",
        "*other = *p;",
    )
    bound = w.pick("p->n", "h->box->n", "h->own.n", "x", "h->k", "other->n")
    inside = w.pick("", "", "other->n--;", "h->k = 2;", "p->a = k;")
    v = w.new("v")
    lines = [
        f"{box} *p = h->box;",
        "int x = p->n;",
        *([change] if change else []),
        f"for (int {v} = 0; {v} < {bound}; {v}++) {{ /* chain */",
        "    s++;",
        *([f"    {inside}"] if inside else []),
        "}",
    ]
    name = w.helper(("k",), lines, f"struct {holder} *h, {box} *other, int k")
    call = f"s += {name}(&{h}, {w.pick(f'&{b}', f'&{a}', f'&{h}.own')}, {w.linear(scope)});"
    boxes = [f"{box} {q} = {{{w.linear(scope)}, {w.linear(scope)}, 2}};" for q in (a, b)]
    return [
        *boxes,
        f"struct {holder} {h} = {{&{a}, {w.linear(scope)}, {{1, {w.linear(scope)}, 3}}}};",
        call,
        *([call] if w.chance(3) else []),
    ]


SHAPES: dict[str, Callable[[Writer, Scope], Lines]] = {
    "up_plain": _up_plain,
    "up": _up,
    "down": _down,
    "geometric": _geometric,
    "geometric_twice": _geometric_twice,
    "conditions": _conditions,
    "halving": _halving,
    "meet": _meet,
    "do_while": _do_while,
    "not_equal": _not_equal,
    "parametric_step": _parametric_step,
    "tiled": _tiled,
    "square": _square,
    "while_updates": _while_updates,
    "multi_exit": _multi_exit,
    "unsigned": _unsigned,
    "narrow": _narrow,
    "wide": _wide,
    "float": _float,
    "accumulated": _accumulated,
    "moving_bound": _moving_bound,
    "data": _data,
    "chosen": _chosen,
    "switch_in_loop": _switch_in_loop,
    "member": _member,
    "local_member": _local_member,
    "global": _global,
    "element": _element,
    "rows": _rows,
    "by_reference": _by_reference,
    "pointer_pointer": _pointer_pointer,
    "calls": _calls,
    "early_return": _early_return,
    "recursion": _recursion,
    "function_pointer": _function_pointer,
    "range_recursion": _range_recursion,
    "over_range": _over_range,
    "branching": _branching,
    "fibonacci": _fibonacci,
    "harmonic": _harmonic,
    "read_first": _read_first,
    "by_value": _by_value,
    "static_local": _static_local,
    "walk": _walk,
    "both_tests": _both_tests,
    "jump": _jump,
    "answers": _answers,
    "marked": _marked,
    "chain": _chain,
}
