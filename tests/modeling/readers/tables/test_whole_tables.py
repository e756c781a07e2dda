"""Tables as other people wrote them: what was varied and measured, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw_common.errors import DataError, InputError
from modeling import Measurements
from modeling.readers import read
from modeling.readers.choice import Choice


def read_text(folder: Path, text: str, name: str = "t.csv") -> Measurements:
    path = folder / name
    path.write_text(text)
    return read(path)


def varied(found: Measurements) -> dict[str, int]:
    values: dict[str, set[float]] = {}
    for s in found.series:
        for k, name in enumerate(s.parameters):
            values.setdefault(name, set()).update(s.points[:, k].tolist())
    return {name: len(of) for name, of in values.items() if len(of) > 1}


def test_what_each_run_has_was_measured(tmp_path: Path) -> None:
    head = "Size,Run1_Time,Run2_Time,Run3_Time,AverageTime,Run1_CPU,Run2_CPU,Run3_CPU,AverageCPU\n"
    rows = "50,0.2,0.3,0.25,0.25,0.0,0.0,0.0,0.0\n100,0.8,0.9,0.85,0.85,0.1,0.1,0.2,0.13\n"
    found = read_text(tmp_path, head + rows + "200,3.1,3.3,3.2,3.2,0.4,0.4,0.5,0.43\n")
    assert varied(found) == {"Size": 3}
    [times] = [s for s in found.series if s.metric == "Time"]
    assert times.counts.tolist() == [3, 3, 3]


def test_ratios_to_one_column_are_no_times(tmp_path: Path) -> None:
    text = "SIZE,CHUNK,BASE,two,four\n480,48,1.0,1.8,3.5\n640,96,1.0,1.9,3.1\n960,48,1.0,1.7,2.9\n"
    with pytest.raises(DataError, match="BASE is 1 throughout, so the others seem to be ratios"):
        read_text(tmp_path, text)
    chosen = read(tmp_path / "t.csv", choice=Choice(("SIZE",), ("four",)))
    assert {s.metric for s in chosen.series} == {"four"}


def test_times_that_fall_and_rise_again_depend_on_the_size(tmp_path: Path) -> None:
    at = {2: 0.37, 3: 0.27, 4: 0.24, 6: 0.21, 8: 0.19, 10: 0.20, 12: 0.22, 14: 0.25, 16: 0.29}
    rows = [f"{p},{k},{t + 0.002 * k},{t:.2f}" for p, t in at.items() for k in range(3)]
    found = read_text(tmp_path, "Threads,Iteration,Actual,Reported\n" + "\n".join(rows))
    assert varied(found) == {"Threads": len(at)}
    assert {s.callpath for s in found.series} == {"Actual", "Reported"}


def test_serial_is_one_thread(tmp_path: Path) -> None:
    rows = [f"{n},{p},{n / (p if p != 'serial' else 1)}" for n in (64, 128) for p in ("serial", 2)]
    found = read_text(tmp_path, "n,threads,time\n" + "\n".join((*rows, "64,4,16", "128,4,32")))
    assert varied(found) == {"n": 2, "threads": 3}
    with pytest.raises(DataError, match="parameter threads is 'unknown', not a number"):
        read_text(tmp_path, "n,threads,time\n64,unknown,1\n64,2,3\n64,4,3\n64,8,3\n")


def test_lists_of_settings_are_refused(tmp_path: Path) -> None:
    rows = [f"card{k % 4},driver{k % 3},note{k},{k % 2},{512 << (k % 3)},{k}" for k in range(12)]
    text = "hardware,driver,remark,queues,rxd,buffers\n" + "\n".join(rows)
    with pytest.raises(DataError):
        read_text(tmp_path, text)


def test_long_tables_name_metrics_and_values(tmp_path: Path) -> None:
    rows = [
        f"{n},{run},{metric},{value}"
        for n in (1, 2, 4)
        for run in (1, 2)
        for metric, value in (("Time", 100 * n + run), ("Memory", 10 + n))
    ]
    found = read_text(tmp_path, "Size,RunIndex,MetricName,MetricValue\n" + "\n".join(rows))
    assert {s.metric for s in found.series} == {"Time", "Memory"}
    assert varied(found) == {"Size": 3}
    assert all(s.counts.tolist() == [2, 2, 2] for s in found.series)


def test_sentences_do_not_tell_series_apart(tmp_path: Path) -> None:
    rows = [
        f"{n},{90 / n},run number {n} was made on a quiet machine as always" for n in (1, 2, 4, 8)
    ]
    found = read_text(tmp_path, "threads,time_s,remark\n" + "\n".join(rows))
    assert len(found.series) == 1
    assert varied(found) == {"threads": 4}


def test_rates_may_name_what_they_count(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{900 * n}" for n in (1, 2, 4, 8))
    for name in ("throughput_ops", "bandwidth_MBps"):
        found = read_text(tmp_path, f"threads,{name}\n{rows}")
        assert {s.metric for s in found.series} == {name}


@pytest.mark.parametrize(
    ("text", "name", "points"),
    [
        ("0\n0.0002\n1\n0.39\n2\n0.89\n3\n1.54\n", "n", 4),
        (
            "$ ./run --m 3 --N 1000\nElapsed Time 2 m 45.66 s\n./run --m 3 --N 100000\n"
            "Elapsed Time 88 m 8.06 s\n",
            "N",
            2,
        ),
        ("Time to write 100 SETs\n\nT=1 5.4\nT=2 11.4\nT=3 10.6\nT=4 12.1\n", "T", 4),
        ("900 ops/sec with 192 threads\n1200 ops/sec with 384 threads\n" * 2, "threads", 2),
    ],
)
def test_consoles(tmp_path: Path, text: str, name: str, points: int) -> None:
    assert varied(read_text(tmp_path, text, "t.txt")) == {name: points}


def test_durations_of_a_command_are_seconds(tmp_path: Path) -> None:
    text = "run --n 10\nElapsed 2 m 45.5 s\nrun --n 20\nElapsed 1h 1m 1s\n"
    [series] = read_text(tmp_path, text, "t.txt").series
    assert series.means.tolist() == [165.5, 3661.0]


def test_sizes_in_words_tell_no_series_apart(tmp_path: Path) -> None:
    rows = [
        f"{sort}_{n}.sh,{n},{n * cost}"
        for sort, cost in (("bubble", 3.0), ("heap", 0.1))
        for n in (1000, 2000, 4000)
    ]
    found = read_text(tmp_path, "Program,Input Size,Time (sec)\n" + "\n".join(rows))
    assert {s.callpath for s in found.series} == {
        "main[Program=bubble.sh]",
        "main[Program=heap.sh]",
    }
    assert all(len(s.points) == 3 for s in found.series)


def test_plurals_are_no_seconds_and_energies_no_sizes(tmp_path: Path) -> None:
    rows = [
        f"{n},{(k * 0.37 + n) % 7:.5f},{(k * 0.61) % 3:.5f},{n * 1e-3:.6f}"
        for k, n in enumerate([1000, 2000, 4000] * 14)
    ]
    found = read_text(tmp_path, "Size,Core(s),GPU,Time(sec)\n" + "\n".join(rows))
    assert {s.metric for s in found.series} <= {"Time(sec)", "time"}
    assert varied(found) == {"Size": 3}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "mean rate = 500.0 calls/second\n75% <= 25.0 ns\n95% <= 27.0 ns\n98% <= 36.0 ns\n",
            "shares in % are no sizes",
        ),
        ("timeStamp,elapsed,label,allThreads\n1652,956,POST,10\n", "--params allThreads"),
    ],
)
def test_other_tables_are_refused_with_a_cure(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises((DataError, InputError), match=why):
        read_text(tmp_path, text, "t.csv" if text.startswith("time") else "t.md")


def test_what_follows_a_time_with_fractions_is_an_outcome(tmp_path: Path) -> None:
    rows = [
        f"{k},{s},{1e-3 * k},{0.9 - 1 / (k + s // 3):.5f}" for k in (4, 8, 16, 32) for s in range(5)
    ]
    found = read_text(tmp_path, "k,Seed,Time_s,Agreement\n" + "\n".join(rows))
    assert varied(found) == {"k": 4}


def test_compilers_and_flags_are_compared_whatever_they_build(tmp_path: Path) -> None:
    rows = [
        f"{cc},{flag},{size},{1 / size:.4f}"
        for cc, flag, size in (("gcc", "-O2", 16.02), ("gcc", "-O3", 15.97), ("icx", "-O2", 30.21))
    ]
    found = read_text(tmp_path, "Compiler,Flags,Binary_Size_KB,Mean_Time_s\n" + "\n".join(rows))
    assert varied(found) == {}
    assert {s.callpath for s in found.series} == {
        f"main[Compiler={cc}, Flags={flag}]"
        for cc, flag in (("gcc", "-O2"), ("gcc", "-O3"), ("icx", "-O2"))
    }


def test_boxes_below_each_other_are_tables_of_their_own(tmp_path: Path) -> None:
    text = "┏━━━┳━━━━┓\n┃ n ┃ ms ┃\n┡━━━╇━━━━┩\n│ 8 │ 11 │\n│ 16 │ 21 │\n│ 32 │ 44 │\n└───┴────┘\n"
    text += "┏━━━━━━━┳━━━┓\n┃ Sum   ┃   ┃\n┡━━━━━━━╇━━━┩\n│ Total │ 3 │\n└───────┴───┘\n"
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"n": 3}
    assert found.series[0].means.tolist() == [11.0, 21.0, 44.0]


def test_counts_beside_times_in_other_lines_are_not_what_was_measured(tmp_path: Path) -> None:
    text = "".join(
        f"### {p} threads ({p} plugin instances)\nreal 1m{10 + p}.5s\nuser 2m{p}.25s\n\n"
        for p in (2, 4, 8)
    )
    found = read_text(tmp_path, text, "t.txt")
    assert varied(found) == {"threads": 3}
    assert {s.metric for s in found.series} == {"real", "user"}
