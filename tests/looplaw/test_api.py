"""The Python face: analyze, fit, study and load; names that stay what they are; nothing imported
that is not used."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import looplaw
import looplaw as ll
from staticana import canonical, compile_sources

ROOT = Path(__file__).parent.parent.parent
LU = ROOT / "samples" / "lu" / "lu.c"
SIZES = [64, 128, 256, 512, 1024]
PROGRAM = """#include <stdlib.h>
static volatile long sum;
static void row(int n) {
    for (int j = 0; j < n; j++) sum += j;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) row(i);
    for (int i = 0; i < n; i++) { for (int k = 0; k < 3; k++) sum += k; }
    return 0;
}
"""


def times(noise: float = 0.0, repetitions: int = 1) -> Any:
    generator = np.random.default_rng(1)
    exact = 1e-9 * np.array(SIZES, dtype=float) ** 2 + 1e-6
    return exact[:, None] * (1 + noise * generator.standard_normal((len(SIZES), repetitions)))


def test_the_six_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    (tmp_path / "samples" / "lu").mkdir(parents=True)
    (tmp_path / "samples" / "lu" / "lu.c").write_text(LU.read_text())
    monkeypatch.chdir(tmp_path)
    a = ll.analyze("samples/lu/lu.c")
    assert isinstance(a, ll.Analysis)
    assert [p.name for p in a.parameters] == ["n"]
    assert a.loops
    assert a.functions
    e = sympy.sympify(a["lu.c:10"].total)
    assert e.subs("n", 64) == 64 * 63 * 127 // 6
    m = ll.fit({"n": SIZES}, times()[:, 0])
    assert isinstance(m, ll.Model)
    p = m.predict({"n": 4096})
    assert p.value == pytest.approx(1e-9 * 4096**2, rel=0.01)
    assert p.low <= p.value <= p.high
    s = ll.study("samples/lu/lu.c", vary={"n": [64, 128, 256]})
    grid, frame = s.to_xarray(), s.to_pandas()
    at = a["lu.c:10"].at
    for n in (64, 128, 256):
        assert int(grid.iterations.sel(loop=at, n=n)) == e.subs("n", n)
    rows = frame[frame.loop == at]
    assert rows.n.tolist() == [64, 128, 256]
    assert (rows.iterations == rows.predicted).all()
    assert set(s["lu.c:10"].parameters) == {"n"}
    assert "<html" in s.report(tmp_path / "r.html").read_text()
    again = ll.load("looplaw-out/lu")
    assert again.to_pandas().equals(frame)
    assert repr(s).startswith("Study(")
    assert "<table>" in s._repr_html_()


def test_programs_are_given_in_many_ways(tmp_path: Path) -> None:
    file = tmp_path / "src" / "a.c"
    file.parent.mkdir()
    file.write_text(PROGRAM)
    ir = tmp_path / "a.ll"
    ir.write_text(canonical(compile_sources([file])))
    total = "Max(0, n)*(Max(0, n) - 1)/2"
    for a in (
        ll.analyze(file),
        ll.analyze(str(file)),
        ll.analyze([file]),
        ll.analyze(ir),
        ll.analyze(PROGRAM, language="c"),
        ll.analyze(PROGRAM),
        ll.analyze(PROGRAM, language="C++"),
        ll.analyze(ir.read_text(), language="llvm"),
        ll.analyze(file, flags=["-DX=4"], strict=True, budget=5.0),
    ):
        (loop,) = (loop for loop in a.loops if loop.function == "row")
        assert str(loop.total.formula) == total
    named = ll.analyze(PROGRAM, param={"size": "argv[1]"})
    assert [p.name for p in named.parameters] == ["size"]
    assert [p.name for p in ll.analyze(PROGRAM, entry="row").parameters] == ["n"]
    other = tmp_path / "b.c"
    other.write_text(PROGRAM.replace("static void row(int n) {", "void row(int n) {"))
    two = tmp_path / "c.c"
    two.write_text("void row(int n);\nint both(int n) { row(n); return 0; }\n")
    assert len(ll.analyze([other, two]).loops) == 4


def test_wrong_programs_are_told_in_one_line(tmp_path: Path) -> None:
    def plain(n: int) -> int:
        return n

    for call, words in (
        (lambda: ll.analyze(tmp_path / "no.c"), "no.c"),
        (lambda: ll.analyze([]), "give a path"),
        (lambda: ll.analyze(3), "give a path"),
        (lambda: ll.analyze("a.c", language="c++ 17"), "known are c, c"),
        (lambda: ll.analyze(LU, language="c"), "a path has a suffix"),
        (lambda: ll.analyze(LU, (int,)), "numba"),
        (lambda: ll.analyze(plain), "numba"),
        (lambda: ll.load(tmp_path / "no.json"), "no such file"),
        (lambda: ll.study([]), "give a path"),
    ):
        with pytest.raises(ll.InputError, match=words) as error:
            call()
        assert "\n" not in str(error.value)


def test_loops_and_functions_are_found_by_name(tmp_path: Path) -> None:
    file = tmp_path / "src" / "a.c"
    file.parent.mkdir()
    file.write_text(PROGRAM)
    a = ll.analyze(file)
    assert a["a.c:4"] is a["src/a.c:4"] is a[f"{file}:4"] is a[a["a.c:4"].at]
    assert a["row"].name == "row"
    assert len(sympy.sympify(a["row"].work).free_symbols) == 1
    with pytest.raises(KeyError, match=r"names several: .*a.c:9:5, .*a.c:9:35; name the column"):
        a["a.c:9"]
    with pytest.raises(ll.InputError, match=r"'a.c:1' names no loop.*a.c:4"):
        a["a.c:1"]
    with pytest.raises(ll.InputError, match=r"there are .*row, main|there are .*main"):
        a["rows"]
    for wrong in (3, "c:4", "", ":", ":4"):
        with pytest.raises(KeyError):
            a[wrong]  # type: ignore[index]


def test_an_analysis_shows_itself(tmp_path: Path) -> None:
    a = ll.analyze(PROGRAM)
    assert repr(a) == ("Analysis(entry main: 4 loops, 4 of them exact, 2 functions; parameters: n)")
    page = a._repr_html_()
    assert page.startswith("<table>")
    assert "source.c:4" in page
    assert r"\max" in page
    assert repr(a.loops[0]).startswith("LoopResult(")


def test_one_series_is_a_model_and_a_table_of_them_models(tmp_path: Path) -> None:
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    exact = times()[:, 0]
    coords = {"n": SIZES}
    tidy = pandas.DataFrame({"n": SIZES, "value": exact})
    for m in (
        ll.fit({"n": SIZES}, exact),
        ll.fit(SIZES, exact),
        ll.fit(np.array(SIZES), exact.tolist()),
        ll.fit({"n": SIZES}, times(0.001, 4)),
        ll.fit(pandas.DataFrame({"n": SIZES}), pandas.Series(exact)),
        ll.fit({"n": SIZES}, exact, law="n**2", callpath="solve", metric="seconds"),
        ll.fit(xarray.DataArray(exact, dims="n", coords=coords)),
        ll.fit(None, xarray.DataArray(exact, dims="n", coords=coords)),
        ll.fit(xarray.DataArray(times(0.001, 3), dims=("n", "repetition"), coords=coords)),
    ):
        assert isinstance(m, ll.Model)
        assert str(m.lead) == "n**2"
    table = {"a": exact, "b": np.array(SIZES) * 1e-3}
    stacked = xarray.DataArray(
        np.array([exact, table["b"]]),
        dims=("callpath", "n"),
        coords={"callpath": ["a", "b"], **coords},
    )
    path = tmp_path / "m.jsonl"
    path.write_text(
        "".join(
            f'{{"params": {{"n": {n}}}, "callpath": "{name}", "metric": "time", "value": {v}}}\n'
            for name, values in table.items()
            for n, v in zip(SIZES, values, strict=True)
        )
    )
    for found in (
        ll.fit({"n": SIZES}, table),
        ll.fit({"n": SIZES}, pandas.DataFrame(table)),
        ll.fit(stacked),
        ll.fit(path),
        ll.fit(str(path)),
    ):
        assert isinstance(found, ll.Models)
        assert [str(m.lead) for m in found] == ["n**2", "n"]
        assert found["b"].callpath == "b"
        assert found["b", "time"] is found[1]
    assert isinstance(ll.fit(tidy), ll.Models)
    with pytest.raises(KeyError, match="no model; there are 'a', 'b'"):
        found["c"]
    page = found._repr_html_()
    assert "n^{2}" in page
    assert repr(found).startswith("Models(2: a: ")


def test_several_parameters_and_grids() -> None:
    n, p = np.array([8.0, 16, 32, 64, 128]), np.array([1.0, 2, 4, 8, 16])
    grid = 1e-6 * n[:, None] ** 2 / p[None, :]
    model = ll.fit({"n": n[:, None], "p": p[None, :]}, grid)
    flat = ll.fit({"n": np.repeat(n, 5), "p": np.tile(p, 5)}, grid.ravel())
    assert str(model.lead) == str(flat.lead) == "n**2*p**(-1)"
    found = model.predict({"n": [100.0, 200.0], "p": 4})
    assert found.value == pytest.approx([2.5e-3, 1e-2], rel=1e-3)
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()
    assert np.asarray(found).shape == (2,)
    structured = np.array(list(zip(np.repeat(n, 5), np.tile(p, 5), strict=True)), "f8,f8")
    structured.dtype.names = ("n", "p")
    assert str(ll.fit(structured, grid.ravel()).lead) == "n**2*p**(-1)"


def test_wrong_tables_are_told() -> None:
    exact = times()[:, 0]
    for call, error, words in (
        (lambda: ll.fit({"n": SIZES}, exact[:4]), ll.InputError, "values"),
        (lambda: ll.fit({"n": SIZES, "p": [1, 2]}, exact), ll.InputError, "do not fit together"),
        (lambda: ll.fit({"n": ["a"] * 5}, exact), ll.InputError, "not numbers"),
        (lambda: ll.fit(np.ones((5, 2)), exact), ll.InputError, "name several"),
        (lambda: ll.fit([1, 2, 3]), ll.InputError, "without values"),
        (lambda: ll.fit({"n": SIZES}, {}), ll.DataError, "no series"),
        (lambda: ll.fit({"n": SIZES}, exact * np.inf), ll.DataError, "infinite"),
        (lambda: ll.fit("no.jsonl"), ll.InputError, "no such file"),
    ):
        with pytest.raises(error, match=words):
            call()


def test_models_are_read_by_sympy() -> None:
    model = ll.fit({"n": SIZES}, times()[:, 0])
    e = sympy.sympify(model)
    assert float(e.subs("n", 4096)) == pytest.approx(float(model(n=4096)))
    assert float(model.lambdify()(4096)) == pytest.approx(float(model(n=4096)))
    assert model.sympy.free_symbols == {sympy.Symbol("n")}
    assert "n^{2}" in model.latex()
    assert repr(model).startswith("Model(main, time: ")
    assert "<table>" in model._repr_html_()


def test_documents_are_loaded_as_what_they_are(tmp_path: Path) -> None:
    import json

    a = ll.analyze(PROGRAM)
    (tmp_path / "a.json").write_text(json.dumps(a.to_json()))
    loaded = ll.load(tmp_path / "a.json")
    assert sympy.sympify(loaded["source.c:4"].total).subs("n", 5) == 10
    assert loaded["main"].name == "main"
    models = ll.fit({"n": SIZES}, {"a": times()[:, 0]})
    (tmp_path / "m.json").write_text(json.dumps(models.to_json()))
    assert ll.load(str(tmp_path / "m.json"))["a"].formula == models["a"].formula
    (tmp_path / "p.json").write_text('{"format": "looplaw-plan/1", "kernels": []}')
    assert ll.load(tmp_path / "p.json")["kernels"] == []


def test_public_names_are_few_documented_and_hidden_by_no_module() -> None:
    assert len(ll.__all__) <= 16
    assert sorted(ll.__all__) == dir(ll)
    modules = {m.name for m in pkgutil.iter_modules(looplaw.__path__)}
    assert not modules & set(ll.__all__)
    for name in ll.__all__:
        thing = getattr(ll, name)
        assert name == "__version__" or (thing.__doc__ or "").strip(), name
    for name in modules - {"__main__"}:
        importlib.import_module(f"looplaw.{name}")
    assert callable(ll.study)
    assert callable(ll.load)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ll.nothing  # type: ignore[attr-defined]


def test_public_names_are_documented_on_one_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    for name in ll.__all__:
        assert f"::: looplaw.{name}\n" in page or f"`looplaw.{name}`" in page, name


_NUMERIC = {"numpy", "scipy", "sklearn", "sympy", "networkx", "pandas", "xarray", "llvmlite"}
_OURS = {"staticana", "modeling", "runtime"}


def _imported(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_importing_looplaw_imports_next_to_nothing() -> None:
    assert not _imported("import looplaw") & (_NUMERIC | _OURS | {"click", "rich", "msgspec"})


def test_the_plugin_of_pytest_imports_next_to_nothing() -> None:
    """It is loaded in every run of pytest, whatever is tested."""
    found = _imported("import looplaw.pytest_plugin.plugin")
    assert not found & (_NUMERIC | _OURS | {"click", "rich", "msgspec"})


def test_help_imports_no_verb() -> None:
    found = _imported_of("--help")
    assert not found & (_NUMERIC | _OURS | {"rich", "msgspec"})


def _imported_of(*words: str) -> set[str]:
    """The modules that a command line imports."""
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: sys.stderr.write('\\n' + ' '.join(sys.modules)))\n"
        "from looplaw.cli.main import main\n"
        f"main({list(words)!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def test_fitting_one_series_imports_what_it_uses(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(
        "".join(
            f'{{"params": {{"n": {n}}}, "metric": "time", "value": {v}, "callpath": "a"}}\n'
            for n, v in zip(SIZES, times()[:, 0], strict=True)
        )
    )
    found = _imported_of("fit", str(path), "--json", str(tmp_path / "out.json"))
    wanted = (_NUMERIC | _OURS) - {"numpy", "scipy", "modeling", "llvmlite"}
    assert not found & wanted
    assert not found & {"scipy.stats", "scipy.optimize", "scipy.sparse", "looplaw.report.html"}


def test_analysing_one_file_imports_neither_arrays_nor_measurements(tmp_path: Path) -> None:
    path = tmp_path / "five.ll"
    path.write_text(
        "define i32 @work(i32 %n) {\n"
        "entry:\n  br label %loop\n"
        "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
        "  %next = add nsw i32 %i, 1\n  %more = icmp slt i32 %next, %n\n"
        "  br i1 %more, label %loop, label %done\n"
        "done:\n  ret i32 %i\n}\n"
    )
    found = _imported_of("analyze", str(path), "--entry", "work", "--no-cache")
    unused = {"staticana.traffic", "looplaw.exchange", "runtime.machine.measure"}
    assert not found & ({"numpy", "scipy", "sympy", "pandas"} | unused)


def test_a_study_of_what_is_no_program_says_so() -> None:
    for program in (lambda n: n, None, 3, [1, 2]):
        with pytest.raises(ll.InputError, match="a study runs a program: give the path"):
            ll.study(program, vary={"n": [1, 2]})  # type: ignore[arg-type]
    for values in (5, ["a"], [1.5], [float("inf")], [], None):
        with pytest.raises(ll.InputError, match="write whole numbers"):
            ll.study("p.c", vary={"n": values})  # type: ignore[dict-item]


def test_points_may_have_more_repetitions_than_others() -> None:
    measured = [[2.0 * n] * (1 + k % 3) for k, n in enumerate(SIZES)]
    padded = [row + [float("nan")] * (3 - len(row)) for row in measured]
    found, other = (ll.fit({"n": SIZES}, v).predict({"n": 4096}) for v in (measured, padded))
    assert found == other
