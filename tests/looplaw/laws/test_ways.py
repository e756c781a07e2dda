"""Runs that take another way than a count assumes are not judged, and said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
static double field[4096];
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  const char *limit = getenv("LIMIT");
  if (n > 6 && rand() >= 0) { puts("too large"); return 0; }
  for (int i = 0; i < n; i++) field[i] += 1;
  return limit != NULL;
}
"""


def test_a_run_that_gave_up_is_not_miscounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    done = CliRunner().invoke(
        main, ["study", "p.c", "--vary", "n=4,5,6,7,8", "--repetitions", "1", "--out", "out"]
    )
    assert done.exit_code == 0, done.output
    (loop,) = json.loads(Path("out/study.json").read_text())["loops"]
    assert loop["total"]["kind"] == "exact"
    assert [c["equal"] for c in loop["counted"]] == [True, True, True, None, None]
    assert loop["verdict"] != "miscounted"
    assert "the run broke" in done.output
    assert "p.c:8:" in done.output
