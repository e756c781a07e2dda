"""Pages in a headless Chromium: the document after its script and one of the test ran, and what the
browser logged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.chromium import Browser

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@dataclass(frozen=True)
class Opened:
    """A page as a browser has it. said: what the test's script wrote into the title."""

    document: str
    log: tuple[str, ...]
    said: str


def opened(
    browser: Browser, page: str, folder: Path, script: str = "", *, fragment: str = ""
) -> Opened:
    """Open a page on a large screen.

    Args:
        script: runs once the page is there; its policy would forbid it, so that it is taken away.
    """
    if script:
        told = f'<script>addEventListener("load", () => {{{script}}});</script></body>'
        page = _POLICY.sub("", page).replace("</body>", told)
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    browser.open(file, size=(1300, 1000), dark=False, fragment=fragment)
    browser.settle()
    document, title = browser.run("[document.documentElement.outerHTML, document.title]")
    return Opened(document, tuple(browser.complaints), title)
