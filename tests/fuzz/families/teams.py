"""Parallel regions of OpenMP: how many threads run them follows from the construct, from what calls
it, and from what the program has set before."""

from __future__ import annotations

from collections.abc import Callable

from .draft import Draft, Lines, indented

_ATOMIC = ["#pragma omp atomic", "s++;"]
_SIZES = ("1", "2", "3", "4", "n", "m", "(n & 3)", "(m & 1) + 1", "n > 2 ? 2 : 1")
_CONDITIONS = ("0", "1", "n > 3", "m > 2", "n & 1")
_SCHEDULES = (
    "",
    "schedule(static)",
    "schedule(static, 2)",
    "schedule(dynamic)",
    "schedule(guided)",
)


def teams(d: Draft) -> Lines:
    """Functions with regions, orphaned constructs and questions about the team, called from serial
    code, from regions and from tasks."""
    d.include("omp.h")
    functions = [_function(d, []) for _ in range(d.integer(1, 2))]
    functions.append(_function(d, functions))
    if d.chance(2):
        functions.append(_function(d, [], _orphan))
    lines: Lines = []
    for _ in range(d.integer(1, 3)):
        lines += _serial(d, functions)
    return lines


_SHARES = "share"
"""What the names begin with of functions that share work out: all threads of a team must call
them, and none in a construct that shares out work itself."""


def _function(
    d: Draft, others: list[str], write: Callable[[Draft, list[str]], Lines] | None = None
) -> str:
    """A function of `n` and `m` that counts in an `s` of its own."""
    body = (write or d.pick(_region, _region, _question, _both))(d, others)
    f = d.own(_SHARES if write else "f")
    d.top(
        f"static long {f}(int n, int m) {{",
        "    long s = 0;",
        *indented(body),
        "    return s;",
        "}",
    )
    return f


def _both(d: Draft, functions: list[str]) -> Lines:
    return [*_question(d, functions), *_region(d, functions)]


def _counted(d: Draft, bound: str = "") -> Lines:
    v = d.new("i")
    bound = bound or d.pick("n", "m", "2", "n + 1")
    return d.loop(f"int {v} = 0; {v} < {bound}; {v}++", _ATOMIC)


def _question(d: Draft, functions: list[str]) -> Lines:
    """What a thread is told of its team, as a bound."""
    return _counted(
        d,
        d.pick(
            "omp_get_num_threads()",
            "omp_get_max_threads()",
            "omp_get_thread_num() + 1",
            "omp_in_parallel() + 1",
            "omp_get_level() + 1",
            "n / omp_get_num_threads()",
        ),
    )


def _orphan(d: Draft, functions: list[str]) -> Lines:
    """A worksharing construct outside of a region's text."""
    v = d.new("i")
    bound = d.pick("n", "m", "5")
    kind = d.integer(0, 3)
    if kind == 0:
        return ["#pragma omp single", "{", *indented(_counted(d)), "}"]
    if kind == 1:
        return [
            "#pragma omp sections",
            "{",
            "#pragma omp section",
            "    {",
            *indented(indented(_counted(d))),
            "    }",
            "#pragma omp section",
            "    {",
            *indented(indented(_counted(d))),
            "    }",
            "}",
        ]
    head = f"int {v} = 0; {v} < {bound}; {v}++"
    body = d.pick(_ATOMIC, _counted(d), _counted(d, f"{v} + 1"))
    return [f"#pragma omp for {d.pick(*_SCHEDULES)}", *d.loop(head, body)]


def _clauses(d: Draft) -> str:
    text = f" num_threads({d.pick(*_SIZES)})" if d.chance(2) else ""
    return text + (f" if({d.pick(*_CONDITIONS)})" if d.chance(3) else "")


def _region(d: Draft, functions: list[str], depth: int = 0) -> Lines:
    clauses = _clauses(d)
    if d.chance(4):
        v = d.new("i")
        body = d.pick(_ATOMIC, _called(d, functions), _counted(d))
        head = f"int {v} = 0; {v} < {d.pick('n', 'm', '4')}; {v}++"
        return [f"#pragma omp parallel for{clauses}", *d.loop(head, body)]
    body = []
    for _ in range(d.integer(1, 2)):
        body += _inside(d, functions, depth)
    return [f"#pragma omp parallel{clauses}", "{", *indented(body), "}"]


def _called(d: Draft, functions: list[str], *, by_all: bool = False) -> Lines:
    """A call; `by_all`: every thread of the team comes here."""
    functions = [f for f in functions if by_all or _SHARES not in f]
    if not functions:
        return _counted(d)
    return [f"{d.pick(*functions)}({d.pick('n', 'm', '3', '2')}, {d.pick('n', 'm', '2')});"]


def _inside(d: Draft, functions: list[str], depth: int) -> Lines:
    """What a thread does in a region."""
    kind = d.integer(0, 11)
    if kind <= 2:
        return _counted(d)
    if kind <= 5 and functions:
        return _called(d, functions, by_all=True)
    if kind == 6 and depth < 2:
        return _region(d, functions, depth + 1)
    if kind == 7:
        what = d.pick("single", "master", "masked", f"masked filter({d.integer(0, 3)})")
        return [f"#pragma omp {what}", "{", *indented(_in_one(d, functions, depth)), "}"]
    if kind == 8:
        return [
            f"#pragma omp task{d.pick('', '', ' if(0)')}",
            "{",
            *indented(d.pick(_called(d, functions), _counted(d), _region(d, functions, 2))),
            "}",
        ]
    if kind == 9 and depth < 2:
        return [_setting(d), *_region(d, functions, depth + 1)]
    return d.pick(_orphan, _question)(d, functions)


def _in_one(d: Draft, functions: list[str], depth: int) -> Lines:
    kind = d.integer(0, 3)
    if kind == 0:
        return _called(d, functions)
    if kind == 1 and depth < 2:
        return _region(d, functions, depth + 1)
    if kind == 2:
        v = d.new("i")
        head = f"int {v} = 0; {v} < {d.pick('n', 'm', '4')}; {v}++"
        body = d.pick(_ATOMIC, _called(d, functions))
        return [
            f"#pragma omp taskloop {d.pick('', 'grainsize(2)', 'num_tasks(2)')}",
            *d.loop(head, body),
        ]
    return _counted(d)


def _setting(d: Draft) -> str:
    return str(
        d.pick(
            f"omp_set_num_threads({d.pick(*_SIZES)});",
            f"omp_set_num_threads({d.integer(1, 4)});",
            f"omp_set_max_active_levels({d.integer(0, 3)});",
            f"omp_set_nested({d.pick('0', '1', 'n > 3')});",
            "omp_set_dynamic(0);",
        )
    )


def _serial(d: Draft, functions: list[str]) -> Lines:
    kind = d.integer(0, 15)
    if kind <= 3:
        return [f"s += {d.pick(*functions)}({d.pick('n', 'm', '3')}, {d.pick('n', 'm', '2')});"]
    if kind <= 8:
        return _region(d, functions)
    if kind == 9:
        return [_setting(d), *d.pick(_region, _called)(d, functions)]
    if kind == 10:
        g = d.own("set")
        d.top(f"static void (*volatile {g})(int) = omp_set_num_threads;")
        return [f"{g}({d.integer(1, 3)});", *_region(d, functions)]
    if kind == 11:
        name = d.pick("OMP_NUM_THREADS", "OMP_MAX_ACTIVE_LEVELS", "FUZZ_X", "OMP_NUM_THREADS")
        return [
            f'setenv("{name}", "{d.integer(1, 3)}", 1);',
            *d.pick(_region, _called)(d, functions),
        ]
    if kind == 12:
        v = d.new("t")
        lines = [*d.maybe([f"omp_set_num_threads({v});"]), *_region(d, functions)]
        return d.loop(f"int {v} = 1; {v} <= {d.pick('m', '3')}; {v}++", lines)
    if kind == 13:
        f, g = d.own("set"), d.pick(*functions)
        d.top(
            f"static void {f}(int k) {{", f"    omp_set_num_threads({d.pick('k', 'k', '2')});", "}"
        )
        return [f"{f}({d.pick('m', '2', 'n')});", f"s += {g}(n, m);"]
    if kind == 14:
        g = d.own("way")
        d.top(f"static long (*volatile {g})(int, int) = {d.pick(*functions)};")
        return [f"s += {g}(n, m);", *d.maybe(["#pragma omp parallel", f"{g}(n, m);"])]
    return d.pick(_orphan, _question)(d, functions)
