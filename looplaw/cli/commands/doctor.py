"""looplaw doctor: which compiler and tools are used, what is missing."""

from __future__ import annotations

import click

from ...environment_check import examine, outcome
from ..common import debug_option
from ..console import guarded, leave, say, tell


@click.command("doctor")
@debug_option
def doctor_command(debug: bool) -> None:
    """Say which compiler and tools are used and what is missing.

    \b
    looplaw doctor
    """
    with guarded(debug):
        checks = []
        for check in examine(say):
            checks.append(check)
            tell(
                f"{'ok     ' if check.ok else 'missing' if check.needed else 'absent '} "
                f" {check.name}: {check.found}"
            )
        tell(outcome(checks))
        leave(finding=any(c.needed and not c.ok for c in checks))
