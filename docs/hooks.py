"""What is made from the code when the site is built, so that none of it can be out of date: a page
for each verb, the fields of the documents, and the table of rooms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File, Files

from looplaw.cli.main import GROUPS, VERBS, command
from tools import formats
from tools.rooms import rooms, table

_ROOMS = "<!-- rooms -->"


def on_config(config: Any) -> Any:
    """Completes the reference: a page for each verb, below their list, and the formats."""
    pages = [{name: f"verbs/{name}.md"} for name in sorted(VERBS)]
    config.nav[-1]["Reference"] += [
        {"Formats": "formats.md"},
        {"Verbs": ["verbs/index.md", *pages]},
    ]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Adds verbs/NAME.md with their list, and formats.md."""
    files.append(File.generated(config, "formats.md", content=formats.page()))
    names = sorted(VERBS)
    for name in names:
        files.append(File.generated(config, f"verbs/{name}.md", content=page(name, command(name))))
    rows = "\n\n".join(
        f"## {title}\n\n| verb | what it does |\n| --- | --- |\n"
        + "\n".join(f"| [{n}]({n}.md) | {VERBS[n][1]} |" for n in group)
        for title, group in GROUPS.items()
    )
    files.append(File.generated(config, "verbs/index.md", content=f"# Verbs\n\n{rows}\n"))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The table of rooms in place of its mark."""
    if _ROOMS not in markdown:
        return markdown
    return markdown.replace(_ROOMS, table(rooms(Path(__file__).resolve().parent.parent)))


_WRAPPERS = """Arguments are those of clang; options of looplaw come before them. The
[build systems](../libraries.md#a-build-system) describe them and how to read the counts.

    CC="looplaw cc" CXX="looplaw c++" make
    CC="looplaw cc --kernel=solve* --max-overhead=1%" make
"""


def page(name: str, command: click.Command) -> str:
    """What the verb does, its examples, its options."""
    if not command.help:  # a stand-in for the compiler, which answers --help itself
        return f"# looplaw {name}\n\n{VERBS[name][1]}\n{_WRAPPERS}"
    text, _, examples = command.help.partition("\b\n")
    options = [
        o.get_help_record(click.Context(command))
        for o in command.params
        if isinstance(o, click.Option) and not {"--help", "--help-all"} & {*o.opts}
    ]
    rows = "\n".join(
        f"| `{r[0].replace('|', chr(92) + '|')}` | {r[1].replace('|', chr(92) + '|')} |"
        for r in options
        if r
    )
    code = "\n".join("    " + line.strip() for line in examples.splitlines())
    table = f"\n\n| option | meaning |\n| --- | --- |\n{rows}" if rows else ""
    return f"# looplaw {name}\n\n{text.strip()}\n\n{code}{table}\n"
