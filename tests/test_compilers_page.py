"""What the pages say of compilers and environment variables is so."""

from __future__ import annotations

import re

import pytest

from looplaw import environment_check
from staticana import InputError, find_compiler
from tests.places import ROOT

_ROWS = re.findall(
    r"^\| [^|]+ \| `([^`]+)` \| (\w+) \| (\w+) \| ([^|]+) \| (\w+) \|$",
    (ROOT / "docs" / "compilers.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
_CODE = ("staticana", "runtime", "looplaw", "looplaw_common", "modeling", "tools", "benchmarks")
_VARIABLE = re.compile(r"\b_?LOOPLAW_[A-Z_]+\b")


# zig builds its C++ library first, which takes a minute; where it is the only compiler, every test
# of a C++ program uses it
@pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=[pytest.mark.slow] * (row[0] == "zig")) for row in _ROWS],
    ids=lambda row: str(row[0]),
)
def test_a_compiler_does_what_the_table_says(
    row: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loops of the canaries of C and C++ are exact, and a run counts what they say."""
    name, c, cxx, _, study = row
    monkeypatch.setenv("LOOPLAW_CC", name)
    try:
        find_compiler()
    except InputError:
        pytest.skip(f"{name} is not installed")
    by_name = {canary.name: canary for canary in environment_check.CANARIES}
    fails = environment_check._fails
    assert (fails(by_name["C"]) is None) == (c == study == "yes")
    why = fails(by_name["C++"])
    if why is not None and "not found" in why:
        pytest.skip(f"{name} has no C++ library: {why}")
    assert (why is None) == (cxx == "yes"), why
    assert why is None or "loops are exact" in why


def test_the_table_has_every_compiler_of_the_corpus() -> None:
    assert [row[0] for row in _ROWS] == ["clang-14", "clang-16", "clang-19", "clang-22", "zig"]


def test_every_variable_is_documented() -> None:
    files = [p for folder in _CODE for p in (ROOT / folder).rglob("*") if p.suffix in _SUFFIXES]
    files += [ROOT / "Makefile", ROOT / "tests" / "staticana" / "nests" / "test_random_nests.py"]
    used = {v for p in files for v in _VARIABLE.findall(p.read_text(encoding="utf-8"))}
    page = (ROOT / "docs" / "variables.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(_?LOOPLAW_[A-Z_]+)`", page, re.MULTILINE))
    assert documented == used


_SUFFIXES = (".py", ".c", ".h")
