"""Structs where dataclasses are asked for."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec import Struct, field

from looplaw_common.structs import like_dataclass
from modeling import Measurements, Series, fit


def test_models_are_copied_and_taken_apart_as_dataclasses() -> None:
    series = Series.from_values("f", "time", ("n",), [[2], [4], [8], [16], [32]], [2, 4, 8, 16, 32])
    model = fit(Measurements((series,))).models[0]
    assert dataclasses.is_dataclass(model)
    assert [f.name for f in dataclasses.fields(model)][:3] == ["callpath", "metric", "parameters"]
    other = dataclasses.replace(model, callpath="g")
    assert other.callpath == "g"
    assert other.formula == model.formula
    assert other.evaluate({"n": 64.0}) == model.evaluate({"n": 64.0})
    assert dataclasses.asdict(model.quality).keys() == {
        *("smape", "adjusted_r2", "loo_smape", "points")
    }
    with pytest.raises(AttributeError):
        model.callpath = "h"  # type: ignore[misc]


def test_defaults_are_kept() -> None:
    @like_dataclass
    class Place(Struct, frozen=True):
        line: int
        column: int = 1

    line, column = dataclasses.fields(Place)  # type: ignore[arg-type]
    assert line.default is dataclasses.MISSING
    assert column.default == 1


def test_a_default_that_is_made_is_refused() -> None:
    class Places(Struct, frozen=True):
        lines: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="anew"):
        like_dataclass(Places)
