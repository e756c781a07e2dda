"""`make fuzz`: NESTS random functions of the seed SEED. Prints how many loops of each shape have an exact total, why the
others have not, and every wrong count as a minimal program (those in KEEP, a folder, too). Exit code 1 if there is one."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from pathlib import Path

from .generator import Case
from .hunt import draw, judge, minimal

_KINDS = ("exact", "parametric", "bounded", "unknown", "none", "failure")


def main() -> int:
    nests, seed = int(os.environ.get("NESTS", "5000")), int(os.environ.get("SEED", "1"))
    kinds: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    wrong: dict[str, list[tuple[Case, str]]] = {}
    compared = 0
    for case, findings in judge(draw(nests, seed)):
        for f in findings:
            kinds.setdefault(f.shape, Counter())[f.kind] += 1
            compared += f.compared
            if f.reason:
                reasons[f"{f.shape}: {f.reason}"] += 1
            if f.wrong:
                wrong.setdefault(f.shape, []).append((case, f.wrong))
                break
    print(f"{'shape':26s}" + "".join(f"{c:>11s}" for c in _KINDS) + f"{'% exact':>9s}")
    for shape, counter in sorted(kinds.items(), key=lambda item: item[1]["exact"] / item[1].total()):
        print(f"{shape:26s}" + "".join(f"{counter[c]:11d}" for c in _KINDS) + f"{100 * counter['exact'] / counter.total():9.1f}")
    print("why not exact:")
    for reason, number in reasons.most_common(60):
        print(f"{number:7d}  {reason}")
    number = sum(map(len, wrong.values()))
    print(f"{nests} functions, {sum(c.total() for c in kinds.values())} loops, {compared} comparisons, {number} wrong", flush=True)
    for shape, found in wrong.items():
        case, text = min(found, key=lambda pair: len(pair[0].source))
        case, text = minimal(case)
        print(f"---- {shape}: {len(found)} wrong, minimal:\n{text}", flush=True)
        if os.environ.get("KEEP"):
            name = re.sub(r"\W+", "_", shape)
            comment, _, source = text.partition("\n// program\n")
            (Path(os.environ["KEEP"]) / f"{name}_{seed}.c").write_text("".join(f"// {line}\n" for line in comment.splitlines()) + source)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
