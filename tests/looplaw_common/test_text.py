"""Text of others as people see it."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from looplaw_common.html import SHOWN, table
from looplaw_common.text import (
    encodable,
    escaped,
    for_spreadsheets,
    in_one_line,
    shortened,
    visible,
)
from tests.places import ROOT


@given(st.text())
def test_visible_text_can_be_encoded_and_told_apart(text: str) -> None:
    shown = visible(text)
    assert encodable(shown)
    shown.encode()
    if "\\" not in text:
        read = ast.literal_eval("'" + shown.translate(_QUOTED) + "'")
        assert read == text, "escapes are those of Python"


_QUOTED = {ord("'"): "\\'", ord("\n"): "\\n", ord("\r"): "\\r", ord("\0"): "\\0"}


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    shown = in_one_line(text)
    assert len(shown.splitlines()) <= 1
    assert "\t" not in shown


def test_examples() -> None:
    assert visible("a\x1b\u202eb\ud800\tc\nd") == "a\\x1b\\u202eb\\ud800\tc\nd"
    assert escaped("\0") == "\\x00"
    assert shortened("x" * 300) == "x" * 197 + "..."
    assert shortened("x" * 200) == "x" * 200
    assert [encodable("é😀"), encodable("\ud83d")] == [True, False]
    computed = ("=1", " =1", "-n", "'x", "@a", "＝1")
    assert [for_spreadsheets(t) for t in computed] == [f"'{t}" for t in computed]
    assert [for_spreadsheets(t) for t in ("n-1", "", "a=1")] == ["n-1", "", "a=1"]


def test_an_escape_is_the_character_in_python() -> None:
    for code in range(0x10000):
        character = chr(code)
        assert ast.literal_eval(f"'{escaped(character)}'") == character
    assert {len(escaped(chr(code))) for code in range(0x100)} == {4}
    assert {len(escaped(chr(code))) for code in range(0x100, 0x10000, 99)} == {6}


def test_long_tables_count_what_they_leave_out() -> None:
    rows = [[f"{k}"] for k in range(SHOWN + 1)]
    assert "more" not in table(["a"], rows[:SHOWN])
    assert table(["a"], rows).endswith("<p>and 1 more</p>")
    assert table(["a"], rows).count("<tr>") == 1 + SHOWN
    assert table(["a"], rows[:2], 205).endswith("<p>and 5 more</p>")
    assert "<td>&lt;b&gt;</td>" in table(["a"], [["<b>"]])


_WRITERS = {"write_text", "write_bytes", "savefig", "to_csv", "to_parquet", "write_table"}
_SCRATCH = {
    "looplaw_common/files.py": "the helper itself",
    "runtime/sweep/store.py": "appends lines that have checksums",
    "runtime/sweep/run_locks.py": "locks, made with O_EXCL",
    "runtime/counters/reader.py": "asks a writer through its mapped file",
    "looplaw/program_analysis.py": "a source in a temporary folder",
    "looplaw/editor/compiled.py": "sources in a temporary folder",
    "looplaw/editor/worker.py": "a source in a temporary folder",
    "looplaw/environment_check.py": "a canary in a temporary folder",
    "looplaw/gate/flags.py": "headers in a temporary folder",
    "looplaw/gate/revisions.py": "a tree of git in a temporary folder",
    "runtime/kernels/run.py": "an object in a temporary folder",
    "looplaw/bulk/importer.py": "buckets in a temporary folder",
    "looplaw/bulk/jobs.py": "lines in a temporary folder",
    "runtime/build/build.py": "inputs of the linker in a temporary folder",
    "runtime/build/compiler_wrapper.py": "records in a temporary folder",
    "runtime/machine/measure.py": "the probe in a temporary folder",
    "looplaw/studies/modelers.py": "/proc/self/clear_refs",
    "staticana/frontend/fortran.py": "a source in a temporary folder",
    "staticana/frontend/gpu/device_code.py": "sources in a temporary folder",
    "staticana/frontend/gpu/host_errors.py": "sources in a temporary folder",
    "staticana/frontend/rust.py": "a source in a temporary folder",
    "looplaw/report/pictures/figures.py": "where its caller says, in a block of `replacing`",
}
"""Files that write on their own, and what."""


_SAFE = ("replacing", "TemporaryDirectory")


def _is_safe(node: ast.AST) -> bool:
    """Is it what is written in safely, by name or as a member?"""
    return getattr(node, "attr", getattr(node, "id", "")) in _SAFE


def _writes(call: ast.Call) -> bool:
    """Does a call write a file?"""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in _WRITERS:
        return True
    if name != "open" or "devnull" in ast.dump(call):
        return False
    modes = [
        a.value
        for a in (*call.args, *(k.value for k in call.keywords))
        if isinstance(a, ast.Constant)
    ]
    flags = ast.dump(call)
    return any(isinstance(m, str) and set(m) & set("wax+") and len(m) < 4 for m in modes) or (
        "O_WRONLY" in flags or "O_RDWR" in flags
    )


def test_every_file_a_user_asked_for_is_written_by_one_helper() -> None:
    """A call that writes stands in a block of `replacing` or in a temporary folder, or in a file
    that says why not."""
    found = []
    for package in ("looplaw", "looplaw_common", "modeling", "runtime", "staticana"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            text = path.read_text(encoding="utf-8")
            if not any(word in text for word in ("open", *_WRITERS)):
                continue
            tree = ast.parse(text)
            inside = {
                id(call)
                for block in ast.walk(tree)
                if isinstance(block, ast.With) and any(map(_is_safe, ast.walk(block)))
                for call in ast.walk(block)
            }
            found += [
                f"{name}:{call.lineno}"
                for call in ast.walk(tree)
                if isinstance(call, ast.Call) and _writes(call)
                if id(call) not in inside and name not in _SCRATCH
            ]
    assert found == [], "write with looplaw_common.files, or say in _SCRATCH why not"
