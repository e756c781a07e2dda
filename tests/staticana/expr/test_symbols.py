"""Names of symbols: what is built is recognised again, and as nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from staticana.expr import symbols

NAMES = {
    "parameter": "n",
    "register": symbols.register("f", "i.0"),
    "argument": symbols.argument("f", 1),
    "part": symbols.argument_part("f", 1, 32, 8),
    "argv": symbols.ARGV,
    "word": symbols.argv_word(3),
    "global": "@table",
    "iteration": symbols.iteration("f", "for.cond"),
    "depth": symbols.call_depth("f"),
    "mean": symbols.unknown("f", "mean", 7, "for.cond"),
    "loaded": "load[i32](@table)",
}


def test_names_differ() -> None:
    assert len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize(
    ("asked", "yes"),
    [
        (symbols.is_internal, NAMES.keys() - {"parameter"}),
        (symbols.is_iteration, {"iteration", "depth"}),
        (symbols.is_loaded, {"loaded"}),
        (symbols.is_from_outside, {"parameter", "argv", "word", "global"}),
        (symbols.as_argument, {"argument", "part"}),
        (lambda s: symbols.as_argv_word(s) is not None, {"word"}),
        (symbols.global_name, {"global"}),
    ],
)
def test_kinds(asked: Callable[[str], object], yes: set[str]) -> None:
    assert {kind for kind, name in NAMES.items() if asked(name)} == set(yes)


def test_parts_of_names() -> None:
    assert symbols.as_argument(NAMES["argument"]) == ("f", 1, None, None)
    assert symbols.as_argument(NAMES["part"]) == ("f", 1, 32, 8)
    assert symbols.as_argument(symbols.argument("a.arg#2", 0)) == ("a.arg#2", 0, None, None)
    assert symbols.as_argv_word(NAMES["word"]) == 3
    assert symbols.global_name("@table") == "table"
    assert symbols.register_name(NAMES["register"], "f") == "i.0"
    assert symbols.register_name(NAMES["register"], "g") is None
