"""Files of one run each: find the parameters of a run in its path or in the file's metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from looplaw_common.errors import DataError, InputError

from ..data.checks import exact_text
from ..data.columns import Columns
from ..data.observations import Number, Point
from .run_names import names_that_differ, parameters_of, whole_numbers

Run = tuple[Columns, Callable[[], Mapping[str, object]]]
_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_VALUE = r"([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"


@dataclass(frozen=True)
class NamePattern:
    """A pattern of paths with fields for parameters: run_n{n}_p{p}."""

    text: str
    names: tuple[str, ...]
    expression: re.Pattern[str]

    @staticmethod
    def parse(text: str) -> NamePattern:
        """Parse a pattern.

        Raises:
            InputError: it names no parameter, or one twice.
        """
        parts = _FIELD.split(text)
        names = tuple(parts[1::2])
        if not names or len(set(names)) != len(names):
            raise InputError(f"--pattern {text}: name each parameter once, as in run_n{{n}}_p{{p}}")
        expression = "".join(_VALUE if k % 2 else re.escape(part) for k, part in enumerate(parts))
        return NamePattern(text, names, re.compile(expression))

    def point(self, path: Path) -> Point:
        """The parameters in a path that matches.

        Raises:
            InputError: the path does not match.
        """
        found = self.expression.search(str(path))
        if found is None:
            raise InputError(f"{path}: not like --pattern {self.text}")
        return tuple(
            sorted(
                (n, exact_text(v, n, str(path)))
                for n, v in zip(self.names, found.groups(), strict=True)
            )
        )


def placed(
    files: Sequence[Path], read: Callable[[Path], Run], pattern: NamePattern | None
) -> Columns:
    """The observations of all files; those without parameters of their own get those of their file.

    Raises:
        InputError: a path does not match the pattern.
        DataError: nothing gives the parameters of a run, or a parameter has two values.
    """
    result = Columns()
    later: list[tuple[Path, Columns, dict[str, Number]]] = []
    for path in files:
        found, metadata = read(path)
        point = pattern.point(path) if pattern else ()
        if not point and not all(found.points):
            point = parameters_of(path.stem) or parameters_of(path.parent.name)
            if not point:
                later.append((path, found, whole_numbers(metadata())))
                continue
        result.take(found, [_both(params, point, path) for params in found.points])
    varying = names_that_differ([numbers for _, _, numbers in later])
    for path, found, numbers in later:
        if not varying:
            raise DataError(
                f"{path}: nothing says where it was measured; name files like run.p64.n8.json, or"
                " give a pattern, as in --pattern 'run_n{n}_p{p}'"
            )
        point = tuple((n, numbers[n]) for n in varying)
        result.take(found, [_both(params, point, path) for params in found.points])
    return result


def _both(params: Point, point: Point, path: Path) -> Point:
    """The parameters of an observation and of its file together."""
    if not point:
        return params
    both = sorted({*params, *point})
    if len({n for n, _ in both}) != len(both):
        name = next(n for (n, _), (m, _) in pairwise(both) if n == m)
        raise DataError(f"{path}: {name} has another value in the file than in its name")
    return tuple(both)
