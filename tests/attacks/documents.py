"""Good documents, and the same with something hostile in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import looplaw
from looplaw.documents.analysis import ANALYSIS
from looplaw_common.errors import LooplawError
from tests.looplaw.study_example import count, example_study

POINTS = (4, 8, 16, 32, 64)
KERNEL = "main->f"
LAWS = f'[[law]]\nkernel = "{KERNEL}"\nmetric = "time"\nexpect = "O(n)"\ntolerance = 0.1\n'


def lines(callpath: str = KERNEL, metric: str = "time", parameter: str = "n") -> str:
    """Measurements of one kernel as JSON Lines."""
    rows = (
        {"params": {parameter: n}, "callpath": callpath, "metric": metric, "value": 2.5 * n + r}
        for n in POINTS
        for r in (0, 1)
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def csv(header: str = "n,callpath,value", callpath: str = KERNEL) -> str:
    """The same as CSV."""
    return header + "\n" + "".join(f"{n},{callpath},{2.5 * n}\n" for n in POINTS)


@cache
def _models() -> str:
    from modeling.readers import read_text

    models = looplaw.fit(read_text(lines(), "data.jsonl"))
    return json.dumps(models.to_json())


def models() -> Any:
    """What `looplaw fit` writes of `lines`."""
    return json.loads(_models())


def study() -> Any:
    """What `looplaw study` writes."""
    return json.loads(json.dumps(example_study()))


def analysis(total: Mapping[str, object] | None = None, **more: object) -> Any:
    """What `looplaw analyze --json` writes of one loop."""
    found = dict(total or count("exact", "Max(0, n)"))
    loop = {
        "at": "a.c:3:5", "function": "main", "nesting": 1, "parent": None, "parameters": ["n"],
        "per_entry": found, "per_call": found, "total": found, **more,
    }  # fmt: skip
    function = {
        "name": "main", "file": "a.c", "line": 1, "parameters": ["n"], "work": found,
        "depth": found, "efficiency": None, "operations": {"loads": found},
    }  # fmt: skip
    return {"format": ANALYSIS, "entry": "main", "loops": [loop], "functions": [function]}


def with_formula(document: Any, text: str) -> str:
    """The document, all of whose formulas are this text."""
    for holder, key in places(document):
        if key in ("formula", "lower", "upper") and isinstance(holder[key], str):
            holder[key] = text
    return json.dumps(document)


def with_value(document: Any, path: str, value: object) -> str:
    """The document with another value at a path such as loops.0.at."""
    *above, last = (int(part) if part.isdigit() else part for part in path.split("."))
    holder = document
    for part in above:
        holder = holder[part]
    holder[last] = value
    return json.dumps(document)


def with_raw(document: Any, path: str, text: str) -> str:
    """The document with a text that is no JSON value that Python writes, such as 1e400."""
    return with_value(document, path, "@RAW@").replace('"@RAW@"', text)


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Each list or object in a document with each of its keys."""
    items = (
        list(document.items())
        if isinstance(document, dict)
        else list(enumerate(document))
        if isinstance(document, list)
        else []
    )
    for key, inner in items:
        yield document, key
        yield from places(inner)


def read_by_sympy(name: str) -> Callable[[], object]:
    """All formulas of a file that `looplaw.load` reads, as sympy expressions, and compiled."""

    def action() -> object:
        import sympy

        loaded = looplaw.load(name)
        refused: LooplawError | None = None
        for found in _formulas(loaded):
            try:
                expression = sympy.sympify(found)
                sympy.lambdify(sympy.Symbol("n"), expression)
                str(expression)
            except LooplawError as error:
                refused = error
        if refused is not None:
            raise refused
        return 0

    return action


def _formulas(loaded: Any) -> Iterator[Any]:
    data = getattr(loaded, "data", loaded)
    for loop in getattr(data, "loops", ()):
        yield from (loop.total, loop.per_entry, loop.per_call)
    if Path.cwd() and hasattr(loaded, "models"):
        yield from loaded.models
