"""Whole programs: state machines, input loops, recursion, callbacks and early ends together."""

from __future__ import annotations

from .draft import Draft, Lines, indented


def whole(d: Draft) -> Lines:
    """Several habits of real programs in one."""
    d.include("string.h", "unistd.h")
    parts: list[Lines] = []
    for _ in range(d.integer(2, 4)):
        parts.append(_part(d))
    return [line for part in parts for line in part]


def _part(d: Draft) -> Lines:
    v, kind = d.new("i"), d.integer(0, 13)
    if kind == 0:
        state = d.new("state")
        return [
            f"int {state} = 0;",
            *d.loop(
                f"{state} != 3 && s < 3000",
                [
                    f"switch ({state}) {{",
                    f"case 0: {state} = n > 3 ? 1 : 2; break;",
                    f"case 1: {state} = 3; break;",
                    f"default: {state} = {d.pick('3', '1')};",
                    "}",
                    "s++;",
                ],
            ),
        ]
    if kind == 1:
        f = d.own("f")
        d.top(
            f"static long {f}(int a) {{",
            f"    if (a <= {d.integer(0, 2)}) return 1;",
            "    long s = 0;",
            *indented(d.plain(d.pick("a", "2"))),
            f"    return s + {f}({d.pick('a - 1', 'a / 2', 'a - 2')});",
            "}",
        )
        return [f"s += {f}(n < 60 ? n : 60);"]
    if kind == 2:
        g, f = d.own("limit"), d.own("set")
        d.top(
            f"static int {g} = {d.integer(2, 6)};",
            f"static void {f}(int a) {{",
            f"    if (a > {d.integer(2, 8)}) {g} = a;",
            "}",
        )
        return [f"{f}({d.pick('n', 'm')});", *d.plain(g)]
    if kind == 3:
        data = d.new("data")
        return [
            f"int *{data} = (int *)malloc(100 * sizeof(int));",
            f"if (!{data}) exit(1);",
            *d.loop(f"int {v} = 0; {v} < 100; {v}++", [f"{data}[{v}] = {v} % 7;"]),
            *d.loop(f"int {v} = 0; {v} < 100 && {data}[{v}] != {d.integer(3, 9)}; {v}++"),
            f"free({data});",
        ]
    if kind == 4:
        name = d.new("k")
        return [
            f"int {name} = n;",
            *d.loop(
                f"{name} > 1 && s < 5000",
                [f"{name} = {name} % 2 ? 3 * {name} + 1 : {name} / 2;", "s++;"],
            ),
        ]
    if kind == 5:
        a, b = d.new("a"), d.new("b")
        return [
            f"int {a} = abs(n), {b} = abs(m);",
            *d.loop(f"{b} != 0", [f"int t = {a} % {b};", f"{a} = {b};", f"{b} = t;"]),
            *d.plain(a),
        ]
    if kind == 6:
        f, g = d.own("check"), d.own("die")
        d.top(
            f"static void {g}(const char *why) {{",
            '    fprintf(stderr, "%s\\n", why);',
            f"    exit({d.pick(1, 0)});",
            "}",
            f"static int {f}(int a) {{",
            f'    if (a < 0) {g}("negative");',
            f'    if (a > 250) {g}("large");',
            "    return a;",
            "}",
        )
        return [*d.plain(f"{f}({d.pick('n', 'm', 'n - m')})"), *d.plain("2")]
    if kind == 7:
        p = d.new("p")
        return [f"const char *{p} = argv[argc - 1];", *d.loop(f"*{p}", [f"{p}++;", "s++;"])]
    if kind == 8:
        return d.loop(
            f"int {v} = 0; {v} < n; {v}++",
            [
                f"if ({v} == m) continue;",
                *d.plain(d.pick("m", v, f"{v} / 2")),
                *d.maybe([f"if (s > {d.integer(5, 60)}) break;"]),
            ],
        )
    if kind == 9:
        name = d.new("out")
        return [
            f"for (int {v} = 0; {v} < n; {v}++) {{",
            "    for (int j = 0; j < m; j++) {",
            f"        if ({v} + j == {d.integer(4, 12)}) goto {name};",
            "        s++;",
            "    }",
            "}",
            f"{name}:;",
            *d.plain("2"),
        ]
    if kind == 10:
        f, h = d.counted(), d.counted()
        p = d.new("p")
        return [
            f"long (*{p})(int) = {d.pick('n > m', 'n & 1', 'm > 2')} ? {f} : {h};",
            f"s += {p}({d.pick('n', 'm')});",
        ]
    if kind == 11:
        k = d.new("k")
        return [
            f"int {k} = 0;",
            "do {",
            f"    {k} += {d.pick('1', '2', 'm > 0 ? m : 1')};",
            "    s++;",
            f"}} while ({k} < n);",
        ]
    if kind == 12:
        f = d.function(
            [
                "if (a < 0) return 0;",
                *d.plain("a", ["s++;", f"if (s == {d.integer(2, 9)}) return s;"]),
                *d.plain("2"),
            ]
        )
        return [f"s += {f}(n);", f"if ({f}(m) > 3) return {d.pick(0, 1)};"]
    t = d.own("list")
    d.top(f"struct {t} {{ struct {t} *next; int k; }};")
    node, head = d.new("x"), d.new("h")
    cast = f"(struct {t} *)"
    return [
        f"struct {t} *{head} = 0;",
        *d.plain(
            "n",
            [
                f"struct {t} *{node} = {cast}malloc(sizeof(struct {t}));",
                f"{node}->next = {head}; {node}->k = (int)s & 3; {head} = {node};",
            ],
        ),
        *d.loop(f"struct {t} *p = {head}; p; p = p->next", d.plain("p->k")),
    ]
