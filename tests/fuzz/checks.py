"""`make fuzz-checks`: random laws of random small functions, held by `check` and by brute force.

A function has one or two integer parameters of narrow and wide types; its loops step, wrap, leave
by several exits and take steps that depend on a case. Its laws bound the work. A native twin counts
every value that the parameters can have, or a box of small ones. What `check` says has to be true
of all of them: "holds" everywhere, "holds where" under its conditions, and what "broken" names as a
counterexample breaks the law. Prints how often each was said. Exit code 1 if something was false.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from looplaw.gate.stated import hold_stated
from looplaw.gate.versions import Options, Unit
from modeling.expectations.expectations import Finding, Law
from modeling.pmnf.assumed_formula import condition
from staticana.frontend.clang import usable_compilers

BATCH = 25
_LAWS = 10
"""Laws of one function."""
_CAP = 60_000
"""Steps after which a call is given up: its count is unknown, and larger than this."""
_TYPES = {
    "unsigned char": (0, 255),
    "signed char": (-128, 127),
    "unsigned short": (0, 65535),
    "short": (-32768, 32767),
    "unsigned": (0, 2**32 - 1),
    "int": (-(2**31), 2**31 - 1),
}
_VALUE = re.compile(r"(\w+)=(-?\d+)")
_COUNTEREXAMPLE = re.compile(r"is (-?\d+) at (.*?), not ")


@dataclass(frozen=True)
class Drawn:
    """A function: its parameters with their types, its body, laws of its work and what is stated of
    its parameters."""

    name: str
    types: tuple[tuple[str, str], ...]
    body: tuple[str, ...]
    laws: tuple[str, ...]
    stated: str | None

    def text(self, *, twin: bool) -> str:
        """The function as `check` reads it, or as it counts."""
        comments = [f"// looplaw: work {law}" for law in self.laws]
        comments += [f"// looplaw: {self.stated}"] if self.stated else []
        tick = "if (++steps > cap) return;" if twin else "steps++;"
        turn = "if (++turns > cap) { steps = cap + 1; return; }" if twin else ""
        lines = (line.replace("TICK", tick).replace("TURN", turn) for line in self.body)
        body = "\n  ".join(lines)
        arguments = ", ".join(f"{kind} {name}" for name, kind in self.types)
        return "\n".join([*comments, f"void {self.name}({arguments}) {{\n  {body}\n}}"])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.types)

    def points(self) -> Iterator[tuple[int, ...]]:
        """All values of a type of eight bits, else a box of small ones and some larger."""
        sides = []
        for _, kind in self.types:
            low, high = _TYPES[kind]
            if len(self.types) == 1:
                top, bottom = min(high, 400), max(low, -130)
                more = [v for v in (999, 1023, 1024, 4096, 32767) if v <= high]
            else:
                top, bottom, more = (
                    min(high, 30),
                    max(low, -4),
                    [v for v in (127, 255) if v <= high],
                )
            sides.append([*range(bottom, top + 1), *(v for v in more if v > top)])
        return itertools.product(*sides)


def draw(chance: Random, name: str) -> Drawn:
    """One function."""
    names = ("n",) if chance.random() < 0.6 else ("n", "m")
    types = tuple((n, chance.choice(list(_TYPES))) for n in names)
    body = chance.choice(
        (_counting, _counting, _falling, _multiplied, _wrapping, _leaving, _cases)
    )(chance, names)
    laws = tuple(_law(chance, names) for _ in range(_LAWS))
    stated = chance.choice((None, None, "n >= 1", "n >= 2", "1 <= n <= 100", "n <= 63"))
    return Drawn(name, types, tuple(body), laws, stated)


def _kind(chance: Random) -> str:
    return chance.choice(list(_TYPES))


def _end(chance: Random, names: Sequence[str]) -> str:
    name = chance.choice(names)
    return chance.choice(
        (name, name, f"{name} - 1", f"{name} + 2", f"2 * {name}", f"{name} - 1u", "17")
    )


def _counting(chance: Random, names: Sequence[str]) -> list[str]:
    compare, step = chance.choice(("<", "<", "<=", "!=")), chance.choice(("1", "1", "2", "3", "m"))
    step = step if step in names or step.isdigit() else "1"
    first, end = chance.choice(("0", "0", "1", "5", names[-1])), _end(chance, names)
    head = f"for ({_kind(chance)} i = {first}; i {compare} {end}; i += {step}) {{"
    if chance.random() < 0.25:
        return [
            f"{head} TURN",
            f"  for ({_kind(chance)} j = 0; j < {_end(chance, names)}; j++) {{ TICK }}",
            "}",
        ]
    return [head, "  TICK", "}"]


def _falling(chance: Random, names: Sequence[str]) -> list[str]:
    compare, least = chance.choice((">", ">=", "!=")), chance.choice(("0", "1", "3"))
    step = chance.choice(("1", "2", "3", "4"))
    name = chance.choice(names)
    return [f"for ({_kind(chance)} i = {name}; i {compare} {least}; i -= {step}) {{", "  TICK", "}"]


def _multiplied(chance: Random, names: Sequence[str]) -> list[str]:
    name, kind = chance.choice(names), _kind(chance)
    if chance.random() < 0.5:
        factor = chance.choice((2, 3, 4))
        return [f"for ({kind} i = 1; i < {name}; i *= {factor}) {{", "  TICK", "}"]
    change = chance.choice((">>= 1", "/= 2", "/= 3"))
    return [f"for ({kind} i = {name}; i > 0; i {change}) {{", "  TICK", "}"]


def _wrapping(chance: Random, names: Sequence[str]) -> list[str]:
    name, narrow = chance.choice(names), chance.choice(("unsigned char", "unsigned short"))
    factor, change = chance.choice((2, 3, 16, 52, 64)), chance.choice(("--", "++"))
    return [f"while (({narrow})({name} * {factor}) != 0) {{", f"  {name}{change};", "  TICK", "}"]


def _leaving(chance: Random, names: Sequence[str]) -> list[str]:
    limit = chance.choice((*names, "20", "7"))
    compare = chance.choice(("==", ">=", ">"))
    end = _end(chance, names)
    return [f"for ({_kind(chance)} i = 0; i < {end}; i++) {{", "  TICK",
            f"  if (i {compare} {limit}) break;", "}"]  # fmt: skip


def _cases(chance: Random, names: Sequence[str]) -> list[str]:
    first, last = names[0], names[-1]
    mark = chance.choice((1, 2, 10))
    up, down = chance.choice(("1", "2")), chance.choice(("1", "2"))
    if len(names) == 2 and chance.random() < 0.5:
        return [f"int i = {first};", "while (i > 0 && i < 40) {",
                f"  if ({last} == {mark}) i -= {down}; else i += {up};", "  TICK", "}"]  # fmt: skip
    return [f"int step = {first} > {mark} ? {up} : {down};",
            f"for ({_kind(chance)} i = 0; i < {last}; i += step) {{", "  TICK", "}"]  # fmt: skip


def _law(chance: Random, names: Sequence[str]) -> str:
    name = chance.choice(names)
    both = "*".join(names)
    bound = chance.choice(
        (
            name,
            name,
            f"{name} + 1",
            f"{name} - 1",
            f"Max(0, {name})",
            f"floor({name}/2)",
            f"ceiling({name}/3)",
            f"{name}/3 + 1",
            f"{both} + 2",
            f"2*{name}",
            f"{name}**2 + 3",
            "20",
            "63",
            "128",
            "255",
            "1000",
            f"log2({name} + 300)",
        )
    )
    return f"{chance.choice(('<=', '<=', '<=', '>=', '=='))} {bound}"


@dataclass
class Tally:
    """What was said, and what of it is false."""

    said: Counter[str]
    false: list[str]


def run(number: int, seed: int) -> Tally:
    """Try so many laws."""
    tally = Tally(Counter(), [])
    functions = -(-number // _LAWS)
    for first in range(0, functions, BATCH):
        numbers = range(first, min(first + BATCH, functions))
        _batch([draw(Random(f"{seed} {k}"), f"f{k}") for k in numbers], tally)
        print(f"{numbers.stop} functions: {dict(tally.said)}", file=sys.stderr, flush=True)
    return tally


def _batch(drawn: Sequence[Drawn], tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "laws.c"
        source.write_text("static volatile unsigned long steps;\n\n" + _texts(drawn, twin=False))
        unit = Unit("laws.c", source.parent, (source,), Options())
        found = hold_stated([unit])
        truth = _Truth(drawn, Path(folder))
        for f in drawn:
            counts = {at: truth.count(f, at) for at in _stated_points(f)}
            for finding in found:
                if finding.kernel == f.name and finding.law.metric == "work":
                    said = _judged(f, finding, counts, truth)
                    tally.said[finding.status] += 1
                    if said:
                        law = f"work {finding.law.text}"
                        tally.false.append(
                            f"{said}\n  {law}: {finding.reason}\n{f.text(twin=False)}"
                        )


def _texts(drawn: Sequence[Drawn], *, twin: bool) -> str:
    return "\n\n".join(f.text(twin=twin) for f in drawn) + "\n"


def _stated_points(f: Drawn) -> Iterator[tuple[int, ...]]:
    relations = condition(f.stated) if f.stated else ()
    for at in f.points():
        values = dict(zip(f.names, at, strict=True))
        if all(r.holds(values) for r in relations):
            yield at


class _Truth:
    """The functions of a batch, compiled to count."""

    def __init__(self, drawn: Sequence[Drawn], folder: Path) -> None:
        twin, built = folder / "twin.c", folder / "twin.so"
        head = f"static volatile unsigned long steps, turns;\nstatic const long cap = {_CAP};\n"
        calls = "".join(_call(f) for f in drawn)
        twin.write_text(head + _texts(drawn, twin=True) + calls)
        command = [*usable_compilers()[0].command, "-O1", "-fwrapv", "-w", "-shared", "-fPIC"]
        subprocess.run([*command, str(twin), "-o", str(built)], check=True)
        self._library = ctypes.CDLL(str(built))

    def count(self, f: Drawn, at: Sequence[int]) -> int:
        """The steps of a call; more than the cap where it was given up."""
        call = self._library[f"count_{f.name}"]
        call.restype, call.argtypes = ctypes.c_ulong, [ctypes.c_longlong] * len(f.types)
        return int(call(*at))


def _call(f: Drawn) -> str:
    arguments = ", ".join(f"long long {name}" for name in f.names)
    call = f"{f.name}({', '.join(f.names)})"
    return (
        f"unsigned long count_{f.name}({arguments}) {{"
        f" steps = turns = 0; {call}; return steps; }}\n"
    )


def _judged(
    f: Drawn, finding: Finding, counts: dict[tuple[int, ...], int], truth: _Truth
) -> str | None:
    """What is false of a finding; None where nothing is."""
    law = finding.law
    if finding.status == "broken":
        match = _COUNTEREXAMPLE.search(finding.reason)
        if match is None:
            return "FALSE broken: it names no counterexample"
        values = {k: int(v) for k, v in _VALUE.findall(match[2])}
        at = tuple(values.get(n, 2) for n in f.names)  # of others it does not matter
        if any(
            not _TYPES[kind][0] <= v <= _TYPES[kind][1]
            for v, (_, kind) in zip(at, f.types, strict=True)
        ):
            return f"FALSE broken: no value of its type: {values}"
        values = dict(zip(f.names, at, strict=True))
        if f.stated and not all(r.holds(values) for r in condition(f.stated)):
            return f"FALSE broken: outside of what is stated: {values}"
        count = truth.count(f, at)
        return f"FALSE broken: {count} at {values}" if _is_kept(law, count, values) else None
    if finding.status not in ("holds", "holds where"):
        return None
    where = [r for text in finding.where for r in condition(text)]
    for at, count in counts.items():
        values = dict(zip(f.names, at, strict=True))
        if all(r.holds(values) for r in where) and _is_kept(law, count, values) is False:
            return f"FALSE {finding.status}: {count} at {values}, not {law.text}"
    return None


def _is_kept(law: Law, count: int, values: dict[str, int]) -> bool | None:
    """Does a count keep a law? None: the call was given up before it was as large as its bound."""
    limit = law.formula.evaluate(values)
    if count > _CAP and limit > _CAP:
        return None
    return {"<=": count <= limit, ">=": count >= limit, "==": count == limit}[law.relation]


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="make fuzz-checks", description=__doc__)
    options.add_argument("--number", type=int, default=2000, help="laws to try")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args(arguments)
    tally = run(given.number, given.seed)
    print("\n\n".join(tally.false), end="\n\n" if tally.false else "")
    false = Counter(text.partition(":")[0] for text in tally.false)
    said = ", ".join(f"{n} {status}" for status, n in sorted(tally.said.items()))
    print(f"{tally.said.total()} laws: {said}")
    print(f"false: {false.total()}" + "".join(f", {n} {w[6:]}" for w, n in sorted(false.items())))
    return 1 if tally.false else 0


if __name__ == "__main__":
    sys.exit(main())
