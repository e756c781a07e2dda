"""Lists that programs make of structures of their own, and what else they do with the nodes: cut
them, share them, move them, reach them by other ways."""

from __future__ import annotations

from dataclasses import dataclass, field

from .draft import Draft, Lines, indented


@dataclass
class _Lists:
    """A structure `t` with the names of its functions, and where main keeps lists of them."""

    d: Draft
    t: str
    push: str = ""
    make: str = ""
    heads: list[str] = field(default_factory=list)
    tails: dict[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ("next",)

    def new(self, v: str) -> str:
        """A new node whose members are not set."""
        if self.d.is_cxx and self.d.chance(2):
            return f"new {self.t}"
        if self.d.chance(4):
            return f"(struct {self.t} *)calloc(1, sizeof(struct {self.t}))"
        return f"(struct {self.t} *)malloc(sizeof(struct {self.t}))"

    def head(self) -> str:
        return str(self.d.pick(*self.heads))


def nodes(d: Draft) -> Lines:
    """Lists, and what happens to them between the walks."""
    d.include("string.h", "stdint.h")
    lists = _Lists(d, d.own("t"))
    _structure(lists)
    lines = _places(lists)
    for h in lists.heads[:2]:
        lines += _append(lists, h) if h in lists.tails else _build(lists, h)
    if d.chance(2):
        lines += _route(lists, lists.heads[0])
    else:
        for _ in range(d.integer(1, 5)):
            lines += d.pick(_build, _deed, _deed, _walk)(lists, lists.head())
    return [*lines, *_walk(lists, lists.heads[0]), *_walk(lists, lists.head())]


def _structure(x: _Lists) -> None:
    d, t = x.d, x.t
    members = ["int v;", f"struct {t} *next;"]
    if d.chance(3):
        members.append(f"struct {t} *other;")
        x.links = ("next", "other")
    if d.chance(4):
        members.append("char name[12];")
    d.rng.shuffle(members)
    x.push, x.make = d.own("push"), d.own("make")
    d.top(f"struct {t} {{", *indented(members), "};")
    body = [f"struct {t} *q = {x.new('v')};"]
    if d.chance(3):
        body.append(d.pick("if (!q) exit(1);", "if (!q) abort();", "if (!q) return 0;"))
    first, second = "q->v = v;", "q->next = tail;"
    others = ["q->other = tail ? tail->next : 0;" if d.chance(2) else "q->other = 0;"]
    set_members = [first, second, *(others if len(x.links) > 1 else [])]
    d.rng.shuffle(set_members)
    d.top(
        f"static struct {t} *{x.make}(int v, struct {t} *tail) {{",
        *indented([*body, *set_members, "return q;"]),
        "}",
    )
    d.top(f"static void {x.push}(struct {t} **h, int v) {{", f"    *h = {x.make}(v, *h);", "}")


def _places(x: _Lists) -> Lines:
    """Where lists begin: variables, members, elements, globals."""
    d, t = x.d, x.t
    a, b = d.new("a"), d.new("b")
    lines = [f"struct {t} *{a} = 0, *{b} = 0;"]
    x.heads = [a, b]
    kind = d.integer(0, 5)
    if kind == 0:
        g = d.own("head")
        d.top(f"static struct {t} *{g};")
        x.heads.insert(0, g)
    elif kind == 1:
        r = d.new("rows")
        lines.append(f"struct {t} *{r}[3] = {{0, 0, 0}};")
        x.heads = [f"{r}[{d.pick('1', 'm & 1', 's & 1')}]", f"{r}[2]", a]
    elif kind == 2:
        o, of = d.new("o"), d.own("of")
        d.top(f"struct {of} {{ int k; struct {t} *first; struct {t} *last; }};")
        lines.append(f"struct {of} {o} = {{0, 0, 0}};")
        x.heads = [f"{o}.first", f"{o}.last", a]
    elif kind == 3:
        p, of = d.new("p"), d.own("of")
        d.top(f"struct {of} {{ struct {t} *first; int k; }};")
        lines.append(f"struct {of} *{p} = (struct {of} *)calloc(2, sizeof(struct {of}));")
        x.heads = [f"{p}->first", f"{p}[1].first", b]
    if d.chance(2):
        tail = d.new("tail")
        if d.chance(3):
            tail = d.own("tail")
            d.top(f"static struct {t} *{tail};")
        else:
            lines.append(f"struct {t} *{tail} = 0;")
        x.tails[x.heads[0]] = tail
    return lines


def _append(x: _Lists, h: str) -> Lines:
    """A loop that makes nodes at the end, which a variable keeps."""
    d, t, i = x.d, x.t, x.d.new("i")
    q, tail = d.new("q"), x.tails[h]
    made = [f"struct {t} *{q} = {x.new(i)};", f"{q}->v = {i};", f"{q}->next = 0;"]
    if len(x.links) > 1:
        made.append(f"{q}->other = {d.pick('0', h)};")
    empty, full = d.pick((f"!{h}", h), (f"!{tail}", tail), (f"{h} == NULL", f"{tail} != NULL"))
    linked: Lines = d.pick(
        [f"if ({full}) {tail}->next = {q};", f"else {h} = {q};", f"{tail} = {q};"],
        [f"if ({empty}) {h} = {q};", f"else if ({tail}) {tail}->next = {q};", f"{tail} = {q};"],
        [f"if (!{h}) {h} = {tail} = {q};", f"else if ({tail}) {tail} = {tail}->next = {q};"],
    )
    taken = [
        f"if ({h} && {d.pick('m > 2', f'{i} % 3 == 1')}) {{",
        *indented([f"{h} = {h}->next;", *d.maybe([f"if (!{h}) {tail} = 0;"])]),
        "}",
    ]
    other = d.pick(
        f"struct {t} *k{q} = {tail};", f"{x.head()} = {tail};", f"if (m > 5) {tail} = 0;"
    )
    body = [*made, *linked, *d.maybe(taken, 4), *d.maybe([other], 6)]
    bound = d.pick("n", "m", "n + m", "5")
    return [
        *d.loop(f"int {i} = 0; {i} < {bound}; {i}++", body),
        *d.maybe([d.pick(f"{tail} = 0;", f"{h} = 0;", f"{h} = {tail} = 0;")], 5),
    ]


def _at_cells(x: _Lists, h: str) -> Lines:
    """A loop that makes nodes where a pointer to the last cell, or to the last node, says."""
    d, t, i = x.d, x.t, x.d.new("i")
    q, end, first = d.new("q"), d.new("end"), d.new("first")
    made = [f"struct {t} *{q} = {x.new(i)};", f"{q}->v = {i};", f"{q}->next = 0;"]
    if len(x.links) > 1:
        made.append(f"{q}->other = 0;")
    where = d.maybe([f"if ({d.pick(f'{i} % 2', 'm > 3', f'{i} != m')})"], 4)
    bound = d.pick("n", "m", "n + m", "5")
    other = d.maybe([d.pick(f"{h} = 0;", f"s += {q}->next != 0;", f"{x.head()} = {h};")], 6)
    again = d.maybe([f"if ({i} == m) {end} = {d.pick(f'&{h}', end)};"], 6)
    if d.chance(2):
        before = [f"{h} = 0;", f"struct {t} **{end} = &{h};"]
        body = [*made, f"*{end} = {q};", *where, f"{end} = &{q}->next;", *other, *again]
        return [*before, *d.loop(f"int {i} = 0; {i} < {bound}; {i}++", body)]
    before = [f"struct {t} {first}, *{end} = &{first};", f"{first}.next = 0;"]
    body = [*made, f"{end}->next = {q};", *where, f"{end} = {q};", *other]
    loop = d.loop(f"int {i} = 0; {i} < {bound}; {i}++", body)
    return [*before, *loop, f"{h} = {first}.next;"]


def _at_walked_end(x: _Lists, h: str) -> Lines:
    """A loop that walks to the end of a list for each node that it makes."""
    d, t, i = x.d, x.t, x.d.new("i")
    q, p, head, old = d.new("q"), d.new("p"), d.new("head"), d.new("old")
    made = [f"struct {t} *{q} = {x.new(i)};", f"{q}->v = {i};", f"{q}->next = 0;"]
    if len(x.links) > 1:
        made.append(f"{q}->other = 0;")
    empty = d.pick(f"!{head}", f"{head} == 0", f"!{head}", f"!{head} || {i} == m")
    until = d.pick(f"{p}->next", f"{p}->next", f"{p}->next && {p}->v != m")
    kept = d.maybe([f"{old} = {head};"], 4)
    linked = [f"struct {t} *{p} = {head};", f"while ({until}) {p} = {p}->next;"]
    linked += [*d.maybe([f"if ({i} % 3)"], 6), f"{p}->next = {q};", *kept]
    body = [f"struct {t} *{old} = 0;", *made, f"if ({empty}) {{", *indented([f"{head} = {q};"])]
    body += ["} else {", *indented(linked), "}"]
    if kept:
        body += d.loop(f"struct {t} *{p} = {old}; {p}; {p} = {p}->next")
    body += d.maybe([f"if ({i} == 2 && {head}) {head} = {head}->next;"], 5)
    bound = d.pick("n", "m", "5")
    loop = d.loop(f"int {i} = 0; {i} < {bound}; {i}++", body)
    start = d.pick("0", "0", h)
    return [f"struct {t} *{head} = {start};", *loop, *_walk(x, head), f"{h} = {head};"]


def _build(x: _Lists, h: str) -> Lines:
    """A loop that makes nodes."""
    if h in x.tails and x.d.chance(2):
        return _append(x, h)
    if x.d.chance(3):
        return x.d.pick(_at_cells, _at_walked_end)(x, h)
    d, t, i = x.d, x.t, x.d.new("i")
    q = d.new("q")
    others = [f"{q}->other = {d.pick('0', h)};"] if len(x.links) > 1 else []
    made = [f"struct {t} *{q} = {x.new(i)};", f"{q}->v = {i};", *others]
    last = d.new("last")
    body: Lines = d.pick(
        [f"{x.push}(&{h}, {i});"],
        [f"{h} = {x.make}({i}, {h});"],
        [*made, f"{q}->next = {h};", f"{h} = {q};"],
        [*made, f"{q}->next = {h};", f"{h} = {q};"],
        [*made, f"{q}->next = 0;", f"if ({last}) {last}->next = {q};",
         f"else {h} = {q};", f"{last} = {q};"],
        [*made, f"{q}->next = {h};", f"if ({d.pick('n > 3', f'{i} % 2', 'm')}) {h} = {q};"],
        [*made, f"{q}->next = {h};", f"{h} = {q};", f"if ({i} == m) {q}->next = 0;"],
        [*made, f"if ({h}) {q}->next = {h}->next;", f"else {q}->next = 0;", f"{h} = {q};"],
        [*made, f"{q}->next = {x.head()};", f"{h} = {q};"],
    )  # fmt: skip
    before = []
    if any(last in line for line in body):
        before = [f"struct {t} *{last} = 0;", f"{h} = 0;"]
    bound = d.pick("n", "m", "n + m", "5", "(n > 9 ? 9 : n)")
    return [*before, *d.loop(f"int {i} = 0; {i} < {bound}; {i}++", body)]


def _walk(x: _Lists, h: str) -> Lines:
    """A loop from node to node."""
    d, t, p = x.d, x.t, x.d.new("p")
    link = d.pick(*x.links) if d.chance(3) else "next"
    kind = d.integer(0, 7)
    if kind == 0:
        v = d.own("walk")
        d.function(d.loop(f"struct {t} *p = h; p; p = p->{link}", d.body()), f"struct {t} *h", v)
        return [f"s += {v}({h});"]
    if kind == 1:
        f = d.own("count")
        d.top(f"static long {f}(struct {t} *h) {{", f"    return h ? 1 + {f}(h->{link}) : 0;", "}")
        return [f"s += {f}({h});", *d.plain(f"(int){f}({h})")]
    if kind == 2:
        return d.loop(f"struct {t} *{p} = {h}; {p} && {p}->{link}; {p} = {p}->{link}->{link}")
    if kind == 3:
        return [
            f"struct {t} *{p} = {h};",
            *d.loop(f"{p}", ["s++;", f"{p} = {p}->{link};"]),
            *d.maybe(d.loop(f"struct {t} *{p} = {h}; {p} != 0; {p} = {p}->next")),
        ]
    if kind == 4:
        q = d.new("q")
        inner = d.loop(f"struct {t} *{q} = {d.pick(p, h)}; {q}; {q} = {q}->next")
        return d.loop(f"struct {t} *{p} = {h}; {p}; {p} = {p}->{link}", inner)
    return d.loop(f"struct {t} *{p} = {h}; {p}; {p} = {p}->{link}", d.body("n"))


def _deed(x: _Lists, h: str) -> Lines:
    """What else happens to a list; no list ever ends in a circle."""
    d, t = x.d, x.t
    other, q, i, f = x.head(), d.new("q"), d.new("i"), d.own("f")
    when = d.pick("m > 2", "n > 4", "s > 6", "argc > 2")
    cut = f"if ({h}) {h}->next = 0;"
    skip = f"if ({h} && {h}->next) {h}->next = {h}->next->next;"
    pop = f"if ({h}) {h} = {h}->next;"
    of_node = f"static void {f}(struct {t} *h) {{"
    of_head = f"static void {f}(struct {t} **h) {{"
    kind = d.integer(0, 19)
    if kind == 0:
        return [f"if ({when}) {{", f"    {d.pick(cut, skip, pop)}", "}"]
    if kind == 1:
        return [d.pick(cut, skip, pop)]
    if kind == 2:
        return d.loop(f"int {i} = 0; {i} < {d.pick('m', '2')}; {i}++", [d.pick(pop, skip)])
    if kind == 3:
        return [f"{other} = {h};", *_build(x, h)]
    if kind == 4:
        return [f"struct {t} *{q} = {h};", f"{h} = {other};", f"{other} = {q};"]
    if kind == 5:
        d.top(of_node, f"    if (h) h->next = {d.pick('0', 'h->next ? h->next->next : 0')};", "}")
        return [f"{f}({h});"]
    if kind == 6:
        d.top(of_head, f"    if (*h) *h = {d.pick('0', '(*h)->next')};", "}")
        return [f"{f}(&{h});"]
    if kind == 7:  # turned round
        b, c = d.new("b"), d.new("c")
        body = [f"struct {t} *{c} = {h};", f"{h} = {c}->next;", f"{c}->next = {b};", f"{b} = {c};"]
        return [f"struct {t} *{b} = 0;", *d.loop(h, body), f"{h} = {b};"]
    if kind == 8:  # a copy
        copy = d.pick(f"*{q} = *{h};", f"memcpy({q}, {h}, sizeof *{q});")
        end = d.pick("", f"{q}->next = 0;", f"if ({q}->next) {q}->next->next = 0;")
        return [
            f"if ({h}) {{",
            *indented([f"struct {t} *{q} = {x.new('0')};", copy, *([end] if end else [])]),
            f"    {other if other != h else h} = {q};",
            "}",
        ]
    if kind == 9:  # bytes
        return [f"if ({h} && {when}) {{", f"    memset(&{h}->next, 0, sizeof {h}->next);", "}"]
    if kind == 10:  # an integer
        return [
            f"uintptr_t {q} = (uintptr_t){h};",
            f"if ({q} && {when}) ((struct {t} *){q})->next = 0;",
        ]
    if kind == 11:  # the address of the pointer
        goes = d.pick("s % 3", f"(*{q})->v > 2")
        return [
            f"struct {t} **{q} = &{h};",
            *d.loop(f"*{q} && {goes}", [f"{q} = &(*{q})->next;", "s++;"]),
            f"{d.pick(f'*{q} = 0;', f'if (*{q}) *{q} = (*{q})->next;')}",
        ]  # fmt: skip
    if kind == 12:  # kept elsewhere
        g = d.own("kept")
        d.top(
            f"static struct {t} *{g};",
            f"static void {f}(void) {{",
            f"    if ({g}) {g}->next = 0;",
            "}",
        )
        return [f"{g} = {h};", *d.maybe(_build(x, h)), f"{f}();"]
    if kind == 13:  # through a table of functions
        d.top(of_node, "    if (h) h->next = 0;", "}")
        return [f"void (*{q}[2])(struct {t} *) = {{{f}, {f}}};", f"if ({when}) {q}[n & 1]({h});"]
    if kind == 14:  # found by a walk
        p = d.new("p")
        find = [f"if ({p}->v == {d.pick('3', 'm', '0')}) {p}->next = 0;"]
        return d.loop(f"struct {t} *{p} = {h}; {p}; {p} = {p}->next", find)
    if kind == 15:  # freed, one by one
        body = [f"struct {t} *{q} = {h};", f"{h} = {h}->next;", *d.maybe([f"{q}->next = 0;"])]
        return [*d.loop(h, body)]
    if kind == 16:  # as something else
        u = d.own("u")
        d.top(f"union {u} {{ struct {t} *at; void *any; char bytes[8]; }};")
        return [
            f"union {u} {q};",
            f"{q}.at = {h};",
            f"if ({q}.any && {when}) ((struct {t} *){q}.any)->next = 0;",
        ]
    if kind == 17 and d.is_cxx:
        d.include("utility")
        return [f"std::swap({h}, {other});"]
    if kind == 18:  # one list behind another
        b = d.new("b")
        return [
            *_build(x, h),
            f"struct {t} *{b} = {h};",
            *d.loop(f"{b} && {b}->next", [f"{b} = {b}->next;"]),
            f"if ({b}) {b}->next = {x.make}(1, 0);",
        ]
    g = d.own("put")
    d.top(
        f"static struct {t} *{g}(int k) {{",
        f"    struct {t} *r = 0;",
        *indented(d.loop("int i = 0; i < k; i++", [f"r = {x.make}(i, r);"])),
        "    return r;",
        "}",
    )
    return [f"{h} = {g}({d.pick('n', 'm', '4')});"]


def _route(x: _Lists, h: str) -> Lines:
    """A list is cut, or nearly so, at a node that is reached in another way."""
    d, t = x.d, x.t
    when = d.pick("m > 2", "n > 4", "argc > 2", "s > 6", "1")
    r, i, f, of = d.new("r"), d.new("i"), d.own("f"), d.own("of")
    cut = f"if ({r} && {when}) {r}->next = {d.pick('0', f'{r}->next ? {r}->next->next : 0')};"
    at = d.pick("m & 3", "(m * 5 + 1) & 3", "1", "argc & 3")
    kinds = 22 if d.is_cxx else 15
    kind = d.integer(0, kinds - 1)
    if kind == 0:  # an element of an array, whichever
        rows = d.new("rows")
        return [
            f"struct {t} *{rows}[4] = {{0, 0, 0, 0}};",
            f"{rows}[{at}] = {h};",
            *d.loop(
                f"int {i} = 0; {i} < 4; {i}++",
                [f"struct {t} *{r} = {rows}[({i} * {d.pick('3', 'm')}) & 3];", cut],
            ),
        ]
    if kind == 1:  # next to an element of an array
        d.top(f"struct {of} {{ struct {t} *before, *rows[4], *behind; }};")
        rows, e = d.new("o"), d.new("e")
        return [
            f"struct {of} *{rows} = (struct {of} *)calloc(1, sizeof(struct {of}));",
            f"{rows}->{d.pick('before', 'behind', f'rows[{at}]')} = {h};",
            f"struct {t} **{e} = &{rows}->rows[{d.pick('m & 3', '0', '3')}];",
            f"if ({when}) {e} += {d.pick('1', '-1', 'm & 1')};",
            f"struct {t} *{r} = {d.pick(f'*{e}', f'{e}[-1]', f'{e}[1]')};",
            cut,
        ]
    if kind == 2:  # a union of pointers to holders and integers
        d.top(
            f"struct {of} {{ int k; struct {t} *first; }};",
            f"union {of}u {{ struct {of} *l; uintptr_t bits; }};",
        )
        o, u = d.new("o"), d.new("u")
        return [
            f"struct {of} *{o} = (struct {of} *)calloc(1, sizeof(struct {of}));",
            f"union {of}u *{u} = (union {of}u *)calloc(4, sizeof(union {of}u));",
            f"{o}->first = {h};",
            f"{u}[{at}].l = {o};",
            f"uintptr_t b{u} = {u}[{at}].bits & ~(uintptr_t)1;",
            f"struct {t} *{r} = b{u} ? ((struct {of} *)b{u})->first : 0;",
            cut,
        ]
    if kind in (3, 4):  # bytes or words that are copied
        o, to = d.new("o"), d.new("to")
        d.top(f"struct {of} {{ struct {t} *first; long k; }};")
        copy: Lines = d.pick(
            d.loop(
                f"int {i} = 0; {i} < (int)sizeof(struct {of}); {i}++",
                [f"((char *){to})[{i}] = ((char *){o})[{i}];"],
            ),
            [f"*(uintptr_t *){to} = *(uintptr_t *){o};"],
            [f"*{to} = *{o};"],
            [f"memcpy({to}, {o}, sizeof *{to});"],
            [f"memmove(&{to}->first, &{o}->first, 8);"],
        )
        return [
            f"struct {of} *{o} = (struct {of} *)calloc(1, sizeof(struct {of}));",
            f"struct {of} *{to} = (struct {of} *)malloc(sizeof(struct {of}));",
            f"{o}->first = {h};",
            *copy,
            f"struct {t} *{r} = {to}->first;",
            cut,
        ]
    if kind == 5:  # called back by the library
        d.top(
            f"static int {f}(const void *a, const void *b) {{",
            f"    struct {t} *{r} = *(struct {t} *const *)a;",
            f"    int n = {r} ? {r}->v : 0, m = n, argc = n; long s = n;",
            f"    {cut}",
            f"    return {r} == *(struct {t} *const *)b;",
            "}",
        )
        rows = d.new("rows")
        return [
            f"struct {t} *{rows}[3] = {{{h}, 0, {h}}};",
            f"qsort({rows}, 3, sizeof {rows}[0], {f});",
        ]
    if kind == 6:  # a structure by value, there and back
        d.top(
            f"struct {of} {{ struct {t} *first; int k[{d.pick('1', '2', '9')}]; }};",
            f"static struct {of} {f}(struct {of} o) {{",
            "    o.k[0]++;",
            "    return o;",
            "}",
        )
        o = d.new("o")
        return [
            f"struct {of} {o} = {{{h}}};",
            f"{o} = {f}({o});",
            f"struct {t} *{r} = {o}.first;",
            cut,
        ]
    if kind == 7:  # optional arguments
        d.include("stdarg.h")
        d.top(
            f"static void {f}(int k, ...) {{",
            "    va_list list;",
            "    va_start(list, k);",
            f"    struct {t} *{r} = va_arg(list, struct {t} *);",
            f"    if ({r} && k > 2) {r}->next = 0;",
            "    va_end(list);",
            "}",
        )
        return [f"{f}({d.pick('n', 'm', '3')}, {h});"]
    if kind == 8:  # another structure of the same layout
        return [
            f"void *{r}v = {h};",
            f"struct {of} {{ {d.pick('long v; void *next;', 'void *next; long v;')} }};",
            f"if ({r}v && {when}) (*(struct {of} *){r}v).next = 0;",
        ]
    if kind == 9:  # from one of its members
        d.include("stddef.h")
        e = d.new("e")
        return [
            f"char *{e} = {h} ? (char *)&{h}->v : 0;",
            f"struct {t} *{r} = {e} ? (struct {t} *)({e} - offsetof(struct {t}, v)) : 0;",
            cut,
        ]
    if kind == 10:  # kept by a function
        d.top(
            f"static struct {t} *{f}(struct {t} *p) {{",
            f"    static struct {t} *kept;",
            f"    struct {t} *old = kept;",
            "    kept = p;",
            "    return old;",
            "}",
        )
        return [f"{f}({h});", *d.maybe(_build(x, h)), f"struct {t} *{r} = {f}(0);", cut]
    if kind == 11:  # far jumps
        d.include("setjmp.h")
        d.top(
            f"static jmp_buf {of};",
            f"static struct {t} *{f}k;",
            f"static void {f}(struct {t} *p) {{",
            f"    {f}k = p;",
            f"    longjmp({of}, 1);",
            "}",
        )
        return [f"if (!setjmp({of})) {f}({h});", f"struct {t} *{r} = {f}k;", cut]
    if kind == 12:  # a larger array of heads
        rows = d.new("rows")
        return [
            f"struct {t} **{rows} = (struct {t} **)calloc(2, sizeof(struct {t} *));",
            f"{rows}[{d.pick('0', 'm & 1')}] = {h};",
            f"{rows} = (struct {t} **)realloc({rows}, 50 * sizeof(struct {t} *));",
            f"struct {t} *{r} = {rows}[{d.pick('0', '1', 'm & 1')}];",
            cut,
        ]
    if kind == 13:  # exchanged, one by one
        rows, p = d.new("rows"), d.new("p")
        return [
            f"struct {t} *{rows}[16] = {{0}}, **{p} = {rows};",
            f"{rows}[7] = {h};",
            *d.loop(
                f"{p} < {rows} + 7", [f"if (!*{p}) *{p} = {p}[{d.pick('1', '7')}];", f"{p}++;"]
            ),
            f"struct {t} *{r} = {rows}[{d.pick('0', '6', 'm & 7')}];",
            cut,
        ]
    if kind == 14:  # a thread
        d.include("pthread.h")
        d.top(
            f"static void *{f}(void *p) {{",
            f"    ((struct {t} *)p)->next = 0;",
            "    return 0;",
            "}",
        )
        return [
            f"pthread_t {r};",
            f"if ({h} && !pthread_create(&{r}, 0, {f}, {h})) pthread_join({r}, 0);",
        ]
    if kind == 15:
        return [
            "try {",
            f"    if ({when}) throw {h};",
            f"}} catch (struct {t} *{r}) {{",
            f"    if ({r}) {r}->next = 0;",
            "}",
        ]
    if kind == 16:
        d.include("vector")
        rows = d.new("rows")
        return [
            f"std::vector<struct {t} *> {rows}(2);",
            f"{rows}.push_back({h});",
            f"struct {t} *{r} = {rows}.{d.pick('back()', 'at(2)', 'front()')};",
            cut,
        ]
    if kind == 17:
        d.include("map")
        rows = d.new("rows")
        return [
            f"std::map<int, struct {t} *> {rows};",
            f"{rows}[m] = {h};",
            f"struct {t} *{r} = {rows}[{d.pick('m', 'n')}];",
            cut,
        ]
    if kind == 18:
        run = d.new("run")
        d.include("functional")
        kept = d.pick(f"struct {t} *&", f"struct {t} *")
        return [
            f"{kept}k{r} = {h};",
            f"{d.pick('auto', 'std::function<void()>')} {run} = [&, k{r}] {{",
            f"    struct {t} *{r} = k{r};",
            f"    {cut}",
            "};",
            *d.maybe(_build(x, h)),
            f"{run}();",
        ]
    if kind == 19:
        d.top(
            f"struct {of} {{",
            f"    struct {t} *&at;",
            f"    explicit {of}(struct {t} *&p) : at(p) {{}}",
            f"    ~{of}() {{ if (at) at->next = 0; }}",
            "};",
        )
        return ["{", f"    {of} guard({h});", *indented(d.maybe(_build(x, h))), "}"]
    if kind == 20:
        d.include("memory")
        d.top(
            f"struct {of} {{",
            f"    std::shared_ptr<struct {t} *> at;",
            "    virtual void cut() { if (*at) (*at)->next = 0; }",
            f"    virtual ~{of}() {{}}",
            "};",
            f"struct {of}k : {of} {{ void cut() override {{}} }};",
        )
        o = d.new("o")
        return [
            f"std::unique_ptr<{of}> {o}({when} ? new {of} : new {of}k);",
            f"{o}->at = std::make_shared<struct {t} *>({h});",
            f"{o}->cut();",
        ]
    d.include("atomic")
    return [
        f"std::atomic<struct {t} *> a{r}({h});",
        f"struct {t} *{r} = a{r}.{d.pick('load()', 'exchange(0)')};",
        cut,
    ]
