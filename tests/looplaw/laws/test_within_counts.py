"""Times that the runs do not determine are bounded by how often loops run."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from looplaw.documents.study import CountedDocument, LoopLaw, StudyLoop, TimesDocument
from looplaw.laws.time_prediction import predict_time
from looplaw.laws.within_counts import most_seconds
from modeling import Measurements, Series, fit
from tests.modeling.timelaw.test_time_law import _SIZES

from .test_forecast import study

TOP = int(max(_SIZES))


def noise(formula: str, inner: tuple[StudyLoop, ...] = ()) -> tuple[StudyLoop, ...]:
    """A kernel of a microsecond whose times tell nothing, and how often it runs."""
    times = 1e-6 * np.exp(np.resize([1.5, -1.5, 0.3, -0.8, 1.2], len(_SIZES)))
    series = Series.from_values("noise.c:1", "time", ("n",), [[n] for n in _SIZES], list(times))
    return (
        StudyLoop(
            "noise.c:1",
            "main",
            law=LoopLaw(formula, "exact") if formula else None,
            inner=tuple(loop.at for loop in inner),
            time=tuple(
                TimesDocument({"n": int(n)}, (float(t),))
                for n, t in zip(_SIZES, times, strict=True)
            ),
            time_model=fit(Measurements((series,))).models[0].document,
        ),
        *inner,
    )


def test_a_kernel_takes_no_more_than_its_count_allows() -> None:
    there = {"n": 8.0 * TOP}
    last = noise("5")[0].time or ()
    longest = max(row.values[0] for row in last)
    for formula, growth in (("5", 1), ("3*n", 8), ("n**2", 64)):
        data = msgspec.structs.replace(study(), loops=noise(formula))
        most = most_seconds(data, ["noise.c:1"], there)["noise.c:1"]
        # the longest run may be of any size; an iteration gets dearer by 100 times at most, and
        # calls have as much more to do as the size grows
        assert most >= longest * growth * 8
        assert most <= longest * 100 * (8 * TOP / min(_SIZES)) ** (1 + np.log2(growth) / 3) * 1.01


def test_the_loop_that_grows_most_decides_and_an_unknown_one_forbids() -> None:
    inner = StudyLoop("noise.c:2", "main", law=LoopLaw("n**3", "exact"))
    unknown = StudyLoop("noise.c:2", "main", counted=(CountedDocument({"n": TOP}, 7),))
    there = {"n": 4.0 * TOP}
    few, many = (
        most_seconds(
            msgspec.structs.replace(study(), loops=noise("5", inside)), ["noise.c:1"], there
        )["noise.c:1"]
        for inside in ((), (inner,))
    )
    assert many >= 64 * few
    data = msgspec.structs.replace(study(), loops=noise("5", (unknown,)))
    assert most_seconds(data, ["noise.c:1"], there) == {}
    assert most_seconds(data, ["elsewhere.c:1"], there) == {}


def test_a_kernel_of_a_microsecond_does_not_hide_the_run() -> None:
    plain, there = study(), {"n": 8.0 * TOP}
    both = msgspec.structs.replace(plain, loops=(*plain.loops, *noise("5")))
    alone, with_noise = predict_time(plain, there), predict_time(both, there)
    assert with_noise.seconds == pytest.approx(alone.seconds, rel=0.05)
    assert with_noise.high == pytest.approx(alone.high, rel=0.2)
    assert with_noise.low == pytest.approx(alone.low, rel=0.2)
