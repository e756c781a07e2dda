"""Rust programs: formulas over the arguments of a function equal the counts of a twin that counts
for itself."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources
from tests.places import PROGRAMS
from tests.twin import line_of

PROGRAM = PROGRAMS / "rust" / "loops.rs"
ITERATORS = PROGRAMS / "rust" / "iterators.rs"
_LOOP = re.compile(r"^\s*(?:'\w+: )?(?:for|while|loop)\b.*\{$|for_each\(\|.*\{$")
_NAMES = ("n", "m", "a_len", "b_len")
_COUNTERS = """
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
static TWIN: [AtomicU64; 200] = [const { AtomicU64::new(0) }; 200];
fn twin_report() {
    for (i, c) in TWIN.iter().enumerate() { println!("{} {}", i, c.load(Relaxed)); }
}
"""


def _rustc() -> str:
    found = shutil.which("rustc") or shutil.which("rustc", path=str(Path.home() / ".cargo" / "bin"))
    if found is None:
        pytest.skip("rustc is not installed: apt install rustc, or rustup")
    return found


def _linking_rustc() -> str:
    if shutil.which("cc") is None:
        pytest.skip("rustc links with cc, which is not installed")
    return _rustc()


def _twin(program: Path, folder: Path) -> tuple[Path, set[str]]:
    lines, found = [], set()
    for number, line in enumerate(program.read_text().splitlines(), 1):
        if _LOOP.search(line) or (".iter()." in line and "black_box" in line):
            found.add(f"{program.name}:{number}")
            line = re.sub(r"\{(?=[^{]*$)", f"{{ TWIN[{number}].fetch_add(1, Relaxed);", line)
        lines.append(line)
    assert lines.pop() == "}"
    path, executable = folder / "twin.rs", folder / "twin"
    path.write_text("\n".join(lines) + "\n    twin_report();\n}\n" + _COUNTERS)
    subprocess.run(
        [_linking_rustc(), "-O", str(path), "-o", str(executable)], check=True, capture_output=True
    )
    return executable, found


@pytest.mark.parametrize(
    ("program", "loops", "known"),
    [(PROGRAM, 19, 16), (ITERATORS, 14, 14)],
    ids=("loops", "iterators"),
)
def test_loops_are_counted_over_the_arguments(
    program: Path, loops: int, known: int, tmp_path: Path
) -> None:
    executable, lines = _twin(program, tmp_path)
    analysis = analyze(canonical(compile_sources([program])), entry="work")
    assert tuple(p.name for p in analysis.parameters) == _NAMES
    exact = {
        line_of(loop.at): loop.total
        for loop in analysis.loops
        if loop.total.kind == "exact" and line_of(loop.at) in lines
    }
    assert len(lines) == loops
    assert len(exact) == known, lines - exact.keys()
    generator = random.Random(5)
    vectors = [
        (0, 0, 0, 0),
        (1, 1, 1, 1),
        (-3, 9, 0, 2),
        *(tuple(generator.randint(0, 14) for _ in _NAMES) for _ in range(12)),
    ]
    for vector in vectors:
        done = subprocess.run(
            [str(executable), *map(str, vector)], capture_output=True, text=True, check=True
        )
        counts = {
            f"{program.name}:{at}": int(number)
            for at, number in (line.split() for line in done.stdout.splitlines()[1:])
        }
        for at, total in exact.items():
            assert total.formula is not None
            assert total.formula.evaluate(dict(zip(_NAMES, vector, strict=True))) == counts[at], (
                at,
                vector,
                str(total.formula),
            )


def test_places_are_those_of_the_keywords() -> None:
    _rustc()
    source = PROGRAM.read_text().splitlines()
    for loop in analyze(canonical(compile_sources([PROGRAM])), entry="work").loops:
        _, line, column = loop.at.rsplit(":", 2)
        text = source[int(line) - 1][int(column) - 1 :]
        assert re.match(
            r"(?:'\w+: )?(for|while|loop)\b|for_each|b\.iter\(\)\.filter|collect|sum|fold", text
        ), loop.at


def test_a_run_starts_at_the_program_s_main(tmp_path: Path) -> None:
    _rustc()
    path = tmp_path / "m.rs"
    path.write_text(
        "fn main() {\n    let mut s = 0u64;\n    for i in 0..=9u64 {\n        for j in 0..i {\n    "
        '        s += j;\n        }\n    }\n    println!("{}", s);\n}\n'
    )
    totals = [loop.total for loop in analyze(canonical(compile_sources([path]))).loops]
    assert [t.evaluate({}) for t in totals] == [10, 45]


def test_without_rustc_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InputError, match="no rustc found: apt install rustc"):
        compile_sources([PROGRAM])


def test_errors_quote_the_compiler(tmp_path: Path) -> None:
    _rustc()
    path = tmp_path / "bad.rs"
    path.write_text('fn main() { let x: i32 = ""; }\n')
    with pytest.raises(InputError, match="mismatched types"):
        compile_sources([path])


def test_loops_of_switches_over_several_lines_are_marked(tmp_path: Path) -> None:
    """The iterator of `(0..=n).step_by(3)` is a switch, whose table LLVM writes over lines."""
    _rustc()
    path = tmp_path / "step.rs"
    path.write_text(
        "#[inline(never)]\npub fn work(n: usize) -> u64 {\n    let mut c = 0u64;\n"
        "    for _ in (0..=n).step_by(3) { c += 1; }\n"
        "    for i in (0..=n).chain(0..9) { c += i as u64; }\n    c\n}\n"
    )
    analysis = analyze(canonical(compile_sources([path])), entry="work")
    assert [line_of(loop.at) for loop in analysis.loops] == ["step.rs:4", "step.rs:5"]
