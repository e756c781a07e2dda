"""Families of ways out: ends of the program, jumps, exceptions, signals, children."""

from __future__ import annotations

from .draft import Draft, Lines, indented

_STD = ("exit(0)", "exit(1)", "abort()", "_Exit(0)", "_exit(3)", "quick_exit(0)", "exit(n)")


def _where(d: Draft, end: str) -> Lines:
    """An end under a condition of main's numbers, in main, a loop or a function."""
    n = d.pick("n", "m")
    test = d.pick(f"{n} > 5", f"{n} < 0", "n + m == 10", f"{n} % 2", f"{n} == 0", "n > m")
    shape = d.integer(0, 7)
    if shape == 0:
        return [f"if ({test}) {end};"]
    v = d.new("i")
    if shape == 1:
        at = d.pick("3", "m", "n - 1")
        return d.loop(f"int {v} = 0; {v} < n; {v}++", [f"if ({v} == {at}) {end};", "s++;"])
    if shape == 2:
        body = [*d.plain("2"), f"if (a == {d.integer(0, 6)}) {end.replace('(n)', '(a)')};", "s++;"]
        f = d.function(body)
        return d.loop(f"int {v} = 0; {v} < n; {v}++", [f"s += {f}({v});"])
    if shape == 3:
        name = d.own("end")
        d.top(f"static void {name}(int n) {{", "    (void)n;", f"    {end};", "}")
        return [f"if ({test}) {{", *indented(d.plain("3")), f"    {name}(n);", "}"]
    if shape == 4:
        name = d.own("end")
        noreturn = "[[noreturn]] static" if d.is_cxx else "__attribute__((noreturn)) static"
        d.top(
            f"{noreturn} void {name}(int n) {{",
            '    fprintf(stderr, "bad %d\\n", n);',
            f"    {end};",
            *([] if "exit" in end or "abort" in end else ["    exit(4);"]),
            "}",
        )
        return d.plain("n", [f"if (s > {d.integer(2, 30)}) {name}(m);", "s++;"])
    if shape == 5:
        name = d.own("check")
        d.top(f"static int {name}(int n) {{", f"    if (n > 6) {end};", "    return n;", "}")
        return [*d.plain(f"{name}(n)"), *d.plain("m")]
    if shape == 6:
        p = d.own("p")
        name = d.own("end")
        d.top(
            f"static void {name}(int n) {{",
            "    (void)n;",
            f"    {end};",
            "}",
            f"static void (*{p})(int) = {name};",
        )
        return [f"if ({test}) {p}(n);"]
    return [
        "switch (n) {",
        f"case 4: {end}; break;",
        "case 8: {",
        *indented(d.plain("2")),
        "}",
        "default: s++;",
        "}",
    ]


def exits(d: Draft) -> Lines:
    """exit, abort, _Exit, error functions, traps, and functions that end in them."""
    d.include("unistd.h", "assert.h", "err.h", "error.h", "signal.h", "pthread.h")
    if d.chance(5):  # what runs at the end
        d.alone = True
        f = d.own("last")
        d.top(
            "static long total;",
            f"static void {f}(void) {{",
            *indented(d.plain("3", ["total++;"])),
            "}",
        )
        return [
            *d.pick([f"atexit({f});"], [f"at_quick_exit({f});"]),
            *d.plain("n"),
            *_where(d, d.pick(*_STD)),
            *d.plain("m"),
        ]
    end = d.pick(
        *_STD,
        *_STD,
        "__builtin_trap()",
        'err(1, "x")',
        'errx(2, "x")',
        'error(3, 0, "x")',
        "raise(SIGTERM)",
        "kill(getpid(), SIGKILL)",
        "assert(0)",
        "pthread_exit(0)",
        'execl("/bin/true", "true", (char *)0)',
        "raise(SIGABRT)",
        'error(0, 0, "x")',
    )
    if d.is_cxx and d.chance(2):
        d.include("exception", "cstdlib")
        end = d.pick("std::exit(1)", "std::abort()", "std::terminate()", "std::_Exit(0)", "throw n")
        end = "throw 5" if end == "throw n" else end
    return [*d.plain("n"), *_where(d, end), *d.plain(d.number())]


def jumps(d: Draft) -> Lines:
    """setjmp and longjmp, once, again and out of callees."""
    d.include("setjmp.h")
    point, f = d.own("point"), d.own("f")
    d.top(f"static jmp_buf {point};")
    at = d.integer(0, 6)
    d.top(
        f"static void {f}(int a) {{",
        *indented(d.plain("2", ["(void)a;"])),
        f"    if (a == {at}) longjmp({point}, a + 1);",
        "}",
    )
    kind, v = d.integer(0, 4), d.new("i")
    if kind == 0:
        return [
            f"if (setjmp({point}) == 0) {{",
            *indented(d.loop(f"int {v} = 0; {v} < n; {v}++", [f"{f}({v});"])),
            "}",
            *d.plain("m"),
        ]
    if kind == 1:
        return [
            "volatile int tries = 0;",
            f"setjmp({point});",
            "tries++;",
            *d.plain("n"),
            f"if (tries < {d.integer(2, 4)}) longjmp({point}, 1);",
            *d.plain("m"),
        ]
    if kind == 2:
        return [
            f"volatile int k = 0; int code = setjmp({point});",
            *d.loop("k < n", ["int now = k;", "k = k + 1;", f"{f}(now);", "if (code) s++;"]),
            *d.plain("code"),
        ]
    if kind == 3:
        g = d.function(
            [f"if (setjmp({point})) return 1;", *d.plain("a"), f"{f}(a);", *d.plain("2")]
        )
        return d.loop(f"int {v} = 0; {v} < n; {v}++", [f"s += {g}({v});"])
    return [
        f"int code = setjmp({point});",
        "if (code > 3) {",
        *indented(d.plain("4")),
        "}",
        f"if (!code) {f}(n);",
        *d.plain("m"),
    ]


def exceptions(d: Draft) -> Lines:
    """throw and catch: out of loops, callees, constructors; code only reached by catch."""
    d.include("stdexcept", "vector", "string")
    kind, v, f = d.integer(0, 11), d.new("i"), d.own("f")
    what = d.pick("1", 'std::runtime_error("x")', "a", "'c'")
    at = d.integer(0, 6)
    d.top(f"static int {f}(int a) {{", f"    if (a == {at}) throw {what};", "    return a;", "}")
    each = d.loop(f"int {v} = 0; {v} < n; {v}++", [f"s += {f}({v});"])
    caught = ["} catch (...) {", *indented(d.plain(d.pick("3", "m"))), "}"]
    if kind == 0:
        return ["try {", *indented(each), *caught]
    if kind == 1:
        inner = ["try {", f"    s += {f}({v});", *caught]
        return d.loop(f"int {v} = 0; {v} < n; {v}++", inner)
    if kind == 2:
        return ["try {", f"    s += {f}(n);", *indented(d.plain("n")), *caught, *d.plain("m")]
    if kind == 3:  # uncaught
        return [*d.plain("2"), *each, *d.plain("m")]
    if kind == 4:  # a destructor that counts
        t, g = d.own("t"), d.own("g")
        d.top(
            f"static long {g};",
            f"struct {t} {{",
            "    int k;",
            f"    ~{t}() {{",
            "        for (int i = 0; i < k; i++) {",
            f"            {g}++;",
            "        }",
            "    }",
            "};",
        )
        return [
            "try {",
            f"    {t} guard{{{d.pick('n', '3')}}};",
            f"    s += {f}(n);",
            *indented(d.plain("m")),
            *caught,
        ]
    if kind == 5:  # the library's own
        k = d.pick(
            "std::vector<int> a(3); s += a.at(n);",
            's += std::stoi(n > 5 ? "x" : "7");',
            'std::string a = "abc"; s += (long)a.substr(n > 5 ? 9 : 1).size();',
        )
        return ["try {", f"    {k}", *indented(d.plain("m")), *caught]
    if kind == 6:
        return [
            "std::vector<int> data(4);",
            *d.loop(f"int {v} = 0; {v} < n; {v}++", [f"s += data.at({v});"]),
            *d.plain("2"),
        ]
    if kind == 7:  # noexcept turns it into the end
        g = d.own("g")
        d.top(f"static int {g}(int a) noexcept {{", f"    return {f}(a);", "}")
        return ["try {", f"    s += {g}(n);", *caught, *d.plain("m")]
    if kind == 8:  # thrown in a constructor
        t = d.own("t")
        d.top(f"struct {t} {{", "    int k;", f"    explicit {t}(int a) : k({f}(a)) {{}}", "};")
        return [
            "try {",
            *indented(d.loop(f"int {v} = 0; {v} < n; {v}++", [f"{t} x({v}); s += x.k;"])),
            *caught,
        ]
    if kind == 9:  # thrown again
        return [
            "try {",
            "    try {",
            *indented(indented(each)),
            "    } catch (int) {",
            *indented(indented(d.plain("2"))),
            "        throw;",
            "    }",
            *caught,
        ]
    if kind == 10:  # only by catch
        g = d.counted()
        return [
            "try {",
            f"    if (n > 5) throw {what.replace('a', 'm')};",
            "    s++;",
            "} catch (int k) {",
            f"    s += {g}(k);",
            "} catch (...) {",
            *indented(d.plain("2")),
            "}",
        ]
    return [
        "int done = 0;",
        "while (done < n) {",
        "    try {",
        f"        s += {f}(done);",
        "        done++;",
        "    } catch (...) {",
        f"        done += {d.integer(1, 3)};",
        "    }",
        "}",
    ]


def signals(d: Draft) -> Lines:
    """Handlers that write what loops read, run loops, jump or end the program."""
    d.include("signal.h", "unistd.h", "setjmp.h", "string.h", "sys/time.h")
    d.alone = True
    limit, h = d.own("limit"), d.own("handler")
    d.top(f"static {d.pick('int', 'volatile sig_atomic_t', 'long')} {limit};")
    info = d.chance(4)
    write = d.pick(
        f"{limit} = {d.integer(1, 9)};", f"{limit}++;", f"{limit} += 2;", f"{limit} = 0;"
    )
    inside = d.pick(
        [write],
        [write],
        [write, *d.loop("int i = 0; i < 3; i++", [f"{limit}++;"])],
        ["_exit(0);"],
        [f"if ({limit} > 5) _exit(1);", write],
    )
    d.top(
        f"static void {h}(int number{', siginfo_t *info, void *context' if info else ''}) {{",
        "    (void)number;",
        *indented(inside),
        "}",
    )
    number = d.pick("SIGUSR1", "SIGINT", "SIGALRM", "SIGTERM", "SIGFPE", "SIGCHLD")
    install = [f"signal({number}, {h});"]
    if info or d.chance(2):
        member = "sa_sigaction" if info else "sa_handler"
        install = [
            "struct sigaction action;",
            "memset(&action, 0, sizeof action);",
            f"action.{member} = {h};",
            *(["action.sa_flags = SA_SIGINFO;"] if info else []),
            f"sigaction({number}, &action, 0);",
        ]
    v = d.new("i")
    send = d.pick(f"raise({number});", f"kill(getpid(), {number});", f"raise({number});")
    shape = d.integer(0, 4)
    start = [f"{limit} = n;", *install]
    if shape == 0:
        at = d.integer(0, 3)
        return [
            *start,
            *d.loop(f"int {v} = 0; {v} < {limit}; {v}++", ["s++;", f"if ({v} == {at}) {send}"]),
        ]
    if shape == 1:
        return [*start, send, *d.plain(limit), *d.plain("m")]
    if shape == 2:
        f = d.function([send, *d.plain("a")])
        return [*start, *d.plain(limit), f"s += {f}(m);", *d.plain(limit)]
    if shape == 3:
        pause = d.pick("pause();", "sleep(3);")
        start = [x.replace(number, "SIGALRM") for x in start]
        return [
            *start,
            "struct itimerval soon;",
            "memset(&soon, 0, sizeof soon);",
            "soon.it_value.tv_usec = 2000;",
            "setitimer(ITIMER_REAL, &soon, 0);",
            pause,
            *d.plain(limit),
            *d.plain("2"),
        ]
    return [
        *start,
        f"if (n > 5) {send}",
        *d.plain(limit),
        "signal(SIGUSR2, SIG_IGN);",
        "raise(SIGUSR2);",
        *d.plain("m"),
    ]


def processes(d: Draft) -> Lines:
    """Children that run loops and end by themselves."""
    d.include("unistd.h", "sys/wait.h")
    work = d.counted()
    kind = d.integer(0, 5)
    leave = d.pick("_exit(0);", "exit(0);", "_exit(1);")
    if kind == 0:
        return [
            *d.plain("n"),
            "pid_t pid = fork();",
            "if (pid == 0) {",
            *indented(d.plain("m")),
            f"    {leave}",
            "}",
            "waitpid(pid, 0, 0);",
            *d.plain("2"),
        ]
    if kind == 1:
        return [
            "pid_t pid = fork();",
            *d.plain("n"),
            f"if (pid == 0) {leave}",
            "waitpid(pid, 0, 0);",
        ]
    if kind == 2:
        v = d.new("i")
        return [
            *d.loop(
                f"int {v} = 0; {v} < 3; {v}++",
                ["if (fork() == 0) {", f"    s += {work}(n);", f"    {leave}", "}"],
            ),
            *d.loop("wait(0) > 0"),
            *d.plain("m"),
        ]
    if kind == 3:
        g = d.own("start")
        d.top(f"static pid_t {g}(void) {{", "    return fork();", "}")
        return [f"pid_t pid = {g}();", f"s += {work}(n);", f"if (!pid) {leave}", "wait(0);"]
    if kind == 4:
        return [
            "pid_t pid = fork();",
            'if (pid == 0) execl("/bin/true", "true", (char *)0);',
            "wait(0);",
            *d.plain("n"),
        ]
    return [
        "int status = 0; pid_t pid = fork();",
        f"if (pid == 0) _exit({d.pick('n', '3')} & 7);",
        "waitpid(pid, &status, 0);",
        *d.plain("WEXITSTATUS(status)"),
        *d.plain("n"),
    ]
