"""The files of runs: torn and damaged lines, what earlier versions wrote, the index."""

from __future__ import annotations

import json
import os
import platform
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime import InputError, RankCounts, RunError, RunRecord, Store, open_index
from runtime.counters.counts import CallRow, Calls, Snapshot
from runtime.launch.run import RunResult
from runtime.sweep.records import line_of, parse_line, run_line, run_record

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
    counts = ((1,), (4,), (0.1,))
    assert found["old"] == RunRecord("old", {"n": 4}, ("4",), 0, "ok", 0, "", "", 0.1, 0.1, *counts)
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


def test_an_index_that_cannot_be_written_is_made_in_memory(tmp_path: Path) -> None:
    Store(tmp_path).append(RECORD)
    (tmp_path / "index.sqlite").mkdir()
    index = open_index(tmp_path)
    assert index.execute("SELECT key, ranks FROM runs").fetchall() == [("k0", 2)]
    assert list((tmp_path / "index.sqlite").iterdir()) == []


def test_looking_for_runs_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no runs here"):
        open_index(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


NUMBERS = st.integers(-1, 1 << 62)
FLOATS = st.floats(allow_nan=False)
NAMED = st.dictionaries(st.text(), NUMBERS, max_size=3)
COUNTS = [st.lists(kind, max_size=3).map(tuple) for kind in (NUMBERS, NUMBERS, FLOATS)]
ROWS = st.builds(
    CallRow,
    NUMBERS,
    NAMED,
    NUMBERS,
    st.dictionaries(NUMBERS, NUMBERS, max_size=2),
    st.none() | FLOATS,
    NUMBERS,
)
WORDS = st.lists(st.text(), max_size=3).map(tuple)
RECORDS = st.builds(
    RunRecord,
    st.text(),
    NAMED,
    WORDS,
    NUMBERS,
    st.sampled_from(["ok", "failed", "timeout", "incomplete"]),
    st.none() | NUMBERS,
    st.text(),
    st.text(),
    FLOATS,
    FLOATS,
    *COUNTS,
    st.lists(st.builds(RankCounts, NUMBERS, *COUNTS), max_size=2).map(tuple),
    WORDS,
    st.text(),
    NUMBERS,
    NUMBERS,
    st.text(),
    st.text(),
    st.dictionaries(st.text(), NUMBERS | FLOATS, max_size=2),
    st.lists(ROWS, max_size=2).map(tuple),
    st.dictionaries(NUMBERS, NUMBERS, max_size=2),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(RECORDS)
def test_a_line_tells_all_of_a_run(record: RunRecord) -> None:
    line = run_line(record)
    assert line.count(b"\n") == 1
    found = parse_line(line[:-1])
    assert found is not None
    assert found[0] == "run"
    again = run_record(found[1])
    assert again == record
    assert {n: type(v) for n, v in again.events.items()} == {
        n: type(v) for n, v in record.events.items()
    }


def _counted(iterations: int, rows: tuple[CallRow, ...] = ()) -> Snapshot:
    one = np.ones(1, np.int64)
    calls = Calls(rows, {3: 2} if rows else {})
    return Snapshot(one, one * iterations, one * 0.5, one, True, calls=calls)


def test_a_record_tells_what_a_run_left() -> None:
    row = CallRow(0, {"n": 5}, 1, {0: 3}, 0.5, 1)
    ranks = {2: _counted(4), 0: _counted(5), 1: _counted(6)}
    done = RunResult("ok", 0, "", "", 0.2, 0.1, _counted(15, (row,)), ranks, {"cycles": 7})
    record = RunRecord.of("k", {"n": 5}, ("5",), 0, done)
    assert [(r.rank, r.iterations) for r in record.ranks] == [(0, (5,)), (1, (6,)), (2, (4,))]
    assert (record.iterations, record.calls, record.missed_calls) == ((15,), (row,), {3: 2})
    assert record.events == {"cycles": 7}
    nothing = RunRecord.of("k", {}, (), 0, RunResult("failed", 1, "?", "", 0.2, 0.1, None))
    assert (nothing.entries, nothing.calls, nothing.missed_calls) == ((), (), {})
    assert (record.ok, nothing.ok) == (True, False)


def test_processes_are_runs_of_their_own() -> None:
    one, other = RECORD.of_ranks("rank")
    assert (one.params, one.rank, one.iterations) == ({"n": 5, "rank": 0}, 0, (2,))
    assert (other.params, other.rank, other.iterations) == ({"n": 5, "rank": 1}, 1, (3,))
    assert [r.params for r in RECORD.of_ranks()] == [{"n": 5}, {"n": 5}]
    assert one.ranks == ()
    assert one.of_ranks("rank") == (one,)


def test_copies_of_a_loop_are_summed_where_all_are_counted() -> None:
    record = replace(RECORD, iterations=(0, 3, -1))
    assert record.iterations_of([0, 1]) == 3
    assert record.iterations_of([0]) == 0
    assert record.iterations_of([1, 2]) is None


def test_lines_of_kinds_that_are_not_known_are_passed_over(tmp_path: Path) -> None:
    """A later version may write them."""
    store = Store(tmp_path)
    store.append(RECORD)
    with store.path.open("ab") as file:
        file.write(line_of("weather", {"counters": []}))
    again = Store(tmp_path)
    assert set(again.load()) == {"k0"}
    assert (again.torn, again.programs, again.environments) == (0, {}, {})


@pytest.mark.parametrize("host", ["n\u00f6de 7/x", "", "..", "a" * 20])
def test_files_are_named_after_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(platform, "node", lambda: host)
    store = Store(tmp_path)
    store.append(RECORD)
    name = store.path.name.partition(f"-{os.getpid()}-")[0]
    assert name == {"n\u00f6de 7/x": "n-de-7-x", "": "host", "..": "host"}.get(host, host)
    assert set(Store(tmp_path).load()) == {"k0"}


def test_a_run_is_on_disk_when_it_is_appended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line, and the name of a new file in its folder; others may read it."""
    synced: list[str] = []

    def fsync(descriptor: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)

    monkeypatch.setattr(os, "fsync", fsync)
    before = os.umask(0)
    try:
        store = Store(tmp_path)
        store.append(RECORD)
        store.append(replace(RECORD, key="k1"))
    finally:
        os.umask(before)
    file = store.path.name
    assert synced == [file, "runs", file]
    assert store.path.stat().st_mode & 0o777 == 0o644


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot be made a directory"):
        Store(tmp_path / "out")
