"""The C library (ISO C17, clause 7), with the variants of glibc (_chk, __isoc99_*, __isoc23_*: see
LLVM's TargetLibraryInfo)."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.other_names import OF_THE_LIBRARY
from .library_function import ALL, Arguments, Handler, LibraryFunction
from .rows import FLOAT, INTEGER, LEAVES, MAY_LEAVE, TWICE, UNSIGNED, WAITS, row


def _variables(*names: str) -> tuple[str, ...]:
    """Variables, by all the names that the library has for each."""
    others = {one: names for names in OF_THE_LIBRARY for one in names}
    return tuple(other for name in names for other in others[name])


ENVIRONMENT = _variables("environ")
"""The variables of the library that programs can name, with what they are called in glibc: the list
of environment variables."""
TIME_ZONE = _variables("timezone", "daylight", "tzname")
"""Those that tzset sets, and all functions that behave as if they called it (POSIX, `tzset`)."""
_SIGN = _variables("signgam")
_ALLOCATION = ("__malloc_hook", "__realloc_hook", "__memalign_hook", "__free_hook")


def _stdio(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of functions that use a stream, and may wait where the row does not say otherwise."""
    return row(names, reads, writes, **{"control": WAITS, "uses": ("stream",), **facts})


def _prints(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of functions that print by a format to a stream, or where the row says so: also what
    the program has taught printf (register_printf_function)."""
    return _stdio(names, reads, writes, **{"uses": ("stream", "print"), **facts})


def _tokens(names: str, writes: Arguments) -> Iterator[LibraryFunction]:
    """A row of functions that cut up a text, and go on with it where they are handed none."""
    return row(
        names,
        (0, 1),
        writes,
        goes_on=True,
        keeps=(0,),
        into=0,
        attaches=(0,),
        to="tokens",
        uses=("tokens",),
    )


def _allocates(names: str, reads: Arguments = (), **facts: object) -> Iterator[LibraryFunction]:
    """A row of functions that return new memory."""
    return row(
        names,
        reads,
        (),
        **{"allocates": True, "errno": True, "calls_through": _ALLOCATION, **facts},
    )


C = (
    # -- <stdlib.h>: memory
    *_allocates("malloc valloc pvalloc aligned_alloc memalign"),
    *_allocates("calloc", cost="a0*a1"),
    *_allocates("realloc", (0,), may_cost="a1"),
    *_allocates("reallocarray", (0,), may_cost="a1*a2"),
    *row("posix_memalign", writes=(0,), calls_through=_ALLOCATION),
    *row("free cfree", calls_through=_ALLOCATION),
    *row("malloc_usable_size malloc_trim mallopt"),
    # -- <stdlib.h>: numbers from text; the end pointer that strtol stores points into the text
    *row("atoi atol atoll", reads=(0,), parses=INTEGER),  # numbers are short: no cost
    *row("atof", reads=(0,), parses=FLOAT),
    *row("strtol strtoll strtoimax", (0,), (1,), keeps=(0,), errno=True, parses=INTEGER, base=2),
    *row("strtoul strtoull strtoumax", (0,), (1,), keeps=(0,), errno=True, parses=UNSIGNED, base=2),
    *row("strtod strtof strtold", (0,), (1,), keeps=(0,), errno=True, parses=FLOAT),
    # -- <stdlib.h>: the rest
    *row("abs labs llabs imaxabs div ldiv lldiv"),
    *row("lrand48 mrand48 drand48 srand48"),
    *row("rand_r erand48 nrand48 jrand48", (0,), (0,)),
    *row("seed48", (0,), own=True),
    *row("lcong48", (0,)),
    *row("drand48_r lrand48_r mrand48_r", (0,), (0, 1)),
    *row("erand48_r nrand48_r jrand48_r", (0, 1), (0, 1, 2)),
    *row("srand48_r", (), (1,)),
    *row("seed48_r lcong48_r", (0,), (1,)),
    # rand and random of glibc share a state, which lies in memory of the program from initstate on
    *row("rand random srand srandom", uses=("random",)),
    *row("initstate", (), (1,), keeps=(1,), attaches=(1,), to="random", uses=("random",)),
    *row("setstate", (0,), (0,), keeps=(0,), attaches=(0,), to="random", uses=("random",)),
    *row("random_r", (0,), (0, 1), uses=("random",)),
    *row("srandom_r", (), (1,), uses=("random",)),
    *row("initstate_r", (), (1, 3), keeps=(1,), attaches=(1,), to="random", uses=("random",)),
    *row("setstate_r", (0,), (0, 1), keeps=(0,), attaches=(0,), to="random", uses=("random",)),
    *row("qsort qsort_r", (0,), (0,), calls_back=(3,), cost="a1*log1"),
    *row("bsearch", (0, 1), into=1, calls_back=(4,), cost="log2"),
    *row("getenv secure_getenv", (0,)),
    *row("setenv", (0, 1), sets=ENVIRONMENT),
    *row("putenv", (0,), keeps=(0,), sets=ENVIRONMENT),
    *row("unsetenv clearenv", (0,), sets=ENVIRONMENT),
    *row("atexit on_exit at_quick_exit", keeps=(0, 1), registers=(0,), to="exit"),
    *row("system", (0,), control=WAITS, uses=("fork",)),
    *row("mblen mbtowc wctomb mbstowcs wcstombs", (1,), (0,)),
    *row("getloadavg", (), (0,), control=WAITS),
    *row("getsubopt", (0, 1), (0, 2), behind=(0,), keeps=(0, 1)),
    *row("realpath", (0,), (1,), keeps=(1,), control=WAITS),
    *row("mktemp", (0,), (0,), returns=0, control=WAITS),
    *row("mkdtemp", (0,), (0,), keeps=(0,), control=WAITS),
    *row("mkstemp mkostemp mkstemps mkostemps mkstemp64", (0,), (0,), control=WAITS),
    *row("ecvt fcvt qecvt qfcvt", (), (2, 3), own=True),
    *row("gcvt qgcvt", (), (2,), returns=2),
    *row("l64a ptsname", own=True, control=WAITS),
    *row("exit _exit _Exit quick_exit", control=LEAVES),
    *row("abort __assert_fail __stack_chk_fail __chk_fail __fortify_fail", control=LEAVES),
    # -- <string.h>
    *row("memcpy memmove", (1,), (0,), length=2, returns=0, cost="a2"),
    *row("memset", (), (0,), length=2, returns=0, cost="a2"),
    *row("bzero explicit_bzero", (), (0,), length=1, cost="a1"),
    *row("mempcpy", (1,), (0,), length=2, into=0, cost="a2"),
    *row(
        "__memcpy_chk __memmove_chk", (1,), (0,), length=2, returns=0, control=MAY_LEAVE, cost="a2"
    ),
    *row("__memset_chk", (), (0,), length=2, returns=0, control=MAY_LEAVE, cost="a2"),
    *row("memcmp bcmp", (0, 1), cost="a2"),
    *row("strncmp strncasecmp", (0, 1), cost="a2"),
    *row("strcmp strcasecmp strcoll", (0, 1), cost="len0|len1"),
    *row("strlen", (0,), cost="len0"),
    *row("strnlen", (0,), cost="a1"),
    *row("strspn strcspn", (0, 1), cost="len0"),
    *row("memchr memrchr", (0,), into=0, cost="a2"),
    *row("rawmemchr strchr strrchr strchrnul index rindex", (0,), into=0, cost="len0"),
    *row("strstr strcasestr", (0, 1), into=0, cost="len0 + len1"),
    *row("strpbrk", (0, 1), into=0, cost="len0"),
    *row("memmem", (0, 1), into=0, cost="a1 + a3"),
    *row("strcpy", (1,), (0,), returns=0, cost="len1"),
    *row("strncpy", (1,), (0,), returns=0, cost="a2"),
    *row("strcat strncat", (0, 1), (0,), returns=0, cost="len0 + len1"),
    *row("stpcpy", (1,), (0,), into=0, cost="len1"),
    *row("stpncpy", (1,), (0,), into=0, cost="a2"),
    *row("__strcpy_chk", (1,), (0,), returns=0, control=MAY_LEAVE, cost="len1"),
    *row("__strncpy_chk", (1,), (0,), returns=0, control=MAY_LEAVE, cost="a2"),
    *row(
        "__strcat_chk __strncat_chk", (0, 1), (0,), returns=0, control=MAY_LEAVE, cost="len0 + len1"
    ),
    *row("strdup __strdup", (0,), allocates=True, errno=True, cost="len0"),
    *row("strndup", (0,), allocates=True, errno=True, cost="a1"),
    *_tokens("strtok", (0,)),
    *_tokens("strtok_r __strtok_r", (0, 2)),
    *row("strsep", (0, 1), (0,), behind=(0,), keeps=(0,)),
    *row("strerror strerror_l strerrorname_np strerrordesc_np", own=True),
    *row("strerror_r __xpg_strerror_r", (), (1,), keeps=(1,), own=True),
    *_tokens("wcstok", (0, 2)),
    *row("iconv", ALL, (1, 2, 3, 4), behind=(3,), keeps=(1, 3)),
    *row("memccpy", (1,), (0,), into=0, cost="a3"),
    *row("strxfrm", (1,), (0,), cost="len1"),
    *row("strfry memfrob", (0,), (0,), returns=0),
    *row("swab", (0,), (1,)),
    *row("bcopy", (0,), (1,), cost="a2"),
    *row("basename", (0,), into=0),
    *row("dirname __xpg_basename", (0,), (0,), keeps=(0,), own=True),
    # -- what models of containers call (see frontend.model_bodies)
    *row("looplaw.storage looplaw.unknown"),
    *row("looplaw.length", (0,)),
    *row("looplaw.rows looplaw.sized looplaw.grown looplaw.same"),
    *row("looplaw.threads*", (), (0,)),  # what other threads do (see frontend.openmp.barriers)
    # -- <ctype.h>, <errno.h>, <locale.h>
    *row("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper"),
    *row("isxdigit toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc"),
    *row("__errno_location ___errno __error"),
    *row("setlocale", (1,), own=True),
    *row("localeconv nl_langinfo nl_langinfo_l", own=True),
    # -- <stdio.h>: streams are the library's own memory, but for what was attached to them
    *_prints("printf vprintf", ALL, format=0),
    *_prints("fprintf vfprintf dprintf vdprintf", ALL, format=1),
    *_stdio("puts fputs", ALL),
    *_stdio("fwrite", ALL, cost="a1*a2"),
    *_prints("__printf_chk __vprintf_chk", ALL, format=1),
    *_prints("__fprintf_chk __vfprintf_chk", ALL, format=2),
    *_stdio("putchar fputc putc _IO_putc fflush fclose pclose ungetc putw __overflow"),
    *_stdio("putchar_unlocked fputc_unlocked putc_unlocked fflush_unlocked"),
    *_stdio("fputs_unlocked puts_unlocked", ALL),
    *_stdio("fwrite_unlocked", ALL, cost="a1*a2"),
    *_stdio("feof ferror clearerr fileno ftell ftello rewind fseek fseeko ftello64 fseeko64"),
    *_stdio("feof_unlocked ferror_unlocked fileno_unlocked setlinebuf"),
    *_stdio("fgetpos", (), (1,)),
    *_stdio("fsetpos", (1,)),
    *_stdio("perror fopen fopen64 fdopen freopen tmpfile remove rename fcloseall", ALL),
    *_stdio("popen", ALL, uses=("stream", "fork")),
    *row("tmpnam tempnam", ALL, (0,), keeps=(0,), own=True, control=WAITS),
    *_prints("sprintf vsprintf", (1, ...), (0,), format=1, uses=("print",)),
    *_prints("snprintf vsnprintf", (2, ...), (0,), format=2, uses=("print",)),
    *_prints("asprintf vasprintf", (1, ...), (0,), format=1, uses=("print",)),
    *_prints(
        "__sprintf_chk __vsprintf_chk", (3, ...), (0,), format=3, uses=("print",), control=MAY_LEAVE
    ),
    *_prints(
        "__snprintf_chk __vsnprintf_chk",
        (4, ...),
        (0,),
        format=4,
        uses=("print",),
        control=MAY_LEAVE,
    ),
    *row(
        "register_printf_function register_printf_specifier register_printf_modifier"
        " register_printf_type",
        keeps=ALL,
        calls_back=(0, ...),
        registers=(0, ...),
        to="print",
    ),
    *_stdio("fgetc getc getchar _IO_getc getc_unlocked getchar_unlocked fgetc_unlocked getw"),
    *_stdio("__uflow __underflow"),
    *_stdio("fgets fgets_unlocked gets", (), (0,), returns=0),
    *_stdio("fread fread_unlocked", (), (0,), cost="a1*a2"),
    *_stdio("getline getdelim __getdelim", (0, 1), (0, 1), behind=(0,)),
    *_stdio("scanf", (0,), (1, ...), scans=0),
    *_stdio("fscanf", (1,), (2, ...), scans=1),
    *row("sscanf", (0, 1), (2, ...), scans=1),
    *row("vscanf vfscanf vsscanf", ALL, ALL, anywhere=True, control=WAITS),
    *_stdio("setbuf setvbuf setbuffer", (), (1,), keeps=(1,), attaches=(1,), to="stream"),
    *_stdio("fmemopen", (), (0,), keeps=(0,), attaches=(0,), to="stream"),
    *_stdio(
        "open_memstream open_wmemstream", (), (0, 1), keeps=(0, 1), attaches=(0, 1), to="stream"
    ),
    *_stdio(
        "fopencookie funopen",
        ALL,
        ALL,
        keeps=ALL,
        attaches=ALL,
        calls_back=(1, ...),
        registers=(1, ...),
        to="stream",
    ),
    # -- <time.h>
    *row("time", (), (0,)),
    *row("clock difftime"),
    *row("clock_gettime clock_getres timespec_get", (), ALL),
    *row("gettimeofday", (), (0, 1)),
    *row("asctime", (0,), own=True),
    *row("asctime_r", (0,), (1,), returns=1),
    *row("tzset", sets=TIME_ZONE, control=WAITS),
    *row("localtime gmtime ctime", (0,), own=True, sets=TIME_ZONE, control=WAITS),
    *row("localtime_r gmtime_r ctime_r", (0,), (1,), returns=1, sets=TIME_ZONE, control=WAITS),
    *row("mktime timelocal timegm", (0,), (0,), sets=TIME_ZONE, control=WAITS),
    *row("strftime strftime_l", (2, 3), (0,), sets=TIME_ZONE, control=WAITS),
    *row("strptime", (0, 1), (2,), into=0, sets=TIME_ZONE, control=WAITS),
    *row("getdate", (0,), own=True, sets=(*TIME_ZONE, "getdate_err"), control=WAITS),
    *row("getdate_r", (0,), (1,), sets=TIME_ZONE, control=WAITS),
    *row("stime settimeofday clock_settime adjtime", ALL, (1,), control=WAITS),
    # -- <math.h>: errno apart, functions of their arguments; f and l are float and long double
    *row("acos acosf acosl acosh acoshf asin asinf asinl asinh asinhf atan atanf", errno=True),
    *row("atanl atanh atanhf atan2 atan2f atan2l cos cosf cosl cosh coshf sin sinf", errno=True),
    *row(
        "sinl sinh sinhf tan tanf tanl tanh tanhf exp expf expl exp2 exp2f exp10 expm1 expm1f",
        errno=True,
    ),
    *row("log logf logl log2 log2f log10 log10f log1p log1pf pow powf powl sqrt sqrtf", errno=True),
    *row("sqrtl cbrt cbrtf hypot hypotf erf erff erfc erfcf tgamma tgammaf", errno=True),
    *row("lgamma lgammaf lgammal gamma gammaf gammal", errno=True, sets=_SIGN),
    *row("lgamma_r lgammaf_r lgammal_r", (), (1,), errno=True),
    *row("fmod fmodf fmodl remainder remainderf ldexp ldexpf scalbn scalbnf nextafter", errno=True),
    *row("fabs fabsf fabsl fabsf128 floor floorf floorl ceil ceilf ceill trunc truncf truncl"),
    *row("round roundf roundl rint rintf nearbyint nearbyintf lround lroundf lrint lrintf llround"),
    *row("llrint fmin fminf fmax fmaxf fma fmaf fdim copysign copysignf isnan isinf"),
    *row("__isnan __isinf"),
    *row("frexp frexpf frexpl modf modff modfl", (), (1,)),
    *row("sincos sincosf sincosl", (), (1, 2)),
    *row("remquo remquof", (), (2,)),
    # -- <err.h>, <error.h>: they print and end the program (error: where its status is not zero)
    *row("err errx verr verrx errc verrc", ALL, control=LEAVES),
    *_prints(
        "error",
        ALL,
        format=2,
        sets=("error_message_count",),
        calls_through=("error_print_progname",),
        control=MAY_LEAVE,
    ),
    *_prints(
        "error_at_line",
        ALL,
        format=4,
        sets=("error_message_count",),
        calls_through=("error_print_progname",),
        control=MAY_LEAVE,
    ),
    *_prints("warn warnx vwarn vwarnx", ALL, format=0),
    # -- <setjmp.h>, <signal.h>
    *row("setjmp _setjmp sigsetjmp __sigsetjmp", (), (0,), control=TWICE),
    *row("longjmp _longjmp siglongjmp __longjmp_chk __siglongjmp_chk", (0,), control=LEAVES),
    *row("signal bsd_signal sysv_signal", calls_back=(1,), handler=Handler.FUNCTION),
    *row("__sysv_signal sigset ssignal", calls_back=(1,), handler=Handler.FUNCTION),
    *row("sigaction __sigaction sigvec", (1,), (2,), control=WAITS, handler=Handler.STRUCTURE),
    *row("raise kill", control=MAY_LEAVE),
)
