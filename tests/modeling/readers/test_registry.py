"""Readers are found in their files; each gives single observations with all that a file says."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import modeling.readers
from modeling import DataError, InputError
from modeling.data.checks import label
from modeling.data.observations import Observation
from modeling.readers import READERS, Reader, read_observations, read_text, reader_of
from modeling.readers.registry import file_readers, text_readers

FROGS = """
from modeling.data.observations import Observation
from modeling.readers import TextReader


def read_frogs(text, name):
    for line in text.splitlines()[1:]:
        n, value = line.split()
        yield Observation({"n": int(n)}, "pond", "frogs", int(value))


READERS = (TextReader("frogs", ".frogs", lambda text: text.startswith("FROGS"), read_frogs),)
"""


def test_all_of_them_are_readers_with_names_of_their_own() -> None:
    assert all(isinstance(reader, Reader) for reader in READERS)
    assert len({reader.name for reader in READERS}) == len(READERS) == 23
    assert [reader.pattern for reader in file_readers()] == ["*.cubex", "*.cali", "*.stats"]


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more file in the folder of the readers."""
    (tmp_path / "pond_of_frogs.py").write_text(FROGS)
    monkeypatch.setattr(modeling.readers, "__path__", [*modeling.readers.__path__, str(tmp_path)])
    text_readers.cache_clear()
    yield
    text_readers.cache_clear()
    sys.modules.pop("modeling.readers.pond_of_frogs")


def test_a_format_is_added_by_one_file(pond: None) -> None:
    text = "FROGS\n1 3\n2 5\n"
    assert reader_of(text, "x").name == "frogs"
    (series,) = read_text(text, "x").series
    assert (series.callpath, series.metric, series.means.tolist()) == ("pond", "frogs", [3, 5])


def test_a_damaged_file_is_refused_by_the_reader_it_resembles() -> None:
    with pytest.raises(InputError, match="x: perf stat without -j"):
        reader_of("# started on Monday\n 12 cycles\n", "x")
    with pytest.raises(DataError, match='x:1: "params" must be an object'):
        read_text('{"value": 3}', "x")


def test_a_line_says_rank_thread_and_repetition_and_numbers_stay_what_they_are() -> None:
    text = (
        '{"params": {"p": 2, "n": 64.0}, "callpath": "f", "metric": "visits",'
        ' "value": 9007199254740993, "rank": 1, "thread": 0, "repetition": 3, "host": "a"}'
    )
    (found,) = read_observations(text, "x")
    assert found == Observation({"p": 2, "n": 64.0}, "f", "visits", 2**53 + 1, 1, 0, 3)
    assert [type(v) for v in found.params.values()] == [int, float]
    assert (list(found.params), found.line) == (["p", "n"], 1)
    with pytest.raises(DataError, match="x:1: unknown field 'host'"):
        list(read_observations(text, "x", strict=True))


def test_labels_that_are_no_numbers_tell_repetitions_apart() -> None:
    assert [label(x) for x in (0, 7, "7", " 12", 3.0, "3.0")] == [0, 7, 7, 12, 3, 3]
    others = ["a", "b", "-1", "1.5", True, ""]
    assert len({label(x) for x in others}) == len(others)
    assert label("a") == label("a") > 2**31
    table = "n,rank,run,time\n1,0,first,2.5\n1,0,second,3.5\n"
    one, two = read_observations(table, "x")
    assert (one.rank, one.value, two.value) == (0, 2.5, 3.5)
    assert one.repetition == label("first") != two.repetition
    with pytest.raises(DataError, match="x:2: repetition is 'first', not a whole number from 0"):
        list(read_observations(table, "x", strict=True))


def test_run_is_a_parameter_where_ranks_are_not_kept_apart() -> None:
    (found,) = read_observations("run,time\n4,2.5\n", "x")
    assert (dict(found.params), found.repetition) == ({"run": 4}, None)


def test_tools_name_repetitions_and_ranks_in_their_own_ways() -> None:
    google = {"name": "f/8", "real_time": 2.0, "time_unit": "s", "repetition_index": 1}
    (found,) = read_observations(json.dumps({"benchmarks": [google]}), "x")
    assert found == Observation({"n": 8}, "f", "real_time", 2.0, repetition=1, unit="s")
    caliper = {
        "data": [[0, 3, 1.5], [0, None, 2.5], [0, "all", 3.5]],
        "columns": ["path", "mpi.rank", "time"],
        "column_metadata": [{}, {"is_value": True}, {"is_value": True}],
        "nodes": [{"label": "main"}],
    }
    several = read_observations(json.dumps(caliper), "x")
    assert [(o.rank, o.value) for o in several] == [(3, 1.5), (None, 2.5), (None, 3.5)]


def test_an_empty_cell_is_no_parameter() -> None:
    table = "callpath,n,p,value\nf,4,,1\ng,4,2,3\n"
    assert [dict(o.params) for o in read_observations(table, "x")] == [{"n": 4}, {"n": 4, "p": 2}]
    assert [s.parameters for s in read_text(table, "x").series] == [("n",), ("n", "p")]


def test_blanks_around_cells_are_padding_unless_all_is_to_come_back() -> None:
    table = "callpath, n, value\n main ,4, 1\n"
    assert [o.callpath for o in read_observations(table, "x")] == ["main"]
    assert [o.callpath for o in read_observations(table, "x", strict=True)] == [" main "]
