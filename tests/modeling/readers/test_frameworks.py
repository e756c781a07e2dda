"""GoogleTest's JSON and Catch2's XML, as the frameworks write them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from looplaw_common.errors import DataError
from modeling import fit, read
from modeling.readers import read_observations

SIZES = (64, 128, 256, 512, 1024, 2048)


def googletest(law: object = None) -> str:
    """What --gtest_output=json writes of one parametrised suite: all properties are texts."""
    tests = [
        {
            "name": f"Grows/{k}",
            "value_param": str(n),
            "file": "sort_test.cc",
            "line": 12,
            "status": "RUN",
            "result": "COMPLETED",
            "timestamp": "2026-01-01T00:00:00Z",
            "time": f"{n / 1000}s",
            "classname": "Sizes/SortTest",
            **({"n": str(n), "metric.steps": str(n * n)} if law else {}),
        }
        for k, n in enumerate(SIZES)
    ]
    plain = {"name": "IsRight", "result": "COMPLETED", "time": "0s", "classname": "SortTest"}
    suites = [{"name": "Sizes/SortTest", "tests": 6, "testsuite": [*tests, plain]}]
    return json.dumps({"tests": 7, "failures": 0, "name": "AllTests", "testsuites": suites})


def test_what_googletest_recorded(tmp_path: Path) -> None:
    file = tmp_path / "gtest.json"
    file.write_text(googletest(law=True))
    (model,) = fit(read(file)).models
    assert (model.callpath, model.metric) == ("SortTest.Grows", "steps")
    assert model.predict({"n": 4096}).value == 4096**2
    file.write_text(googletest())
    found = list(read_observations(googletest(), "gtest.json", ".json"))
    assert [(dict(o.params), o.metric, o.value) for o in found[:2]] == [
        ({"n": 64}, "time", 0.064),
        ({"n": 128}, "time", 0.128),
    ]
    assert len(found) == len(SIZES)


CATCH2 = """<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="bench" rng-seed="1" xml-format-version="3" catch2-version="3.5.0">
  <TestCase name="sorting" filename="bench.cc" line="5">
{rows}
  </TestCase>
</Catch2TestRun>
"""
ROW = """    <BenchmarkResults name="sort n={n} m=8" samples="100" resamples="100" iterations="2">
      <mean value="{ns}" lowerBound="1" upperBound="2" ci="0.95"/>
      <standardDeviation value="3" lowerBound="1" upperBound="5" ci="0.95"/>
    </BenchmarkResults>"""


def test_benchmarks_of_catch2() -> None:
    text = CATCH2.format(rows="\n".join(ROW.format(n=n, ns=5 * n) for n in SIZES))
    found = list(read_observations(text, "out.xml", ".xml"))
    assert [(o.callpath, dict(o.params)) for o in found] == [
        ("sorting.sort", {"m": 8, "n": n}) for n in SIZES
    ]
    assert [o.value for o in found] == pytest.approx([5e-9 * n for n in SIZES])
    with pytest.raises(DataError, match=r"out\.xml"):
        list(read_observations(text[:300], "out.xml", ".xml"))


def test_check_holds_results_of_other_tools_to_laws(tmp_path: Path) -> None:
    law = '[[law]]\nkernel = "SortTest.Grows"\nmetric = "steps"\nexpect = "{}"\n'
    (tmp_path / "gtest.json").write_text(googletest(law=True))
    for expect, code in (("<= n**2", 0), ("<= 2*n", 1)):
        (tmp_path / "laws.toml").write_text(law.format(expect))
        words = ["check", str(tmp_path / "gtest.json"), "--laws", str(tmp_path / "laws.toml")]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == code, done.output
    benchmarks = [
        {"fullname": "t.py::test_sort", "params": {"n": n}, "stats": {"data": [n * 1e-6] * 3}}
        for n in SIZES
    ]
    (tmp_path / "bench.json").write_text(json.dumps({"benchmarks": benchmarks}))
    law = law.replace("SortTest.Grows", "t.py::test_sort").replace("steps", "time")
    (tmp_path / "laws.toml").write_text(law.format("O(n*log2(n))"))
    words = ["check", str(tmp_path / "bench.json"), "--laws", str(tmp_path / "laws.toml")]
    assert CliRunner().invoke(main, words).exit_code == 0
