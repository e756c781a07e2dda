"""The C library (ISO C17, clause 7), with the variants of glibc (_chk, __isoc99_*, __isoc23_*: see
LLVM's TargetLibraryInfo)."""

from __future__ import annotations

from collections.abc import Iterator

from .library_function import ALL, Arguments, Handler, LibraryFunction
from .rows import FLOAT, INTEGER, LEAVES, MAY_LEAVE, TWICE, UNSIGNED, WAITS, row


def _stdio(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of functions that use a stream, and may wait where the row does not say otherwise."""
    return row(names, reads, writes, **{"control": WAITS, "stream": True, **facts})


C = (
    # -- <stdlib.h>: memory
    *row("malloc valloc pvalloc", allocates=True, errno=True),
    *row("calloc", allocates=True, errno=True, cost="a0*a1"),
    *row("aligned_alloc memalign", allocates=True, errno=True),
    *row("realloc reallocarray", reads=(0,), allocates=True, errno=True),
    *row("posix_memalign", writes=(0,)),
    *row("free cfree"),
    # -- <stdlib.h>: numbers from text; the end pointer that strtol stores points into the text
    *row("atoi atol atoll", reads=(0,), parses=INTEGER),  # numbers are short: no cost
    *row("atof", reads=(0,), parses=FLOAT),
    *row("strtol strtoll strtoimax", (0,), (1,), keeps=(0,), errno=True, parses=INTEGER, base=2),
    *row("strtoul strtoull strtoumax", (0,), (1,), keeps=(0,), errno=True, parses=UNSIGNED, base=2),
    *row("strtod strtof strtold", (0,), (1,), keeps=(0,), errno=True, parses=FLOAT),
    # -- <stdlib.h>: the rest
    *row("abs labs llabs imaxabs div ldiv lldiv"),
    *row("rand random lrand48 mrand48 drand48 srand srandom srand48"),
    *row("rand_r erand48 nrand48 jrand48", (0,), (0,)),
    *row("qsort qsort_r", (0,), (0,), calls_back=(3,), cost="a1*log1"),
    *row("bsearch", (0, 1), into=1, calls_back=(4,), cost="log2"),
    *row("getenv secure_getenv", (0,)),
    *row("atexit on_exit at_quick_exit", keeps=(0, 1)),
    *row("system", (0,), control=WAITS),
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
    *row("strcmp strcasecmp strcoll", (0, 1), cost="len0"),
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
    *row("strtok", (0, 1), (0,), goes_on=True, keeps=(0,), into=0),
    *row("strtok_r __strtok_r", (0, 1), (0, 2), goes_on=True, keeps=(0,), into=0),
    *row("strsep", (0, 1), (0,), behind=(0,), keeps=(0,)),
    *row("strerror", own=True),
    # -- what models of containers call (see frontend.model_bodies)
    *row("looplaw.storage looplaw.unknown"),
    *row("looplaw.length", (0,)),
    *row("looplaw.rows looplaw.sized looplaw.grown looplaw.same"),
    *row("looplaw.threads*", (), (0,)),  # what other threads do (see frontend.openmp_barriers)
    # -- <ctype.h>, <errno.h>, <locale.h>
    *row("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper"),
    *row("isxdigit toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc"),
    *row("__errno_location ___errno __error"),
    *row("setlocale", (1,), own=True),
    *row("localeconv", own=True),
    # -- <stdio.h>: streams are the library's own memory, but for what was attached to them
    *_stdio("printf vprintf", ALL, format=0),
    *_stdio("fprintf vfprintf dprintf vdprintf", ALL, format=1),
    *_stdio("puts fputs", ALL),
    *_stdio("fwrite", ALL, cost="a1*a2"),
    *_stdio("__printf_chk __vprintf_chk", ALL, format=1),
    *_stdio("__fprintf_chk __vfprintf_chk", ALL, format=2),
    *_stdio("putchar fputc putc _IO_putc fflush fclose pclose ungetc"),
    *_stdio("feof ferror clearerr fileno ftell ftello rewind fseek fseeko"),
    *_stdio("perror fopen fopen64 fdopen freopen popen tmpfile remove rename", ALL),
    *row("sprintf vsprintf", (1, ...), (0,), format=1, control=WAITS),
    *row("snprintf vsnprintf", (2, ...), (0,), format=2, control=WAITS),
    *row("__sprintf_chk __vsprintf_chk", (3, ...), (0,), format=3, control=MAY_LEAVE),
    *row("__snprintf_chk __vsnprintf_chk", (4, ...), (0,), format=4, control=MAY_LEAVE),
    *_stdio("fgetc getc getchar _IO_getc getc_unlocked getchar_unlocked"),
    *_stdio("fgets", (), (0,), returns=0),
    *_stdio("fread", (), (0,), cost="a1*a2"),
    *_stdio("getline getdelim __getdelim", (0, 1), (0, 1), behind=(0,)),
    *_stdio("scanf", (0,), (1, ...), scans=0),
    *_stdio("fscanf", (1,), (2, ...), scans=1),
    *row("sscanf", (0, 1), (2, ...), scans=1),
    *row("vscanf vfscanf vsscanf", ALL, ALL, lists=True, control=WAITS),
    *_stdio("setbuf setvbuf setbuffer", (), (1,), keeps=(1,), attaches=(1,)),
    *_stdio("fmemopen", (), (0,), keeps=(0,), attaches=(0,)),
    *_stdio("open_memstream open_wmemstream", (), (0, 1), keeps=(0, 1), attaches=(0, 1)),
    *_stdio("fopencookie funopen", ALL, ALL, keeps=ALL, attaches=ALL, calls_back=(2, ...)),
    # -- <time.h>
    *row("time", (), (0,)),
    *row("clock difftime"),
    *row("clock_gettime clock_getres timespec_get", (), ALL),
    *row("gettimeofday", (), (0, 1)),
    *row("localtime gmtime ctime asctime", (0,), own=True, control=WAITS),
    *row("localtime_r gmtime_r", (0,), (1,), returns=1, control=WAITS),
    *row("mktime timegm", (0,), (0,), control=WAITS),
    *row("strftime", (2, 3), (0,), control=WAITS),
    # -- <math.h>: errno apart, functions of their arguments; f and l are float and long double
    *row("acos acosf acosl acosh acoshf asin asinf asinl asinh asinhf atan atanf", errno=True),
    *row("atanl atanh atanhf atan2 atan2f atan2l cos cosf cosl cosh coshf sin sinf", errno=True),
    *row(
        "sinl sinh sinhf tan tanf tanl tanh tanhf exp expf expl exp2 exp2f exp10 expm1 expm1f",
        errno=True,
    ),
    *row("log logf logl log2 log2f log10 log10f log1p log1pf pow powf powl sqrt sqrtf", errno=True),
    *row("sqrtl cbrt cbrtf hypot hypotf erf erff erfc erfcf tgamma tgammaf", errno=True),
    *row("lgamma lgammaf lgammal gamma", errno=True, sets=("signgam",)),
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
    *row("error error_at_line", ALL, control=MAY_LEAVE),
    *row("warn warnx vwarn vwarnx", ALL, control=WAITS),
    # -- <setjmp.h>, <signal.h>
    *row("setjmp _setjmp sigsetjmp __sigsetjmp", (), (0,), control=TWICE),
    *row("longjmp _longjmp siglongjmp __longjmp_chk __siglongjmp_chk", (0,), control=LEAVES),
    *row("signal bsd_signal sysv_signal", calls_back=(1,), handler=Handler.FUNCTION),
    *row("__sysv_signal sigset ssignal", calls_back=(1,), handler=Handler.FUNCTION),
    *row("sigaction __sigaction sigvec", (1,), (2,), control=WAITS, handler=Handler.STRUCTURE),
    *row("raise kill", control=MAY_LEAVE),
)
