"""The picture of the README: a kernel's law proved by counts, its time with the regimes of the
caches, and larger runs that were foretold before they were made (make readme-picture).

    python -m tools.readme_picture docs/images/prediction.svg [--json FILE] [--redraw]

The figures go to FILE; --redraw draws them again without a run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from looplaw.cli.console import say
from looplaw.documents.study import StudyDocument, StudyLoop
from looplaw.laws.forecast import forecast
from looplaw.laws.machine_costs import costs_for
from looplaw.laws.time_prediction import predict_time, rest_model
from looplaw.settings.settings import Runs, Settings
from looplaw.studies.finish import finish
from looplaw.studies.live import Live
from looplaw.studies.prepare import prepare
from looplaw.studies.sweep import run_study
from modeling import Model
from modeling.pmnf.time_law import level_at

PROGRAM = Path("samples/stencil/stencil.c")
SIZES, LATER, STEPS = (64, 96, 128, 192, 256, 384, 512, 768, 1024), (2048, 4096, 8192), 10
_SWEEP = 7
"""The line of the sweep's outer loop in the program."""
_SHOWN_FROM = 180
"""Shorter runs are start-up alone."""
_BLUE, _ORANGE, _GREY = "#2563a8", "#c2410c", "#6b7280"
_SHADES = {"L1": "#eef6ee", "L2": "#e3eefa", "L3": "#fdf3dc", "memory": "#fbe6e3"}
Json = dict[str, Any]


def measured(folder: Path) -> Json:
    """A study of the small sizes, what it foretells of larger ones, and then those runs."""
    settings = Settings(
        (PROGRAM,),
        {"n": SIZES, "steps": (STEPS,)},
        runs=Runs(repetitions=5),
        args=("{n}", "{steps}"),
    )
    prepared = prepare(settings)
    live = Live(prepared)
    run_study(prepared, folder / "small", live=live)
    _, _, study = finish(prepared, live, costs_for(None, say))
    loop = _kernel(study)
    later = [_foretold(study, n) for n in LATER]
    for row in later:
        larger = replace(settings, vary={"n": (row["n"],), "steps": (STEPS,)})
        made = run_study(prepare(larger), folder / str(row["n"]))
        row["measured"] = min(r.cpu_s for r in made.live.runs if r.ok)
    x = np.geomspace(SIZES[0], LATER[-1], 60)
    model = Model.of(loop.time_model, loop.at) if loop.time_model is not None else None
    if model is None or model.law is None:
        raise SystemExit("looplaw: the kernel has no law of time here: try on a quieter machine")
    at = {"n": x, "steps": np.full(len(x), float(STEPS))}
    rest = rest_model(study)
    curve = [predict_time(study, {"n": n, "steps": float(STEPS)}, rest=rest) for n in x.tolist()]
    inner = next(w for w in study.loops if w.at.split(":")[1] == str(_SWEEP + 1))
    return {
        "law": inner.shown_law,
        "counted": [[p.params["n"], p.iterations, p.predicted] for p in inner.counted],
        "curve": [[n, t.seconds, t.low, t.high] for n, t in zip(x.tolist(), curve, strict=True)],
        "levels": level_at(model.law, at),
        "runs": _whole(study),
        "later": later,
        "cpu": study.environment.get("cpu"),
    }


def _kernel(study: StudyDocument) -> StudyLoop:
    return next(w for w in study.loops if w.at.split(":")[1] == str(_SWEEP))


def _whole(study: StudyDocument) -> list[list[float]]:
    """The least CPU time of a whole run at each size."""
    best: dict[int, float] = {}
    for r in study.runs:
        if r.cpu_s is not None:
            n = int(r.params["n"])
            best[n] = min(best.get(n, r.cpu_s), r.cpu_s)
    return [[float(n), s] for n, s in sorted(best.items())]


def _foretold(study: StudyDocument, n: int) -> Json:
    t = forecast(study, {"n": float(n), "steps": float(STEPS)}).time
    return {"n": n, "foretold": t.seconds, "low": t.low, "high": t.high}


def draw(found: Json, file: Path) -> None:
    """Counts at the left, times at the right, both over n on logarithmic axes."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=(10, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    counted = np.array([row[:2] for row in found["counted"]], dtype=float)
    left.plot(counted[:, 0], counted[:, 1], color=_BLUE, label=f"law: {found['law']}")
    left.plot(*counted.T, "o", color=_ORANGE, label=f"counted, {len(counted)} sizes: all equal")
    left.set_title("The law, proved from the source", loc="left", fontsize=11)
    left.set_ylabel("iterations of the inner loop in a run")
    curve, levels = np.array(found["curve"], dtype=float), found["levels"]
    for start, end, level in _stretches(levels):
        ends = curve[start, 0], curve[min(end, len(curve) - 1), 0]
        right.axvspan(*ends, color=_SHADES.get(level, "#eeeeee"), lw=0)
        right.text(
            np.sqrt(ends[0] * ends[1]),
            0.02,
            level,
            ha="center",
            color=_GREY,
            transform=right.get_xaxis_transform(),
        )
    later = found["later"]
    right.fill_between(curve[:, 0], curve[:, 2], curve[:, 3], color=_BLUE, alpha=0.2, lw=0)
    right.plot(curve[:, 0], curve[:, 1], color=_BLUE, label="predicted, with its 90 % interval")
    right.plot(*np.array(found["runs"]).T, "o", color=_ORANGE, label="measured")
    right.plot(
        [r["n"] for r in later],
        [r["measured"] for r in later],
        "D",
        mfc="none",
        mew=2,
        color="black",
        label="run afterwards, to check it",
    )
    right.set_title("The time, with the caches: predicted, then tried", loc="left", fontsize=11)
    right.set_ylabel("CPU seconds of a run")
    for axes in (left, right):
        axes.set(xscale="log", yscale="log", xlabel="n")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9, loc="upper left")
    right.set_xlim(_SHOWN_FROM, curve[-1, 0] * 1.1)
    right.set_ylim(bottom=0.6 * min(s for n, s in found["runs"] if n >= _SHOWN_FROM))
    figure.savefig(file, metadata={"Date": None})


def _stretches(levels: list[str]) -> list[tuple[int, int, str]]:
    """From where to where each level lasts."""
    cuts = [k for k in range(1, len(levels)) if levels[k] != levels[k - 1]]
    ends = [0, *cuts, len(levels)]
    return [(a, b, levels[a]) for a, b in pairwise(ends)]


def main() -> None:
    """PICTURE [--json FILE] [--redraw]."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--json", type=Path, default=Path("docs/images/prediction.json"))
    parser.add_argument("--redraw", action="store_true")
    given = parser.parse_args()
    if not given.redraw:
        with tempfile.TemporaryDirectory(prefix="looplaw-picture-") as folder:
            text = json.dumps(measured(Path(folder)), indent=1)
        given.json.write_text(text + "\n", encoding="utf-8")
    found = json.loads(given.json.read_text(encoding="utf-8"))
    draw(found, given.picture)
    for row in found["later"]:
        off = 100 * (row["foretold"] / row["measured"] - 1)
        sys.stdout.write(
            f"n = {row['n']}: foretold {row['foretold']:.3g} s ({row['low']:.3g} to"
            f" {row['high']:.3g} s), then measured {row['measured']:.3g} s ({off:+.0f} %)\n"
        )


if __name__ == "__main__":
    main()
