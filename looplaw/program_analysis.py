"""`looplaw.analyze`: how often every loop of a program runs, from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from looplaw_common.scratch import scratch_folder
from staticana import Analysis, InputError, canonical, compile_sources
from staticana import analyze as analyze_ir
from staticana.frontend.uncompiled import tell_left_out

_LANGUAGES = {
    "c": ".c",
    "c++": ".cpp",
    "cpp": ".cpp",
    "fortran": ".f90",
    "rust": ".rs",
    "llvm": ".ll",
    "ll": ".ll",
}
"""What `language` may be, and the suffix that tells the front ends."""


def analyze(
    program: Any,
    types: Sequence[Any] | None = None,
    *,
    language: str | None = None,
    entry: str = "main",
    param: Mapping[str, str] | None = None,
    flags: Sequence[str] = (),
    strict: bool = False,
    budget: float = 2.0,
    matrix: bool = True,
) -> Analysis:
    """Count the iterations of every loop of a program as formulas in its parameters; nothing is
    run.

    The method is that of Hoefler and Kwasniewski (SPAA 2014): loops as affine statements x = A x +
    b under guards, closed forms of x(i), and sums over nests, extended by what memory holds, by
    calls and by recursion.

    Args:
        program: the path of a source file (C, C++, Fortran, Rust) or of LLVM IR (.ll, .bc); several
            paths, which are linked to one program; source text; or what `numba.njit` returned.
        types: of a numba function, the types of its arguments; those of its first call where they
            are left out.
        language: "c", "c++", "fortran", "rust" or "llvm": then `program` is source text, not a
            path. Text of several lines without it is C.
        entry: the function whose run is counted; its arguments are the parameters unless it is
            main.
        param: name -> origin, as in {"n": "argv[1]"}; also mpi:size, mpi:rank, omp:threads,
            global:VARIABLE and arg:FUNCTION:PLACE.
        flags: options for the compiler, as in ["-DN=4"].
        strict: assume nothing but the rules of the language; a count that rests on more is
            unknown.
        budget: seconds of CPU time that the count of one loop may take.
        matrix: keep A, b, c and g of every loop.

    Returns:
        The analysis. Its loops are found by place, its functions by name: `a["lu.c:10"].total`.
        Counts are numbers of iterations (no unit); `sympy.sympify(count)` reads them.

    Raises:
        InputError: no such file, it does not compile, or an argument is wrong.
    """
    options: dict[str, Any] = {"strict": strict, "seconds": budget, "matrix": matrix, "ranks": True}
    if callable(program) or hasattr(program, "py_func"):
        from .numba_analysis import analyze_numba

        if language is not None or flags or param or entry != "main":
            raise InputError(
                "a numba function has its own entry and parameters: leave out language, entry,"
                " param and flags"
            )
        return analyze_numba(program, types, **options)
    if types is not None:
        raise InputError("types are those of a numba function; a program has none")
    if isinstance(program, str) and (language is not None or "\n" in program):
        suffix = _suffix(language or "c")
        with scratch_folder() as folder:
            file = folder / f"source{suffix}"
            file.write_text(program, encoding="utf-8")
            text = canonical(compile_sources([file], flags=flags))
    else:
        if language is not None:
            raise InputError("language tells what source text is written in; a path has a suffix")
        text = canonical(compile_sources(_paths(program), flags=flags, left_out=tell_left_out))
    return analyze_ir(text, entry=entry, parameters=dict(param or {}), **options)


def _suffix(language: str) -> str:
    found = _LANGUAGES.get(language.lower())
    if found is None:
        raise InputError(f"language={language!r}: known are {', '.join(_LANGUAGES)}")
    return found


def _paths(program: Any) -> list[Path]:
    if isinstance(program, (str, Path)):
        program = [program]
    try:
        paths = [Path(p) for p in program]
    except TypeError:
        raise InputError(
            f"{type(program).__name__}: give a path, several paths, source text with"
            ' language="c", or a function that numba.njit returned'
        ) from None
    if not paths:
        raise InputError("no program: give a path at least")
    return paths
