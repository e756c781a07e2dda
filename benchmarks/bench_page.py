"""How long the report of a study takes to open: python -m benchmarks.bench_page [--loops 100 1000
2000] [--opens 5] [--json FILE].

A headless Chromium opens the page of a made-up study of so many loops, each time in the same
profile. The time is that from the start of navigation to the first picture behind the load event,
in which sentence, bars, hottest kernels and the first loops of the table are drawn; the median of
the opens is told. Rows further down follow in idle time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from looplaw.report.html import render_html
from tests.chromium import Browser, started
from tests.looplaw.study_example import example_study, typed

_LOOPS_OF_A_COPY = 13
_DRAWN = "new Promise((r) => requestAnimationFrame(() => setTimeout(() => r(performance.now()))))"


def opened_s(browser: Browser, page: Path) -> float:
    """Seconds until the first picture of a page."""
    browser.open(page, size=(1300, 1000), dark=False)
    return float(browser.run(_DRAWN)) / 1000


def main() -> None:
    """Print a table, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, nargs="+", default=[100, 1000, 2000])
    parser.add_argument("--opens", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder, started(Path(folder) / "profile") as browser:
        print(f"{'loops':>6}  {'MB':>5}  {'opens in':>8}")
        for loops in given.loops:
            study = typed(example_study(copies=max(round(loops / _LOOPS_OF_A_COPY), 1)))
            page = Path(folder) / "report.html"
            page.write_text(render_html(study), encoding="utf-8")
            seconds = statistics.median(opened_s(browser, page) for _ in range(given.opens))
            size = page.stat().st_size / 1e6
            print(f"{len(study.loops):>6}  {size:>5.2f}  {seconds:>6.2f} s")
            rows.append({"loops": len(study.loops), "megabytes": size, "seconds": seconds})
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
