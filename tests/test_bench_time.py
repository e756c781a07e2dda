"""Files of runs whose times are predicted: each has its machine with it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import msgspec
import pytest

from benchmarks.bench_time import FORMAT, content, costs_in, measured, named
from looplaw.laws.machine_costs import costs_of
from looplaw_common.errors import InputError
from tests.runtime.machine.made_up import made_up_machine

_KEPT = sorted((Path(__file__).parents[1] / "benchmarks" / "data").glob("times_*.json.gz"))


def written(folder: Path, cpu: str, *, packed: bool = False) -> Path:
    machine = msgspec.structs.replace(made_up_machine(), cpu=cpu)
    about = json.loads(msgspec.json.encode(machine))
    text = json.dumps({"format": FORMAT, "machine": about, "programs": [{"title": "own/a"}]})
    file = folder / ("runs.json.gz" if packed else "runs.json")
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return file


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_of_runs_has_the_costs_of_its_machine(packed: bool, tmp_path: Path) -> None:
    file = written(tmp_path, "some processor", packed=packed)
    assert costs_in(file, None) == costs_of(
        msgspec.structs.replace(made_up_machine(), cpu="some processor")
    )
    assert "some processor" in named(file)


def test_runs_of_two_machines_are_not_mixed(tmp_path: Path) -> None:
    file = written(tmp_path, "another processor")
    with pytest.raises(InputError, match="another processor"):
        measured(file, [], made_up_machine())


@pytest.mark.parametrize("file", _KEPT, ids=lambda f: f.name)
def test_machines_that_were_kept_say_what_is_known_of_them(file: Path) -> None:
    about = content(file)["machine"]
    levels = [c["level"] for c in about["caches"]]
    assert levels[-1] == "memory"
    assert set(about["system"]["ways"]) == set(levels[:-1])
    assert about["system"]["page_bytes"] >= 4096
    assert costs_in(file, None) is not None
