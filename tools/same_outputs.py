"""Record the command line's JSON outputs for fixed inputs, and compare two recordings.

    python tools/same_outputs.py record TREE OUT [--only analyze|fit|study] [--jobs 2]
    python tools/same_outputs.py compare BEFORE AFTER

`record` runs the looplaw of the checkout TREE on every sample, on every program of the tests and on
generated measurements, and keeps the JSON documents in OUT; what the clock decides (times, models
of times, verdicts on them) is left out of a study. `compare` prints each document that differs,
with the first places where it does, and exits with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
VOLATILE = {
    "elapsed_s",
    "cpu_s",
    "created",
    "environment",
    "time",
    "time_model",
    "time_models",
    "growth_ratio",
    "verdict",
    "verdict_reason",
    "obey",
    "stderr",
    "revision",
    "out",
    "seconds",
    "summary",
    "hot",
}
STUDIES = ("lu", "matmul", "slides", "trsv", "ep", "mergesort")
POINTS = {
    "ep": ("m=10,12,14", "p=1,2", "b=8"),
    "slides": ("n=64,1024", "p=1,2,4", "m=1000,10000"),
    "matmul": ("n=8,16,24", "m=8,16,24", "k=8,16"),
    "mergesort": ("n=500,1000,4096,5000",),
}
SHOWN = 3


class Question(NamedTuple):
    """One call of the command line; `words` without the JSON option."""

    name: str
    words: tuple[str, ...]


def programs() -> Iterator[Question]:
    """Every program of samples and tests, analysed."""
    for folder in ("samples", "tests/programs", "tests/oracle/programs"):
        for source in sorted((HERE / folder).rglob("*")):
            if source.suffix in {".c", ".cc", ".cpp", ".ll"} and source.parent.name != "pair":
                flags = (
                    ("--flag=-fopenmp",)
                    if "openmp" in source.parts and source.suffix == ".c"
                    else ()
                )
                relative = str(source.relative_to(HERE))
                yield Question(
                    "analyze-" + relative.replace("/", "-"), ("analyze", relative, *flags)
                )
    yield Question(
        "analyze-pair", ("analyze", "tests/programs/pair/a.c", "tests/programs/pair/b.c")
    )


def measurements(folder: Path) -> Iterator[Question]:
    """Generated series of known shapes, with the noise of a fixed seed."""
    laws = {
        "linear": lambda n: 3 + 2 * n,
        "square": lambda n: 1e-6 * n * n,
        "nlogn": lambda n: 5 * n * len(bin(n)),
        "constant": lambda n: 7.0,
        "root": lambda n: 100 * n**0.5,
        "two": lambda n: 1e-3 * n * n + 40 * n,
    }
    for noise in (0.0, 0.02, 0.2):
        for repetitions in (1, 5):
            draw = random.Random(f"{noise} {repetitions}")
            lines = [
                json.dumps(
                    {
                        "params": {"n": n},
                        "callpath": name,
                        "metric": "time",
                        "value": law(n) * (1 + noise * draw.uniform(-1, 1)),
                    }
                )
                for name, law in laws.items()
                for n in (64, 128, 256, 512, 1024, 2048)
                for _ in range(repetitions)
            ]
            file = folder / f"noise{noise}-{repetitions}.jsonl"
            file.write_text("\n".join(lines) + "\n")
            yield Question(f"fit-{file.stem}", ("fit", str(file)))
    draw = random.Random("two parameters")
    file = folder / "two.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "params": {"n": n, "p": p},
                    "callpath": "solve",
                    "metric": "time",
                    "value": (n * n / p + 10 * p) * (1 + 0.02 * draw.uniform(-1, 1)),
                }
            )
            + "\n"
            for n in (64, 128, 256, 512)
            for p in (1, 2, 4, 8)
        )
    )
    yield Question("fit-two", ("fit", str(file)))
    for method in ("exhaustive", "golden", "refinement"):
        yield Question(f"fit-two-{method}", ("fit", str(file), "--method", method))


def studies() -> Iterator[Question]:
    for name in STUDIES:
        vary = [
            word for values in POINTS.get(name, ("n=8,16,32,48",)) for word in ("--vary", values)
        ]
        source = f"samples/{name}/{name}.c"
        yield Question(f"study-{name}", ("study", source, *vary))


def kept(data: object) -> object:
    """The document without what the clock decides."""
    if isinstance(data, dict):
        return {k: kept(v) for k, v in data.items() if k not in VOLATILE}
    if isinstance(data, list):
        return [kept(v) for v in data]
    return data


def answer(question: Question, tree: Path, out: Path) -> str:
    """Ask, and keep the document; a failure keeps the message."""
    target = out / f"{question.name}.json"
    scratch = out / f"{question.name}.raw"
    words = [*question.words, "--json", str(scratch)]
    if question.words[0] == "study":
        words += ["--out", str(out / f"{question.name}.out")]
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", *words],
        cwd=tree,
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(tree)},
        timeout=600,
    )
    if scratch.exists():
        data = json.loads(scratch.read_text())
        scratch.unlink()
        target.write_text(
            json.dumps(kept(data) if question.words[0] == "study" else data, indent=1) + "\n"
        )
    else:
        target.write_text(
            json.dumps({"exit": done.returncode, "message": done.stderr.strip().splitlines()[-3:]})
            + "\n"
        )
    return f"{question.name}: {done.returncode}"


def record(tree: Path, out: Path, only: str | None, jobs: int) -> None:
    out.mkdir(parents=True, exist_ok=True)
    inputs = out.parent / "inputs"
    inputs.mkdir(exist_ok=True)
    asked = [
        q for q in [*programs(), *measurements(inputs), *studies()] if only in (None, q.words[0])
    ]
    with ThreadPoolExecutor(jobs) as pool:
        for done, line in enumerate(pool.map(lambda q: answer(q, tree, out), asked), 1):
            if not line.endswith(": 0"):
                print(f"[{done}/{len(asked)}] {line}", file=sys.stderr)


def differences(before: object, after: object, path: str = "") -> Iterator[str]:
    """Places at which two documents differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(k for k in after if k not in before)]:
            if key not in after or key not in before:
                yield f"{path}.{key}: only {'before' if key in before else 'after'}"
            else:
                yield from differences(before[key], after[key], f"{path}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif before != after:
        yield f"{path}: {json.dumps(before)[:150]} -> {json.dumps(after)[:150]}"


def compare(before: Path, after: Path) -> int:
    same = changed = 0
    for file in sorted(before.glob("*.json")):
        other = after / file.name
        if not other.exists():
            print(f"{file.stem}: missing after")
            changed += 1
            continue
        if file.read_bytes() == other.read_bytes():
            same += 1
            continue
        changed += 1
        found = list(differences(json.loads(file.read_text()), json.loads(other.read_text())))
        print(f"{file.stem}: {len(found)} differences")
        for line in found[:SHOWN]:
            print(f"    {line}")
    print(f"{same} documents equal byte by byte, {changed} differ")
    return 1 if changed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    recorder = verbs.add_parser("record")
    recorder.add_argument("tree", type=Path)
    recorder.add_argument("out", type=Path)
    recorder.add_argument("--only", choices=("analyze", "fit", "study"))
    recorder.add_argument("--jobs", type=int, default=2)
    comparer = verbs.add_parser("compare")
    comparer.add_argument("before", type=Path)
    comparer.add_argument("after", type=Path)
    words = parser.parse_args()
    if words.verb == "compare":
        return compare(words.before, words.after)
    record(words.tree.resolve(), words.out.resolve(), words.only, words.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
