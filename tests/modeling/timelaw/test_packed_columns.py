"""Columns of traffic as they are written."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modeling.pmnf.memory_traffic import Traffic, packed, unpacked

_NUMBERS = st.one_of(st.just(0.0), st.sampled_from([0.125, 1.0, 3.142]), st.floats(0, 1e6))


@given(st.lists(_NUMBERS, max_size=60), st.integers(1, 20))
def test_what_is_written_is_read_again(values: list[float], table: int) -> None:
    assert unpacked(packed(values, table), table, len(values)) == tuple(values)


def test_what_comes_again_is_short() -> None:
    table = [0.125] * 20 + [0.0] * 13
    assert packed(table * 5, 33) == "0.125x20 0x13 =x132"


@pytest.mark.parametrize("text", ["x3", "1x", "= 1", "1xx2", "nan?", "1x9999999999"])
def test_texts_that_nobody_wrote_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Traffic(("n",), ((1.0, 2.0),), (8.0, 16.0), text)


def test_laws_of_before_hold_numbers_and_a_table_for_each_halving() -> None:
    old = {
        "parameters": ["n"],
        "axes": [[1.0, 2.0]],
        "capacities": [8.0, 16.0],
        "read": [1.0, 0.5, 1.0, 0.25, 1.0, 1.0, 1.0, 1.0],
        "fresh": [0.5, 0.0, 0.5, 0.0] * 2,
        "apart": "8*n",
        "halved": 1,
    }
    found = msgspec.json.decode(json.dumps(old).encode(), type=Traffic)
    assert found.grid.lines.shape == (4, 4, 2)
    assert found.grid.fresh.tolist() == [[0.5, 0.0]] * 4
    again = msgspec.json.decode(json.dumps(old | found.columns_packed).encode(), type=Traffic)
    assert again == found
