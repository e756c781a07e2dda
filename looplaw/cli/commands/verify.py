"""looplaw verify: every formula checked against what was counted at every entry of its loop."""

from __future__ import annotations

from dataclasses import replace

import click

from staticana import InputError

from ...laws.comparison import broken_assumptions
from ...report.verification_table import verification_table
from ...settings.settings import Settings
from ...studies.kernels import check_kernels, kernel_checks_table, kernels_in
from ...studies.opencl import check_with_host, runs_with_host
from ...studies.prepare import prepare
from ...studies.verify import verify
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, leave, messages, say
from ..options import (
    flag_option,
    link_option,
    mpi_option,
    param_option,
    program_settings,
    timeout_option,
    trust_option,
    vary_option,
    words_option,
)
from ..progress import report_selection


class _WithWords(click.Command):
    """A command with the program's own arguments behind --."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            ctx.obj = tuple(args[args.index("--") + 1 :])
            args = args[: args.index("--")]
        return super().parse_args(ctx, args)


@click.command("verify", cls=_WithWords, options_metavar="[OPTIONS] PROGRAM... [-- WORD...]")
@click.argument("program", nargs=-1, required=True, metavar="")
@vary_option
@param_option
@words_option
@timeout_option
@json_option
@link_option
@mpi_option
@flag_option
@trust_option
@format_option
@debug_option
@click.pass_context
def verify_command(
    ctx: click.Context,
    program: tuple[str, ...],
    vary: tuple[str, ...],
    params: tuple[str, ...],
    words: str | None,
    timeout: float | None,
    target: str | None,
    link: tuple[str, ...],
    mpi: bool,
    flags: tuple[str, ...],
    form: str,
    debug: bool,
) -> None:
    """Check every formula of PROGRAM at every entry of its loop; exit with 1 if one is wrong.

    \b
    looplaw verify matmul.c --vary n=0,1,7,64
    looplaw verify solver.c -- 100 input.txt
    """
    with guarded(debug):
        if words is not None and ctx.obj is not None:
            raise InputError(
                "the program's arguments are given twice: leave out --args or what follows --"
            )
        settings = program_settings(program, vary, params, words, flags, link, mpi=mpi)
        runs = replace(settings.runs, timeout_s=timeout or settings.runs.timeout_s)
        settings = replace(
            settings, runs=runs, args=ctx.obj if ctx.obj is not None else settings.args
        )
        kernels = kernels_in(settings)
        if kernels is not None:
            _verify_kernels(kernels, settings, form)
            return
        with messages.status("compiling and analysing"):
            prepared = prepare(settings, timed=False)
        report_selection(prepared)
        with messages.status("building and running") as status:
            found = verify(
                prepared,
                on_run=lambda r: status.update(
                    f"{len(prepared.experiments)} runs: {' '.join(r.argv)}"
                ),
            )
        data = found.document
        if target:
            write_json(data, target)
        if target != "-":
            show(verification_table(data), form)
        for r in found.runs:
            if r.status != "ok":
                say(
                    f"run {' '.join(r.argv)} failed: {r.reason}"
                    f" {' '.join(r.stderr.strip().splitlines()[-1:])}".rstrip()
                )
        for text in broken_assumptions(found.totals):
            say(text)
        leave(
            interrupted=found.interrupted,
            finding=bool(found.wrong or found.totals.miscounted),
            unusable=found.failed == len(found.runs),
        )


def _verify_kernels(text: str, settings: Settings, form: str) -> None:
    """Run the kernels of a program on this processor and show what was found."""
    with messages.status("running kernels on this processor"):
        if runs_with_host(settings):
            checks = check_with_host(settings, text)
        else:
            checks = check_kernels(text, settings.vary, settings.entry)
    show(kernel_checks_table(checks), form)
    leave(
        interrupted=False,
        finding=any(c.wrong for c in checks),
        unusable=all(c.failure for c in checks),
    )
