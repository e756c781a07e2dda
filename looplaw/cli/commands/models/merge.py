"""The command that merges what many processes have aggregated."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from looplaw_common.files import replacing
from modeling import Aggregate
from modeling.readers.statistics import files_of, merge_stream, merged, write_sums
from staticana import InputError

from ...common import debug_option
from ...console import guarded, say


@click.command("merge")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--out", required=True, metavar="FILE", help="File to write (*.stats); - is stdout.")
@debug_option
def merge_command(paths: tuple[str, ...], out: str, debug: bool) -> None:
    """Merge the statistics of many processes into one file.

    PATHs are files *.stats, directories of them, or - for a stream. Sums are exact, so that any
    order and any tree of merges gives the same file. Memory holds the result and one process.

    \b
    looplaw merge ranks/ --out all.stats
    looplaw merge ranks/0.stats ranks/1.stats --out all.stats
    looplaw fit all.stats
    """
    with guarded(debug):
        if out != "-" and not out.endswith(".stats"):
            raise InputError(f"--out {out}: files of statistics are called *.stats")
        result = Aggregate()
        if "-" in paths:
            merge_stream(sys.stdin.buffer, "<stdin>", result)
        merged(files_of(Path(p) for p in paths if p != "-"), result)
        observed = sum(len(p) for p in result.layout().points)
        if out == "-":
            write_sums(sys.stdout.buffer, result)
            sys.stdout.flush()
            return
        with replacing(out) as partial, partial.open("wb") as stream:
            write_sums(stream, result)
        say(f"{out}: {observed} points of {len(result.layout().series)} series")
