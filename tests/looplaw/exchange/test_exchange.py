"""Measurements out and in: nothing is lost where a format has room for it, and refused where it has
not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from looplaw.cli.main import main
from looplaw.exchange import FORMATS, Observation, merged, numbered
from modeling import DataError
from modeling.data.columns import Columns
from modeling.readers import reader_of

finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30)
words = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=12)
plain = st.from_regex(r"[A-Za-z_>.:-]{1,8}( [A-Za-z0-9_>.:-]{1,8})?", fullmatch=True)
index = st.none() | st.integers(0, 5)


def any_observations(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Observation]]:
    names = st.lists(
        st.from_regex(r"[a-z]{1,3}", fullmatch=True), min_size=1, max_size=4, unique=True
    )
    return names.flatmap(
        lambda known: st.lists(
            st.builds(
                Observation,
                st.fixed_dictionaries(dict.fromkeys(known, finite)),
                text,
                text,
                finite,
                index,
                index,
                index,
            ),
            min_size=1,
            max_size=12,
        )
    )


def same(
    found: tuple[Observation, ...] | list[Observation],
    expected: tuple[Observation, ...] | list[Observation],
) -> bool:
    """Equal in any order; 64 and 64.0 are not the same here."""
    return sorted(repr(_ordered(o)) for o in found) == sorted(repr(_ordered(o)) for o in expected)


def _ordered(o: Observation) -> Observation:
    return Observation(
        dict(sorted(o.params.items())),
        o.callpath,
        o.metric,
        o.value,
        o.rank,
        o.thread,
        o.repetition,
    )


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@given(observations=any_observations(words))
@example(observations=[Observation({"cv": 0.5, "stddev": 2.0}, "f", "m", 1.0)])
@settings(max_examples=60, deadline=None)
def test_all_of_it_comes_back(form: str, observations: list[Observation]) -> None:
    f = FORMATS[form]
    assert same(f.read(f.write(observations), "file"), observations)


@pytest.mark.parametrize("form", ["extrap", "extrap-json"])
@given(
    values=st.dictionaries(
        st.tuples(plain, plain),
        st.lists(st.lists(finite, min_size=1, max_size=3), min_size=3, max_size=3),
        min_size=1,
        max_size=4,
    ),
    points=st.lists(st.tuples(finite, finite), min_size=3, max_size=3, unique_by=repr).filter(
        lambda p: len({*p}) == 3
    ),
)
@settings(max_examples=60, deadline=None)
def test_full_tables_of_extrap_come_back(
    form: str, values: dict[tuple[str, str], list[list[float]]], points: list[tuple[float, float]]
) -> None:
    observations = [
        Observation({"n": n, "p": p}, c, m, v, repetition=k)
        for (c, m), rows in values.items()
        for (n, p), row in zip(points, rows, strict=True)
        for k, v in enumerate(row)
    ]
    f = FORMATS[form]
    assert same(f.read(f.write(observations), "file"), observations)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@given(observations=any_observations(plain))
@settings(max_examples=60, deadline=None)
def test_columns_are_those_of_the_single_observations(
    form: str, observations: list[Observation]
) -> None:
    """The way that `fit` reads a file, and the way that ranks and exports read it, agree."""
    text = FORMATS[form].write(observations)
    reader = reader_of(text, "file")
    assert reader.name == FORMATS[form].reader
    fast, slow = reader.columns(text, "file"), Columns.of(observations)
    assert (dict(fast.series), dict(fast.points)) == (dict(slow.series), dict(slow.points))
    for found, expected in zip(fast.arrays(), slow.arrays(), strict=True):
        assert found.tolist() == expected.tolist()


BASE = [
    Observation({"n": n, "p": p}, "main->f", "time", float(n * p), repetition=0)
    for n in (1, 2)
    for p in (1, 2)
]


@pytest.mark.parametrize(
    ("form", "observations", "message"),
    [
        (
            "extrap",
            [*BASE, Observation({"n": 1, "p": 1}, "main->f", "time", 1.0, rank=3)],
            "no place for a rank; add --merge",
        ),
        (
            "extrap-json",
            [Observation({"n": 1}, "f", "time", 1.0, thread=0)],
            "no place for a thread; add --merge",
        ),
        (
            "extrap",
            [*BASE, Observation({"n": 3, "p": 1}, "main->g", "time", 1.0)],
            "same points everywhere",
        ),
        (
            "extrap",
            [*BASE, Observation({"n": 3}, "main->g", "time", 1.0)],
            "the same parameters everywhere",
        ),
        (
            "extrap",
            [Observation({"n": 1}, "f", "time", 1.0, repetition=2)],
            "some are missing or double",
        ),
        ("extrap", [Observation({"n": 1}, " f", "time", 1.0)], "cannot hold this name"),
        ("extrap", [Observation({"my n": 1}, "f", "time", 1.0)], "no blanks in names"),
        ("extrap", [Observation({}, "f", "time", 1.0)], "has one to 4 parameters, not 0"),
        (
            "csv",
            [Observation({"value": 1}, "f", "time", 1.0)],
            "CSV cannot have a column of that name",
        ),
        ("csv", [Observation({"n": 1}, "f\r", "time", 1.0)], "CSV cannot hold these characters"),
    ],
)
def test_what_has_no_place_is_refused(
    form: str, observations: list[Observation], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        FORMATS[form].write(observations)


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        (
            "extrap",
            "PARAMETER n\nPOINTS 1 2\nDATA 1\nDATA 2\nDATA 3\n",
            "file:5: more DATA lines than the 2 POINTS",
        ),
        (
            "extrap",
            "PARAMETER n\nPOINTS 1 2\nREGION a\nDATA 1\nREGION b\n",
            "file:5: a, time has 1 lines of DATA for 2",
        ),
        (
            "extrap",
            "PARAMETER n p\nPOINTS ( 1 2 ) ( 3 )\n",
            "file:2: the point .3. has 1 values for 2",
        ),
        ("extrap", "PARAMETER n\nPOINTS 1\nDATA x\n", "file:3: a value is 'x', not a number"),
        (
            "extrap",
            "PARAMETER n\nPOINTS 1\nDATA nan\n",
            "file:3: a value is nan, not a finite number",
        ),
        ("extrap", "SOMETHING\n", "file:1: 'SOMETHING' is none of PARAMETER"),
        ("extrap", "PARAMETER n\n", "holds no observations"),
        ("extrap-json", "{}", '"parameters" is missing'),
        (
            "extrap-json",
            (
                '{"parameters": ["n"], "measurements": {"f": {"time": [{"point": [1, 2], "values":'
                " [1]}]}}}"
            ),
            "has 2 values for 1",
        ),
        (
            "extrap-json",
            (
                '{"parameters": ["n"], "measurements": {"f": {"time": [{"point": [1], "values":'
                " [NaN]}]}}}"
            ),
            "not a finite number",
        ),
        ("extrap-json", "[" * 100_000, "not JSON"),
        ("csv", "n,callpath,metric\n", "file:1: which column was measured"),
        ("csv", "n,callpath,metric,value\n1,f,time\n", "file:2: 3 fields, the header has 4"),
        (
            "csv",
            "n,callpath,metric,value\n1,f,time,1\nx,f,time,1\n",
            "file:3: parameter n is 'x', not a number",
        ),
        ("csv", "n,callpath,metric,value,rank\n1,f,time,1,-1\n", "file:2: rank is '-1'"),
        ("csv", 'n,callpath,metric,value\n1,"f,time,1\n', "not CSV"),
        ("jsonl", '{"params": {"n": 1}, "value": 1, "host": "x"}', "file:1: unknown field 'host'"),
        ("jsonl", '{"params": {"n": 1}, "value": 1, "rank": true}', "file:1: rank is 'True'"),
        ("jsonl", '{"params": {"n": 1}, "value": 1e999}', "file:1: value is inf"),
        ("jsonl", '{"params": {"n": 1}, "value": 1, "value": 2}', "file:1: the key 'value' stands"),
    ],
)
def test_wrong_files_are_refused_by_line(form: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        FORMATS[form].read(text, "file")


def test_extrap_as_others_write_it() -> None:
    text = (
        "# made by hand\nPARAMETER p\nPARAMETER n\n\nPOINTS ( 20 1 ) (30 1)\nPOINTS ( 40 2"
        " )\n\nMETRIC time\nREGION main->a\nDATA 1 1.5\nDATA 2 2\nDATA 3 3\nREGION main->b\nDATA"
        " 4\nDATA 5\nDATA 6\n"
    )
    found = FORMATS["extrap"].read(text, "file")
    assert found[1] == Observation({"p": 20, "n": 1}, "main->a", "time", 1.5, repetition=1)
    assert [(o.params["p"], o.value) for o in found if o.callpath == "main->b"] == [
        (20, 4),
        (30, 5),
        (40, 6),
    ]
    older = {
        "parameters": [{"id": 1, "name": "n"}],
        "callpaths": [{"id": 1, "name": "f"}],
        "metrics": [{"id": 1, "name": "time"}],
        "coordinates": [
            {"id": 1, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": "64"}]}
        ],
        "measurements": [
            {"id": 1, "coordinate_id": 1, "callpath_id": 1, "metric_id": 1, "value": v}
            for v in (1.0, 2.0)
        ],
    }
    found = FORMATS["extrap-json"].read(json.dumps(older), "file")
    assert found == tuple(
        Observation({"n": 64.0}, "f", "time", float(k + 1), repetition=k) for k in (0, 1)
    )


def test_ranks_become_repetitions_when_that_is_asked_for() -> None:
    rows = [
        Observation({"n": 1}, "f", "time", 10.0 * k + r, rank=r, repetition=k)
        for r in (1, 0)
        for k in (1, 0)
    ]
    assert [(o.value, o.repetition, o.rank) for o in merged(rows)] == [
        (0.0, 0, None),
        (1.0, 1, None),
        (10.0, 2, None),
        (11.0, 3, None),
    ]
    assert [
        o.repetition
        for o in numbered(
            [
                Observation({"n": 1}, "f", "time", 1.0, repetition=4),
                Observation({"n": 1}, "f", "time", 2.0),
            ]
        )
    ] == [4, 5]


Looplaw = Callable[..., Any]


@pytest.fixture
def looplaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looplaw:
    monkeypatch.chdir(tmp_path)
    return lambda *line, stdin=None: CliRunner().invoke(main, list(line), input=stdin)


def test_commands_round_trip(looplaw: Looplaw, tmp_path: Path) -> None:
    text = FORMATS["jsonl"].write(BASE)
    Path("a.jsonl").write_text(text)
    for form, name in (("csv", "b.csv"), ("extrap", "b.txt"), ("extrap-json", "b.json")):
        assert looplaw("export", "a.jsonl", "--format", form, "--out", name).exit_code == 0
        back = looplaw("import", name)
        assert back.exit_code == 0, back.output
        assert same(FORMATS["jsonl"].read(back.stdout, "x"), BASE)
        assert looplaw("export", "a.jsonl", "--out", f"again-{name}").exit_code == 0, (
            "the name says the format"
        )
        assert Path(name).read_text() == Path(f"again-{name}").read_text()
    done = looplaw("import", "-", "--format", "csv", stdin=Path("b.csv").read_text())
    assert same(FORMATS["jsonl"].read(done.stdout, "x"), BASE)
    assert looplaw("fit", "-", stdin=done.stdout).exit_code in (0, 3)


def test_import_reads_what_fit_reads(looplaw: Looplaw) -> None:
    row = {"name": "f/8", "real_time": 2.0, "time_unit": "s", "repetition_index": 1}
    Path("bench.json").write_text(json.dumps({"benchmarks": [row]}))
    done = looplaw("import", "bench.json")
    assert FORMATS["jsonl"].read(done.stdout, "x") == (
        Observation({"n": 8}, "f", "real_time", 2.0, repetition=1, unit="s"),
    )
    Path("table").write_text("n;time\n4;1.5\n")
    assert json.loads(looplaw("import", "table").stdout)["params"] == {"n": 4}


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (("export", "missing.jsonl"), 2, "no such file"),
        (("export", "folder"), 3, "folder: no finished runs here"),
        (("import", "notes.md"), 2, "its name does not say what it is; add --format"),
        (("import", "bad.txt"), 3, "bad.txt:1: 'notes' is none of PARAMETER"),
        (("runs", "folder"), 2, "no runs here"),
        (("runs", "nowhere"), 2, "nowhere: no such directory"),
    ],
)
def test_errors_are_one_line(
    looplaw: Looplaw, line: tuple[str, ...], code: int, message: str
) -> None:
    Path("folder").mkdir()
    Path("notes.md").write_text("notes")
    Path("bad.txt").write_text("notes")
    done = looplaw(*line)
    assert done.exit_code == code, done.output
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(Path("folder").iterdir()), "what is only read is left as it is"
