"""looplaw lsp: the language server for editors."""

from __future__ import annotations

import click

from staticana import InputError

from ..common import debug_option
from ..console import guarded
from ..signals import ending_event_loops


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout, as it does anyway.")
@debug_option
def lsp_command(stdio: bool, debug: bool) -> None:
    """Serve an editor: the law of each loop behind its line, details, accidental quadratics.

    Programs are compiled and analysed, and never run. Needs: pip install 'looplaw[editor]'

    \b
    looplaw lsp
    """
    with guarded(debug):
        try:
            from ...editor.server import serve_stdio
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs"):
                raise
            raise InputError(
                f"{error.name} is not installed: pip install 'looplaw[editor]'"
            ) from None
        with ending_event_loops():
            serve_stdio()
