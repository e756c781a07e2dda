"""Text becomes a formula in one way only: by our grammar. Nothing in the packages hands text to
Python, and sympy's readers of text do."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("looplaw_common", "staticana", "runtime", "modeling", "looplaw")
READS_TEXT = frozenset(
    "eval exec compile sympify parse_expr parse_latex parse_mathematica parse_maxima auto_symbol"
    " stringify_expr eval_expr sympy.S".split()
)
"""Functions that run text as Python, and sympy's that end there."""
OFTEN_HARMLESS = frozenset({"compile", "eval"})
"""Attributes that have nothing to do with Python's: `re.compile`, the `eval` of functions."""
MENTIONED = re.compile(
    rf"\b(?:{'|'.join(word.rpartition('.')[2] for word in sorted(READS_TEXT))}|lambdify)\b"
)
"""What a module at fault mentions, with identifiers as Python reads them: in NFKC."""
COMPILED = {"staticana/expr/sympy.py": 1}
"""Calls of `sympy.lambdify`: of an expression whose only symbol is the index of a sum."""


def names_used(nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """(name, line) of what is called, imported, or handed on."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr not in OFTEN_HARMLESS or owner == "builtins":
                yield node.attr, node.lineno
            yield f"{owner}.{node.attr}", node.lineno
        elif isinstance(node, ast.ImportFrom | ast.Import):
            owner = str(getattr(node, "module", None)).partition(".")[0]
            for alias in node.names:
                yield alias.name.rpartition(".")[2], node.lineno
                yield f"{owner}.{alias.name}", node.lineno


def faults(text: str, name: str) -> list[str]:
    """What in a module may hand text to Python, as file:line: name."""
    if not MENTIONED.search(unicodedata.normalize("NFKC", text)):
        return []
    nodes = list(ast.walk(ast.parse(text)))
    calls = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    found = [f"{name}:{line}: {used}" for used, line in names_used(nodes) if used in READS_TEXT]
    compiled = [
        n
        for n in nodes
        if isinstance(n, ast.Attribute)
        and n.attr == "lambdify"
        and id(n) in calls
        and isinstance(n.value, ast.Name)
        and n.value.id == "sympy"
    ]
    if len(compiled) > COMPILED.get(name, 0):
        found += [f"{name}:{n.lineno}: sympy.lambdify" for n in compiled]
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_no_text_is_handed_to_python(package: str) -> None:
    found = [
        fault
        for path in sorted((ROOT / package).rglob("*.py"))
        for fault in faults(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "eval(text)",
        "x = eval",
        "map(eval, texts)",
        "import sympy\nsympy.sympify(text)",
        "from sympy import sympify as read",
        "from sympy.parsing.sympy_parser import parse_expr",
        "sympy.S(text)",
        "from sympy.core.singleton import S",
        "builtins.exec(text)",
        "sympy.lambdify([], text)",
        "compile(text, '', 'eval')",
    ],
)
def test_the_search_finds_what_it_is_to_find(line: str) -> None:
    assert faults(line, "module.py")


def test_other_names_are_no_faults() -> None:
    assert not faults("import re\nre.compile(text)\ncount.lambdify('n')\nevaluate(tree)", "m.py")
    assert Path(ROOT / "staticana/expr/sympy.py").is_file()
