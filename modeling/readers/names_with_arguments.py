"""Names of benchmarks with the arguments of a run in them: BM_Sort/1024/8, Sort/n=1000, f(64)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from looplaw_common.errors import DataError

from ..data.checks import exact_text
from ..data.observations import Number

_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_ARGUMENT = re.compile(rf"(?:([A-Za-z_]\w*)[:=])?({_NUMBER})")
_JOINED = re.compile(rf"(?:([A-Za-z_]\w*?)[:=_-])?({_NUMBER})")
_IDLE = frozenset(("repeats", "iterations", "min_time", "min_warmup_time"))
_WORDS = frozenset(("real_time", "process_time", "manual_time"))
_CALL = re.compile(r"([^()\[\]]+)[(\[]([^()\[\]]*)[)\]]")


def split_name(text: str, where: str, *, joined: bool = False) -> tuple[str, dict[str, Number]]:
    """The name of a benchmark without arguments, and the arguments, sorted by name; those without
    a name become n, or arg1, arg2, ...

    Args:
        joined: a name may be joined to its number by _ or -, too, as in size-1000.

    Raises:
        DataError: the text holds no name, or two arguments of one name.
    """
    argument = _JOINED if joined else _ARGUMENT
    if call := _CALL.fullmatch(text):
        inside = [part.strip() for part in call[2].split(",")]
        if inside and all(argument.fullmatch(part) for part in inside):
            return _named(
                [call[1]], [m for p in inside if (m := argument.fullmatch(p))], where, text
            )
    path: list[str] = []
    numbers: list[re.Match[str]] = []
    for part in text.split("/"):
        named = part.rpartition(":")[0]
        if named in _IDLE or part in _WORDS:
            continue
        if path and (match := argument.fullmatch(part)):
            numbers.append(match)
        else:
            path.append(part)
    return _named(path, numbers, where, text)


def _named(
    path: Iterable[str], found: Sequence[re.Match[str]], where: str, text: str
) -> tuple[str, dict[str, Number]]:
    unnamed = sum(not m[1] for m in found)
    values: dict[str, Number] = {}
    count = 0
    for m in found:
        count += not m[1]
        name = m[1] or ("n" if unnamed == 1 else f"arg{count}")
        if name in values:
            raise DataError(f"{where}: the name {text[:60]!r} has two arguments of one name")
        values[name] = exact_text(m[2], "an argument", where)
    head = "/".join(path)
    if not head:
        raise DataError(f"{where}: the name {text[:60]!r} has no benchmark in it")
    return head, dict(sorted(values.items()))
