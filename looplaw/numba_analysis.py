"""The analysis of a function that numba compiles: `looplaw.analyze(function, types)`."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from staticana import Analysis, InputError, LoopResult, canonical
from staticana import analyze as analyze_ir
from staticana.frontend.isolation import transformed
from staticana.frontend.loop_shape import folded, one_latch, own_exits
from staticana.ir.parser import parse_module
from staticana.ir.types import Function

_ARRAY_FIELDS = {"2": "size", "3": "itemsize"}
_STATUS = re.compile(r"(\s+)ret i32 (?!0\b|-[23]\b)\S")
_CATCHES = re.compile(r"store i64 %\S+, \S+ %try_state\b")
"""A function enters or leaves a try: it counts how deep it is."""
_DEFINE = re.compile(
    r"^define (?:(?:linkonce_odr|weak_odr|internal|hidden|dso_local) )*(.*?)"
    r"@([\w.$]+|\"[^\"]*\")\(",
    re.MULTILINE,
)
_PLACE = re.compile(r".*\.py:\d+:\d+")
"""A place in a file of Python; what has none was made by numba."""
_OF_NUMBA = "_ZN5numba"
"""How the symbols of the package's own functions begin."""
_KEPT = ("boundscheck", "error_model", "fastmath")


def analyze_numba(function: Any, types: Any = None, **settings: Any) -> Analysis:
    """Counts of a function compiled by numba, over its Python arguments.

    The parameters are the arguments' names; `len(a)` of an array is `a_len`, its further extents
    `a_shape1`, ...

    Args:
        function: what `numba.njit` returned.
        types: the arguments' numba types, or one signature as `numba.njit` takes it: a text, types
            in a tuple, or what calling a type makes; those of the first call where there was one.
        settings: strict, seconds and matrix, as `staticana.analyze` has them.

    Raises:
        InputError: numba is missing, the function is not one of numba's, it runs its loops in
            parallel, the types are none, or numba does not compile it for them.
    """
    try:
        import numba
    except ImportError:
        raise InputError("looplaw.analyze needs numba: pip install 'looplaw[numba]'") from None
    if not hasattr(function, "inspect_llvm"):
        raise InputError(
            f"{getattr(function, '__name__', function)!s} is no numba function: decorate it with"
            " numba.njit"
        )
    if function.targetoptions.get("parallel"):
        raise InputError(f"{function.__name__}: parallel=True is not analysed; leave it out")
    if types is None and not function.signatures:
        raise InputError(
            f"{function.__name__} was not called yet: give the types, as in "
            f"analyze({function.__name__}, (numba.int64, numba.float64[:]))"
        )
    signature = function.signatures[0] if types is None else _signature(function.__name__, types)
    options = {key: function.targetoptions[key] for key in _KEPT if key in function.targetoptions}
    with _unoptimised():
        plain = numba.njit(debug=True, **options)(function.py_func)
        _compile(plain, signature)
        text = plain.inspect_llvm(plain.signatures[0])
        symbol = plain.overloads[plain.signatures[0]].fndesc.llvm_func_name
    text = transformed(_only(_with_exceptions(text), symbol), ("global_dead_code_eliminate",))
    ir = canonical(own_exits(one_latch(folded(text))))
    names = _names(
        parse_module(ir).functions[symbol], list(inspect.signature(function.py_func).parameters)
    )
    found = analyze_ir(ir, entry=symbol, parameters=names, **settings)
    own = tuple(x for x in found.loops if _is_own(x))
    library = tuple(x for x in found.loops if x not in own)
    return replace(found, loops=own, library=(*found.library, *library))


def _with_exceptions(text: str) -> str:
    """numba's IR in which what raises an error ends in an exception, as in C++: its functions
    return a status instead: 0, -2 (None) and -3 (the end of a generator) where all is well. The
    IR as it is where an error may be caught, which decides on what runs then."""
    if _CATCHES.search(text):
        return text
    raised = False
    lines, has_status = [], False
    for line in text.split("\n"):
        if line.startswith("define "):
            has_status = "%excinfo" in line and re.match(r"define .*?\bi32 @", line) is not None
        found = _STATUS.match(line) if has_status else None
        if found is not None:
            raised = True
            lines += [f"{found[1]}call void @__cxa_rethrow()", f"{found[1]}unreachable"]
        else:
            lines.append(line)
    if raised:
        lines.append("declare void @__cxa_rethrow()")
    return "\n".join(lines)


def _is_own(loop: LoopResult) -> bool:
    """Is a loop written in a file of Python, and not in numba's package?"""
    symbols = [symbol for symbol, _ in loop.headers]
    return _PLACE.fullmatch(loop.at) is not None and not any(
        symbol.startswith(_OF_NUMBA) for symbol in symbols
    )


def _only(text: str, symbol: str) -> str:
    """The module in which only a function can be called from outside, not what Python and C call it
    by."""
    return _DEFINE.sub(
        lambda m: m[0] if m[2].strip('"') == symbol else f"define internal {m[1]}@{m[2]}(", text
    )


def _signature(name: str, types: Any) -> tuple[Any, ...]:
    """The types of the arguments in what a caller gave for them.

    Raises:
        InputError: it is no signature, or several.
    """
    from numba.core import sigutils

    tools: Any = sigutils  # of which some are typed, and some are not
    is_signature = tools.is_signature
    if isinstance(types, list) and types and all(map(is_signature, types)):
        if len(types) > 1:
            raise InputError(f"{name}: {len(types)} signatures: analyze takes one")
        types = types[0]
    try:
        arguments, _ = tools.normalize_signature(
            tuple(types) if isinstance(types, list) and not is_signature(types) else types
        )
    except Exception as error:  # of a text, whatever evaluating it raises
        raise InputError(
            f"{name}: {str(types)[:80]!r} is no signature ({type(error).__name__}): write types, as"
            f' in analyze({name}, (numba.int64, numba.float64[:])), or "(int64, float64[:])"'
        ) from None
    return tuple(arguments)


def _compile(dispatcher: Any, signature: tuple[Any, ...]) -> None:
    """Have numba compile a function.

    Raises:
        InputError: it does not compile for these types.
    """
    from numba.core.errors import NumbaError, NumbaWarning

    try:
        with warnings.catch_warnings():
            # they were shown where the function was compiled to run
            warnings.simplefilter("ignore", NumbaWarning)
            dispatcher.compile(signature)
    except (NumbaError, TypeError, ValueError, NotImplementedError) as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        # numba writes in which pass it failed before what is wrong
        why = next((line for line in said if not line.startswith("Failed in")), "no reason given")
        types = ", ".join(map(str, signature))
        raise InputError(
            f"{dispatcher.__name__}: numba does not compile it for ({types}): {why}"
        ) from None


@contextmanager
def _unoptimised() -> Iterator[None]:
    """numba as it compiles without optimisation, which would vectorise the loops away."""
    import numba.core.config

    config: Any = numba.core.config  # its options are made when it is imported
    kept = {name: getattr(config, name) for name in ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")}
    try:
        for name, value in kept.items():
            setattr(config, name, type(value)(0))
        yield
    finally:
        for name, value in kept.items():
            setattr(config, name, value)


def _names(function: Function, arguments: Sequence[str]) -> dict[str, str]:
    """Parameter names -> origins: `%arg.n` is n, `%arg.a.5.0` the first extent of the array a."""
    found: dict[str, str] = {}
    for at, parameter in enumerate(function.parameters):
        word, name, *fields = (*parameter.token.strip('%"').split("."), "")
        if word != "arg" or name not in arguments or parameter.type[:1] != "i":
            continue
        fields = [f for f in fields if f]
        if not fields:
            found[name] = f"arg:{function.name}:{at}"
        elif fields[0] == "5":
            found[f"{name}_len" if fields[1] == "0" else f"{name}_shape{fields[1]}"] = (
                f"arg:{function.name}:{at}"
            )
        elif fields[0] in _ARRAY_FIELDS:
            found[f"{name}_{_ARRAY_FIELDS[fields[0]]}"] = f"arg:{function.name}:{at}"
        else:
            found[f"{name}_{'_'.join(fields)}"] = f"arg:{function.name}:{at}"
    return found
