"""Compressed files, UTF-16 and spreadsheets hold the tables that they were made of."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from modeling import InputError
from modeling.readers import read

TABLE = "n,time_ms\n8,1.5\n16,3\n32,6\n"


def check(path: Path) -> None:
    (series,) = read(path).series
    assert (series.parameters, series.unit) == (("n",), "ms")
    assert series.means.tolist() == [1.5, 3, 6]


def test_compressed_and_utf16(tmp_path: Path) -> None:
    packed = tmp_path / "t.csv.gz"
    packed.write_bytes(gzip.compress(TABLE.encode()))
    check(packed)
    wide = tmp_path / "t.csv"
    wide.write_text(TABLE, encoding="utf-16")
    check(wide)
    packed.write_bytes(gzip.compress(TABLE.encode())[:-9])
    with pytest.raises(InputError, match="not gzip"):
        read(packed)


def test_spreadsheets(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    frame = pandas.DataFrame({"n": [8, 16, 32], "time_ms": [1.5, 3, 6]})
    with pandas.ExcelWriter(path) as book:
        pandas.DataFrame().to_excel(book, sheet_name="empty")
        frame.to_excel(book, sheet_name="results", index=False, startrow=2, startcol=1)
    check(path)
    path.write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(InputError, match=r"t\.xlsx: no spreadsheet: .*save the sheet as CSV"):
        read(path)


def test_an_experiment_that_extra_p_saved_is_read(tmp_path: Path) -> None:
    means = {4: 16.5, 8: 64.5, 16: 256.5, 32: 1024.5, 64: 4096.5}
    rows = [{"coordinate": [float(x)], "mean": m, "std": 0.1} for x, m in means.items()]
    document = {"Extra-P": "4.2.5", "parameters": ["x"], "measurements": {"main": {"time": rows}}}
    path = tmp_path / "runs.extra-p"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("experiment.json", json.dumps(document))
    (series,) = read(path).series
    assert dict(zip(series.points[:, 0].tolist(), series.means.tolist(), strict=True)) == means


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nothing", b"parameters p"])
def test_what_is_no_experiment_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "runs.extra-p"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"runs\.extra-p: no experiment of Extra-P: .*"):
        read(path)
