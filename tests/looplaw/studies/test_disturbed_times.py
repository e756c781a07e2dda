"""A study leaves the times out that other programs disturbed, and keeps their counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from looplaw.settings.settings import Runs, Settings
from looplaw.studies.finish import finish
from looplaw.studies.live import Live
from looplaw.studies.prepare import prepare
from looplaw.studies.sweep import run_study
from modeling import OnlineFitter

PROGRAM = """
#include <stdlib.h>
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double s = 0;
  for (long i = 0; i < n; i++)
    s += 1.0 / (i + 1);
  return s < 0;
}
"""
SIZES = (100_000, 200_000, 400_000, 800_000)


def test_times_of_disturbed_runs_are_left_out_and_counts_are_not(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    prepared = prepare(
        Settings((source,), {"argv1": SIZES}, args=("{argv1}",), runs=Runs(repetitions=2))
    )
    made = run_study(prepared, tmp_path / "out").live.runs
    live = Live(prepared)
    for r in made:  # of the largest size, both repetitions waited
        waits = r.repetition == 1 or r.params["argv1"] == SIZES[-1]
        slow = 10.0 if r.repetition == 1 else 1.0
        times = tuple(slow * s for s in r.seconds)
        live.add(replace(r, seconds=times, elapsed_s=0.1, waited_s=0.09 * waits))
    quiet = live.of_undisturbed()
    seen = {s.metric: s.counts.tolist() for s in quiet.measurements().series}
    assert seen["iterations"] == [2, 2, 2, 2]
    assert seen["time"] == [1, 1, 1, 2]
    _, _, document = finish(prepared, live)
    assert (document.summary.disturbed_runs, document.summary.disturbed_points) == (5, 1)
    assert document.summary.runs == len(document.runs) == 8
    assert [len(t.values) for t in document.loops[0].time or ()] == [1, 1, 1, 2]
    assert quiet.of_undisturbed() is quiet


def test_a_chosen_modeler_keeps_what_it_has_learned(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    prepared = prepare(Settings((source,), {"argv1": SIZES}, args=("{argv1}",)))
    live = Live(prepared, OnlineFitter(("argv1",)))
    assert live.of_undisturbed() is live
