"""Pairs of versions as pull requests bring them: growth is found, and what changes nothing passes.

`pairs/` holds a file for each: what is expected, the version before, the version after. Many are
what the documentation and the tests of Infer's cost analysis show (break, compound guards, switch
and continue, bounds behind pointers and in members, containers, recursion), in sources of our own.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main

PAIRS = sorted((Path(__file__).parent / "pairs").iterdir())
CODES = {"growth": {1}, "undecided": {3}, "growth or undecided": {1, 3}, "nothing": {0}}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.stem)
def test_a_pair_of_versions(pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    head, _, rest = pair.read_text().partition("// -- before\n")
    before, _, after = rest.partition("// -- after\n")
    names = []
    for side, text in (("before", before), ("after", after)):
        names.append(str(tmp_path / f"{side}{pair.suffix}"))
        Path(names[-1]).write_text(text)
    done = CliRunner().invoke(main, ["diff", *names])
    expected = head.removeprefix("// expected: ").strip()
    assert done.exit_code in CODES[expected], done.output
