"""Study every sample and print a summary (make demo); the exit code is 1 if a count differs from an
exact formula."""

from __future__ import annotations

import sys
from pathlib import Path

from looplaw.cli.console import FINDING, OK, UNUSABLE, colored, guarded, say, width
from looplaw.laws.answer import answer
from looplaw.report import Table, render, render_html
from looplaw.report.answer_text import answer_text
from looplaw.settings.studyfile import read_study_file
from looplaw.studies.finish import finish, write
from looplaw.studies.prepare import prepare
from looplaw.studies.sweep import run_study


def main(samples: Path, out: Path) -> int:
    """Study every sample; returns the exit code."""
    rows: list[tuple[str, ...]] = []
    bad = failed = 0
    files = sorted(samples.glob("*/study.toml"))
    if not files:
        say(f"looplaw: {samples}: no samples here; run from the repository")
        return UNUSABLE
    for number, path in enumerate(files, 1):
        settings = read_study_file(path)
        name = path.parent.name
        prepared = prepare(settings)
        say(f"[{number}/{len(files)}] {name}: {len(prepared.experiments)} points. {settings.about}")
        folder = out / name
        sweep = run_study(prepared, folder)
        live = sweep.live
        comparison, models, data = finish(prepared, live)
        write(folder, data, models)
        (folder / "report.html").write_text(render_html(data), encoding="utf-8")
        told = answer_text(answer(data, folder=str(folder)), width=width(), color=colored())
        print(told, end="\n\n")
        exact = [r for r in comparison.rows if r.loop.total.kind == "exact"]
        equal = sum(r.obeys == "yes" for r in exact)
        failed += sum(r.status != "ok" for r in live.runs)
        bad += len(comparison.miscounted) + len(exact) - equal
        rows.append(
            (
                name,
                str(len(comparison.rows)),
                str(len(exact)),
                f"{equal} of {len(exact)}",
                str(folder / "report.html"),
            )
        )
        if sweep.interrupted:
            return 130
    print(
        render(
            Table(
                ("sample", "loops", "exact", "counted == predicted", "report"),
                tuple(rows),
                ("report",),
                f"{bad} exact formulas were not counted as predicted; {failed} runs failed.",
            ),
            width=max(width(), 100),
        )
    )
    index = out / "index.html"
    links = "".join(
        f'<li><a href="{r[0]}/report.html">{r[0]}</a>: {r[1]} loops, {r[3]} exact formulas counted'
        " as predicted</li>"
        for r in rows
    )
    index.write_text(
        "<!doctype html><meta charset=utf-8><title>looplaw samples</title><body"
        " style='font:16px/1.6 system-ui;max-width:45em;margin:2em"
        f" auto'><h1>Samples</h1><ul>{links}</ul>",
        encoding="utf-8",
    )
    print(f"report: {index.resolve()}")
    return FINDING if bad or failed else OK


if __name__ == "__main__":
    with guarded(debug="--debug" in sys.argv):
        sys.exit(main(Path("samples"), Path(".demo")))
