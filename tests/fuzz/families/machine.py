"""Families below the language: inline assembly, volatile and atomic objects, memory seen in two
ways."""

from __future__ import annotations

from .draft import Draft, Lines, indented


def assembly(d: Draft) -> Lines:
    """Assembly whose operands or memory clobber write a bound."""
    g, v = d.own("g"), d.new("i")
    kind = d.pick("int", "long", "unsigned")
    d.top(f"static {kind} {g};", f"static {kind} *{g}_at = &{g};")
    start = [f"{g} = n;", f"{kind} k = m;"]
    size = {"int": "l", "unsigned": "l", "long": "q"}[kind]
    line = d.pick(
        '__asm__ volatile("" : "+r"(k));',
        f'__asm__("add{size} $2, %0" : "+r"(k));',
        f'__asm__ volatile("mov{size} $7, %0" : "=m"(k));',
        f'__asm__ volatile("mov{size} $5, (%0)" : : "r"(&k) : "memory");',
        f'__asm__ volatile("mov{size} $6, (%0)" : : "r"({g}_at) : "memory");',
        f'__asm__("mov{size} $4, %0" : "=m"({g}));',
        f'__asm__("inc{size} %0" : "+m"({g}));',
        '__asm__ volatile("" : : : "memory");',
        f'__asm__("mov{size} $3, %0" : "=r"(k) : : "cc");',
        f'__asm__("lea{size} 1(%1), %0" : "=r"(k) : "r"((long)k));'
        if kind == "long"
        else f'__asm__("add{size} %1, %0" : "+r"(k) : "r"(({kind})2));',
        '__asm__ volatile("nop");',
    )
    use = d.pick("(int)k", f"(int){g}", f"(int)(k + {g})")
    if d.chance(3):
        return [*start, *d.loop(f"int {v} = 0; {v} < {use} && s < 5000; {v}++", ["s++;", line])]
    if d.chance(4):
        f = d.own("f")
        d.top(
            f"static void {f}({kind} *p) {{",
            f'    __asm__ volatile("mov{size} $9, %0" : "=m"(*p));',
            "}",
        )
        line = f"{f}(&k);"
    return [*start, *d.maybe(d.plain(use)), line, *d.plain(use)]


def volatiles(d: Draft) -> Lines:
    """volatile objects, and objects that are written through other types or pointers."""
    g, v = d.own("g"), d.new("i")
    kind = d.integer(0, 8)
    d.include("string.h")
    if kind == 0:
        d.top(f"static volatile int {g};")
        return [f"{g} = n;", *d.plain(g), *d.maybe([f"{g}--;", *d.plain(g)])]
    if kind == 1:
        return ["volatile int k = n;", *d.plain("k"), *d.loop("k > 0", ["k--;", "s++;"])]
    if kind == 2:
        return [
            "int k = n; volatile int *p = &k;",
            *d.loop(f"int {v} = 0; {v} < k; {v}++", [f"if ({v} == 2) *p = 4;", "s++;"]),
            *d.plain("*p"),
        ]
    if kind == 3:
        return [
            "union { int i; unsigned char c[4]; } u;",
            "u.i = n;",
            f"u.c[0] = {d.integer(1, 9)};",
            *d.plain("u.i"),
        ]
    if kind == 4:
        return [
            "int k = n;",
            f"((unsigned char *)&k)[{d.pick(0, 1)}] = {d.integer(0, 3)};",
            *d.plain("k"),
        ]
    if kind == 5:
        return ["int k = n, l = m;", f"memcpy(&k, &l, {d.pick(4, 4, 2, 1)});", *d.plain("k")]
    if kind == 6:
        return ["float x = (float)n; int k;", "memcpy(&k, &x, 4);", *d.plain("(k >> 23) & 63")]
    if kind == 7:
        return [
            "int a[4] = {n, m, 3, 5};",
            "int *p = a;",
            f"p += {d.integer(0, 3)};",
            "*p -= 1;",
            *d.plain("a[0]"),
            *d.plain(f"a[{d.integer(1, 3)}]"),
        ]
    return [
        "int a[8];",
        f"memset(a, {d.pick(0, 1)}, sizeof a);",
        "a[n & 7] = 6;",
        *d.plain(f"a[{d.integer(0, 7)}] % 100"),
        *d.plain("a[n & 7]"),
    ]


def atomics(d: Draft) -> Lines:
    """Atomic objects, alone and written by other threads."""
    g, v = d.own("g"), d.new("i")
    if d.is_cxx:
        d.include("atomic", "thread")
        d.top(f"static std::atomic<int> {g}{{{d.integer(0, 3)}}};")
        return d.pick(
            [
                f"{g} = n;",
                *d.plain(f"{g}.load()"),
                f"{g}.fetch_add({d.integer(1, 4)});",
                *d.plain(g),
            ],
            [f"{g}.store(m);", f"int old = {g}.exchange(n);", *d.plain("old"), *d.plain(g)],
            [f"std::thread t([n] {{ {g}.store(n + 2); }});", "t.join();", *d.plain(g)],
            [
                f"{g} = 0;",
                f"std::thread t([&] {{ while (!{g}) {{ }} }});",
                *d.plain("n"),
                f"{g} = 1;",
                "t.join();",
                *d.plain(g),
            ],
            [
                f"{g} = n;",
                "int want = 4;",
                f"bool was = {g}.compare_exchange_strong(want, 9);",
                *d.plain("was ? 3 : want"),
                *d.plain(g),
            ],
        )
    if d.chance(3):  # of variables that are not atomic themselves
        p, order = d.new("p"), d.pick("__ATOMIC_SEQ_CST", "__ATOMIC_RELEASE", "__ATOMIC_RELAXED")
        d.top(f"static int {g}, {g}a[4];")
        place = d.pick(f"{g}", f"{g}a[m & 3]", f"{g}a[2]")
        return [
            f"{place} = n;",
            f"int *{p} = &{d.pick(place, place, f'{g}a[0]')};",
            d.pick(
                f"__atomic_store_n({p}, {d.number()}, {order});",
                f"__atomic_store_n(&{place}, {d.number()}, {order});",
                f"int was = __atomic_exchange_n({p}, {d.number()}, {order});",
            ),
            *d.plain(place),
            *d.maybe(d.plain(f"__atomic_load_n(&{place}, __ATOMIC_ACQUIRE)")),
        ]
    d.include("stdatomic.h", "pthread.h")
    d.top(f"static _Atomic int {g};")
    f = d.own("work")
    d.top(
        f"static void *{f}(void *p) {{",
        "    (void)p;",
        f"    atomic_fetch_add(&{g}, 3);",
        "    return 0;",
        "}",
    )
    return d.pick(
        [f"{g} = n;", *d.plain(g), f"{g}++;", *d.plain(g)],
        [
            f"atomic_store(&{g}, m);",
            f"int old = atomic_exchange(&{g}, n);",
            *d.plain("old"),
            *d.plain(g),
        ],
        [
            f"{g} = n;",
            "pthread_t t;",
            f"pthread_create(&t, 0, {f}, 0);",
            "pthread_join(t, 0);",
            *d.plain(g),
        ],
        [
            f"{g} = n;",
            f"int old = __atomic_fetch_sub((int *)&{g}, 2, 5);",
            *d.plain("old"),
            *d.plain(g),
        ],
        [
            f"{g} = 1;",
            "int want = 1;",
            f"if (atomic_compare_exchange_strong(&{g}, &want, n)) {{",
            *indented(d.plain(g)),
            "}",
        ],
        d.loop(f"int {v} = 0; atomic_fetch_add(&{g}, 1) < n; {v}++"),
    )


def bits(d: Draft) -> Lines:
    """Single instructions that count and convert bits; counters in floating point."""
    d.words += ["-100 7", "1000000 31"]
    u = d.pick("(unsigned)n", "(unsigned)m * 3u", "(unsigned)(n + m)")
    bound = d.pick(
        f"__builtin_popcount({u})",
        f"({u} ? __builtin_clz({u}) : 32)",
        f"({u} ? __builtin_ctz({u}) : 9)",
        f"__builtin_parity({u}) + 2",
        f"(int)(({u} << 5 | {u} >> 27) & 63)",
        f"(int)__builtin_bswap32({u}) % 90",
        "abs(n) % 50",
        "(n ^ m) & 31",
        "(n & -n) & 63",
        f"(n | {d.pick('1', '6', '64', '0x55', '~7', '-256')}) % 70",
        f"n | {d.pick('1', '6', '15', '40')}",
        f"n ^ {d.pick('1', '5', '31', '~0', '-8')}",
        f"n & {d.pick('1', '7', '~3', '0x2c', '-16')}",
        f"((unsigned)n | {d.pick('3u', '16u')}) & 127",
        "~n & 15",
        "(int)(n * 0.3)",
        "(int)(1e3f / (n ? n : 1))",
        "__builtin_expect(n, 3)",
        "(n << 3) >> 3 & 127",
        "n / (m ? m : 1)",
        "n % (m ? m : 1) + 4",
        "(char)n",
        "(int)(long long)n",
        "(unsigned char)(n >> 4)",
        "(n > m) + (n < m) * 2",
        "!n + !!m",
        "(int)sizeof(n) + n",
        "(int)(n * 1000003L % 97)",
        "__builtin_constant_p(n) ? 3 : 5",
        "(int)__builtin_object_size(argv, 0) & 7",
        "(n >= 0 ? n : -n) >> 1",
    )
    v = d.new("i")
    if d.chance(4):
        x = d.pick("float", "double")
        head = d.pick(
            f"{x} {v} = 0; {v} < n; {v} += {d.pick('0.1f', '0.25f', '1.0f', '0.3')}",
            f"{x} {v} = n; {v} > 1; {v} *= {d.pick('0.5f', '0.3f')}",
            f"{x} {v} = 16777210.0f; {v} < 16777210.0f + n && s < 9999; {v} += 1",
        )
        return d.loop(head)
    return [*d.plain(bound), *d.maybe(d.plain("n"))]
