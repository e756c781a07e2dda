"""Observations that are piped in: models, and the law that changes on the way."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from looplaw.cli.main import main


def lines(count: int, change: int) -> str:
    generator = np.random.default_rng(4)
    rows = []
    for k in range(1, count + 1):
        n = int(2 ** generator.integers(4, 9))
        value = n * n * (1.5 if k >= change else 1) * (1 + 0.03 * generator.standard_normal())
        rows.append(
            json.dumps({"params": {"n": n}, "callpath": "solve", "metric": "time", "value": value})
        )
    return "\n".join(rows) + "\n"


def test_a_change_is_told_and_the_models_are_those_of_fit() -> None:
    text = lines(200, 120)
    done = CliRunner().invoke(main, ["fit", "-", "--follow", "--json", "-"], input=text)
    assert done.exit_code == 0, done.output
    told = [line for line in done.stderr.splitlines() if "has changed" in line]
    assert len(told) == 1
    assert "solve, time: the law has changed since observation 1" in told[0]
    offline = CliRunner().invoke(main, ["fit", "-", "--json", "-"], input=text)
    (followed,), (whole,) = (json.loads(d.stdout)["models"] for d in (done, offline))
    assert followed["terms"][0]["coefficient"] == pytest.approx(whole["terms"][0]["coefficient"])
    assert (
        "has changed"
        not in CliRunner().invoke(main, ["fit", "-", "--follow"], input=lines(120, 999)).stderr
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no observations"),
        (
            '{"params": {"n": 1}, "value": 1}\n{"params": {"m": 1}, "value": 1}\n',
            "<stdin>:2: the par",
        ),
        ('{"params": {"n": 1}, "value": NaN}\n', "<stdin>:1: value is nan"),
        ("no\n", "<stdin>:1: not JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    done = CliRunner().invoke(main, ["fit", "-", "--follow"], input=text)
    assert done.exit_code == 3
    assert message in done.stderr
