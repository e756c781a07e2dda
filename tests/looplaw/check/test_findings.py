"""Findings as other tools read them: SARIF as the standard has it, remarks as LLVM's own tools read
them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

from looplaw.check.findings import findings, remarks, sarif
from modeling import DataError
from tests.looplaw.study_example import HOSTILE, example_study, typed


def test_only_verdicts_that_matter_are_findings() -> None:
    found = findings(typed(example_study(miscounted=True)))
    assert [(f.verdict, f.level, f.file, f.line, f.column) for f in found] == [
        ("exceeds", "warning", "kernels/stencil.c", 21, 3),
        ("not identifiable", "note", "sort.c", 14, 3),
        ("below", "note", "util/strided.c", 9, 3),
        ("miscounted", "error", "wrong.c", 7, 3),
    ]
    with pytest.raises(DataError, match="study: not a file of the format"):
        findings(typed({"loops": 3}))


def test_sarif_keeps_the_rules_of_the_standard() -> None:
    log: Any = json.loads(
        json.dumps(sarif(findings(typed(example_study(hostile=True, miscounted=True)))))
    )
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "looplaw"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for result in run["results"]:
        assert (
            driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        )  # 3.27.6: they must agree
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert re.fullmatch(r"[\w./%-]+", place["artifactLocation"]["uri"])  # RFC 3986
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        assert place["region"]["startLine"] >= 1
        assert place["region"]["startColumn"] >= 1
    prints = [result["partialFingerprints"]["loop/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_fingerprints_outlive_moved_lines() -> None:
    before, after = example_study(), example_study()
    loops: Any = after["loops"]
    for loop in loops:
        file, line, column = loop["at"].rsplit(":", 2)
        loop["at"] = f"{file}:{int(line) + 7}:{column}"

    def prints(study: Any) -> list[str]:
        log: Any = sarif(findings(typed(study)))
        return [r["partialFingerprints"]["loop/v1"] for r in log["runs"][0]["results"]]

    assert prints(before) == prints(after)


def test_remarks_are_yaml_documents_of_every_loop() -> None:
    text = remarks(typed(example_study(hostile=True)))
    documents = text.split("...\n")
    assert documents.pop() == ""
    assert len(documents) == 14
    assert all(
        d.startswith(("--- !Passed\n", "--- !Missed\n", "--- !Analysis\n")) for d in documents
    )
    for line in text.splitlines():
        value = line.partition(": ")[2]
        if value.startswith('"'):
            json.loads(value)  # whatever the data say, a value is one quoted scalar
    assert json.dumps(HOSTILE) in text


def test_llvm_reads_the_remarks(tmp_path: Path) -> None:
    tool = next(
        (
            t
            for t in ("llvm-remarkutil", *(f"llvm-remarkutil-{v}" for v in range(22, 16, -1)))
            if shutil.which(t)
        ),
        None,
    )
    if tool is None:
        warnings.warn("remarks were not read by LLVM: install llvm-remarkutil", stacklevel=1)
        pytest.skip("no llvm-remarkutil on PATH")
    (tmp_path / "a.opt.yaml").write_text(remarks(typed(example_study())), encoding="utf-8")
    subprocess.run(
        [tool, "yaml2bitstream", "a.opt.yaml", "-o", "a.bitstream"],
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    stream = (tmp_path / "a.bitstream").read_bytes()
    assert b"RMRK" in stream
    assert b"kernels/stencil.c" in stream
