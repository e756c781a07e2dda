"""looplaw machine: measure caches and memory as programs meet them."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.progress import BarColumn, Progress, TextColumn

from runtime.machine.description import Curve, Level, Machine
from runtime.machine.known import cached_file, read_machine, this_machine, write_machine

from ...report.grid import Column, Table
from ...report.pictures.machine import draw_machine
from ..common import debug_option, format_option, json_option, show
from ..console import guarded, messages, put, say


@click.command("machine")
@click.option(
    "--machine",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Show a machine that was measured elsewhere.",
)
@click.option("--again", is_flag=True, help="Measure even if this machine is known.")
@json_option
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="PICTURE",
    help="Draw the curves (.png, .svg, .pdf); needs looplaw[plot].",
)
@format_option
@debug_option
def machine_command(
    file: Path | None, again: bool, target: str | None, plot: Path | None, form: str, debug: bool
) -> None:
    """Measure this machine's caches and memory, in 10 s at most.

    The description is kept in the user's cache folder and used by study and predict. Capacities are
    those that a program on one core meets; a last level that is shared with others is smaller than
    the system tells.

    \b
    looplaw machine
    looplaw machine --json here.json
    looplaw machine --machine there.json --plot there.svg
    """
    with guarded(debug):
        found = read_machine(file) if file is not None else _measured(again)
        if target == "-":
            put(msgspec.json.format(msgspec.json.encode(found), indent=1).decode())
        else:
            show(machine_table(found), form)
            if target is not None:
                write_machine(found, target)
        if plot is not None:
            draw_machine(found, plot)
        if file is None:
            say(f"kept in {cached_file()}; measure again with: looplaw machine --again")


def _measured(again: bool) -> Machine:
    with Progress(
        TextColumn("measuring caches and memory"), BarColumn(), console=messages, transient=True
    ) as bar:
        task = bar.add_task("measuring", total=1.0)
        return this_machine(again=again, progress=lambda done: bar.update(task, completed=done))


COLUMNS = (
    Column("level", "level", "word"),
    Column("capacity", "capacity", "word"),
    Column("ns_per_line_read", "read, ns/line", "number"),
    Column("ns_per_line_written", "written", "number"),
    Column("ns_per_line_updated", "updated", "number"),
    Column("ns_per_dependent_load", "dependent load, ns", "number"),
    Column("ns_per_independent_load", "independent load, ns", "number"),
)


def machine_table(machine: Machine) -> Table:
    """The levels of a machine: capacity, ns for a streamed line, ns for a random load; below, what
    branches cost."""
    rows = tuple(_row(level) for level in machine.caches)
    return Table(
        COLUMNS, rows, note="" if machine.branches is None else _branches(machine.branches)
    )


def _branches(curve: Curve) -> str:
    """Up to which length a pattern of random branches is predicted, and what both ways cost."""
    least, most = min(curve.ns), max(curve.ns)
    if most < _RISE * least:
        return f"a branch on random data takes {most:.2g} ns at most"
    known = [b for b, ns in zip(curve.bytes, curve.ns, strict=True) if ns < (least + most) / 2]
    return (
        f"a branch on random data takes {least:.2g} ns, or {most:.2g} ns if the data repeat only"
        f" after more than {known[-1]:,} branches"
    )


_RISE = 1.5
"""Costs of branches that differ by less than this factor are noise: all were predicted."""


def _row(level: Level) -> tuple[str, ...]:
    size = "-" if level.bytes is None else _size(level.bytes)
    if level.nominal_bytes and level.bytes and level.bytes < 0.7 * level.nominal_bytes:
        size += f" of {_size(level.nominal_bytes)}"
    costs = (
        level.ns_per_line_read,
        level.ns_per_line_written,
        level.ns_per_line_updated,
        level.ns_per_dependent_load,
        level.ns_per_independent_load,
    )
    return (level.level, size, *(f"{c:.3g}" for c in costs))


def _size(number: int) -> str:
    for unit, bits in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if number >= 1 << bits:
            return f"{number / (1 << bits):.3g} {unit}"
    return f"{number} B"
