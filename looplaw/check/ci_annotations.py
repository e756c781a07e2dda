"""Findings for build servers: JUnit XML, and GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from modeling.expectations.expectations import Finding

FAILED = ("broken", "unmatched")
"""What fails a build."""


def junit_xml(findings: Sequence[Finding]) -> str:
    """One test case for each law and kernel."""
    counts = {
        "tests": len(findings),
        "failures": sum(f.status in FAILED for f in findings),
        "errors": 0,
        "skipped": sum(f.status == "unchecked" for f in findings),
    }
    suite = ElementTree.Element(
        "testsuite", {"name": "looplaw check", **{k: str(v) for k, v in counts.items()}}
    )
    for f in findings:
        case = ElementTree.SubElement(
            suite, "testcase", classname=_xml(f.kernel), name=_xml(f"{f.law.metric} {f.law.text}")
        )
        if f.status in FAILED:
            ElementTree.SubElement(
                case, "failure", message=_xml(f.reason), type=f.status
            ).text = _xml(_where(f))
        elif f.status == "unchecked":
            ElementTree.SubElement(case, "skipped", message=_xml(f.reason))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + ElementTree.tostring(root, encoding="unicode")
        + "\n"
    )


def _where(f: Finding) -> str:
    return f"{f.at}: {f.reason}" if f.at else f.reason


def _xml(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return "".join(c if c in "\t\n\r" or ord(c) >= 32 else "?" for c in text)


def github_lines(findings: Sequence[Finding]) -> list[str]:
    """::error lines, which GitHub shows beside the source."""
    lines = []
    for f in findings:
        if f.status in FAILED:
            place = ""
            if f.at:
                file, _, rest = f.at.partition(":")
                line, _, column = rest.partition(":")
                place = (
                    f"file={_property(file)},line={line or 1}"
                    + (f",col={column}" if column else "")
                    + ","
                )
            title = _property(f"{f.kernel}, {f.law.metric}: expected {f.law.text}")
            lines.append(f"::error {place}title={title}::{_data(f.reason)}")
    return lines


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
