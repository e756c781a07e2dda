"""verify holds every entry of every loop against its formula, finds wrong formulas, and says what
it cannot check."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.commands import verify as verify_verb
from looplaw.cli.main import main
from looplaw.settings.settings import Settings
from looplaw.studies.prepare import prepare
from looplaw.studies.prepared import Prepared
from looplaw.studies.verify import LoopCheck, Verification, verify
from staticana import EntryFormula
from staticana.expr import ONE, step, sym
from tests.places import ROOT

# Entries of each loop that its formula must explain are known by hand: line -> (entries, agree,
# outside).
PROGRAMS: dict[str, tuple[str, Sequence[object], dict[int, tuple[int, int, int]]]] = {
    "bounds_from_memory": (
        """#include <stdlib.h>
struct part { int first, count; };
static int total(const struct part *p, int n, long *out) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        for (int k = p[i].first; k < p[i].first + p[i].count; k++) {
            out[k & 3]++; c++;
        }
    }
    return c;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    long out[4] = {0};
    struct part *p = malloc((n + 1) * sizeof *p);
    for (int i = 0; i < n; i++) {
        p[i].first = i * i; p[i].count = i % 4 - 1;
    }
    return total(p, n, out) < 0;
}
""",
        [9],
        {5: (1, 1, 0), 6: (9, 9, 0), 16: (1, 1, 0)},
    ),
    "unread": (
        """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), c = 0, *limit = malloc(sizeof *limit);
    *limit = 3;
    for (int round = 0; round < 4; round++) {
        int m = round == 2 ? 0 : n;
        for (int i = 0; i < m && i < *limit; i++) {
            c++;
        }
    }
    return c != 9;
}
""",
        [5],
        {5: (1, 1, 0), 7: (4, 4, 0)},
    ),
    "left_early": (
        """#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
static int walk(int n, int stop) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (i == stop) longjmp(back, 1);
        c++;
    }
    return c;
}
int main(int argc, char **argv) {
    volatile int round = 0;
    int n = atoi(argv[1]);
    setjmp(back);
    while (round < 5) {
        int r = round++;
        walk(n + r, r == 2 ? 4 : -1);
    }
    return 0;
}
""",
        [6],
        {6: (5, 5, 0)},
    ),
    "wraps": (
        """#include <stdlib.h>
int main(int argc, char **argv) {
    int c = 0;
    for (int r = 1; r < argc; r++) {
        unsigned n = (unsigned)atoi(argv[r]);
        for (unsigned i = 0; i < n; i++) {
            if (++c > 50) break;
        }
    }
    return 0;
}
""",
        [3, -1, 2],
        {4: (1, 1, 0), 6: (3, 2, 1)},
    ),
    "threads": (
        """#include <pthread.h>
static void *work(void *argument) {
    long n = *(long *)argument, c = 0;
    for (long i = 0; i < n; i++) {
        c++;
    }
    return (void *)c;
}
int main(void) {
    pthread_t t[8];
    long n[8];
    for (long i = 0; i < 8; i++) {
        n[i] = 1000 * i;
        pthread_create(&t[i], 0, work, &n[i]);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(t[i], 0);
    }
    return 0;
}
""",
        [],
        {4: (8, 8, 0), 12: (1, 1, 0), 16: (1, 1, 0)},
    ),
    "thrown": (
        """#include <cstdlib>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), c = 0;
    for (int i = 0; i < n; i++) {
        try {
            if (i == 5) throw i;
            for (int j = 0; j < i; j++) {
                c++;
            }
        } catch (int thrown) {
            c += thrown;
        }
    }
    return c < 0;
}
""",
        [9],
        {4: (1, 1, 0), 7: (8, 8, 0)},
    ),
    "daemon": (
        """#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), c = 0;
    if (fork() == 0) {
        if (fork() == 0) {
            setsid();
            usleep(50000);
            for (int i = 0; i < n; i++) {
                c++;
            }
        }
        _exit(0);
    }
    for (int i = 0; i < n; i++) {
        c++;
    }
    return c != n;
}
""",
        [5],
        {9: (1, 1, 0), 15: (1, 1, 0)},
    ),
    "error_exit": (
        """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), c = 0;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < n; i++) {
            if (++c == 12) abort();
        }
    }
    return 0;
}
""",
        [5],
        {5: (3, 2, 1)},
    ),
}


def _verify(
    source: Path, argv: Sequence[object], change: Callable[[Prepared], Prepared] = lambda p: p
) -> Verification:
    return verify(change(prepare(Settings((source,), {}, {}, tuple(map(str, argv))), timed=False)))


def _at(found: Verification) -> dict[int, LoopCheck]:
    return {int(c.loop.at.split(":")[-2]): c for c in found.loops}


@pytest.mark.parametrize("name", PROGRAMS)
def test_entries_are_recorded_and_agree(name: str, tmp_path: Path) -> None:
    text, argv, expected = PROGRAMS[name]
    source = tmp_path / f"{name}{'.cc' if 'throw' in text else '.c'}"
    source.write_text(text)
    verification = _verify(source, argv)
    found = _at(verification)
    assert not verification.totals.miscounted
    assert {
        line: (found[line].entries, found[line].agree, found[line].outside) for line in expected
    } == expected
    assert all(c.wrong == c.open == c.missed == 0 for c in found.values())


@pytest.mark.parametrize(
    ("program", "argv"),
    [
        ("samples/cg/cg.c", (5, 2)),
        ("samples/mergesort/mergesort.c", (100,)),
        ("samples/fft/fft.c", (5,)),
        ("tests/programs/tiled.c", (7, 3)),
        ("tests/programs/rows.c", (6, 4)),
        ("tests/programs/while_two.c", (9, 5)),
        ("tests/programs/random_walk.c", (20,)),
        ("tests/programs/early_break.c", (9, 4)),
    ],
)
def test_programs_obey_their_laws_at_every_entry(program: str, argv: Sequence[int]) -> None:
    found = _verify(ROOT / program, argv)
    assert found.runs[0].status == "ok"
    assert not found.wrong
    assert not found.totals.miscounted
    for check in found.loops:
        if check.kind == "formula" and check.entries:
            assert check.agree > 0, check
            assert check.agree + check.outside == check.entries, check


def test_setjmp_may_return_to_other_values(tmp_path: Path) -> None:
    source = tmp_path / "again.c"
    source.write_text("""#include <setjmp.h>
#include <stdlib.h>
static jmp_buf again;
static int tries;
static long s;
static void work(int n) {
    for (int i = 0; i < n; i++) {
        s++;
        if (i == 5 && tries < 3) {
            tries++;
            longjmp(again, 1);
        }
    }
}
int main(int argc, char **argv) {
    setjmp(again);
    work(atoi(argv[1]));
    return s < 0;
}
""")
    found = _verify(source, (8,))
    assert _at(found)[7].entries == 4
    assert not found.wrong


NEST = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), c = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            c++;
        }
    }
    return c < 0;
}
"""


def _falsified(prepared: Prepared) -> Prepared:
    """The inner loop's formula is made one too high from i = 6 on."""

    def change(claim: EntryFormula) -> EntryFormula:
        outer = [h for h in claim.holders if h.name == "i"]
        if not outer or claim.formula is None:
            return claim
        return replace(claim, formula=claim.formula + ONE * step(sym(outer[0].symbol) - 6))

    return replace(
        prepared,
        analysis=replace(prepared.analysis, entries=tuple(map(change, prepared.analysis.entries))),
    )


def test_a_wrong_formula_is_found_with_the_values_that_show_it(tmp_path: Path) -> None:
    source = tmp_path / "nest.c"
    source.write_text(NEST)
    check = _at(_verify(source, [8], _falsified))[5]
    assert (check.entries, check.agree, check.wrong) == (8, 6, 2)
    found = check.counterexample
    assert found is not None
    assert found.values["n"] == 8
    assert found.values["i"] in (6, 7)
    assert (found.iterations, found.expected) == (8 - found.values["i"], str(9 - found.values["i"]))


def test_a_value_taken_as_constant_that_changes_is_found(tmp_path: Path) -> None:
    source = tmp_path / "nest.c"
    source.write_text(
        NEST.replace("j < n", "j < *p")
        .replace("c = 0", "c = 0, *p = calloc(2, 4)")
        .replace("        for", "        p[rand() % 2] = n - i % 2;\n        for")
    )

    def constant(prepared: Prepared) -> Prepared:
        def change(claim: EntryFormula) -> EntryFormula:
            return replace(
                claim,
                holders=tuple(
                    replace(h, kind="kept", since=None) if h.kind != "direct" else h
                    for h in claim.holders
                ),
            )

        return replace(
            prepared,
            analysis=replace(
                prepared.analysis, entries=tuple(map(change, prepared.analysis.entries))
            ),
        )

    assert _at(_verify(source, [6]))[6].agree == 6
    check = _at(_verify(source, [6], constant))[6]
    assert check.counterexample is not None
    assert "more than one value" in check.counterexample.note


def test_a_full_table_samples_and_says_so(tmp_path: Path) -> None:
    source = tmp_path / "many.c"
    source.write_text(NEST.replace("j = i; j < n", "j = i * i; j < i * i + i % 3"))
    check = _at(_verify(source, [9000]))[5]
    assert check.entries == 9000
    assert check.missed > 0
    assert check.wrong == 0
    assert 2000 < check.agree == 9000 - check.missed


def _run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(map(str, words)))
    return done.exit_code, done.stdout


def test_command_takes_the_programs_own_words(tmp_path: Path) -> None:
    source = tmp_path / "nest.c"
    source.write_text(NEST)
    code, out = _run("verify", source, "--json", tmp_path / "checks.json", "--", 4)
    assert code == 0
    assert "…" not in out, "a pipe has no width"
    data = json.loads((tmp_path / "checks.json").read_text())
    assert data["format"] == "looplaw-verification/1"
    assert [(c["entries"], c["agree"], c["total_obeys"]) for c in data["loops"]] == [
        (1, 1, "yes"),
        (4, 4, "yes"),
    ]
    assert _run("verify", source, "--args", "4", "--", 4)[0] == 2


def test_command_ends_with_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "nest.c"
    source.write_text(NEST)
    monkeypatch.setattr(verify_verb, "prepare", lambda *a, **k: _falsified(prepare(*a, **k)))
    code, out = _run("verify", source, "--vary", "n=4,8")
    assert code == 1
    assert "n=8" in out
    assert "1 loop wrong at an entry" in " ".join(out.split())
    assert "…" not in out, "a pipe has no width"
