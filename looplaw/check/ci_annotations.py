"""Findings for build servers: JUnit XML, and GitHub's workflow commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from looplaw_common.text import escaped, visible

if TYPE_CHECKING:
    from modeling.expectations.expectations import Finding

_PLACE = re.compile(r"(.+?)(?::(\d+))?(?::(\d+))?", re.DOTALL)
FAILED = ("broken", "unmatched")
"""What fails a build."""


def junit_xml(findings: Sequence[Finding]) -> str:
    """One test case for each law and kernel."""
    counts = {
        "tests": len(findings),
        "failures": sum(f.status in FAILED for f in findings),
        "errors": 0,
        "skipped": sum(_is_skipped(f) for f in findings),
    }
    suite = ElementTree.Element(
        "testsuite", {"name": "looplaw check", **{k: str(v) for k, v in counts.items()}}
    )
    for f in findings:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=xml_text(f.kernel),
            name=xml_text(f"{f.law.metric} {f.law.text}"),
        )
        if f.status in FAILED:
            ElementTree.SubElement(
                case, "failure", message=xml_text(f.reason), type=f.status
            ).text = xml_text(_where(f))
        elif _is_skipped(f):
            ElementTree.SubElement(case, "skipped", message=xml_text(f.reason))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + ElementTree.tostring(root, encoding="unicode")
        + "\n"
    )


def _is_skipped(f: Finding) -> bool:
    """Is it neither kept nor broken, as far as is known?"""
    return f.status == "unchecked" or f.is_open


def _where(f: Finding) -> str:
    return f"{f.at}: {f.reason}" if f.at else f.reason


def xml_text(text: str) -> str:
    """With characters that XML cannot hold as escapes, and those that show names backwards."""
    return visible(text)


def github_lines(findings: Sequence[Finding]) -> list[str]:
    """::error lines, which GitHub shows beside the source."""
    lines = []
    for f in findings:
        if f.status in FAILED:
            place = ""
            if f.at:
                file, line, column = file_line_column(f.at)
                place = (
                    f"file={escaped_property(file)},line={line or 1}"
                    + (f",col={column}" if column else "")
                    + ","
                )
            title = escaped_property(f"{f.kernel}, {f.law.metric}: expected {f.law.text}")
            lines.append(f"::error {place}title={title}::{escaped_data(f.reason)}")
    return lines


def file_line_column(at: str) -> tuple[str, str, str]:
    """A place apart; the file's name may have colons. Line and column may be missing."""
    match = _PLACE.fullmatch(at)
    return (match[1], match[2] or "", match[3] or "") if match else (at, "", "")


def escaped_data(text: str) -> str:
    """The text of a workflow command."""
    text = "".join(escaped(c) if c == "\t" else c for c in visible(text))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """A property of a workflow command."""
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")
