"""Caliper profiles: what are parameters, what are metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from modeling import DataError, read
from modeling.readers.run_names import parameters_of

PROFILE = """__rec=node,id=19,attr=10,data=268,parent=3
__rec=node,id=20,attr=8,data=function,parent=19
__rec=node,id=96,attr=10,data=21,parent=5
__rec=node,id=97,attr=8,data=sum#time.duration,parent=96
__rec=node,id=24,attr=10,data=588,parent=3
__rec=node,id=30,attr=8,data=jobsize,parent=24
__rec=node,id=31,attr=8,data=launchdate,parent=24
__rec=node,id=32,attr=8,data=elapsed_time,parent=24
__rec=node,id=33,attr=8,data=threads,parent=24
__rec=node,id=40,attr=30,data={jobs}
__rec=node,id=41,attr=31,data={date},parent=40
__rec=node,id=42,attr=32,data={elapsed},parent=41
__rec=node,id=43,attr=33,data=1,parent=42
__rec=node,id=155,attr=20,data=main
__rec=ctx,ref=155,attr=97,data={time}
__rec=node,id=156,attr=20,data=solve,parent=155
__rec=ctx,ref=156,attr=97,data={half}
__rec=globals,ref=43
"""


def write(folder: Path, name: str, jobs: int, k: int) -> None:
    text = PROFILE.format(
        jobs=jobs, date=1600990151 + 77 * k, elapsed=3 * jobs, time=2.0 * jobs, half=1.0 * jobs
    )
    (folder / name).write_text(text)


def test_metadata_that_differ_are_parameters_but_results_and_dates_are_not(tmp_path: Path) -> None:
    pytest.importorskip("caliperreader")
    for k, jobs in enumerate((1, 2, 4, 4)):
        write(tmp_path, f"23052{k}-1510_eWbG.cali", jobs, k)
    data = read(tmp_path)
    assert data.parameters == ("jobsize",)
    found = {s.callpath: s for s in data.series}
    assert found.keys() == {"main", "main->solve"}
    assert found["main->solve"].points[:, 0].tolist() == [1, 2, 4]
    assert found["main->solve"].counts.tolist() == [1, 1, 2]
    assert found["main"].means.tolist() == [2, 4, 8]


def test_names_come_before_metadata(tmp_path: Path) -> None:
    pytest.importorskip("caliperreader")
    for k, jobs in enumerate((1, 2, 4)):
        write(tmp_path, f"run.p{jobs}.n8.cali", jobs, k)
    (tmp_path / "notes.txt").write_text("what else lies there is not read")
    assert read(tmp_path).parameters == ("n", "p")


def test_a_broken_profile_is_named(tmp_path: Path) -> None:
    pytest.importorskip("caliperreader")
    (tmp_path / "run.p1.cali").write_text("__rec=node,id=x\n")
    with pytest.raises(DataError, match=r"run\.p1\.cali"):
        read(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "230525-151723_1930647_FSY8b8cKSEEi",
        "caliper-sw4-cuda-activity-cali",
        "profile",
        "a_summary_v2",
    ],
)
def test_names_that_say_no_parameter(name: str) -> None:
    assert parameters_of(name) == ()
