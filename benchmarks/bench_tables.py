"""Public tables of results: how many are read rightly, refused, and misread in silence?

The tables are those of `benchmarks/tables/labels.json`, in clones of their repositories (OWNER+NAME
below one folder). Each was labelled by hand: the columns that were measured, the parameters that
vary in it, what else may be taken for either, or that it is no table of measurements. Some were
developed on (seen, mended); the others were read once before anything was mended for them
(unseen, later, put aside, fresh, latest, newest, last), and hold what was mended since.

    python -m benchmarks.bench_tables CLONES [--json FILE] [--all]
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from looplaw_common.errors import LooplawError
from modeling import Measurements
from modeling.readers import read
from modeling.readers.choice import NOTHING, Choice

LABELS = Path(__file__).with_name("tables") / "labels.json"


def verdict(path: Path, label: Mapping[str, Any]) -> tuple[str, str]:
    """read rightly, refused, refused with a cure that works, or misread; and what was said."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = read(path)
        except LooplawError as error:
            if label.get("refuse") or label.get("either"):
                return "refused rightly", str(error)
            return ("refused, cured" if _is_cured(path, label) else "refused"), str(error)
    told = _told(found)
    is_right = not label.get("refuse") and _fits(found, label)
    return ("read rightly" if is_right else "misread"), told


def _is_cured(path: Path, label: Mapping[str, Any]) -> bool:
    """Do the options that the message names read the table?"""
    choice = Choice(tuple(label["params"]), tuple(label["values"]))
    try:
        return choice != NOTHING and _fits(read(path, choice=choice), label)
    except LooplawError:
        return False


def _told(found: Measurements) -> str:
    metrics = ", ".join(dict.fromkeys(s.metric for s in found.series))
    return f"{metrics} over {', '.join(sorted(_varied(found))) or 'nothing'}"


def _varied(found: Measurements) -> set[str]:
    values: dict[str, set[float]] = {}
    for s in found.series:
        for k, name in enumerate(s.parameters):
            values.setdefault(name, set()).update(s.points[:, k].tolist())
    return {name for name, of in values.items() if len(of) > 1}


def _fits(found: Measurements, label: Mapping[str, Any]) -> bool:
    """Is what was measured and varied what the label says?"""
    metrics = {s.metric for s in found.series} | {s.callpath for s in found.series}
    may = {*label.get("may", ()), *label["params"], *label["values"], "time", "value"}
    measured = {s.metric for s in found.series}
    if "*" not in may and not measured <= may:
        return False
    wanted = set(label["values"]) - {"*"}
    if not (wanted & metrics or not wanted or (len(wanted) == 1 and "time" in metrics)):
        return False
    varied, known = _varied(found), set(map(_symbol, may))
    return set(map(_symbol, label["params"])) <= varied and ("*" in may or varied <= known)


def _symbol(name: str) -> str:
    from modeling.data.checks import symbols

    return symbols([name], "")[0]


def main() -> None:
    """Print the table of verdicts, and the tables that were not read rightly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--all", action="store_true", help="print every table of the unseen set")
    options = parser.parse_args()
    rows = []
    for label in json.loads(LABELS.read_text()):
        path = options.clones / label["repository"].replace("/", "+") / label["file"]
        kind, said = verdict(path, label)
        rows.append({**label, "verdict": kind, "said": said.replace(str(options.clones), "")})
        wrong = kind in ("misread", "refused", "refused, cured")
        if wrong and (label["set"] == "seen" or options.all):
            print(f"{kind:16} {label['repository']} {label['file']}\n    {said[:200]}")
    for part in dict.fromkeys(r["set"] for r in rows):
        counts = Counter(r["verdict"] for r in rows if r["set"] == part)
        number = sum(counts.values())
        print(f"{part} ({number}): " + ", ".join(f"{k} {v}" for k, v in counts.most_common()))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
