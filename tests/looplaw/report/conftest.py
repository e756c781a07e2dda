"""One browser for all pages of a file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chromium import Browser, started


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser; skips where there is none."""
    with started(tmp_path_factory.mktemp("profile")) as found:
        yield found
