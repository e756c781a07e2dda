"""looplaw check: expected laws against formulas, measurements and models; exit code 1 when one is
broken."""

from __future__ import annotations

import os
from pathlib import Path

import click

from looplaw_common.documents import form_of
from looplaw_common.errors import DataError
from looplaw_common.files import write_whole
from modeling.expectations.expectations import Finding
from staticana import InputError

from ...check.ci_annotations import FAILED, github_lines, junit_xml
from ...check.evidence import gather
from ...check.findings.finding import unjudged_text
from ...check.kernel_comments import KERNEL_SUFFIXES, stated_of_kernels
from ...check.laws_toml import Assumed, hold, only_static, read_laws, save_laws, seed, without_law
from ...documents.reading import load
from ...documents.study import STUDY, StudyDocument
from ...gate.revisions import SOURCES
from ...gate.stated import hold_stated, relieved
from ...gate.stated_runs import hold_in_study
from ...gate.versions import Options, Unit
from ...report import Table
from ...report.cells import counted_noun
from ...report.grid import Column
from ...settings.settings import parse_parameters
from ..common import debug_option, format_option, json_option, show, write_json
from ..console import guarded, leave, note_bare_logarithms, put, say, tell
from ..options import compile_options, param_option

FORMAT = "looplaw-check/1"
_DEFAULT = Path("laws.toml")


@click.command("check")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--laws",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Expected laws (default: laws.toml, if there is one).",
)
@click.option("--init", is_flag=True, help="Write today's laws to FILE instead of checking.")
@click.option(
    "--static",
    "static",
    is_flag=True,
    help="Check formulas only, not what was measured; of sources, nothing is run in any case.",
)
@click.option(
    "--new",
    "new",
    type=click.Choice(("fail", "pass")),
    default="pass",
    help="Exit with 1, or with 0, where a loop or function has no law.",
)
@click.option(
    "--undecided",
    "undecided",
    type=click.Choice(("fail", "pass")),
    default="fail",
    help="Exit with 3, or with 0, where a law is only known to hold under assumptions.",
)
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write JUnit XML.",
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
def check_command(
    targets: tuple[str, ...],
    laws: Path | None,
    init: bool,
    static: bool,
    new: str,
    undecided: str,
    junit: Path | None,
    github: bool,
    params: tuple[str, ...],
    flags: tuple[str, ...],
    target: str | None,
    form: str,
    debug: bool,
) -> None:
    """Check TARGET against laws that you state; exit with 1 if one is broken.

    The exit code is 3 if no law was checked, or one is only known to hold under assumptions. Laws
    are in laws.toml and in comments of the sources, as in // looplaw: grows no faster than n.
    TARGET is a study, a file of models or measurements (- is stdin), or the sources of a program,
    whose formulas are checked without a run. Miscounted loops of a study are findings as well.

    \b
    looplaw check looplaw-out/matmul --init      write laws.toml
    looplaw check looplaw-out/matmul             check the study
    looplaw check matmul.c --laws laws.toml --junit report.xml
    """
    with guarded(debug):
        file = laws or (_DEFAULT if init or _DEFAULT.is_file() else None)
        if init:
            assert file is not None
            _init(targets, file, params, flags)
            return
        study = _study(targets[0]) if len(targets) == 1 else None
        verdicts = None if study is None or static else _verdicts(study)
        known, assumed = read_laws(file) if file is not None else ((), ())
        stated = _stated(targets, study, assumed, params, flags)
        kernels = [Path(t) for t in targets if Path(t).suffix in KERNEL_SUFFIXES]
        subjects = gather(targets, parse_parameters(params), flags) if known or kernels else []
        known = (*known, *stated_of_kernels(kernels, subjects))
        if not known and not stated and (static or study is None or not _own_laws(study)):
            raise DataError(
                f"nothing was checked: {targets[0]} has no laws; write them with --init, in"
                " comments (// looplaw: grows no faster than n), or name a file with --laws"
            )
        note_bare_logarithms(law.formula for law in known)
        if static:
            subjects, study = only_static(subjects), None
        found = (*relieved(hold(known, subjects), subjects, assumed), *stated)
        added = without_law(known, subjects)
        if target:
            write_json(
                {
                    "format": FORMAT,
                    "findings": [f.to_json() for f in found],
                    "loops": verdicts or [],
                    "new": [{"kernel": name, "formula": text} for name, text in added],
                },
                target,
            )
        if junit is not None:
            write_whole(junit, junit_xml(found))
        if target != "-":
            _print(found, study, verdicts, form)
        for name, text in added:
            say(f"new: {name}, {text}")
        if github or os.environ.get("GITHUB_ACTIONS") == "true":
            put("\n".join(github_lines(found)), nl=bool(github_lines(found)))
        broken = bool(verdicts) or any(f.status in FAILED for f in found)
        broken |= new == "fail" and bool(added)
        checked = any(f.status != "unchecked" for f in found) or (
            study is not None and _own_laws(study) > 0
        )
        if not checked:
            say("looplaw: nothing was checked: no law could be judged with what is known here")
        left = [f for f in found if f.is_open]
        for f in left if target != "-" else ():
            say(_remedy(f))
        unjudged = [loop for loop in study.loops if loop.unjudged] if study is not None else []
        for loop in unjudged if target != "-" else ():
            say(f"not judged: {loop.at}: {unjudged_text(loop)}")
        open_ = undecided == "fail" and bool(left or unjudged)
        leave(finding=broken, unusable=not checked or open_)


def _remedy(f: Finding) -> str:
    """What would decide a law that is open."""
    what = f"{f.at or f.kernel}: {f.law.metric} {f.law.text}"
    if f.status == "unchecked":
        return f"undecided: {what}: {f.reason}"
    stated = ", ".join(f.where)
    return (
        f"undecided: {what} holds where {stated}; nothing is known elsewhere. If callers ensure"
        f" this, state it (// looplaw: {stated})"
    )


def _init(
    targets: tuple[str, ...], file: Path, params: tuple[str, ...], flags: tuple[str, ...]
) -> None:
    laws, remarks = seed(gather(targets, parse_parameters(params), flags))
    for remark in remarks:
        say(remark)
    if not laws:
        raise InputError(f"{targets[0]}: nothing in it has a law to start from")
    save_laws(file, laws)
    say(f"{counted_noun(len(laws), 'law')} written to {file}")


def _stated(
    targets: tuple[str, ...],
    study: StudyDocument | None,
    assumed: tuple[Assumed, ...],
    params: tuple[str, ...],
    flags: tuple[str, ...],
) -> tuple[Finding, ...]:
    """What comments in the sources state, and the relations of laws.toml."""
    if study is not None:
        return hold_in_study(study, assumed)
    files = [Path(t).resolve() for t in targets if Path(t).is_file()]
    if len(files) < len(targets) or any(f.suffix not in SOURCES for f in files):
        return ()
    root = Path(os.path.commonpath([f.parent for f in files]))
    options = Options(tuple(flags), parse_parameters(params))
    return hold_stated([Unit(targets[0], root, tuple(files), options)], assumed)


def _study(target: str) -> StudyDocument | None:
    """The target, if it is a study."""
    path = Path(target) / "study.json" if Path(target).is_dir() else Path(target)
    if target != "-" and not path.is_file():
        raise InputError(f"{target}: no such file, and no study in it")
    if path.suffix != ".json" or form_of(path.read_bytes(), str(path)) != STUDY:
        return None
    return load(path, StudyDocument, STUDY)


def _own_laws(study: StudyDocument) -> int:
    """The number of loops that the study itself held against their laws."""
    return sum(
        loop.obeys in ("yes", "no", "bounded") or loop.verdict in ("obeys", "exceeds", "below")
        for loop in study.loops
    )


def _verdicts(study: StudyDocument) -> list[dict[str, str]]:
    """What a study's own comparison found wrong."""
    return [
        {"at": loop.at, "verdict": loop.verdict, "reason": loop.verdict_reason or ""}
        for loop in study.loops
        if loop.verdict in ("miscounted", "exceeds")
    ]


def _print(
    found: tuple[Finding, ...],
    study: StudyDocument | None,
    verdicts: list[dict[str, str]] | None,
    form: str,
) -> None:
    if study is not None and study.summary.conclusion:
        say(study.summary.conclusion)
    for loop in verdicts or ():
        tell(f"{loop['at']}: {loop['verdict']}: {loop['reason']}")
    if found:
        show(_table(found), form)
    elif study is not None and not verdicts:
        checked, loops = _own_laws(study), len(study.loops)
        tell(
            "every loop obeys its law"
            if checked == loops
            else f"{checked} of {counted_noun(loops, 'loop')} obey their laws;"
            f" {loops - checked} unchecked"
        )


def _table(found: tuple[Finding, ...]) -> Table:
    columns = (
        Column("kernel", "kernel", "path", 12),
        Column("metric", "metric", "word"),
        Column("expect", "expected", "formula", 10),
        Column("status", "status", "word"),
        Column("divergence", "divergence", "formula", 10),
        Column("reason", "reason", "text", 20),
    )
    rows = tuple(
        (
            f.kernel,
            f.law.metric,
            f.law.text,
            f.status,
            "" if f.divergence is None else f"O({f.divergence.lead})",
            f.reason,
        )
        for f in found
    )
    keys = tuple(c.key for c in columns)
    broken = sum(f.status in FAILED for f in found)
    partly = sum(f.is_open and f.status != "unchecked" for f in found)
    unchecked = sum(f.status == "unchecked" for f in found)
    note = (
        f"{counted_noun(len(found), 'law')} checked: {broken} broken"
        + (f", {partly} only where an assumption holds" if partly else "")
        + (f", {unchecked} unchecked" if unchecked else "")
    )
    return Table(columns, rows, note=note, records=Table(keys, rows))
