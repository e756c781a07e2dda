"""Files of IR are read in a process of their own: one over which LLVM ends its process is an error
like any other."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from staticana import InputError, analyze, canonical, compile_sources
from tests.places import PROGRAMS

pytestmark = pytest.mark.usefixtures("as_users_have_it")

_SOURCE = PROGRAMS / "calls.c"


@pytest.fixture(scope="module")
def bitcode() -> bytes:
    return bytes(llvm.parse_assembly(compile_sources([_SOURCE])).as_bitcode())


@pytest.mark.parametrize("part", range(1, 12))
def test_damaged_bitcode_is_refused_in_one_line_or_read(
    bitcode: bytes, part: int, tmp_path: Path
) -> None:
    at = len(bitcode) * part // 12
    path = tmp_path / "damaged.bc"
    path.write_bytes(
        bitcode[:at] + bytes(b ^ 0xA5 for b in bitcode[at : at + 3]) + bitcode[at + 3 :]
    )
    said = ""
    try:
        llvm.parse_assembly(compile_sources([path])).verify()
    except InputError as error:
        said = str(error)
    assert not said or said.startswith(f"{path}: ")
    assert "\n" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize("length", [2, 40, 900])
def test_bitcode_that_ends_early_is_refused(bitcode: bytes, length: int, tmp_path: Path) -> None:
    path = tmp_path / "short.bc"
    path.write_bytes(bitcode[:length])
    with pytest.raises(InputError, match=r"short\.bc: "):
        compile_sources([path])


def test_a_whole_file_is_read_as_it_is(bitcode: bytes, tmp_path: Path) -> None:
    path = tmp_path / "whole.bc"
    path.write_bytes(bitcode)
    read, source = (analyze(canonical(compile_sources([p]))) for p in (path, _SOURCE))
    assert [str(loop.total.formula) for loop in read.loops] == [
        str(loop.total.formula) for loop in source.loops
    ]
    assert read.loops
