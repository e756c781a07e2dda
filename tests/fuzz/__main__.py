"""`make fuzz`: NESTS random functions of the seed SEED. Prints how many loops of each shape have an
exact total, why the others have not, and every wrong count as a minimal program (those in KEEP, a
folder, too). Exit code 1 if there is one."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from .hunt import complaint, draw, judge, minimal

_KINDS = ("exact", "parametric", "bounded", "unknown", "none", "failure")
_EACH = 3  # minimal programs of one sort of mistake


def main() -> int:
    nests, seed, most = (
        int(os.environ.get(name, default))
        for name, default in (("NESTS", "5000"), ("SEED", "1"), ("SHRINK", "12"))
    )
    kinds: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    shown: set[str] = set()
    faults: Counter[tuple[str, str]] = Counter()
    wrong = compared = 0
    for case, findings in judge(draw(nests, seed)):
        for f in findings:
            kinds.setdefault(f.shape, Counter())[f.kind] += 1
            compared += f.compared
            if f.reason:
                reasons[f"{f.shape}: {f.reason}"] += 1
        bad = complaint(findings)
        if bad is None:
            continue
        wrong += 1
        faults[bad.fault, bad.kind] += 1
        if faults[bad.fault, bad.kind] <= _EACH and len(shown) < most:
            least, found = minimal(case)
            if least.source not in shown:
                shown.add(least.source)
                print(f"---- wrong:\n{found}", flush=True)
                _keep(found, f"{seed}_{len(shown)}")
    print(f"{'shape':26s}" + "".join(f"{c:>11s}" for c in _KINDS) + f"{'% exact':>9s}")
    for shape, counter in sorted(
        kinds.items(), key=lambda item: item[1]["exact"] / item[1].total()
    ):
        print(
            f"{shape:26s}"
            + "".join(f"{counter[c]:11d}" for c in _KINDS)
            + f"{100 * counter['exact'] / counter.total():9.1f}"
        )
    print("why not exact:")
    for reason, number in reasons.most_common(60):
        print(f"{number:7d}  {reason}")
    for (fault, kind), number in faults.most_common():
        print(f"{number:7d}  {kind} total of the loop, wrong: {fault}")
    loops = sum(c.total() for c in kinds.values())
    print(f"{nests} functions, {loops} loops, {compared} comparisons, {wrong} functions wrong")
    return 1 if wrong else 0


def _keep(found: str, name: str) -> None:
    if "KEEP" in os.environ:
        comment, _, source = found.partition("\n// program\n")
        text = "".join(f"// {line}\n" for line in comment.splitlines())
        (Path(os.environ["KEEP"]) / f"fuzz_{name}.c").write_text(text + source)


if __name__ == "__main__":
    sys.exit(main())
