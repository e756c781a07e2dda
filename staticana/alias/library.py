"""What is known of library functions: one row a function, or a family that behaves alike.

Everything that asks what a function outside the program does, asks `library_function`: the alias
analysis (what it reads, writes, keeps and returns), the reader of command lines (what turns text
into a number), the operation counts (what MPI calls move) and the instrumentation (what may not
come back). To teach looplaw a function, add a row.

A function without a row is taken to write only what its arguments point to, to keep pointers to it,
to call back what it is handed, and perhaps never to return; that it writes nothing else is stated
as an assumption of each count that needs it (`analyze --strict` does without).

Sources: ISO C17 clause 7, POSIX.1-2017, the Itanium C++ ABI (__cxa_*, mangled names), the MPI 4.1
standard, LLVM's OpenMP runtime (kmp.h) and its TargetLibraryInfo for glibc's variants (_chk,
__isoc99_*, __isoc23_*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from types import EllipsisType

Arguments = tuple[int | EllipsisType, ...]
"""Numbers of arguments from 0; `...` at the end: and all that follow the last one."""


class Control(Enum):
    """Whether and how control comes back from a call."""

    RETURNS = "returns, and soon"
    WAITS = "returns, perhaps late: it does I/O, sleeps, waits for others, or makes a process"
    MAY_LEAVE = "may return, or end the program, or go on elsewhere"
    LEAVES = "never returns where it does its work (exec and swapcontext may fail)"
    TWICE = "may return a second time, when a jump comes back to it"


class Parses(Enum):
    """What number a function reads from the text in its first argument."""

    INTEGER = "an integer"
    UNSIGNED = "an integer of an unsigned type"
    FLOAT = "a floating-point number"


class Handler(Enum):
    """How the second argument of a function sets a signal handler."""

    FUNCTION = "it is the handler"
    STRUCTURE = "it points to a structure with the handler"


@dataclass(frozen=True, slots=True)
class Buffer:
    """Where an MPI call says how much it moves: the numbers of the arguments with count and
    datatype (None: they are arrays, or somewhere else), and whether that is for each process."""

    count: int | None
    datatype: int | None = None
    per_process: bool = False


NOTHING_SENT = -1
"""The `Buffer.count` of a message without data."""


@dataclass(frozen=True, slots=True)
class Message:
    """What an MPI call moves. `in_place`: the count that holds where the send buffer is
    MPI_IN_PLACE; `starts`: it starts requests that other calls have described."""

    sends: Buffer | None = None
    receives: Buffer | None = None
    in_place: Buffer | None = None
    starts: bool = False


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """What one library function does with memory and control.

    name: as in IR; a `*` at its end stands for any ending.
    reads, writes: the pointer arguments through which it reads and writes.
    length: the argument that says how many bytes it writes through the first of them.
    size: how many bytes it writes through each of them, where that is always the same.
    behind: the pointer arguments where pointers stand through which it writes: the text of strsep,
    the buffers of readv.
    goes_on: where its first argument is null, it writes through the one that it was handed before.
    keeps: the pointer arguments that may be found again later, elsewhere than in the result.
    attaches: those of them through which functions that use a stream write from then on.
    stream: it uses a stream, and so writes through what was attached to one.
    own: its result is memory of the library's own that later calls write.
    sets: variables of the library that it writes, which programs can name.
    returns: the argument that its result is equal to; into: that its result points into.
    allocates: the result is memory that no other pointer reaches.
    calls_back: the arguments that it may call before it returns.
    errno: beside `writes`, it writes errno.
    throws: it may throw a C++ exception.
    control: see `Control`.
    parses: see `Parses`. base: the argument that says in which base. of_string: the text is that
    of a std::string.
    in_header: programs may hold its body, in which calls are not followed; it does no more than its
    row says.
    handler: see `Handler`. message: see `Message`.
    concurrent: functions of the program may run beside the caller from then on.
    forks: from then on a second process runs the same code.
    leaves_argv: it is handed argc and argv by address, and leaves them as they are.
    lists: it writes through the pointers that an argument list (va_list) holds.
    format: the argument that says what it prints; with `%n` there, it writes through the pointers
    behind it.
    scans: the argument that says what it reads, and so how much it writes through the pointers
    behind it.
    cost: its work, a sum of products of a0 (the value of argument 0), len0 (the length of the
    string there) and log0 (its logarithm); None where it is constant or not known.
    """

    name: str
    reads: Arguments = ()
    writes: Arguments = ()
    length: int | None = None
    size: int | None = None
    behind: Arguments = ()
    goes_on: bool = False
    keeps: Arguments = ()
    attaches: Arguments = ()
    stream: bool = False
    own: bool = False
    sets: tuple[str, ...] = ()
    returns: int | None = None
    into: int | None = None
    allocates: bool = False
    calls_back: Arguments = ()
    errno: bool = False
    throws: bool = False
    control: Control = Control.RETURNS
    parses: Parses | None = None
    base: int | None = None
    of_string: bool = False
    in_header: bool = False
    concurrent: bool = False
    forks: bool = False
    handler: Handler | None = None
    message: Message | None = None
    leaves_argv: bool = False
    lists: bool = False
    format: int | None = None
    scans: int | None = None
    cost: str | None = None

    def writes_through(self, at: int) -> bool:
        """May it write through its argument number `at`?"""
        return _has(self.writes, at)

    def writes_behind(self, at: int) -> bool:
        """May it write through the pointers that stand where its argument number `at` points to?"""
        return _has(self.behind, at)

    def attaches_argument(self, at: int) -> bool:
        """May functions that use a stream write through its argument number `at` later?"""
        return _has(self.attaches, at)

    def keeps_argument(self, at: int) -> bool:
        """May the pointer in its argument number `at` be found again later?"""
        return _has(self.keeps, at)

    def may_call(self, at: int) -> bool:
        """May it call the function in its argument number `at`?"""
        return _has(self.calls_back, at)

    @property
    def returns_soon(self) -> bool:
        """Does every call return to its caller, without delay and without running code of the
        program?"""
        return self.control is Control.RETURNS and not self.throws and not self.calls_back


def _has(arguments: Arguments, at: int) -> bool:
    if arguments[-1:] == (...,):
        last = arguments[-2]
        return at in arguments or (isinstance(last, int) and at > last)
    return at in arguments


ALL: Arguments = (0, ...)
RETURNS, WAITS, MAY_LEAVE, LEAVES, TWICE = Control
INTEGER, UNSIGNED, FLOAT = Parses
_WHOLE, _UNTOLD = Buffer(1, 2), Buffer(None)


def _f(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """One row: the functions `names`, all with the same facts."""
    row = LibraryFunction("", reads, writes)
    return (replace(row, name=name, **facts) for name in names.split())  # type: ignore[arg-type]


def _stdio(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of functions that use a stream, and may wait where the row does not say otherwise."""
    return _f(names, reads, writes, **{"control": WAITS, "stream": True, **facts})


def _mpi(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of MPI: where the row does not say otherwise, the call may wait for other processes."""
    return _f(names, reads, writes, **{"control": WAITS, **facts})


def _sto(names: str, **facts: object) -> Iterator[LibraryFunction]:
    """A row of functions that read a number from the text of a std::string."""
    return _f(names, (0,), (1,), **{"errno": True, "throws": True, "of_string": True, **facts})


def _cxx(names: str) -> Iterator[LibraryFunction]:
    """Functions of the C++ library without a row of their own: they may do all that their arguments
    allow."""
    return _f(names, ALL, ALL, calls_back=ALL, throws=True, control=MAY_LEAVE)


def _sends(buffer: Buffer, in_place: Buffer | None = None) -> Message:
    return Message(buffer, in_place=in_place)


_SENDS, _SENDS_UNTOLD, _RECEIVES = _sends(_WHOLE), _sends(_UNTOLD), Message(receives=_WHOLE)


_C = (
    # -- <stdlib.h>: memory
    *_f("malloc valloc pvalloc", allocates=True, errno=True),
    *_f("calloc", allocates=True, errno=True, cost="a0*a1"),
    *_f("aligned_alloc memalign", allocates=True, errno=True),
    *_f("realloc reallocarray", reads=(0,), allocates=True, errno=True),
    *_f("posix_memalign", writes=(0,)),
    *_f("free cfree"),
    # -- <stdlib.h>: numbers from text; the end pointer that strtol stores points into the text
    *_f("atoi atol atoll", reads=(0,), parses=INTEGER),  # numbers are short: no cost
    *_f("atof", reads=(0,), parses=FLOAT),
    *_f("strtol strtoll strtoimax", (0,), (1,), keeps=(0,), errno=True, parses=INTEGER, base=2),
    *_f("strtoul strtoull strtoumax", (0,), (1,), keeps=(0,), errno=True, parses=UNSIGNED, base=2),
    *_f("strtod strtof strtold", (0,), (1,), keeps=(0,), errno=True, parses=FLOAT),
    # -- <stdlib.h>: the rest
    *_f("abs labs llabs imaxabs div ldiv lldiv"),
    *_f("rand random lrand48 mrand48 drand48 srand srandom srand48"),
    *_f("rand_r erand48 nrand48 jrand48", (0,), (0,)),
    *_f("qsort qsort_r", (0,), (0,), calls_back=(3,), cost="a1*log1"),
    *_f("bsearch", (0, 1), into=1, calls_back=(4,), cost="log2"),
    *_f("getenv secure_getenv", (0,)),
    *_f("atexit on_exit at_quick_exit", keeps=(0, 1)),
    *_f("system", (0,), control=WAITS),
    *_f("exit _exit _Exit quick_exit", control=LEAVES),
    *_f("abort __assert_fail __stack_chk_fail __chk_fail __fortify_fail", control=LEAVES),
    # -- <string.h>
    *_f("memcpy memmove", (1,), (0,), length=2, returns=0, cost="a2"),
    *_f("memset", (), (0,), length=2, returns=0, cost="a2"),
    *_f("bzero explicit_bzero", (), (0,), length=1, cost="a1"),
    *_f("mempcpy", (1,), (0,), length=2, into=0, cost="a2"),
    *_f(
        "__memcpy_chk __memmove_chk", (1,), (0,), length=2, returns=0, control=MAY_LEAVE, cost="a2"
    ),
    *_f("__memset_chk", (), (0,), length=2, returns=0, control=MAY_LEAVE, cost="a2"),
    *_f("memcmp bcmp", (0, 1), cost="a2"),
    *_f("strncmp strncasecmp", (0, 1), cost="a2"),
    *_f("strcmp strcasecmp strcoll", (0, 1), cost="len0"),
    *_f("strlen", (0,), cost="len0"),
    *_f("strnlen", (0,), cost="a1"),
    *_f("strspn strcspn", (0, 1), cost="len0"),
    *_f("memchr memrchr", (0,), into=0, cost="a2"),
    *_f("rawmemchr strchr strrchr strchrnul index rindex", (0,), into=0, cost="len0"),
    *_f("strstr strcasestr", (0, 1), into=0, cost="len0 + len1"),
    *_f("strpbrk", (0, 1), into=0, cost="len0"),
    *_f("memmem", (0, 1), into=0, cost="a1 + a3"),
    *_f("strcpy", (1,), (0,), returns=0, cost="len1"),
    *_f("strncpy", (1,), (0,), returns=0, cost="a2"),
    *_f("strcat strncat", (0, 1), (0,), returns=0, cost="len0 + len1"),
    *_f("stpcpy", (1,), (0,), into=0, cost="len1"),
    *_f("stpncpy", (1,), (0,), into=0, cost="a2"),
    *_f("__strcpy_chk", (1,), (0,), returns=0, control=MAY_LEAVE, cost="len1"),
    *_f("__strncpy_chk", (1,), (0,), returns=0, control=MAY_LEAVE, cost="a2"),
    *_f(
        "__strcat_chk __strncat_chk", (0, 1), (0,), returns=0, control=MAY_LEAVE, cost="len0 + len1"
    ),
    *_f("strdup __strdup", (0,), allocates=True, errno=True, cost="len0"),
    *_f("strndup", (0,), allocates=True, errno=True, cost="a1"),
    *_f("strtok", (0, 1), (0,), goes_on=True, keeps=(0,), into=0),
    *_f("strtok_r __strtok_r", (0, 1), (0, 2), goes_on=True, keeps=(0,), into=0),
    *_f("strsep", (0, 1), (0,), behind=(0,), keeps=(0,)),
    *_f("strerror", own=True),
    # -- what models of containers call (see frontend.model_bodies)
    *_f("looplaw.storage looplaw.unknown"),
    *_f("looplaw.length", (0,)),
    *_f("looplaw.rows looplaw.sized looplaw.grown looplaw.same"),
    *_f("looplaw.threads*", (), (0,)),  # what other threads do (see frontend.openmp_barriers)
    # -- <ctype.h>, <errno.h>, <locale.h>
    *_f("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper"),
    *_f("isxdigit toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc"),
    *_f("__errno_location ___errno __error"),
    *_f("setlocale", (1,), own=True),
    *_f("localeconv", own=True),
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
    *_f("sprintf vsprintf", (1, ...), (0,), format=1, control=WAITS),
    *_f("snprintf vsnprintf", (2, ...), (0,), format=2, control=WAITS),
    *_f("__sprintf_chk __vsprintf_chk", (3, ...), (0,), format=3, control=MAY_LEAVE),
    *_f("__snprintf_chk __vsnprintf_chk", (4, ...), (0,), format=4, control=MAY_LEAVE),
    *_stdio("fgetc getc getchar _IO_getc getc_unlocked getchar_unlocked"),
    *_stdio("fgets", (), (0,), returns=0),
    *_stdio("fread", (), (0,), cost="a1*a2"),
    *_stdio("getline getdelim __getdelim", (0, 1), (0, 1), behind=(0,)),
    *_stdio("scanf", (0,), (1, ...), scans=0),
    *_stdio("fscanf", (1,), (2, ...), scans=1),
    *_f("sscanf", (0, 1), (2, ...), scans=1),
    *_f("vscanf vfscanf vsscanf", ALL, ALL, lists=True, control=WAITS),
    *_stdio("setbuf setvbuf setbuffer", (), (1,), keeps=(1,), attaches=(1,)),
    *_stdio("fmemopen", (), (0,), keeps=(0,), attaches=(0,)),
    *_stdio("open_memstream open_wmemstream", (), (0, 1), keeps=(0, 1), attaches=(0, 1)),
    *_stdio("fopencookie funopen", ALL, ALL, keeps=ALL, attaches=ALL, calls_back=(2, ...)),
    # -- <time.h>
    *_f("time", (), (0,)),
    *_f("clock difftime"),
    *_f("clock_gettime clock_getres timespec_get", (), ALL),
    *_f("gettimeofday", (), (0, 1)),
    *_f("localtime gmtime ctime asctime", (0,), own=True, control=WAITS),
    *_f("localtime_r gmtime_r", (0,), (1,), returns=1, control=WAITS),
    *_f("mktime timegm", (0,), (0,), control=WAITS),
    *_f("strftime", (2, 3), (0,), control=WAITS),
    # -- <math.h>: errno apart, functions of their arguments; f and l are float and long double
    *_f("acos acosf acosl acosh acoshf asin asinf asinl asinh asinhf atan atanf atanl", errno=True),
    *_f("atanh atanhf atan2 atan2f atan2l cos cosf cosl cosh coshf sin sinf sinl sinh", errno=True),
    *_f("sinhf tan tanf tanl tanh tanhf exp expf expl exp2 exp2f exp10 expm1 expm1f", errno=True),
    *_f("log logf logl log2 log2f log10 log10f log1p log1pf pow powf powl sqrt sqrtf", errno=True),
    *_f("sqrtl cbrt cbrtf hypot hypotf erf erff erfc erfcf tgamma tgammaf", errno=True),
    *_f("lgamma lgammaf lgammal gamma", errno=True, sets=("signgam",)),
    *_f("fmod fmodf fmodl remainder remainderf ldexp ldexpf scalbn scalbnf nextafter", errno=True),
    *_f("fabs fabsf fabsl fabsf128 floor floorf floorl ceil ceilf ceill trunc truncf truncl"),
    *_f("round roundf roundl rint rintf nearbyint nearbyintf lround lroundf lrint lrintf llround"),
    *_f("llrint fmin fminf fmax fmaxf fma fmaf fdim copysign copysignf isnan isinf"),
    *_f("__isnan __isinf"),
    *_f("frexp frexpf frexpl modf modff modfl", (), (1,)),
    *_f("sincos sincosf sincosl", (), (1, 2)),
    *_f("remquo remquof", (), (2,)),
    # -- <err.h>, <error.h>: they print and end the program (error: where its status is not zero)
    *_f("err errx verr verrx errc verrc", ALL, control=LEAVES),
    *_f("error error_at_line", ALL, control=MAY_LEAVE),
    *_f("warn warnx vwarn vwarnx", ALL, control=WAITS),
    # -- <setjmp.h>, <signal.h>
    *_f("setjmp _setjmp sigsetjmp __sigsetjmp", (), (0,), control=TWICE),
    *_f("longjmp _longjmp siglongjmp __longjmp_chk __siglongjmp_chk", (0,), control=LEAVES),
    *_f("signal bsd_signal sysv_signal", calls_back=(1,), handler=Handler.FUNCTION),
    *_f("__sysv_signal sigset ssignal", calls_back=(1,), handler=Handler.FUNCTION),
    *_f("sigaction __sigaction sigvec", (1,), (2,), control=WAITS, handler=Handler.STRUCTURE),
    *_f("raise kill", control=MAY_LEAVE),
)

_GETOPT = ("optarg", "optind", "opterr", "optopt")
_POSIX = (
    *_f("getpid getppid getuid getpagesize sysconf isatty", control=WAITS),
    *_f("getrusage", (), (1,), control=WAITS),
    *_f("sched_yield usleep sleep", control=WAITS),
    *_f("nanosleep", (0,), (1,), control=WAITS),
    *_f("getopt", ALL, (1,), sets=_GETOPT, keeps=(1,), control=WAITS),
    *_f(
        "getopt_long getopt_long_only",
        ALL,
        (1, 4),
        behind=(3,),  # the flags of options
        sets=_GETOPT,
        keeps=(1,),
        control=WAITS,
    ),
    *_f("open open64 openat close lseek lseek64 unlink mkdir access ftruncate", ALL, control=WAITS),
    *_f("read pread pread64 recv", (), (1,), control=WAITS),
    *_f("write pwrite pwrite64 send", (1,), control=WAITS),
    *_f("stat fstat lstat stat64 fstat64", (0,), (1,), control=WAITS),
    *_f("munmap msync mprotect", control=WAITS),
    *_f("madvise posix_madvise", (), (0,), control=WAITS),  # MADV_DONTNEED
    *_f("mmap mmap64", (), (0,), allocates=True, control=WAITS),  # MAP_FIXED
    *_f("getpgrp getgid geteuid getegid gettid sched_getcpu umask", control=WAITS),
    *_f("dup dup2 fsync chdir rmdir", ALL, control=WAITS),
    *_f("fcntl ioctl", ALL, (2, ...), behind=(2, ...), control=WAITS),
    *_f("sysinfo uname", (), (0,), control=WAITS),
    *_f("readv preadv", ALL, behind=(1,), control=WAITS),
    *_f("writev pwritev", ALL, control=WAITS),
    *_f("recvmsg", ALL, (1,), behind=(1,), control=WAITS),
    *_f("pipe pipe2", (), (0,), control=WAITS),
    *_f("getcwd", (), (0,), returns=0, control=WAITS),
    *_f("wait", (), (0,), control=WAITS),
    *_f("waitpid wait4", (), (1, 3), control=WAITS),
    *_f("alarm ualarm pause setitimer", ALL, (2,), control=MAY_LEAVE),
    *_f("getitimer", (), (1,), control=WAITS),
    *_f("sigemptyset sigfillset sigaddset sigdelset", (), (0,)),
    *_f("sigismember", (0,)),
    *_f("sigprocmask pthread_sigmask", (1,), (2,), control=MAY_LEAVE),
    *_f("sigsuspend", (0,), control=MAY_LEAVE),
    *_f("sem_init sem_destroy sem_wait sem_trywait sem_post sem_getvalue", (), ALL, control=WAITS),
    *_f("lfind", (0, 1, 2), into=1, calls_back=(4,)),
    *_f("lsearch", (0, 1, 2), (1, 2), into=1, calls_back=(4,)),
    *_f("tsearch tfind tdelete", (0, 1), (1,), keeps=(0,), calls_back=(2,)),
    *_f("twalk", (0,), calls_back=(1,)),
    *_f("ftw ftw64 nftw nftw64", (0,), calls_back=(1,), control=WAITS),
    *_f("scandir scandir64", (0,), (1,), calls_back=(2, 3), control=WAITS),
    *_f("glob glob64", (0,), (3,), calls_back=(2,), control=WAITS),
    *_f("mq_notify aio_read aio_write lio_listio", ALL, ALL, keeps=ALL, concurrent=True),
    *_f("getpwnam getpwuid getpwent getgrnam getgrgid getgrent", ALL, own=True, control=WAITS),
    *_f("gethostbyname gethostbyaddr getservbyname getprotobyname", ALL, own=True, control=WAITS),
    *_f("inet_ntoa ttyname getlogin ctermid crypt strsignal", ALL, own=True, control=WAITS),
    *_f("readdir readdir64", ALL, own=True, control=WAITS),
    *_f("fork _Fork forkpty daemon clone", control=WAITS, forks=True),
    *_f("vfork", control=TWICE, forks=True),
    *_f("execl execlp execle execv execvp execve execvpe fexecve", ALL, control=LEAVES),
    *_f("getcontext", (), (0,), control=TWICE),
    *_f("setcontext", (0,), control=LEAVES),
    *_f("swapcontext", (1,), (0,), control=LEAVES),
    *_f("pthread_create", (1,), (0,), keeps=(3,), calls_back=(2,), concurrent=True),
    *_f("thrd_create", (2,), (0,), keeps=(2,), calls_back=(1,), concurrent=True),
    *_f("timer_create", (1,), (2,), keeps=(1,), concurrent=True),
    *_f("pthread_join", (), (1,), control=WAITS),
    *_f("pthread_exit", control=LEAVES),
    *_f("pthread_mutex_init pthread_mutex_destroy", (1,), (0,), control=WAITS),
    *_f("pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock", (), (0,), control=WAITS),
    *_f("pthread_self pthread_equal"),
    *_f("pthread_once", (0,), (0,), calls_back=(1,), control=WAITS),
    *_f("call_once", (0,), (0,), calls_back=(1,), control=WAITS),
    *_f("pthread_key_create", (), (0,), calls_back=(1,), control=WAITS),
    *_f("pthread_setspecific", keeps=(1,)),
    *_f("pthread_getspecific pthread_key_delete"),
    *_f("pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize", (), (0,)),
    *_f("pthread_detach pthread_setaffinity_np pthread_barrier_wait", control=WAITS),
    *_f("pthread_barrier_init pthread_barrier_destroy", (1,), (0,), control=WAITS),
    *_f("pthread_cond_init pthread_cond_destroy pthread_cond_wait", (1,), (0, 1), control=WAITS),
    *_f("pthread_cond_signal pthread_cond_broadcast", (), (0,), control=WAITS),
)

_LIBCXX_STRING = "St3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE"
_CXX = (
    # -- operator new and delete
    *_f("_Znwm _Znam _Znwj _Znaj", allocates=True, throws=True),
    *_f("_ZnwmSt11align_val_t _ZnamSt11align_val_t", allocates=True, throws=True),
    *_f("_ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t", allocates=True),
    *_f("_Zdl* _Zda*"),
    # -- the Itanium ABI's runtime
    *_f("__cxa_allocate_exception", allocates=True, control=WAITS),
    *_f("__cxa_free_exception __cxa_get_exception_ptr __cxa_guard_abort", control=WAITS),
    *_f("__cxa_throw __cxa_rethrow __cxa_bad_cast __cxa_bad_typeid", ALL, control=LEAVES),
    *_f("__cxa_throw_bad_array_new_length __cxa_pure_virtual", control=LEAVES),
    *_f("_Unwind_Resume __clang_call_terminate _ZSt9terminatev", control=LEAVES),
    *_f("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", control=LEAVES),
    *_f("_ZSt20__throw_length_errorPKc _ZSt17__throw_bad_allocv", ALL, control=LEAVES),
    *_f("_ZSt24__throw_out_of_range_fmtPKcz _ZSt20__throw_out_of_rangePKc", ALL, control=LEAVES),
    *_f("_ZSt19__throw_logic_errorPKc _ZSt28__throw_bad_array_new_lengthv", ALL, control=LEAVES),
    *_f("_ZSt25__throw_bad_function_callv _ZSt16__throw_bad_castv", control=LEAVES),
    *_f("__cxa_begin_catch __cxa_end_catch"),
    *_f("__cxa_atexit __cxa_thread_atexit", keeps=(0, 1)),
    *_f("__cxa_guard_acquire", (0,), (0,), control=WAITS),
    *_f("__cxa_guard_release", (), (0,), control=WAITS),
    *_f("__dynamic_cast", (0,), into=0, control=WAITS),
    *_f("__gxx_personality_v0", control=WAITS),
    # -- <ios>: a stream keeps its buffer, and the stream that it is tied to
    *_f(
        "_ZNSoC1EP* _ZNSoC2EP* _ZNSiC1EP* _ZNSiC2EP* _ZNSdC1EP* _ZNSdC2EP*"
        " _ZNSt9basic_iosIcSt11char_traitsIcEE4init* _ZNSt9basic_iosIcSt11char_traitsIcEE5rdbuf*"
        " _ZNSt9basic_iosIcSt11char_traitsIcEE3tie* _ZNSt3__18ios_base4init*",
        ALL,
        ALL,
        keeps=(1,),
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
    ),
    # -- <string>: what reads a string
    *(
        row
        for prefix in ("St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", _LIBCXX_STRING)
        for row in (
            *_f(f"_ZN{prefix}2atEm _ZNK{prefix}2atEm", (0,), into=0, throws=True),
            *_f(f"_ZNK{prefix}4find* _ZNK{prefix}5rfind*", ALL, throws=True),
            *_f(f"_ZNK{prefix}7compare*", ALL, throws=True),
            *_f(f"_ZNK{prefix}13find_first_of* _ZNK{prefix}12find_last_of*", ALL, throws=True),
        )
    ),
    *_f(  # the text of a string, of the capacity that it is handed
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
        (1,),
        (1,),
        allocates=True,
        throws=True,
    ),
    # -- <string>: numbers from the text of a std::string
    *_sto(
        "_ZNSt7__cxx114stoiE* _ZNSt7__cxx114stolE* _ZNSt7__cxx115stollE*"
        " _ZNSt3__14stoiE* _ZNSt3__14stolE* _ZNSt3__15stollE*",
        parses=INTEGER,
        base=2,
    ),
    *_sto(
        "_ZNSt7__cxx115stoulE* _ZNSt7__cxx116stoullE* _ZNSt3__15stoulE* _ZNSt3__16stoullE*",
        parses=UNSIGNED,
        base=2,
    ),
    *_sto(
        "_ZNSt7__cxx114stodE* _ZNSt7__cxx114stofE* _ZNSt3__14stodE* _ZNSt3__14stofE*", parses=FLOAT
    ),
    # -- libc++: output, which calls virtual functions of streams and locales
    *_f(
        "_ZNSt3__1lsB* _ZNSt3__14endlB* _ZNSt3__15flushB* _ZNSt3__124__put_character_sequenceB*",
        ALL,
        (0,),
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
        in_header=True,
    ),
    # -- libstdc++: the next and the previous node of a tree
    *_f("_ZSt18_Rb_tree_increment* _ZSt18_Rb_tree_decrement*", (0,)),
    # -- libstdc++ and libc++: what has no row of its own may fill what it is handed, and throw
    *_cxx("_ZNSt* _ZNKSt* _ZSt* _ZNSo* _ZNKSo* _ZNSi* _ZNSd* _ZNSs* _ZNKSs* _ZNSa*"),
    *_cxx("_ZN9__gnu_cxx* std::*"),
    *_f(
        "_ZNSt6thread15_M_start_threadE* _ZNSt3__16thread*",
        ALL,
        ALL,
        keeps=ALL,
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
        concurrent=True,
    ),
    *_f("_Znw* _Zna*", throws=True, control=MAY_LEAVE),
)

_INTRINSICS = (
    *_f("llvm.memcpy.* llvm.memmove.*", (1,), (0,), length=2, cost="a2"),
    *_f("llvm.memset.*", (), (0,), length=2, cost="a2"),
    *_f("llvm.eh.sjlj.*", ALL, control=TWICE),
    *_f("llvm.trap llvm.debugtrap llvm.ubsantrap", control=LEAVES),
    *_f("llvm.coro.*", control=MAY_LEAVE),
    *_f("llvm.ptrmask.*", into=0),
    *_f("llvm.masked.store.* llvm.masked.compressstore.* llvm.vp.store.*", (), (1,)),
    *_f("llvm.experimental.vp.strided.store.*", (), (1,)),
    *_f("llvm.masked.scatter.* llvm.vp.scatter.*", lists=True),  # through vectors of pointers
    *_f("llvm.va_start* llvm.va_copy* llvm.init.trampoline", ALL, (0,)),
    # -- those of one machine: most have numbers only, few store, and to the place they are handed
    *_f("llvm.x86.* llvm.aarch64.* llvm.arm.* llvm.ppc.* llvm.riscv.* llvm.s390.*", ALL, ALL),
    *_f("llvm.hexagon.* llvm.mips.* llvm.loongarch.* llvm.wasm.* llvm.ve.*", ALL, ALL),
    *_f("llvm.nvvm.* llvm.amdgcn.* llvm.spv.* llvm.dx.* llvm.r600.*", ALL, ALL),
    *_f("llvm.*"),
)

_OPENMP = (
    *_f("omp_get_wtime omp_get_num_threads omp_get_thread_num omp_get_max_threads"),
    *_f("__kmpc_for_static_init_* __kmpc_dispatch_next_*", ALL, ALL),
    *_f("__kmpc_for_static_fini __kmpc_global_thread_num", ALL),
    *_f("omp_* __kmpc_*", ALL, ALL, calls_back=ALL, control=MAY_LEAVE),
    *_f("__svml*"),
)

_MPI = (
    *_mpi("MPI_Comm_size MPI_Comm_rank", (), (1,), size=4),
    *_mpi("MPI_Init MPI_Init_thread", ALL, ALL, leaves_argv=True),
    *_mpi("MPI_Initialized MPI_Is_thread_main MPI_Info_* MPI_Intercomm_*", ALL, ALL),
    *_mpi("MPI_Wtime MPI_Wtick"),
    *_mpi("MPI_Abort", control=LEAVES),
    # -- from one process to another
    *_mpi("MPI_Send MPI_Ssend MPI_Bsend MPI_Rsend", (0,), message=_SENDS),
    *_mpi("MPI_Isend MPI_Issend MPI_Ibsend MPI_Irsend", (0,), (6,), keeps=(0,), message=_SENDS),
    *_mpi("MPI_Recv", (), (0, 6), message=_RECEIVES),
    *_mpi("MPI_Irecv", (), (0, 6), keeps=(0,), message=_RECEIVES),
    *_mpi("MPI_Mrecv", (), (0, 3, 4), message=_RECEIVES),
    *_mpi("MPI_Imrecv", (), ALL, keeps=(0,), message=_RECEIVES),
    *_mpi("MPI_Sendrecv", (0,), (5, 11), message=Message(_WHOLE, Buffer(6, 7))),
    *_mpi("MPI_Sendrecv_replace", (0,), (0, 8), message=Message(_WHOLE, _WHOLE)),
    *_mpi("MPI_Start MPI_Startall", ALL, ALL, message=Message(starts=True)),
    *_mpi(
        "MPI_Send_init MPI_Ssend_init MPI_Bsend_init MPI_Rsend_init MPI_Recv_init",
        ALL,
        ALL,
        keeps=(0,),
    ),
    # -- one-sided
    *_mpi("MPI_Put MPI_Rput", (0,), (8,), keeps=(0,), message=_SENDS),
    *_mpi("MPI_Accumulate MPI_Raccumulate", (0,), (9,), keeps=(0,), message=_SENDS),
    *_mpi("MPI_Get_accumulate", (0,), (3,), keeps=(0, 3), message=_SENDS),
    *_mpi("MPI_Get MPI_Rget", (), (0, 8), keeps=(0,), message=_RECEIVES),
    *_mpi("MPI_Win_create MPI_Buffer_attach", ALL, ALL, keeps=(0,)),
    # -- collective
    *_mpi("MPI_Barrier", message=_sends(Buffer(NOTHING_SENT))),
    *_mpi("MPI_Bcast", (0,), (0,), message=_SENDS),
    *_mpi("MPI_Gather MPI_Allgather", (0,), (3,), message=_sends(_WHOLE, Buffer(4, 5))),
    *_mpi("MPI_Gatherv MPI_Allgatherv", (0, 4, 5), (3,), message=_sends(_WHOLE, _UNTOLD)),
    *_mpi("MPI_Reduce MPI_Allreduce MPI_Scan MPI_Exscan", (0,), (1,), message=_sends(Buffer(2, 3))),
    *_mpi("MPI_Reduce_scatter_block", (0,), (1,), message=_sends(Buffer(2, 3, True))),
    *_mpi("MPI_Reduce_scatter", (0, 2), (1,), message=_SENDS_UNTOLD),
    *_mpi("MPI_Alltoall", (0,), (3,), message=_sends(Buffer(1, 2, True), Buffer(4, 5, True))),
    *_mpi("MPI_Alltoallv MPI_Alltoallw", ALL, (4,), message=_SENDS_UNTOLD),
    *_mpi("MPI_Scatter", (0,), (3,), message=_sends(Buffer(4, 5))),
    *_mpi("MPI_Scatterv", (0, 1, 2), (4,), message=_sends(Buffer(5, 6))),
    *_mpi(
        "MPI_Neighbor_allgather MPI_Neighbor_allgatherv MPI_Neighbor_alltoall",
        ALL,
        (3,),
        message=_SENDS_UNTOLD,
    ),
    *_mpi("MPI_Neighbor_alltoallv MPI_Neighbor_alltoallw", ALL, (4,), message=_SENDS_UNTOLD),
    # -- the rest; what begins with MPI_I works on after it has returned
    *_mpi("MPI_I*", ALL, ALL, keeps=ALL, calls_back=ALL),
    *_mpi("MPI_*", ALL, ALL, calls_back=ALL),
)


def _without_waiting(rows: tuple[LibraryFunction, ...]) -> Iterator[LibraryFunction]:
    """The nonblocking variants of collective calls: MPI_Ibcast for MPI_Bcast. They fill and keep
    what they are handed until a request is complete."""
    first = next(at for at, f in enumerate(rows) if f.name == "MPI_Barrier")
    for f in rows[first:]:
        if f.message is not None:
            name = f"MPI_I{f.name.removeprefix('MPI_').lower()}"
            yield replace(f, name=name, reads=ALL, writes=ALL, keeps=ALL)


LIBRARY: tuple[LibraryFunction, ...] = (
    *_C,
    *_POSIX,
    *_CXX,
    *_INTRINSICS,
    *_OPENMP,
    *_MPI,
    *_without_waiting(_MPI),
)
"""All rows, each function once."""

TRAPS = frozenset(("llvm.trap", "llvm.ubsantrap"))
"""Intrinsic functions that end the program."""

EXITS = frozenset(("exit", "_exit", "_Exit", "quick_exit"))
"""Functions that end the program with the status in their argument."""

ELSEWHERE = ("longjmp", "setcontext", "swapcontext", "pthread_exit")
"""Parts of the names of functions that do not come back, while the program goes on elsewhere."""

_VERSION_OF_THE_STANDARD = re.compile(r"^__isoc\d+_")
_BY_NAME = {f.name: f for f in LIBRARY if not f.name.endswith("*")}
_FAMILIES = sorted((f for f in LIBRARY if f.name.endswith("*")), key=lambda f: -len(f.name))


_REPLACEABLE = re.compile(
    r"_Z(?:n[wa][mj]|d[la]Pv[mj]?)(?:St11align_val_t)?(?:RKSt9nothrow_t)?"
    r"|(?:m|c|re|v|pv|aligned_)alloc|reallocarray|memalign|posix_memalign|c?free"
)


def is_replaceable(name: str) -> bool:
    """Is it a function that allocates or frees memory, of which a program may have its own? The
    library calls that, too, and compilers drop calls of which nothing else is used (C++17,
    expr.new/10; LLVM does so with malloc and free)."""
    return _REPLACEABLE.fullmatch(name) is not None


def source_name(name: str) -> str:
    """A function of the C library as sources call it: `fscanf` for `__isoc99_fscanf`, the name that
    glibc's headers give it where a version of the standard changed what it does."""
    return _VERSION_OF_THE_STANDARD.sub("", name)


@lru_cache(maxsize=65_536)
def library_function(name: str) -> LibraryFunction | None:
    """What is known of a function that the program does not define: its own row, else that of the
    family with the longest beginning in common; None where there is none.

    Found under their plain name are MPI's profiling names (PMPI_Send), those with large counts
    (MPI_Send_c), and what glibc's headers rename for a version of the standard.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    plain = source_name(name)
    if name.startswith(("MPI_", "PMPI_")):
        plain = name.removeprefix("P").removesuffix("_c")
    if plain != name:
        return library_function(plain)
    return next((f for f in _FAMILIES if name.startswith(f.name[:-1])), None)
