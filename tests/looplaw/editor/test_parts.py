"""The parts of the language server that need no compiler."""

from __future__ import annotations

import random

import pytest

from looplaw.editor.compiler_messages import problems_of
from looplaw.editor.moved_lines import lines_of, moved_lines
from looplaw.editor.notes import Problem


def test_lines_that_did_not_change_are_found_again() -> None:
    before = "a\nb\nc\nd\n"
    assert moved_lines(before, before) == {k: k for k in range(1, 6)}
    assert moved_lines(before, "new\n" + before) == {k: k + 1 for k in range(1, 6)}
    assert moved_lines(before, "a\nB\nc\nd\n") == {1: 1, 3: 3, 4: 4, 5: 5}
    assert moved_lines(before, "") == {5: 1}


@pytest.mark.parametrize("seed", range(20))
def test_moved_lines_are_the_same_lines_in_their_order(seed: int) -> None:
    chance = random.Random(seed)
    old = [chance.choice("abcdef") for _ in range(40)]
    new = list(old)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(new))
        new[at : at + chance.randint(0, 3)] = chance.choices("xyz", k=chance.randint(0, 3))
    found = moved_lines("\n".join(old), "\n".join(new))
    assert all(old[a - 1] == new[b - 1] for a, b in found.items())
    assert list(found.values()) == sorted(set(found.values()))


def test_a_form_feed_ends_no_line() -> None:
    assert lines_of("a\fb\r\nc\rd\n") == ["a\fb", "c", "d", ""]


def _is_a(name: str) -> bool:
    return name in ("/w/a.c", "a.rs", "./a.f90")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "/w/a.c:3:5: error: use of undeclared identifier 'x'\n    3 |  x\n",
            [(3, 5, "use of undeclared identifier 'x'")],
        ),
        ("/w/a.c:1:10: fatal error: 'no.h' file not found\n", [(1, 10, "'no.h' file not found")]),
        (
            "In file included from /w/a.c:4:\nIn file included from /w/b.h:1:\n"
            "/w/c.h:9:1: error: unknown type name 'T'\n",
            [(4, 0, "/w/c.h:9: unknown type name 'T'")],
        ),
        ("/w/a.c:2:1: warning: unused\n/w/other.c:1:1: error: not here\n", []),
        (
            "error[E0425]: cannot find value `y` in this scope\n --> a.rs:7:9\n  |\n",
            [(7, 9, "cannot find value `y` in this scope (E0425)")],
        ),
        ("error: aborting due to 1 previous error\n", []),
        (
            "error: Could not parse ./a.f90\n./a.f90:4:11: error: expected end of statement\n",
            [(4, 11, "expected end of statement")],
        ),
    ],
)
def test_errors_of_compilers(said: str, expected: list[tuple[int, int, str]]) -> None:
    found = problems_of(said, _is_a)
    assert list(found) == [Problem(a, b, "error", "compile", text) for a, b, text in expected]
