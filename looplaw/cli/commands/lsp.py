"""looplaw lsp: the language server for editors."""

from __future__ import annotations

import click

from staticana import InputError

from ..common import debug_option
from ..console import guarded


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout (this is the default).")
@click.option(
    "--tcp",
    "port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Wait for one client at a port of this machine instead.",
)
@debug_option
def lsp_command(stdio: bool, port: int | None, debug: bool) -> None:
    """Serve an editor: the law of each loop behind its line, details, accidental quadratics.

    Programs are compiled and analysed, and never run. Needs: pip install 'looplaw[editor]'

    \b
    looplaw lsp
    """
    with guarded(debug):
        if stdio and port is not None:
            raise InputError("--stdio and --tcp: leave out one of them")
        try:
            from ...editor.server import serve_stdio, serve_tcp
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs"):
                raise
            raise InputError(
                f"{error.name} is not installed: pip install 'looplaw[editor]'"
            ) from None
        if port is None:
            serve_stdio()
        else:
            serve_tcp(port)
