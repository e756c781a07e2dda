"""Two studies compared: loops are found again when lines move, noise is no change, growth is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from looplaw.laws.study_diff import difference
from tests.command_line import looplaw
from tests.looplaw.study_example import example_study, model, typed


def _loop(study: dict[str, Any], at: str) -> dict[str, Any]:
    found: dict[str, Any] = next(loop for loop in study["loops"] if loop["at"] == at)
    return found


def test_the_same_study_has_no_difference() -> None:
    pairs = difference(typed(example_study()), typed(example_study()))
    assert len(pairs) == 13
    assert not [p for p in pairs if p.changes]


def test_loops_are_found_again_when_lines_move() -> None:
    before: Any = example_study()
    after: Any = example_study()
    for loop in after["loops"]:
        file, line, column = loop["at"].rsplit(":", 2)
        loop["at"] = f"{file}:{int(line) + 3}:{column}"
    assert not [p for p in difference(typed(before), typed(after)) if p.changes]


def test_what_changed_is_named() -> None:
    before: Any = example_study()
    after: Any = example_study()
    _loop(after, "kernels/matmul.c:11:5")["total"] = {"kind": "exact", "formula": "n**2 + 1"}
    spmv = "sparse/csr.c:33:3"
    _loop(after, spmv)["time_model"] = model(spmv, "time", 0, (5.1e-8, {"n": ("2", "0")}))
    matmul = "kernels/matmul.c:10:3"
    _loop(after, matmul)["time_model"] = model(
        matmul, "time", 2.04e-5, (3 * 1.2987654e-9, {"n": ("3", "0")})
    )
    relax = "kernels/stencil.c:21:3"  # 2 % is within the noise
    _loop(after, relax)["time_model"] = model(
        relax, "time", 1.1e-6, (6.14e-11, {"n": ("5/2", "0"), "steps": ("1", "0")})
    )
    del after["loops"][-1]
    found = {p.at: p for p in difference(typed(before), typed(after)) if p.changes}
    assert found.pop("kernels/matmul.c:11:5").changes == ("law",)
    assert found.pop(spmv).changes == ("grows faster", "slower")
    slow = found.pop(matmul)
    assert slow.changes == ("slower",)
    assert slow.ratio is not None
    assert 2.9 < slow.ratio < 3.0
    assert found.pop("util/strided.c:9:3").changes == ("gone",)
    assert not found


def test_a_loop_put_into_a_function_leaves_the_others_known() -> None:
    before: Any = example_study()
    after: Any = example_study()
    extra = dict(_loop(after, "kernels/matmul.c:12:7")) | {
        "at": "kernels/matmul.c:13:9",
        "nesting": 4,
        "total": {"kind": "exact", "formula": "n**4"},
    }
    after["loops"].insert(3, extra)
    assert {p.at: p.changes for p in difference(typed(before), typed(after)) if p.changes} == {
        "kernels/matmul.c:13:9": ("new",)
    }


def test_noise_in_the_leading_term_is_no_growth() -> None:
    before: Any = example_study()
    after: Any = example_study()
    matmul = "kernels/matmul.c:10:3"
    # the same times within 1 % over the points: 1/8.0 of n**3*log2(n) at n = 256
    _loop(after, matmul)["time_model"] = model(
        matmul, "time", 2.04e-5, (1.2987654e-9 / 8, {"n": ("3", "1")})
    )
    assert not [p for p in difference(typed(before), typed(after)) if p.changes]


def test_the_verb(tmp_path: Path) -> None:
    before: Any = example_study()
    after: Any = example_study()
    _loop(after, "kernels/matmul.c:11:5")["total"] = {"kind": "exact", "formula": "n**2 + 1"}
    (tmp_path / "a.json").write_text(json.dumps(before))
    (tmp_path / "b.json").write_text(json.dumps(after))
    done = looplaw("diff", "a.json", "b.json", "--json", "d.json", "--html", "d.html", cwd=tmp_path)
    assert done.returncode == 1
    assert "1 loop changed, 12 did not." in done.stdout
    [changed] = [x for x in json.loads((tmp_path / "d.json").read_text())["loops"] if x["changes"]]
    assert (changed["at"], changed["changes"]) == ("kernels/matmul.c:11:5", ["law"])
    assert "Changes since the baseline" in (tmp_path / "d.html").read_text()
    assert looplaw("diff", "a.json", "a.json", cwd=tmp_path).returncode == 0
