"""The files of runs: torn and damaged lines, what earlier versions wrote, the index."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from runtime import InputError, RankCounts, RunError, RunRecord, Store, open_index
from runtime.sweep.records import parse_line, run_line

RECORD = RunRecord(
    "k0",
    {"n": 5},
    ("5",),
    0,
    "ok",
    0,
    "",
    'a \u2028 "quoted"\n line',
    0.25,
    0.2,
    (1,),
    (5,),
    (1e-9,),
    (RankCounts(0, (1,), (2,), (1e-9,)), RankCounts(1, (0,), (3,), (0.0,))),
    ("mpiexec", "-n", "2"),
    "2026-01-01T00:00:00.000+00:00",
    3,
    7,
    "e",
    "p",
)
OLD = {
    "key": "old",
    "params": {"n": 4},
    "argv": ["4"],
    "repetition": 0,
    "status": "ok",
    "exit_code": 0,
    "reason": "",
    "stderr": "",
    "elapsed_s": 0.1,
    "cpu_s": 0.1,
    "entries": [1],
    "iterations": [4],
    "seconds": [0.1],
}


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.describe("environment", {"host": "here"})
    program = store.describe(
        "program", {"counters": [{"at": "a.c:1:2", "function": "f", "timed": True}]}
    )
    record = replace(RECORD, environment=name, program=program)
    store.append(record)
    again = Store(tmp_path)
    assert again.load() == {"k0": record}
    assert again.environments[name] == {"host": "here"}
    assert again.programs[program][0].at == "a.c:1:2"
    assert store.path.read_text().count("\n") == 3


def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    lines = [run_line(replace(RECORD, key=f"k{i}")) for i in range(3)]
    data = b"".join(lines)
    ends = [sum(map(len, lines[:k])) for k in range(4)]
    path = tmp_path / "runs" / "a.jsonl"
    path.parent.mkdir()
    for cut in (*range(0, len(data), 7), *ends):
        path.write_bytes(data[:cut])
        store = Store(tmp_path)
        whole = sum(end <= cut for end in ends[1:])
        assert len(store.load()) == whole
        assert store.torn == (cut not in ends)


def test_a_damaged_byte_is_noticed_wherever_it_is() -> None:
    line = run_line(RECORD)[:-1]
    generator = random.Random(5)
    for at in range(len(line)):
        other = generator.choice([b for b in range(256) if b != line[at]])
        found = parse_line(line[:at] + bytes([other]) + line[at + 1 :])
        assert found is None or found[0] != "run", at


def test_damage_in_the_middle_costs_one_line(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "a.jsonl"
    path.parent.mkdir()
    lines = [run_line(replace(RECORD, key=f"k{i}")) for i in range(3)]
    path.write_bytes(
        lines[0]
        + lines[1].replace(b'"n":5', b'"n":6')
        + lines[2]
        + b"\0\xff\n"
        + b"[" * 5000
        + b"\n"
    )
    store = Store(tmp_path)
    assert set(store.load()) == {"k0", "k2"}
    assert store.torn == 3


def test_runs_of_earlier_versions_are_read(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_text(json.dumps(OLD) + "\n" + '{"key": "half')
    store = Store(tmp_path)
    found = store.load()
    assert found["old"].iterations == (4,)
    assert found["old"].ranks == ()
    assert store.torn == 1
    store.append(RECORD)
    assert set(Store(tmp_path).load()) == {"old", "k0"}


def test_a_success_is_not_replaced_by_a_later_failure(tmp_path: Path) -> None:
    one, other = Store(tmp_path), Store(tmp_path)
    one.append(replace(RECORD, status="failed"))
    other.append(RECORD)
    one.append(replace(RECORD, status="failed"))
    assert Store(tmp_path).load()["k0"].ok


def test_only_what_is_new_is_read_again(tmp_path: Path) -> None:
    reader, writer = Store(tmp_path), Store(tmp_path)
    writer.append(RECORD)
    assert [r.key for r in reader.fresh()] == ["k0"]
    assert list(reader.fresh()) == []
    with writer.path.open("ab") as file:
        line = run_line(replace(RECORD, key="k1"))
        file.write(line[:20])
        file.flush()
        assert list(reader.fresh()) == [], "a line that is being written is not yet there"
        file.write(line[20:])
    assert [r.key for r in reader.fresh()] == ["k1"]


def test_index_follows_the_files(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no runs here"):
        open_index(tmp_path)
    store = Store(tmp_path)
    for n in range(10):
        store.append(
            replace(RECORD, key=f"k{n}", params={"n": n}, status="failed" if n % 4 == 0 else "ok")
        )
    query = (
        "SELECT status, count(*), sum(json_extract(params, '$.n')) FROM runs GROUP BY status ORDER"
        " BY status"
    )
    assert open_index(tmp_path).execute(query).fetchall() == [("failed", 3, 12), ("ok", 7, 33)]
    file = tmp_path / "index.sqlite"
    known = file.stat().st_ino
    assert open_index(tmp_path).execute(query).fetchall()[1] == ("ok", 7, 33)
    assert file.stat().st_ino == known, "nothing new: the index is as it was"
    store.append(replace(RECORD, key="more", params={"n": 100}))
    assert open_index(tmp_path).execute(query).fetchall()[1] == ("ok", 8, 133)
    file.write_bytes(b"damaged")
    assert open_index(tmp_path).execute(query).fetchall()[1] == ("ok", 8, 133)
    assert (
        not list(tmp_path.glob("*-wal"))
        + list(tmp_path.glob("*-journal"))
        + list(tmp_path.glob(".index*"))
    )


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot be made a directory"):
        Store(tmp_path / "out")
