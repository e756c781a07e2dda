"""The command line: a table of its verbs; the module of a verb is imported when it is called."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import cast

import click
from click.shell_completion import CompletionItem

from looplaw_common.version import __version__

from .usage import OneLine

VERBS = {
    "analyze": ("analyze:analyze_command", "How often every loop runs, as formulas."),
    "c++": ("counts:cxx_command", "Compile C++ with counters: a compiler for make and cmake."),
    "cc": ("counts:cc_command", "Compile C with counters: a compiler for make and cmake."),
    "check": ("check:check_command", "Exit with 1 if a program or study breaks an expected law."),
    "clusters": (
        "models.clusters:clusters_command",
        "Which ranks behave alike, and a model of each class.",
    ),
    "compare": (
        "models.compare:compare_command",
        "Two versions: which is faster where, by how much, and from where on.",
    ),
    "completion": (
        "completion:completion_command",
        "The script for completion in bash, zsh or fish.",
    ),
    "counts": ("counts:counts_command", "What a program built with looplaw cc counted."),
    "demo": ("demo:demo_command", "The whole way on a small program, in a few seconds."),
    "diff": (
        "difference:difference_command",
        "Exit with 1 if a new version's work grows faster; compares studies, too.",
    ),
    "doctor": ("doctor:doctor_command", "Which compiler and tools are used, what is missing."),
    "export": ("exchange:export_command", "Measurements of a study or file in another format."),
    "findings": ("findings:findings_command", "What a study found; SARIF and LLVM remarks."),
    "fit": ("models.fit:fit_command", "Models of measurements you have; no compiler needed."),
    "history": ("history:history_command", "Models over commits, and which commits changed them."),
    "import": ("exchange:import_command", "Measurements of other formats as JSON Lines."),
    "init": ("init:init_command", "Write the first study.toml of a program."),
    "lsp": ("lsp:lsp_command", "Laws beside the loops in an editor: a language server."),
    "machine": ("machine:machine_command", "Measure caches and memory as programs meet them."),
    "merge": ("models.merge:merge_command", "Statistics of many processes become those of one."),
    "next": ("next_run:next_command", "What to measure next, for how long; makes it, too."),
    "plan": ("plan:plan_command", "What needs a counter, what to vary, how many runs."),
    "plot": ("models.picture:picture_command", "Draw a kernel as PNG, SVG or PDF."),
    "predict": ("models.predict:predict_command", "Evaluate models at a point, with intervals."),
    "report": ("report:report_command", "The HTML page of a study or of measurements."),
    "run": ("run:run_command", "Run instrumented and print measurements."),
    "runs": ("exchange:runs_command", "The finished runs of a study, point by point."),
    "scaling": (
        "models.scaling:scaling_command",
        "Speed-up, predictions and isoefficiency of times.",
    ),
    "show": (
        "models.shown:show_command",
        "Law, count and model of a study side by side; who dominates at scale.",
    ),
    "study": ("study:study_command", "Analyse, run and model a program; write a report."),
    "verify": ("verify:verify_command", "Check every formula at every entry of its loop."),
}
"""Verb -> (MODULE:NAME of its command in `commands`, with dots, what it does in one line)."""

GROUPS = {
    "To begin": ("demo", "doctor", "init"),
    "To ask a program how it scales": (
        "study",
        "next",
        "predict",
        "show",
        "report",
        "plot",
        "analyze",
        "plan",
    ),
    "To ask measurements that you have": ("fit", "compare", "scaling", "clusters"),
    "To guard a repository": ("diff", "check", "findings", "history"),
    "To run step by step": ("run", "runs", "verify", "cc", "c++", "counts", "machine"),
    "To move data": ("import", "export", "merge"),
    "To work in an editor or a shell": ("lsp", "completion"),
}
"""What one wants to do -> the verbs for it; each verb once."""
_START = """looplaw says how a program will scale: exact counts, times at any size, limits.

Three ways to start:
  looplaw demo                              a small program, foretold and tried
  looplaw study FILE.c --vary n=64,128,256  yours; looplaw init proposes sizes
  looplaw fit bench.json                    measurements you have; no compiler

looplaw --help lists the commands; looplaw doctor says if everything is here.
"""


def command(verb: str) -> click.Command:
    """A verb with its options; its module is imported."""
    module, _, name = VERBS[verb][0].partition(":")
    found = cast(
        click.Command, getattr(importlib.import_module(f".commands.{module}", __package__), name)
    )
    if verb not in _WITHOUT_LIMITS and all(p.name != _MEMORY.name for p in found.params):
        found.params.append(_MEMORY)
    return found


def _limited(_: click.Context, parameter: click.Parameter, text: str | None) -> None:
    if text is not None:
        from looplaw_common.limits import limit_memory, parse_size

        try:
            limit_memory(parse_size(text))
        except ValueError:
            raise click.BadParameter(
                f"{text!r}: write a size as in --max-memory 4G", param=parameter
            ) from None


_STARTING = ("check", "demo", "diff", "history", "machine", "next", "run", "study", "verify")
"""Verbs that start many programs."""
_WITHOUT_LIMITS = ("c++", "cc", "completion")
_MEMORY = click.Option(
    ["--max-memory"],
    metavar="SIZE",
    expose_value=False,
    is_eager=True,
    callback=_limited,
    help="Fail rather than take more memory than this, as in --max-memory 4G.",
)


class _Verbs(OneLine):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a word, three ways to start."""
        if not args and not ctx.resilient_parsing:  # as completion asks
            click.echo(_START, nl=False)
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb; one that is spelt almost so is named in the error."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = get_close_matches(args[0], VERBS, 1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            ctx.fail(f"No such command {args[0]!r}{meant}.")
        if args and args[0] in _STARTING and not ctx.resilient_parsing:
            from looplaw_common.processes import start_from_small_process

            start_from_small_process()
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(cmd_name) if cmd_name in VERBS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        longest = max(map(len, VERBS))
        for title, verbs in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{v:<{longest}}", VERBS[v][1]) for v in verbs])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Verbs without importing them, and options."""
        verbs = [
            CompletionItem(verb, help=about)
            for verb, (_, about) in VERBS.items()
            if verb.startswith(incomplete)
        ]
        return verbs + click.Command.shell_complete(self, ctx, incomplete)


@click.group("looplaw", cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="looplaw")
def main() -> None:
    """Performance laws of compiled loops.

    \b
    looplaw study matmul.c --vary n=64,128,256,512       the whole way, to a report
    looplaw analyze matmul.c                             formulas only
    looplaw fit measurements.jsonl --html report.html    models of measurements you have
    """


if __name__ == "__main__":
    main()
