"""Kernels in `check`, in annotated source and in editors: the laws of their launches."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw.check.evidence import subjects_of
from looplaw.check.kernel_comments import stated_of_kernels
from looplaw.check.laws_toml import hold
from looplaw.documents.analysis import AnalysisDocument, analysis_document
from looplaw.editor.answering import answer
from looplaw.editor.notes import Job
from looplaw.gate.kernels import kernel_changes
from looplaw.report.listings.listing import Line, listings
from looplaw_common.errors import InputError
from modeling.expectations.expectations import parse_law
from staticana import analyze, canonical, compile_sources
from tests.kernels import FOLDER, text_of

_KERNEL = """__kernel void rows(__global float *sum, __global const float *a, int n) {
  int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[row * n + k];
  sum[row] = s;
}
"""


def _written(folder: Path, text: str) -> Path:
    text_of(FOLDER / "vectors.cl")  # skips where there is no clang
    path = folder / "rows.cl"
    path.write_text(text, encoding="utf-8")
    return path


def _analysed(path: Path) -> AnalysisDocument:
    return analysis_document(analyze(canonical(compile_sources([path])), matrix=False))


@pytest.mark.parametrize(
    ("kernel", "metric", "expect", "status"),
    [
        ("rows", "work", "O(n**2)", "holds"),
        ("rows", "work", "O(n)", "broken"),
        ("rows", "depth", "O(n)", "holds"),
        ("rows.a", "sectors", "<= 4", "broken"),
        ("rows.a", "sectors", "<= 32", "holds where"),
        ("rows[1]", "iterations", "O(n**2)", "holds"),
    ],
)
def test_laws_of_kernels(
    kernel: str, metric: str, expect: str, status: str, tmp_path: Path
) -> None:
    subjects = subjects_of(_analysed(_written(tmp_path, _KERNEL)))
    (found,) = hold([parse_law(kernel, metric, expect)], subjects)
    assert found.status == status


def test_comments_beside_kernels_are_laws_of_launches(tmp_path: Path) -> None:
    comments = "// looplaw: depth <= n\n" + _KERNEL.replace(
        "  for", "  // looplaw: grows no faster than n**2\n  for"
    )
    path = _written(tmp_path, comments)
    subjects = subjects_of(_analysed(path))
    laws = stated_of_kernels([path], subjects)
    assert [(law.kernel, law.metric) for law in laws] == [
        ("rows", "depth"),
        ("rows[1]", "iterations"),
    ]
    assert {f.status for f in hold(laws, subjects)} <= {"holds", "holds where"}
    path.write_text("// looplaw: n <= 5\n" + _KERNEL, encoding="utf-8")
    with pytest.raises(InputError, match=r"rows\.cl:1: relations beside kernels"):
        stated_of_kernels([path], subjects)


def test_launch_laws_stand_beside_the_source(tmp_path: Path) -> None:
    path = _written(tmp_path, _KERNEL)
    data = _analysed(path)
    (file,) = {f.file for f in data.functions}
    assert file is not None
    (listing,) = listings(data, {file: _KERNEL})
    lines = {row.number: row for row in listing.rows if isinstance(row, Line)}
    assert "Min(block_x*grid_x, n)" in lines[1].functions[0].work
    assert lines[5].accesses == ("load a: strided, 32 sectors a warp",)
    assert lines[6].accesses == ("store sum: coalesced, 4 sectors a warp",)


def test_editors_show_launch_laws(tmp_path: Path) -> None:
    path = _written(tmp_path, _KERNEL)
    notes = answer(Job(str(path))).files[str(path)]
    (hint,) = notes.hints
    assert hint.text.endswith("a launch")
    assert "Min(block_x*grid_x, n)" in hint.text
    assert any("32 sectors a warp" in hover.text for hover in notes.hovers)
    assert any(p.message.startswith("column access") for p in notes.problems)


def test_lines_that_move_are_no_growth(tmp_path: Path) -> None:
    """What data decide has its line in its name; two versions are compared without it."""
    text = """__kernel void chase(__global int *out, __global const int *next) {
  int c = 0;
  for (int p = get_global_id(0); p >= 0; p = next[p]) c++;
  out[get_global_id(0)] = c;
}
"""
    before, after = _written(tmp_path, text), tmp_path / "after.cl"
    after.write_text(f"// chases\n{text.replace('c++', 'c += 2')}", encoding="utf-8")
    sides = (tmp_path, tmp_path)
    assert kernel_changes(sides, [(before.name, after.name)], ()) == ()
    after.write_text(
        text.replace("for", "for (int k = 0; k < n; k++) for").replace("next)", "next, int n)"),
        encoding="utf-8",
    )
    (found,) = kernel_changes(sides, [(before.name, after.name)], ())
    assert (found.kind, found.function) == ("growth", "chase")
