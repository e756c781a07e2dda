"""Whole projects: from a compilation database to laws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sympy

from looplaw.documents.count import CountDocument
from looplaw.projects.analysing import Project, analysed, compiled
from looplaw.projects.database import files_of
from looplaw.projects.kept import Asked
from looplaw.projects.linking import parts
from looplaw.report.exports_table import exports_table
from looplaw_common.errors import InputError
from staticana.expr.budget import Allowance, shared_out
from staticana.frontend.clang import find_compiler

LIBRARY = """
static int limit;
void set_limit(int n) { limit = n; }
static void fill(double *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
void rows(double *a, int n, int m) { for (int i = 0; i < n; i++) fill(a + i * m, m); }
int bounded(void) { int s = 0; for (int i = 0; i < limit; i++) s += i; return s; }
void apply(double *a, int n, void (*f)(double *, int)) { for (int i = 0; i < n; i++) f(a, i); }
"""
CALLER = """
#include <stdlib.h>
void rows(double *a, int n, int m);
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    rows(malloc(n * 8 * sizeof(double)), n, 8);
    return SCALE;
}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _database(folder: Path, **files: str) -> Path:
    entries = []
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)
        words = ["cc", "-DSCALE=0", "-O2", "-c", f"{name}.c", "-o", f"{name}.o"]
        entries.append({"directory": str(folder), "file": f"{name}.c", "arguments": words})
    database = folder / "compile_commands.json"
    database.write_text(json.dumps(entries))
    return database


def _at(count: CountDocument, **values: int) -> int:
    return int(sympy.sympify(count.formula).subs(values))


def _analysed(database: Path, main: Path | None = None) -> Project:
    return analysed(files_of(database), Asked(), main=main, jobs=2, allowance=Allowance(2.0))


def test_files_are_linked_by_name_and_main_is_run(tmp_path: Path) -> None:
    found = _analysed(_database(tmp_path, library=LIBRARY, caller=CALLER))
    assert found.is_program
    assert not found.left_out
    (document,) = found.analyses
    totals = {loop.function: loop.total for loop in document.loops}
    assert {total.kind for total in totals.values()} == {"exact"}
    assert _at(totals["rows"], n=7) == 7
    assert _at(totals["fill"], n=7) == 56


def test_without_main_every_exported_function_has_laws_in_its_arguments(tmp_path: Path) -> None:
    found = _analysed(_database(tmp_path, library=LIBRARY))
    by_entry = {a.entry: a for a in found.analyses}
    assert sorted(by_entry) == ["apply", "bounded", "rows", "set_limit"]
    rows = {loop.function: loop.total for loop in by_entry["rows"].loops}
    assert {total.kind for total in rows.values()} == {"exact"}
    assert _at(rows["rows"], n=7, m=5) == 7
    assert _at(rows["fill"], n=7, m=5) == 35
    assert _at(rows["fill"], n=-7, m=-5) == 0
    # another call may have set it before
    (loop,) = by_entry["bounded"].loops
    assert loop.total.kind != "exact"
    assert loop.total.formula != "0"
    assert by_entry["set_limit"].loops == ()


def test_a_library_whose_time_is_used_up_has_named_counts(tmp_path: Path) -> None:
    database = _database(tmp_path, library=LIBRARY)
    found = analysed(
        files_of(database), Asked(total=0.0), main=None, jobs=2, allowance=Allowance(2.0)
    )
    assert sorted(a.entry for a in found.analyses) == ["apply", "bounded", "rows", "set_limit"]
    rows = {a.entry: a for a in found.analyses}["rows"]
    whole = {loop.function: loop.total for loop in _analysed(database).analyses[2].loops}
    for loop in rows.loops:
        assert loop.total.kind == "parametric" or loop.total.formula == whole[loop.function].formula
    assert any((loop.total.reason or "").startswith("budget") for loop in rows.loops)


def test_time_is_shared_out_among_functions() -> None:
    given = list(shared_out(12, 2.0, 0.5))
    times = [t for t, _ in given if t is not None]
    assert len(times) == 12
    assert 7.9 < times[0] <= 8.0  # one alone does not take what all have
    assert times[:8] == sorted(times[:8])  # these left all of it to the others
    assert times[-1] <= 24.0
    assert list(shared_out(12, None, 0.5)) == [(None, 0.5)] * 12
    late = list(shared_out(12, 0.0, 0.5))
    assert [t for t, _ in late] == [0.0] * 12
    assert all(0 < grace <= 6.0 for _, grace in late)


def test_the_second_time_nothing_is_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = _database(tmp_path, library=LIBRARY, caller=CALLER)
    library = _database(tmp_path, library=LIBRARY)
    alone = _analysed(library)
    database = _database(tmp_path, library=LIBRARY, caller=CALLER)
    first = _analysed(database)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("analysed again")

    for name in ("analyze_module", "Library", "canonical"):
        monkeypatch.setattr(f"looplaw.projects.analysing.{name}", refused)
    assert _analysed(database).analyses == first.analyses
    assert _analysed(_database(tmp_path, library=LIBRARY)).analyses == alone.analyses


def test_only_files_that_changed_are_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_compiler().kind != "clang":
        pytest.skip("only what clang reads is known")
    database = _database(tmp_path, library=LIBRARY, caller=CALLER)
    _analysed(database)

    def refused(path: Path, *_: object) -> str:
        raise InputError(f"compiled {path.name}")

    monkeypatch.setattr("looplaw.projects.analysing.compile_source", refused)
    assert not _analysed(database).left_out
    database = _database(tmp_path, caller=CALLER, library=LIBRARY.replace("i * m", "i * n"))
    assert list(_analysed(database).left_out.values()) == ["compiled library.c"]
    with pytest.raises(InputError, match=r"compiled \w+\.c"):  # --no-cache
        analysed(
            files_of(database), Asked(), main=None, jobs=1, allowance=Allowance(2.0), fresh=True
        )


def test_what_needs_the_standard_of_newer_compilers_compiles(tmp_path: Path) -> None:
    source = "#include <type_traits>\nbool whole() { return std::is_integral_v<int>; }\n"
    (tmp_path / "whole.cc").write_text(source)
    database = tmp_path / "compile_commands.json"
    words = ["c++", "-c", "whole.cc"]
    entry = {"directory": str(tmp_path), "file": "whole.cc", "arguments": words}
    database.write_text(json.dumps([entry]))
    texts, failed = compiled(files_of(database), 1)
    assert len(texts) == 1
    assert not failed


def test_several_programs_in_one_database(tmp_path: Path) -> None:
    other = CALLER.replace("n, 8)", "n, 4)")
    database = _database(tmp_path, library=LIBRARY, one=CALLER, two=other)
    library = _analysed(database)
    assert not library.is_program
    assert {Path(p).name for p in library.left_out} == {"one.c", "two.c"}
    assert "--main FILE" in next(iter(library.left_out.values()))
    (document,) = _analysed(database, (tmp_path / "two.c").resolve()).analyses
    totals = {loop.function: _at(loop.total, n=7) for loop in document.loops}
    assert (totals["rows"], totals["fill"]) == (7, 28)
    with pytest.raises(InputError, match="defines no main function"):
        _analysed(database, tmp_path / "library.c")


def test_files_that_do_not_compile_or_define_twice_are_left_out_with_the_reason(
    tmp_path: Path,
) -> None:
    database = _database(
        tmp_path, caller=CALLER, library=LIBRARY, twice=LIBRARY, wrong="int f( { }"
    )
    found = _analysed(database)
    reasons = {Path(path).name: why for path, why in found.left_out.items()}
    assert sorted(reasons) == ["twice.c", "wrong.c"]
    assert "defines" in reasons["twice.c"]
    assert "does not compile" in reasons["wrong.c"]


def test_only_strong_definitions_collide() -> None:
    one = (
        "define linkonce_odr void @f() {\n}\ndefine internal void @g() {\n}\n"
        "@v = common global i32 0\n"
    )
    found = parts({Path("a"): one + "define void @a() {\n}\n", Path("b"): one})
    assert len(found.texts) == 2
    assert not found.left_out
    assert not found.has_main


def test_a_database_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        files_of(tmp_path / "compile_commands.json")
    (tmp_path / "compile_commands.json").write_text("[]")
    with pytest.raises(InputError, match="names no file"):
        files_of(tmp_path / "compile_commands.json")


def test_a_table_of_a_library_counts_the_loops_without_a_law(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    library = _database(
        tmp_path / "b",
        walk="""
extern int next(int);
int up(int);
void rows(double *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
int down(int k) {
    for (int i = 0; i < k; i++) if (next(i)) up(k);
    while (next(k)) k++;
    return k;
}
int up(int k) { return down(k) + down(k + next(k)); }
int both(double *a, int n) { rows(a, n); return down(n); }
""",
    )
    told: list[str] = []
    found = analysed(
        files_of(library), Asked(), main=None, jobs=1, allowance=Allowance(2.0), told=told.append
    )
    kinds = {a.entry: [loop.total.kind for loop in a.loops] for a in found.analyses}
    unknown = sum(k == "unknown" for each in kinds.values() for k in each)
    assert 0 < unknown < sum(map(len, kinds.values()))
    narrow, wide = exports_table(found.analyses), exports_table(found.analyses, wide=True)
    assert told[-1] == "analysed 4 of 4 exported functions"
    places = {loop.at for a in found.analyses for loop in a.loops}
    assert sorted(str(row[0]) for row in wide.rows) == sorted(places)
    assert all(row[2] != "unknown" for row in narrow.rows)
    assert narrow.records == wide.records
    assert "4 exported functions" in narrow.note
    runs = sum(len(a.loops) for a in found.analyses)
    assert any(n.startswith(f"{runs} loops: ") for n in narrow.note)


def test_a_table_of_a_library_begins_with_what_grows_fastest(tmp_path: Path) -> None:
    loops = "\n".join(
        f"void f{k}(double *a, int n) {{ for (int i = 0; i < n; i++) a[i] = {k}; }}"
        for k in range(25)
    )
    square = "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) a[j] = i;"
    (tmp_path / "b").mkdir()
    library = _database(
        tmp_path / "b",
        many=f"""{loops}
void square(double *a, int n) {{ {square} }}
void both(double *a, int n) {{ square(a, n); for (int i = 0; i < 100; i++) f0(a, 7); }}
""",
    )
    found = _analysed(library)
    table = exports_table(found.analyses)
    assert len(table.rows) == 20
    assert table.rows[0][1] == ("square", "and 1 more")
    assert "28 loops" in " ".join(table.note)
    assert len(exports_table(found.analyses, wide=True).rows) == 28
