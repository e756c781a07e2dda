"""LLVM's passes in the tests' own process.

Tests put two thousand small modules through passes, and their process has half a gigabyte of what
all tests import: forks of it took a twelfth of the time of all tests. Tests that hand damaged
modules to LLVM, which may end its process, say `usefixtures("forks_for_passes")`.
"""

from __future__ import annotations

import pytest

from staticana.frontend import isolation


def passes_in_this_process() -> None:
    """From now on, but for tests that want forks."""
    isolation._for_passes = isolation.in_this_process


@pytest.fixture
def forks_for_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it."""
    monkeypatch.setattr(isolation, "_for_passes", isolation.isolated)
