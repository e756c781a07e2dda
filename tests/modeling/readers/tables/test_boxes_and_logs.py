"""Boxes below each other, logs with times of other things, and sweeps behind what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_whole_tables import read_text, varied


def box(corners: str, bars: str, rows: str) -> str:
    left, middle, right = corners
    return f"{left}══{middle}═══{right}\n{rows}{bars}\n"


def test_boxes_of_double_lines_follow_each_other(tmp_path: Path) -> None:
    rows = "│ n │ time │\n╞══╪═══╡\n" + "".join(f"│ {n} │ {n / 100} │\n" for n in (10, 20, 40, 80))
    text = "Sort A\n" + box("╒╤╕", "╘══╧═══╛", rows) + box("╒╤╕", "╘══╧═══╛", rows)
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"n": 4}
    assert len(found.series) == 2
    assert not any("═" in s.callpath for s in found.series)


@pytest.mark.parametrize("values", [(0.1, 0.25, 0.7), (0.001, 0.01, 0.1, 0.5)])
def test_fractions_at_every_size_were_set(tmp_path: Path, values: tuple[float, ...]) -> None:
    rows = [f"{n},{n * a * 1e-4:.6g},{a}" for n in (100, 200, 400, 800) for a in values]
    found = read_text(tmp_path, "n,time_s,alpha\n" + "\n".join(rows))
    assert varied(found) == {"n": 4, "alpha": len(values)}


@pytest.mark.parametrize("behind", [False, True])
def test_times_of_other_things_hide_no_table(tmp_path: Path, behind: bool) -> None:
    log = [f"module {m} loaded in 3 ms" for m in "abcdef"]
    rows = [f"n={n} comparisons={n * n // 2}" for n in (100, 200, 400, 800, 1600)]
    found = read_text(tmp_path, "\n".join(rows + log if behind else log + rows), "t.txt")
    assert {s.metric for s in found.series} == {"comparisons"}


def test_sizes_of_binaries_that_are_varied_are_sizes(tmp_path: Path) -> None:
    rows = [f"{n},{0.1 + n * 1e-4}" for n in (100, 200, 400, 800)]
    found = read_text(tmp_path, "binary size (MB),upload_time_s\n" + "\n".join(rows))
    assert varied(found) == {"binary_size_MB": 4}


def test_densities_in_order_of_named_cases_are_sizes(tmp_path: Path) -> None:
    rows = [
        f"case {c},{d},{d * 3.7:.6g}"
        for c, d in zip("abcdef", (0.013, 0.057, 0.11, 0.24, 0.51, 0.97), strict=True)
    ]
    found = read_text(tmp_path, "matrix,density,time_s\n" + "\n".join(rows))
    assert varied(found) == {"density": 6}
