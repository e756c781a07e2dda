"""looplaw findings: what a study found, or the accidental quadratics of a program, for people, code
scanning and compiler tools."""

from __future__ import annotations

from pathlib import Path

import click

from looplaw_common.files import write_whole
from staticana import InputError, analyze, canonical, compile_sources
from staticana.frontend.uncompiled import tell_left_out

from ...check.findings import findings, hidden_costs, remarks, sarif
from ...loading import is_program, study_file
from ...report import Table
from ...report.grid import Column
from ..common import debug_option, format_option, show, write_json
from ..console import guarded, leave, put
from ..options import compile_options

_COLUMNS = (
    Column("level", "level", "word"),
    Column("at", "loop", "path", 16),
    Column("function", "function", "path", 8),
    Column("message", "what was found", "text", 20),
)


@click.command("findings")
@click.argument("study", nargs=-1, required=True, metavar="STUDY | SOURCE...")
@compile_options
@click.option("--sarif", "sarif_file", metavar="FILE", help="Write SARIF 2.1.0; - is stdout.")
@click.option(
    "--remarks",
    "remarks_file",
    metavar="FILE",
    help="Write LLVM remarks of every loop (YAML); - is stdout.",
)
@format_option
@debug_option
def findings_command(
    study: tuple[str, ...],
    sarif_file: str | None,
    remarks_file: str | None,
    flags: tuple[str, ...],
    form: str,
    debug: bool,
) -> None:
    """List what a finished study found; exit code 1 if a loop was miscounted or exceeds its law.

    Of sources, list the accidental quadratics: lengths that are asked for in every iteration, texts
    that are appended to from their start, searches through all that a loop has collected.

    \b
    looplaw findings nest.c
    looplaw findings looplaw-out/matmul
    looplaw findings looplaw-out/matmul --sarif looplaw.sarif
    looplaw findings looplaw-out/matmul --remarks matmul.opt.yaml
    """
    with guarded(debug):
        if any(is_program(Path(name)) for name in study):
            if remarks_file:
                raise InputError("--remarks needs a study: remarks are of loops that have run")
            text = canonical(compile_sources(study, flags=flags, left_out=tell_left_out))
            data, found = None, hidden_costs(analyze(text, matrix=False))
        elif len(study) > 1:
            raise InputError(f"{study[1]}: one study at a time, or sources of one program")
        else:
            data = study_file(study[0])
            found = findings(data)
        if sarif_file:
            write_json(sarif(found), sarif_file)
        if data is None:
            pass
        elif remarks_file == "-":
            put(remarks(data), nl=False)
        elif remarks_file:
            write_whole(remarks_file, remarks(data))
        if "-" not in (sarif_file, remarks_file):
            rows = tuple(
                (f.level, f"{f.file}:{f.line}:{f.column}", f.function, f.message) for f in found
            )
            show(
                Table(_COLUMNS, rows, note=f"{len(rows) or 'No'} finding{'s' * (len(rows) != 1)}."),
                form,
            )
        leave(finding=any(f.level != "note" for f in found))
