"""Names are any text: what is written is read back as it was, or refused in one line; what people
see has no raw control characters and loses none."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from looplaw.check.ci_annotations import file_line_column, github_lines, junit_xml
from looplaw.check.findings.finding import Finding
from looplaw.check.findings.sarif import artifact, sarif
from looplaw.exchange import FORMATS, for_spreadsheets, numbered
from looplaw.gate.judging import Change
from looplaw.gate.reports import junit, markdown
from looplaw.gate.reports import sarif as gate_sarif
from looplaw.report.grid import Column, Table, render
from looplaw_common.errors import LooplawError
from looplaw_common.text import for_spreadsheets as safe_cell
from looplaw_common.text import visible
from modeling.data.observations import Observation
from modeling.expectations.expectations import Finding as Verdict
from modeling.expectations.expectations import parse_law

RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
HOSTILE = (
    "\ud800", "\udcff", "\0", "\x1b[31m", "\u202eevil", "]]>", "<!--", '"', "'", "`|$", "{x}",
    "=cmd|' /C calc'!A0", "a,b", "a;b", "a\tb", "a\nb", "a\r\nb", " a", "a ", "", "#", "-1",
    "%0A::error::", "\x85", "\u2028", "\ufeff", "\\x1b", "[/bold]", "NaN", "1e9", "é", "日本", "😀",
)  # fmt: skip


def is_text_of_json(name: str) -> bool:
    """Does it come back? Two halves of a character that stand side by side are that character."""
    return bool(json.loads(json.dumps(name)) == name)


names = (st.sampled_from(HOSTILE) | st.text(max_size=12) | st.text(
    st.characters(categories=["Cs", "Cc", "Cf", "Zs", "Po"]), max_size=6
)).filter(is_text_of_json)  # fmt: skip
many = settings(max_examples=300)


def observations(parameter: str, callpath: str, metric: str) -> list[Observation]:
    return [Observation({parameter: n}, callpath, metric, 1.5 * n) for n in (1, 2, 4)]


@pytest.mark.parametrize("form", FORMATS)
@given(parameter=st.just("n") | names, callpath=names, metric=names)
@many
def test_what_is_written_is_read_back_or_refused(
    form: str, parameter: str, callpath: str, metric: str
) -> None:
    """Nothing changes a name silently: what the reader refuses is the reader's to say."""
    given_ = list(numbered(observations(parameter, callpath, metric)))
    try:
        text = FORMATS[form].write(given_)
        content = text.encode("utf-8")
        found = list(numbered(FORMATS[form].read(content.decode("utf-8"), "file")))
    except LooplawError:
        return
    assert [replace(o, line=None) for o in found] == given_


@given(parameter=names, callpath=names, metric=names)
@settings(max_examples=60)
def test_parquet_keeps_or_refuses_names(
    tmp_path_factory: pytest.TempPathFactory, parameter: str, callpath: str, metric: str
) -> None:
    pytest.importorskip("pyarrow")
    from looplaw.bulk.importer import write_dataset
    from looplaw.bulk.parquet_exchange import columns_for_parquet, dataset_observations

    folder: Path = tmp_path_factory.mktemp("data")
    given_ = list(numbered(observations(parameter, callpath, metric)))
    try:
        write_dataset(columns_for_parquet(given_, merge=False), folder, "file")
    except LooplawError:
        assert not list(folder.glob("*.parquet"))
        return
    assert list(dataset_observations(folder)) == given_


@given(name=names, other=names)
@many
@example("a\x1b]0;title\x07", "\u202e")
def test_tables_have_no_raw_control_characters(name: str, other: str) -> None:
    table = Table(
        (Column("a", "a", "path"), Column("b", "b", "text"), Column("c", "c", "formula")),
        ((name, other, name), (None, 1.0, True)),
        note=other,
    )
    for form in ("text", "markdown", "latex"):
        text = render(table, form, color=False)
        assert not RAW.search(text), form
        text.encode()
    assert tuple(json.loads(render(table, "json"))[0].values()) == (name, other, name)
    rows = list(csv.reader(io.StringIO(render(table, "csv"))))
    assert rows[1][0] == name.replace("\0", "\\x00").replace("\r", "\\x0d")
    safe = list(csv.reader(io.StringIO(render(table, "csv", safe=True))))
    for cell in safe[1]:
        assert cell.lstrip(" ")[:1] not in ("=", "+", "-", "@", "|", "\t", "\r", "%")
        assert not RAW.search(cell)
    assert rows[2] == safe[2] == ["", "1.0", "true"]


@given(names, names)
def test_safe_cells_differ_where_names_do(a: str, b: str) -> None:
    if "\\" not in a + b and not any(c.isspace() for c in a + b):
        assert (safe_cell(a) == safe_cell(b)) == (visible(a) == visible(b))
    o = for_spreadsheets(Observation({"=n": 1}, a, b, 1.0))
    assert o.callpath == safe_cell(a)
    assert list(o.params) == ["'=n"]


def test_units_are_safe_cells_too() -> None:
    o = Observation({"n": 1}, "f", "time", 1.0)
    assert for_spreadsheets(o).unit == ""
    assert for_spreadsheets(replace(o, unit="s")).unit == "s"
    assert for_spreadsheets(replace(o, unit="=s")).unit == "'=s"


def test_build_servers_get_every_verdict_once() -> None:
    law = parse_law("*", "time", "O(n)")
    statuses = ["kept", "broken", "unchecked", "unmatched", "unchecked", "kept"]
    verdicts = [Verdict(law, f"k{n}", s, "why", at="") for n, s in enumerate(statuses)]
    (suite,) = ElementTree.fromstring(junit_xml(verdicts)).iter("testsuite")
    cases = list(suite.iter("testcase"))
    children = [[child.tag for child in case] for case in cases]
    assert children == [[], ["failure"], ["skipped"], ["failure"], ["skipped"], []]
    assert [child.text for case in cases for child in case] == ["why", None, "why", None]
    placed = ElementTree.fromstring(junit_xml([replace(verdicts[1], at="a.c:3:4")]))
    assert [child.text for child in placed.iter("failure")] == ["a.c:3:4: why"]
    told = [int(suite.get(name) or "?") for name in ("tests", "failures", "errors", "skipped")]
    assert told == [6, 2, 0, 2]
    assert [line.partition("::error ")[2][:8] for line in github_lines(verdicts)] == [
        "title=k1"
    ] + ["title=k3"]


def test_a_place_in_a_report_is_the_file_whatever_its_bytes() -> None:
    """Bytes that are no UTF-8 are kept (RFC 3986), other surrogates can be told apart."""
    assert artifact("a b/\udcff.c") == {"uri": "a%20b/%FF.c", "uriBaseId": "%SRCROOT%"}
    assert artifact("/\udcffé.c") == {"uri": "file:///%FF%C3%A9.c"}
    for name in ("\ud800", "\udcff\ud800", "\udcff\ud800\udcfe"):
        uri = artifact(name)["uri"]
        assert isinstance(uri, str)
        assert unquote_to_bytes(uri).decode("utf-8", "surrogatepass") == name


@pytest.mark.parametrize(
    ("at", "apart"),
    [
        ("a.c:3:4", ("a.c", "3", "4")),
        ("a.c:3", ("a.c", "3", "")),
        ("a.c", ("a.c", "", "")),
        ("C:x.c:3:4", ("C:x.c", "3", "4")),
        ("a.c:3:4:5", ("a.c:3", "4", "5")),
        ("", ("", "", "")),
    ],
)
def test_places_come_apart_at_their_last_colons(at: str, apart: tuple[str, str, str]) -> None:
    assert file_line_column(at) == apart


@given(name=names, text=names)
@many
def test_build_servers_can_read_what_they_get(name: str, text: str) -> None:
    law = parse_law("*", "time", "O(n)")
    verdicts = [Verdict(law, name, "broken", text, at=f"{name}.c:3:4")]
    root = ElementTree.fromstring(junit_xml(verdicts))
    assert [case.get("classname") for case in root.iter("testcase")] == [visible(name)]
    (line,) = github_lines(verdicts)
    assert "\n" not in line
    assert "\r" not in line
    assert line.startswith("::error file=")
    assert ",line=3,col=4,title=" in line
    assert not RAW.search(line)
    finding = Finding("miscounted", f"{name}.c", 3, 4, name, text, None, None)
    change = Change("growth", name, f"{name}.c:3", "n", "n**2", ("n",), text)
    for log in (sarif([finding]), gate_sarif([change])):
        json.dumps(log, ensure_ascii=False).encode()
    ElementTree.fromstring(junit([change]))
    rows = [row for row in markdown([change]).splitlines() if row.startswith("|")]
    assert len(rows) == 3
    assert not RAW.search("".join(rows))
