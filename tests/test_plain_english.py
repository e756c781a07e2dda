"""What people read in a terminal is written in short sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from looplaw.laws.answer import answer
from looplaw.report.answer_text import answer_text
from tests.looplaw.study_example import example_study, typed
from tests.places import ROOT

PACKAGES = ("looplaw", "looplaw_common", "modeling", "runtime", "staticana")
MOST_WORDS = 30
_SENTENCE = re.compile(r"(?<=[.;?!])\s+|\n\s*\n")


def _docstrings(tree: ast.AST) -> set[int]:
    """The nodes that are documentation of code; that of commands is their help."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            body = node.body
            is_command = isinstance(node, ast.FunctionDef) and node.name.endswith("_command")
            found |= {
                id(line.value)
                for line in (body[1:] if is_command else body)
                if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
            }
    return found


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each literal; what is filled in counts as a word."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parts, documentation = set[int](), _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(v) for v in ast.walk(node)} - {id(node)}
            yield (
                node.lineno,
                "".join(str(v.value) if isinstance(v, ast.Constant) else "_" for v in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documentation and id(node) not in parts:
                yield node.lineno, node.value


def sentences(text: str) -> list[str]:
    """The sentences of a text; examples of a help, behind the mark of click, are none."""
    return [s for s in _SENTENCE.split(text.partition("\b\n")[0]) if s.strip()]


def _is_prose(text: str) -> bool:
    """Is a text for people, and not a program or a pattern?"""
    words = text.split()
    is_code = bool({"declare", "define", "="} & {*words})
    return (
        len(words) > 4
        and not is_code
        and bool({"a", "the", "of", "is", "are", "that", "to"} & {*words})
    )


def test_no_sentence_has_more_than_thirty_words() -> None:
    long = [
        f"{file.relative_to(ROOT)}:{line}: {len(s.split())} words: {' '.join(s.split())}"
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
        for line, text in texts(file)
        if _is_prose(text)
        for s in sentences(text)
        if len(s.split()) > MOST_WORDS
    ]
    assert not long, "\n".join(long)


def test_the_answer_of_a_study_has_short_sentences() -> None:
    first, _, *others = answer_text(answer(typed(example_study()), None, "out")).split("\n\n")
    for block in (first, *others):
        prose = " ".join(line for line in block.splitlines() if not line.startswith("  looplaw"))
        assert all(len(s.split()) <= MOST_WORDS for s in sentences(" ".join(prose.split())))
