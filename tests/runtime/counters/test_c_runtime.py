"""The C runtime and its readers agree on the layout of the file of counts."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from runtime import files_of_run, rank_of
from runtime.counters import entries, reader, word_layout
from tests.places import ROOT

FOLDER = ROOT / "runtime" / "counters"
_ENUM = re.compile(r"enum \{([^}]*)\};")
_STRUCT = re.compile(r"struct (\w+) \{.*?\n(.*?)\n\};", re.DOTALL)


def sources() -> dict[str, str]:
    return {p.name: p.read_text() for p in FOLDER.iterdir() if p.suffix in (".c", ".h")}


def test_every_part_is_included_once_and_packaged() -> None:
    text = sources()
    included = re.findall(r'#include "(\w+\.h)"', text["looplaw_rt.c"])
    assert sorted(included) == sorted(name for name in text if name.endswith(".h"))
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = packaged["package-data"]["runtime.counters"]
    assert all(any(fnmatch(name, p) for p in patterns) for name in text)


@pytest.mark.parametrize(
    ("file", "first", "length"),
    [("rt_threads.h", "LEFT", 9), ("rt_times.h", "TICKS", 3), ("rt_calls.h", "TIMES", 4)],
)
def test_words_have_the_same_order_in_c_and_python(file: str, first: str, length: int) -> None:
    enums = [re.findall(r"\w+", found) for found in _ENUM.findall(sources()[file])]
    names = next(names for names in enums if names[0] == first)
    assert [getattr(word_layout, name) for name in names[:length]] == list(range(length))
    assert first != "TIMES" or names[length:] == ["FIXED"]
    assert first != "TIMES" or length == word_layout.ROW_WORDS


def fields(name: str) -> list[str]:
    """Names of a structure's fields, in order."""
    body = next(text for found, text in _STRUCT.findall(sources()["rt_file.h"]) if found == name)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    lists = re.findall(r"(?:u?int\d+_t) ([\w, ]+);", body)
    return [word.strip() for found in lists for word in found.split(",")]


def test_headers_and_blocks_have_the_same_fields_in_c_and_python() -> None:
    assert fields("header") == list(reader._Header._fields)
    assert fields("block") == [f.replace("size", "bytes") for f in reader._Block._fields]
    assert reader._BLOCK.size == 64


def test_magic_numbers_are_the_same_in_c_and_python() -> None:
    text = sources()
    assert f"{reader._MAGIC:X}ULL" in text["rt_file.h"]
    assert f"{entries._MAGIC:X}ULL" in text["rt_entries.h"]
    for module in (reader, entries):
        assert f"#define HEADER_BYTES {module._HEADER_BYTES} " in text["rt_file.h"]


def test_files_of_ranks_and_children_belong_to_the_run(tmp_path: Path) -> None:
    names = ("cells", "cells.rank1", "cells.rank0", "cells.rank0.pid7", "cells.pid12", "other")
    for name in names:
        (tmp_path / name).touch()
    found = files_of_run(tmp_path / "cells")
    assert [p.name for p in found] == [
        "cells", "cells.rank0", "cells.rank0.pid7", "cells.rank1", "cells.pid12",
    ]  # fmt: skip
    assert [rank_of(p) for p in found] == [None, 0, None, 1, None]
    assert files_of_run(tmp_path / "missing") == []
