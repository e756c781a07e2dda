"""Pages in a headless Chromium: the document after its script and one of the test ran, and what the
browser logged."""

from __future__ import annotations

import re
import subprocess
import warnings
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

from tools.screenshots import browser, headless

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@dataclass(frozen=True)
class Opened:
    """A page as a browser has it. said: what the test's script wrote into the title."""

    document: str
    log: tuple[str, ...]
    said: str


def opened(
    page: str,
    folder: Path,
    script: str = "",
    *,
    fragment: str = "",
    size: tuple[int, int] = (1300, 1000),
    dark: bool = False,
) -> Opened:
    """Open a page; skips where there is no browser.

    Args:
        script: runs once the page is there; its policy would forbid it, so that it is taken away.
    """
    program = browser()
    if program is None:
        warnings.warn("the page was not tried in a browser: install chromium", stacklevel=1)
        pytest.skip("no chromium on PATH")
    if script:
        told = f'<script>addEventListener("load", () => {{{script}}});</script></body>'
        page = _POLICY.sub("", page).replace("</body>", told)
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            *headless(program, folder / "profile", size, dark=dark),
            "--enable-logging=stderr",
            "--virtual-time-budget=20000",
            "--dump-dom",
            file.as_uri() + fragment,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    log = tuple(line for line in done.stderr.splitlines() if ":CONSOLE" in line)
    return Opened(done.stdout, log, unescape(title[1]) if title else "")
