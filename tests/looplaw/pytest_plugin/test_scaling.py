"""Laws of Python functions as tests: counts tell n from n*log(n) from n**2, and what cannot be told
is refused."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from looplaw.pytest_plugin import scaling
from looplaw.pytest_plugin.growth import Scaling
from modeling import DataError, InputError
from tests.looplaw.pytest_plugin.sorting_example import (
    insertion_sort,
    merge_sort,
    shuffled,
    table,
    total_of,
)
from tests.places import ROOT

SIZES = [64, 128, 256, 512, 1024]


def test_lines_tell_laws_apart() -> None:
    fast = scaling(merge_sort, make=shuffled, n=SIZES, counter="lines")
    assert fast.grows_no_faster_than("n*log(n)")
    assert fast.grows_no_faster_than("n**2")
    assert fast.grows_as("n*log(n)")
    assert not fast.grows_no_faster_than("n")
    assert not fast.grows_as("n**2")
    assert fast.model is not None
    assert fast.model.quality.loo_smape < 5
    assert (
        scaling(merge_sort, make=shuffled, n=SIZES[:4], counter="lines").model is None
    )  # too few to tell a model
    slow = scaling(insertion_sort, make=shuffled, n=SIZES, counter="lines")
    verdict = slow.grows_no_faster_than("n*log(n)")
    assert not verdict
    assert repr(verdict).startswith(
        "insertion_sort: grows like n**2 (5 sizes, n = 64 to 1024); allowed n*log(n)\n"
    )
    assert "insertion_sort: lines grow as the law n*log(n) to the power 1.7" in repr(verdict)
    assert "up to 1.05 is no faster" in repr(verdict)
    assert slow.grows_as("n**2")


def test_lines_are_the_same_every_time() -> None:
    runs = [scaling(merge_sort, make=shuffled, n=SIZES, counter="lines").values for _ in range(2)]
    assert runs[0] == runs[1]


def test_every_parameter_is_looked_at() -> None:
    found = scaling(table, n=[4, 8, 16, 32], m=[4, 8, 16, 32], counter="lines")
    assert found.grows_as("n*m")
    assert not found.grows_no_faster_than("n")
    assert not found.grows_no_faster_than("m")


@pytest.mark.slow  # valgrind runs Python four times
def test_instructions_see_what_c_does() -> None:
    if shutil.which("valgrind") is None:
        warnings.warn("instructions were not counted: install valgrind", stacklevel=1)
        pytest.skip("no valgrind on PATH")
    sizes = [4000, 8000, 16000, 32000]
    found = scaling(total_of, make=shuffled, n=sizes, counter="instructions")
    assert found.counter == "instructions"
    assert found.grows_as("n")
    assert not found.grows_no_faster_than("sqrt(n)")
    doubled = [b / a for a, b in pairwise(found.values)]
    assert doubled == pytest.approx([2, 2, 2], rel=0.1)
    assert (
        len(set(scaling(total_of, make=shuffled, n=sizes, counter="lines").values)) == 1
    )  # lines do not, as documented


@pytest.mark.parametrize(
    ("sizes", "said"),
    [([8, 16, 32], "too few to tell"), ([100, 110, 120, 130], "too few to tell"), ([], "too few")],
)
def test_too_few_sizes_are_refused(sizes: list[int], said: str) -> None:
    with pytest.raises(DataError, match=said):
        scaling(table, n=sizes, m=[1, 2, 4, 8])


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ("n*", r"not a formula: the text ends at column 3 \(n\*\)"),
        ("__import__('os')", "unknown function '__import__' at column 1"),
        ("q*n", "give q="),
        ("1/(n - n)", "no finite value"),
        ("n if n else 1", "not a formula: unexpected 'if' at column 3"),
    ],
)
def test_what_is_no_law_is_refused(law: str, said: str) -> None:
    found = scaling(merge_sort, make=shuffled, n=[8, 16, 32, 64], counter="lines")
    with pytest.raises((InputError, DataError), match=said):
        found.grows_no_faster_than(law)


def test_laws_are_formulas_as_everywhere() -> None:
    found = scaling(merge_sort, make=shuffled, n=SIZES, counter="lines")
    for law in ("n*log2(n)", "n*ln(n)", "n*log(n, 10)", "Max(n, 8)*log(n)", "n^1 * log(n)"):
        assert found.grows_as(law)
    assert [held.law.has_bare_log for held in found.held] == [False, False, False, True, True]
    assert found.held[-1].text == "as n^1 * log(n)"


def test_no_such_counter() -> None:
    with pytest.raises(DataError, match="auto, lines, time, instructions"):
        scaling(merge_sort, make=shuffled, n=SIZES, counter="cycles")


def test_the_plugin(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    import subprocess
    import sys

    (tmp_path / "test_sorts.py").write_text("""
import pytest

def pairs(n):
    return [(i, j) for i in range(n) for j in range(i)]

def test_fixture(scaling):
    assert scaling(pairs, n=[8, 16, 32, 64], counter="lines").grows_no_faster_than("n**2")

@pytest.fixture
def start():
    return 1

@pytest.mark.scaling("n*log(n)", n=[8, 16, 32, 64])
def test_holds(n, start):
    for i in range(start, n):
        pass

@pytest.mark.scaling("n", n=[8, 16, 32, 64])
def test_breaks(n):
    for i in range(n):
        for j in range(n):
            pass
""")
    root = ROOT
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "looplaw.pytest_plugin.plugin",
        "--strict-markers",
        "-p",
        "no:cacheprovider",
    ]
    import os

    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "test_breaks: grows like n**2 (4 sizes, n = 8 to 64); allowed n" in done.stdout
    assert "test_breaks: lines grow as the law n to the power 1.9" in done.stdout
    assert "no faster than" in done.stdout.partition("scaling")[2]
    assert done.stdout.count("log(x) means log2(x)") == 1


def test_a_function_that_does_not_take_the_sizes_is_told_of_make() -> None:
    with pytest.raises(
        DataError,
        match=r"insertion_sort\(.*\) cannot be called with n alone: give make=, a function of n",
    ):
        scaling(insertion_sort, n=[64, 128, 256, 512])
    with pytest.raises(DataError, match="make is called with m"):
        scaling(insertion_sort, make=shuffled, m=[64, 128, 256, 512])


def test_what_lines_do_not_show_is_timed() -> None:
    import ctypes

    library = ctypes.CDLL(None)
    long = library.strlen
    long.argtypes, long.restype = [ctypes.c_char_p], ctypes.c_size_t

    def text(n: int) -> bytes:
        return b"x" * n

    sizes = [200_000, 400_000, 800_000, 1_600_000]
    compiled = scaling(long, make=text, n=sizes)
    assert compiled.counter == "time"
    assert compiled.grows_no_faster_than("n**1.5")
    made = {n: shuffled(n) for n in (2000, 4000, 8000, 16000)}  # once: timing asks for many
    wrapped = scaling(lambda data: sorted(data), make=lambda n: made[n], n=list(made))
    assert wrapped.counter == "time"
    assert len(wrapped.rounds) >= 3
    assert wrapped.grows_no_faster_than("n*log2(n)").status != "broken"
    assert not wrapped.grows_no_faster_than("log2(n)")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("library")
    compiler = next((c for c in ("c++", "clang++", "clang++-19", "g++") if shutil.which(c)), None)
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    source = tmp_path / "count.cc"
    source.write_text(
        "#include <vector>\n"
        'extern "C" long pairs(int n) {\n'
        "    std::vector<int> v(n, 1); volatile long s = 0;\n"
        "    for (int a : v) for (int b : v) s = s + a * b;\n"
        "    return s;\n}\n"
        'extern "C" long once(int n) { volatile long s = 0; for (int i = 0; i < n; i++) s = s + i;'
        " return s; }\n"
    )
    library = tmp_path / "count.so"
    command = [compiler, "-O1", "-shared", "-fPIC", str(source), "-o", str(library)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("the compiler makes no shared library here")
    return library


def test_functions_of_cpp_through_ctypes(library: Path) -> None:
    import ctypes

    loaded = ctypes.CDLL(str(library))
    square = scaling(loaded.pairs, make=lambda n: n, n=[400, 800, 1600, 3200])
    assert square.counter == "time"
    assert not square.grows_no_faster_than("n*log2(n)")
    linear = scaling(loaded.once, make=lambda n: n, n=[20_000, 40_000, 80_000, 160_000])
    assert linear.grows_no_faster_than("n*log2(n)")


def test_functions_of_cpp_through_cffi(library: Path) -> None:
    cffi = pytest.importorskip("cffi")
    interface = cffi.FFI()
    interface.cdef("long pairs(int n);")
    opened = interface.dlopen(str(library))
    square = scaling(opened.pairs, make=lambda n: n, n=[400, 800, 1600, 3200])
    assert not square.grows_no_faster_than("n*log2(n)")


def test_times_that_disagree_are_no_verdict() -> None:
    from looplaw.pytest_plugin import Scaling

    points = tuple({"n": float(n)} for n in (64, 128, 256, 512))
    linear, square = ((64.0, 128.0, 256.0, 512.0), (64.0, 256.0, 1024.0, 4096.0))
    torn = Scaling("f", "time", points, linear, rounds=(linear, square) * 3)
    verdict = torn.grows_no_faster_than("n")
    assert verdict.status == "cannot tell"
    assert verdict
    assert not verdict.holds
    assert "cannot tell" in repr(verdict)
    assert not Scaling("f", "time", points, square, rounds=(square,) * 7).grows_no_faster_than("n")


def _first_of_each(rows: list[int]) -> list[int]:
    """A line for each row, and a scan of all that were kept, in C."""
    seen: list[int] = []
    for row in rows:
        if row not in seen:
            seen.append(row)
    return seen


def test_work_in_c_beside_lines_is_seen_by_time() -> None:
    found = scaling(_first_of_each, make=lambda n: list(range(n)), n=[64, 128, 256, 512])
    verdict = found.grows_no_faster_than("n")
    assert found.counted == "lines, time"
    assert found.power_of("n") == pytest.approx(1, abs=0.05)  # of lines
    assert not verdict
    assert "CPU time" in repr(verdict)  # times decide which law of n is named, or that none can be
    lines = scaling(
        _first_of_each, make=lambda n: list(range(n)), counter="lines", n=[64, 128, 256, 512]
    )
    assert lines.grows_no_faster_than("n")


def test_lines_and_times_that_disagree_a_little_are_no_verdict() -> None:
    sizes = tuple({"n": n} for n in (64.0, 128.0, 256.0, 512.0))
    counts = tuple(10 * p["n"] for p in sizes)
    steps = tuple(1e-6 * p["n"] ** 1.35 for p in sizes)
    timed = Scaling("f", "time", sizes, steps, rounds=(steps,) * 7)
    assert Scaling("f", "lines", sizes, counts, timed=timed).grows_no_faster_than("n").status == (
        "cannot tell"
    )
    same = Scaling("f", "time", sizes, counts, rounds=(counts,) * 7)
    assert Scaling("f", "lines", sizes, counts, timed=same).grows_as("n").status == "holds"
