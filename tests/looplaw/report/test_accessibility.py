"""The report by the rules of axe-core, in a browser: nothing critical or serious, light and dark.

Needs Chromium and the package axe-core-python, which brings the script; skips without them.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
from pathlib import Path

import pytest

from looplaw.report.html import render_html
from tests.looplaw.study_example import example_study, typed
from tools.screenshots import browser

_RUN = """
<script>addEventListener("load", () => axe.run().then((found) => {
  document.title = "AXE" + JSON.stringify(found.violations.map((v) => [v.id, v.impact]));
}));</script>
"""


def _axe() -> str:
    """The text of axe-core."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(theme: str, tmp_path: Path) -> None:
    program, script = browser(), _axe()
    if program is None:
        pytest.skip("no chromium on PATH")
    page = render_html(typed(example_study(miscounted=True)))
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    page = page.replace("</body>", f"<script>{script}</script>{_RUN}</body>")
    (tmp_path / "report.html").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={tmp_path / 'profile'}",
            *(["--force-dark-mode"] if theme == "dark" else []),
            "--virtual-time-budget=60000",
            "--dump-dom",
            (tmp_path / "report.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = re.search(r"<title>AXE(.*?)</title>", done.stdout)
    assert told is not None, "axe did not end"
    assert [rule for rule, impact in json.loads(told[1]) if impact in ("serious", "critical")] == []
