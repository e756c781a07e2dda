"""How well the gate tells growth from neutral edits: seeded edits of the samples and test programs.

Each edit rewrites a loop whose bound is a variable, or what stands beside it: there, the work of
the rest often hides the growth. Growth edits must be flagged or called undecided; neutral edits
must pass. With POLYBENCH=folder, loops of PolyBench/C are edited, too.
`make bench-gate ARGS='--growth 500 --neutral 300'`; with `--json FILE --seconds 300`, part by part.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from looplaw.gate.versions import Options, compare_units, units
from looplaw_common.errors import LooplawError

ROOT = Path(__file__).resolve().parent.parent
_LOOP = re.compile(
    r"for \((?P<type>(?:int|long|size_t) )?(?P<index>\w+) = (?P<first>\w+); (?P=index)"
    r" (?P<relation><=?) (?P<bound>[A-Za-z_]\w*);"
    r" (?:(?P=index)\+\+|\+\+(?P=index))\)"
)
_FUNCTION = re.compile(
    r"(?m)^(?:static |void |int |long |double |unsigned )[^;{}()]*\([^;{}]*\)\s*\{"
)
_K = "gate_k"
_NO_EDIT = "no edit"
_SINK = "static volatile int gate_sink;\n"


@dataclass(frozen=True)
class Site:
    """A loop in a source: `start` and `end` of its statement, what stands in its head, its body;
    `top`: the start of the first function; flags: how the file is compiled."""

    file: Path
    text: str
    top: int
    start: int
    end: int
    type: str
    index: str
    first: str
    relation: str
    bound: str
    body: str
    flags: tuple[str, ...] = ()

    @property
    def declares(self) -> bool:
        """Does the loop declare its variable?"""
        return bool(self.type)

    def written(self, above: str, ahead: str) -> str:
        """The source with `above` ahead of its functions and `ahead` in front of the loop."""
        return self._with(above, f"{ahead} {self.text[self.start : self.end]}")

    def head(
        self,
        *,
        first: str | None = None,
        bound: str | None = None,
        step: str = "{i}++",
        condition: str = "",
    ) -> str:
        """The head of the loop with another start, bound or step; a further condition."""
        more = f" && {condition}" if condition else ""
        limit = self.bound if bound is None else bound
        return (
            f"for ({self.type}{self.index} = {self.first if first is None else first};"
            f" {self.index} {self.relation} {limit}{more}; {step})"
        ).replace("{i}", self.index)

    def rewritten(
        self, *, above: str = "", ahead: str = "", head: str | None = None, inside: str = ""
    ) -> str:
        """The source with the loop rewritten; `inside`: what its body begins with."""
        return self._with(above, f"{ahead} {head or self.head()} {{ {inside} {self.body} }}")

    def _with(self, above: str, loop: str) -> str:
        return (
            self.text[: self.top]
            + _SINK
            + above
            + self.text[self.top : self.start]
            + f"{{ {loop} }}"
            + self.text[self.end :]
        )


def _sites() -> list[Site]:
    """Loops of the samples, the test programs and, where POLYBENCH names it, of PolyBench/C."""
    found = [
        site
        for file in sorted([*ROOT.glob("samples/*/*.c"), *ROOT.glob("tests/programs/*.c")])
        for site in _sites_of(file, ())
    ]
    bench = Path(os.environ.get("POLYBENCH", "/nowhere"))
    for file in sorted(bench.glob("[dlms]*/**/*.c")):
        flags = (f"-I{bench / 'utilities'}", f"-I{file.parent}")
        found += [s for s in _sites_of(file, flags) if s.bound.startswith("_PB_")]
    return found


def _sites_of(file: Path, flags: tuple[str, ...]) -> Iterator[Site]:
    text = file.read_text()
    first = _FUNCTION.search(text)
    if first is None or "#include <mpi.h>" in text or "#pragma omp" in text:
        return
    for m in _LOOP.finditer(text):
        if m.start() > first.start() and not _is_constant(text, m["bound"]):
            end = _statement_end(text, m.end())
            kept = (m["type"] or "", m["index"], m["first"], m["relation"], m["bound"])
            place = (first.start(), m.start(), end)
            yield Site(file, text, *place, *kept, text[m.end() : end], flags)


def _is_constant(text: str, name: str) -> bool:
    """Is this a variable of the file that nobody sets again? What runs that often runs a constant
    number of times."""
    if not re.search(rf"(?m)^static [^;()]*\b{name} = \d+[,;]", text):
        return False
    written = re.findall(rf"\b{name}\s*(?:[-+*/]?=(?!=)|\+\+|--)|(?:\+\+|--|&)\s*{name}\b", text)
    return len(written) == 1


def _is_chosen(text: str, name: str) -> bool:
    """Is this the smaller or larger of two values? The loop may be a band of constant width, which
    runs a constant number of times whatever the edit says."""
    return re.search(rf"\b{name} = (?![^;]*\barg[cv]\b)[^;=]*\?", text) is not None


def _statement_end(text: str, at: int) -> int:
    """Behind the statement that begins at `at`."""
    depth = 0
    while True:
        c = text[at]
        if c in "({":
            depth += 1
        elif c in ")}":
            depth -= 1
            if depth == 0 and c == "}":
                rest = re.match(r"\s*else\b", text[at + 1 :])
                if not rest:
                    return at + 1
        elif c == ";" and depth == 0:
            return at + 1
        at += 1


def _loop(bound: str, body: str = "gate_sink++;", step: str = f"{_K}++", first: int = 0) -> str:
    return f"for (int {_K} = {first}; {_K} < {bound}; {step}) {{ {body} }}"


_SIZE = (
    f"static int gate_size(int n) {{ int c = 0; {_loop('n', 'c++; gate_sink++;')} return c; }}\n"
)
_ONE = "static int gate_down(int n) { gate_sink++; return n < 2 ? 1 : 1 + gate_down(n - 1); }\n"
_TWO = _ONE.replace("1 + gate_down(n - 1)", "gate_down(n - 1) + gate_down(n - 1)")
_MEMO = (
    "static int gate_memo[1 << 20];\nstatic int gate_f(int n) { if (n < 2) return n;"
    " if (gate_memo[n]) return gate_memo[n]; gate_sink++;"
    " return gate_memo[n] = gate_f(n - 1) + gate_f(n - 2); }\n"
)
_NO_MEMO = _MEMO.replace(" if (gate_memo[n]) return gate_memo[n];", "")
Pair = tuple[str, str]


def _call_into_loop(s: Site) -> Pair:
    inside = _loop(s.bound, f"gate_sink += gate_size({s.bound});")
    return s.written(
        _SIZE, f"int gate_n = gate_size({s.bound}); " + _loop(s.bound, "gate_sink += gate_n;")
    ), s.written(_SIZE, inside)


def _ahead(before: str, after: str, above: Pair = ("", "")) -> Callable[[Site], Pair]:
    """An edit of what is in front of the loop; B stands for the bound."""

    def edit(s: Site) -> Pair:
        return (
            s.written(above[0], before.replace("B", s.bound)),
            s.written(above[1], after.replace("B", s.bound)),
        )

    return edit


def _nest(s: Site) -> Pair:
    more = f"for (int gate_o = 0; gate_o < {s.bound}; gate_o++) {_loop(s.bound)}"
    return s.written("", _loop(s.bound)), s.written("", more)


# -- edits of a loop in place
def _band(s: Site) -> Pair:
    """Only the first few iterations before; all of them after."""
    few = f"({s.bound} < 3 ? {s.bound} : 3)"
    return s.rewritten(head=s.head(bound=few)), s.rewritten()


def _doubled_step(s: Site) -> Pair:
    return s.rewritten(head=s.head(first="1", step="{i} *= 2")), s.rewritten(head=s.head(first="1"))


def _constant_bound(s: Site) -> Pair:
    return s.rewritten(head=s.head(bound="8")), s.rewritten()


def _early_exit(s: Site) -> Pair:
    return s.rewritten(inside="if (gate_sink == 12345) break;"), s.rewritten()


def _inner_nest(s: Site) -> Pair:
    return s.rewritten(), s.rewritten(inside=_loop(s.bound))


def _call_inside(s: Site) -> Pair:
    ahead = f"int gate_n = gate_size({s.bound});"
    return (
        s.rewritten(above=_SIZE, ahead=ahead, inside="gate_sink += gate_n;"),
        s.rewritten(above=_SIZE, inside=f"gate_sink += gate_size({s.bound});"),
    )


def _strlen_inside(s: Site) -> Pair:
    above = "#include <string.h>\nstatic char gate_text[4096];\n"
    return (
        s.rewritten(
            above=above,
            ahead="int gate_n = (int)strlen(gate_text);",
            head=s.head(condition="{i} < gate_n"),
        ),
        s.rewritten(above=above, head=s.head(condition="{i} < (int)strlen(gate_text)")),
    )


_BAND = _loop("gate_r + 3").replace(f"{_K} = 0", f"{_K} = gate_r")
GROWTH: dict[str, Callable[[Site], Pair]] = {
    "call moved into the loop": _call_inside,
    "i *= 2 to i++": _doubled_step,
    "new nest inside": _inner_nest,
    "constant to parameter": _constant_bound,
    "early exit removed": _early_exit,
    "strlen in the condition": _strlen_inside,
    "few to all of a row": _band,
    "call moved, beside": _call_into_loop,
    "i *= 2 to i++, beside": _ahead(_loop("B", step=f"{_K} *= 2", first=1), _loop("B", first=1)),
    "new nest, beside": _nest,
    "constant bound, beside": _ahead(_loop("8"), _loop("B")),
    "memo removed": _ahead("gate_sink = gate_f(B);", "gate_sink = gate_f(B);", (_MEMO, _NO_MEMO)),
    "recursion doubled": _ahead(
        "gate_sink = gate_down(B);", "gate_sink = gate_down(B);", (_ONE, _TWO)
    ),
    "band to full row, beside": _ahead(
        f"for (int gate_r = 0; gate_r < B; gate_r++) {_BAND}",
        f"for (int gate_r = 0; gate_r < B; gate_r++) {_loop('B')}",
    ),
}


def _renamed(s: Site) -> Pair:
    word = re.compile(rf"(?<![\w.>]){s.index}\b")
    if not s.declares:
        return s.text, s.text
    loop = word.sub("gate_index", s.text[s.start : s.end])
    return s.text, s.text[: s.start] + loop + s.text[s.end :]


def _while(s: Site) -> Pair:
    """The loop as a while loop, where no `continue` jumps over the step."""
    if "continue" in s.body:
        return s.text, s.text
    start = f"{s.type}{s.index} = {s.first};"
    loop = f"{{ {start} while ({s.index} {s.relation} {s.bound}) {{ {s.body} {s.index}++; }} }}"
    return s.text, s.text[: s.start] + loop + s.text[s.end :]


def _extracted_bound(s: Site) -> Pair:
    """The bound, through a function."""
    return s.rewritten(), s.rewritten(
        above="static int gate_same(int n) { return n; }\n",
        head=s.head(bound=f"gate_same({s.bound})"),
    )


NEUTRAL: dict[str, Callable[[Site], Pair]] = {
    "rename": _renamed,
    "move": lambda s: (s.text, "\n\n/* moved */\n" + s.text),
    "reorder": _ahead(
        _loop("B") + _loop("9", "gate_sink--;"), _loop("9", "gate_sink--;") + _loop("B")
    ),
    "extract": _ahead(_loop("B"), "gate_size(B);", ("", _SIZE)),
    "extract the bound": _extracted_bound,
    "inline": _ahead("gate_size(B);", f"int c = 0; {_loop('B', 'c++; gate_sink++;')}", (_SIZE, "")),
    "for to while": _while,
    "interchange": _ahead(
        "for (int u = 0; u < B; u++) for (int v = 0; v < 50; v++) gate_sink++;",
        "for (int v = 0; v < 50; v++) for (int u = 0; u < B; u++) gate_sink++;",
    ),
    "comment": lambda s: (s.text, s.text.replace("{\n", "{ // a remark\n", 3)),
    "constant loop": lambda s: (
        s.rewritten(),
        s.rewritten(inside="for (int q = 0; q < 4; q++) gate_sink++;"),
    ),
}


def verdict(pair: Pair, name: str, flags: tuple[str, ...] = ()) -> str:
    """growth, undecided or silent; "no edit" where it is no C."""
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as folder:
        sides = []
        for side, text in zip(("old", "new"), pair, strict=True):
            root = Path(folder) / side
            root.mkdir()
            (root / name).write_text(text)
            sides.append(units(root, (name,), Options(flags)))
        try:
            kinds = {c.kind for c in compare_units(*sides)}
        except LooplawError:
            return _NO_EDIT
    return "growth" if "growth" in kinds else "undecided" if "undecided" in kinds else "silent"


@dataclass(frozen=True)
class Round:
    """Edits of one kind. bad: the verdict that is a mistake."""

    name: str
    edits: dict[str, Callable[[Site], Pair]]
    bad: str
    columns: tuple[str, ...] = ("growth", "undecided", "silent", _NO_EDIT)


ROUNDS = (Round("growth", GROWTH, "silent"), Round("neutral", NEUTRAL, "growth"))


def _play(
    this: Round, number: int, seed: int, done: list[dict[str, object]], deadline: float
) -> Iterator[dict[str, object]]:
    """The verdicts that are missing, one by one. What edit k is follows from the seed alone, so
    that a run continues where another one stopped."""
    sites, names = _sites(), list(this.edits)
    known = [row for row in done if row["round"] == this.name and row["seed"] == seed]
    k = len(known)
    good = sum(row["verdict"] != _NO_EDIT for row in known)
    while good < number and k < 3 * number and time.process_time() < deadline:
        name, site = names[k % len(names)], Random(f"{seed} {this.name} {k}").choice(sites)
        start = time.process_time()
        is_band = any(_is_chosen(site.text, end) for end in (site.first, site.bound))
        if is_band and this.name == "growth":
            found = _NO_EDIT
        else:
            found = verdict(this.edits[name](site), site.file.name, site.flags)
        line = site.text.count("\n", 0, site.start) + 1
        at = f"{site.file.name}:{line}"
        if found == this.bad or (this.bad != "silent" and found == "undecided"):
            print(f"  {found}: {name} at {at}", file=sys.stderr, flush=True)
        good += found != _NO_EDIT
        k += 1
        yield {
            "round": this.name,
            "seed": seed,
            "edit": name,
            "at": at,
            "verdict": found,
            "cpu_s": round(time.process_time() - start, 2),
        }


def _print(this: Round, rows: list[dict[str, object]]) -> bool:
    """The table of a round; was there a mistake?"""
    print(f"{this.name + ' edits':26}" + "".join(f"{c:>14}" for c in this.columns))
    total = Counter[str]()
    for name in this.edits:
        row = Counter(str(r["verdict"]) for r in rows if r["edit"] == name)
        total += row
        print(f"{name:26}" + "".join(f"{row[c]:14}" for c in this.columns))
    print(f"{'all':26}" + "".join(f"{total[c]:14}" for c in this.columns) + "\n")
    return bool(total[this.bad])


def main() -> None:
    """Print both tables; exit with 1 where growth passed silently or a neutral edit was flagged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--growth", type=int, default=104)
    parser.add_argument("--neutral", type=int, default=63)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="append each verdict here, and go on from there")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so much CPU")
    given = parser.parse_args()
    rows: list[dict[str, object]] = []
    if given.json is not None and given.json.exists():
        rows = [json.loads(line) for line in given.json.read_text().splitlines()]
        rows = [row for row in rows if row["seed"] == given.seed]
    for this, number in zip(ROUNDS, (given.growth, given.neutral), strict=True):
        for row in _play(this, number, given.seed, list(rows), given.seconds):
            rows.append(row)
            if given.json is not None:
                with given.json.open("a") as file:
                    print(json.dumps(row), file=file)
    wrong = [_print(this, [r for r in rows if r["round"] == this.name]) for this in ROUNDS]
    spent = sum(float(str(row["cpu_s"])) for row in rows)
    print(f"seed {given.seed}, {len(rows)} edits, {spent:.0f} CPU s")
    sys.exit(any(wrong))


if __name__ == "__main__":
    main()
