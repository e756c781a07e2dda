"""What is read and gathered in columns is what every line says for itself, whatever stands around
it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modeling import DataError, Measurements
from modeling.readers import read_text

Parsed = tuple[str, str, tuple[tuple[str, float], ...], float]

POINTS = st.fixed_dictionaries(
    {
        "n": st.sampled_from([1, 2, 2.0, 64, 1e3, -0.0, 0, 2**53, 10**30]),
        "p": st.sampled_from([1, 2.5, -4]),
    }
)
VALUES = st.one_of(
    st.floats(-1e9, 1e9).filter(lambda x: not 0 < abs(x) < 1e-9),
    st.integers(-(10**6), 10**6),
    st.sampled_from([2**53 + 1, 10**40, 1e-40, 1e100, -0.0]),
)
PATHS = st.sampled_from(
    [
        "main",
        "main->f",
        "f::{lambda(int)#1}::g",
        'a "b"',
        "tab\tin",
        "ü",
        "back\\slash",
        '"value": 1}',
        "",
    ]
)
METRICS = st.sampled_from(["time", "visits", "a: b"])


FORMS = ["compact", "spaced", "more", "behind", "order", "few", "talpas", "ascii", "blank"]


@st.composite
def lines(draw: st.DrawFn, forms: Sequence[str]) -> str:
    """One line of a file."""
    form = draw(st.sampled_from(forms))
    fields: dict[str, object] = {
        "params": draw(POINTS),
        "callpath": draw(PATHS),
        "metric": draw(METRICS),
        "value": draw(VALUES),
    }
    if form == "blank":
        return draw(st.sampled_from(["", "  "]))
    if form == "more":
        value = fields.pop("value")
        fields |= {"rank": draw(st.integers(0, 3)), "note": {"value": 3}, "value": value}
    if form == "behind":
        fields |= {"repetition": draw(st.integers(0, 3))}
    if form == "order":
        fields = dict(draw(st.permutations(list(fields.items()))))
    if form == "few":
        fields.pop(draw(st.sampled_from(["callpath", "metric"])))
    if form == "talpas":
        fields = {
            "parameters": fields.pop("params"),
            "callpath": "t",
            "metric": "m",
            "value": fields["value"],
        }
        return json.dumps(fields, separators=(";", ":"))
    separators = {"compact": (",", ":"), "spaced": (" , ", "\t: ")}.get(form)
    text = json.dumps(fields, separators=separators, ensure_ascii=form == "ascii")
    return text


def parsed(line: str) -> Parsed:
    """The oracle: a line as JSON, alone."""
    try:
        data = json.loads(line)
    except ValueError:
        data = json.loads(line.replace(";", ","))
    params: Mapping[str, float] = data.get("params", data.get("parameters"))
    return (
        data.get("callpath", "main"),
        data.get("metric", "time"),
        tuple(sorted((name, float(x)) for name, x in params.items())),
        float(data["value"]),
    )


def expected(rows: Sequence[Parsed]) -> dict[tuple[str, str], dict[tuple[float, ...], list[float]]]:
    """Series in the order of their appearance -> points in ascending order -> values."""
    found: dict[tuple[str, str], dict[tuple[float, ...], list[float]]] = {}
    for callpath, metric, params, value in rows:
        found.setdefault((callpath, metric), {}).setdefault(tuple(x for _, x in params), []).append(
            value
        )
    return {key: dict(sorted(points.items())) for key, points in found.items()}


def agree(
    data: Measurements, wanted: dict[tuple[str, str], dict[tuple[float, ...], list[float]]]
) -> None:
    assert [(s.callpath, s.metric) for s in data.series] == list(wanted)
    for series, points in zip(data.series, wanted.values(), strict=True):
        assert [tuple(p) for p in series.points.tolist()] == list(points)
        assert series.counts.tolist() == [len(v) for v in points.values()]
        for mean, squares, values in zip(
            series.means, series.squares, points.values(), strict=True
        ):
            largest = max(map(abs, values))
            assert mean == pytest.approx(fmean(values), rel=1e-13, abs=1e-14 * largest)
            exact = sum((v - fmean(values)) ** 2 for v in values)
            assert squares == pytest.approx(exact, rel=1e-12, abs=1e-27 * largest**2)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(lines(["usual"]), min_size=1, max_size=20),
    st.lists(lines(FORMS), max_size=8),
    st.integers(0, 500),
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_a_mix_of_lines_is_what_each_says(
    usual: list[str], others: list[str], count: int, order: random.Random, newline: str, ends: bool
) -> None:
    mix = order.choices(usual, k=count)
    for line in [usual[0], *others]:
        mix.insert(order.randint(0, len(mix)), line)
    data = read_text(newline.join(mix) + newline * ends, "x", ".jsonl")
    agree(data, expected([parsed(line) for line in mix if line.strip()]))


USUAL = [
    json.dumps(
        {
            "params": {"n": n, "p": 2},
            "callpath": f"f{k % 7}",
            "metric": "time",
            "value": n * 1.25 + k,
        }
    )
    for k in range(40)
    for n in (1, 2, 4, 8)
]


@pytest.mark.parametrize(
    "bad",
    [
        USUAL[0].rpartition(":")[0] + f": {value}}}"
        for value in (
            "NaN",
            "-Infinity",
            "1e999",
            "9" * 400,
            "9" * 5000,
            "true",
            "null",
            '"one"',
            "[1]",
            "01",
            "1.",
            ".5",
            "+1",
            "1_0",
            "",
            "1, 2",
            "1}{",
            "0x1",
            "1 2",
        )
    ]
    + [
        '{"params": {"n": 1}, "callpath": "f", "metric": "m", "value": 1}}',
        '{"params": {"n": 1}, "callpath": "f", "value": 1} x',
        '{"params": {"n": 1}}, "callpath": "f", "value": 1}',
        '{"params": {"n": "x"}, "callpath": "f", "value": 1}',
        '{"params": {"n": {}}, "callpath": "f", "value": 1}',
        '{"params": [1], "callpath": "f", "value": 1}',
        '{"params": {"n": 1}, "callpath": 3, "value": 1}',
        '{"params": {"n": 1}, "callpath": "f", "worth": 1}',
        '{"params": {"n": 1}, "callpath": "f", "a\\"value": 1}',
        '{"params": {"n": 1}, "callpath": "f", "in": {"value": 1}',
        '{"params": {"n": 1}, "callpath": "f", "value": 1',
        '{"params": {"n": 1}, "callpath": "f" "value": 1}',
        '{"params": {"n": 1}, "callpath": "a\tb", "value": 1}',
        '{"point": {"n": 1}, "callpath": "f", "value": 1}',
        "[]",
        "}",
        USUAL[0] + USUAL[1],
        USUAL[0] + ",",
        "{" + USUAL[0],
        " " * (1 << 20) + USUAL[0],
        USUAL[0][:-1] + " " * (1 << 20) + "}",
    ],
)
@pytest.mark.parametrize("before", [0, 1, 9, 150])
def test_an_unusable_line_is_named_wherever_it_stands(bad: str, before: int) -> None:
    with pytest.raises(DataError) as alone:
        read_text(bad, "x", ".jsonl")
    text = "\n".join([*USUAL[:before], bad, *USUAL, bad])
    with pytest.raises(DataError) as error:
        read_text(text, "x", ".jsonl", strict=True)
    assert str(error.value) == str(alone.value).replace("x:1:", f"x:{before + 1}:", 1)


def test_a_line_that_ends_in_the_next_one_is_none() -> None:
    whole = USUAL[0]
    for at in (whole.index("}") + 1, len(whole) - 1, len(whole) - 4, 1, whole.index(",")):
        text = "\n".join([*USUAL[:50], whole[:at], whole[at:], *USUAL])
        with pytest.raises(DataError, match="x:51: "):
            read_text(text, "x", ".jsonl", strict=True)


def test_other_parameters_in_a_series_are_named_in_the_order_of_the_lines() -> None:
    rows = [("f", {"n": 1}), ("g", {"z": 1}), ("g", {"z": 2}), ("g", {"a": 1}), ("f", {"n": 2})]
    text = "\n".join(
        json.dumps({"params": p, "callpath": c, "metric": "time", "value": 1}) for c, p in rows
    )
    with pytest.raises(
        DataError, match=r"x: g, time: some observations have the parameters z, others a$"
    ):
        read_text(text, "x", ".jsonl", strict=True)


def test_series_at_the_same_points_share_them() -> None:
    first, *others = read_text("\n".join(USUAL), "x", ".jsonl").series
    assert len(others) == 6
    assert all(s.points is first.points for s in others)
    with pytest.raises(ValueError, match="read-only"):
        first.points[0, 0] = 3


@pytest.mark.parametrize("seed", [0, 1])
def test_repetitions_far_from_zero_keep_their_spread(seed: int) -> None:
    generator = np.random.default_rng(seed)
    deviations = generator.permutation(np.repeat([-0.5, 0.5], 50))
    text = "\n".join(
        json.dumps({"params": {"n": 1}, "callpath": "f", "metric": "m", "value": 2.0**40 + d})
        for d in deviations
    )
    (series,) = read_text(text, "x", ".jsonl").series
    assert (series.means.tolist(), series.squares.tolist()) == ([2.0**40], [25.0])
