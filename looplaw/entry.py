"""The command line as it starts: help and names of verbs at once, the rest when a verb is called."""

from __future__ import annotations

import click

from . import __version__

ABOUT = """Performance laws of compiled loops.

\b
looplaw study matmul.c --vary n=64,128,256,512    the whole way, to a report
looplaw analyze matmul.c                          formulas only
looplaw fit measurements.jsonl                    models only
"""

VERBS = {
    "analyze": "Derive how often every loop of PROGRAM runs.",
    "c++": "Compile C++ with counters: a compiler for make and cmake.",
    "cc": "Compile C with counters: a compiler for make and cmake.",
    "check": "Exit with 1 if TARGET breaks an expected law, or a loop of a study was...",
    "clusters": 'Cluster the ranks in FILE (JSON Lines with "rank"; - is stdin) and model...',
    "compare": "Print law, count and model of a finished study (its directory or...",
    "completion": "Print the script that makes SHELL complete looplaw's verbs and options.",
    "counts": "Print what a program built with looplaw cc counted into the file CELLS, as...",
    "diff": "Say which formulas and models changed from study OLD to study NEW; exit...",
    "doctor": "Say which compiler and tools are used and what is missing.",
    "export": "Write the measurements of SOURCE (the directory of a study or a run, or a...",
    "findings": "List what a finished study found; exit code 1 if a loop was miscounted or...",
    "fit": "Model the measurements in all FILEs and folders (JSON Lines and other...",
    "import": "Read measurements (JSON Lines, CSV, Extra-P's text and JSON) and write them...",
    "plan": "Say which loops need a counter and why, which parameters to vary, and how...",
    "plot": "Draw KERNEL (file:line, function or call path) of a study or of...",
    "predict": "Evaluate models (a file that looplaw fit or study wrote) at a point, with...",
    "report": "Write the HTML page of a finished study again.",
    "run": "Run PROGRAM (sources, .ll, .bc, or a study.toml) instrumented and print...",
    "runs": "List the finished runs of a study, or of looplaw run, point by point.",
    "scaling": "Speed-up of the times in FILE (JSON Lines; - is stdin), and predictions...",
    "study": "Analyse, run and model PROGRAM (sources, .ll, .bc, or a study.toml) and...",
    "verify": "Hold every formula of PROGRAM against the truth at every entry of its loop;...",
}
"""Verb -> its help in one line, as `looplaw --help` lists them."""


class _Verbs(click.Group):
    """The verbs of `looplaw.cli`, which is imported when one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from .cli import main as verbs
        return verbs.get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in self.list_commands(ctx)])


main = _Verbs("looplaw", help=ABOUT, context_settings={"help_option_names": ["-h", "--help"]})
click.version_option(__version__, prog_name="looplaw")(main)
