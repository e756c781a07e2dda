"""An SQLite index of a study's runs, for queries that would be slow as a scan of all lines.

It holds nothing of its own and may be deleted at any time: when the files of runs have grown, it is
rebuilt under a temporary name and renamed. So no database is ever written in place, or by two
processes: SQLite's locks and its write-ahead log are not safe on network file systems.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.files import replacing

from .records import RunRecord
from .store import Store

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE files (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL);
CREATE TABLE runs (
    key TEXT, program TEXT, environment TEXT, params TEXT, repetition INTEGER, status TEXT,
    exit_code INTEGER, reason TEXT, started TEXT, elapsed_s REAL, cpu_s REAL, ranks INTEGER
);
CREATE INDEX by_key ON runs (key);
CREATE INDEX by_params ON runs (params);
"""
NAME = "index.sqlite"


def open_index(folder: Path) -> sqlite3.Connection:
    """The index of a study directory, up to date and read-only, with one row for each finished run.

    `params` is JSON with sorted names.

    Raises:
        RunError: the runs cannot be read, or there are none.
    """
    store = Store(folder, make=False)
    sizes = {p.name: p.stat().st_size for p in store.files()}
    if not sizes:
        raise RunError(
            f"{folder}: no runs here; name the directory that looplaw study or run wrote (--out)"
        )
    path = folder / NAME
    known = _opened(path)
    if known is not None:
        with contextlib.suppress(sqlite3.Error):
            if dict(known.execute("SELECT name, bytes FROM files")) == sizes:
                return known
        known.close()
    rows = [_row(r) for r in store.fresh()]
    # On a full or read-only disk, the same answers come from memory.
    with contextlib.suppress(OSError, sqlite3.Error):
        with replacing(path) as temporary:
            _fill(sqlite3.connect(temporary), sizes, rows)
        found = _opened(path)
        if found is not None:
            return found
    memory = sqlite3.connect(":memory:")
    _fill(memory, sizes, rows, close=False)
    return memory


def _opened(path: Path) -> sqlite3.Connection | None:
    try:
        return (
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            if path.exists()
            else None
        )
    except sqlite3.Error:
        return None


def _row(r: RunRecord) -> tuple[object, ...]:
    return (
        r.key,
        r.program,
        r.environment,
        json.dumps(dict(r.params), sort_keys=True),
        r.repetition,
        r.status,
        r.exit_code,
        r.reason,
        r.started,
        r.elapsed_s,
        r.cpu_s,
        len(r.ranks),
    )


def _fill(
    database: sqlite3.Connection,
    sizes: dict[str, int],
    rows: Iterable[tuple[object, ...]],
    *,
    close: bool = True,
) -> None:
    try:
        database.executescript(_SCHEMA)
        database.executemany("INSERT INTO files VALUES (?, ?)", sizes.items())
        database.executemany(f"INSERT INTO runs VALUES ({', '.join('?' * 12)})", rows)
        database.commit()
    finally:
        if close:
            database.close()
