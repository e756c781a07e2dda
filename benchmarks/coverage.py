"""Iterations of loops from clang's coverage: an oracle that shares no code with looplaw.

clang counts source regions. The body of a loop is a region that begins behind the closing bracket
of its head, or behind `do`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

_CODE = 0
_WORD = re.compile(r"(for|while|do)\b")
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|//[^\n]*|/\*.*?\*/|[()]", re.DOTALL)
FLAGS = ("-fprofile-instr-generate", "-fcoverage-mapping")

Place = tuple[str, int, int]
Regions = Mapping[str, Mapping[tuple[int, int, int, int, int], int]]


def tools(clang: str) -> tuple[str, str] | None:
    """llvm-profdata and llvm-cov beside this clang; None where they are missing."""
    version = re.search(r"-\d+$", clang)
    names = [
        f"{name}{version.group() if version else ''}" for name in ("llvm-profdata", "llvm-cov")
    ]
    found = [
        shutil.which(name) or shutil.which(name, path=str(Path(clang).resolve().parent))
        for name in names
    ]
    return (found[0], found[1]) if found[0] and found[1] else None


def regions(program: Path, raw: Iterable[Path], clang: str) -> Regions:
    """file -> (first line and column, last line and column, kind) -> count, all instances of a
    function added up."""
    found_tools = tools(clang)
    if found_tools is None:
        raise FileNotFoundError("llvm-profdata or llvm-cov")
    merged = program.with_suffix(".profdata")
    subprocess.run(
        [found_tools[0], "merge", "-sparse", *map(str, raw), "-o", str(merged)],
        check=True,
        capture_output=True,
    )
    done = subprocess.run(
        [found_tools[1], "export", str(program), f"-instr-profile={merged}"],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, dict[tuple[int, int, int, int, int], int]] = defaultdict(
        lambda: defaultdict(int)
    )
    for function in json.loads(done.stdout)["data"][0]["functions"]:
        for line, column, last_line, last_column, count, file, _, kind in function["regions"]:
            found[os.path.realpath(function["filenames"][file])][
                line, column, last_line, last_column, kind
            ] += count
    return found


def place(at: str, counts: Regions) -> Place:
    """A place file:line:column of debug information, where the file's folder may be missing."""
    name, line, column = at.rsplit(":", 2)
    file = next(
        (f for f in counts if f.endswith(f"/{name.removeprefix('./')}")), os.path.realpath(name)
    )
    return file, int(line), int(column)


def iterations(counts: Regions, places: Iterable[Place]) -> dict[Place, int | None]:
    """Iterations of the loops whose words stand at these places (real file, line, column); None
    where it is not known: within macros, and in code that was not compiled."""
    texts: dict[str, str] = {}
    result: dict[Place, int | None] = {}
    for file, line, column in places:
        if file not in texts:
            texts[file] = Path(file).read_text(errors="replace") if Path(file).is_file() else ""
        start = _body(texts[file], line, column)
        found = [
            n
            for region, n in counts.get(file, {}).items()
            if region[:2] == start and region[4] == _CODE
        ]
        result[file, line, column] = (
            max(found) if found else None
        )  # a statement that opens a region may open another
    return result


def _body(text: str, line: int, column: int) -> tuple[int, int] | None:
    """Line and column where the body of the loop at a place begins."""
    lines = text.split("\n")
    at = sum(len(one) + 1 for one in lines[: line - 1]) + column - 1
    word = _WORD.match(text, at) if line <= len(lines) else None
    if word is None:
        return None
    end = word.end()
    if word.group(1) != "do":
        depth = 0
        for token in _TOKEN.finditer(text, end):
            depth += (token.group() == "(") - (token.group() == ")")
            if token.group() == ")" and depth == 0:
                end = token.end()
                break
        else:
            return None
    blank = _BLANK.match(text, end)
    end = blank.end() if blank else end
    return text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)
