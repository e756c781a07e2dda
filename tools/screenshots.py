"""Pictures of the report for the documentation: light, dark and narrow, by a headless Chromium
(make screenshots)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_VIEWS = {"light": (1300, 1000, False), "dark": (1300, 1000, True), "narrow": (500, 1000, False)}
"""Name -> width, height, dark."""


def browser() -> str | None:
    """Path of a Chromium, None where there is none."""
    return next((path for path in map(shutil.which, _BROWSERS) if path), None)


def take(report: Path, folder: Path) -> list[Path]:
    """Write report-light.png, report-dark.png and report-narrow.png."""
    program = browser()
    if program is None:
        raise FileNotFoundError("no Chromium on PATH: apt-get install chromium")
    found = []
    for name, (width, height, dark) in _VIEWS.items():
        file = folder / f"report-{name}.png"
        with tempfile.TemporaryDirectory(prefix="looplaw-") as profile:
            subprocess.run(
                [
                    program,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                    "--no-first-run",
                    f"--user-data-dir={profile}",
                    f"--window-size={width},{height}",
                    f"--screenshot={file}",
                    *(["--force-dark-mode"] if dark else []),
                    report.resolve().as_uri(),
                ],
                check=True,
                capture_output=True,
                timeout=300,
            )
        found.append(file)
    return found


def main() -> None:
    """REPORT FOLDER."""
    report, folder = map(Path, sys.argv[1:3])
    try:
        for file in take(report, folder):
            print(file)
    except FileNotFoundError as error:
        sys.exit(f"looplaw: {error}")


if __name__ == "__main__":
    main()
