"""Findings as SARIF 2.1.0 (OASIS), which code scanning services show on the source line."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

from looplaw_common.text import visible
from looplaw_common.version import __version__

from .finding import RULES, Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(found: Sequence[Finding]) -> dict[str, object]:
    """A SARIF log with one run. Paths of the study that are relative are relative to the repository
    (%SRCROOT%)."""
    order = list(RULES)
    rules = [
        {
            "id": _rule_id(verdict),
            "name": _pascal(verdict),
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        }
        for verdict, (level, text) in RULES.items()
    ]
    results = [
        {
            "ruleId": _rule_id(f.verdict),
            "ruleIndex": order.index(f.verdict),
            "level": f.level,
            "message": {"text": visible(f.message)},
            "locations": [_location(f)],
            "partialFingerprints": {"loop/v1": _fingerprint(f)},
        }
        for f in found
    ]
    driver = {
        "name": "looplaw",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": rules,
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
    }


def _rule_id(verdict: str) -> str:
    return f"looplaw/{verdict.replace(' ', '-')}"


def _pascal(verdict: str) -> str:
    return "".join(word.capitalize() for word in verdict.split())


def _location(f: Finding) -> dict[str, object]:
    return {
        "physicalLocation": {
            "artifactLocation": artifact(f.file),
            "region": {"startLine": f.line, "startColumn": f.column},
        },
        "logicalLocations": [{"name": visible(f.function), "kind": "function"}],
    }


def artifact(file: str) -> dict[str, object]:
    """Where a file is: relative names are relative to the repository."""
    path = PurePosixPath(file)
    if path.is_absolute():
        return {"uri": f"file://{_quoted(str(path))}"}
    return {"uri": _quoted(str(path)), "uriBaseId": "%SRCROOT%"}


def _quoted(path: str) -> str:
    """A path as a URI: its bytes, whatever they are."""
    return quote(
        path.encode("utf-8", "surrogateescape" if _is_of_a_file(path) else "surrogatepass")
    )


def _is_of_a_file(path: str) -> bool:
    """Are its lone surrogates those by which Python writes bytes that are no UTF-8?"""
    return all("\udc80" <= c <= "\udcff" for c in path if "\ud800" <= c <= "\udfff")


def _fingerprint(f: Finding) -> str:
    """The same for the same finding when lines above it are added: not its line, but its law."""
    return sha256(
        "\0".join((f.verdict, f.file, f.function, str(f.column), f.law or "")).encode(
            "utf-8", "surrogatepass"
        )
    ).hexdigest()[:32]
