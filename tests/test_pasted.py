"""What README and docs show in a console is pasted into a shell in a clean folder; what comes out
is what the page says, except for figures that a machine decides."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from tools import examples

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("**/*.md")])
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TRIES = 3
_LEFT_OUT = "..."
"""A line of a page that stands for any number of lines."""
_DECIDED_BY_THE_MACHINE = (
    (r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", "N"),
    (r"N (?:ns|us|ms|s|min|h)\b", "TIME"),
    (r"At n = N.*?(?=Measured up to)", "ANSWER. "),
    (r"(?:Not settled:|To know more,).*?(?=N loops?:|$)", ""),
    (r" limit count", " count"),
    (r" (?:computing|memory|latency|first touch|LN cache|\?)\??(?= proved)", ""),
    (r"(?<=proved )(?:obeys|open|exceeds|below|weak|few sizes|good)(?: ±N %)?", "VERDICT"),
    (r"─+(?: ─+)*", "─"),
    (r" N of N runs waited for a processor.*?\.(?= |$)", ""),
)
"""Figures and judgements that depend on how fast the machine is, in this order."""


def sessions() -> list[tuple[str, list[tuple[str, str]]]]:
    """Each page with its commands and what it shows below each."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        steps = [
            (command.strip().replace("\\\n", " "), shown)
            for block in _BLOCK.findall(text)
            for command, shown in re.findall(
                r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE
            )
        ]
        if steps:
            found.append((str(page.relative_to(ROOT)), steps))
    return found


def masked(text: str) -> str:
    """The words in one line, with stand-ins for what the machine decides."""
    text = " ".join(text.split())
    for pattern, stand_in in _DECIDED_BY_THE_MACHINE:
        text = re.sub(pattern, stand_in, text)
    return " ".join(text.split())


def agree(shown: str, got: str) -> bool:
    """Is what a page shows what came out, in its order, with anything where it says "..."?"""
    parts = [masked(part) for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]
    rest = masked(got)
    for k, part in enumerate(parts):
        place = rest.find(part)
        if place < 0 or (k == 0 and place != 0):
            return False
        rest = rest[place + len(part) :]
    return not parts[-1] or not rest.strip()


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """A folder as after a clone: examples and samples, and looplaw on PATH."""
    for name in ("examples", "samples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    started = tmp_path / "bin" / "looplaw"
    started.write_text(f'#!/bin/sh\nexec {sys.executable} -m looplaw "$@"\n')
    started.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("page", "steps"), [pytest.param(*session, id=session[0]) for session in sessions()]
)
def test_a_session_can_be_pasted(page: str, steps: list[tuple[str, str]], clean: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "PATH": f"{clean / 'bin'}:{os.environ['PATH']}",
    }
    where = clean
    for command, shown in steps:
        if command.startswith("cd "):
            where = (where / command.removeprefix("cd ")).resolve()
            continue
        # on a busy machine another kernel may seem the slowest: then everything is measured anew
        for _ in range(_TRIES if " study " in command else 1):
            said = _pasted(command, where, environment)
            assert "Traceback" not in said
            if agree(shown, said):
                break
            shutil.rmtree(where / "looplaw-out", ignore_errors=True)
        else:
            pytest.fail(f"{page}: {command}\n{said}")


def _pasted(command: str, where: Path, environment: dict[str, str]) -> str:
    """What a command says in bash."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    ).stdout


def test_no_block_of_a_console_is_left_out() -> None:
    """Each line with a prompt is a step, and no command hides in a block of another kind."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        opened = re.findall(r"^```(\S*)$", text, re.MULTILINE)[::2]
        assert not {"", "sh", "bash", "shell"} & set(opened), page.name
        shown = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        assert not any(re.search(r"^\$ ", block, re.MULTILINE) for block in shown), page.name
        blocks = _BLOCK.findall(text)
        prompts = sum(len(re.findall(r"^\$ ", block, re.MULTILINE)) for block in blocks)
        steps = dict(sessions()).get(str(page.relative_to(ROOT)), [])
        assert len(steps) == prompts, page.name


def test_a_different_outcome_is_noticed() -> None:
    assert agree("a 1.5 ms there\n...\nz 3\n", "a 2.5 us there\nb\nz 4\n")
    assert not agree("a 1.5 s there\n", "b 1.5 s there\n")
    assert not agree("n -> n**2\nFunctions: 1 grows\n", "n -> n**2\nx\nFunctions: 1 grows\n")
    assert not agree("kernel  law\nf  n**2 proved obeys\n", "kernel  law\nf  n proved obeys\n")


def test_the_readme_shows_each_of_its_three_ways() -> None:
    (steps,) = [steps for page, steps in sessions() if page == "README.md"]
    assert [command.split()[1] for command, _ in steps] == ["study", "fit", "diff"]


def test_the_figures_below_the_picture_are_those_of_the_runs() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    data = json.loads((ROOT / "docs/images/prediction.json").read_text(encoding="utf-8"))
    assert all(counted == law for _, counted, law in data["counted"])
    for row in data["later"]:
        assert f"{row['foretold']:.3g} s for n = {row['n']}" in text
        assert f"{row['measured']:.3g} s" in text
        assert row["low"] <= row["measured"] <= row["high"]


def test_the_examples_are_what_their_script_writes() -> None:
    for name, text in examples.texts().items():
        assert (examples.FOLDER / name).read_text(encoding="utf-8") == text, name
