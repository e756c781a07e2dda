"""The commands that take measurements out and in, and list the runs of a study."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from looplaw_common.files import write_whole
from modeling import DataError
from modeling.readers import READERS
from runtime import open_index
from staticana import InputError

from ...bulk.dataset import is_dataset, parts
from ...bulk.importer import write_dataset
from ...bulk.lines import observations_of
from ...bulk.parquet_exchange import columns_for_parquet, dataset_observations
from ...exchange import (
    FORMATS,
    Format,
    Observation,
    for_spreadsheets,
    merged,
    numbered,
    study_observations,
)
from ...report.cells import counted_noun
from ...report.grid import Column, Table
from ..common import format_option, is_safe, safe_option, show
from ..console import guarded, put, say

_MAX_BYTES = 2 << 30
PARQUET = "parquet"
_form = click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS)),
    help="Default: by the end of the file's name.",
)
_out = click.option(
    "--out", default="-", metavar="FILE", help="File to write; - is stdout (default)."
)
_debug = click.option("--debug", is_flag=True, help="Show a traceback with errors.")


def _format_of(path: str, form: str | None, default: str | None) -> Format:
    """The format that is named, else that of the file's name."""
    if form:
        return FORMATS[form]
    found = next((f for f in FORMATS.values() if path.endswith(f.suffix)), None) or (
        FORMATS[default] if default else None
    )
    if found is None:
        raise InputError(
            f"{path}: its name does not say what it is; add --format {', '.join(FORMATS)}"
        )
    return found


def _read(path: str, form: str | None, default: str | None) -> tuple[Observation, ...]:
    """The observations in a file, by the reader that knows its content, else by its name."""
    if path != "-" and not Path(path).exists():
        raise InputError(f"{path}: no such file or directory")
    text = _text(path)
    known = None if form else next((r for r in READERS if r.matches(text)), None)
    if known is not None:
        return tuple(numbered(known.observations(text, path, strict=True)))
    return tuple(numbered(_format_of(path, form, default).read(text, path)))


def _text(path: str) -> str:
    try:
        if path != "-" and Path(path).stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: larger than {_MAX_BYTES >> 30} GiB")
        return sys.stdin.read() if path == "-" else Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8 (byte {error.start})") from None


def _write(text: str, out: str) -> None:
    if out == "-":
        put(text, nl=False)
    else:
        write_whole(out, text)


def _observations(source: str) -> tuple[Observation, ...]:
    if is_dataset(source):
        return tuple(dataset_observations(source))
    if not Path(source).is_dir():
        return _read(source, None, "jsonl" if source == "-" else None)
    found, others = study_observations(Path(source))
    if others:
        say(
            f"{source}: left out: {counted_noun(others, 'run')} of other programs or earlier"
            " versions"
        )
    return found


def _write_parquet(source: str, out: str, *, merge: bool) -> None:
    """A dataset; JSON Lines of any length are read line by line."""
    if out == "-":
        raise InputError("--format parquet: it is a directory of files; name one with --out DIR")
    lines = Path(source).is_file() and _format_of(source, None, None) is FORMATS["jsonl"]
    found = observations_of(source) if lines else _observations(source)
    written = write_dataset(columns_for_parquet(found, merge=merge), Path(out), source)
    say(f"{out}: {written} series in {(count := len(parts(out)))} partition{'s' * (count != 1)}")


@click.command("export")
@click.argument("source")
@click.option(
    "--format",
    "form",
    type=click.Choice((*FORMATS, PARQUET)),
    help="Default: by the end of the file's name.",
)
@click.option(
    "--merge",
    is_flag=True,
    help="Write ranks and threads as repetitions, for formats that do not know them.",
)
@safe_option
@_out
@_debug
def export_command(source: str, form: str | None, merge: bool, out: str, debug: bool) -> None:
    """Write the measurements of SOURCE in another format.

    SOURCE is the directory of a study or a run, or a file of measurements. Nothing is dropped:
    measurements that the format cannot hold are refused.

    \b
    looplaw export looplaw-out/matmul --format csv
    looplaw export measurements.jsonl --out measurements.txt    Extra-P's text format
    looplaw export measurements.jsonl --format extrap-json
    looplaw export measurements.jsonl --format parquet --out data     for looplaw fit --workers
    """
    with guarded(debug):
        if form == PARQUET:
            _write_parquet(source, out, merge=merge)
            return
        target = _format_of(out, form, "jsonl" if out == "-" else None)
        found = _observations(source)
        found = tuple(merged(found)) if merge else found
        if is_safe():
            if target is not FORMATS["csv"]:
                raise InputError("--safe is for --format csv: no other format is computed")
            found = tuple(for_spreadsheets(o) for o in found)
        _write(target.write(found), out)


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_form
@_out
@_debug
def import_command(files: tuple[str, ...], form: str | None, out: str, debug: bool) -> None:
    """Convert measurements to JSON Lines.

    The content says the format: all text formats that looplaw fit reads are known.

    \b
    looplaw import extrap.txt | looplaw fit -
    looplaw import --format csv - < table.csv
    """
    with guarded(debug):
        found = [o for path in files for o in _read(path, form, None)]
        if not found:
            raise DataError(f"{', '.join(files)}: no observations")
        _write(FORMATS["jsonl"].write(found), out)


@click.command("runs")
@click.argument("study")
@format_option
@_debug
def runs_command(study: str, form: str, debug: bool) -> None:
    """List the finished runs of a study, or of looplaw run, point by point.

    \b
    looplaw runs looplaw-out/matmul
    """
    with guarded(debug):
        columns = (
            Column("params", "point", "text", 10),
            Column("ok", "ok", "number"),
            Column("failed", "failed", "number"),
            Column("ranks", "ranks", "number"),
            Column("elapsed_s", "elapsed, s (mean)", "number"),
            Column("reason", "last failure", "text", 10),
        )
        if not Path(study).is_dir():
            raise InputError(f"{study}: no such directory")
        database = open_index(Path(study))
        found = database.execute(
            "SELECT params, sum(status = 'ok'), sum(status != 'ok'), max(ranks), avg(CASE status"
            " WHEN 'ok' THEN elapsed_s END), max(CASE status WHEN 'ok' THEN NULL ELSE reason END)"
            " FROM runs WHERE repetition >= 0 GROUP BY program, params ORDER BY max(started),"
            " params"
        ).fetchall()
        rows = tuple(
            (
                ", ".join(f"{k}={v}" for k, v in json.loads(params).items()),
                ok,
                failed,
                ranks or None,
                None if mean is None else round(mean, 4),
                reason,
            )
            for params, ok, failed, ranks, mean, reason in found
        )
        show(Table(columns, rows), form)
