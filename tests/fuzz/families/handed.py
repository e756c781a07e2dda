"""Families of functions that others call: threads, library callbacks, constructors, coroutines."""

from __future__ import annotations

from .draft import Draft, Lines, indented


def threads(d: Draft) -> Lines:
    """Functions that other threads run, and what they write."""
    g, v = d.own("g"), d.new("i")
    bound = d.pick("n", "m", "3")
    if not d.is_cxx or d.chance(4):
        d.include("pthread.h")
        f = d.own("work")
        d.top(
            f"static {d.pick('int', 'long', 'volatile int')} {g};",
            f"static void *{f}(void *p) {{",
            *indented(d.plain("*(int *)p", [f"{g}++;"])),
            "    return 0;",
            "}",
        )
        if d.chance(3):
            once = d.own("once")
            w = d.own("first")
            d.top(
                f"static pthread_once_t {once} = PTHREAD_ONCE_INIT;",
                f"static void {w}(void) {{",
                *indented(d.plain("4", [f"{g} += 2;"])),
                "}",
            )
            return [
                f"pthread_once(&{once}, {w});",
                f"pthread_once(&{once}, {w});",
                *d.plain(g),
                f"int k = {bound}; s += (long){f}(&k);",
            ]
        start = [
            f"int k = {bound};",
            "pthread_t t[2];",
            *d.loop(f"int {v} = 0; {v} < 2; {v}++", [f"pthread_create(&t[{v}], 0, {f}, &k);"]),
        ]
        stop = d.loop(f"int {v} = 0; {v} < 2; {v}++", [f"pthread_join(t[{v}], 0);"])
        return [*start, *stop, *d.plain(f"(int){g}"), *d.maybe(d.plain("n"))]
    d.include("thread", "future", "vector", "functional", "mutex")
    f = d.own("work")
    d.top(
        f"static int {g};",
        f"static long {f}(int a) {{",
        "    long s = 0;",
        *indented(d.plain("a")),
        f"    {g} += a > 0 ? 1 : 2;",
        "    return s;",
        "}",
    )
    return d.pick(
        [f"std::thread t({f}, {bound});", "t.join();", *d.plain(g)],
        [f"std::thread t([&] {{ s += {f}({bound}); }});", "t.join();", *d.plain("m")],
        [
            "std::vector<std::thread> all;",
            *d.loop(f"int {v} = 0; {v} < 3; {v}++", [f"all.emplace_back({f}, {v} + {bound});"]),
            *d.loop("auto &t : all", ["t.join();"]),
            *d.plain(g),
        ],
        [
            f"auto f = std::async(std::launch::{d.pick('async', 'deferred')}, {f}, {bound});",
            "s += f.get();",
            *d.plain(g),
        ],
        [
            "int k = 0;",
            "std::thread t([&k, n] {",
            *indented(d.plain("n", ["k++;"])),
            "});",
            "t.join();",
            *d.plain("k"),
        ],
        [
            "std::once_flag flag;",
            f"std::call_once(flag, [&] {{ s += {f}({bound}); }});",
            *d.plain(g),
        ],
        [
            f"std::packaged_task<long(int)> task({f});",
            f"std::thread t(std::ref(task), {bound});",
            "t.join();",
            *d.plain("n"),
        ],
    )


def callbacks(d: Draft) -> Lines:
    """Functions called by the C library or through pointers of the program."""
    d.include("search.h", "signal.h", "string.h", "pthread.h")
    kind, v = d.integer(0, 9), d.new("i")
    g = d.own("g")
    d.top(f"static {d.pick('int', 'long')} {g};")
    work = d.own("f")
    if kind < 4:
        d.top(
            f"static int {work}(const void *a, const void *b) {{",
            *indented(d.plain(d.pick("3", f"(int){g} + 2", "*(const int *)a"), [f"{g}++;"])),
            "    return *(const int *)a - *(const int *)b;",
            "}",
        )
        data = [
            "int data[16];",
            *d.loop(f"int {v} = 0; {v} < 16; {v}++", [f"data[{v}] = ({v} * 7) % 5;"]),
        ]
        use = (
            [f"qsort(data, {d.pick('16', '2', '0', '(n > 0 && n < 16 ? n : 4)')}, 4, {work});"],
            [f"int key = {d.pick('n', '3')};", f"s += bsearch(&key, data, 16, 4, {work}) != 0;"],
            ["size_t count = 16;", f"s += lfind(&n, data, &count, 4, {work}) != 0;"],
            [
                "void *root = 0;",
                f"tsearch(&data[n > 3], &root, {work});",
                f"tsearch(&data[1], &root, {work});",
            ],
        )[kind]
        return [*data, *use, *d.plain("n"), *d.maybe(d.plain(f"(int)({g} % 50)"))]
    f, h = d.counted(), d.counted()
    if kind == 4:
        t = d.own("table")
        d.top(f"static long (*const {t}[])(int) = {{{f}, {h}, {f}}};")
        return [
            f"s += {t}[n > 4](m);",
            *d.loop(f"int {v} = 0; {v} < 3; {v}++", [f"s += {t}[{v}](n);"]),
        ]
    if kind == 5:
        apply = d.function(
            ["for (int i = 0; i < a; i++) {", "    s += f(i);", "}"], "long (*f)(int), int a"
        )
        return [f"s += {apply}({f}, n);", *d.maybe([f"s += {apply}({h}, m);"])]
    if kind == 6:
        t = d.own("ops")
        d.top(f"struct {t} {{ long (*run)(int); int k; }};")
        return [
            f"struct {t} o = {{{f}, 3}};",
            f"if (n > 5) o.run = {h};",
            "s += o.run(m) + o.run(o.k);",
        ]
    if kind == 7:
        d.alone = True
        d.top(
            f"static void {work}(void) {{",
            *indented(d.plain(d.pick("4", f"(int){g}"), ["putchar('.');"])),
            "}",
        )
        return [f"atexit({work});", *d.maybe([f"atexit({work});"]), f"{g} = n;", *d.plain("m")]
    if kind == 8:
        d.top(f"static void {work}(int *p) {{", *indented(d.plain("*p", [f"{g}++;"])), "}")
        return [
            "{",
            f"    int k __attribute__((cleanup({work}))) = {d.pick('n', '3')};",
            *indented(d.plain("m")),
            "}",
            *d.plain(f"(int){g}"),
        ]
    return [
        f"long (*p)(int) = {f};",
        f"if (m > 4) p = {h};",
        f"s += n > 2 ? p(n) : {h}(m);",
        f"p = 0; if (n == 4) p = {f};",
        "if (p) s += p(2);",
    ]


def statics(d: Draft) -> Lines:
    """What runs before and after main: constructors and destructors."""
    d.alone = True
    g, f = d.own("g"), d.own("f")
    if not d.is_cxx or d.chance(3):
        kind = d.pick("constructor", "destructor", "constructor")
        d.top(
            f"static int {g} = 2;",
            f"__attribute__(({kind})) static void {f}(void) {{",
            *indented(
                d.plain(d.pick("3", g), [f"{g}++;"])
                if d.chance(2)
                else [f"{g} = 7;", *d.plain("3", ["putchar('.');"])]
            ),
            "}",
        )
        return [*d.plain(g), *d.plain("n")]
    t, o = d.own("t"), d.own("o")
    body = d.plain(d.pick("4", "k"), [f"{g}++;"])
    end = d.plain(d.pick("2", "k"), [f"{g}++;"])
    d.top(
        f"static int {g};",
        f"struct {t} {{",
        "    int k;",
        f"    explicit {t}(int a) : k(a) {{",
        *indented(indented(body)),
        "    }",
        f"    ~{t}() {{",
        *indented(indented(end)),
        "    }",
        "};",
    )
    where = d.integer(0, 3)
    if where == 0:
        d.top(f"static {t} {o}({d.integer(1, 5)});")
        return [*d.plain(g), *d.maybe([f"if (n > 5) exit({d.pick(0, 1)});"]), *d.plain("m")]
    if where == 1:  # a local static
        d.top(f"static int {o}() {{", f"    static {t} only(3);", "    return only.k;", "}")
        return [*d.plain("n", [f"s += {o}();"]), *d.plain(g)]
    if where == 2:
        return [
            "{",
            f"    {t} here({d.pick('n', '3')});",
            *indented(d.plain("m")),
            "}",
            *d.plain(g),
        ]
    d.include("memory", "vector")
    return [
        f"auto p = std::{d.pick('make_unique', 'make_shared')}<{t}>({d.pick('n', '2')});",
        *d.plain("p->k"),
        "p.reset();",
        *d.plain(g),
    ]


def algorithms(d: Draft) -> Lines:
    """Comparators and functions handed to the standard library."""
    d.include("algorithm", "vector", "functional", "numeric", "map", "set", "memory")
    f, g, v = d.own("f"), d.own("g"), d.new("i")
    d.top(
        f"static long {g};",
        f"static bool {f}(int a, int b) {{",
        *indented(d.plain(d.pick("3", "a"), [f"{g}++;"])),
        "    return a < b;",
        "}",
    )
    each = d.own("each")
    d.top(f"static void {each}(int a) {{", *indented(d.plain("a", [f"{g}++;"])), "}")
    fill = [
        "std::vector<int> data;",
        *d.loop(
            f"int {v} = 0; {v} < {d.pick('n', '6')}; {v}++", [f"data.push_back(({v} * 5) % 7);"]
        ),
    ]
    inner = d.plain("2")
    use = d.pick(
        [f"std::sort(data.begin(), data.end(), {f});"],
        [
            "std::sort(data.begin(), data.end(), [&](int a, int b) {",
            *indented(inner),
            "    return a < b;",
            "});",
        ],
        [f"std::for_each(data.begin(), data.end(), {each});"],
        ["std::for_each(data.begin(), data.end(), [&](int a) {", *indented(d.plain("a")), "});"],
        [
            "s += std::accumulate(data.begin(), data.end(), 0L, [&](long x, int a) {",
            *indented(inner),
            "    return x + a;",
            "});",
        ],
        [
            "s += std::count_if(data.begin(), data.end(), [&](int a) {",
            *indented(inner),
            "    return a > 2;",
            "});",
        ],
        [
            f"std::set<int, bool (*)(int, int)> all({f});",
            *d.loop("int a : data", ["all.insert(a);"]),
            *d.loop("int a : all", ["s += a;"]),
        ],
        [
            "std::function<void(int)> run = [&](int a) {",
            *indented(d.plain("a")),
            "};",
            f"if (m > 3) run = {each};",
            "run(n);",
        ],
        [
            "std::unique_ptr<int, void (*)(int *)> p(new int(n), [](int *q) {",
            f"    {each}(*q); delete q;",
            "});",
            *d.plain("*p"),
        ],
        [
            "std::transform(data.begin(), data.end(), data.begin(), [&](int a) {",
            *indented(inner),
            "    return a + 1;",
            "});",
            *d.plain("(int)data.size()"),
        ],
        [
            "auto at = std::find_if(data.begin(), data.end(), [](int a) {",
            f"    {each}(2); return a == 3;",
            "});",
            *d.plain("(int)(at - data.begin())"),
        ],
    )
    return [*fill, *use, *d.plain("m"), *d.maybe(d.plain(f"(int)({g} % 40)"))]


def coroutines(d: Draft) -> Lines:
    """A generator whose body runs when it is resumed."""
    d.standard = "-std=c++20"
    d.include("coroutine", "exception")
    t, f = d.own("task"), d.own("f")
    start = d.pick("never", "always")
    d.top(
        f"struct {t} {{",
        "    struct promise_type {",
        "        int value = 0;",
        f"        {t} get_return_object() {{",
        "            return {std::coroutine_handle<promise_type>::from_promise(*this)};",
        "        }",
        f"        std::suspend_{start} initial_suspend() {{ return {{}}; }}",
        "        std::suspend_always final_suspend() noexcept { return {}; }",
        "        std::suspend_always yield_value(int v) { value = v; return {}; }",
        "        void return_void() {}",
        "        void unhandled_exception() { std::terminate(); }",
        "    };",
        "    std::coroutine_handle<promise_type> h;",
        "};",
        f"static {t} {f}(int a) {{",
        *indented(
            d.plain(
                "a",
                d.pick(
                    ["co_yield 1;"],
                    ["co_yield a;", "a--;"],
                    [*d.plain("2", ["a++;", "a--;"]), "co_yield 2;"],
                ),
            )
        ),
        *d.pick([], indented(d.plain("3", ["a++;"]))),
        *([] if d.chance(2) else ["    co_return;"]),
        "}",
    )
    stop = d.pick("!t.h.done()", f"!t.h.done() && s < {d.integer(1, 5)}")
    return [
        f"{t} t = {f}({d.pick('n', 'm')});",
        *d.loop(stop, ["t.h.resume();", "s++;"]),
        *d.plain("n"),
        "t.h.destroy();",
    ]
