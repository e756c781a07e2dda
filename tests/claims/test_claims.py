"""No exact formula and no bound is contradicted by a run, whatever a program does to deceive.

An assumption that is listed with a count may excuse it for a vector that breaks the assumption:
a relation of parameters that is not true, or an error exit or exception that is taken.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from staticana import find_compiler
from staticana.assumed import assumption
from tests.staticana.frontend.test_openmp import missing_openmp

from .oracle import Deceiver, judged

pytestmark = pytest.mark.usefixtures("as_users_have_it")
_CRASHED = 139
"""What clang's driver returns where the compiler ended by a signal."""
PROGRAMS = Path(__file__).parent / "programs"
VARIED = Path(__file__).parent.parent / "programs" / "compilers"


def _needs_twin(path: Path) -> None:
    if path.suffix == ".cc" and find_compiler().kind == "zig":
        pytest.skip(
            "the twin counts what is thrown, and zig links the library that throws statically"
        )


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.c*")), ids=lambda p: p.stem)
def test_no_claim_is_wrong(path: Path, tmp_path: Path) -> None:
    _needs_twin(path)
    deceiver = Deceiver.read(path)
    if "-rdynamic" in deceiver.flags and find_compiler().kind == "zig":
        pytest.skip("zig makes no object with -rdynamic")
    reason = missing_openmp() if "-fopenmp" in deceiver.flags else None
    if reason:
        pytest.skip(reason)
    try:
        analysis, wrong = judged(deceiver, tmp_path)
    except subprocess.CalledProcessError as error:
        if error.returncode != _CRASHED:
            raise
        pytest.skip("the compiler crashes on the twin")
    assert analysis.loops
    assert not [str(w) for w in wrong]
    texts = {a for loop in analysis.loops for a in loop.total.assumptions}
    assert not [a for a in texts if assumption(a).kind == "other"]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(VARIED.glob("*.c*")), ids=lambda p: p.stem)
def test_no_claim_of_a_varied_program_is_wrong(path: Path, tmp_path: Path) -> None:
    """Loops without a word of their own, that fill an array, are not in the twin."""
    deceiver, lines = Deceiver.read(path), path.read_text().splitlines()
    if "#pragma omp" in path.read_text():
        deceiver = replace(deceiver, flags=(*deceiver.flags, "-fopenmp"))
    analysis, wrong = judged(deceiver, tmp_path, statements=False)
    assert analysis.loops
    assert not [
        str(w)
        for w in wrong
        if re.search(r"\b(for|while|do)\b", lines[int(w.at.split(":")[-2]) - 1])
    ]


@pytest.mark.parametrize(
    "name", ["argc_checked.c", "abort_in_callee.c", "throws.cc", "library_throws.cc", "reports.c"]
)
def test_strict_claims_rest_on_nothing(name: str, tmp_path: Path) -> None:
    _needs_twin(Path(name))
    analysis, wrong = judged(Deceiver.read(PROGRAMS / name), tmp_path, strict=True)
    assert not [str(w) for w in wrong]
    counts = [c for loop in analysis.loops for c in (loop.total, loop.per_entry, loop.per_call)]
    assert not [a for c in counts for a in c.assumptions]
