"""The commands on scaling as users meet them: clusters, scaling, compare --at, check with laws."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from looplaw.cli.fitting.proved_work import proved_work
from looplaw.documents.study import LoopLaw, RunDocument, StudyDocument, StudyLoop, SweptParameter
from looplaw_common.documents import builtins
from modeling.rank_classes.rank_rules import balanced_sides, outer_faces
from tests.command_line import looplaw
from tests.places import ROOT

PROGRAM = """#include <stdlib.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) {
        %s
    }
    return 0;
}
"""
LINEAR, LOGARITHMIC = PROGRAM % "s++;", PROGRAM % "for (int j = 1; j < n; j *= 2) s++;"


def lines(law: object, *, metric: str = "time", noise: float = 0.0) -> str:
    rng = np.random.default_rng(0)
    return "\n".join(
        json.dumps(
            {
                "params": {"n": n},
                "callpath": "solve",
                "metric": metric,
                "value": law(n) * float(np.exp(rng.normal(0, noise))),
            }
        )  # type: ignore[operator]
        for n in (128, 256, 512, 1024, 2048, 4096, 8192)
        for _ in range(5)
    )


def test_check_of_a_program_without_a_run(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(LINEAR)
    made = looplaw("check", "program.c", "--init", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert 'expect = "O(n)"' in (tmp_path / "laws.toml").read_text()
    assert (
        looplaw("check", "program.c", "--init", cwd=tmp_path).returncode == 2
    )  # never overwritten
    done = looplaw("check", "program.c", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    source.write_text(LOGARITHMIC.replace("i < n", "i < n * n"))
    broken = looplaw(
        "check", "program.c", "--github", "--junit", "j.xml", "--json", "c.json", cwd=tmp_path
    )
    assert broken.returncode == 1
    assert "::error file=program.c,line=5" in broken.stdout
    failed = [
        c
        for c in ElementTree.parse(tmp_path / "j.xml").iter("testcase")
        if c.find("failure") is not None
    ]
    assert len(failed) == 2  # the loop, and the work of its function
    findings = json.loads((tmp_path / "c.json").read_text())["findings"]
    assert [f["status"] for f in findings if f["metric"] == "iterations"] == ["broken"]


def test_check_of_measurements_and_models(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(lines(lambda n: 1e-8 * n, noise=0.03))
    (tmp_path / "bad.jsonl").write_text(lines(lambda n: 1e-9 * n * np.log2(n), noise=0.03))
    assert looplaw("check", "good.jsonl", "--init", cwd=tmp_path).returncode == 0
    (tmp_path / "laws.toml").write_text(
        '[[law]]\nkernel = "sol*"\nmetric = "time"\nexpect = "O(n)"\n'
    )
    assert looplaw("check", "good.jsonl", cwd=tmp_path).returncode == 0
    done = looplaw("check", "bad.jsonl", "--format", "csv", cwd=tmp_path)
    assert done.returncode == 1
    assert next(csv.DictReader(io.StringIO(done.stdout)))["status"] == "broken"
    looplaw(
        "fit",
        "-",
        "--json",
        "models.json",
        cwd=tmp_path,
        stdin=lines(lambda n: n**2, metric="time"),
    )
    assert looplaw("check", "models.json", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("laws", "part"),
    [
        ("[[law]]\nkernel = 'k'\n", "law[0].metric: is missing"),
        ("law = 3", "law: expected a list, not 3"),
        ("[[law", "not TOML"),
        ("[[law]]\nkernel='k'\nmetric='time'\nexpect='n'\n", "write O(n*log(n))"),
        (
            "[[law]]\nkernel='k'\nmetric='time'\nexpect='O(n)'\ncolour='red'\n",
            "law[0].colour: unknown field",
        ),
        ("[[law]]\nkernel='solve'\nmetric='time'\nexpect='O(q)'\n", "q is no parameter"),
        (
            "[[law]]\nkernel='solve'\nmetric='time'\nexpect='O(n*lg(n))'\n",
            "laws.toml: solve: unknown function 'lg' at column 3 (n*lg(n)); write log2, ln or",
        ),
    ],
)
def test_wrong_laws_are_one_clear_line(laws: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "laws.toml").write_text(laws)
    (tmp_path / "t.jsonl").write_text(lines(lambda n: n))
    done = looplaw("check", "t.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_bare_logarithm_is_explained_once(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(lines(lambda n: n))
    law = "[[law]]\nkernel='solve'\nmetric='time'\nexpect='O(n*{})'\n"
    for logarithm, times in (("log(n)", 1), ("log2(n)", 0)):
        (tmp_path / "laws.toml").write_text(2 * law.format(logarithm))
        done = looplaw("check", "t.jsonl", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("log(x) means log2(x)") == times


def test_a_law_of_no_kernel_fails_and_one_without_data_is_unchecked(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(lines(lambda n: n))
    for kernel, metric, code, word in (
        ("sovle", "time", 1, "unmatched"),
        ("solve", "bytes", 3, "unchecked"),
    ):
        (tmp_path / "laws.toml").write_text(
            f"[[law]]\nkernel='{kernel}'\nmetric='{metric}'\nexpect='O(n)'\n"
        )
        done = looplaw("check", "t.jsonl", cwd=tmp_path)
        assert done.returncode == code
        assert word in done.stdout


def test_compare_ranks_at_a_scale(tmp_path: Path) -> None:
    rows = [
        {"params": {"p": p}, "callpath": c, "metric": m, "value": v}
        for p in (2, 4, 8, 16, 32, 64)
        for c, m, v in (
            ("solve", "time", 1 / p),
            ("reduce", "time", 1e-4 * p**0.5),
            ("solve", "bytes", 1e6 / p),
        )
    ]
    looplaw("fit", "-", "--json", "m.json", cwd=tmp_path, stdin="\n".join(map(json.dumps, rows)))
    done = looplaw(
        "compare", "m.json", "--at", "p=1e6", "--from", "p=64", "--json", "-", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [k["callpath"] for k in found["kernels"]] == ["reduce", "solve"]
    assert found["crossings"][0]["at"]["p"] == pytest.approx(1e4 ** (2 / 3), rel=0.05)
    text = looplaw("compare", "m.json", "--at", "p=1e6", "--from", "p=64", cwd=tmp_path)
    assert "requirements" in text.stdout
    assert re.search(r"beyond p=\S+ the slowest is reduce, before that solve", text.stderr)
    assert "at the target the slowest is reduce, with" in text.stderr
    needs = looplaw("compare", "m.json", "--at", "p=10", "--rate", "bytes=1e6", cwd=tmp_path)
    assert "0.1" in needs.stdout
    assert looplaw("compare", "m.json", "--at", "p=x", cwd=tmp_path).returncode == 2
    assert (
        looplaw("compare", "m.json", "--at", "p=2", "--metric", "joules", cwd=tmp_path).returncode
        == 3
    )


def test_versions_of_one_thing_are_no_parts_of_a_whole(tmp_path: Path) -> None:
    rows = "".join(
        f"{impl},{n},{value * n}\n"
        for n in (64, 128, 256, 512, 1024)
        for impl, value in (("list", 3e-9 * n), ("set", 1e-6))
    )
    looplaw("fit", "-", "--json", "m.json", cwd=tmp_path, stdin=f"impl,n,time_s\n{rows}")
    done = looplaw("compare", "m.json", "--at", "n=1e5", "--from", "n=64", cwd=tmp_path)
    assert "the slowest is main[impl=list], before that main[impl=set]" in done.stderr
    assert "at the target the fastest is main[impl=set]" in done.stderr
    assert "share" not in done.stdout


@pytest.fixture(scope="module")
def boundary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("mpicc") or not shutil.which("mpiexec"):
        pytest.skip("needs mpicc and mpiexec")
    program = tmp_path_factory.mktemp("boundary") / "boundary"
    subprocess.run(
        ["mpicc", "-O1", str(ROOT / "samples/boundary/boundary.c"), "-o", str(program)], check=True
    )
    return program


def ranks_of(boundary: Path, ranks: int, n: int, steps: int) -> str:
    return subprocess.run(
        ["mpiexec", "-n", str(ranks), str(boundary), str(n), str(steps)],
        check=True,
        text=True,
        capture_output=True,
    ).stdout


def counts_by_geometry(ranks: int, n: int, steps: int) -> list[dict[str, object]]:
    """What the program prints of its counts, without starting so many processes."""
    sides = balanced_sides(ranks, 2)
    return [
        {
            "params": {"n": n, "p": ranks, "steps": steps},
            "callpath": "compute",
            "metric": "iterations",
            "rank": r,
            "value": steps * (n * n + 8 * n * outer_faces(r, sides)),
        }
        for r in range(ranks)
    ]


@pytest.mark.parametrize(
    "ranks",
    [
        1,
        2,
        6,
        9,
        *(pytest.param(p, marks=pytest.mark.slow) for p in (4, 12, 16, 25, 36, 48, 49, 64)),
    ],
)
def test_boundary_cells_cost_what_the_geometry_says(boundary: Path, ranks: int) -> None:
    counted = [json.loads(line) for line in ranks_of(boundary, ranks, 30, 3).splitlines()]
    assert [o for o in counted if o["metric"] == "iterations"] == counts_by_geometry(ranks, 30, 3)


def test_clusters_of_the_mpi_sample(tmp_path: Path) -> None:
    rows = [row for p in (4, 9, 16, 25) for row in counts_by_geometry(p, 20, 2)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    done = looplaw(
        "clusters", "-", "--by", "iterations", "--json", "c.json", cwd=tmp_path, stdin=text
    )
    assert done.returncode == 0, done.stderr
    (kernel,) = json.loads((tmp_path / "c.json").read_text())["kernels"]
    assert [c["sizes"] for c in kernel["classes"]] == [[0, 1, 4, 9], [0, 4, 8, 12], [0, 4, 4, 4]]
    assert [c["size_law"]["formula"] for c in kernel["classes"]] == [
        "(sqrt(p) - 2)**2",
        "4*(sqrt(p) - 2)",
        "4",
    ]
    counts = [
        next(m["constant"] for m in c["models"] if m["metric"] == "iterations")
        for c in kernel["classes"]
    ]
    assert counts == pytest.approx([800, 1120, 1440])
    assert looplaw("clusters", "-", "--classes", "grid:2", cwd=tmp_path, stdin=text).returncode == 0
    assert looplaw("clusters", "-", "--classes", "torus", cwd=tmp_path, stdin=text).returncode == 2
    assert looplaw("clusters", "-", "--by", "joules", cwd=tmp_path, stdin=text).returncode == 2


def test_scaling_of_timed_runs(tmp_path: Path) -> None:
    rows = [
        {
            "params": {"n": n, "p": p},
            "callpath": "main",
            "metric": "time",
            "value": 1e-8 * n**3 / p + 1e-5 * np.log2(p),
        }
        for n in (32, 64, 128, 256)
        for p in (1, 2, 4, 8, 16, 32)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = looplaw(
        "scaling",
        "t.jsonl",
        "--work",
        "n^3",
        "--at",
        "n=512,p=1024",
        "--json",
        "s.json",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "s.json").read_text())
    time = 1e-8 * 512**3 / 1024 + 1e-4
    assert data["predictions"][0]["time"] == pytest.approx(time, rel=0.05)
    assert data["predictions"][0]["lower"] <= time * 1.05
    assert data["isoefficiency"]["formula"]
    first = next(r for r in data["runs"] if r["nodes"] == 2)
    assert first["speedup"] == pytest.approx(1e-8 * first["size"] / first["time"])
    for words in (
        ("--processes", "q"),
        ("--at", "n=5"),
        ("--method", "magic", "--work", "n^3"),
        ("--work", "z"),
    ):
        assert looplaw("scaling", "t.jsonl", *words, cwd=tmp_path).returncode == 2, words


@pytest.mark.parametrize(("unit", "factor"), [("s", 1.0), ("ms", 1e3), ("us", 1e6)])
def test_times_of_any_unit_are_told_in_seconds(unit: str, factor: float, tmp_path: Path) -> None:
    lines = [f"{n},{p},{factor * 1e-3 * n / p!r}" for n in (64, 128, 256) for p in (1, 2, 4, 8)]
    (tmp_path / "t.csv").write_text("\n".join([f"n,p,time [{unit}]", *lines]))
    done = looplaw("scaling", "t.csv", "--at", "n=512,p=16", "--json", "s.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "s.json").read_text())
    assert data["predictions"][0]["time"] == pytest.approx(0.032, rel=0.02)
    assert max(run["time"] for run in data["runs"]) == pytest.approx(0.256)


def test_a_law_that_misses_the_runs_is_not_told(tmp_path: Path) -> None:
    lines = [f"{n},{p},{1e-6 * n * n / p!r}" for n in (100, 200, 400, 800) for p in (1, 2, 4)]
    (tmp_path / "t.csv").write_text("\n".join(["n,p,time [s]", *lines]))  # the size is n here
    done = looplaw("scaling", "t.csv", "--at", "n=1600,p=8", "--json", "s.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "s.json").read_text())
    said = found["predictions"][0]
    assert said["lower"] < 0.32 < said["upper"] < 2 * said["lower"]
    assert (found["law"] is None) == (found["method"] != "costs")
    assert ("law: " in done.stderr) == (found["law"] is not None)


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_the_figure_of_a_study(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="THE FIGURE IS NOT TESTED: pip install matplotlib")
    runs = tuple(
        RunDocument({"n": n, "cores": p}, k, elapsed_s=1e-3 * n / p + 0.02 + 1e-3 * k)
        for n in (100, 200, 400)
        for p in (1, 2, 4, 8)
        for k in range(2)
    )
    parameters = (
        SweptParameter("n", "argv[1]", (100, 200, 400)),
        SweptParameter("cores", "omp:threads", (1, 2, 4, 8)),
    )
    study = StudyDocument(program=("heat.c",), parameters=parameters, loops=(), runs=runs)
    (tmp_path / "heat").mkdir()
    (tmp_path / "heat" / "study.json").write_text(json.dumps(builtins(study)))
    words = ("scaling", "heat", "--at", "n=400,cores=32", "--plot", f"s{suffix}")
    done = looplaw(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "at n=400, cores=32" in done.stdout
    drawn = (tmp_path / f"s{suffix}").read_bytes()
    assert drawn.startswith(b"%PDF") if suffix == ".pdf" else b"n = 400" in drawn
    wrong = looplaw("scaling", "heat", "--callpath", "heat.c:1:1", cwd=tmp_path)
    assert wrong.returncode == 3
    assert "no times of it" in wrong.stderr


def _hybrid(law: str, threads: tuple[int, ...]) -> StudyDocument:
    """A study of processes and threads whose time is that of n^2 steps, shared out."""
    runs = tuple(
        RunDocument({"n": n, "p": p, "threads": t}, elapsed_s=1e-6 * n * n / (p * t) + 1e-3 * p)
        for n in (100, 200, 400)
        for p in (1, 2, 4)
        for t in threads
    )
    parameters = (
        SweptParameter("n", "argv[1]", (100, 200, 400)),
        SweptParameter("p", "mpi:size", (1, 2, 4)),
        SweptParameter("threads", "omp:threads", threads),
        SweptParameter("rank", "mpi:rank", (0, 1, 2, 3)),
    )
    loop = StudyLoop(at="heat.c:9:3", law=LoopLaw(law, "exact"))
    return StudyDocument(program=("heat.c",), parameters=parameters, loops=(loop,), runs=runs)


@pytest.mark.parametrize("threads", [(1,), (1, 2, 4)])
def test_the_law_of_the_largest_loop_is_the_size(threads: tuple[int, ...], tmp_path: Path) -> None:
    law = "20*n*Max(0, floor(n/p) - Piecewise((1, p*floor(n/p) - n + rank >= 0), (0, True)) + 1)"
    (tmp_path / "heat").mkdir()
    text = json.dumps(builtins(_hybrid(law, threads)))
    (tmp_path / "heat" / "study.json").write_text(text)
    at = "n=800,p=8" + (",threads=4" if len(threads) > 1 else "")
    done = looplaw("scaling", "heat", "--at", at, "--json", "s.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "size: n^2, as heat.c:9:3 grows" in done.stderr
    data = json.loads((tmp_path / "s.json").read_text())
    time = 1e-6 * 800**2 / (8 * (4 if len(threads) > 1 else 1)) + 8e-3
    assert data["predictions"][0]["time"] == pytest.approx(time, rel=0.2)
    assert {run["size"] for run in data["runs"]} == {100.0**2, 200.0**2, 400.0**2}
    assert {run["cores"] for run in data["runs"]} == {float(t) for t in threads}


@pytest.mark.parametrize(
    ("law", "work"),
    [
        ("n**2*floor(n/p)", "n^3"),
        ("n**3", "n^3*p"),  # each process has as much to do whatever their number is
        ("n*log(n, 2)", None),
        ("floor(1000/p)", None),
        ("k*n", None),
    ],
)
def test_work_is_a_power_product_of_the_sizes(law: str, work: str | None) -> None:
    found = proved_work(_hybrid(law, ()))
    assert (found.formula if found else None) == work


def test_a_study_of_one_process_has_no_speedup(tmp_path: Path) -> None:
    study = StudyDocument(
        program=("a.c",),
        parameters=(SweptParameter("n", "argv[1]", (1, 2)),),
        loops=(),
        runs=(RunDocument({"n": 1}, elapsed_s=1.0),),
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "study.json").write_text(json.dumps(builtins(study)))
    done = looplaw("scaling", "a", cwd=tmp_path)
    assert done.returncode == 2
    assert "--processes NAME" in done.stderr


def test_at_gives_points_alike_however_it_is_split(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples/times.jsonl", tmp_path)
    asked = []
    for at in (["p=128,n=512"], ["p=128", "n=512"], ["p=128,n=512", "p=256", "n=512"]):
        words = [w for place in at for w in ("--at", place)]
        done = looplaw("scaling", "times.jsonl", *words, "--work", "n^3", "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        asked.append(json.loads(done.stdout)["predictions"])
    assert asked[0] == asked[1] == asked[2][:1]
    assert len(asked[2]) == 2
    twice = looplaw("predict", "times.jsonl", "--at", "p=1", "--at", "p=2", cwd=tmp_path)
    assert (twice.returncode, "p has a value already" in twice.stderr) == (2, True)
