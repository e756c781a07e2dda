"""Thickets and GraphFrames as measurements, and models as columns: real ones where they are
installed, else look-alikes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from modeling import DataError, InputError, fit
from modeling.readers.hatchet import from_graphframes, from_thicket, with_models
from tests.lazily import Package, needs

pandas = Package("pandas")
pytestmark = needs("pandas")
SIZES = (8, 16, 32, 64, 128)


@dataclass(eq=False)
class Node:
    """As Hatchet has them."""

    frame: dict[str, str]
    parent: Node | None = None

    def path(self) -> tuple[Node, ...]:
        return (*(self.parent.path() if self.parent else ()), self)

    def __lt__(self, other: Node) -> bool:
        return self.frame["name"] < other.frame["name"]


@dataclass
class Holder:
    """As much of a Thicket or GraphFrame as is used."""

    dataframe: Any
    metadata: Any = None
    exc_metrics: list[str] = field(default_factory=lambda: ["time"])
    inc_metrics: list[str] = field(default_factory=list)


def look_alike() -> Holder:
    main = Node({"name": "main", "type": "function"})
    solve = Node({"name": "solve"}, main)
    rows = {
        (node, 100 + k): {"time": float(n**power), "name": node.frame["name"], "nid": 1}
        for k, n in enumerate(SIZES)
        for node, power in ((main, 1), (solve, 2))
    }
    index = pandas.MultiIndex.from_tuples(rows, names=["node", "profile"])
    metadata = pandas.DataFrame(
        {"problem_size": SIZES, "cluster": "x", "ranks": 4, "launchdate": range(5)},
        index=pandas.Index([100 + k for k in range(5)], name="profile"),
    )
    return Holder(pandas.DataFrame(list(rows.values()), index=index), metadata)


def test_a_thicket_is_measurements_and_its_models_are_columns() -> None:
    holder = look_alike()
    data = from_thicket(holder)
    assert data.parameters == ("problem_size",), "what differs, but for dates"
    models = fit(data)
    assert {m.callpath: str(m.lead) for m in models.models} == {
        "main": "problem_size",
        "main->solve": "problem_size**2",
    }
    means = Holder(holder.dataframe.groupby(level="node").mean(numeric_only=True))
    table = with_models(means, models, "time", {"problem_size": 1e3})
    assert sorted(table["time_predicted"]) == pytest.approx([1e3, 1e6])
    assert set(table["time_model"]) == {"1*problem_size", "1*problem_size**2"}
    assert from_thicket(holder, ["problem_size", "ranks"], ["time"]).parameters == (
        "problem_size",
        "ranks",
    )


def test_graphframes_are_runs() -> None:
    main = Node({"name": "main"})
    frames = [
        (
            Holder(
                pandas.DataFrame(
                    {"time": [3.0 * n], "rank": [0]}, index=pandas.Index([main], name="node")
                )
            ),
            {"n": n},
        )
        for n in SIZES
    ]
    model = fit(from_graphframes(frames)).models[0]
    assert (model.callpath, model.formula) == ("main", "3*n")


def test_what_is_missing_is_said() -> None:
    holder = look_alike()
    without = Holder(holder.dataframe, holder.metadata[["cluster"]])
    for wrong, message in (
        (lambda: from_thicket(holder, ["n"]), "no column n, only problem_size"),
        (lambda: from_thicket(holder, None, ["flops"]), "no column flops"),
        (lambda: from_graphframes([]), "no GraphFrame"),
        (
            lambda: with_models(holder, fit(from_thicket(holder)), "flops"),
            "no model of flops; there are time",
        ),
        (lambda: from_thicket(without), "no number in the metadata"),
    ):
        with pytest.raises(InputError, match=message):
            wrong()
    holder.dataframe.loc[:, "time"] = float("nan")
    with pytest.raises(DataError, match="holds no values"):
        from_thicket(holder)


def test_real_graphframes_and_thickets() -> None:
    hatchet = pytest.importorskip("hatchet")
    thicket = pytest.importorskip("thicket")

    def graph(n: int) -> Any:
        tree = [
            {
                "frame": {"name": "main", "type": "function"},
                "metrics": {"time": 2.0 * n, "time (inc)": 2.0 * n + n * n},
                "children": [
                    {
                        "frame": {"name": "solve", "type": "function"},
                        "metrics": {"time": float(n * n), "time (inc)": float(n * n)},
                    }
                ],
            }
        ]
        return hatchet.GraphFrame.from_literal(tree)

    models = fit(from_graphframes([(graph(n), {"n": n}) for n in SIZES]))
    laws = {(m.callpath, m.metric): m.formula for m in models.models}
    assert laws["main->solve", "time"] == "1*n**2"
    assert laws["main", "time"] == "2*n"
    several = [thicket.Thicket.thicketize_graphframe(graph(n), f"run{n}") for n in SIZES]
    whole = thicket.Thicket.concat_thickets(several)
    profiles = whole.dataframe.index.get_level_values("profile").unique()
    whole.metadata = pandas.DataFrame(
        {"n": [int(str(whole.profile_mapping[p]).removeprefix("run")) for p in profiles]},
        index=pandas.Index(profiles, name="profile"),
    )
    found = fit(from_thicket(whole))
    assert {(m.callpath, m.metric): m.formula for m in found.models} == laws
    table = with_models(whole, found, "time")
    assert set(table["time_model"]) == {"1*n**2", "2*n"}
