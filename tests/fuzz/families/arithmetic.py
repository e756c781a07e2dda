"""Families of numbers that wrap: narrow induction variables, unsigned and mixed comparisons,
overflow flags."""

from __future__ import annotations

from .draft import Draft, Lines, indented

_NARROW = ("signed char", "unsigned char", "short", "unsigned short", "char")


def _narrow_type(d: Draft) -> str:
    """A type narrower than int, perhaps through a name."""
    kind = d.pick(*_NARROW)
    how = d.integer(0, 5)
    if how == 0:
        name = d.own("t")
        d.top(
            d.pick(f"typedef {kind} {name};", f"typedef {kind} {name}_0; typedef {name}_0 {name};")
        )
        return name
    if how == 1:
        d.include("stdint.h")
        return str(d.pick("int8_t", "uint8_t", "int16_t", "uint16_t"))
    if how == 2 and d.is_cxx:
        name = d.own("t")
        d.top(f"enum {name} : {kind} {{ {name}_zero, {name}_one }};")
        return name
    if how == 3 and d.is_cxx:
        name = d.own("t")
        d.top(f"using {name} = {kind};")
        return name
    return str(kind)


def _heads(d: Draft, v: str, kind: str, bound: str) -> str:
    add = (lambda k: f"{v} = ({kind})({v} + {k})") if d.is_cxx else (lambda k: f"{v} += {k}")
    cast = f"({kind})({bound})"
    return str(
        d.pick(
            f"{kind} {v} = ({kind})0; {v} < {bound}; {add(1)}",
            f"{kind} {v} = ({kind})0; {v} < {bound}; {add(d.integer(2, 7))}",
            f"{kind} {v} = ({kind})0; {v} != {cast}; {add(1)}",
            f"{kind} {v} = ({kind})0; {v} < {cast}; {add(1)}",
            f"{kind} {v} = {cast}; {v} > 0; {add(-1)}",
            f"{kind} {v} = {cast}; {v} >= 1; {add(-2)}",
            f"{kind} {v} = ({kind})1; {v} < {bound} && {v} > 0; {v} = ({kind})({v} * 3)",
            f"{kind} {v} = ({kind})1; {v} > 0; {v} = ({kind})({v} * 2)",
            f"{kind} {v} = ({kind})({bound} * 7); {v} != 0; {v} = ({kind})({v} >> 1)",
            f"{kind} {v} = ({kind})100; {v} < {bound} + 100 && {v} > 50; {add(1)}",
            f"{kind} {v} = ({kind})0; {v} <= 250 && {v} >= 0; {add(3)}",
            f"int {v} = {cast}; {v} < {bound}; {v}++",
            f"int {v} = 0; {v} < {cast}; {v}++",
            f"int {v} = 0; {v} < ({kind})({bound} + 250); {v}++",
            f"long {v} = 0; {v} < ({kind})({bound} * {d.integer(2, 90)}); {v}++",
        )
    )


def narrow(d: Draft) -> Lines:
    """Loops over types narrower than int; the words are large enough to wrap."""
    d.words += ["130 3", "1000 260", "-1 -130", "70000 40000"]
    shape = d.integer(0, 7)
    bound = d.pick("n", "m", "n + m", "2 * n", "n - 2", "200", "n / 2")
    v = d.new("i")
    if shape == 0:
        return _bit_field(d, bound)
    if shape == 1 and d.is_cxx:
        return _template(d, bound)
    kind = _narrow_type(d)
    if shape == 2:
        name = d.function(d.plain("a"), f"{kind} a")
        return [f"s += {name}(({kind})({bound}));"]
    if shape == 3:
        name = d.own("f")
        d.top(
            f"static {kind} {name}(int a) {{", f"    return ({kind})(a + {d.integer(1, 300)});", "}"
        )
        return d.plain(f"{name}({bound})")
    if shape == 4:  # an accumulated bound
        c = d.new("c")
        step = d.integer(1, 60)
        more = f"{c} = ({kind})({c} + {step});"
        return [f"{kind} {c} = ({kind}){d.integer(0, 9)};", *d.plain("m", [more]), *d.plain(c)]
    if shape == 5:
        g = d.own("g")
        d.top(f"static {kind} {g};")
        store = f"{g} = ({kind})({bound});"
        return [store, *d.plain(g), *d.maybe([f"{g} = ({kind})({g} + 100);", *d.plain(g)])]
    if shape == 6:
        c = d.new("c")
        minus = f"{c} = ({kind})({c} - {d.integer(1, 3)});"
        return [f"{kind} {c} = ({kind})({bound});", *d.loop(f"{c} > 0", ["s++;", minus])]
    return d.loop(_heads(d, v, kind, bound), d.body("m"))


def _bit_field(d: Draft, bound: str) -> Lines:
    t, b, width = d.own("t"), d.new("b"), d.integer(3, 9)
    kind = d.pick("unsigned", "unsigned", "int")
    d.top(
        f"struct {t} {{ {kind} a : {width}; {d.pick('unsigned', 'int')} b : {d.integer(3, 7)}; }};"
    )
    start = [f"struct {t} {b};", f"{b}.a = 0;", f"{b}.b = {bound};"]
    return start + d.pick(
        d.loop(f"{b}.a = 0; {b}.a < {bound}; {b}.a++"),
        d.loop(f"{b}.a = {bound}; {b}.a > 0; {b}.a--"),
        d.plain(f"{b}.b"),
        d.plain("m", [f"{b}.a += 3;"]) + d.plain(f"{b}.a"),
        d.loop(f"int i = {b}.b; i < {bound}; i++"),
    )


def _template(d: Draft, bound: str) -> Lines:
    f, kind = d.own("f"), _narrow_type(d)
    second = d.pick(kind, "int", "unsigned char")
    head = d.pick(
        "T i = T(0); i < b; i = T(i + 1)",
        "T i = T(b); i > T(0); i = T(i - 1)",
        "T i = T(a); i < T(b); i = T(i + 1)",
        "U i = U(0); i < T(b); i = U(i + 1)",
    )
    d.top(
        "template <class T, class U>",
        f"static long {f}(U a, int b) {{",
        "    long s = 0;",
        *indented(d.loop(head)),
        "    return s + a;",
        "}",
    )
    return [f"s += {f}<{kind}, {second}>(({second}){d.integer(0, 3)}, {bound});"]


def unsigned(d: Draft) -> Lines:
    """Unsigned loops that count down or compare with negative values; bounds of mixed widths."""
    d.words += ["-1 2", "2 -5", "2000 3"]
    v = d.new("i")
    kind = d.pick("unsigned", "size_t", "unsigned long", "uint32_t", "uint64_t", "unsigned")
    d.include("stdint.h", "stddef.h")
    b = d.pick("n", "m", "n + m", "n - 2", "n - 5", "2 * n", "n % 7", "n - m")
    c = d.pick("m", "n - 3", "m + 2")
    big = d.pick("1u", "1ul", "3u", "(unsigned)m", "sizeof(int)")
    head = d.pick(
        f"{kind} {v} = {b}; {v} > 0; {v}--",
        f"{kind} {v} = {b}; {v}-- > 0; ",
        f"{kind} {v} = {b}; {v} >= {d.integer(1, 4)}; {v} -= {d.integer(1, 3)}",
        f"{kind} {v} = {b}; {v} < {b}; {v}--",
        f"{kind} {v} = {b} - 1; {v} < ({kind})({b}); {v}--",
        f"{kind} {v} = 0; {v} < {b} - 1; {v}++",
        f"{kind} {v} = 0; {v} + 1 < ({kind})({b}); {v}++",
        f"{kind} {v} = 0; {v} <= ({kind})({b}) - 1; {v}++",
        f"{kind} {v} = {c}; {v} != ({kind})({b}); {v}++",
        f"{kind} {v} = {c}; {v} != ({kind})({b}); {v} += 2",
        f"int {v} = 0; {v} < ({kind})({b}); {v}++",
        f"int {v} = {b}; {v} < {big}; {v}++",
        f"int {v} = {b}; {v} > {big}; {v}--",
        f"long {v} = {b}; {v} < ({d.pick('unsigned', 'int')})({c}); {v}++",
        f"long {v} = 0; {v} < (unsigned)({b}) % 1000; {v}++",
        f"unsigned {v} = {b}; {v} < 4294967290u && {v} > 0; {v} -= {d.integer(1, 3)}",
        f"unsigned {v} = 4294967295u - {d.integer(1, 20)}; {v} >= {d.integer(1, 50)}; {v}++",
        f"unsigned {v} = {b}; {v} * 715827883u < 2147483648u && {v} < 90; {v}++",
        f"unsigned {v} = 1; {v} != 0; {v} <<= {d.integer(1, 3)}",
        f"unsigned {v} = 1; {v} < (unsigned)({b}); {v} *= {d.integer(2, 5)}",
        f"int {v} = 0; {v} < ((unsigned)({b}) >> {d.integer(24, 29)}); {v}++",
        f"unsigned {v} = 0; (int)({v} - {c}) < {b}; {v}++",
        f"int {v} = 0; (unsigned){v} < (unsigned)({b}) / 3u % 500u; {v}++",
        f"int {v} = 0; {v} < (int)((long)({b}) * 3 - ({c})); {v}++",
        f"unsigned {v} = 0; {v} < ({b} > 0 ? ({b}) : 0u); {v}++",
        f"unsigned {v} = {b}; {v} / 2 > {d.integer(0, 3)}; {v} = {v} / 2 - 1",
        f"int {v} = 0; {v} < (short)({b}) * (short){d.integer(2, 9)}; {v}++",
    )
    if head.endswith("; "):
        head = head.rstrip() if d.chance(1) else head
    lines = d.loop(head, d.body("3"))
    if d.chance(4):
        name = d.function(d.loop(f"{kind} i = 0; i < a; i++"), f"{kind} a")
        lines += [f"if ({b} < 500) s += {name}({d.pick('n', 'm', f'({kind})({b}) % 100')});"]
    return lines


def overflow(d: Draft) -> Lines:
    """Flags of the overflow builtins, and values that they leave."""
    d.words += ["2000000000 3", "120 120", "-2000000000 2000000000"]
    kind = d.pick("int", "unsigned", "long", "short", "signed char", "unsigned char")
    op = d.pick("add", "sub", "mul")
    r, f = d.new("r"), d.new("f")
    other = d.pick("m", "2", "100", "n")
    check = f"{kind} {r} = 0; int {f} = __builtin_{op}_overflow(n, {other}, &{r});"
    small = f"({r} < 0 ? 2 : {r} > 500 ? 7 : {r})"
    use = d.pick(
        d.plain(f"{f} ? 2 : 5"),
        [f"if (!{f}) {{", *indented(d.plain(f"(int){small}")), "}"],
        d.plain(f"(int){small}"),
        [f"if ({f}) return 3;", *d.plain("m")],
        d.plain("m", [f"if (__builtin_{op}_overflow({r}, n, &{r})) break;", "s++;"]),
    )
    if d.chance(3):
        v, w = d.new("i"), d.new("w")
        kind = d.pick("int", "unsigned char", "short", "unsigned")
        step = d.pick("1", "n", "m", "100")
        start = [f"{kind} {v} = {d.pick('1', '0', '100')}; {kind} {w} = 0;", "int guard = 0;"]
        test = f"!__builtin_{op}_overflow({v}, {step}, &{w}) && guard < 1000"
        return start + d.loop(test, [f"{v} = {w};", "guard++;", "s++;"])
    return [check, *use]
