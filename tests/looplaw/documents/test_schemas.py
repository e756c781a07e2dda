"""Documents are decoded once: whatever is wrong in them is one line that names the place."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import looplaw
from looplaw.check.evidence import _of_document
from looplaw.check.findings import findings, remarks
from looplaw.cli.fitting.ranks import clusters_table
from looplaw.documents.analysis import ANALYSIS, AnalysisDocument, analysis_document
from looplaw.documents.laws import LawsFile
from looplaw.documents.models import MODELS, FittedDocument
from looplaw.documents.reading import load, load_any, named_floats, named_numbers
from looplaw.documents.speedups import SPEEDUPS, SpeedupsDocument
from looplaw.documents.study import STUDY, StudyDocument
from looplaw.documents.study_file import DemandTable, StudyFile
from looplaw.documents.toml_file import load_toml
from looplaw.laws.study_diff import difference, with_baseline
from looplaw.report.analysis_tables import analysis_table, functions_table
from looplaw.report.html import render_html
from looplaw.report.listings.listing import listings
from looplaw.report.model_tables import models_table
from looplaw.report.study_tables import study_table
from looplaw_common.documents import MAX_DEPTH, builtins, convert, decode
from looplaw_common.errors import DataError, InputError, LooplawError
from modeling import Measurements, Models, Series, fit
from runtime import DEMANDS
from staticana import analyze, canonical, compile_sources
from tests.looplaw.study_example import example_study, typed
from tests.places import SAMPLES

VALUES: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**80), 2**80),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(["exact", "n**2", "3/2", "\ud800", "\n", [], {}, [[]], {"kind": "exact"}]),
)


def places(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path to each value inside a document."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def mutated(data: Any, draw: st.DataObject, paths: list[tuple[str | int, ...]]) -> Any:
    """The document with one value replaced, or its key removed."""
    changed = copy.deepcopy(data)
    *above, last = draw.draw(st.sampled_from(paths))
    parent = changed
    for key in above:
        parent = parent[key]
    if isinstance(parent, dict) and draw.draw(st.booleans()):
        del parent[last]
    else:
        parent[last] = draw.draw(VALUES)
    return changed


def small_study() -> Any:
    """The example with a loop of each verdict, and little of each list."""
    study: Any = example_study(miscounted=True)
    for loop in study["loops"]:
        loop["counted"] = loop["counted"][:2]
        loop["time"] = loop["time"] and loop["time"][:3]
    return study | {"runs": study["runs"][-2:]}


STUDY_DATA = small_study()
STUDY_PATHS = list(places(STUDY_DATA))


def small_models() -> Any:
    points = [[n] for n in (64.0, 128.0, 256.0, 512.0)]
    series = Series.from_values("main", "time", ("n",), points, [1.0, 2.1, 3.9, 8.2])
    return fit(Measurements((series,))).to_json()


MODELS_DATA = small_models()
MODELS_PATHS = list(places(MODELS_DATA))
ANALYSIS_DATA: Any = {
    "format": ANALYSIS,
    "entry": "main",
    "parameters": [{"name": "n", "origin": "argv[1]"}],
    "loops": [{k: v for k, v in STUDY_DATA["loops"][0].items() if k != "time_model"}],
    "functions": STUDY_DATA["functions"][:2],
}
ANALYSIS_PATHS = list(places(ANALYSIS_DATA))


def expect_one_line(error: LooplawError, name: str) -> None:
    text = str(error)
    assert text.startswith(name), text
    assert len(text.splitlines()) == 1, text
    assert "Traceback" not in text


def test_no_number_of_a_study_takes_all_memory() -> None:
    study = copy.deepcopy(STUDY_DATA)
    study["loops"][0]["nesting"] = 2**62
    table = study_table(typed(study))
    assert max(len(str(cell)) for row in table.rows for cell in row) < 1000


@settings(max_examples=50, deadline=None)
@given(draw=st.data())
def test_a_mutated_study_is_refused_in_one_line_or_shown(draw: st.DataObject) -> None:
    data = mutated(STUDY_DATA, draw, STUDY_PATHS)
    try:
        study = decode(json.dumps(data), StudyDocument, "x.json", STUDY)
    except DataError as error:
        expect_one_line(error, "x.json: ")
        return
    study_table(study)
    functions_table(study)
    findings(study)
    remarks(study)
    listings(study, {"kernels/matmul.c": "\n" * 20})
    render_html(study)
    with suppress(DataError):  # models that contradict themselves, points that differ
        _of_document(study)
        with_baseline(study, typed(STUDY_DATA))
        difference(typed(STUDY_DATA), study)


@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_a_mutated_file_of_models_is_refused_in_one_line_or_read(draw: st.DataObject) -> None:
    data = mutated(MODELS_DATA, draw, MODELS_PATHS)
    try:
        document = decode(json.dumps(data), FittedDocument, "x.json", MODELS)
        models_table(document)
        clusters_table(document.kernels)
        Models.of(document, "x.json")
    except DataError as error:
        expect_one_line(error, "x.json: ")


@settings(max_examples=100, deadline=None)
@given(draw=st.data())
def test_a_mutated_analysis_is_refused_in_one_line_or_shown(draw: st.DataObject) -> None:
    data = mutated(ANALYSIS_DATA, draw, ANALYSIS_PATHS)
    try:
        document = decode(json.dumps(data), AnalysisDocument, "x.json", ANALYSIS)
    except DataError as error:
        expect_one_line(error, "x.json: ")
        return
    analysis_table(document)
    functions_table(document)
    remarks(document)


STUDY_TOML = tomllib.loads("""
program = ["a.c"]
about = "x"
[param]
p = "mpi:size"
[vary]
n = [64, 128]
p = "1:8:*2"
[design]
kind = "lines"
points = [{n = 1, p = 2}]
[run]
args = ["{n}", 10]
repetitions = 5
until = "5%"
[select]
kernel = "solve*"
[build]
flags = ["-DX=1"]
mpi = false
[slurm]
time = "30m"
together = 2
[[slurm.at]]
when = {n = [64]}
mem = "4G"
""")
TOML_PATHS = list(places(STUDY_TOML))


@settings(max_examples=150, deadline=None)
@given(draw=st.data(), key=st.text(max_size=6))
def test_a_mutated_study_file_is_refused_in_one_line_or_read(draw: st.DataObject, key: str) -> None:
    data = mutated(STUDY_TOML, draw, TOML_PATHS)
    if draw.draw(st.booleans()):
        data["run"] = {"repetitions": 1, key: 2}
    try:
        convert(data, StudyFile, "study.toml", error=InputError)
    except InputError as error:
        expect_one_line(error, "study.toml: ")


def changed(path: tuple[str | int, ...], value: object) -> Any:
    data = copy.deepcopy(STUDY_DATA)
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("loops", 3, "total", "kind"),
            "exakt",
            "loops[3].total.kind: expected one of exact, parametric, bounded, unknown, not 'exakt'",
        ),
        (("loops", 0, "at"), 7, "loops[0].at: expected a text, not 7"),
        (("loops", 0, "parameters"), "n", "loops[0].parameters: expected a list, not 'n'"),
        (
            ("functions", 0, "operations", "flops", "formula"),
            [1],
            "functions[0].operations.flops.formula: expected a text or null, not a list of 1",
        ),
        (("loops", 1, "total"), 3, "loops[1].total: expected an object or null, not 3"),
        (
            ("loops", 0, "time_model", "terms", 0, "exponents", "n"),
            ["1/0", "0"],
            "loops[0].time_model.terms[0].exponents.n[0]: expected a rational number such as 3/2,"
            " not '1/0'",
        ),
        (
            ("loops", 0, "time_model", "terms", 0, "exponents", "n"),
            ["1"],
            "loops[0].time_model.terms[0].exponents.n: expected a list of 2, not a list of 1",
        ),
    ],
)
def test_the_message_names_the_path(
    path: tuple[str | int, ...], value: object, message: str
) -> None:
    with pytest.raises(DataError) as caught:
        decode(json.dumps(changed(path, value)), StudyDocument, "x.json", STUDY)
    assert str(caught.value) == f"x.json: {message}"


def test_a_missing_key_is_named() -> None:
    data = copy.deepcopy(STUDY_DATA)
    del data["loops"][2]["at"]
    with pytest.raises(DataError, match=r"^x\.json: loops\[2\]\.at: is missing$"):
        decode(json.dumps(data), StudyDocument, "x.json", STUDY)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value"),
        ("[1]", "not an object"),
        ("{}", "not a file of the format looplaw-study/1, but without a format"),
        ('{"format": "looplaw-models/1"}', "the format looplaw-study/1, but looplaw-models/1"),
        ('{"format": 3}', "not a file of the format looplaw-study/1, but without a format"),
        ("[" * 100_000, f"nested more than {MAX_DEPTH} levels deep"),
        (b'{"format": "looplaw-study/1", "loops": [], "title": "\xff"}', "not text in UTF-8"),
    ],
)
def test_what_is_no_document_is_said(text: str | bytes, message: str) -> None:
    with pytest.raises(DataError) as caught:
        decode(text, StudyDocument, "x.json", STUDY)
    assert str(caught.value).startswith("x.json: ")
    assert message in str(caught.value)


def test_keys_of_later_versions_are_ignored() -> None:
    data = STUDY_DATA | {"later": {"x": [1]}, "loops": [STUDY_DATA["loops"][0] | {"later": 1}]}
    assert len(decode(json.dumps(data), StudyDocument, "x.json", STUDY).loops) == 1


def test_long_integers_and_what_python_writes_are_read() -> None:
    data = changed(("loops", 0, "counted", 0, "iterations"), 2**90)
    study = decode(json.dumps(data), StudyDocument, "x.json", STUDY)
    assert study.loops[0].counted[0].iterations == 2**90
    data = changed(("runs", 0, "elapsed_s"), float("nan"))
    assert decode(json.dumps(data), StudyDocument, "x.json", STUDY).runs[0].elapsed_s != 0


def test_documents_are_written_as_they_were_read() -> None:
    written = builtins(typed(STUDY_DATA))
    for before, after in zip(STUDY_DATA["loops"], written["loops"], strict=True):
        assert {k: after[k] for k in before} == before
    assert (
        builtins(fitted := convert(MODELS_DATA, FittedDocument, "m"))["models"]
        == (MODELS_DATA["models"])
    )
    assert Models.of(fitted).to_json() == MODELS_DATA
    assert builtins(Models.of(fitted).document) == MODELS_DATA


def test_the_schema_of_an_analysis_is_what_analyses_write() -> None:
    source = SAMPLES / "lu" / "lu.c"
    analysis = analyze(canonical(compile_sources([source])))
    assert json.dumps(builtins(analysis_document(analysis))) == json.dumps(analysis.to_json())


def test_the_schema_of_slurm_has_the_options_of_sbatch() -> None:
    fields = msgspec.structs.fields(DemandTable)
    assert tuple(f.encode_name for f in fields) == DEMANDS


def test_unknown_keys_of_files_that_people_write_are_refused(tmp_path: Path) -> None:
    (tmp_path / "laws.toml").write_text("[[law]]\nkernel='k'\nmetrc='time'\nexpect='O(n)'\n")
    with pytest.raises(InputError, match=r"law\[0\]\.metrc: unknown field; did you mean metric\?"):
        load_toml(tmp_path / "laws.toml", LawsFile)
    with pytest.raises(InputError, match="no such file"):
        load_toml(tmp_path / "none.toml", LawsFile)
    with pytest.raises(InputError, match="there are kind, points"):
        convert({"design": {"zzz": 1}}, StudyFile, "study.toml", error=InputError)


def test_one_of_several_formats(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text(json.dumps(MODELS_DATA))
    kinds: dict[str, type[Any]] = {MODELS: FittedDocument, SPEEDUPS: SpeedupsDocument}
    assert isinstance(load_any(file, kinds, "nothing of ours"), FittedDocument)
    file.write_text("{}")
    with pytest.raises(DataError, match=r"m\.json: nothing of ours"):
        load_any(file, kinds, "nothing of ours")
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "none.json", FittedDocument, MODELS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("n=64",), {"n": 64}),
        (("n=1e6, p=4", "f=1/4"), {"n": 1_000_000, "p": 4, "f": 0.25}),
        (("cache-misses=2.5e9",), {"cache-misses": 2.5e9}),
        (("n=-3",), {"n": -3}),
    ],
)
def test_numbers_by_name(words: tuple[str, ...], expected: dict[str, float]) -> None:
    assert named_floats(words) == expected
    assert all(isinstance(v, int) for v in named_numbers(["n=64,p=1e6"]).values())


@pytest.mark.parametrize("word", ["n", "=3", "n=", "n=x", "n=1/0", "n=nan", "n=1e999999999", "n=,"])
def test_what_is_no_number_by_name(word: str) -> None:
    with pytest.raises(InputError, match=r"--rate .*: write NAME=NUMBER as in --rate n=1024"):
        named_numbers([word], "--rate")


def test_the_largest_numbers_are_shown() -> None:
    study = typed(changed(("loops", 0, "time", 2, "values", 0), 1.7975000500000001e308))
    assert "1.7975" in render_html(study)


def test_a_key_with_a_line_break_is_refused_in_one_line() -> None:
    with pytest.raises(InputError) as error:
        convert({"program": ["a.c"], "run": {"\r`0": 1}}, StudyFile, "study.toml", error=InputError)
    expect_one_line(error.value, "study.toml: ")


RUN = "__import__('pathlib').Path('run').touch()"


@pytest.mark.parametrize(
    "formula",
    [
        RUN,
        f"n*({RUN} or 1)",
        f"floor({RUN})",
        "[c for c in ().__class__.__base__.__subclasses__()]",
        "n.diff(n)",
        "'n'",
        "lambda: n",
        "n if n else 1",
        "Symbol('n')",
    ],
)
def test_a_formula_of_a_file_is_never_run(
    formula: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    total = {"kind": "exact", "formula": formula, "lower": formula, "upper": formula}
    loop = {
        "at": "a.c:3:5", "function": "main", "nesting": 1, "parent": None, "parameters": ["n"],
        "per_entry": total, "per_call": total, "total": total,
    }  # fmt: skip
    data = {"format": ANALYSIS, "loops": [loop], "functions": []}
    Path("analysis.json").write_text(json.dumps(data))
    loaded = looplaw.load("analysis.json")
    with pytest.raises(LooplawError, match="at column"):
        sympy.sympify(loaded["a.c:3"].total)
    assert not Path("run").exists()


def test_a_parameter_of_a_model_is_never_run() -> None:
    document = looplaw.fit({"n": [1, 2, 4, 8, 16]}, [1.0, 2.0, 4.0, 8.0, 16.0]).to_json()
    text = json.dumps({"format": MODELS, "models": [document]})
    found = Models.from_json(json.loads(text.replace('"n"', json.dumps(RUN))))
    with pytest.raises(InputError, match="not a name that sympy can have"):
        sympy.sympify(found.models[0])
