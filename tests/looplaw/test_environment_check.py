"""`looplaw doctor` proves a compiler by canaries."""

from __future__ import annotations

import pytest

from looplaw import environment_check
from looplaw.environment_check import CANARIES, Canary, examine, outcome
from looplaw_common.errors import InputError


@pytest.fixture(autouse=True)
def _no_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment_check, "_events", list)


def test_the_compiler_in_use_is_proved_by_a_counted_canary() -> None:
    checks = list(examine())
    by_name = {c.name: c for c in checks}
    assert by_name["C"].ok, by_name["C"].found
    assert "are counted as predicted" in by_name["C"].found
    assert by_name["recommended"].found
    assert outcome(checks) == "ready"


def test_a_canary_that_is_not_exact_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n"
        "  int n = atoi(argv[1]);\n  for (int i = 0; i < n; i++) if (rand() == i) break;\n}\n"
    )
    canary = Canary("C", "canary.c", source, (), True, 1, "clang-{version}")
    monkeypatch.setattr(environment_check, "CANARIES", (canary,))
    checks = list(examine())
    assert "0 of the 1 loops of a small program are exact; install clang-" in outcome(checks)
    assert outcome(checks).startswith("not ready: C: ")


def test_no_compiler_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise InputError("no compiler found: install clang")

    monkeypatch.setattr(environment_check, "find_compiler", none)
    assert outcome(examine()) == "not ready: compiler: no compiler found: install clang"


def test_every_canary_says_what_to_install() -> None:
    assert all(c.install for c in CANARIES)
    assert [c.name for c in CANARIES if c.needed] == ["C"]
