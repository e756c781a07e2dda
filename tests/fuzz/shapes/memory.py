"""Loops whose ends are in memory: data, members, globals, elements, lists."""

from __future__ import annotations

from dataclasses import replace

from ..writer import DATA, Lines, Scope, Writer, for_loop, indented


def data(w: Writer, scope: Scope) -> Lines:
    v = w.new("v")
    draw = f"{DATA}[({w.pick(v, w.linear(scope))}) & 63]"
    test = w.pick(
        f"{v} < ({draw} & 7)",
        f"{v} < {w.linear(scope)} && {draw} % 7 != 1",
        f"{draw} % 5 != 2 && {v} < {w.linear(scope)}",
        f"{v} < {w.value(scope)} || {v} < ({draw} & 7)",
    )
    return for_loop(w, scope, "data", f"int {v} = 0; {test}; {v}++", v)


def chosen(w: Writer, scope: Scope) -> Lines:
    return [
        f"if ({w.condition(scope)}) {{",
        *indented(w.loop(scope, "up")),
        "} else {",
        *indented(w.loop(scope)),
        "}",
    ]


def switch_in_loop(w: Writer, scope: Scope) -> Lines:
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


def member(w: Writer, scope: Scope) -> Lines:
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


def local_member(w: Writer, scope: Scope) -> Lines:
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


def global_variable(w: Writer, scope: Scope) -> Lines:
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


def element(w: Writer, scope: Scope) -> Lines:
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


def rows(w: Writer, scope: Scope) -> Lines:
    r, i, k, n = w.new_global("r"), w.new("v"), w.new("v"), w.new("w")
    w.tops += [f"static int {r}[201];"]
    step = w.pick(
        "2", i, f"({i} * 7) % 5", f"(fuzz_data[{i} & 63] & 3)", f"{i} % 3", f"({i} < 4 ? 1 : 3)"
    )
    inner = for_loop(
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


def by_reference(w: Writer, scope: Scope) -> Lines:
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


def pointer_pointer(w: Writer, scope: Scope) -> Lines:
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


def read_first(w: Writer, scope: Scope) -> Lines:
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


def static_local(w: Writer, scope: Scope) -> Lines:
    """A variable that keeps its value between the calls."""
    v, kept, start = w.new("v"), w.new("z"), w.integer(0, 4)
    change = w.pick(
        f"{kept}++;",
        f"{kept} += a;",
        f"if (a > 2) {kept} = a;",
        f"{kept} = a;",
        f"{kept} = {kept} / 2 + b;",
    )
    loop = for_loop(
        w, Scope(("a", "b", kept), depth=1), "static local", f"int {v} = 0; {v} < {kept}; {v}++", v
    )
    name = w.helper(
        ("a",),
        [f"static int {kept} = {start};", *w.pick([change, *loop], [*loop, change])],
        "int a, int b",
    )
    call = f"s += {name}({w.linear(scope)}, {w.integer(0, 3)});"
    return [call, *([call] if w.chance(2) else [])]


def walk(w: Writer, scope: Scope) -> Lines:
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
        return for_loop(w, scope, "string", head)
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
    return for_loop(w, scope, "walk", head)


def chain(w: Writer, scope: Scope) -> Lines:
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
