"""IR is known by what was read: nothing that changes it goes unseen."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from looplaw.documents.analysis import AnalysisDocument
from looplaw.projects import compiled
from looplaw.projects.compiled import compiled_and_remembered, known_digest, sources_key
from looplaw.projects.kept import digest
from looplaw_common.documents import builtins, json_text
from staticana.frontend.clang import find_compiler

pytestmark = pytest.mark.skipif(find_compiler().kind != "clang", reason="needs clang")
_SOURCE = """#include "size.h"
#if __has_include("more.h")
#include "more.h"
#endif
int main(void) {
    int s = 0;
    for (int i = 0; i < SIZE; i++) s += i;
    return s;
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "near").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "size.h").write_text("#define SIZE 10\n")
    source = tmp_path / "program.c"
    source.write_text(_SOURCE)
    return source


def flags(program: Path, *more: str) -> list[str]:
    return [f"-I{program.parent / 'near'}", "-I", str(program.parent / "far"), *more]


def test_what_was_compiled_is_known(program: Path) -> None:
    assert known_digest([str(program)], flags(program)) is None
    ir = compiled_and_remembered([str(program)], flags(program))
    assert known_digest([str(program)], flags(program)) == digest(ir)


@pytest.mark.parametrize(
    "change",
    [
        ("program.c", _SOURCE.replace("s += i", "s -= i")),
        ("program.c", _SOURCE.replace("    for (", "    for  (")),  # other columns
        ("program.c", _SOURCE.replace("int main", "// more\nint main")),  # other lines
        ("far/size.h", "#define SIZE 11\n"),
        ("near/size.h", "#define SIZE 10\n"),  # the same from another file
        ("near/more.h", "static int more;\n"),  # what was looked for and not found
    ],
)
def test_any_change_is_seen(program: Path, change: tuple[str, str]) -> None:
    compiled_and_remembered([str(program)], flags(program))
    (program.parent / change[0]).write_text(change[1])
    assert known_digest([str(program)], flags(program)) is None


def test_options_and_places_are_told_apart(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled_and_remembered([str(program)], flags(program))
    assert known_digest([str(program)], flags(program, "-DSIZE=3", "-Wno-macro-redefined")) is None
    assert known_digest([str(program)], flags(program, "-std=c99")) is None
    monkeypatch.chdir(program.parent)  # debug information has the folder
    assert known_digest([str(program)], flags(program)) is None


@pytest.mark.parametrize(
    "flag",
    [
        "-fprofile-use=data",
        "-fmodules",
        "-include-pch",
        "-Wp,-MD,x",
        "@options",
        "-fplugin=x.so",
        "other.c",
        "-fsanitize-ignorelist=x",
        "-I",
    ],
)
def test_what_may_read_more_has_no_key(program: Path, flag: str) -> None:
    assert sources_key([str(program)], flags(program, flag)) is None


def test_embedded_files_are_seen_and_other_languages_have_no_key(program: Path) -> None:
    assert sources_key([str(program.with_suffix(".ll"))], ()) is None
    data = program.parent / "data.bin"
    data.write_bytes(b"12")
    program.write_text(f'char d[] = {{\n#embed "{data}"\n}};\nint main(void) {{ return d[0]; }}\n')
    one = sources_key([str(program)], ["-std=c2x"])
    data.write_bytes(b"13")
    assert one is None or one != sources_key([str(program)], ["-std=c2x"])


def test_a_source_that_changes_meanwhile_is_not_remembered(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = compiled.compile_sources

    def slow(*args: object, **options: object) -> str:
        ir: str = real(*args, **options)  # type: ignore[arg-type]
        program.write_text(_SOURCE.replace("i < SIZE", "i <= SIZE"))
        return ir

    monkeypatch.setattr(compiled, "compile_sources", slow)
    compiled_and_remembered([str(program)], flags(program))
    assert known_digest([str(program)], flags(program)) is None
    program.write_text(_SOURCE)
    assert known_digest([str(program)], flags(program)) is None


def test_source_date_is_no_secret(program: Path) -> None:
    program.write_text("int main(void) { return __TIMESTAMP__[0] + __TIME__[0]; }\n")
    one = sources_key([str(program)], ())
    os.utime(program, (1, 1))
    assert one is None or one != sources_key([str(program)], ())


@pytest.mark.parametrize("name", ["plain", "ümläut", "half \udcfc of a pair"])
def test_documents_are_written_alike(name: str) -> None:
    document = AnalysisDocument("looplaw-analysis/1", name, notes=("a", "<\x01\n>"), functions=())
    assert msgspec.UNSET is document.roofline
    assert json_text(document) == json.dumps(builtins(document), indent=1)
