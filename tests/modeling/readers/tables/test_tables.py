"""One table is the same in every way to write it, and its columns are taken for what they are."""

from __future__ import annotations

import json
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw_common.errors import DataError, InputError, LooplawWarning
from modeling import Measurements
from modeling.readers import read_text
from modeling.readers.choice import NOTHING, Choice
from modeling.readers.collect import collect
from modeling.readers.files import _columns
from modeling.readers.tables.cells import Style, quantity

HEAD = ("algo", "n", "time_ms")


def read(text: str, choice: Choice = NOTHING) -> Measurements:
    """Measurements without the warnings of what is not used."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LooplawWarning)
        columns, _ = _columns(iter((text,)), "t", "", choice)
        return collect(columns, "t")


def shape(found: Measurements) -> dict[str, dict[str, list[str]]]:
    """Call path -> metric -> parameters that vary."""
    result: dict[str, dict[str, list[str]]] = {}
    for s in found.series:
        varied = [n for k, n in enumerate(s.parameters) if len(set(s.points[:, k].tolist())) > 1]
        result.setdefault(s.callpath, {})[s.metric] = varied
    return result


def separated(rows: list[tuple[str, ...]], separator: str) -> str:
    return "\n".join(separator.join(row) for row in [HEAD, *rows]) + "\n"


def markdown(rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in [HEAD, *rows]]
    return "\n".join([lines[0], "|---|---|---:|", *lines[1:]])


def blanks(rows: list[tuple[str, ...]]) -> str:
    return "\n".join("".join(cell.ljust(16) for cell in row) for row in [HEAD, *rows])


def simple_rst(rows: list[tuple[str, ...]]) -> str:
    rule = "=" * 14 + "  " + "=" * 14 + "  " + "=" * 14
    return "\n".join([rule, blanks([]), rule, *blanks(rows).split("\n")[1:], rule])


def grid_rst(rows: list[tuple[str, ...]]) -> str:
    rule = "+" + ("-" * 18 + "+") * 3
    lines = ["|" + "|".join(f" {cell:<16} " for cell in row) + "|" for row in [HEAD, *rows]]
    return "\n".join([rule, *(x for line in lines for x in (line, rule))])


def inside_a_text(rows: list[tuple[str, ...]]) -> str:
    return f"# Results\n\nOn my machine, with -O2:\n\n{markdown(rows)}\n\nThat is all.\n"


def records(rows: list[tuple[str, ...]]) -> str:
    return json.dumps([{"algo": a, "n": int(n), "time_ms": float(t)} for a, n, t in rows])


def columns_of_json(rows: list[tuple[str, ...]]) -> str:
    return json.dumps(
        {
            "algo": {str(k): r[0] for k, r in enumerate(rows)},
            "n": {str(k): int(r[1]) for k, r in enumerate(rows)},
            "time_ms": {str(k): float(r[2]) for k, r in enumerate(rows)},
        }
    )


WAYS = (
    lambda rows: separated(rows, ","),
    lambda rows: separated(rows, ";"),
    lambda rows: separated(rows, "\t"),
    lambda rows: "﻿" + separated(rows, ","),
    lambda rows: "# made by a script\n" + separated(rows, ","),
    lambda rows: separated(rows, ",").replace("\n", "\r\n"),
    markdown,
    blanks,
    simple_rst,
    grid_rst,
    inside_a_text,
    records,
    columns_of_json,
)


@settings(deadline=None, max_examples=25)
@given(
    sizes=st.lists(st.integers(1, 10**6), min_size=3, max_size=6, unique=True),
    words=st.lists(st.sampled_from(["radix", "std", "merge"]), min_size=2, max_size=3, unique=True),
    values=st.lists(st.integers(1, 10**7), min_size=18, max_size=18),
)
def test_a_table_is_the_same_in_every_way_to_write_it(
    sizes: list[int], words: list[str], values: list[int]
) -> None:
    places = [(word, n) for word in words for n in sorted(sizes)]
    rows = [(w, str(n), repr(v / 1000)) for (w, n), v in zip(places, values, strict=False)]
    wanted = {
        (f"main[algo={w}]", float(n)): float(t) for w, n, t in ((a, int(b), c) for a, b, c in rows)
    }
    for way in WAYS:
        found = read(way(rows))
        assert {s.unit for s in found.series} == {"ms"}
        told = {
            (s.callpath, float(p[0])): m
            for s in found.series
            for p, m in zip(s.points.tolist(), s.means.tolist(), strict=True)
        }
        assert told == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("4.85 ms", 4.85, "ms"),
        ("1m12.3s", 72.3, "s"),
        ("02:10:05", 7805.0, "s"),
        ("1-02:00:00", 93600.0, "s"),
        ("12 %", 12, "%"),
        ("64K", 64000, ""),
        ("64KiB", 64, "KiB"),
        ("1,234,567", 1234567, ""),
        ("1,234.5 us", 1234.5, "us"),
        ("5.6 ± 1.5", 5.6, ""),
        ("61873.466+-26.274", 61873.466, ""),
        ("2^20", 2**20, ""),
        ("512x512", 512, ""),
        ("**744.7 ns**", 744.7, "ns"),
        ("0.25 us/op", 0.25, "us"),
        ("10000 (22MB)", 10000, ""),
    ],
)
def test_cells_hold_numbers_as_people_write_them(text: str, number: float, unit: str) -> None:
    found = quantity(text, Style())
    assert found is not None
    assert (found.number, found.unit) == (pytest.approx(number), unit)


@pytest.mark.parametrize(
    "text", ["-O2", "std::sort", "1 hd fe", "2015-07-31 22:37:51", "128x256", ""]
)
def test_words_are_no_numbers(text: str) -> None:
    assert quantity(text, Style()) is None


def test_decimal_commas_and_doubled_kilos_are_told_by_the_column() -> None:
    (series,) = read("n;Zeit\n1000;0,52\n2000;1,05\n4000;2,11\n").series
    assert series.means.tolist() == [0.52, 1.05, 2.11]
    (series,) = read("size,time\n1K,1\n2K,2\n4K,4\n1M,1024\n").series
    assert series.points[:, 0].tolist() == [1024, 2048, 4096, 2**20]
    (series,) = read("size,time\n1K,1\n10K,2\n100K,4\n").series
    assert series.points[:, 0].tolist() == [1000, 10000, 100000]


# excerpts of public tables; the repository is named above each


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (  # ArbriHamzallari/parallel-sort-openmp results/sizes.csv
            "algo,n,threads,reps,seconds,correct\nradix,65536,10,5,0.0004,1\n"
            "radix,262144,10,5,0.0006,1\nstd,65536,10,5,0.0009,1\nstd,262144,10,5,0.0038,1\n",
            {"main[algo=radix]": {"time": ["n"]}, "main[algo=std]": {"time": ["n"]}},
        ),
        (  # H0NEYP0T-466/cuda-mpi-matmul-engine results/scaling.csv
            "mode,matrix_size,num_procs,exec_time_ms,gflops,speedup,efficiency\n"
            "mpi,512,1,244.267,1.0989,1.00,100.00\nmpi,512,2,123.562,2.1725,1.97,98.00\n"
            "mpi,512,4,72.283,3.7137,3.37,84.00\nmpi,1024,1,3715.969,0.5779,1.00,100.00\n"
            "mpi,1024,2,2074.3,1.0353,1.79,89.00\nmpi,1024,4,1200.2,1.7893,3.09,77.00\n",
            {"main": {"exec_time_ms": ["matrix_size", "num_procs"]}},
        ),
        (  # alimanfoo/anjl benchmark
            "implementation,size,rep,time\na,50,0,0.1\na,50,1,0.11\na,100,0,0.2\na,100,1,0.21\n",
            {"main": {"time": ["size"]}},
        ),
        (  # AhmedProj/ParallelComputing results/results.csv: versions side by side
            "Matrix Size,Simple,C++ Code\n64,0.069,0.060\n128,0.392,0.075\n256,3.80,0.122\n",
            {"Simple": {"time": ["Matrix_Size"]}, "C++ Code": {"time": ["Matrix_Size"]}},
        ),
        (  # IagoNat/TP2-ALGII benchmarks/results.csv: an instance names its size
            "instance,algorithm,n_items,time_sec,status\na,bnb,10,0.1,OK\na,greedy,10,0.01,OK\n"
            "b,bnb,20,0.4,OK\nb,greedy,20,0.02,OK\nc,bnb,40,1.7,OK\nc,greedy,40,0.05,OK\n",
            {
                "main[algorithm=bnb]": {"time_sec": ["n_items"]},
                "main[algorithm=greedy]": {"time_sec": ["n_items"]},
            },
        ),
        (  # Treit/MiscBenchmarks: BenchmarkDotNet
            "| Method | Count | Mean | Error | StdDev | Ratio |\n|---|---|---:|---:|---:|---:|\n"
            "| **A** | **100** | **744.7 ns** | **4.65 ns** | **4 ns** | **1.00** |\n"
            "| B | 100 | 1,768.4 ns | 5.43 ns | 4 ns | 2.00 |\n"
            "| A | 1000 | 7.5 us | 4.65 ns | 4 ns | 1.00 |\n"
            "| B | 1000 | 17.1 us | 4.65 ns | 4 ns | 2.00 |\n",
            {"main[Method=A]": {"time": ["Count"]}, "main[Method=B]": {"time": ["Count"]}},
        ),
        (  # mwasifshkeel/distributed-mlp results/speedup_table.txt
            "Input size: 50000\n\nworkers  T_par(sec)   S(p)         E(p)\n"
            "1        730.982      1.000        1.000\n2        410.1        1.782        0.891\n"
            "4        240.2        3.043        0.761\n",
            {"main": {"T_par(sec)": ["workers"]}},
        ),
        (  # alex-java/fastarray benchmark/results.csv: JMH
            '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit",'
            '"Param: size"\n"a.add","avgt",4,2,0.05,NaN,"us/op",10\n'
            '"a.add","avgt",4,2,0.2,NaN,"us/op",50\n',
            {"main[Benchmark=a.add, Mode=avgt]": {"time": ["size"]}},
        ),
        (  # a question of a newcomer
            "An algorithm with size n = 100 takes 21 seconds to run. With size n = 1000, it takes"
            " 31 seconds, and with n = 10000, it takes 41 seconds to run.",
            {"main": {"time": ["n"]}},
        ),
        (
            "Input size: 500, elapsed time: 0:00:01.25\nInput size: 1000, elapsed time: 0:00:05.1\n"
            "Input size: 2000, elapsed time: 0:00:20.3\n",
            {"main": {"time": ["size"]}},
        ),
    ],
)
def test_columns_are_taken_for_what_they_are(text: str, wanted: dict[str, object]) -> None:
    assert shape(read(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "item,price,weight\n1,94,485\n2,506,326\n3,416,248\n4,992,421\n5,649,322\n6,237,795\n7,457,43\n",
        "Firm,Year,Emp,Wage\n1,1977,5.041,13.15\n1,1978,5.6,12.3\n2,1977,5.01,12.8\n2,1978,4.7,13.8\n",
        "1,3\n24,8\n18,20\n19,15\n25,12\n",
    ],
)
def test_what_no_name_and_no_order_tells_is_refused_with_the_cure(text: str) -> None:
    with pytest.raises(DataError, match=r"t:1: which column was measured\?.*--values NAME"):
        read(text)


def test_a_user_overrules_what_columns_mean() -> None:
    text = "firm,year,wage\n1,1977,13.15\n1,1978,12.3\n1,1979,12.8\n"
    found = read(text, Choice(("year",), ("wage",)))
    assert shape(found) == {"main": {"wage": ["year"]}}
    lines = "".join(
        json.dumps({"params": {"n": n, "p": p}, "metric": "time", "value": n / p}) + "\n"
        for n in (8, 16, 32)
        for p in (1, 2)
    )
    found = read(lines, Choice(series=("p",)))
    assert shape(found) == {"main[p=1]": {"time": ["n"]}, "main[p=2]": {"time": ["n"]}}
    with pytest.raises(InputError, match="no parameter q; there are n, p"):
        read(lines, Choice(("q",)))


def test_how_columns_were_taken_is_said() -> None:
    found = read_text("n,algo,time_s\n8,a,1\n16,a,2\n8,b,2\n16,b,4\n", "t.csv")
    assert found.reading == "n varied; time_s measured; algo tells 2 series apart"
    with pytest.warns(LooplawWarning, match=r"not used: speedup \(= 99.9/wall_time\)"):
        read_text("ranks,wall_time,speedup\n1,100,1\n2,52,1.92\n4,27,3.7\n", "t.csv")


SHEETS = (
    "Size,Old run 1,Old run 2,New run 1,New run 2\n",
    "Benchmarks of the matcher,,,,\n,,,,\nSize,Old run 1,Old run 2,New run 1,New run 2\n",
    '"Matcher, laptop, 2 runs",,,,\nSize,Old #1,Old #2,New #1,New #2\n',
    "Size,Old,,New,\n,run 1,run 2,run 1,run 2\n",
    "Times,,,,\n,Old,,New,\nSize,rep1,rep2,rep1,rep2\n",
)


@pytest.mark.parametrize("head", SHEETS)
def test_titles_groups_and_columns_of_repetitions_are_read_as_in_a_tidy_table(head: str) -> None:
    times = {("Old", 1): 2.0, ("Old", 2): 2.5, ("New", 1): 7.0, ("New", 2): 7.5}
    sizes = (100, 200, 400, 800, 1600)
    rows = [",".join(map(str, [n, *(t * n for t in times.values())])) for n in sizes]
    found = read(head + "\n".join(rows) + "\n")
    assert {s.callpath: s.metric for s in found.series} == {"Old": "time", "New": "time"}
    for s in found.series:
        one, two = times[s.callpath, 1], times[s.callpath, 2]
        assert s.points[:, 0].tolist() == list(sizes)
        assert s.counts.tolist() == [2] * len(sizes)
        assert s.means.tolist() == [(one + two) / 2 * n for n in sizes]


def test_one_column_of_a_repetition_can_be_chosen() -> None:
    text = "n,run 1 (ms),run 2 (ms)\n1,2,3\n2,4,6\n3,6,9\n4,8,12\n"
    (chosen,) = read(text, Choice(("n",), ("run 2 (ms)",), ())).series
    assert chosen.means.tolist() == [3, 6, 9, 12]
    (both,) = read(text).series
    assert both.means.tolist() == [2.5, 5, 7.5, 10]
    assert both.unit == "ms"


def test_columns_that_do_not_count_repetitions_are_not_joined() -> None:
    rows = "\n1,2,3\n2,4,6\n3,6,9\n4,8,12\n"
    assert len(read(f"n,brun1,brun2{rows}").series) == 2
    with pytest.raises(DataError, match="which column was measured"):
        read(f"n,run 1,run 3{rows}")
