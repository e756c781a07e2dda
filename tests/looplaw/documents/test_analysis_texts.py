"""Analyses whose repeated texts stand in a table: the same laws, whoever reads them."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import looplaw
from looplaw.documents.analysis import ANALYSIS, AnalysisDocument, LoopDocument, analysis_document
from looplaw.documents.analysis_texts import analysis_parts, project_parts
from looplaw.documents.count import AssumptionDocument, CountDocument, OpaqueDocument
from looplaw.documents.reading import load, load_any, load_object
from looplaw_common.errors import DataError
from looplaw_common.files import write_whole
from tests.command_line import looplaw as run

PROGRAM = """
#include <stdlib.h>
int *make(int n) {
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i;
    return a;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), *a = make(n), s = 0;
    for (int i = 0; i < n; i += a[i]) s++;
    for (char *c = argv[2]; *c; c++) s++;
    return s;
}
"""
texts = st.text(max_size=12)
counts = st.builds(
    CountDocument,
    st.sampled_from(["exact", "parametric", "bounded", "unknown"]),
    st.none() | texts,
    opaque=st.lists(st.builds(OpaqueDocument, texts, texts, st.none() | texts)).map(tuple),
    assumptions=st.lists(texts).map(tuple),
    reason=st.none() | texts,
    assumed=st.just(msgspec.UNSET)
    | st.lists(st.builds(AssumptionDocument, texts, texts, st.none() | texts)).map(tuple),
)


@given(st.lists(st.builds(LoopDocument, texts, total=counts, per_call=counts), max_size=4))
def test_what_is_written_with_a_table_is_read_as_it_was(loops: list[LoopDocument]) -> None:
    document = AnalysisDocument(ANALYSIS, loops=tuple(loops), notes=("total",))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "f.json"
        write_whole(file, analysis_parts(document))
        assert load(file, AnalysisDocument, ANALYSIS) == document
        assert load_any(file, {ANALYSIS: AnalysisDocument}, "") == document
        assert load_object(file)["format"] == ANALYSIS


def test_a_program_in_both_versions(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM)
    run("analyze", "p.c", "--json", "one.json", cwd=tmp_path)
    run("analyze", "p.c", "--json", "two.json", "--format-version", "2", cwd=tmp_path)
    one, two = (json.loads((tmp_path / f"{v}.json").read_text()) for v in ("one", "two"))
    assert (one["format"], two["format"]) == ("looplaw-analysis/1", "looplaw-analysis/2")
    loop = two["loops"][-1]["total"]
    assert loop["formula"] == one["loops"][-1]["total"]["formula"]
    words = [two["texts"][k] for k in loop["assumptions"]]
    assert words == one["loops"][-1]["total"]["assumptions"]
    assert len(set(two["texts"])) == len(two["texts"])
    assert looplaw.load(tmp_path / "two.json") == looplaw.load(tmp_path / "one.json")
    compared = [run("diff", "one.json", f"{v}.json", cwd=tmp_path).stdout for v in ("one", "two")]
    assert compared[0] == compared[1]
    assert "No function's work grows faster" in compared[0]
    checked = [run("check", f"{v}.json", cwd=tmp_path).stdout for v in ("one", "two")]
    assert checked[0] == checked[1]


def test_several_analyses_share_one_table() -> None:
    document = analysis_document(looplaw.analyze(PROGRAM, language="c"))
    text = b"".join(project_parts({"format": "looplaw-project/2"}, [document, document]))
    once = b"".join(project_parts({"format": "looplaw-project/2"}, [document]))
    assert json.loads(text)["texts"] == json.loads(once)["texts"]


@pytest.mark.parametrize(
    "change",
    [
        {"reason": 9},
        {"assumptions": [-1]},
        {"assumptions": [True]},
        {"assumed": ["0"]},
        {"opaque": [{"symbol": "n", "meaning": 4}]},
        {"opaque": [3]},
        {"assumptions": None},
    ],
)
def test_a_place_that_the_table_does_not_have(change: dict[str, Any], tmp_path: Path) -> None:
    count: dict[str, Any] = {
        "kind": "unknown",
        "formula": None,
        "opaque": [],
        "assumptions": [],
        "reason": 0,
    }
    loop = {"at": "a.c:1:1", "total": count | change}
    data = {"format": "looplaw-analysis/2", "loops": [loop], "texts": ["why"], "assumed": []}
    (tmp_path / "f.json").write_text(json.dumps(data))
    with pytest.raises(DataError, match=r"f\.json"):
        load(tmp_path / "f.json", AnalysisDocument, ANALYSIS)


def test_a_file_that_is_written_in_parts_is_replaced_whole(tmp_path: Path) -> None:
    def parts() -> Any:
        yield b"new"
        raise RuntimeError("the analysis ended")

    file = tmp_path / "f.json"
    file.write_text("old")
    with pytest.raises(RuntimeError):
        write_whole(file, parts())
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
