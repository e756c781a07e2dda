"""Loops that end at what arrays hold: filled in many ways, in part again, by callees, through
pointers, by what they held before."""

from __future__ import annotations

from .draft import Draft, Lines, indented

_SIZE, _MOST = 160, 64
"""Elements of each array; n and m, of which at most two are added, lie between 1 and this."""
_KINDS = ("int", "int", "int", "long", "unsigned", "short", "unsigned char", "signed char")


def arrays(d: Draft) -> Lines:
    """One or two arrays, filled by two to five statements, and three loops to what they hold."""
    d.include("string.h")
    d.words += ["1 1", "5 9", "9 5", "16 3", "2 40", "40 2", "7 7"]
    kind = d.pick(*_KINDS)
    names = ["a", "b"][: d.integer(1, 2)]
    lines = [f"if (n < 1 || n > {_MOST} || m < 1 || m > {_MOST}) return 0;"]
    is_vector = d.is_cxx and d.chance(2)
    for name in names:
        lines += _vector(d, kind, name) if is_vector else _array(d, kind, name)
    for _ in range(d.integer(2, 5)):
        way = d.pick(*_WAYS, *((_by_member,) * 4 if is_vector else ()))
        lines += way(d, kind, d.pick(*names), names)
    for _ in range(3):
        lines += d.pick(*_READS)(d, d.pick(*names))
    return [*lines, *(f"free({n});" for n in names if f"free({n})" in lines)]


# -- where they stand
def _array(d: Draft, kind: str, name: str) -> Lines:
    fill = d.loop(f"int i = 0; i < {_SIZE}; i++", [f"{name}[i] = {_value(d, 'i')};"])
    static = d.own(name)
    where = d.integer(0, 4)
    if where == 0:
        return [f"{kind} {name}[{_SIZE}] = {{0}};"]
    if where == 1:
        return [f"{kind} {name}[{_SIZE}];", *fill]
    if where == 2:
        d.top(f"static {kind} {static}[{_SIZE}];")
        return [f"{kind} *{name} = {static};"]
    if where == 3:
        return [f"{kind} *{name} = ({kind} *)calloc({_SIZE}, sizeof *{name});"]
    return [f"{kind} *{name} = ({kind} *)malloc({_SIZE} * sizeof *{name});", *fill]


def _vector(d: Draft, kind: str, name: str) -> Lines:
    d.include("algorithm", "numeric", "vector")
    of = f"std::vector<{kind}> {name}"
    return list(
        d.pick(
            [f"{of}({_SIZE});"],
            [f"{of}({_SIZE}, {_value(d)});"],
            [
                f"{of};",
                *d.loop(f"int i = 0; i < {_SIZE}; i++", [f"{name}.push_back({_value(d, 'i')});"]),
            ],
            [f"{of};", f"{name}.resize({_SIZE}, {_value(d)});"],
        )
    )


# -- values and places
def _value(d: Draft, *indices: str) -> str:
    known = ["3", "7", "0", "n", "m", "n - m", "200"]
    for i in indices:
        known += [i, f"2 * {i}", f"{i} / 2", f"{i} % 3", f"{i} + m", f"n - {i}", f"{i} * {i}"]
    return str(d.pick(*known))


def _place(d: Draft) -> str:
    return str(d.pick("0", "1", "n - 1", "m", "n", "m - 1", "n / 2", "5"))


def _head(d: Draft) -> tuple[str, str]:
    """A loop over i, and its number."""
    end = d.pick("n", "m", "n", "5", "n / 2")
    return d.pick(
        (f"int i = 0; i < {end}; i++", end),
        (f"int i = 0; i < {end}; i++", end),
        (f"int i = {end} - 1; i >= 0; i--", end),
        (f"int i = 1; i < {end}; i++", end),
        (f"int i = 0; i < {end}; i += 2", end),
        (f"int i = 0; i <= {end}; i += 3", end),
        (f"int i = {end}; i > 1; i -= 2", end),
    )


# -- ways to fill
def _in_a_loop(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    head, end = _head(d)
    subscript = d.pick("i", "i", "i", "i + 1", f"{end} - i", f"i + {_MOST}", "2 * i / 2", "i % 4")
    store = f"{a}[{subscript}] = {_value(d, 'i')};"
    body = d.pick(
        [store],
        [store],
        [f"if (i {d.pick('<', '>', '==', '!=')} {_place(d)}) {store}"],
        [f"if (i % 2) {store}"],
        [f"if (i > m) {store}", f"else {a}[i] = {_value(d, 'i')};"],
        [store, f"{a}[{d.pick('i', 'i + 1', '0', 'm')}] = {_value(d, 'i')};"],
        [store, f"if (i == {_place(d)}) break;"],
    )
    return d.loop(head, body)


def _by_what_it_held(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    other = d.pick(*names)
    up = d.pick(
        f"{a}[i] = {a}[i - 1] + {d.pick('1', '2', 'm', 'i')};",
        f"{a}[i] = {a}[i - 1] * 2;",
        f"{a}[i] = {a}[i + 1] + 1;",
        f"{a}[i] += {_value(d, 'i')};",
        f"{a}[i] = {other}[i] + 1;",
        f"{a}[i] = {other}[n - i];",
        f"{a}[0] += i;",
        f"{a}[i] = {a}[0] + i;",
        f"{a}[i] = {a}[i] / 2;",
    )
    head = d.pick("int i = 1; i < n; i++", "int i = 1; i < m; i++", "int i = n; i > 0; i--")
    lines = d.loop(head, [up])
    return d.loop(f"int r = 0; r < {d.pick('2', 'm')}; r++", lines) if d.chance(4) else lines


def _one(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    store = f"{a}[{_place(d)}] = {_value(d)};"
    return [d.pick(store, store, f"if (n > m) {store}", f"{a}[{_place(d)}]++;")]


def _of_bytes(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    number = d.pick("n", "m", str(_SIZE), "5")
    to, start = d.pick((f"&{a}[0]", ""), (f"&{a}[1]", ""), (f"&{a}[m]", "")), d.pick(*names)
    return [
        d.pick(
            f"memset({to[0]}, {d.pick('0', '0', '255', '1')}, n * sizeof {a}[0]);",
            f"memset(&{a}[0], 0, {number} * sizeof {a}[0]);",
            f"memmove({to[0]}, &{start}[0], n * sizeof {a}[0]);",
        )
    ]


def _by_pointer(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    p, end = d.new("p"), d.pick("n", "m")
    return d.pick(
        [f"{kind} *{p} = &{a}[0];", *d.loop(f"{p} < &{a}[0] + {end}", [f"*{p}++ = {_value(d)};"])],
        [f"{kind} *{p} = &{a}[{end}];", *d.loop(f"{p} != &{a}[0]", [f"*--{p} = {_value(d)};"])],
    )


def _by_callee(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    fill = d.own("fill")
    d.top(
        f"static void {fill}({kind} *x, int k, int c) {{",
        *indented(
            d.loop(
                d.pick("int i = 0; i < k; i++", "int i = k; i > 0; i--"),
                [d.pick("x[i] = c;", "x[i] = i + c;", "x[i] += c;", "x[0] = x[i] + c;")],
            )
        ),
        *indented(d.maybe([f"x[{d.pick('0', 'k', '3')}] = c;"])),
        "}",
    )
    start = d.pick(f"&{a}[0]", f"&{a}[0]", f"&{a}[m]")
    return [f"{fill}({start}, {d.pick('n', 'm')}, {_value(d)});"]


def _by_rows(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    rows, columns = d.pick(("4", "5"), ("n / 8", "8"), ("3", "m / 4"))
    place = d.pick(f"i * {columns} + j", "i * 8 + j", "j * 8 + i")
    store = f"{a}[{place}] = {_value(d, 'i', 'j')};"
    return d.loop(f"int i = 0; i < {rows}; i++", d.loop(f"int j = 0; j < {columns}; j++", [store]))


def _swapped(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    p, q = _place(d), _place(d)
    return [f"{{ {kind} t = {a}[{p}]; {a}[{p}] = {a}[{q}]; {a}[{q}] = t; }}"]


def _by_member(d: Draft, kind: str, a: str, names: list[str]) -> Lines:
    other = d.pick(*names)
    return [
        d.pick(
            f"{a}.push_back({_value(d)});",
            f"{a}.assign({_SIZE}, {_value(d)});",
            f"{a}.resize({_SIZE} + n, {_value(d)});",
            f"std::fill({a}.begin(), {a}.begin() + n, {_value(d)});",
            f"std::iota({a}.begin(), {a}.begin() + m, n);",
            f"std::copy({other}.begin(), {other}.begin() + {_SIZE}, {a}.begin());",
            f"{a} = {other};",
            f"{a}.swap({other});",
            f"std::reverse({a}.begin(), {a}.begin() + n);",
            f"{a}.pop_back(); {a}.push_back({_value(d)});",
            f"{a}.insert({a}.begin(), {_value(d)});",
        )
    ]


_WAYS = (
    *(_in_a_loop,) * 4,
    *(_by_what_it_held,) * 2,
    *(_one,) * 2,
    _of_bytes,
    _by_pointer,
    _by_callee,
    _by_rows,
    _swapped,
)


# -- what ends at their elements
def _of_each(d: Draft, a: str) -> Lines:
    k, end = d.new("k"), d.pick("n", "n", "m", "9")
    place = d.pick("j", "j", f"{end} - 1 - j", "j + 1", "2 * j", "j / 2")
    inner = d.loop(f"int {k} = 0; {k} < (int){a}[{place}]; {k}++")
    return d.loop(f"int j = 0; j < {end}; j++", inner)


def _of_one(d: Draft, a: str) -> Lines:
    return d.plain(f"(int){a}[{_place(d)}]")


def _where(d: Draft, a: str) -> Lines:
    test = f"{a}[j] {d.pick('>', '==', '!=')} {d.pick('0', '3', 'm')}"
    return d.loop("int j = 0; j < n; j++", [f"if ({test}) {{", *indented(d.plain("m")), "}"])


def _by_total(d: Draft, a: str) -> Lines:
    t = d.new("t")
    return [
        f"long {t} = 0;",
        *d.loop("int j = 0; j < n; j++", [f"{t} += {a}[j];"]),
        *d.plain(f"{t} % 50"),
    ]


_READS = (_of_each, _of_each, _of_each, _of_one, _of_one, _where, _by_total)
