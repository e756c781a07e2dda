"""Find the parameters of a run in its name, such as Extra-P's run.p64.n8.r1, or in its metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..data.observations import Number, Point

_PAIR = re.compile(r"([A-Za-z_]+)=?([0-9]+(?:[.,][0-9]+)?)")
_PAIRS = re.compile(rf"(?:[._-]?{_PAIR.pattern})+")
_BARE_PAIRS = re.compile(r"[A-Za-z]+=?[0-9]+(?:,[0-9]+)?(?:[_-]?[A-Za-z]+=?[0-9]+(?:,[0-9]+)?)*")
_WHOLE = re.compile(r"[0-9]{1,15}")
NO_PARAMETER = re.compile(r"date|version|elapsed|figure.of.merit|\bid$|start.?time", re.IGNORECASE)
"""Names of metadata that are no parameters: dates and results."""


def parameters_of(name: str) -> Point:
    """The parameters in a name such as prefix.p64.n8.r1; .rN at the end is the repetition."""
    rest = re.sub(r"\.r[0-9]+$", "", name).split(".", 1)[-1]
    if not (_PAIRS if rest != name else _BARE_PAIRS).fullmatch(rest):
        return ()
    return tuple(
        sorted((n.lstrip("_"), _value(v.replace(",", "."))) for n, v in _PAIR.findall(rest))
    )


def whole_numbers(metadata: Mapping[str, object]) -> dict[str, Number]:
    """The whole numbers in the metadata of a run, without dates and results."""
    return {
        str(n): int(str(v))
        for n, v in metadata.items()
        if _WHOLE.fullmatch(str(v)) and not NO_PARAMETER.search(str(n))
    }


def names_that_differ(runs: Sequence[Mapping[str, Number]]) -> list[str]:
    """The numbers that all runs have and that differ between runs; all of them if none differs."""
    common = sorted(set.intersection(*map(set, runs))) if runs else []
    return [n for n in common if len({numbers[n] for numbers in runs}) > 1] or common


def _value(text: str) -> Number:
    return float(text) if "." in text else int(text)
