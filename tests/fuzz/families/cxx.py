"""C++ shapes: templates, lambdas, iterators, containers, classes."""

from __future__ import annotations

from .draft import Draft, Lines, indented


def templates(d: Draft) -> Lines:
    """Templates by type, by number, recursive, variadic; overloads."""
    f, kind = d.own("f"), d.integer(0, 6)
    if kind == 0:
        d.top(
            "template <int K>",
            f"static long {f}(int a) {{",
            "    long s = 0;",
            *indented(d.plain(d.pick("K", "a + K", "a"))),
            "    return s;",
            "}",
        )
        return [f"s += {f}<3>(n) + {f}<{d.integer(1, 6)}>(m);"]
    if kind == 1:
        d.top(
            "template <int K>",
            f"static long {f}(int a) {{",
            "    long s = 0;",
            *indented(d.plain("a")),
            "    if constexpr (K > 0) {",
            f"        s += {f}<K - 1>(a{d.pick('', ' - 1', ' / 2')});",
            "    }",
            "    return s;",
            "}",
        )
        return [f"s += {f}<{d.integer(1, 4)}>(n);"]
    if kind == 2:
        d.top(
            "template <class F>",
            f"static long {f}(F g, int a) {{",
            "    long s = 0;",
            *indented(d.loop("int i = 0; i < a; i++", ["s += g(i);"])),
            "    return s;",
            "}",
        )
        return [
            f"s += {f}([&](int k) {{ return k + m; }}, n);",
            f"s += {f}([&](int k) {{",
            *indented(["long s = 0;", *d.plain(d.pick("k", "m")), "return s;"]),
            "}, m);",
        ]
    if kind == 3:
        d.top(
            "template <class... A>",
            f"static long {f}(A... a) {{",
            "    long s = 0;",
            "    const int all[] = {a...};",
            *indented(d.loop("int x : all", d.plain("x"))),
            "    return s;",
            "}",
        )
        return [f"s += {f}(n, m, 3) + {f}(m);"]
    if kind == 4:
        t = d.own("t")
        d.top(
            "template <class T>",
            f"struct {t} {{",
            "    T k;",
            "    long run(T a) {",
            "        long s = 0;",
            *indented(indented(d.loop("T i = 0; i < a; i += k"))),
            "        return s;",
            "    }",
            "};",
        )
        return [
            f"{t}<{d.pick('int', 'short', 'long', 'unsigned char')}> x{{1}};",
            f"s += x.run({d.pick('n', '100', '9')});",
        ]
    if kind == 5:
        d.top("template <class T>", f"static T {f}(T a, T b) {{", "    return a < b ? a : b;", "}")
        return d.plain(f"{f}{d.pick('', '<int>', '<short>', '<unsigned>', '<signed char>')}(n, m)")
    d.top(
        f"static constexpr int {f}(int a) {{",
        "    int k = 0;",
        *indented(d.plain("a", ["k += 2;"])),
        "    return k;",
        "}",
    )
    return [*d.plain(f"{f}({d.pick('n', '4')})")]


def lambdas(d: Draft) -> Lines:
    """Closures by value and by reference, mutable, nested, kept, generic."""
    d.include("functional", "vector")
    v = d.new("i")
    return list(
        d.pick(
            [
                "auto f = [n](int k) {",
                *indented(["long s = 0;", *d.plain("n + k"), "return s;"]),
                "};",
                *d.maybe(["n = 2;"]),
                "s += f(m);",
            ],
            [
                "auto f = [&](int k) {",
                *indented(d.plain("k")),
                "    n++;",
                "};",
                "f(n);",
                "f(m);",
                *d.plain("n"),
            ],
            [
                "auto f = [k = 0]() mutable { return ++k; };",
                *d.loop(f"int {v} = 0; {v} < n; {v}++", d.plain("f()")),
            ],
            [
                "auto f = [](auto a) {",
                *indented(["long s = 0;", *d.loop("decltype(a) i = 0; i < a; i++"), "return s;"]),
                "};",
                "s += f(n);",
                "s += f((short)m);",
            ],
            [
                "auto f = [&](int a) {",
                "    auto g = [&](int b) {",
                *indented(indented(d.plain("b"))),
                "    };",
                "    g(a);",
                "    return n;",
                "};",
                *d.plain("f(m)"),
            ],
            [
                "std::function<int(int)> f = [&](int a) -> int {",
                "    s++;",
                "    return a < 2 ? 1 : f(a - 1) + 1;",
                "};",
                "int k = n < 50 ? n : 5;",
                *d.plain("f(k)"),
            ],
            [
                "std::vector<std::function<int()>> all;",
                *d.loop(
                    f"int {v} = 0; {v} < 3; {v}++",
                    [f"all.push_back([{v}, n] {{ return {v} + n; }});"],
                ),
                *d.loop("auto &f : all", d.plain("f()")),
            ],
            ["int k = m;", "auto set = [&k](int a) { k = a; };", "set(n);", *d.plain("k")],
        )
    )


def iterators(d: Draft) -> Lines:
    """Containers and their iterators, changed while loops run."""
    d.include(
        "vector", "list", "map", "array", "string", "deque", "numeric", "set", "unordered_map"
    )
    v = d.new("i")
    size = d.pick("n", "m", "4")
    safe = f"({size} > 0 && {size} < 2000 ? {size} : 1)"
    vec = [f"std::vector<int> data({safe}{d.pick('', ', 2')});"]
    word = d.pick(
        "auto it = data.begin(); it != data.end(); ++it",
        "auto &x : data",
        "int x : data",
        f"size_t {v} = 0; {v} < data.size(); {v}++",
        f"int {v} = 0; {v} < (int)data.size(); {v}++",
        "auto it = data.rbegin(); it != data.rend(); ++it",
        "const int *p = data.data(), *e = p + data.size(); p != e; p++",
    )
    shape = d.integer(0, 12)
    if shape == 0:
        return [*vec, *d.loop(word)]
    if shape == 1:
        return [
            *vec,
            d.pick(
                "data.push_back(1);",
                "data.pop_back();",
                "data.resize(m > 0 ? m : 2);",
                "data.clear();",
                "data.insert(data.begin(), 3);",
                "data.erase(data.begin());",
                "data.reserve(50);",
                "data.assign(3, 1);",
                "data.shrink_to_fit();",
                "data = {1, 2, 3};",
            ),
            *d.loop(word),
        ]
    if shape == 2:
        return [
            *vec,
            *d.loop(
                f"size_t {v} = 0; {v} < data.size(); {v}++",
                [
                    "s++;",
                    d.pick(
                        f"if ({v} < 3) data.push_back(1);",
                        "if (data.size() > 2) data.pop_back();",
                        f"if ({v} == 1) data.resize(2);",
                    ),
                ],
            ),
        ]
    if shape == 3:
        return [
            *vec,
            *d.loop(
                "auto it = data.begin(); it != data.end();",
                ["s++;", "if (*it == 2) it = data.erase(it); else ++it;"],
            ),
        ]
    if shape == 4:
        return [
            "std::list<int> data;",
            *d.plain(size, ["data.push_back(1);"]),
            *d.loop("int x : data"),
        ]
    if shape == 5:
        return [
            "std::map<int, int> data;",
            *d.plain(size, [f"data[(int)data.size() % {d.integer(2, 5)}] = 1;"]),
            *d.loop("auto &x : data"),
        ]
    if shape == 6:
        return [
            "std::array<int, 5> data{};",
            *d.loop(word.replace("int *p = data.data()", "int *p = data.data()")),
        ]
    if shape == 7:
        return [
            f"std::string data({safe}, 'x');",
            *d.maybe(["data += argv[1];"]),
            *d.loop(
                d.pick(
                    "char c : data",
                    f"size_t {v} = 0; {v} < data.size(); {v}++",
                    f"int {v} = 0; data[{v}]; {v}++",
                )
            ),
        ]
    if shape == 8:
        return [
            f"std::deque<int> data({safe});",
            *d.loop("!data.empty()", ["data.pop_front();", "s++;"]),
        ]
    if shape == 9:
        return [
            *vec,
            "std::iota(data.begin(), data.end(), 0);",
            *d.loop("int x : data", d.plain("x")),
        ]
    if shape == 10:
        t = d.own("range")
        d.top(
            f"struct {t} {{",
            "    int low, high;",
            "    struct it {",
            "        int k;",
            "        int operator*() const { return k; }",
            "        it &operator++() { k += 1; return *this; }",
            "        bool operator!=(const it &o) const { return k != o.k; }",
            "    };",
            "    it begin() const { return {low}; }",
            "    it end() const { return {high}; }",
            "};",
        )
        return d.loop(f"int x : {t}{{0, {d.pick(safe, '6')}}}", d.pick(["s += x;"], d.plain("x")))
    if shape == 11:
        return [
            "std::vector<std::vector<int>> rows;",
            *d.plain(size, ["rows.emplace_back((size_t)(rows.size() % 4));"]),
            *d.loop("auto &row : rows", d.loop("int x : row", ["s += x + 1;"])),
        ]
    return [
        "int raw[6] = {1, 2, 3, 4, 5, 6};",
        *d.loop("int *p = raw; p < raw + 6; p += 2"),
        *d.loop("int x : raw", d.plain("x")),
        "char *text = argv[1];",
        *d.loop("*text", ["text++;", "s++;"]),
    ]


def classes(d: Draft) -> Lines:
    """Virtual calls, members, operators, inheritance, references."""
    base, one, two, v = d.own("base"), d.own("one"), d.own("two"), d.new("i")
    d.include("memory")
    d.top(
        f"struct {base} {{",
        "    int k = 1;",
        f"    virtual ~{base}() {{}}",
        "    virtual long run(int a) {",
        "        long s = 0;",
        *indented(indented(d.plain("a + k"))),
        "        return s;",
        "    }",
        "};",
        f"struct {one} : {base} {{",
        "    long run(int a) override {",
        "        long s = 0;",
        *indented(indented(d.plain("a"))),
        f"        k += {d.integer(0, 2)};",
        "        return s;",
        "    }",
        "};",
        f"struct {two} : {one} {{",
        "    int extra = 3;",
        "    long run(int a) override {",
        f"        return {one}::run(a) + extra;",
        "    }",
        "};",
    )
    return list(
        d.pick(
            [f"{one} x;", f"{base} &r = x;", "s += r.run(n);", *d.plain("x.k")],
            [
                f"{base} *p = n > 4 ? new {one} : new {base};",
                "s += p->run(m);",
                *d.plain("p->k"),
                "delete p;",
            ],
            [f"std::unique_ptr<{base}> p(new {two});", "s += p->run(n);", "s += p->run(m);"],
            [
                f"{base} *all[3] = {{new {base}, new {one}, new {two}}};",
                *d.loop(f"int {v} = 0; {v} < 3; {v}++", [f"s += all[{v}]->run(n);"]),
            ],
            [
                f"{two} x;",
                "x.extra = n;",
                *d.loop(
                    f"int {v} = 0; {v} < x.extra; {v}++", ["s++;", f"if ({v} == 2) x.extra--;"]
                ),
            ],
            [f"{one} x;", f"{base} y = x;", "s += y.run(n) + x.run(m);"],
            [f"long ({base}::*f)(int) = &{base}::run;", f"{two} x;", "s += (x.*f)(n);"],
            [
                "struct acc { int k; acc &operator+=(int a) { k += a; return *this; } } x{0};",
                *d.plain("n", ["x += 2;"]),
                *d.plain("x.k"),
            ],
        )
    )
