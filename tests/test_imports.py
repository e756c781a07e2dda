"""Imports run one way: staticana and modeling import none of the others, runtime may import
staticana."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "staticana": set[str](),
    "modeling": set[str](),
    "runtime": {"staticana"},
    "looplaw": {"staticana", "modeling", "runtime"},
}


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_direction(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom) and node.level == 0
                else []
            )
            for name in names:
                top = name.split(".")[0]
                assert top not in ALLOWED or top in ALLOWED[package], f"{path.name} imports {name}"
