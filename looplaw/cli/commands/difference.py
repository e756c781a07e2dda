"""looplaw diff: what grows faster between two versions of a program, or two studies."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from looplaw_common.documents import form_of
from looplaw_common.errors import DataError, InputError
from looplaw_common.files import write_whole
from looplaw_common.scratch import scratch_folder

from ...documents.analysis import ANALYSIS
from ...gate import reports
from ...gate.findings import FORMAT, changes
from ...gate.flags import compile_commands, generated_headers, in_versions, known_commands
from ...gate.judging import Change
from ...gate.program import FOOTPRINT, ProgramLaws
from ...gate.revisions import SOURCES, bisected, commits, kernel_files, revision, top_of
from ...gate.versions import Options, Unit, compare_units, saved_laws, units
from ...report import Table
from ...report.grid import Column
from ...settings.settings import parse_parameters
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, leave, put, tell_lines
from ..options import compile_options, param_option

_FINDINGS = (
    Column("kind", "finding", "word"),
    Column("at", "at", "path", 12),
    Column("function", "function", "path", 10),
    Column("before", "before", "formula", 10),
    Column("after", "after", "formula", 10),
    Column("faster_in", "grows faster in", "text", 6),
    Column("reason", "reason", "text", 16),
)
METRICS = ("flops", "bytes", "loads", "stores", "mpi_messages", "mpi_bytes", "calls", FOOTPRINT)
_FUNCTIONS = 15
"""The share of the whole budget that the law of one function may take."""
_LAWS = Path("laws.toml")
_MEASUREMENTS = (".csv", ".tsv", ".jsonl", ".md", ".txt")
_Path = click.Path(dir_okay=False, path_type=Path)


@click.command("diff")
@click.argument("paths", nargs=-1, metavar="[OLD NEW | PATH...]")
@click.option("--base", metavar="REV", help="Compare with the sources of this git revision.")
@click.option("--head", metavar="REV", help="Compare these sources instead of the checkout's.")
@click.option(
    "--log", "span", metavar="A..B", help="Name the commits of a range that changed a law."
)
@click.option(
    "--compile-commands",
    "database",
    type=_Path,
    help="Take files and flags from it (default: that of the top or of a build folder).",
)
@click.option(
    "--factor",
    type=click.FloatRange(min=1),
    metavar="X",
    help="Constant factors above X are growth, too.",
)
@click.option(
    "--undecided",
    type=click.Choice(("fail", "pass")),
    default="fail",
    help="Exit with 3, or with 0, where nothing grows but something is undecided.",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time that the count of one loop may take.",
)
@click.option(
    "--budget-total",
    type=click.FloatRange(min=0.01),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="CPU time after which functions are compared by their shapes alone.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    type=click.Choice(METRICS),
    help="Operations that must not grow faster, either; repeat it for several.",
)
@click.option(
    "--laws",
    type=_Path,
    metavar="FILE",
    help="What is stated of parameters (default: laws.toml, if there is one).",
)
@click.option("--html", type=_Path, help="For studies: write NEW's report with OLD beside it.")
@click.option("--sarif", type=_Path, metavar="FILE", help="Write SARIF 2.1.0.")
@click.option("--junit", type=_Path, metavar="FILE", help="Write JUnit XML.")
@click.option("--markdown", type=_Path, metavar="FILE", help="Write a comment for people.")
@click.option(
    "--code-quality", type=_Path, metavar="FILE", help="Write a code quality report for GitLab."
)
@click.option(
    "--badge", type=_Path, metavar="FILE", help="Write the JSON that shields.io shows as a badge."
)
@click.option(
    "--github",
    is_flag=True,
    help="Print annotations for GitHub (default where GITHUB_ACTIONS is set).",
)
@param_option
@compile_options
@json_option
@format_option
@debug_option
def difference_command(
    paths: tuple[str, ...],
    base: str | None,
    head: str | None,
    target: str | None,
    form: str,
    debug: bool,
    **given: Any,
) -> None:
    """Find growth between two versions of a program, without a run.

    OLD and NEW are sources, folders, IR, saved analyses or studies. With --base, PATHs are sources
    in a git repository. The exit code is 1 if the work of a function grows faster than before, 3 if
    that cannot be decided of one. Between two studies, it is 1 if a law changed or a time grew. Of
    two files of measurements, what looplaw compare says is printed.

    \b
    looplaw diff --base HEAD~1 src
    looplaw diff --base HEAD~1 --head HEAD src --format markdown
    looplaw diff --log HEAD~1..HEAD src
    looplaw diff old.c new.c
    looplaw diff looplaw-out/before looplaw-out/after --html difference.html
    """
    with guarded(debug):
        if given["span"] and (base or head):
            raise InputError("--log A..B: compares commit by commit; leave out --base and --head")
        plain = not (base or head or given["database"] or given["span"])
        if plain and len(paths) == 2:
            if all(map(_is_study, paths)):
                from ..study_difference import compare_studies

                compare_studies(paths[0], paths[1], given["html"], target, form)
            if all(map(_is_measured, paths)):
                asked = {"sources": paths, "form": form, "target": target, "debug": debug}
                from .models.compare import compare_command

                click.get_current_context().invoke(compare_command, metric=None, **asked)
                return
        if given["html"]:
            raise InputError("--html: compares studies only; use --format markdown")
        found = _log(paths, given) if given["span"] else _changes(paths, base, head, given)
        _write(found, target, form, given)
        kinds = {c.kind for c in found}
        unsure = "undecided" in kinds and given["undecided"] == "fail"
        leave(finding="growth" in kinds, unusable=unsure)


def _changes(
    paths: Sequence[str], base: str | None, head: str | None, given: dict[str, Any]
) -> tuple[Change, ...]:
    options = _options(given)
    with ExitStack() as stack:
        scratch = stack.enter_context(scratch_folder("diff"))
        if base is None:
            if head is not None or len(paths) != 2:
                raise InputError(
                    "diff compares two versions: write OLD NEW, or --base REV and paths in a git"
                    " repository, as in looplaw diff --base origin/main src"
                )
            roots = [_root(path) for path in paths]
            flags = tuple(in_versions(options.flags, Path.cwd(), roots))
            options = replace(options, flags=flags)
            device = _kernels(roots, [_inside(path) for path in paths], flags)
            if device is not None and not _has_others(paths):
                return device
            old_side, new_side = (_version(path, options) for path in paths)
            if isinstance(old_side, tuple) and isinstance(new_side, tuple):
                host = compare_units(old_side, new_side, **_asked(new_side, given))
                return (*host, *(device or ()))
            asked = _asked(new_side if isinstance(new_side, tuple) else (), given)
            return changes(_laws(old_side), _laws(new_side), **asked)
        top, inside, options = _sources(paths, given, scratch)
        before = stack.enter_context(revision(base, top, scratch))
        after = top if head is None else stack.enter_context(revision(head, top, scratch))
        old, new = (units(side, inside, options, is_tree=True) for side in (before, after))
        device = _kernels((before, after), [inside, inside], options.flags)
        if not old and not new:
            if device is not None:
                return device
            raise InputError(f"{', '.join(paths) or top}: no sources in either version")
        return (*compare_units(old, new, **_asked(new, given)), *(device or ()))


def _inside(path: str) -> tuple[str, ...]:
    """What a path of a version names in its root."""
    return (".",) if Path(path).is_dir() else (Path(path).name,)


def _kernels(
    roots: Sequence[Path], inside: Sequence[Sequence[str]], flags: Sequence[str]
) -> tuple[Change, ...] | None:
    """The findings on kernels; None where neither version has any."""
    old, new = (kernel_files(root, paths) for root, paths in zip(roots, inside, strict=True))
    if not old and not new:
        return None
    pairs = [(f, f) for f in new if f in old]
    if len(old) == len(new) == 1:
        pairs = [(old[0], new[0])]
    from ...gate.kernels import kernel_changes

    return kernel_changes((roots[0], roots[1]), pairs, flags)


def _has_others(paths: Sequence[str]) -> bool:
    """Are there sources other than kernels?"""
    return any(
        f.suffix in SOURCES
        for path in paths
        for f in (Path(path).rglob("*") if Path(path).is_dir() else (Path(path),))
    )


def _options(given: dict[str, Any]) -> Options:
    """How programs are analysed, as the options say."""
    parameters = parse_parameters(given["params"])
    has_footprints = FOOTPRINT in given["metrics"]
    return Options(
        tuple(given["flags"]),
        parameters,
        given["budget"],
        given["budget_total"] / _FUNCTIONS,
        given["budget_total"],
        has_footprints=has_footprints,
    )


def _asked(after: Sequence[Unit], given: dict[str, Any]) -> dict[str, Any]:
    """What counts as growth, and where: options, comments of the new version, laws.toml."""
    asked = {"factor": given["factor"], "metrics": given["metrics"]}
    file = given["laws"] or (_LAWS if _LAWS.is_file() else None)
    if file is None and not any(unit.may_state for unit in after):
        return asked

    from ...check.laws_toml import read_laws
    from ...gate.stated import regions

    assumed = read_laws(file)[1] if file is not None else ()
    return {**asked, "region": regions(after, assumed)}


def _log(paths: Sequence[str], given: dict[str, Any]) -> tuple[Change, ...]:
    """The findings of the commits of a range, found by bisection."""
    with ExitStack() as stack:
        scratch = stack.enter_context(scratch_folder("diff"))
        top, inside, options = _sources(paths, given, scratch)
        trees: dict[str, tuple[Unit, ...]] = {}

        def version(commit: str) -> tuple[Unit, ...]:
            if commit not in trees:
                tree = stack.enter_context(revision(commit, top, scratch))
                trees[commit] = units(tree, inside, options, is_tree=True)
            return trees[commit]

        def compare(old: tuple[str, str], new: tuple[str, str]) -> list[Change]:
            before, after = version(old[0]), version(new[0])
            said = compare_units(before, after, **_asked(after, given))
            return [c for c in said if c.kind not in ("new", "gone")]

        return tuple(
            replace(change, commit=f"{commit[:10]} ({subject})")
            for (commit, subject), found in bisected(commits(top, given["span"]), compare)
            for change in found
        )


def _sources(
    paths: Sequence[str], given: dict[str, Any], scratch: Path
) -> tuple[Path, tuple[str, ...], Options]:
    """The top of the repository, the paths in it, and how they are compiled."""
    top, inside = _in_repository(paths)
    options = _options(given)
    flags = tuple(in_versions(options.flags, Path.cwd(), (top,)))
    options = replace(options, flags=flags)
    database = given["database"] or known_commands(top)
    if database is not None:
        commands = compile_commands(database, top)
        inside = inside or tuple(commands)
        options = replace(options, commands=commands)
    every = dict.fromkeys([*flags, *(f for found in options.commands.values() for f in found)])
    headers = generated_headers(top, tuple(every), scratch / "generated")
    return top, inside, replace(options, generated=headers)


def _in_repository(paths: Sequence[str]) -> tuple[Path, tuple[str, ...]]:
    """The top of the repository, and the paths relative to it; none: everything."""
    first = Path(paths[0]) if paths else Path()
    while not first.is_dir():
        first = first.parent
    top = top_of(first).resolve()
    found = []
    for path in paths:
        try:
            found.append(Path(os.path.abspath(path)).resolve().relative_to(top).as_posix())
        except ValueError:
            raise InputError(f"{path}: not in the git repository {top}") from None
    return top, tuple(found)


def _version(path: str, options: Options) -> tuple[Unit, ...] | ProgramLaws:
    file = Path(path)
    if not file.exists():
        raise InputError(f"{path}: no such file or folder; compare git revisions with --base REV")
    if _is_study(path):
        return saved_laws(_study_json(file), _form(_study_json(file)))
    if _is_measured(path):
        raise InputError(f"{path}: measurements, and no program: name another file of these")
    if file.suffix == ".json":
        return saved_laws(file, ANALYSIS)
    found = units(_root(path), ["." if file.is_dir() else file.name], options)
    if not found:
        raise InputError(f"{path}: no sources in it: .c, .cc, .cpp, .ll, .bc, .f90 or .rs")
    return found


def _root(path: str) -> Path:
    """The folder of a version that is a folder or a file."""
    file = Path(path)
    return (file if file.is_dir() else file.parent).resolve()


def _laws(side: tuple[Unit, ...] | ProgramLaws) -> ProgramLaws:
    if isinstance(side, ProgramLaws):
        return side
    if len(side) > 1:
        raise InputError("a saved analysis is compared with one program: name its files' folder")
    return side[0].laws


def _study_json(path: Path) -> Path:
    return path / "study.json" if path.is_dir() else path


def _is_study(path: str) -> bool:
    file = _study_json(Path(path))
    return file.is_file() and (Path(path).is_dir() or _form(file).startswith("looplaw-study/"))


def _is_measured(path: str) -> bool:
    """Is it a study, or a file of measurements of whatever benchmark?"""
    file = Path(path)
    if file.suffix in _MEASUREMENTS or _is_study(path):
        return file.exists()
    is_json = file.suffix == ".json" and file.is_file()
    return is_json and not _form(file).startswith("looplaw-")


def _form(file: Path) -> str:
    """The format that a JSON file names; empty for other files."""
    if file.suffix != ".json":
        return ""
    try:
        return form_of(file.read_bytes(), str(file)) or ""
    except DataError:
        return ""  # a benchmark may write a list


def _write(found: tuple[Change, ...], target: str | None, form: str, given: dict[str, Any]) -> None:
    if target:
        write_json({"format": FORMAT, "findings": [c.to_json() for c in found]}, target)
    if given["sarif"]:
        write_whole(given["sarif"], json.dumps(reports.sarif(found), indent=1) + "\n")
    if given["junit"]:
        write_whole(given["junit"], reports.junit(found))
    if given["markdown"]:
        write_whole(given["markdown"], reports.markdown(found) + "\n")
    if given["code_quality"]:
        write_whole(given["code_quality"], json.dumps(reports.code_quality(found), indent=1) + "\n")
    if given["badge"]:
        write_whole(given["badge"], json.dumps(reports.badge(found)) + "\n")
    if target != "-":
        if form == "json":
            write_json({"format": FORMAT, "findings": [c.to_json() for c in found]}, "-")
        elif form in ("text", "markdown"):
            tell_lines(reports.text(found) if form == "text" else reports.markdown(found))
        else:
            rows = tuple(
                (c.kind, c.at, c.function, c.before, c.after, ", ".join(c.faster_in), c.reason)
                for c in found
            )
            show(Table(_FINDINGS, rows), form)
    if given["github"] or os.environ.get("GITHUB_ACTIONS") == "true":
        lines = reports.github_lines(found)
        put("\n".join(lines), nl=bool(lines), err=target == "-" or form == "json")
