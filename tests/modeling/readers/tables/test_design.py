"""Tables whose rows, not names, tell what was set: what makes a difference is a parameter, and rows
at one point that differ by more than repetitions do are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from looplaw_common.errors import DataError

from .test_whole_tables import read_text, varied

_SIZES = (100, 200, 400, 800)


def _noise(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_column_without_a_name_that_makes_a_difference_is_a_parameter(tmp_path: Path) -> None:
    noise = _noise(1)
    rows = [
        f"{n},{p},{n * n / p * noise.normal(1, 0.02):.6f}"
        for n in (50, 100, 200)
        for p in (1, 2, 4)
        for _ in range(5)
    ]
    [series] = read_text(tmp_path, "\n".join(rows)).series
    assert len(series.points) == 9
    assert set(series.counts.tolist()) == {5}


def test_settings_behind_values_are_parameters_and_outcomes_are_not(tmp_path: Path) -> None:
    noise = _noise(2)
    rows = [
        f"{p},{1e6 * p * (1 + 3 * share) * noise.normal(1, 0.02):.0f},{share},{0.5 - 0.1 / p}"
        for p in (1, 2, 4, 8)
        for share in (0.1, 0.4, 0.7)
        for _ in range(2)
    ]
    found = read_text(tmp_path, "threads,throughput,pull,quality\n" + "\n".join(rows))
    assert varied(found) == {"threads": 4, "pull": 3}


def test_numbers_of_tests_that_differ_are_no_repetitions(tmp_path: Path) -> None:
    costs = (3.4, 18.5, 228.0, 3183.0)
    rows = [
        f"{test},{b},{cost * (1 + b / 100)}" for b in (8, 16, 32) for test, cost in enumerate(costs)
    ]
    found = read_text(tmp_path, "test,block_size,avg_time\n" + "\n".join(rows))
    assert varied(found) == {"test": 4, "block_size": 3}
    runs = [f"{run},{n},{n * (1 + run / 50)}" for n in _SIZES for run in range(3)]
    [series] = read_text(tmp_path, "test,n,time\n" + "\n".join(runs)).series
    assert series.counts.tolist() == [3, 3, 3, 3]


def test_what_a_sweep_crosses_was_set(tmp_path: Path) -> None:
    rows = [f"{n},{k},{n * (9 + n / 100 * k):.2f}" for n in (100, 800) for k in (2, 4, 8, 16)]
    found = read_text(tmp_path, "n,gap_width_count,seconds\n" + "\n".join(rows))
    assert varied(found) == {"n": 2, "gap_width_count": 4}
    flat = [f"{n},{k},{n * 9}" for n in (100, 800) for k in (2, 4, 8, 16)]
    found = read_text(tmp_path, "n,gadget,seconds\n" + "\n".join(flat))
    assert varied(found) == {"n": 2, "gadget": 4}


def test_words_are_left_out_only_where_their_rows_agree(tmp_path: Path) -> None:
    same = [f"city{k},{n},{n * (1 + k % 2 / 50)}" for k, n in enumerate(_SIZES * 2)]
    assert varied(read_text(tmp_path, "case,n,time\n" + "\n".join(same))) == {"n": 4}
    other = [f"city{k},{n},{n * 40**k}" for k, n in enumerate(_SIZES * 2)]
    found = read_text(tmp_path, "case,n,time\n" + "\n".join(other))
    assert varied(found) == {}
    assert len(found.series) == 8


def test_rows_at_one_point_are_repetitions_or_refused(tmp_path: Path) -> None:
    mixed = [f"{n},{n * cost}" for n in _SIZES for cost in (0.001, 1, 900)]
    with pytest.raises(DataError, match="differ by more than noise"):
        read_text(tmp_path, "n,time\n" + "\n".join(mixed))
    waits = _noise(3).exponential(size=(4, 40))
    rows = [f"{n},{n * w}" for n, of in zip(_SIZES, waits, strict=True) for w in of]
    [series] = read_text(tmp_path, "n,time\n" + "\n".join(rows)).series
    assert series.means.tolist() == pytest.approx((waits.mean(axis=1) * _SIZES).tolist())


def test_a_line_that_tells_the_size_belongs_to_the_time_below_it(tmp_path: Path) -> None:
    text = "".join(f"SEQ N={n}\nSequential time: {n / 10} s\nwritten\n" for n in _SIZES)
    text += "".join(
        f"OMP N={n} threads={p}\nOpenMP time ({p} threads): {n / p / 10} s\n"
        for p in (1, 2)
        for n in _SIZES
    )
    serial, parallel = read_text(tmp_path, text, "t.log").series
    assert serial.parameters == ("N",)
    assert serial.means.tolist() == [n / 10 for n in _SIZES]
    assert set(parallel.parameters) == {"N", "threads"}
    assert len(parallel.points) == 8


def test_sizes_that_are_aligned_and_sizes_in_names_are_read(tmp_path: Path) -> None:
    text = "".join(f"N={n:2} :  {n * n:6} solutions in {n / 8}s\n" for n in (4, 8, 10, 16))
    [series] = read_text(tmp_path, text, "t.txt").series
    assert series.parameters == ("N",)
    assert series.means.tolist() == [0.5, 1, 1.25, 2]
    rows = "".join(f"0.{p}\tfib-30 {p} threads\n" for p in (1, 2, 4, 8))
    found = read_text(tmp_path, "seconds\tcase\n" + rows, "t.tsv")
    assert varied(found) == {"n": 4}
    [series] = found.series
    assert series.means.tolist() == pytest.approx([0.1, 0.2, 0.4, 0.8])


def test_names_with_equals_signs_head_columns(tmp_path: Path) -> None:
    rows = "".join(f"{p},{1 / p},{10 / p}\n" for p in (1, 2, 4, 8))
    head = "Number of Tasks,MPI Time (seconds) N=1000, MPI Time (seconds) N=10000\n"
    found = read_text(tmp_path, head + rows)
    assert varied(found) == {"Number_of_Tasks": 4}
    assert [s.metric for s in found.series] == head.strip().replace(", ", ",").split(",")[1:]


def test_fractions_number_no_rows(tmp_path: Path) -> None:
    shares = (0.001, 0.01, 0.1, 0.4)
    head = "\t".join(["", *map(str, shares)])
    rows = "".join(f"\n{a}\t" + "\t".join(str(7 * a + 2 + b) for b in shares) for a in shares)
    [series] = read_text(tmp_path, head + rows, "t.tsv").series
    assert len(series.points) == 16
    assert len(series.parameters) == 2


def test_a_sentence_below_a_pasted_table_is_no_row(tmp_path: Path) -> None:
    rows = "".join(f"{p}\t{90 / p} ms\t{p}x\n" for p in (1, 2, 4))
    text = f"threads\ttime\tspeedup\n{rows}\nIt still falls away from linear for the same reason.\n"
    [series] = read_text(tmp_path, text, "t.txt").series
    assert series.means.tolist() == [90, 45, 22.5]


def test_rows_that_would_be_lost_beside_a_table_are_named(tmp_path: Path) -> None:
    text = "np\n1  .505  .665  2.056\n2  .505  .683  2.146  1.\n4  .513  .78  3.202  0.8\n"
    with pytest.raises(DataError, match=r"t.txt:2: has other cells than the rows beside it"):
        read_text(tmp_path, text, "t.txt")
