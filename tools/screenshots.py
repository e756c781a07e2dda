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


def headless(
    program: str, profile: Path, size: tuple[int, int], *, dark: bool = False
) -> list[str]:
    """The command that starts a browser without a window, in a profile of its own."""
    return [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
        f"--window-size={size[0]},{size[1]}",
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
    ]


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
                    *headless(program, Path(profile), (width, height), dark=dark),
                    f"--screenshot={file}",
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
