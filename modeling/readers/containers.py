"""The text in files that are none as they stand: compressed ones, UTF-16, experiments that Extra-P
saved, and spreadsheets, whose first sheet with measurements becomes separated values."""

from __future__ import annotations

import csv
import gzip
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from looplaw_common.errors import InputError, LooplawWarning

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
SHEETS = (".xlsx", ".xls", ".ods")
_EXPERIMENT = ".extra-p"
_COMPRESSED = (".gz", ".zst")
_MOST_SHEET = 64 << 20
"""Bytes of a spreadsheet, which is held as a whole."""
_MOST_ROWS = 200_000
_MOST_EXPERIMENT = 256 << 20
"""Bytes of an unpacked experiment, which is held as a whole."""
_BOM = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def suffix_of(path: Path) -> str:
    """How the name of a file ends, without what says how it is compressed."""
    return Path(path.stem).suffix if path.suffix in _COMPRESSED else path.suffix


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """The text of a file.

    Raises:
        InputError: it is compressed in a way that is not known here, or damaged, or a spreadsheet
            that cannot be read.
        UnicodeDecodeError: it is no text.
    """
    if path.suffix in SHEETS:
        yield io.StringIO(_sheet(path))
    elif path.suffix == _EXPERIMENT:
        yield io.StringIO(_experiment(path))
    elif path.suffix == ".gz":
        try:
            with gzip.open(path, "rt", encoding="utf-8-sig") as file:
                yield file
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"{path}: not gzip: {error}; unpack it, and read what is in it"
            ) from None
    elif path.suffix == ".zst":
        raise InputError(f"{path}: compressed; zstd -dc {path.name} | looplaw fit - reads it")
    else:
        with path.open("rb") as raw:
            encoding = _BOM.get(raw.read(2), "utf-8-sig")
        with path.open(encoding=encoding) as file:
            yield file


def _experiment(path: Path) -> str:
    """The document in an experiment that Extra-P 4 saved.

    Raises:
        InputError: it is damaged, too large, or something else.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open("experiment.json") as file:
            content = file.read(_MOST_EXPERIMENT + 1)
        if len(content) > _MOST_EXPERIMENT:
            raise InputError(f"{path}: larger than {_MOST_EXPERIMENT >> 20} MiB unpacked")
        return content.decode("utf-8")
    except (OSError, EOFError, KeyError, ValueError, RuntimeError) as error:
        why = str(error).strip("'")
    except (zipfile.BadZipFile, NotImplementedError, zlib.error) as error:
        why = str(error)
    raise InputError(f"{path}: no experiment of Extra-P: {why}; save it with Extra-P 4 again")


def _sheet(path: Path) -> str:
    """The first sheet with rows of numbers, as separated values; else the first that has two rows
    and more.

    Raises:
        InputError: it is too large or damaged, or no library for it is installed.
    """
    if path.stat().st_size > _MOST_SHEET:
        raise InputError(f"{path}: larger than {_MOST_SHEET >> 20} MiB; save the sheet as CSV")
    try:
        import pandas

        sheets = pandas.read_excel(path, sheet_name=None, header=None, nrows=_MOST_ROWS)
    except ImportError as error:
        raise InputError(
            f"{path}: {error.name or 'a library'} is needed for spreadsheets: pip install pandas"
            " openpyxl odfpy; or save the sheet as CSV"
        ) from None
    except Exception as error:  # of the libraries, any: the file is what others sent
        raise InputError(f"{path}: no spreadsheet: {error}; save the sheet as CSV") from None
    kept = {n: s.dropna(axis=0, how="all").dropna(axis=1, how="all") for n, s in sheets.items()}
    tables = {n: s.astype(object).where(s.notna(), "").to_numpy().tolist() for n, s in kept.items()}
    tables = {n: rows for n, rows in tables.items() if len(rows) > 1}
    if not tables:
        raise InputError(f"{path}: no sheet has two rows and more")
    chosen = next((n for n, rows in tables.items() if _has_measurements(rows)), next(iter(tables)))
    if others := [str(n) for n, rows in tables.items() if n != chosen and _has_measurements(rows)]:
        say = f"{path}: sheet {chosen} is read, not {', '.join(others)}; save that one as CSV"
        warnings.warn(say, LooplawWarning, stacklevel=2)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(tables[chosen])
    return out.getvalue()


def _has_measurements(rows: Sequence[Sequence[object]]) -> bool:
    """Has a sheet a name above its columns, and several rows of two numbers and more behind, as
    notes and cover sheets have not?"""
    has_names = any(str(v).strip() and not _is_number(v) for v in rows[0])
    return has_names and sum(sum(map(_is_number, row)) > 1 for row in rows[1:]) > 1


def _is_number(value: object) -> bool:
    """Is a cell a number, also one that is stored as text?"""
    return not isinstance(value, bool) and _NUMBER.fullmatch(str(value).strip()) is not None
