"""A program that counts for itself: the same text with counters of its own, in a file that is
mapped shared, so that no way out of a program loses one: exit, _exit, abort, a signal, a thread, a
forked child.

Beside the iterations of loops it counts, by line, how often each end of the program is about to be
taken (exit, abort, throw, longjmp, a signal), so that an assumption about that place can be held
against the run. Undefined behaviour and runs that do not end are noted; their counts say nothing.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from staticana import Compiler

LINES = 1 << 14
_STEPS = 300_000
_TIMEOUT_S = 20
_LOOP = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:for|while|do)\b.*\{\s*(?:/\*.*\*/\s*)?$")
_COLLAPSE = re.compile(r"^\s*#pragma omp .*\bcollapse\((\d+)\)")
_DIRECTIVE = re.compile(r"^\s*#pragma omp\b")  # its loop follows it at once
_CLEAR = re.compile(r"^\s*(?:for \([^;(]*[;:]|(?:while|do)\b)")  # what comes before cannot end
_BACK = re.compile(r"(?<![\w.>:])(raise|kill)\(")  # those that may come back
_HEAD = re.compile(
    r"^(?![ }#/])(?!struct|class|union|enum|namespace|template)[^=;]*?(\w+)\(.*\) (?:noexcept )?\{$"
)
_END = re.compile(
    r"(?<![\w.>:])((?:std::)?(?:exit|_exit|_Exit|quick_exit|abort|__builtin_trap|longjmp|siglongjmp"
    r"|_longjmp|pthread_exit|errx?|verrx?|error|terminate|execl|execv|execlp)\(|throw\b)"
)
_HANDLERS = (
    "add_overflow sub_overflow mul_overflow negate_overflow divrem_overflow shift_out_of_bounds"
    " out_of_bounds local_out_of_bounds type_mismatch alignment_assumption builtin_unreachable"
    " missing_return vla_bound_not_positive float_cast_overflow load_invalid_value invalid_builtin"
    " nonnull_arg nonnull_return nullability_arg nullability_return pointer_overflow"
    " function_type_mismatch invalid_objc_cast implicit_conversion cfi_check_fail"
).split()
_UNDEFINED, _ENDLESS, _THROWN = range(3)  # flags, behind the counters
_CRASHES = (-signal.SIGSEGV, -signal.SIGBUS)  # what a wild pointer does is undefined
_PARTS = 4  # iterations, entries of loops, calls of functions, ends
_RUNTIME = """
#define TWIN /* code that the analysis does not see */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {{
#endif
static unsigned long long *twin_count, twin_steps;
__attribute__((constructor(101))) static void twin_open(void) {{
    int file = open(getenv("TWIN_FILE"), O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, {words} * 8)) _exit(99);
    twin_count = (unsigned long long *)mmap(
        0, {words} * 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
}}
__attribute__((no_sanitize("undefined"))) static void twin(int k) {{
    __atomic_fetch_add(&twin_count[k], 1, 0);
    if (__atomic_add_fetch(&twin_steps, 1, 0) > {steps}) {{
        twin_count[{endless}] = 1;
        _exit(3);
    }}
}}
static int twin_raise(int k, int number) {{
    twin(k);
    int done = raise(number);
    __atomic_fetch_sub(&twin_count[k], 1, 0);
    return done;
}}
static int twin_kill(int k, int process, int number) {{
    twin(k);
    int done = kill(process, number);
    __atomic_fetch_sub(&twin_count[k], 1, 0);
    return done;
}}
{handlers}
#ifdef __cplusplus
}}
#endif
"""
_CXX = """
#include <dlfcn.h>
extern "C" __attribute__((noreturn)) void __cxa_throw(void *o, void *t, void (*d)(void *)) {{
    __atomic_fetch_add(&twin_count[{thrown}], 1, 0);
    ((void (*)(void *, void *, void (*)(void *)))dlsym(RTLD_NEXT, "__cxa_throw"))(o, t, d);
    __builtin_unreachable();
}}
"""
_ASSERT = """
{linkage} __attribute__((noreturn)) void __assert_fail(
    const char *a, const char *b, unsigned line, const char *c) {throws}{{
    (void)a, (void)b, (void)c;
    twin({ends} + (int)line);
    abort();
}}
"""
_CHECKS = ("-fsanitize=undefined", "-fsanitize-minimal-runtime", "-fno-sanitize=vptr,function")
_NOT_OPTIMISED = ("-O0", "-w", "-UNDEBUG", *_CHECKS)
"""Of the containers' code little runs, and counts are the same."""
_HEADERS = (
    "algorithm cstdio cstdlib cstring functional list map memory set stdexcept string vector"
).split()
_ASKED: Counter[tuple[str, ...]] = Counter()
"""How often C++ was compiled with some command and flags."""
_WORTHWHILE = 4
"""Programs for which headers are compiled beforehand: these take as long as three of them."""


@cache
def _kept_headers() -> tempfile.TemporaryDirectory[str]:
    """Where compiled headers are, until the process ends."""
    return tempfile.TemporaryDirectory(prefix="looplaw-twins-")


@cache
def _compiled_headers(command: tuple[str, ...]) -> Path:
    """Headers of the C++ library, which clang reads in a third of the time once they are
    compiled."""
    folder = Path(_kept_headers().name)
    source = folder / f"headers{len(list(folder.iterdir()))}.hh"
    source.write_text("".join(f"#include <{name}>\n" for name in _HEADERS))
    made = source.with_suffix(".pch")
    words = [*command, "-x", "c++-header", str(source), "-o", str(made)]
    subprocess.run(words, check=True, capture_output=True)
    return made


def _beforehand(text: Sequence[str], compiler: Compiler, command: tuple[str, ...]) -> list[str]:
    """Flags for headers that are compiled, where that pays and no macro could change them."""
    if compiler.kind != "clang" or any(line.lstrip().startswith("#define") for line in text):
        return []
    _ASKED[command] += 1
    if _ASKED[command] < _WORTHWHILE:
        return []
    return ["-include-pch", str(_compiled_headers(command))]


@dataclass(frozen=True)
class Run:
    """What one run counted, by line; `is_meaningful`: it ended and did nothing undefined."""

    iterations: Mapping[int, int]
    entries: Mapping[int, int]
    calls: Mapping[int, int]
    ends: Mapping[int, int]
    is_meaningful: bool
    has_thrown: bool


@dataclass(frozen=True)
class Source:
    """The lines of a program, and what can be read off them."""

    lines: tuple[str, ...]

    @cached_property
    def loops(self) -> tuple[int, ...]:
        """Lines on which loops begin that are counted, from 1. Of collapsed loops only the
        innermost has a body of its own: what stands in the others runs as often as that."""
        found = [n for n, line in enumerate(self.lines, 1) if _LOOP.match(line)]
        collapsed = {
            n
            for at, line in enumerate(self.lines, 1)
            if (pragma := _COLLAPSE.search(line))
            for n in [n for n in found if n > at][: int(pragma[1]) - 1]
        }
        return tuple(n for n in found if n not in collapsed)

    @cached_property
    def functions(self) -> Mapping[str, tuple[int, int]]:
        """First and last line of each function that stands at the left margin."""
        found: dict[str, tuple[int, int]] = {}
        for n, line in enumerate(self.lines, 1):
            head = _HEAD.match(line)
            if head:
                found[head[1]] = (n, self.block(n)[-1])
        return found

    def block(self, line: int) -> range:
        """The lines of the block that a line opens, with what `else` adds; else the line alone."""
        depth, last = 0, line
        for n in range(line, len(self.lines) + 1):
            text = re.sub(r"\"[^\"]*\"|'[^']*'", "", self.lines[n - 1])
            depth += text.count("{") - text.count("}")
            last = n
            if depth <= 0 and not re.search(r"\}\s*(else|catch).*\{$", text):
                break
        return range(line, last + 1)

    @cached_property
    def _calls(self) -> Mapping[str, frozenset[int]]:
        """For each function the lines of all functions it may call, its own included."""
        names = self.functions
        words = {
            f: {w for n in range(a, b + 1) for w in re.findall(r"\w+", self.lines[n - 1])}
            & names.keys()
            for f, (a, b) in names.items()
        }
        found: dict[str, frozenset[int]] = {}
        for f in names:
            seen, work = {f}, [f]
            while work:
                new = words[work.pop()] - seen
                seen |= new
                work += new
            found[f] = frozenset(n for g in seen for n in range(names[g][0], names[g][1] + 1))
        return found

    def lines_run_from(self, line: int) -> frozenset[int]:
        """The lines of the block that a line opens and of the functions that are named there."""
        block = self.block(line)
        named = {w for n in block for w in re.findall(r"\w+", self.lines[n - 1])}
        return frozenset(block).union(*(self._calls[f] for f in named & self._calls.keys()))

    def instrumented(self, *, statements: bool) -> list[str]:
        """The text with counters. statements: every loop and every function stands on a line of its
        own inside braces, so that entries and calls can be counted, too."""
        out = []
        for n, line in enumerate(self.lines, 1):
            head = _HEAD.match(line)
            text = line
            if not line.lstrip().startswith("#"):
                text = _END.sub(rf"twin({3 * LINES + n}), \1", line)
                text = _BACK.sub(rf"twin_\1({3 * LINES + n}, ", text)
            if n in self.loops:
                brace = text.rindex("{")
                text = f"{text[: brace + 1]} twin({n});{text[brace + 1 :]}"
                directive = _DIRECTIVE.match(self.lines[n - 2]) if n > 1 else None
                if statements and _CLEAR.match(line) and directive is None:
                    text = f"twin({LINES + n}); {text}"
            elif statements and head:
                text = f"{text} twin({2 * LINES + n});"
            out.append(text)
        return out


@dataclass(frozen=True)
class Twin:
    """A built twin."""

    executable: Path
    folder: Path

    def run(
        self,
        words: Sequence[str],
        environment: Mapping[str, str] = MappingProxyType({}),
        stdin: str = "",
    ) -> Run | None:
        """One run in the twin's folder; None where it did not end in time."""
        file = self.folder / "counts"
        file.unlink(missing_ok=True)
        try:
            ended = subprocess.run(
                [str(self.executable.resolve()), *words],
                cwd=self.folder,
                input=stdin.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_TIMEOUT_S,
                check=False,
                env={**os.environ, **environment, "TWIN_FILE": str(file.resolve())},
            )
        except subprocess.TimeoutExpired:
            return None
        data = file.read_bytes()
        counts: list[dict[int, int]] = [{} for _ in range(_PARTS)]
        words_read = np.frombuffer(data, dtype=np.uint64)
        for k in np.flatnonzero(words_read[: _PARTS * LINES]).tolist():
            counts[k // LINES][k % LINES] = int(words_read[k])
        flags = words_read[_PARTS * LINES :].tolist()
        is_undefined = flags[_UNDEFINED] or ended.returncode in _CRASHES
        return Run(*counts, not (is_undefined or flags[_ENDLESS]), bool(flags[_THROWN]))


def build(
    text: Sequence[str],
    suffix: str,
    folder: Path,
    compiler: Compiler,
    *,
    flags: Sequence[str] = (),
    name: str = "program",
    main: str = "",
) -> Twin:
    """The twin of instrumented lines; what ubsan finds is noted, and the run goes on."""
    first = _PARTS * LINES
    handlers = "\n".join(
        f"void __ubsan_handle_{h}_minimal(void) {{ twin_count[{first + _UNDEFINED}] = 1; }}"
        for h in _HANDLERS
    )
    runtime = _RUNTIME.format(
        words=first + 8, steps=_STEPS, endless=first + _ENDLESS, handlers=handlers
    )
    if suffix != ".c":
        runtime += _CXX.format(thrown=first + _THROWN)
    if any("assert(" in line for line in text):
        is_c = suffix == ".c"
        runtime += _ASSERT.format(
            ends=3 * LINES, linkage="" if is_c else 'extern "C"', throws="" if is_c else "noexcept "
        )
    source = folder / f"twin{suffix}"
    source.write_text(runtime + f'#line 1 "{name}{suffix}"\n' + "\n".join([*text, main]) + "\n")
    command = compiler.for_source(source)
    made = folder / "twin.o"
    executable = folder / "twin"
    compiled = (*command, *_NOT_OPTIMISED, *flags)
    headers = [] if suffix == ".c" else _beforehand(text, compiler, compiled)
    subprocess.run(
        [*compiled, *headers, "-c", str(source), "-o", str(made)],
        check=True,
        capture_output=True,
        text=True,
    )
    subprocess.run(
        [*command, *flags, str(made), "-o", str(executable), "-lm", "-lpthread"],
        check=True,
        capture_output=True,
        text=True,
    )
    return Twin(executable, folder)
