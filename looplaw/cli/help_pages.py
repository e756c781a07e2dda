"""The help of a verb: one screen of what most people need, and all options with --help-all."""

from __future__ import annotations

from inspect import cleandoc

import click

from looplaw_common.text import for_people

from .usage import BREAK, examples

_MOST_EXAMPLES = 3
"""Examples on the first screen."""
_WIDTH = 78
"""Columns of an example there; longer ones are for --help-all."""
_OF_EVERY_VERB = ("--debug", "--max-memory", "--safe")
"""Options that the first screen leaves out."""
FIRST: dict[str, tuple[str, ...]] = {
    "analyze": (
        "--annotate",
        "--functions",
        "--matrix",
        "--memory",
        "--entry",
        "--param",
        "--flag",
        "-I",
        "--compile-commands",
        "--json",
        "--format",
    ),
    "check": ("--laws", "--init", "--static", "--junit", "--github", "--json", "--format"),
    "clusters": ("--by", "--classes", "--clusters", "--params", "--values", "--json", "--format"),
    "compare": ("--at", "--params", "--values", "--series", "--json", "--format"),
    "diff": (
        "--base",
        "--head",
        "--compile-commands",
        "--factor",
        "--undecided",
        "--markdown",
        "--sarif",
        "--junit",
        "--github",
        "--json",
    ),
    "fit": (
        "--params",
        "--values",
        "--series",
        "--html",
        "--ranks",
        "--speedup",
        "--follow",
        "--json",
        "--format",
    ),
    "history": ("--commit", "--store", "--at", "--html", "--fail", "--json", "--format"),
    "plan": ("--param", "--entry", "--flag", "--scorep", "--xray", "--json", "--format"),
    "predict": ("--at", "--time", "--interval", "--all", "--json", "--format"),
    "run": (
        "--vary",
        "--args",
        "--param",
        "--flag",
        "--live",
        "--adaptive",
        "--models",
        "--launcher",
        "--dry-run",
        "--out",
    ),
    "scaling": ("--at", "--processes", "--work", "--speedup-law", "--json", "--format"),
    "show": ("--at", "--from", "--all", "--sort", "--top", "--filter", "--json", "--format"),
    "study": (
        "--vary",
        "--args",
        "--at",
        "--param",
        "--flag",
        "-I",
        "--until",
        "--budget-time",
        "--dry-run",
        "--all",
        "--out",
        "--json",
    ),
    "verify": ("--vary", "--args", "--param", "--flag", "--link", "--json", "--format"),
}
"""Verb -> options of its first screen; of other verbs all but those of every verb."""


def with_help(command: click.Command) -> click.Command:
    """Give a verb --help, which fits on a screen, and --help-all."""
    command.add_help_option = False
    command.params += [
        _help_option(["-h", "--help"], "Show this page.", is_whole=False),
        _help_option(["--help-all"], "Show all options.", is_whole=True),
    ]
    return command


def _help_option(names: list[str], about: str, *, is_whole: bool) -> click.Option:
    def show(context: click.Context, _: click.Parameter, given: bool) -> None:
        if given and not context.resilient_parsing:
            click.echo(for_people(help_text(context, is_whole=is_whole)))
            context.exit()

    return click.Option(
        names, is_flag=True, expose_value=False, is_eager=True, callback=show, help=about
    )


def help_text(context: click.Context, *, is_whole: bool) -> str:
    """What --help prints, or --help-all."""
    command = context.command
    if is_whole:
        return command.get_help(context)
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    about = cleandoc(command.help or "").partition(BREAK)[0]
    for paragraph in about.strip().split("\n\n"):
        text = " ".join(paragraph.split())
        formatter.write(f"\n{click.wrap_text(text, formatter.width, '  ', '  ')}\n")
    short = [e for e in examples(command) if len(e) <= _WIDTH]
    formatter.write("".join(("\n", *(f"  {example}\n" for example in short[:_MOST_EXAMPLES]))))
    shown, left_out = _options(context)
    if shown:
        with formatter.section("Options"):
            formatter.write_dl(shown, col_max=24)
    if left_out:
        formatter.write(f"{left_out} more: {context.command_path} --help-all")
    return formatter.getvalue().rstrip()


def _options(context: click.Context) -> tuple[list[tuple[str, str]], int]:
    """The options of the first screen with what each does, and how many others there are."""
    options = [o for o in context.command.params if isinstance(o, click.Option) and not o.hidden]
    by_name = {name: option for option in options for name in option.opts}
    first = FIRST.get(context.command.name or "")
    shown = (
        [by_name[name] for name in first]
        if first is not None
        else [o for o in options if not {*_OF_EVERY_VERB, "--help", "--help-all"} & {*o.opts}]
    )
    records = [record for o in shown if (record := o.get_help_record(context)) is not None]
    return records, len(options) - len(shown) - 2
