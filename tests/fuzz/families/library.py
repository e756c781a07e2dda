"""The family of what the library does: variables of its own that programs can name, memory that it
was handed before, functions that it calls, addresses that come back as text or from a table.

Each scene has a place that a loop reads, and a call of the library that may write it, for a reason
that stands elsewhere in the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .draft import Draft, Lines, indented


@dataclass(frozen=True)
class _Scene:
    """place: what a loop reads and main sets, to one of some values; before: what is done once,
    before the place is set; call: what may write it, in main; anywhere: it stands in functions,
    too, since it names nothing of main's own."""

    place: str
    call: Lines
    before: tuple[str, ...] = ()
    anywhere: bool = False
    values: tuple[str, ...] = ("n", "n", "m", "n + 1", "6")


def library(d: Draft) -> Lines:
    """A call of the library between where a place is set and the loop that reads it."""
    scenes = _CXX if d.is_cxx else _C
    scene = scenes[d.rng.randrange(len(scenes))](d)
    call = list(scene.call)
    if scene.anywhere and d.chance(3):
        f = d.own("does")
        d.top(f"static void {f}(void) {{", *indented(call), "}")
        call = [f"{f}();"]
    if d.chance(5):
        v = d.new("i")
        call = d.loop(f"int {v} = 0; {v} < 2; {v}++", call)
    if d.chance(6):
        call = ["if (n > 3) {", *indented(call), "}"]
    bound = d.pick(scene.place, scene.place, f"(int){scene.place}", f"{scene.place} % 40")
    return [
        *scene.before,
        f"{scene.place} = {d.pick(*scene.values)};",
        *d.maybe(d.plain(bound), 3),
        *call,
        *d.plain(bound),
        *d.maybe([f"{scene.place} = {d.pick('m', '4')};", *d.plain(scene.place)], 3),
    ]


# -- variables of the library
def _time_zone(d: Draft) -> _Scene:
    d.include("time.h")
    call = d.pick(
        ["tzset();"],
        ["time_t now = 0;", "s += localtime(&now)->tm_sec;"],
        ["time_t now = 0;", "struct tm parts;", "localtime_r(&now, &parts);"],
        ["struct tm parts = {0};", "s += mktime(&parts) == 1;"],
        ["struct tm parts = {0};", "char text[40];", 'strftime(text, 40, "%c", &parts);'],
        ["time_t now = 0;", "ctime(&now);"],
    )
    return _Scene(d.pick("timezone", "daylight"), ["{", *indented(call), "}"])


def _error_count(d: Draft) -> _Scene:
    d.include("error.h")
    call = d.pick('error(0, 0, "x");', 'error_at_line(0, 0, "f", 3, "x");', 'error(0, n & 3, "x");')
    return _Scene("error_message_count", [call])


def _options(d: Draft) -> _Scene:
    d.include("getopt.h", "unistd.h")
    before = ("opterr = 0;", f"optind = {d.pick('1', '0')};") if d.chance(2) else ("opterr = 0;",)
    call = d.pick('getopt(argc, argv, "ab:");', 'getopt_long(argc, argv, "a", 0, 0);')
    if d.chance(2):
        return _Scene("optopt", [call], before)
    return _Scene("optind", [call], before, False, ("1", "2", "argc", "(n > 3) + 1"))


def _sign(d: Draft) -> _Scene:
    d.include("math.h")
    call = d.pick("x = lgamma(x);", "x = (double)lgammaf((float)x);", "x = gamma(x);")
    return _Scene("signgam", ["{", "    volatile double x = -0.5;", f"    {call}", "}"], (), True)


def _error_number(d: Draft) -> _Scene:
    d.include("errno.h", "unistd.h", "math.h", "fcntl.h", "string.h")
    call = d.pick(
        "close(-1);",
        'fopen("/none/x", "r");',
        'strtol("99999999999999999999", 0, 10);',
        'open("/none/x", O_RDONLY);',
        "malloc((size_t)-1);",
        "getcwd(0, (size_t)-1);",
        "strlen(argv[0]);",
    )
    return _Scene("errno", [call], (), "argv" not in call)


def _date(d: Draft) -> _Scene:
    d.include("time.h")
    return _Scene("getdate_err", ['getdate("x");'], (), True)


# -- functions that it calls
def _hook(d: Draft, parameters: str, result: str = "int", value: str = "0") -> tuple[str, str]:
    """A variable, and a function that changes it."""
    g, f = d.own("g"), d.own("hook")
    d.top(
        f"static {d.pick('int', 'long', 'unsigned')} {g};",
        f"static {result} {f}({parameters}) {{",
        f"    {d.pick(f'{g} += 3;', f'{g}++;', f'{g} = 2;', f'{g} *= 2;')}",
        *([f"    return {value};"] if result != "void" else []),
        "}",
    )
    return g, f


def _forks(d: Draft) -> _Scene:
    d.include("pthread.h", "unistd.h", "sys/wait.h")
    g, f = _hook(d, "void", "void")
    first = d.pick(f"{f}, 0, 0", f"0, {f}, 0", f"0, 0, {f}", f"{f}, {f}, 0")
    call = d.pick(
        ["if (fork() == 0) _exit(0);", "wait(0);"],
        ['FILE *p = popen("true", "r");', "if (p) pclose(p);"],
        ['s += system("true");'],
    )
    return _Scene(g, ["{", *indented(call), "}"], (f"pthread_atfork({first});",), False)


def _names_itself(d: Draft) -> _Scene:
    d.include("error.h")
    g, f = _hook(d, "void", "void")
    first = d.pick(f"error_print_progname = {f};", f"if (n > 2) error_print_progname = {f};")
    return _Scene(g, ['error(0, 0, "x");'], (first,), True)


def _prints(d: Draft) -> _Scene:
    d.include("printf.h")
    g, f = _hook(d, "FILE *o, const struct printf_info *i, const void *const *a")
    h = d.own("kinds")
    d.top(
        f"static int {h}(const struct printf_info *i, size_t n, int *t, int *z) {{",
        "    if (n > 0) t[0] = PA_INT, z[0] = 4;",
        "    return 1;",
        "}",
    )
    call = d.pick(
        ['printf("%W", 3);'],
        ['fprintf(stderr, "%W", 3);'],
        ["{", "    char text[20];", '    sprintf(text, "%W", 3);', "}"],
        ["{", "    char text[20];", '    snprintf(text, 20, "%W", 3);', "}"],
    )
    return _Scene(g, call, (f"register_printf_specifier('W', {f}, {h});",), True)


def _cookies(d: Draft) -> _Scene:
    g, f = _hook(d, "void *c, const char *b, size_t n", "ssize_t", "(ssize_t)n")
    c = d.own("calls")
    d.top(f"static cookie_io_functions_t {c} = {{.write = {f}}};")
    how = d.pick(c, f"(cookie_io_functions_t){{.write = {f}}}")
    before = (f'FILE *o = fopencookie(0, "w", {how});', "setvbuf(o, 0, _IONBF, 0);")
    return _Scene(g, [d.pick("fputc('x', o);", 'fputs("x", o);', 'fprintf(o, "%d", 3);')], before)


def _comparing(d: Draft) -> _Scene:
    d.include("search.h")
    g, f = _hook(d, "const void *a, const void *b", "int", "*(const int *)a - *(const int *)b")
    before = ("int data[6] = {3, 1, 2, 5, 4, 0}, key = 2;", "size_t count = 6;", "void *root = 0;")
    call = d.pick(
        f"qsort(data, 6, 4, {f});",
        f"bsearch(&key, data, 6, 4, {f});",
        f"lfind(&key, data, &count, 4, {f});",
        f"lsearch(&key, data, &count, 4, {f});",
        f"tsearch(&data[0], &root, {f}), tsearch(&data[1], &root, {f});",
    )
    return _Scene(g, [call], before)


def _walking(d: Draft) -> _Scene:
    d.include("search.h", "ftw.h", "dirent.h", "glob.h", "link.h")
    kind = d.integer(0, 5)
    if kind == 0:
        g, f = _hook(d, "const void *node, VISIT v, int depth", "void")
        c = d.own("compares")
        d.top(
            f"static int {c}(const void *a, const void *b) {{",
            "    return *(const int *)a - *(const int *)b;",
            "}",
        )
        before = ("int data[2] = {3, 1};", "void *root = 0;", f"tsearch(data, &root, {c});")
        return _Scene(g, [f"twalk(root, {f});"], before)
    if kind == 1:
        g, f = _hook(d, "const char *p, const struct stat *st, int flag")
        return _Scene(g, [f'ftw("/proc/self/fdinfo", {f}, 4);'], (), True)
    if kind == 2:
        g, f = _hook(d, "const char *p, const struct stat *st, int flag, struct FTW *w")
        return _Scene(g, [f'nftw("/proc/self/fdinfo", {f}, 4, 0);'], (), True)
    if kind == 3:
        g, f = _hook(d, "const struct dirent *e", "int", "1")
        call = ["{", "    struct dirent **list;", f'    scandir("/", &list, {f}, alphasort);', "}"]
        return _Scene(g, call, (), True)
    if kind == 4:
        g, f = _hook(d, "const char *p, int e")
        call = ["{", "    glob_t found;", f'    glob("/proc/1/fd/*", GLOB_ERR, {f}, &found);', "}"]
        return _Scene(g, call, (), True)
    g, f = _hook(d, "struct dl_phdr_info *i, size_t n, void *p", "int", "1")
    return _Scene(g, [f"dl_iterate_phdr({f}, 0);"], (), True)


def _once(d: Draft) -> _Scene:
    d.include("pthread.h", "threads.h")
    g, f = _hook(d, "void", "void")
    o, is_thread = d.own("once"), d.chance(2)
    d.top(f"static {'pthread_once_t' if is_thread else 'once_flag'} {o};")
    return _Scene(g, [f"{'pthread_once' if is_thread else 'call_once'}(&{o}, {f});"], (), True)


def _at_the_end(d: Draft) -> _Scene:
    g, f = d.own("g"), d.own("last")
    d.top(f"static int {g};", f"static void {f}(void) {{", *indented(_summing(d, g)), "}")
    how = d.pick(f"atexit({f});", f"at_quick_exit({f});")
    call = [how, f"{g} = {d.number()};", *d.maybe(["quick_exit(0);"], 4)]
    return _Scene(g, call)


def _summing(d: Draft, bound: str) -> Lines:
    return ["long s = 0;", *d.plain(bound), 'printf("%ld", s);']


def _contexts(d: Draft) -> _Scene:
    d.include("ucontext.h")
    g, f, here, there = d.own("g"), d.own("runs"), d.own("here"), d.own("there")
    stack = d.own("stack")
    swaps = d.chance(2)
    d.top(
        f"static int {g};",
        f"static ucontext_t {here}, {there};",
        f"static char {stack}[65536];",
        f"static void {f}(void) {{",
        "    long s = 0;",
        f"    {g} += 3;",
        *([f"    swapcontext(&{there}, &{here});"] if swaps else []),
        *indented(d.plain(g)),
        "}",
    )
    before = (
        f"getcontext(&{there});",
        f"{there}.uc_stack.ss_sp = {stack};",
        f"{there}.uc_stack.ss_size = sizeof {stack};",
        f"{there}.uc_link = &{here};",
        f"makecontext(&{there}, {f}, 0);",
    )
    return _Scene(g, [f"swapcontext(&{here}, &{there});"], before)


def _destroyed(d: Draft) -> _Scene:
    d.include("pthread.h")
    g, f = _hook(d, "void *p", "void")
    key, work = d.own("key"), d.own("work")
    d.top(
        f"static pthread_key_t {key};",
        f"static void *{work}(void *p) {{",
        f"    pthread_setspecific({key}, p);",
        "    return 0;",
        "}",
    )
    call = [
        "{",
        "    pthread_t t;",
        "    int one = 1;",
        f"    pthread_create(&t, 0, {work}, &one);",
        "    pthread_join(t, 0);",
        "}",
    ]
    return _Scene(g, call, (f"pthread_key_create(&{key}, {f});",), True)


def _stacks(d: Draft) -> _Scene:
    d.include("obstack.h")
    g, f = _hook(d, "size_t n", "void *", "malloc(n)")
    o = d.own("stack")
    d.top(f"static struct obstack {o};")
    before = (f"obstack_specify_allocation(&{o}, 64, 8, {f}, free);",)
    return _Scene(g, [f"obstack_alloc(&{o}, 5000);"], before, True)


# -- memory that it was handed before
def _random(d: Draft) -> _Scene:
    g = d.own("state")
    d.top(f"static int {g}[32], {g}_other[32];")
    before = [f"initstate(1, (char *){g}, 128);"]
    if d.chance(3):
        before += [f"initstate(2, (char *){g}_other, 128);", f"setstate((char *){g});"]
    call = d.pick("random();", "rand();", "srandom(3);", "setstate((char *)" + f"{g}_other);")
    k = d.pick("1", "4", "2")
    repeated = d.loop(f"int {(v := d.new('i'))} = 0; {v} < 40; {v}++", [f"s += 0 * {call}"])
    call_lines = repeated if call.startswith("ra") else [call]
    return _Scene(f"{g}[{k}]", call_lines, tuple(before))


def _random_of_its_own(d: Draft) -> _Scene:
    g, r = d.own("state"), d.own("data")
    d.top(f"static int {g}[32];", f"static struct random_data {r};")
    call = [
        "int drawn;",
        *d.loop(f"int {(v := d.new('i'))} = 0; {v} < 40; {v}++", [f"random_r(&{r}, &drawn);"]),
    ]
    before = (f"initstate_r(1, (char *){g}, 128, &{r});",)
    return _Scene(f"{g}[4]", ["{", *indented(call), "}"], before, False)


def _streams(d: Draft) -> _Scene:
    cells = d.own("cells")
    d.top(f"static int {cells}[64];", f"static FILE *{cells}_file;")
    kind = d.integer(0, 2)
    if kind == 0:
        before = (
            f"{cells}_file = tmpfile();",
            f"setvbuf({cells}_file, (char *){cells}, _IOFBF, sizeof {cells});",
        )
    else:
        before = (f'{cells}_file = fmemopen({cells}, sizeof {cells}, "w");',)
    call = d.pick(
        f'fprintf({cells}_file, "%c%c%c%c", 4, 0, 0, 0);',
        f"putw(3, {cells}_file);",
        f"fputc(7, {cells}_file);",
    )
    return _Scene(f"{cells}[0]", [call, f"fflush({cells}_file);"], before, True)


def _lengths(d: Draft) -> _Scene:
    g = d.own("text")
    d.top(f"static char *{g};", f"static size_t {g}_length;", f"static FILE *{g}_file;")
    before = (f"{g}_file = open_memstream(&{g}, &{g}_length);",)
    return _Scene(f"{g}_length", [f'fputs("hello", {g}_file);', f"fflush({g}_file);"], before, True)


def _tokens(d: Draft) -> _Scene:
    d.include("string.h")
    g, f = d.own("text"), d.own("first")
    reentrant = d.chance(2)
    save, name = (f", &{g}_rest", "strtok_r") if reentrant else ("", "strtok")
    d.top(
        f'static char {g}[] = "a b c d", *{g}_rest;',
        f"static void {f}(char *p) {{",
        f'    {name}(p, " "{save});',
        "}",
    )
    before = ['char other[] = "xx yy zz", *rest;', f"{f}({d.pick(g, g, f'n > 3 ? {g} : other')});"]
    before += d.maybe([f'{name}(other, " "{", &rest" if reentrant else ""});'], 3)
    none = d.pick("0", "0", "n > 0 ? 0 : other")
    return _Scene(f"{g}[3]", [f'{name}({none}, " "{save});'], tuple(before))


def _separated(d: Draft) -> _Scene:
    d.include("string.h")
    f = d.own("cut")
    call = d.pick('strsep(p, " ");', 'strsep(p, ", ");')
    d.top(f"static void {f}(char **p) {{", f"    {call}", "}")
    before = ('char text[] = "aa bb";', "char *at = text;")
    return _Scene("text[2]", [f"{f}(&at);"], before)


def _environment(d: Draft) -> _Scene:
    b = d.own("variable")
    d.top(f'static char {b}[] = "FUZZ_X=12";')
    before = (f"putenv({b});", 'char *value = getenv("FUZZ_X");')
    return _Scene(f"{b}[7]", ["value[0] = 5;"], before)


def _told(d: Draft) -> _Scene:
    d.include("string.h")
    print_it = d.pick(
        'sprintf(text, "%p", (void *)&k);',
        'snprintf(text, sizeof text, "at %p", (void *)&k);',
        'sprintf(text, n > 100 ? "%p;" : "%p", (void *)&k);',
    )
    form = "at %p" if "at" in print_it.split(",")[2:3].__str__() else "%p"
    read = d.pick(
        [f'sscanf(text, "{form}", (void **)&p);'],
        ['p = (int *)strtoul(strstr(text, "0x"), 0, 16);'],
        ['setenv("FUZZ_AT", text, 1);', f'sscanf(getenv("FUZZ_AT"), "{form}", (void **)&p);'],
    )
    before = ("int k = 0, *p = 0;", "char text[40];", print_it, *read)
    return _Scene("k", ["if (p) *p = 7;"], before)


def _vectors(d: Draft) -> _Scene:
    d.include("sys/uio.h", "unistd.h")
    before = ["int fd[2], seven = 7, k = 0;", "pipe(fd);", "write(fd[1], &seven, 4);"]
    kind = d.integer(0, 3)
    if kind == 0:
        f = d.own("fills")
        d.top(
            f"static void {f}(struct iovec *v, void *p) {{",
            "    v->iov_base = p;",
            "    v->iov_len = 4;",
            "}",
        )
        before += ["struct iovec v;", f"{f}(&v, &k);"]
    elif kind == 1:
        before += ["struct iovec v = {&k, 4};"]
    elif kind == 2:
        before += ["struct iovec w = {&k, 4}, v = w;"]
    else:
        before += ["struct iovec *v = (struct iovec *)malloc(sizeof *v);"]
        before += ["v->iov_base = &k, v->iov_len = 4;"]
    return _Scene("k", [f"readv(fd[0], {'v' if kind == 3 else '&v'}, 1);"], tuple(before))


def _flags(d: Draft) -> _Scene:
    d.include("getopt.h")
    f = d.own("flag")
    d.top(f"static int {f};", f'static struct option {f}_all[] = {{{{"x", 0, &{f}, 3}}, {{0}}}};')
    before = ('char *words[] = {argv[0], (char *)"--x", 0};', "optind = 1;")
    return _Scene(f, [f'getopt_long(2, words, "a", {f}_all, 0);'], before)


def _system_calls(d: Draft) -> _Scene:
    d.include("sys/syscall.h", "unistd.h", "sys/uio.h", "sys/wait.h", "sys/mman.h", "sched.h")
    kind = d.integer(0, 3)
    before = ["int fd[2], seven = 7, k = 0;", "pipe(fd);", "write(fd[1], &seven, 4);"]
    if kind == 0:
        return _Scene("k", ["syscall(SYS_read, fd[0], &k, 4L);"], tuple(before))
    if kind == 1:
        before += ["struct iovec to = {&k, 4}, from = {&seven, 4};"]
        return _Scene("k", ["process_vm_readv(getpid(), &to, 1, &from, 1, 0);"], tuple(before))
    if kind == 2:
        g = d.own("g")
        d.top(f"static int {g};")
        return _Scene(g, ["if (vfork() == 0) {", f"    {g} = 3;", "    _exit(0);", "}"])
    g, f = _hook(d, "void *p")
    before = ["char *stack = (char *)malloc(65536);", "int status;"]
    call = [f"clone({f}, stack + 65536, CLONE_VM | 17, 0);", "wait(&status);"]
    return _Scene(g, call, tuple(before))


def _asynchronous(d: Draft) -> _Scene:
    d.include("aio.h", "fcntl.h", "errno.h", "string.h")
    b, c = d.own("into"), d.own("request")
    d.top(f"static int {b}[4];", f"static struct aiocb {c};")
    before = [
        f'{c}.aio_fildes = open("/dev/zero", O_RDONLY);',
        f"{c}.aio_buf = {b};",
        f"{c}.aio_nbytes = 16;",
    ]
    wait = d.loop(f"aio_error(&{c}) == EINPROGRESS", [";"])
    start = f"aio_read(&{c});"
    if d.chance(2):
        return _Scene(f"{b}[0]", wait, (*before, start))
    return _Scene(f"{b}[0]", [start, *wait], tuple(before))


# -- memory of its own, and pointers that it keeps
def _own_results(d: Draft) -> _Scene:
    d.include("time.h", "string.h", "pwd.h", "stdlib.h")
    kept = d.own("kept")
    call, kind, place = d.pick(
        ("gmtime", "time_t", "tm_mday"), ("localtime", "time_t", "tm_mday"), ("getpwuid", "int", "")
    )
    if not place:
        d.top(f"static struct passwd *{kept};")
        before = (f"{kept} = getpwuid(0);",)
        return _Scene(f"{kept}->pw_gid", ["getpwuid(0);"], before, True)
    d.top(f"static struct tm *{kept};", f"static {kind} {kept}_at[2] = {{0, 86400 * 6}};")
    if d.chance(2):
        before = (f"{kept} = {call}(&{kept}_at[0]);",)
        return _Scene(f"{kept}->{place}", [f"{call}(&{kept}_at[1]);"], before, True)
    before = (f"struct tm *first = {call}(&{kept}_at[0]);",)
    return _Scene(f"first->{place}", [f"{call}(&{kept}_at[1]);"], before, True)


def _found_again(d: Draft) -> _Scene:
    d.include("search.h", "pthread.h", "string.h", "signal.h")
    k = d.own("k")
    is_static = d.chance(2)
    if is_static:
        d.top(f"static int {k};")
    before = [] if is_static else [f"int {k} = 0;"]
    kind = d.integer(0, 3)
    if kind == 0:
        before += ["hcreate(10);", f'ENTRY e = {{(char *)"a", &{k}}}, *found;']
        before += ["hsearch(e, ENTER);", "e.data = 0;", "found = hsearch(e, FIND);"]
        return _Scene(k, ["*(int *)found->data = 7;"], tuple(before))
    if kind == 1:
        c = d.own("compares")
        d.top(
            f"static int {c}(const void *a, const void *b) {{",
            "    return *(const int *)a - *(const int *)b;",
            "}",
        )
        before += ["void *root = 0;", f"void *node = tsearch(&{k}, &root, {c});"]
        return _Scene(k, ["**(int **)node = 7;"], tuple(before))
    if kind == 2:
        before += ["pthread_key_t key;", "pthread_key_create(&key, 0);"]
        before += [f"pthread_setspecific(key, &{k});"]
        return _Scene(k, ["*(int *)pthread_getspecific(key) = 7;"], tuple(before))
    before += [f"char *end = 0, *text = (char *)&{k};", "strtol(text, &end, 10);"]
    return _Scene(k, ["*end = 7;"], tuple(before))


# -- what compilers make intrinsics of
def _intrinsics(d: Draft) -> _Scene:
    d.include("immintrin.h", "string.h", "stdarg.h")
    t = d.own("square")
    d.top(f"typedef int {t} __attribute__((matrix_type(2, 2)));")
    before = [f"int a[4] = {{{d.integer(0, 9)}, 2, 3, 4}}, g[8] = {{0}};"]
    k = d.pick("0", "1", "2")
    call = d.pick(
        f"{{ {t} x = __builtin_matrix_column_major_load(a, 2, 2, 2);"
        " __builtin_matrix_column_major_store(x, g, 2); }",
        "_mm_stream_si32(g + 1, 9);",
        "_mm_storeu_si128((__m128i *)g, _mm_set1_epi32(5));",
        "_mm_stream_si128((__m128i *)(((size_t)g + 15) & ~15ul), _mm_set1_epi32(5));",
        "_mm_maskmoveu_si128(_mm_set1_epi8(1), _mm_set1_epi8(-1), (char *)g);",
        "_mm_storel_epi64((__m128i *)g, _mm_set1_epi32(5));",
        "__builtin_nontemporal_store(6, g + 1);",
        "__builtin_memcpy_inline(g, a, 16);",
        "__builtin_memset_inline(g, 0, 12);",
        "memset(g, 0, 8);",
    )
    return _Scene(f"g[{k}]", [call], tuple(before))


_C: tuple[Callable[[Draft], _Scene], ...] = (
    _time_zone,
    _error_count,
    _options,
    _sign,
    _error_number,
    _date,
    _forks,
    _names_itself,
    _prints,
    _cookies,
    _comparing,
    _walking,
    _once,
    _at_the_end,
    _contexts,
    _destroyed,
    _stacks,
    _random,
    _random_of_its_own,
    _streams,
    _lengths,
    _tokens,
    _separated,
    _environment,
    _told,
    _vectors,
    _flags,
    _system_calls,
    _asynchronous,
    _own_results,
    _found_again,
    _intrinsics,
)


# -- the library of C++
def _new_handler(d: Draft) -> _Scene:
    d.include("new")
    g, f = d.own("g"), d.own("hook")
    d.top(
        f"static int {g};",
        f"static void {f}() {{",
        f"    {g} += 3;",
        "    std::set_new_handler(nullptr);",
        "}",
    )
    call = "volatile size_t much = (size_t)1 << 62; char *p = new (std::nothrow) char[much];"
    return _Scene(
        g, ["{", f"    {call}", "    s += p == (char *)1;", "}"], (f"std::set_new_handler({f});",)
    )


def _streamed(d: Draft) -> _Scene:
    d.include("sstream")
    before = (
        "int k = 0;",
        "std::stringstream text;",
        "text << (void *)&k;",
        "void *p = nullptr;",
        "text >> p;",
    )
    return _Scene("k", ["*(int *)p = 7;"], before)


def _events(d: Draft) -> _Scene:
    d.include("sstream", "ios", "locale")
    g, f = d.own("g"), d.own("hook")
    d.top(
        f"static int {g};",
        f"static void {f}(std::ios_base::event, std::ios_base &, int) {{",
        f"    {g} += 3;",
        "}",
    )
    before = ("std::stringstream text, other;", f"text.register_callback({f}, 0);")
    return _Scene(g, [d.pick("text.imbue(std::locale());", "other.copyfmt(text);")], before)


_CXX: tuple[Callable[[Draft], _Scene], ...] = (
    _new_handler,
    _streamed,
    _events,
    _comparing,
    _walking,
    _told,
    _own_results,
    _tokens,
)
