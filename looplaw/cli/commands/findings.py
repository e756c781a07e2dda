"""looplaw findings: what a study found, for people, code scanning and compiler tools."""

from __future__ import annotations

import click

from looplaw_common.files import write_whole

from ...check.findings import findings, remarks, sarif
from ...loading import study_file
from ...report import Table
from ...report.grid import Column
from ..common import debug_option, format_option, show, write_json
from ..console import guarded, leave

_COLUMNS = (
    Column("level", "level", "word"),
    Column("at", "loop", "path", 16),
    Column("function", "function", "path", 8),
    Column("message", "what was found", "text", 20),
)


@click.command("findings")
@click.argument("study")
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
    study: str, sarif_file: str | None, remarks_file: str | None, form: str, debug: bool
) -> None:
    """List what a finished study found; exit code 1 if a loop was miscounted or exceeds its law.

    \b
    looplaw findings looplaw-out/matmul
    looplaw findings looplaw-out/matmul --sarif looplaw.sarif
    looplaw findings looplaw-out/matmul --remarks matmul.opt.yaml
    """
    with guarded(debug):
        data = study_file(study)
        found = findings(data)
        if sarif_file:
            write_json(sarif(found), sarif_file)
        if remarks_file == "-":
            click.echo(remarks(data), nl=False)
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
