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
from ..data.observations import Point
from .keys import labelled
from .run_names import Labels, parameters_of, told_apart

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
    named: list[tuple[Path, Columns, Point, Callable[[], Mapping[str, object]]]] = []
    later: list[tuple[Path, Columns, Mapping[str, object]]] = []
    for path in files:
        found, metadata = read(path)
        point = pattern.point(path) if pattern else ()
        if not point and not all(found.points):
            point = parameters_of(path.stem) or parameters_of(path.parent.name)
            if not point:
                later.append((path, found, metadata()))
                continue
        named.append((path, found, point, metadata))
    folder = str(files[0].parent) if files else ""
    if len({point for _, _, point, _ in named}) < len(named):  # repetitions, or several variants
        labels = [
            own
            for _, own in told_apart(
                [{**about(), **dict(point)} for *_, point, about in named], folder
            )
        ]
    else:
        labels = [()] * len(named)
    for (path, found, point, _), own in zip(named, labels, strict=True):
        result.take(_labelled(found, own), [_both(params, point, path) for params in found.points])
    runs = told_apart([about for *_, about in later], folder)
    for (path, found, _), (point, own) in zip(later, runs, strict=True):
        if not point:
            raise DataError(
                f"{path}: nothing says where it was measured; name files like run.p64.n8.json, or"
                " give a pattern, as in --pattern 'run_n{n}_p{p}'"
            )
        result.take(_labelled(found, own), [_both(params, point, path) for params in found.points])
    return result


def _labelled(found: Columns, labels: Labels) -> Columns:
    """The observations of a run, with what tells its series from those of others in their names."""
    return found.renamed(lambda callpath: labelled(callpath, labels)) if labels else found


def _both(params: Point, point: Point, path: Path) -> Point:
    """The parameters of an observation and of its file together."""
    if not point:
        return params
    both = sorted({*params, *point})
    if len({n for n, _ in both}) != len(both):
        name = next(n for (n, _), (m, _) in pairwise(both) if n == m)
        raise DataError(f"{path}: {name} has another value in the file than in its name")
    return tuple(both)
