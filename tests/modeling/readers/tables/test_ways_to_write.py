"""Sizes, variants and times where people write them: in logs, names of columns, words and trees."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from looplaw_common.errors import DataError, InputError
from modeling.readers.tables.names import Kind, named

from .test_whole_tables import read_text, varied


def test_sections_of_a_log_are_rows(tmp_path: Path) -> None:
    text = "run of Tue May 12 09:17:29 AM CEST 2026\n"
    for p in (1, 2, 4):
        for strategy in (1, 2):
            text += f"PARAMS: File=in500.txt, Procs={p}, Strategy={strategy}\n"
            text += "".join(f"Wall time: {8 / p + k / 100}\nsorted.\n" for k in range(3)) + "---\n"
    found = read_text(tmp_path, text, "t.log")
    assert varied(found) == {"Procs": 3}
    assert {s.callpath for s in found.series} == {"main[Strategy=1]", "main[Strategy=2]"}
    assert all(s.counts.tolist() == [3, 3, 3] for s in found.series)


def test_runs_that_failed_leave_their_section_empty(tmp_path: Path) -> None:
    text = ""
    for n in (100, 200, 400, 800):
        text += f"size={n}\n"
        text += f"elapsed: {n / 50} s\n" if n != 200 else "Killed\n"
    found = read_text(tmp_path, text, "t.log")
    assert found.series[0].points.ravel().tolist() == [100, 400, 800]


def test_commands_and_their_times_stand_between_dates(tmp_path: Path) -> None:
    text = "".join(
        f"$ date; time ./a.out {n} > /dev/null; date\nSat Aug  5 12:41:10 EDT 2017\n\n"
        f"real\t0m{2**n / 1000}s\nuser\t0m{2**n / 1001}s\nsys\t0m0.001s\n"
        "Sat Aug  5 12:41:10 EDT 2017\n"
        for n in (5, 6, 7, 8)
    )
    found = read_text(tmp_path, text, "t.log")
    [real] = [s for s in found.series if s.metric == "real"]
    assert real.points.ravel().tolist() == [5, 6, 7, 8]
    assert real.means.tolist() == pytest.approx([2**n / 1000 for n in (5, 6, 7, 8)])


def test_titles_above_lines_tell_series_apart(tmp_path: Path) -> None:
    text = "Timing quadratic\n" + "".join(f"Input={n} time (in ms)={n * n}\n" for n in (3, 5, 9))
    text += "Timing linear\n" + "".join(f"Input={n} time (in ms)={n}\n" for n in (30, 50, 90))
    found = read_text(tmp_path, text, "t.txt")
    assert [len(s.points) for s in found.series] == [3, 3]
    assert {s.callpath for s in found.series} == {
        "main[title=Timing quadratic]",
        "main[title=Timing linear]",
    }


def test_keys_of_a_tree_of_json_tell_series_apart(tmp_path: Path) -> None:
    text = '{"host": {"cores": 8}, "quick": {"1000": 0.1, "2000": 0.2, "4000": 0.5},'
    text += ' "merge": {"1000": 0.2, "2000": 0.5, "4000": 1.1}}'
    found = read_text(tmp_path, text, "t.json")
    assert len(found.series) == 2
    assert [s.points.ravel().tolist() for s in found.series] == [[1000, 2000, 4000]] * 2


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("algo,n = 4,n = 8,n = 16", "n"),
        ("algo,4 threads,8 threads,16 threads", "threads"),
        ("algo,time of 4 tasks (s),time of 8 tasks (s),time of 16 tasks (s)", "tasks"),
    ],
)
def test_names_of_columns_hold_sizes(tmp_path: Path, header: str, name: str) -> None:
    found = read_text(tmp_path, f"{header}\nA,1.5,2.5,4.5\nB,1.1,2.1,9.1\n")
    assert varied(found) == {name: 3}
    assert len(found.series) == 2


def test_percentiles_are_no_sizes(tmp_path: Path) -> None:
    found = read_text(tmp_path, "n,p50 (ms),p90 (ms),p99 (ms)\n1,2,3,4\n2,4,6,8\n4,8,12,16\n")
    assert varied(found) == {"n": 3}
    assert found.series[0].means.tolist() == [2, 4, 8]


def test_words_hold_sizes(tmp_path: Path) -> None:
    rows = [f"{algo}_{n},{n * k}" for k, algo in enumerate(("a", "b"), 1) for n in (100, 200, 400)]
    found = read_text(tmp_path, "name,time\n" + "\n".join(rows))
    assert [s.points.ravel().tolist() for s in found.series] == [[100, 200, 400]] * 2
    tests = read_text(tmp_path, "name,time\ntest_1,2\ntest_2,3\ntest_3,5\n")
    assert not varied(tests)


def test_a_large_size_in_a_word_takes_no_memory(tmp_path: Path) -> None:
    text = ""
    for n in (1000, 10**5, 10**7):
        for p in (1, 2):
            text += f"PARAMS: File=in{n}.txt, Procs={p}\nWall time: {n / 10**6 / p}\n---\n"
    tracemalloc.start()
    read_text(tmp_path, text, "t.log")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 << 20


def test_flags_and_numbers_of_variants_are_labels(tmp_path: Path) -> None:
    rows = [f"{n},{f},{v},{n * (f + v)}.5" for n in (8, 16, 32) for f in (0, 1) for v in (1, 2, 3)]
    found = read_text(tmp_path, "size,Is_row,version,time\n" + "\n".join(rows))
    assert varied(found) == {"size": 3}
    assert len(found.series) == 6


def test_how_often_a_harness_repeats_is_no_size(tmp_path: Path) -> None:
    rows = [(f"kernel {w}", t) for w, t in zip("abcd", (10, 105, 998, 12000), strict=True)]
    text = "Benchmark,Time (ns),Iterations\n" + "".join(
        f"{n},{t},{700_000_000 // t}\n" for n, t in rows
    )
    found = read_text(tmp_path, text)
    assert not varied(found)
    assert len(found.series) == 4


def test_widths_and_heights_are_multiplied(tmp_path: Path) -> None:
    found = read_text(tmp_path, "Resolution,time\n256x256,1\n640x480,5\n3840x2160,130\n")
    assert found.series[0].points.ravel().tolist() == [65536, 307200, 8294400]


def test_units_stand_below_names(tmp_path: Path) -> None:
    found = read_text(
        tmp_path, "grid size,average time,fit\n,seconds,seconds\n6,1,1\n7,3,2\n8,9,8\n"
    )
    assert varied(found) == {"grid size".replace(" ", "_"): 3}
    assert [s.metric for s in found.series] == ["average time seconds"]


def test_the_columns_of_a_speedup_are_times(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n / 10},{n / 40},4.0,7.5\n" for n in (1000, 2000, 3000, 4000))
    found = read_text(tmp_path, "n,Sequential,Parallel,Speedup,usage\n" + rows)
    assert {s.callpath for s in found.series} == {"Sequential", "Parallel"}


def test_a_heap_among_sorts_is_a_version(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n / 1e6},{n / 2e6},{n / 3e6}\n" for n in (1000, 2000, 4000))
    found = read_text(tmp_path, "n,Merge,Heap,Quick\n" + rows)
    assert {s.callpath for s in found.series} == {"Merge", "Heap", "Quick"}


def test_consoles_of_harnesses(tmp_path: Path) -> None:
    text = "".join(
        f"BM_Sort/{n}/real_time   {n * 3} ns   {n * 3} ns   {10**6 // n}\n" for n in (8, 64)
    )
    text += "  test lorem_100 ... bench:       2,085 ns/iter (+/- 11)\n"
    text += "  test lorem_200 ... bench:       4,085 ns/iter (+/- 11)\n"
    text += (
        "  test lorem_400 ... bench:       8,085 ns/iter (+/- 11)\ntest f64 ... bench: 1 ns/iter\n"
    )
    found = read_text(tmp_path, text, "t.txt")
    times = {s.callpath: s for s in found.series if s.metric == "time"}
    assert times["BM_Sort"].points.ravel().tolist() == [8, 64]
    assert times["lorem"].means.tolist() == [2085, 4085, 8085]
    assert not varied(read_text(tmp_path, "test f64 ... bench: 1 ns/iter\n", "t.txt"))


def test_programs_of_one_console_stay_apart(tmp_path: Path) -> None:
    text = "".join(
        f"Running ./bin/{p}\nBenchmark   Time   CPU   Iterations\nBM_x   {t} ns   {t} ns   100\n"
        for p, t in (("bench", 9), ("bench_sse", 4))
    )
    found = read_text(tmp_path, text, "t.txt")
    times = {s.callpath: s.means.tolist() for s in found.series if s.metric == "time"}
    assert times == {"BM_x[program=bench]": [9], "BM_x[program=bench_sse]": [4]}


def test_trees_of_folders_and_sentences_are_no_tables(tmp_path: Path) -> None:
    tree = (
        "# Sorts\n```\n├── bubble.c  # Bubble Sort; slow\n│   ├── quick.c # fast\n└── main.c\n```\n"
    )
    with pytest.raises((DataError, InputError)):
        read_text(tmp_path, tree, "README.md")
    table = "\n| n | time |\n|---|---|\n| 10 | 1.5 |\n| 20 | 3.1 |\n| 40 | 6.2 |\n"
    assert varied(read_text(tmp_path, tree + table, "README.md")) == {"n": 3}


def test_tables_under_one_heading_stay_apart(tmp_path: Path) -> None:
    rows = "| algo | time |\n|---|---|\n| A | 1.5 |\n| B | 2.5 |\n"
    text = f"# Results\n> sorted input\n\n{rows}\n> random input\n\n{rows.replace('1.5', '7.5')}"
    found = read_text(tmp_path, text, "README.md")
    assert len(found.series) == 4
    assert any("random input" in s.callpath for s in found.series)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("time to find success result", Kind.TIME),
        ("Desvio P.", Kind.STATISTIC),
        ("ideal time", Kind.FORETOLD),
        ("fit_time", Kind.TIME),
        ("speedup on GPU", Kind.DERIVED),
        ("Start time", Kind.DATE),
        ("Period (ns/op)", Kind.TIME),
    ],
)
def test_what_names_say(name: str, kind: Kind) -> None:
    assert named(name).kind is kind


def test_one_line_of_numbers_is_refused_with_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="3 numbers in one line"):
        read_text(tmp_path, "1.5,2.5,3.5\n")


def test_numbers_of_functions_are_labels_and_those_of_runs_are_not(tmp_path: Path) -> None:
    rows = [f"{p},{f},{p * (f + 1)}.5" for p in (1, 2, 4) for f in (0, 1, 2)]
    found = read_text(tmp_path, "threads,func_id,time\n" + "\n".join(rows))
    assert varied(found) == {"threads": 3}
    assert len(found.series) == 3
    again = read_text(tmp_path, "threads,run_id,time\n" + "\n".join(rows))
    assert len(again.series) == 1


def test_shares_of_the_first_column_are_no_times(tmp_path: Path) -> None:
    found = read_text(tmp_path, "level,core1,core2,core4\n1,1.0,1.9,3.5\n2,1.0,1.8,3.1\n")
    assert {s.metric for s in found.series} == {"speedup"}
    named_so = read_text(
        tmp_path,
        "level,efficiency_core1,efficiency_core2,efficiency_core4\n1,1.0,0.9,0.8\n2,1.0,0.8,0.7\n",
    )
    assert {s.metric for s in named_so.series} == {"efficiency"}


def test_a_ratio_without_a_size_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{a},{a / 8:g},8.0\n" for a in (700, 4600, 16100, 45400))
    with pytest.raises(DataError, match="which column is the size"):
        read_text(tmp_path, "single,multi,speedup\n" + rows)


def test_tests_with_sizes_of_their_own_stay_apart(tmp_path: Path) -> None:
    sizes = {"install": (1773, 1791), "find": (12693, 32704), "create": (1000,)}
    rows = [f"{t},{n},{n / 1000}" for t, of in sizes.items() for n in of for _ in range(2)]
    found = read_text(tmp_path, "test,files,time\n" + "\n".join(rows))
    assert len(found.series) == 3


def test_names_stand_apart_above_a_frame(tmp_path: Path) -> None:
    text = "|--input--|---units of work--\n\n0    |    0\n1    |    1\n3    |    9\n10   |    100\n"
    found = read_text(tmp_path, text, "t.md")
    assert found.parameters == ("input",)
    assert found.series[0].means.tolist() == [0, 1, 9, 100]


def test_boxes_and_tuples_of_sides(tmp_path: Path) -> None:
    rows = "".join(f"│ (1, {p}) │ 1.{p} s │ 400.{p} KiB │\n" for p in (1, 2, 4, 8))
    text = f"┌───┬───┬───┐\n│ ranks │ mean │ memory │\n├───┼───┼───┤\n{rows}└───┴───┴───┘\n"
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"ranks": 4}
    assert found.series[0].points.ravel().tolist() == [1, 2, 4, 8]


def test_what_a_processor_was_used_is_no_size(tmp_path: Path) -> None:
    rows = "| 512 | 419,736 | 6167% |\n| 4096 | 50,060 | 6284% |\n| 8192 | 40,000 | 6290% |\n"
    found = read_text(tmp_path, "| Conn | RPS | CPU |\n|---|---|---|\n" + rows, "t.md")
    assert varied(found) == {"Conn": 3}


def test_rates_have_spreads_and_numbers_of_samples(tmp_path: Path) -> None:
    rows = [("Load the core of all indexes", 843), ("Query one big index again now", 2)]
    text = "".join(f"| {name} | {v} ops/sec ±1.86% (638 samples) |\n" for name, v in rows)
    found = read_text(tmp_path, "| Part | Speed |\n|---|---|\n" + text, "t.md")
    assert sorted(s.means[0] for s in found.series) == [2, 843]


def test_a_table_goes_on_below_a_remark(tmp_path: Path) -> None:
    head = "| n | Tile | time (ms) |\n|---|---|---|\n"
    parts = ["".join(f"| {n} | {t} | {n / 7} |\n" for t in ("32×16", "64×8")) for n in (8, 16, 32)]
    found = read_text(tmp_path, head + "\n> best: 64×8\n\n".join(parts), "t.md")
    assert varied(found) == {"n": 3} or all("Tile=" in s.callpath for s in found.series)
    assert not any("Tile" in p for p in found.parameters)  # 512 threads, both


@pytest.mark.parametrize("name", ["{}_f{}", "issue_10{}", "sha{}"])
def test_widths_and_numbers_of_tests_are_no_sizes(tmp_path: Path, name: str) -> None:
    rows = [name.format("copy", n) if "{}_" in name else name.format(n) for n in (32, 48, 51)]
    text = "Running a-1\n" + "".join(
        f"test {row} ... bench:   1,2{k}4 ns/iter (+/- 12)\n" for k, row in enumerate(rows)
    )
    assert not read_text(tmp_path, text, "t.txt").parameters


def test_versions_of_compilers_are_no_sizes(tmp_path: Path) -> None:
    text = "test,gcc-9,gcc-10,gcc-11,gcc-12\na,1.0,0.9,0.8,0.8\nb,2.0,1.9,1.8,1.8\nc,3,2.9,2.8,3\n"
    with pytest.raises(DataError):
        read_text(tmp_path, text, "t.csv")


def test_keys_of_json_hold_the_sizes_below_what_is_measured(tmp_path: Path) -> None:
    sizes = '{"1000": 0.1, "2000": 0.2, "4000": 0.4}'
    text = f'{{"quick": {sizes}, "merge": {sizes.replace("0.4", "0.5")}}}'
    found = read_text(tmp_path, text, "t.json")
    assert len(found.series) == 2
    assert found.series[0].points.ravel().tolist() == [1000, 2000, 4000]


def test_estimates_of_criterion_are_no_repetitions(tmp_path: Path) -> None:
    rust = "".join(
        f"Benchmarking sort/{n}: Collecting 100 samples\nsort/{n}{end}time:   [{n}.1 µs {n}.5 µs"
        f" {n + 1}.2 µs]\n                 thrpt:  [1.2 Melem/s 1.3 Melem/s 1.4 Melem/s]\n"
        for n, end in ((10, "   "), (20, "\n     "), (40, "  "))
    )
    haskell = "".join(
        f"benchmarking sort/{n}\ntime     {n}.5 ns   ({n}.1 ns .. {n + 1}.2 ns)\n"
        f"                 0.999 R²   (0.998 R² .. 1.000 R²)\nmean     9 ns   (8 ns .. 9 ns)\n\n"
        for n in (10, 20, 40)
    )
    for text in (rust, haskell):
        [series] = read_text(tmp_path, text, "t.txt").series
        assert (series.callpath, series.parameters) == ("sort", ("n",))
        assert series.means.tolist() == [10.5, 20.5, 40.5]
        assert series.counts.tolist() == [1, 1, 1]


@pytest.mark.parametrize("clock", ["[12:00:{:02}] ", "12:00:{:02} INFO ", "12:00:{:02}.250 | "])
def test_the_time_of_day_is_no_size(tmp_path: Path, clock: str) -> None:
    rows = [
        f"{clock.format(k)}n = {n} done in {n / 8} ms [{n / 9} ms {n / 8} ms {n / 7} ms]"
        for k, n in enumerate((100, 200, 400, 800))
    ]
    found = read_text(tmp_path, "\n".join(rows), "t.log")
    assert varied(found) == {"n": 4}


def test_sections_with_other_options_stay_apart(tmp_path: Path) -> None:
    runs = ((2, "--z 1"), (4, "--z 2"), (8, "--z 2 --y 2"))
    text = "".join(
        f"$mpirun -np {p} ./a {o}\n\nDone: total time = {9 / p} secs\n\n" for p, o in runs
    )
    found = read_text(tmp_path, text, "t.txt").series
    assert [s.callpath for s in found] == ["main[case=plain]", "main[case=--y 2]"]
    for series, of in zip(found, ((2, 4), (8,)), strict=True):
        column = series.points[:, [p.strip("_") for p in series.parameters].index("np")]
        assert dict(zip(column.tolist(), series.means.tolist(), strict=True)) == {
            p: pytest.approx(9 / p) for p in of
        }


def test_lines_may_end_early_and_titles_hold_sizes(tmp_path: Path) -> None:
    head = "On A 7:\nnp   1    time 190 sec\nnp 16    time   20 sec   speedup   9.5\n\nOn B 8:\n\n"
    text = head + "np   1    time 162 sec\nnp   2    time   92 sec   speedup   1.76\n"
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"np": 3}
    assert [s.callpath for s in found.series] == ["main[title=On A 7]", "main[title=On B 8]"]
    gc = "".join(
        f"{p} threads:\n```\n"
        + "".join(f"{t}.5 seconds (849.2 M allocations)\n" for t in times)
        + "```\n\n"
        for p, times in ((8, (188, 205, 216)), (16, (182, 186, 158)))
    )
    found = read_text(tmp_path, gc, "t.txt")
    assert varied(found) == {"threads": 2}
    assert found.series[0].counts.tolist() == [3, 3]


def test_rows_below_a_remark_belong_to_the_series(tmp_path: Path) -> None:
    head = "| n | time (ms) |\n|---|---|\n"
    parts = ["| 8 | 1.5 |\n| 16 | 3.1 |\n", "| 32 | 6.2 |\n| 64 | 12 |\n"]
    [series] = read_text(tmp_path, head + "\n> swaps from here on\n\n".join(parts), "t.md").series
    assert len(series.points) == 4
    again = [parts[0], "| 8 | 2.5 |\n| 16 | 4.1 |\n"]
    found = read_text(tmp_path, head + "\n> with swap\n\n".join(again), "t.md")
    assert [s.counts.tolist() for s in found.series] == [[1, 1], [1, 1]]


def test_records_of_json_may_be_nested_and_in_logs(tmp_path: Path) -> None:
    nested = [
        {
            "config": {"n": n, "algo": "x"},
            "stats": {"time": {"mean_ms": n / 8}, "rss": {"mb": 7 * n}},
        }
        for n in (10, 20, 40)
    ]
    found = read_text(tmp_path, json.dumps(nested), "t.json")
    assert varied(found) == {"n": 3}
    assert {s.metric: s.means.tolist() for s in found.series} == {
        "time": [1.25, 2.5, 5],
        "rss.mb": [70, 140, 280],
    }
    lists = [{"n": n, "times_s": [n, n + 1, n + 2]} for n in (10, 20, 40)]
    [series] = read_text(tmp_path, json.dumps(lists), "t.json").series
    assert series.counts.tolist() == [3, 3, 3]
    log = "\n".join(
        f'2026-01-01 12:00:0{k} INFO {{"n": {n}, "elapsed_ms": {n / 4}}}'
        for k, n in enumerate((10, 20, 40))
    )
    [series] = read_text(tmp_path, log, "t.log").series
    assert (varied(read_text(tmp_path, log, "t.log")), series.means.tolist()) == (
        {"n": 3},
        [2.5, 5, 10],
    )


def test_outcomes_are_no_sizes(tmp_path: Path) -> None:
    rows = [
        {
            "grid": g,
            "threads": p,
            "runtime": g * g / p,
            "total_nodes": 97 * g * g + 13 * p * p % 101,
            "alg": 1 + k % 3 + (k % 3 > 0),
        }
        for g in (100, 200, 300)
        for p in (1, 2, 4)
        for k in range(3)
    ]
    found = read_text(tmp_path, json.dumps(rows), "t.json")
    assert varied(found) == {"grid": 3, "threads": 3}
    text = "method,seq_len,cache_mb,ms\n" + "".join(
        f"{m},{n},{n * f},{n * f + k}\n"
        for m, f in (("a", 2), ("b", 5))
        for n in (5, 9, 17)
        for k in (0, 1)
    )
    assert varied(read_text(tmp_path, text)) == {"seq_len": 3}


def test_states_of_a_program_are_series(tmp_path: Path) -> None:
    for name, states in (
        ("version", ("3.9", "3.10", "3.11")),
        ("year", ("2023", "2024")),
        ("commit", ("a1f3e", "b2c4d")),
    ):
        rows = "\n".join(f"{v},{n},{n * k}" for k, v in enumerate(states, 1) for n in (8, 16, 32))
        found = read_text(tmp_path, f"{name},n,time_s\n{rows}\n")
        assert [s.counts.tolist() for s in found.series] == [[1, 1, 1]] * len(states)


def test_numbers_of_algorithms_are_labels_and_counts_no_times(tmp_path: Path) -> None:
    rows = "\n".join(f"{a},{p},{a * 8 / p}" for a in (1, 3, 4) for p in (1, 2, 4, 8))
    found = read_text(tmp_path, "alg,threads,seconds\n" + rows)
    assert varied(found) == {"threads": 4}
    text = "| n | what | took |\n|---|---|---|\n" + "".join(
        f"| {n} | build | {n}.5 s |\n| {n} | evaluations | {n * 1000} |\n" for n in (1, 2, 4)
    )
    assert {s.callpath for s in read_text(tmp_path, text, "t.md").series} == {"main[what=build]"}


_NCCL = """\
# nThread 1 nGpus 8 minBytes 8 maxBytes 8589934592 step: 2(factor)
#
# Using devices
#  Rank  0 Group  0 Pid 148287 on node-001 device  0 [0x63] H100 80GB HBM3
#  Rank  1 Group  0 Pid 148287 on node-001 device  1 [0x6b] H100 80GB HBM3
#
#                                               out-of-place                       in-place
#       size         count    type redop  root     time   algbw  #wrong     time   algbw  #wrong
#        (B)    (elements)                           (us)  (GB/s)             (us)  (GB/s)
     1048576        262144   float   sum    -1    39.66   26.44       0    40.79   25.71    N/A
     4194304       1048576   float   sum    -1    67.05   62.56       0    66.18   63.38    N/A
    16777216       4194304   float   sum    -1    215.8   77.74       0    217.7   77.07    N/A
    67108864      16777216   float   sum    -1    794.3   84.49       0    787.4   85.23    N/A
   268435456      67108864   float   sum    -1    807.6  332.40       0    805.0  333.47    N/A
# Avg bus bandwidth    : 317.146
"""


def test_names_stand_between_groups_and_units(tmp_path: Path) -> None:
    found = read_text(tmp_path, _NCCL, "all_reduce.out")
    times = {s.metric: s for s in found.series}
    assert times.keys() == {"out-of-place time (us)", "in-place time (us)"}
    assert {s.unit for s in found.series} == {"us"}
    for metric, first in (("out-of-place time (us)", 39.66), ("in-place time (us)", 40.79)):
        assert times[metric].parameters == ("size_B",)
        assert times[metric].points.ravel().tolist() == [1 << k for k in (20, 22, 24, 26, 28)]
        assert times[metric].means[0] == pytest.approx(first)


def test_code_and_links_in_cells_are_what_they_show(tmp_path: Path) -> None:
    rows = (("[fast](https://a.org/fast) (new)", 40, 25), ("`slow`", 1250, 0.8), ("old", 2500, 0.4))
    text = "| Library | Median execution time | Executions per second |\n|---|---|---|\n"
    text += "".join(f"| {who} | `{ns:,}`ns (100%) | `{m:,}M`/sec |\n" for who, ns, m in rows)
    found = read_text(tmp_path, text, "t.md")
    means = {s.callpath: float(s.means[0]) for s in found.series}
    assert means == {
        "main[Library=fast (new)]": 40,
        "main[Library=slow]": 1250,
        "main[Library=old]": 2500,
    }


@pytest.mark.parametrize("step", [1, 3])
def test_numbers_of_jobs_are_no_sizes(tmp_path: Path, step: int) -> None:
    text = "Stage,Job,Elapsed\n" + "".join(
        f"{stage},{20852176 + step * k},00:01:{9 + 7 * k:02}\n"
        for k, stage in enumerate(("gate", "node", "base", "summary"))
    )
    found = read_text(tmp_path, text, "t.csv")
    assert not varied(found)
    assert {s.metric for s in found.series} == {"Elapsed"}


def test_what_follows_the_times_of_a_row_came_out(tmp_path: Path) -> None:
    text = "Name,Items,Average,Compares\n" + "".join(
        f"{name},{n},{n * cost / 1e6},{round(n * cost * 1.7)}\n"
        for n in (10, 100, 1000, 10_000, 100_000)
        for name, cost in (("qsort", 12.5), ("quadsort", 9.3))
    )
    assert varied(read_text(tmp_path, text, "t.csv")) == {"Items": 5}


def test_a_count_among_results_is_no_size(tmp_path: Path) -> None:
    text = "".join(
        f"{kind}\n   insert[]: {420 + k}\n      erase: {20 + k}\n       find: {15 + k}\n"
        f"      count: {14 + 5 * (k % 3)}\n  copy_ctor: {390 + k}\n\n"
        for k, kind in enumerate(("a::map", "b::map", "c::map", "d::map"))
    )
    with pytest.raises(DataError, match="which column was measured"):
        read_text(tmp_path, text, "t.txt")


def test_sizes_behind_the_times_are_sizes(tmp_path: Path) -> None:
    text = "fast slow n\n" + "".join(f"{n / 50} {n / 30:.2f} {n}\n" for n in (100, 200, 400, 800))
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"n": 4}
    assert {s.callpath for s in found.series} == {"fast", "slow"}


def test_a_knob_behind_the_time_is_no_repetition(tmp_path: Path) -> None:
    text = "n,time_s,lookahead\n" + "".join(
        f"{n},{n / 20 / ahead},{ahead}\n" for n in (100, 200, 400) for ahead in (1, 2, 4)
    )
    assert varied(read_text(tmp_path, text)) == {"n": 3, "lookahead": 3}


def test_close_numbers_without_words_beside_them_are_sizes(tmp_path: Path) -> None:
    text = "clock,time_s\n" + "".join(f"{3_000_000 + 500 * k},{1.5 + k}\n" for k in range(6))
    assert varied(read_text(tmp_path, text)) == {"clock": 6}


def test_cases_of_rising_sizes_name_the_points(tmp_path: Path) -> None:
    cases = (("tiny", 10), ("small", 100), ("medium", 1000), ("large", 10_000))
    text = "lib,case,time_ms,nodes\n" + "".join(
        f"{lib},{case},{n * cost / 1000},{n}\n"
        for lib, cost in (("a", 3), ("b", 5))
        for case, n in cases
    )
    assert varied(read_text(tmp_path, text)) == {"nodes": 4}


def test_brackets_of_code_are_no_links(tmp_path: Path) -> None:
    text = "| function | n | time |\n|---|---|---|\n" + "".join(
        f"| op[]({kind}) | {n} | {n * cost} |\n"
        for n in (1, 2, 4)
        for kind, cost in (("int", 0.1), ("long", 0.7))
    )
    found = read_text(tmp_path, text, "t.md")
    assert {s.callpath for s in found.series} == {"op[](int)", "op[](long)"}


def test_words_above_names_are_no_groups(tmp_path: Path) -> None:
    text = "Host: node1   Date: today\n   n              time            time\n"
    text += "".join(f"   {n}              {n}.5            {2 * n}.5\n" for n in (8, 16, 32))
    try:
        found = read_text(tmp_path, text, "t.out")
    except DataError:
        return
    assert not any("Host" in s.metric for s in found.series)
