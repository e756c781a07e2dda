"""Equal counts of several documents stand in memory once."""

from __future__ import annotations

import msgspec

from looplaw.documents.analysis import ANALYSIS, AnalysisDocument
from looplaw.documents.shared_counts import SharedCounts

TEXT = f"""{{"format": "{ANALYSIS}", "entry": "%s", "loops": [{{"at": "a.c:1:1", "function": "f",
 "per_call": {{"kind": "parametric", "formula": "n", "reason": "it rests on n",
  "opaque": [{{"symbol": "n", "meaning": "argument n of f", "at": null}}],
  "assumptions": ["n >= 0"]}},
 "total": {{"kind": "parametric", "formula": "%s", "assumptions": ["n >= 0", "m >= 0"]}}}}],
 "functions": [{{"name": "%s",
  "operations": {{"loads": {{"kind": "exact", "formula": "0"}}}}}}]}}"""


def test_documents_stay_as_they_are_and_share_what_is_equal() -> None:
    read = [
        msgspec.json.decode(TEXT % part, type=AnalysisDocument)
        for part in (("f", "n", "f"), ("g", "m*n", "g"))
    ]
    once = SharedCounts()
    f, g = map(once.shared, read)
    assert [f, g] == read
    assert f.loops[0].per_call is g.loops[0].per_call
    assert f.loops[0].at is g.loops[0].at
    assert f.functions[0].operations["loads"] is g.functions[0].operations["loads"]
    assert f.loops[0].total.assumptions[0] is g.loops[0].per_call.assumptions[0]
