"""How often the loops of a program ran, as clang's coverage counts it: an oracle that shares nothing with looplaw.

clang counts source regions. The body of a loop is a region of its own; for `for` and `while` a gap between the closing
bracket of the head and the body precedes it, and the body of `do` follows the word.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_CODE, _GAP = 0, 3
_WORD = re.compile(r"(for|while|do)\b")
FLAGS = ("-fprofile-instr-generate", "-fcoverage-mapping")

Place = tuple[str, int, int]
Regions = Mapping[str, Mapping[tuple[int, int, int, int, int], int]]


def tools(clang: str) -> tuple[str, str] | None:
    """llvm-profdata and llvm-cov beside this clang; None where they are missing."""
    version = re.search(r"-\d+$", clang)
    names = [f"{name}{version.group() if version else ''}" for name in ("llvm-profdata", "llvm-cov")]
    found = [shutil.which(name) or shutil.which(name, path=str(Path(clang).resolve().parent)) for name in names]
    return (found[0], found[1]) if found[0] and found[1] else None


def regions(program: Path, raw: Iterable[Path], clang: str) -> Regions:
    """file -> (first line and column, last line and column, kind) -> count, all instances of a function added up."""
    found_tools = tools(clang)
    if found_tools is None:
        raise FileNotFoundError("llvm-profdata or llvm-cov")
    merged = program.with_suffix(".profdata")
    subprocess.run([found_tools[0], "merge", "-sparse", *map(str, raw), "-o", str(merged)], check=True, capture_output=True)
    done = subprocess.run([found_tools[1], "export", str(program), f"-instr-profile={merged}"], check=True,
                          capture_output=True, text=True)
    found: dict[str, dict[tuple[int, int, int, int, int], int]] = defaultdict(lambda: defaultdict(int))
    for function in json.loads(done.stdout)["data"][0]["functions"]:
        for line, column, last_line, last_column, count, file, _, kind in function["regions"]:
            found[os.path.realpath(function["filenames"][file])][line, column, last_line, last_column, kind] += count
    return found


def iterations(counts: Regions, places: Iterable[Place]) -> dict[Place, int | None]:
    """Iterations of the loops whose words stand at these places (real file, line, column); None where that cannot be
    told: within macros, and in code that was not compiled."""
    texts: dict[str, Sequence[str]] = {}
    result: dict[Place, int | None] = {}
    for file, line, column in places:
        if file not in texts:
            texts[file] = Path(file).read_text(errors="replace").splitlines() if Path(file).is_file() else ()
        word = _WORD.match(texts[file][line - 1], column - 1) if line <= len(texts[file]) else None
        own = sorted(counts.get(file, {}).items())
        result[file, line, column] = None
        if word is None:
            continue
        start = (line, column)
        if word.group(1) != "do":
            gap = next((r for r, _ in own if r[4] == _GAP and r[:2] > start), None)
            if gap is None:
                continue
            start = gap[2:4]
        body = next((n for r, n in own if r[4] == _CODE and (r[:2] == start if word.group(1) != "do" else r[:2] > start)),
                    None)
        result[file, line, column] = body
    return result
