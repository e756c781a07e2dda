"""The page of figures is made from the files of benchmarks, and keeps what it has no file for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tools.figures import FIGURES, PAGE, renewed


def _said(files: Iterable[Path]) -> str:
    return f"New on a day: {', '.join(sorted(f.stem for f in files))}."


def test_every_row_that_is_made_stands_once_in_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(page.count(f"\n| {row} | ") == 1 for row in FIGURES)


def test_a_file_changes_its_row_and_no_other(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page, tmp_path, _said) == page
    (tmp_path / "events.json").write_text(json.dumps({"event_ns": 7, "sampled_event_ns": 8.25}))
    results = [{"survivors": 0, "lost": 2}, {"survivors": 1, "lost": 0}]
    (tmp_path / "signals.json").write_text(json.dumps({"results": results}))
    new = renewed(page, tmp_path, _said)
    added = [line for line in new.split("\n") if line not in page.split("\n")]
    assert added == [
        "New on a day: events, signals.",
        "| one recorded call of a kernel | 7.0 ns; 8.2 with sampled stamps | `make bench-events` |",
        "| ends by signals: survivors, lost runs | 2 tried: 1, 2 | `make bench-signals` |",
    ]
    assert renewed(new, tmp_path, _said) == new, "the head is replaced, not repeated"
