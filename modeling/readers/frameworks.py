"""Results of C++ test frameworks: GoogleTest's JSON, Catch2's XML.

GoogleTest (`--gtest_output=json:FILE`): what a test records with RecordProperty under a name and a
number is a parameter, under a name and a word what tells series apart, and under `metric.NAME` a
value; a test that takes one parameter and records
none has it as n. The time of a test, in steps of a millisecond, is taken where it records no value.
Catch2 (`--reporter xml`; its JSON leaves benchmarks out) has the mean time of each BENCHMARK, whose
name ends with its parameters: "sort n=64".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from looplaw_common.errors import DataError

from ..data.checks import exact_text, expect, load_json, measured
from ..data.observations import Number, Observation
from .keys import labelled
from .reader import TextReader

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_METRIC = "metric."
_OWN = frozenset(
    "name file line status result timestamp time classname value_param type_param".split()
)
"""Fields of a test that GoogleTest itself writes."""
_ASSIGNED = re.compile(r"\s+([A-Za-z_]\w*)=(\S+)$")


def read_googletest(text: str, name: str) -> Iterator[Observation]:
    """The values that tests recorded, or their times in seconds."""
    data = expect(load_json(text, name), dict, "the document", name)
    for suite in expect(data.get("testsuites"), list, '"testsuites"', name):
        tests = expect(suite, dict, "a suite", name).get("testsuite")
        for test in expect(tests, list, '"testsuite"', name):
            yield from _test(expect(test, dict, "a test", name), name)


def _test(test: Mapping[str, Any], name: str) -> Iterator[Observation]:
    plain = str(test.get("name", "")).partition("/")[0]
    suite = str(test.get("classname", "")).rpartition("/")[2] or "tests"
    path = f"{suite}.{plain}"
    where = f"{name}: {path}"
    if test.get("result", "COMPLETED") != "COMPLETED" or test.get("failures"):
        return
    given = {
        str(k): str(v)
        for k, v in test.items()
        if k not in _OWN and isinstance(v, (str, int, float)) and _NUMBER.fullmatch(str(v))
    }
    params = {k: v for k, v in given.items() if not k.startswith(_METRIC)}
    if not params and _NUMBER.fullmatch(str(test.get("value_param", ""))):
        params = {"n": str(test["value_param"])}
    if not params:
        return  # a test of what is right, not of how it grows
    point = {k: exact_text(v, f"parameter {k}", where) for k, v in sorted(params.items())}
    words = {str(k): v for k, v in test.items() if k not in _OWN and isinstance(v, (str, bool))}
    path = labelled(path, sorted((k, v) for k, v in words.items() if k not in given))
    values = {k.removeprefix(_METRIC): v for k, v in given.items() if k.startswith(_METRIC)}
    for metric, value in values.items():
        unit = "s" if metric == "time" else ""
        yield Observation(point, path, metric, measured(float(value), metric, where), unit=unit)
    if not values:
        seconds = str(test.get("time", "")).removesuffix("s")
        if not _NUMBER.fullmatch(seconds):
            raise DataError(f"{where}: no time")
        yield Observation(point, path, "time", measured(float(seconds), "time", where), unit="s")


def read_catch2(text: str, name: str) -> Iterator[Observation]:
    """The mean time of each benchmark in seconds."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise DataError(f"{name}: no XML: {error}") from None
    for case in root.iter("TestCase"):
        for row in case.iter("BenchmarkResults"):
            title, mean = row.get("name") or "benchmark", row.find("mean")
            where = f"{name}: {title}"
            path, params = _named(title, where)
            value = None if mean is None else mean.get("value")
            if value is None or not _NUMBER.fullmatch(value):
                raise DataError(f"{where}: no mean")
            seconds = measured(float(value) * 1e-9, "time", where)
            yield Observation(params, f"{case.get('name')}.{path}", "time", seconds, unit="s")


def _named(title: str, where: str) -> tuple[str, dict[str, Number]]:
    """The name of a benchmark without the parameters at its end, and those."""
    params: dict[str, Number] = {}
    while match := _ASSIGNED.search(title):
        if not _NUMBER.fullmatch(match[2]):
            break
        params[match[1]] = exact_text(match[2], f"parameter {match[1]}", where)
        title = title[: match.start()]
    return title, dict(sorted(params.items()))


def is_googletest(text: str) -> bool:
    """Does it have the framework's fields?"""
    return '"testsuites"' in text and '"testsuite"' in text


def is_catch2(text: str) -> bool:
    """Does it have the framework's elements?"""
    return "<Catch2TestRun" in text[:4096] or "<BenchmarkResults" in text


READERS = (
    TextReader("GoogleTest", ".json", is_googletest, read_googletest),
    TextReader("Catch2", ".xml", is_catch2, read_catch2),
)
