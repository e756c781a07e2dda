"""What an analysis gives when its time is used up, or when it is told to end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from staticana import Analysis, canonical, compile_sources, parse_module
from staticana.analysis import analyze_module
from staticana.expr.budget import Allowance, MemoryLimit
from staticana.libraries import Library

SOURCE = """
static void inner(double *a, int n, int m) {
    for (int i = 0; i < n; i++) for (int j = i; j < m * n; j++) a[j] += i;
}
void entry(double *a, int n, int m) {
    for (int i = 0; i < 12; i++) inner(a, n, m);
}
"""


def _analysis(folder: Path, allowance: Allowance) -> Analysis:
    source = folder / "x.c"
    source.write_text(SOURCE)
    module = parse_module(canonical(compile_sources([source])))
    return analyze_module(module, entry="entry", allowance=allowance, matrix=False)


def test_without_time_for_all_no_count_claims_to_be_exact_and_each_says_why(tmp_path: Path) -> None:
    found = _analysis(tmp_path, Allowance(2.0, 0.0))
    assert len(found.loops) == 3
    for loop in found.loops:
        assert loop.per_call.kind in ("parametric", "unknown")
        assert "budget: the analysis takes longer than 0 s" in (loop.per_call.reason or "")
    outer = next(loop for loop in found.loops if loop.function == "entry")
    (mean,) = outer.total.opaque
    assert (outer.total.kind, str(outer.total.formula)) == ("parametric", mean.symbol)


def test_beyond_the_grace_nothing_is_counted_and_all_is_listed(tmp_path: Path) -> None:
    whole = _analysis(tmp_path, Allowance(2.0))
    found = _analysis(tmp_path, Allowance(2.0, 0.0, grace=0.0))
    assert [(x.at, x.nesting, x.parent) for x in found.loops] == [
        (x.at, x.nesting, x.parent) for x in whole.loops
    ]
    assert {f.name for f in found.functions} == {f.name for f in whole.functions}
    counts = [c for x in found.loops for c in (x.per_entry, x.per_call, x.total)]
    counts += [c for f in found.functions for c in (f.work, *f.operations.values())]
    late = "budget: the analysis takes longer than 0 s"
    assert {(c.kind, c.reason) for c in counts} == {("unknown", late)}
    # nothing says that one of them does not matter
    names = tuple(sorted(p.name for p in found.parameters))
    assert {x.parameters for x in found.loops} == {names}


def test_counts_found_before_the_end_of_the_grace_stay_and_none_is_half_found(
    tmp_path: Path,
) -> None:
    """Whenever it ends, a count is what it is with all time there is, or unknown."""
    source = tmp_path / "x.c"
    source.write_text(CALLBACKS)
    module = parse_module(canonical(compile_sources([source])))
    library = Library(module)

    def totals(entry: str, allowance: Allowance) -> dict[str, tuple[str, str]]:
        found = library.analyse(entry, allowance).analysis.loops
        return {x.function: (x.total.kind, str(x.total.formula)) for x in found}

    for entry in library.names:
        whole = totals(entry, Allowance(2.0))
        for looks in range(12):
            found = totals(entry, _Ending(looks))
            assert found.keys() == whole.keys()
            assert all(t in (whole[f], ("unknown", "None")) for f, t in found.items())


RING = """
static void odd(double *a, int k);
static void even(double *a, int m) {
    for (int i = 0; i < m; i++) a[i] *= 2;
    if (m > 0) odd(a, m - 1);
}
static void odd(double *a, int k) {
    for (int i = 0; i < 3; i++) a[i] += 1;
    if (k > 0) even(a, k - 1);
}
static void leaf(double *a, int l) { for (int i = 0; i < l; i++) a[i] += i; }
void entry(double *a, int n) { leaf(a, n); even(a, n); leaf(a, 2 * n); }
void uncalled(double *a, int u) { for (int i = 0; i < u; i++) leaf(a, i); }
"""


def test_what_was_found_before_the_time_was_over_is_written_down(tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text(RING)
    module = parse_module(canonical(compile_sources([source])))

    def counts(allowance: Allowance) -> dict[tuple[str, str], tuple[str, str]]:
        found = analyze_module(module, entry="entry", allowance=allowance, matrix=False)
        per_call = {(x.function, "loop"): x.per_call for x in found.loops}
        work = {(f.name, "work"): f.work for f in found.functions}
        return {key: (c.kind, str(c.formula)) for key, c in (per_call | work).items()}

    whole, known = counts(Allowance(2.0)), [0]
    for looks in range(0, 75, 5):
        found = counts(_Ending(looks, again=1000))
        assert found.keys() == whole.keys()
        assert all(c in (whole[key], ("unknown", "None")) for key, c in found.items())
        known.append(sum(kind != "unknown" for kind, _ in found.values()))
    assert known == sorted(known)  # more time never gives fewer
    assert len(set(known)) > 2


class _Ending(Allowance):
    """Is over after it was asked so often whether it is, and so often again once it is renewed."""

    def __init__(self, looks: int, again: int = 0) -> None:
        super().__init__(2.0)
        self._looks, self._again = looks, again

    def renew(self) -> None:
        self._looks = self._again

    @property
    def is_over(self) -> bool:
        self._looks -= 1
        return self._looks < 0


def test_what_is_stopped_says_so_and_more_time_gives_all(tmp_path: Path) -> None:
    stopped = Allowance(2.0)
    stopped.stop()
    reasons = [loop.per_call.reason or "" for loop in _analysis(tmp_path, stopped).loops]
    assert any("interrupted" in reason for reason in reasons)
    whole = _analysis(tmp_path, Allowance(2.0))
    assert all(loop.total.kind in ("exact", "parametric") for loop in whole.loops)
    assert not any("budget" in (loop.total.reason or "") for loop in whole.loops)


def test_progress_is_told_function_by_function(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    _analysis(tmp_path, Allowance(2.0, None, lambda done, number: told.append((done, number))))
    assert told == [(1, 2), (2, 2)]


def test_beyond_its_memory_an_analysis_seeks_no_formulas_and_says_so(tmp_path: Path) -> None:
    found = _analysis(tmp_path, Allowance(2.0, memory=MemoryLimit(1 << 20)))  # Python takes more
    assert len(found.loops) == 3
    for loop in found.loops:
        assert loop.per_call.kind in ("parametric", "unknown")
        assert loop.per_call.reason == "budget: the analysis takes more than 1 MiB"
        (mean,) = loop.total.opaque
        assert (loop.total.kind, str(loop.total.formula)) == ("parametric", mean.symbol)
        assert loop.at.rpartition(":")[0] in mean.meaning


class _Memory:
    """A process whose memory is used up while the first functions are analysed, or after them."""

    def __init__(self, *, at_first: bool) -> None:
        self.size = 1001 if at_first else 0

    def told(self, done: int, number: int) -> None:
        if self.size > 1000:
            self.size = 0
        elif done == number:
            self.size = 1001

    def allowance(self) -> Allowance:
        limit = MemoryLimit(1000, lambda: self.size, every=0.0)
        return Allowance(2.0, None, self.told, memory=limit)


def test_a_function_that_takes_too_much_memory_leaves_the_others_their_counts(
    tmp_path: Path,
) -> None:
    found = _analysis(tmp_path, _Memory(at_first=True).allowance())
    of = {loop.function: loop.per_call for loop in found.loops}
    assert "more than 1000 B" in (of["inner"].reason or "")
    assert (of["entry"].kind, str(of["entry"].formula)) == ("exact", "12")


def test_what_is_found_is_written_down_whatever_memory_is_left(tmp_path: Path) -> None:
    whole = _analysis(tmp_path, Allowance(2.0))
    memory = _Memory(at_first=False)
    found = _analysis(tmp_path, memory.allowance())
    assert memory.size > 1000
    assert [str(loop.total) for loop in found.loops] == [str(loop.total) for loop in whole.loops]
    assert [str(f.work) for f in found.functions] == [str(f.work) for f in whole.functions]


def test_work_beyond_the_budget_is_one_number_for_each_call(tmp_path: Path) -> None:
    found = _analysis(tmp_path, Allowance(2.0, memory=MemoryLimit(1 << 20)))
    (work,) = (f.work for f in found.functions if f.name == "entry")
    (mean,) = work.opaque
    assert (work.kind, str(work.formula), work.reason) == (
        "parametric",
        mean.symbol,
        "budget: the analysis takes more than 1 MiB",
    )
    assert mean.meaning == "mean work for each call of entry"


CALLBACKS = """
typedef void (*step)(double *, int);
static void scale(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }
step chosen(void) { return scale; }
void each(step f, double *a, int n) { for (int i = 0; i < n; i++) f(a, n); scale(a, n); }
void once(step f, double *a, int n) { f(a, n); scale(a, n); }
"""


def test_a_function_of_a_library_without_time_leaves_the_others_their_counts(
    tmp_path: Path,
) -> None:
    source = tmp_path / "x.c"
    source.write_text(CALLBACKS)
    library = Library(parse_module(canonical(compile_sources([source]))))

    def totals(entry: str, allowance: Allowance) -> dict[str, tuple[str, str]]:
        found = library.analyse(entry, allowance).analysis.loops
        return {x.function: (x.total.kind, x.total.reason or "") for x in found}

    late = totals("each", Allowance(2.0, 0.0))
    assert late["scale"] == ("unknown", "budget: the analysis takes longer than 0 s")
    assert "budget" in late["each"][1]
    for entry in ("once", "each"):
        found = totals(entry, Allowance(2.0))
        assert found["scale"][0] == "parametric"  # a product with the calls of scale
        assert not any("budget" in why for _, why in found.values())
    assert totals("each", Allowance(2.0))["each"] == ("exact", "")


def test_the_time_for_all_begins_when_the_program_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("staticana.expr.budget.time", SimpleNamespace(process_time=lambda: now))
    allowance = Allowance(2.0, 8.0)
    now = 100.0
    allowance.begin()
    assert (allowance.is_used_up, allowance.seconds) == (False, 2.0)
    now = 108.5
    assert (allowance.is_used_up, allowance.is_over, allowance.seconds) == (True, False, 0.0)
    with allowance.uncounted():
        now = 150.0
    assert (allowance.is_used_up, allowance.is_over) == (True, False)
    now = 152.0
    assert allowance.is_over
