"""Files that are read in parts, so that they may be larger than memory."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looplaw_common.errors import DataError, InputError
from modeling import Measurements, read
from modeling.readers import files

EXAMPLES = sorted(p for p in Path("examples").rglob("*") if p.suffix in (".csv", ".json", ".jsonl"))


def in_parts(path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> Measurements:
    with monkeypatch.context() as patch:
        patch.setattr(files, "_PART", size)
        return read(path)


def said(path: Path) -> str:
    with pytest.raises((DataError, InputError)) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_the_parts_of_a_file_are_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(path)
    parts = in_parts(path, 40, monkeypatch)
    for one, other in zip(whole.series, parts.series, strict=True):
        assert (one.callpath, one.metric, one.unit) == (other.callpath, other.metric, other.unit)
        assert (one.points == other.points).all()
        assert (one.means == other.means).all()
        assert (one.counts == other.counts).all()


@given(st.lists(st.text('ab\r\n";,0é', max_size=12), max_size=12), st.integers(1, 30))
def test_cells_may_hold_the_ends_of_lines(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], size: int
) -> None:
    path = tmp_path_factory.mktemp("parts") / "times.csv"
    rows = ['"' + name.replace('"', '""') + f'",{k},1.5\n' for k, name in enumerate(names, 1)]
    path.write_text("callpath,n,time\n" + "".join(rows), newline="")
    with pytest.MonkeyPatch.context() as monkeypatch:
        if not rows:
            assert "no observations" in said(path)
            return
        whole, parts = read(path), in_parts(path, size, monkeypatch)
    assert [s.callpath for s in whole.series] == [s.callpath for s in parts.series]


@pytest.mark.parametrize(
    ("name", "line", "last"),
    [
        ("times.jsonl", '{"params": {"n": 4}, "callpath": "f", "metric": "time", "value": 1}', "x"),
        ("times.csv", "4,1.5", "4,1.5,6"),
    ],
)
def test_a_wrong_line_of_a_later_part_is_named(
    name: str, line: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    head = "n,time\n" if name.endswith("csv") else ""
    path.write_text(head + f"{line}\n" * 50 + last + "\n")
    whole = said(path)
    assert f"{path}:{51 + bool(head)}:" in whole
    monkeypatch.setattr(files, "_PART", 100)
    assert said(path) == whole


@pytest.mark.parametrize("at", [5, 99, 100, 101, 350])
def test_the_byte_that_is_no_text_is_named(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "times.csv"
    text = ("n,time\n" + "4,1.5\n" * 90).encode()
    path.write_bytes(text[:at] + b"\xff" + text[at:])
    monkeypatch.setattr(files, "_PART", 100)
    assert f"(byte {at})" in said(path)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_memory_does_not_grow_with_the_text(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PART", 1 << 16)
    small, large = (long_table(tmp_path / f"{k}{suffix}", k) for k in (12_000, 18_000))
    read(small)
    longer = large.stat().st_size - small.stat().st_size
    assert peak_of(large) - peak_of(small) < longer / 2


def long_table(path: Path, rows: int) -> Path:
    name = "a call path that is rather long " * 8
    with path.open("w") as file:
        if path.suffix == ".csv":
            file.write("callpath,n,time\n")
        for k in range(rows):
            row = {"params": {"n": k % 7 + 1}, "callpath": name, "metric": "time", "value": 1.5}
            is_csv = path.suffix == ".csv"
            file.write(f"{name},{k % 7 + 1},1.5\n" if is_csv else json.dumps(row) + "\n")
    return path


def peak_of(path: Path) -> int:
    tracemalloc.start()
    read(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
