"""Times of runs that others disturbed are left out, their counts are not."""

from __future__ import annotations

from dataclasses import replace

from runtime import CallRow, RankCounts, RunRecord, is_disturbed, points_disturbed, undisturbed
from runtime.sweep.records import parse_line, run_line, run_record

ROW = CallRow(0, {"n": 4}, 2, {0: 8}, 0.5, 2)
QUIET = RunRecord(
    "k", {"n": 4}, ("4",), 0, "ok", 0, "", "", 0.1, 0.1, (1,), (8,), (0.09,), waited_s=0.001
)


def run(n: int, repetition: int, waited_s: float, status: str = "ok") -> RunRecord:
    return replace(QUIET, params={"n": n}, repetition=repetition, waited_s=waited_s, status=status)


def test_a_disturbed_time_is_left_out_where_another_repetition_is_quiet() -> None:
    runs = [run(4, 0, 0.05), run(4, 1, 0.0), run(8, 0, 0.06), run(8, 1, 0.02)]
    assert [is_disturbed(r) for r in runs] == [True, False, True, True]
    found = undisturbed(runs)
    assert [r.seconds for r in found] == [(0.0,), (0.09,), (0.09,), (0.09,)]
    assert [r.iterations for r in found] == [(8,)] * 4
    assert points_disturbed(runs) == 1


def test_warm_ups_and_failed_runs_are_no_quiet_repetitions() -> None:
    runs = [run(4, -1, 0.0), run(4, 0, 0.05), run(4, 1, 0.0, status="failed")]
    assert undisturbed(runs) == runs
    assert points_disturbed(runs[1:]) == 1


def test_ranks_and_calls_have_no_times_either() -> None:
    loud = replace(run(4, 0, 0.05), ranks=(RankCounts(0, (1,), (8,), (0.09,)),), calls=(ROW,))
    found, _ = undisturbed([loud, run(4, 1, 0.0)])
    assert found.ranks[0].seconds == (0.0,)
    assert found.calls == (replace(ROW, seconds=None),)


def test_what_every_program_waits_for_at_its_start_disturbs_nothing() -> None:
    assert not is_disturbed(replace(QUIET, elapsed_s=0.001, waited_s=0.0005))


def test_how_long_a_run_waited_is_kept() -> None:
    kind, data = parse_line(run_line(QUIET)[:-1]) or ("", None)
    assert (kind, run_record(data)) == ("run", QUIET)
    assert isinstance(data, dict)
    assert run_record({k: v for k, v in data.items() if k != "waited_s"}).waited_s == 0
