"""Findings as SARIF 2.1.0 (OASIS), which code scanning services show on the source line."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

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
            "message": {"text": f.message},
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
    path = PurePosixPath(f.file)
    artifact: dict[str, object] = (
        {"uri": f"file://{quote(str(path))}"}
        if path.is_absolute()
        else {"uri": quote(str(path)), "uriBaseId": "%SRCROOT%"}
    )
    return {
        "physicalLocation": {
            "artifactLocation": artifact,
            "region": {"startLine": f.line, "startColumn": f.column},
        },
        "logicalLocations": [{"name": f.function, "kind": "function"}],
    }


def _fingerprint(f: Finding) -> str:
    """The same for the same finding when lines above it are added: not its line, but its law."""
    return sha256(
        "\0".join((f.verdict, f.file, f.function, str(f.column), f.law or "")).encode()
    ).hexdigest()[:32]
