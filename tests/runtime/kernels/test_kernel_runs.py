"""Laws of launches against runs of the kernels on this processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.bench_gpu import rows_of
from looplaw_common.errors import InputError
from runtime.kernels import Buffer, KernelProgram
from tests.fuzz.kernels import judged
from tests.kernels import FOLDER, text_of


@pytest.mark.parametrize("file", ["grids.cu", "vectors.cl", "warps.hip"])
def test_no_law_is_refuted(file: str) -> None:
    text_of(FOLDER / file)  # skips where there is no clang
    rows = list(rows_of(FOLDER / file, (), 2, 5))
    assert not [text for row in rows for text in row.wrong]
    assert not [row.kernel for row in rows if row.not_run]
    compared = sum(row.verdicts["equal"] for row in rows)
    assert compared >= 0.8 * sum(row.verdicts.total() for row in rows)
    exact = sum(row.laws["loop exact"] for row in rows)
    assert exact >= 0.9 * sum(n for row in rows for kind, n in row.laws.items() if "loop" in kind)


def test_random_kernels() -> None:
    text_of(FOLDER / "vectors.cl")
    verdicts, wrong = judged(3)
    assert not wrong
    assert verdicts["equal"] > verdicts.total() / 2


def test_threads_wait_for_each_other() -> None:
    """What a block leaves is what all of its threads did: a sum by halving strides."""
    text = text_of(FOLDER / "vectors.cl")
    with KernelProgram.build(text, "reduce") as program:
        counted = program.run((3,), (64,), [Buffer(4096), Buffer(4096), Buffer(), 100])
    (loop,) = counted.loops.values()
    assert (loop.work, loop.depth, loop.warps) == (6 * 192, 6, 6 * 192)


def test_what_does_not_run_here_is_said(tmp_path: Path) -> None:
    path = tmp_path / "image.cl"
    path.write_text(
        "float far_away(int);\n__kernel void k(__global float *a) { a[0] = far_away(1); }\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"it calls \w*far_away"):
        KernelProgram.build(text_of(path), "k").close()
