"""The command line: a table of its verbs; the module of a verb is imported when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import cast

import click
from click.shell_completion import CompletionItem

from looplaw_common.version import __version__

from .help_pages import with_help
from .usage import OneLine

VERBS = {
    "analyze": ("analyze:analyze_command", "How often every loop runs, as formulas; runs nothing."),
    "c++": ("counts:cxx_command", "Compile C++ with counters: a compiler for make and cmake."),
    "cc": ("counts:cc_command", "Compile C with counters: a compiler for make and cmake."),
    "check": ("check:check_command", "Fail if a program or study breaks a law that you state."),
    "clusters": ("models.clusters:clusters_command", "Which MPI ranks behave alike."),
    "compare": ("models.compare:compare_command", "Two versions' measurements: the faster one."),
    "completion": ("completion:completion_command", "Completion for bash, zsh or fish."),
    "counts": ("counts:counts_command", "What a program built with looplaw cc counted."),
    "demo": ("demo:demo_command", "The whole way on a small program, in a few seconds."),
    "diff": ("difference:difference_command", "Fail if a new version's work grows faster."),
    "doctor": ("doctor:doctor_command", "Test the set-up; say what is missing."),
    "export": ("exchange:export_command", "Measurements in another format."),
    "fc": ("counts:fc_command", "Compile Fortran with counters: a compiler for make and cmake."),
    "findings": ("findings:findings_command", "What a study found, also as SARIF."),
    "fit": ("models.fit:fit_command", "Models of measurements; needs no compiler."),
    "history": ("history:history_command", "Models over commits; which commit changed them."),
    "import": ("exchange:import_command", "Measurements of other formats as JSON Lines."),
    "init": ("init:init_command", "Write a first study.toml for a program."),
    "lsp": ("lsp:lsp_command", "Laws beside the loops in an editor."),
    "machine": ("machine:machine_command", "Measure caches and memory."),
    "merge": ("models.merge:merge_command", "Merge the statistics of many processes."),
    "next": ("next_run:next_command", "Which size to measure next; runs it, too."),
    "plan": ("plan:plan_command", "Which loops need a counter, what to vary."),
    "plot": ("models.picture:picture_command", "Draw a kernel as PNG, SVG or PDF."),
    "predict": ("models.predict:predict_command", "The time at a size that was not run."),
    "report": ("report:report_command", "Write a study or measurements as one HTML page."),
    "run": ("run:run_command", "Run with counters; print measurements."),
    "runs": ("exchange:runs_command", "The finished runs of a study."),
    "scaling": ("models.scaling:scaling_command", "Speed-up and isoefficiency of times."),
    "show": ("models.shown:show_command", "A finished study again, or its kernels at a size."),
    "study": ("study:study_command", "Run a program, explain its time, write a report."),
    "verify": ("verify:verify_command", "Run a program to test each formula that analyze derives."),
}
"""Verb -> (MODULE:NAME of its command in `commands`, with dots, what it does in one line)."""

FIRST_GROUPS = {
    "A program": ("study", "analyze", "predict", "report"),
    "Measurements": ("fit", "compare"),
    "A repository": ("diff", "check"),
    "This machine": ("doctor",),
}
"""What a person has -> the verbs of the first page."""
MORE_GROUPS = {
    "To begin": ("demo", "init"),
    "A study": ("next", "show", "plot", "findings", "runs", "history"),
    "Step by step": ("plan", "run", "verify", "cc", "c++", "fc", "counts", "machine"),
    "Many processes": ("scaling", "clusters", "merge"),
    "Data": ("import", "export"),
    "An editor or a shell": ("lsp", "completion"),
}
"""The same for `looplaw help more`."""
GROUPS = FIRST_GROUPS | MORE_GROUPS
"""All groups; each verb once."""
_START = """looplaw says how a program will scale: exact counts, times at any size, limits.

Three ways to start:
  looplaw demo                              a small program, predicted and tried
  looplaw study FILE.c --vary n=64,128,256  yours; looplaw init proposes sizes
  looplaw fit bench.json                    measurements you have; no compiler

looplaw --help lists the commands; looplaw doctor tests the set-up.
"""


def command(verb: str) -> click.Command:
    """A verb with its options; its module is imported."""
    module, _, name = VERBS[verb][0].partition(":")
    found = cast(
        click.Command, getattr(importlib.import_module(f".commands.{module}", __package__), name)
    )
    if verb not in _WITHOUT_HELP and found.add_help_option:  # not yet completed
        if verb not in _WITHOUT_LIMITS:
            found.params.append(_MEMORY)
        with_help(found)
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
_WITHOUT_HELP = ("c++", "cc", "fc")
"""Verbs that take the arguments of a compiler."""
_WITHOUT_LIMITS = ("completion",)
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
        """Without a word, three ways to start; after `help`, a page of help; a file is asked what
        one most likely wants of it."""
        if not args and not ctx.resilient_parsing:  # as completion asks
            click.echo(_START, nl=False)
            ctx.exit()
        if args[:1] == ["help"]:
            if args[1:] == ["more"]:
                click.echo(self._more(ctx))
                ctx.exit()
            args = [*args[1:2], "--help"]
        elif args and args[0] not in VERBS and (likely := likely_verb(args[0])):
            args = [*likely, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb; one that is spelt almost so is named in the error."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            if Path(args[0]).suffix or "/" in args[0]:
                ctx.fail(f"{args[0]}: no such file.")
            near = get_close_matches(args[0], VERBS, 1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            ctx.fail(f"No such command {args[0]!r}{meant}.")
        if args and args[0] in _STARTING and not ctx.resilient_parsing:
            from looplaw_common.processes import start_from_small_process

            start_from_small_process()
        verb, found, rest = super().resolve_command(ctx, args)
        return verb, found, _renamed(verb or "", rest)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(cmd_name) if cmd_name in VERBS else None

    def with_option(self, name: str) -> list[str]:
        """The verbs of the first page that have an option."""
        return [
            verb
            for verb in _first_verbs()
            if any(name in p.opts for p in command(verb).params if isinstance(p, click.Option))
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_groups(FIRST_GROUPS, formatter)
        formatter.write(f"\n{len(VERBS) - len(_first_verbs())} more: looplaw help more\n")

    def _more(self, ctx: click.Context) -> str:
        """The page of the verbs that --help leaves out."""
        formatter = ctx.make_formatter()
        _write_groups(MORE_GROUPS, formatter)
        return formatter.getvalue().strip()

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Verbs without importing them, and options."""
        verbs = [
            CompletionItem(verb, help=about)
            for verb, (_, about) in VERBS.items()
            if verb.startswith(incomplete)
        ]
        return verbs + click.Command.shell_complete(self, ctx, incomplete)


_FORMER = {("fit", "--strict"): "--every-series", ("scaling", "--method"): "--speedup-law"}
"""Former names of options, which still work."""


def _renamed(verb: str, words: list[str]) -> list[str]:
    """The words of a command line with options as they are called today."""
    end = words.index("--") if "--" in words else len(words)
    split = [word.partition("=") for word in words[:end]]
    return [_FORMER.get((verb, n), n) + eq + value for n, eq, value in split] + words[end:]


def _first_verbs() -> tuple[str, ...]:
    return tuple(verb for verbs in FIRST_GROUPS.values() for verb in verbs)


def _write_groups(groups: Mapping[str, tuple[str, ...]], formatter: click.HelpFormatter) -> None:
    longest = max(map(len, VERBS))
    for title, verbs in groups.items():
        with formatter.section(title):
            formatter.write_dl([(f"{v:<{longest}}", VERBS[v][1]) for v in verbs])


def likely_verb(name: str) -> list[str]:
    """The verb that a file or folder is most likely meant for, which is said; else nothing."""
    path = Path(name)
    if not path.exists():
        return []
    from staticana.frontend.registry import is_program

    from .console import say

    if is_program(path):
        verb, other = "analyze", f"looplaw study {name} also runs it"
    elif path.suffix == ".toml":
        verb, other = "study", "looplaw run prints its measurements"
    elif (path / "study.json").is_file() or path.name == "study.json":
        verb, other = "show", f"looplaw report {name} writes its page"
    else:
        verb, other = "fit", f"looplaw report {name} writes a page"
    say(f"looplaw {verb} {name} ({other})")
    return [verb]


@click.group("looplaw", cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="looplaw")
def main() -> None:
    """Say how a program scales: exact counts, its time at any size, limits.

    \b
    looplaw study lu.c --vary n=64,128,256,512    your program
    looplaw fit bench.json                        your measurements
    looplaw FILE                                  what is most likely meant for it
    """


if __name__ == "__main__":
    main()
