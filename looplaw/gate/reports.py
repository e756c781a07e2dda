"""Findings of the gate as people and build servers read them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from xml.etree import ElementTree

from looplaw_common.text import in_one_line, visible
from looplaw_common.version import __version__

from ..check.ci_annotations import escaped_data, escaped_property, xml_text
from ..report.grid import code_span, markdown_text
from .judging import Change

_LEVELS = {"growth": "error", "undecided": "warning"}
_MEANINGS = {
    "growth": "The work of a function grows faster than before.",
    "undecided": "Whether the work of a function grows faster than before is not known.",
}


def summary(found: Sequence[Change]) -> str:
    """What was found, in one line."""
    counts = {kind: sum(c.kind == kind for c in found) for kind in ("growth", "undecided")}
    if not any(counts.values()):
        return "No function's work grows faster than before."
    grown, unsure = counts["growth"], counts["undecided"]
    parts = [f"{grown} grow{'s' * (grown == 1)} faster"] * bool(grown)
    parts += [f"{unsure} undecided"] * bool(unsure)
    return f"Functions: {', '.join(parts)}."


def text(found: Sequence[Change]) -> str:
    """One line for each function whose work changed, then the summary."""
    told = (c for c in found if c.kind not in ("new", "gone"))
    return "\n".join([*(in_one_line(c.text) for c in told), summary(found)])


def markdown(found: Sequence[Change]) -> str:
    """A comment for a pull request."""
    shown = [c for c in found if c.kind in ("growth", "undecided", "shrunk")]
    lines = ["### looplaw: growth of work", "", summary(found)]
    if shown:
        lines += ["", "| place | function | before | after | finding |", "|---|---|---|---|---|"]
        lines += [
            f"| {_cell(c.at)} | {_code(c.function)} | {_code(c.laws[0])} | {_code(c.laws[1])} |"
            f" {_remark(c)} |"
            for c in shown
        ]
    grown = next((c for c in shown if c.kind == "growth" and c.function.isidentifier()), None)
    if grown is not None:
        command = f"looplaw analyze {_place(grown)[0]} --entry {grown.function}"
        lines += ["", f"All loops of a function: {code_span(command)}"]
    return "\n".join(lines)


def _remark(c: Change) -> str:
    if c.kind == "growth" and c.faster_in:
        said = f": {_cell(c.reason)}" if c.reason else ""
        return f"**grows faster** in {_cell(', '.join(c.faster_in))}{said}"
    return _cell(f"{c.kind}: {c.reason}" if c.reason else c.kind)


def _cell(content: str) -> str:
    return markdown_text(in_one_line(content))


def _code(content: str) -> str:
    return code_span(in_one_line(content)) if content else ""


def sarif(found: Sequence[Change]) -> dict[str, object]:
    """A SARIF 2.1.0 log with growth as errors and what is undecided as warnings."""
    from ..check.findings.sarif import SCHEMA, artifact

    kinds = list(_MEANINGS)
    rules = [
        {
            "id": f"looplaw/{kind}",
            "shortDescription": {"text": _MEANINGS[kind]},
            "defaultConfiguration": {"level": _LEVELS[kind]},
        }
        for kind in kinds
    ]
    results = [
        {
            "ruleId": f"looplaw/{c.kind}",
            "ruleIndex": kinds.index(c.kind),
            "level": _LEVELS[c.kind],
            "message": {"text": visible(c.text)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": artifact(place[0]),
                        "region": {"startLine": place[1]},
                    },
                    "logicalLocations": [{"name": visible(c.function), "kind": "function"}],
                }
            ],
            "partialFingerprints": {"law/v1": visible(f"{c.kind}:{c.function}:{c.after}")},
        }
        for c in found
        if c.kind in _LEVELS and (place := _place(c))
    ]
    driver = {"name": "looplaw", "version": __version__, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
    }


def _place(c: Change) -> tuple[str, int]:
    file, _, line = c.at.rpartition(":")
    return file or c.at, int(line) if line.isdigit() and int(line) > 0 else 1


def junit(found: Sequence[Change]) -> str:
    """One test case for each finding; growth is a failure."""
    shown = [c for c in found if c.kind in _LEVELS] or ()
    suite = ElementTree.Element(
        "testsuite",
        {
            "name": "looplaw diff",
            "tests": str(max(len(shown), 1)),
            "failures": str(sum(c.kind == "growth" for c in shown)),
            "errors": "0",
            "skipped": str(sum(c.kind == "undecided" for c in shown)),
        },
    )
    for c in shown:
        case = ElementTree.SubElement(
            suite, "testcase", classname=xml_text(c.at), name=xml_text(c.function)
        )
        tag = "failure" if c.kind == "growth" else "skipped"
        ElementTree.SubElement(case, tag, message=xml_text(c.text))
    if not shown:
        ElementTree.SubElement(suite, "testcase", classname="looplaw diff", name="growth of work")
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def code_quality(found: Sequence[Change]) -> list[dict[str, object]]:
    """GitLab's code quality report: growth is major, what is undecided minor."""
    severity = {"growth": "major", "undecided": "minor"}
    return [
        {
            "description": c.text,
            "check_name": f"looplaw/{c.kind}",
            "fingerprint": sha256(f"{c.kind}:{c.function}:{c.after}".encode()).hexdigest()[:32],
            "severity": severity[c.kind],
            "location": {"path": place[0], "lines": {"begin": place[1]}},
        }
        for c in found
        if c.kind in severity and (place := _place(c))
    ]


def badge(found: Sequence[Change]) -> dict[str, object]:
    """A badge by the endpoint of shields.io."""
    grown = sum(c.kind == "growth" for c in found)
    unsure = any(c.kind == "undecided" for c in found)
    colour = "red" if grown else "yellow" if unsure else "brightgreen"
    message = f"{grown} grew" if grown else "undecided" if unsure else "none"
    return {"schemaVersion": 1, "label": "growth of work", "message": message, "color": colour}


def github_lines(found: Sequence[Change]) -> list[str]:
    """Workflow commands, which GitHub shows beside the source."""
    lines = []
    for c in found:
        if c.kind in _LEVELS:
            file, line = _place(c)
            where = f"file={escaped_property(file)},line={line}"
            title = escaped_property(f"{c.function}: {c.kind}")
            lines.append(f"::{_LEVELS[c.kind]} {where},title={title}::{escaped_data(c.text)}")
    return lines
