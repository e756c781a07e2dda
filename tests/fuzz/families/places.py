"""Bounds of loops and functions that are kept in memory, and the ways in which a program may write
them there."""

from __future__ import annotations

from .draft import Draft, Lines, indented


def places(d: Draft) -> Lines:
    """A bound in memory, written in ways that are hard to see, and loops up to it."""
    d.include("string.h", "stdint.h")
    kind = d.pick("int", "int", "long", "unsigned char", "short")
    lines, place = _place(d, kind)
    lines += [f"{place} = {d.number()};", *d.maybe(d.plain(place), 4)]
    for _ in range(d.pick(1, 1, 2)):
        lines += _written(d, kind, place)
    return [*lines, *d.plain(place), *d.maybe(d.plain("n"), 4)]


def targets(d: Draft) -> Lines:
    """A pointer to a function in memory, written in ways that are hard to see, and calls of it."""
    d.include("string.h", "stdint.h")
    names = [d.function(d.plain(bound), "int a") for bound in ("a", "a + 1", "2 * a")]
    kind = d.own("run")
    d.top(f"typedef long (*{kind})(int);")
    lines, place = _place(d, kind)
    lines += [f"{place} = {names[0]};", *d.maybe([f"s += {place}(m);"], 4)]
    lines += _written(
        d, kind, place, d.pick(names[1], f"n > 3 ? {names[1]} : {names[2]}"), names[2]
    )
    return [*lines, f"s += {place}({d.number()});", *d.maybe([f"s += {names[0]}(3);"], 4)]


_OF_NUMBERS = (2, 5, 6, 11, 18, 19)
"""Ways to write that are none to write a pointer."""


def _place(d: Draft, kind: str) -> tuple[Lines, str]:
    """(its declaration in main, how it is written)"""
    g, t, x = d.own("g"), d.own("t"), d.new("x")
    at = d.pick("1", "m & 3", "argc & 3")
    d.top(f"struct {t} {{ {d.pick('char c; ', 'long c; ', '')}{kind} a, b[4]; int z; }};")
    member = d.pick("a", "b[1]", f"b[{at}]")
    choice = d.integer(0, 8)
    if choice == 0:
        d.top(f"static {kind} {g};")
        return [], g
    if choice == 1:
        d.top(f"static {kind} {g}[4];")
        return [], f"{g}[{at}]"
    if choice == 2:
        d.top(f"static struct {t} {g};")
        return [], f"{g}.{member}"
    if choice == 3:
        return [f"struct {t} {x} = {{0}};"], f"{x}.{member}"
    if choice == 4:
        made = f"(struct {t} *)calloc({d.pick('1', '2')}, sizeof(struct {t}))"
        return [f"struct {t} *{x} = {made};"], f"{x}->{member}"
    if choice == 5:
        d.top(f"static struct {t} *{g};")
        return [f"{g} = (struct {t} *)malloc(sizeof(struct {t}));"], f"{g}->{member}"
    if choice == 6:
        return [f"{kind} *{x} = ({kind} *)calloc(4, sizeof({kind}));"], f"{x}[{at}]"
    if choice == 7:
        return [f"static {kind} {x}[2][2];"], f"{x}[m & 1][{d.pick('0', '1')}]"
    return [f"{kind} {x} = 0;"], x


def _written(d: Draft, kind: str, place: str, value: str = "", constant: str = "5") -> Lines:
    """Lines that write the place, or something near it. value: of a pointer."""
    p, i, f, t, y = d.new("p"), d.new("i"), d.own("f"), d.own("u"), d.new("y")
    is_number = not value
    value = value or d.pick("m", "3", "n + 1", "7", "m + 2")
    when = d.pick("m > 2", "n > 4", "argc > 2", "1")
    near = d.pick("0", "0", "0", "1", "-1") if place[-1:] == "]" and "m &" not in place else "0"
    cast = f"{kind} *{p} = &{place};" if near == "0" else f"{kind} *{p} = &{place} + ({near});"
    if near != "0" and place[-3:] != "[1]":
        cast = f"{kind} *{p} = &{place};"
    way = d.pick(*(w for w in range(22) if is_number or w not in _OF_NUMBERS))
    if way == 0:
        return [cast, f"if ({when}) *{p} = {value};"]
    if way == 1:
        d.top(
            f"static void {f}({kind} *q, {kind} v) {{",
            f"    if (v {'> 2' if is_number and d.chance(2) else '!= 0'}) *q = v;",
            "}",
        )
        return [cast, f"{f}({p}, {value});"]
    if way == 2:  # a byte of it
        return [cast, f"((unsigned char *){p})[0] = {value} & 15;"]
    if way == 3:
        return [
            cast,
            f"{kind} {y} = {value};",
            *d.loop(
                f"int {i} = 0; {i} < (int)sizeof({kind}); {i}++",
                [f"((char *){p})[{i}] = ((char *)&{y})[{i}];"],
            ),
        ]
    if way == 4:
        return [
            cast,
            f"{kind} {y} = {value};",
            f"{d.pick('memcpy', 'memmove')}({p}, &{y}, sizeof {y});",
        ]
    if way == 5:
        return [cast, f"memset({p}, {d.pick('0', '0', '1')}, {d.pick('1', f'sizeof *{p}')});"]
    if way == 6:
        d.top(f"union {t} {{ {kind} k; unsigned char b[sizeof({kind})]; }};")
        return [
            f"union {t} {y};",
            f"{y}.k = {place};",
            f"{y}.b[0] = {value} & 7;",
            f"{place} = {y}.k;",
        ]
    if way == 7:  # found in an array of pointers
        return [
            cast,
            f"{kind} {y} = 0, *{p}s[3] = {{&{y}, &{y}, &{y}}};",
            f"{p}s[{d.pick('m & 1', '1', '2')}] = {p};",
            f"*{p}s[{d.pick('1', 'n & 1', '0')}] = {value};",
        ]
    if way == 8:  # called back
        d.top(
            f"static int {f}(const void *a, const void *b) {{",
            f"    ({kind} *)a == b ? 0 : (**({kind} *const *)a = {constant});",
            "    return 0;",
            "}",
        )
        return [cast, f"{kind} *{p}s[2] = {{{p}, {p}}};", f"qsort({p}s, 2, sizeof {p}s[0], {f});"]
    if way == 9:
        d.include("setjmp.h")
        d.top(
            f"static jmp_buf {f}j;",
            f"static void {f}({kind} *q, {kind} v) {{",
            "    *q = v;",
            f"    longjmp({f}j, 1);",
            "}",
        )
        return [cast, f"if (!setjmp({f}j)) {f}({p}, {value});"]
    if way == 10:
        d.include("stdarg.h")
        d.top(
            f"static void {f}(int v, ...) {{",
            "    va_list list;",
            "    va_start(list, v);",
            f"    *va_arg(list, {kind} *) = {'v' if is_number else constant};",
            "    va_end(list);",
            "}",
        )
        return [cast, f"{f}({value if is_number else 1}, {p});"]
    if way == 11:
        form = {"int": "%d", "long": "%ld", "short": "%hd"}.get(kind, "%hhu")
        text = d.pick('"6"', "argv[1]", '"x"')
        return [cast, f'if (argc > 1) sscanf({text}, "{form}", {p});']
    if way == 12:
        d.top(
            f"struct {t} {{ {kind} *at; {kind} v; }};",
            f"static void {f}(struct {t} o) {{ *o.at = o.v; }}",
        )
        return [cast, f"struct {t} {y} = {{{p}, ({kind})({value})}};", f"{f}({y});"]
    if way == 13:  # as a number
        return [cast, f"uintptr_t {y} = (uintptr_t){p};", f"if ({when}) *({kind} *){y} = {value};"]
    if way == 14:  # kept
        d.top(
            f"static {kind} *{f}k;",
            f"static void {f}({kind} v) {{",
            f"    if ({f}k) *{f}k = v;",
            "}",
        )
        return [cast, f"{f}k = {p};", *d.maybe([f"{f}k = 0;"], 4), f"{f}({value});"]
    if way == 15:
        d.include("pthread.h")
        d.top(
            f"static void *{f}(void *q) {{", f"    *({kind} *)q = {constant};", "    return 0;", "}"
        )
        return [
            cast,
            f"pthread_t {y};",
            f"if (!pthread_create(&{y}, 0, {f}, {p})) pthread_join({y}, 0);",
        ]
    if way == 16:
        return [cast, f"{kind} **{y} = &{p};", f"**{y} = {value};"]
    if way == 17:
        store = d.pick("__atomic_store_n", "__atomic_exchange_n")
        store = "__atomic_fetch_add" if is_number and d.chance(3) else store
        return [cast, f"{store}({p}, ({kind})({value}), __ATOMIC_SEQ_CST);"]
    if way == 18:  # through a walking pointer
        return [
            f"{kind} {y}[8] = {{0}}, *{p} = {y};",
            f"{y}[5] = {place};",
            *d.loop(f"{p} < {y} + 8", [f"if (*{p} > 2) *{p} = {value};", f"{p}++;"]),
            f"{place} = {y}[{d.pick('5', 'm & 7')}];",
        ]
    if way == 19:  # a structure around it, copied
        d.top(f"struct {t} {{ int k; {kind} v[3]; }};")
        return [
            f"struct {t} {y} = {{1, {{1, 2, 3}}}}, {p};",
            f"{y}.v[{d.pick('1', 'm % 3 & 1')}] = {place};",
            f"{p} = {y};",
            d.pick(
                f"{p}.v[1]++;", f"memcpy(&{p}.v[1], &{y}.v[2], sizeof({kind}));", f"{y}.v[1] = 9;"
            ),
            f"{place} = {p}.v[1];",
        ]
    if way == 20:
        d.top(
            f"static {kind} *{f}({kind} *a, {kind} *b, int v) {{", "    return v > 3 ? a : b;", "}"
        )
        return [
            cast,
            f"{kind} {y} = 0;",
            f"*{f}({p}, &{y}, {d.pick('n', 'm', '5', '2')}) = {value};",
        ]
    if d.is_cxx:
        return d.pick(
            [f"auto {y} = [&] {{ {place} = {value}; }};", f"if ({when}) {y}();"],
            [f"{kind} &{y} = {place};", f"{y} = {value};"],
            ["try {", *indented([f"if ({when}) throw &{place};"]), f"}} catch ({kind} *{y}) {{",
             f"    *{y} = {value};", "}"],
        )  # fmt: skip
    return [cast, f"{kind} *volatile {y} = {p};", f"*{y} = {value};"]
