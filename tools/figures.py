"""The table of docs/figures.md, made anew from what benchmarks wrote.

    make figures [JSON=FOLDER]

FOLDER (build/figures) has files NAME.json, each written by `make bench-NAME ARGS='--json FILE'`. A
row whose file is missing keeps its figure. A line above the table says which are new, from which
day, machine and commit.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.bench_foreseen import is_near

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "figures.md"
_HEAD = re.compile(r"^New on .*?\n\n", re.MULTILINE | re.DOTALL)
_TABLE = "| what | figure | command |"


def _startup(found: Any) -> str:
    cost = found["cpu_s"]
    others = ("looplaw analyze, five lines", "looplaw fit, one series", "looplaw study, five lines")
    return f"{cost['looplaw --help']:.2f}; {', '.join(f'{cost[name]:.2f}' for name in others)} s"


def _whole(found: Any) -> str:
    # the first compiler is the one that looplaw would choose
    sorts = Counter(row["sort"] for row in found if row["compiler"] == found[0]["compiler"])
    return f"{sorts['law']} of {sorts.total()}, {sorts['wrong']} wrong"


def _events(found: Any) -> str:
    return f"{found['event_ns']:.1f} ns; {found['sampled_event_ns']:.1f} with sampled stamps"


def _foreseen(found: Any) -> str:
    near = sum(is_near(row["foreseen"], row["measured"]) for row in found)
    return f"{near} of {len(found)}"


def _programs(found: Any) -> str:
    near, held = [], []
    for factor in (4, 8):
        rows = [row for row in found["results"] if row["factor"] == factor]
        errors = [abs(row["foretold"] / row["measured"] - 1) for row in rows]
        near.append(f"{sum(e <= 0.25 for e in errors)} of {len(rows)}")
        held.append(str(sum(row["low"] <= row["measured"] <= row["high"] for row in rows)))
    return f"{', '.join(near)}; {', '.join(held)}"


def _versions(found: Any) -> str:
    said = found["summary"]
    return f"{said['side right of those said']:.0%}; {said['cannot tell']:.0%}".replace("%", " %")


def _signals(found: Any) -> str:
    rows = found["results"]
    lost, survivors = (sum(row[key] for row in rows) for key in ("lost", "survivors"))
    return f"{len(rows)} tried: {survivors}, {lost}"


def _faults(found: Any) -> str:
    tallies = found["verbs"].values()
    tried, bad = sum(t["faulted"] for t in tallies), sum(t["lost"] + t["damaged"] for t in tallies)
    return f"{tried} tried: {bad}"


FIGURES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "loops of whole programs with the law that a person would write": ("whole", _whole),
    "`looplaw --help`; `analyze`, `fit`, `study` of five lines": ("startup", _startup),
    "cost that `--max-overhead` predicts, within 1.5 times": ("foreseen", _foreseen),
    "one recorded call of a kernel": ("events", _events),
    "whole programs at 4, 8 times: within a quarter; covered": ("programs", _programs),
    "the faster of two versions named rightly; cannot tell": ("versions", _versions),
    "a report of 2,000 loops opens": ("page", lambda rows: f"{rows[-1]['seconds']:.2f} s"),
    "ends by signals: survivors, lost runs": ("signals", _signals),
    "file operations that fail: results lost or damaged": ("faults", _faults),
}
"""What a row says first: the benchmark's name, and its figure from what the benchmark wrote."""


def renewed(page: str, folder: Path, said: Callable[[Iterable[Path]], str]) -> str:
    """The page with the figures that the folder has; `said` tells where and when they were made."""
    used = []
    lines = page.split("\n")
    for k, line in enumerate(lines):
        cells = line.split(" | ")
        name, figure = FIGURES.get(cells[0].removeprefix("| "), ("", None))
        file = folder / f"{name}.json"
        if figure is None or not file.is_file():
            continue
        cells[1] = figure(json.loads(file.read_text(encoding="utf-8")))
        lines[k] = " | ".join(cells)
        used.append(file)
    if not used:
        return page
    text = _HEAD.sub("", "\n".join(lines))
    return text.replace(_TABLE, f"{said(used)}\n\n{_TABLE}", 1)


def _said(files: Iterable[Path]) -> str:
    """Day, machine, commit and benchmarks of the new figures."""
    day = datetime.date.fromtimestamp(max(file.stat().st_mtime for file in files))
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    system = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    names = ", ".join(file.stem for file in files)
    return f"New on {day:%Y-%m-%d} ({system} {platform.release()}, commit {commit}): {names}."


def main() -> int:
    """FOLDER."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    old = PAGE.read_text(encoding="utf-8")
    new = renewed(old, folder, _said)
    PAGE.write_text(new, encoding="utf-8")
    changed = sum(a != b for a, b in zip(_rows(old), _rows(new), strict=True))
    sys.stdout.write(f"{changed} rows of {PAGE.relative_to(ROOT)} have a new figure\n")
    return 0


def _rows(page: str) -> list[str]:
    """The rows of the table."""
    return [line for line in page.split("\n") if line.startswith("|")]


if __name__ == "__main__":
    sys.exit(main())
