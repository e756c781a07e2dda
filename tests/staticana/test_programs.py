"""Every program in tests/programs: exact formulas equal the twin's counts, what is not exact stays
within its bounds.

The first line of each program says what is varied, how many of its loops must have an exact
formula, and how many of the others an upper bound.
"""

from __future__ import annotations

import random
import re
from itertools import product
from pathlib import Path

import pytest

from staticana import InputError, analyze
from tests.places import PROGRAMS
from tests.printed_formulas import check_printed
from tests.twin import analysed, build_twin, check_exact, ordered_names

_HEAD = re.compile(
    r"// vary: (?P<vary>.*); exact: (?P<exact>\d+) of (?P<all>\d+)(; bounded: (?P<bounded>\d+))?"
)


def _vectors(text: str, seed: int) -> tuple[list[str], list[tuple[int, ...]]]:
    names, ranges = [], []
    for part in text.split():
        name, _, span = part.partition("=")
        low, high = map(int, span.split(":"))
        names.append(name)
        ranges.append(range(low, high + 1))
    generator = random.Random(seed)
    everything = list(product(*ranges))
    edges = [v for v in everything if all(x in (-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17) for x in v)]
    return names, [
        *generator.sample(edges, min(12, len(edges))),
        *generator.sample(everything, min(20, len(everything))),
    ]


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.c")), ids=lambda p: p.stem)
def test_program_is_counted(path: Path, tmp_path: Path) -> None:
    head = _HEAD.match(path.read_text())
    assert head, f"{path.name}: the first line must say what is varied"
    names, vectors = _vectors(head["vary"], seed=7)
    analysis = analysed([path])
    assert len(analysis.loops) == int(head["all"])
    exact = [loop for loop in analysis.loops if loop.total.kind == "exact"]
    assert len(exact) == int(head["exact"]), [
        (loop.at, loop.total.reason) for loop in analysis.loops
    ]
    assert check_printed(analysis) or not analysis.loops
    others = [loop for loop in analysis.loops if loop.total.kind != "exact"]
    assert all(loop.total.reason for loop in others)
    if head["bounded"]:
        assert sum(loop.total.upper is not None for loop in others) == int(head["bounded"])
    if exact and any(loop.parameters for loop in exact):
        assert set(ordered_names(analysis)) <= set(names)
    compared = (
        check_exact(analysis, build_twin([path], tmp_path), vectors)
        if ordered_names(analysis) == names
        else 0
    )
    assert compared == len(vectors) * len(exact) or not exact


def test_two_files_are_one_program(tmp_path: Path) -> None:
    sources = [PROGRAMS / "pair" / "a.c", PROGRAMS / "pair" / "b.c"]
    analysis = analysed(sources)
    assert [loop.total.kind for loop in analysis.loops] == ["exact", "exact"]
    assert (
        check_exact(analysis, build_twin(sources, tmp_path), list(product(range(-2, 9), repeat=2)))
        == 242
    )


def test_missing_argument_takes_the_default(tmp_path: Path) -> None:
    path = PROGRAMS / "default_argument.c"
    analysis = analysed([path], argc=2)
    twin = build_twin([path], tmp_path)
    assert check_exact(analysis, twin, [(n,) for n in range(-5, 9)]) == 14


def test_a_parameter_can_be_named() -> None:
    analysis = analysed([PROGRAMS / "constant.c"], parameters={"size": "argv[1]"})
    assert [p.name for p in analysis.parameters] == ["size"] or not analysis.parameters


@pytest.mark.parametrize(
    ("name", "origin", "part"),
    [
        ("n", "argv", "write argv[1]"),
        ("n", "global:nothing", "no global variable nothing"),
        ("n", "arg:main:9", "no argument 9"),
        ("2x", "argv[1]", "not a name"),
    ],
)
def test_wrong_parameter_is_refused(name: str, origin: str, part: str) -> None:
    with pytest.raises(InputError, match=re.escape(part)):
        analysed([PROGRAMS / "constant.c"], parameters={name: origin})


def test_a_library_function_that_is_only_there_to_be_inlined_is_no_entry() -> None:
    text = (
        "define available_externally i32 @atoi(ptr %s) {\nentry:\n  ret i32 0\n}\n\n"
        "define i32 @main() {\nentry:\n  ret i32 0\n}\n"
    )
    with pytest.raises(InputError, match="no such function; the program defines main"):
        analyze(text, entry="atoi")
