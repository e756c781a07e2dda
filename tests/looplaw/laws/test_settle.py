"""What would settle a loop: every one that is open, weak or unchecked has a reason, a command that
looplaw understands, and a cost; those that are settled have none."""

from __future__ import annotations

import shlex

import msgspec
import pytest

from looplaw.documents.study import RunDocument, SettleDocument, StudyDocument, StudyLoop
from looplaw.laws.answer import answer, is_unsettled, standing
from looplaw.laws.settle import with_remedies
from looplaw.report.answer_text import Shown, answer_text
from looplaw.settings.settings import Runs, Settings, parse_vary, study_options
from runtime import Selection
from tests.looplaw.study_example import example_study, typed

OPTIONS = ("--args", "{n} {steps}", "--kernel", "so*")


def study(options: tuple[str, ...] | None = OPTIONS) -> StudyDocument:
    made = msgspec.structs.replace(typed(example_study(miscounted=True)), options=options)
    return with_remedies(answer(made, None, "out"), "out").study


def loop_at(found: StudyDocument, at: str) -> StudyLoop:
    return next(loop for loop in found.loops if loop.at.startswith(at))


def settle_of(found: StudyDocument, at: str) -> SettleDocument:
    settle = loop_at(found, at).settle
    assert settle is not None
    return settle


def values(settle: SettleDocument) -> dict[str, tuple[int, ...]]:
    assert settle.command is not None
    words = shlex.split(settle.command)
    assert words[:2] == ["looplaw", "study"]
    return parse_vary([words[k + 1] for k, word in enumerate(words) if word == "--vary"])


def test_each_open_loop_has_a_command_a_cost_and_a_reason() -> None:
    found = study()
    for loop in found.loops:
        assert (loop.settle is not None) == (is_unsettled(loop) or standing(loop) == "open")
        if loop.settle is not None:
            assert loop.settle.reason
            assert loop.settle.seconds > 0
            assert {"n", "steps"} == set(values(loop.settle))


def test_a_count_without_a_law_gets_more_values_of_what_it_depends_on() -> None:
    settle = settle_of(study(), "sparse/csr.c:34")
    old = {p.name: set(p.values) for p in study().parameters}
    assert "no law of its count is known: the bounds are loaded from memory" in settle.reason
    assert len(values(settle)["n"]) >= 8
    assert old["n"] < set(values(settle)["n"])
    assert set(values(settle)["steps"]) == old["steps"]


def test_times_that_are_too_short_get_a_larger_size() -> None:
    settle = settle_of(study(), "sort.c:14")
    assert max(values(settle)["n"]) > 256
    assert settle.command is not None
    assert "--kernel 'so*'" in settle.command


@pytest.mark.parametrize(
    ("spread", "repetitions"), [(0.5, True), (0.0, False)], ids=["noisy", "several laws"]
)
def test_what_is_noisy_gets_repetitions_and_what_is_not_gets_sizes(
    spread: float, repetitions: bool
) -> None:
    made = typed(example_study())
    loops = list(made.loops)
    first = loops[0]
    assert first.time is not None
    times = tuple(
        msgspec.structs.replace(
            row, values=tuple(row.values[0] * (1 + spread * k) for k in range(3))
        )
        for row in first.time
    )
    loops[0] = msgspec.structs.replace(
        first, verdict="modeled", model_quality="weak", model_error=30.0, time=times
    )
    made = msgspec.structs.replace(made, loops=tuple(loops), options=OPTIONS)
    settle = settle_of(with_remedies(answer(made), None).study, first.at)
    assert settle.command is not None
    assert ("--repetitions" in settle.command) is repetitions
    assert (len(values(settle)["n"]) > 5) is not repetitions


def test_a_study_whose_runs_all_failed_says_why() -> None:
    made = typed(example_study())
    runs = tuple(RunDocument(r.params, status="timeout", reason="60 s passed") for r in made.runs)
    loops = tuple(
        StudyLoop(loop.at, loop.function, total=loop.total, verdict_reason="no run was finished")
        for loop in made.loops
    )
    made = msgspec.structs.replace(made, loops=loops, runs=runs, options=OPTIONS)
    settle = settle_of(with_remedies(answer(made), None).study, "sort.c:14")
    assert settle.reason == "no run succeeded: 60 s passed"
    assert settle.command is not None
    assert "--kernel" not in settle.command


def test_without_the_command_of_the_study_nothing_is_proposed() -> None:
    assert all(loop.settle is None for loop in study(None).loops)


def test_the_terminal_shows_every_command_once() -> None:
    made = study()
    found = answer(made, None, "out")
    text = answer_text(found, Shown(every=True))
    commands = {loop.settle.command for loop in made.loops if loop.settle is not None}
    pasted = " ".join(text.replace("\\\n", " ").split())
    assert all(pasted.count(str(command)) == 1 for command in commands)
    brief = answer_text(found)
    assert brief.count("looplaw study") == 1
    assert "--all shows them" in brief


def test_a_proposed_study_selects_the_same_kernels() -> None:
    chosen = Settings(
        (), {}, selection=Selection(("so*", "!main"), ("a.c",), 0.02), runs=Runs(repetitions=5)
    )
    assert study_options(chosen) == (
        *("--repetitions", "5", "--kernel", "so*", "--kernel", "!main"),
        *("--file", "a.c", "--max-overhead", "2%"),
    )


def test_a_study_without_values_or_parameters_is_left_as_it_is() -> None:
    made = msgspec.structs.replace(typed(example_study()), options=OPTIONS)
    bare = tuple(msgspec.structs.replace(p, values=()) for p in made.parameters)
    for parameters in (bare, ()):
        odd = msgspec.structs.replace(made, parameters=parameters)
        found = with_remedies(answer(odd), None)
        assert answer_text(found, Shown(every=True))
