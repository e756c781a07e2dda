"""A study as `looplaw study` would write it, made up: every kind of loop, two parameters, failed
runs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

from looplaw.documents.analysis import ANALYSIS, AnalysisDocument
from looplaw.documents.study import STUDY, StudyDocument
from looplaw_common.documents import convert

Json = dict[str, object]
Params = Mapping[str, int]

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> & {{data}} [red]x[/red] \u2028"
    " \x1b[31m | $x_1$ %"
)

SIZES = (64, 96, 128, 192, 256)
STEPS = (10, 20, 40)
VECTORS: tuple[dict[str, int], ...] = tuple({"n": n, "steps": s} for n in SIZES for s in STEPS)


def count(kind: str, formula: str | None = None, **more: object) -> Json:
    """A Count as in the contract."""
    bound = formula if kind == "exact" else None  # an exact count is its own bound
    return {
        "kind": kind,
        "formula": formula,
        "lower": bound,
        "upper": bound,
        "opaque": [],
        "assumptions": [],
        "reason": None,
        **more,
    }


def model(
    callpath: str,
    metric: str,
    constant: float,
    *terms: tuple[float, dict[str, tuple[str, str]]],
    sigma: float = 0.03,
    identifiable: bool = True,
    reason: str | None = None,
    rivals: tuple[str, ...] = (),
) -> Json:
    """A model with an interval, as looplaw-models/1 has it."""

    def text(exponents: dict[str, tuple[str, str]]) -> str:
        parts = []
        for name, (i, j) in exponents.items():
            parts += [name if i == "1" else f"{name}**({i})" if "/" in i else f"{name}**{i}"] * (
                i != "0"
            )
            parts += [f"log({name}, 2)" if j == "1" else f"log({name}, 2)**{j}"] * (j != "0")
        return "*".join(parts)

    pieces = [f"{constant:.10g}"] * bool(constant) + [f"{c:.10g}*{text(e)}" for c, e in terms]
    size = len(terms) + 1
    return {
        "callpath": callpath,
        "metric": metric,
        "constant": constant,
        "terms": [
            {"coefficient": c, "exponents": {n: list(ij) for n, ij in e.items()}} for c, e in terms
        ],
        "formula": " + ".join(pieces) or "0",
        "quality": {
            "smape": 100 * sigma,
            "adjusted_r2": 1 - sigma**2,
            "loo_smape": 130 * sigma,
            "points": 15,
        },
        "identifiable": identifiable,
        "reason": reason,
        "rivals": [{"formula": r, "smape": 110 * sigma} for r in rivals],
        "parameters": ["n", "steps"],
        "interval": {
            "positive": True,
            "reach": {"n": [VECTORS[-1]["n"], 0.7], "steps": [VECTORS[-1]["steps"], 0.7]},
            "alternatives": [
                {
                    "weight": 1.0,
                    "sigma": sigma,
                    "kappa": 0.3,
                    "constant": constant,
                    "terms": [
                        {"coefficient": c, "exponents": {n: list(ij) for n, ij in e.items()}}
                        for c, e in terms
                    ],
                    "root": [
                        [
                            0.3 * ([constant] + [c for c, _ in terms])[a] if a == b else 0.0
                            for b in range(size)
                        ]
                        for a in range(size)
                    ],
                    "before": None,
                }
            ],
        },
        "before": None,
        "notes": [],
        "law": None,
        "counted": None,
    }


def loop(
    at: str,
    function: str,
    total: Json,
    iterations: Callable[[Params], int],
    *,
    nesting: int = 1,
    parent: str | None = None,
    kernel: str | None = None,
    source: str = "",
    display: str | None = None,
    predicted: Callable[[Params], int] | None = None,
    bounds: Callable[[Params], tuple[int, int]] | None = None,
    time_model: Json | None = None,
    time: Callable[[Params], float] | None = None,
    iterations_model: Json | None = None,
    ratio: str | None = None,
    verdict: str = "unmeasured",
    reason: str = "",
    matrix: str | None = None,
    parameters: tuple[str, ...] = ("n",),
) -> Json:
    """A loop; what was counted and measured follows from the given functions."""
    noise = random.Random(at)
    counted = []
    for params in VECTORS:
        runs, expected = iterations(params), predicted(params) if predicted else None
        lower, upper = bounds(params) if bounds else (None, None)
        counted.append(
            {
                "params": dict(params),
                "iterations": runs,
                "entries": max(runs // max(params["n"], 1), 1),
                "predicted": expected,
                "lower": lower,
                "upper": upper,
                "equal": None if expected is None else expected == runs,
            }
        )
    wrong = any(c["equal"] is False for c in counted)
    obeys = "bounded" if bounds else "unchecked" if predicted is None else "no" if wrong else "yes"
    times = (
        None
        if time is None
        else [
            {
                "params": dict(p),
                "values": [time(p) * noise.lognormvariate(0, 0.03) for _ in range(3)],
            }
            for p in VECTORS
        ]
    )
    return {
        "at": at,
        "function": function,
        "nesting": nesting,
        "parent": parent,
        "parameters": list(parameters),
        "source": source,
        "total": total,
        "per_entry": total,
        "per_call": total,
        "display": display,
        "matrix": None if matrix is None else {"text": matrix},
        "counted": counted,
        "obeys": obeys,
        "iterations_model": iterations_model,
        "kernel": kernel or at,
        "time": times,
        "time_model": time_model,
        "growth_ratio": ratio,
        "verdict": verdict,
        "verdict_reason": reason,
    }


def _matmul() -> list[Json]:
    at = "kernels/matmul.c:10:3"
    return [
        loop(
            at,
            "matmul",
            count("exact", "n"),
            lambda p: p["n"],
            predicted=lambda p: p["n"],
            source="for (int i = 0; i < n; i++)",
            ratio="1",
            verdict="obeys",
            reason="time grows as n**3, as the law says",
            time=lambda p: 2e-5 + 1.3e-9 * p["n"] ** 3,
            matrix=(
                "x = (i, j, k, n)\n\ni = 0\nwhile (i < n) {\n  j = 0\n  while (j < n) {\n    x ="
                " L(t) x + p(t),  n(x0) = n\n    j = j + 1\n  }\n  i = i + 1\n}"
            ),
            time_model=model(
                at,
                "time",
                2.04e-5,
                (1.2987654e-9, {"n": ("3", "0")}),
                rivals=("1.9e-05 + 8.8e-10*n**3 + 1.1e-11*n**3*log(n, 2)",),
            ),
        ),
        loop(
            "kernels/matmul.c:11:5",
            "matmul",
            count("exact", "n**2"),
            lambda p: p["n"] ** 2,
            predicted=lambda p: p["n"] ** 2,
            nesting=2,
            parent=at,
            kernel=at,
            source="for (int j = 0; j < n; j++)",
            verdict="obeys",
            reason="counted as predicted at every vector",
        ),
        loop(
            "kernels/matmul.c:12:7",
            "matmul",
            count("exact", "n**3"),
            lambda p: p["n"] ** 3,
            predicted=lambda p: p["n"] ** 3,
            nesting=3,
            parent="kernels/matmul.c:11:5",
            kernel=at,
            source="for (int k = 0; k < n; k++)",
            verdict="obeys",
            reason="counted as predicted at every vector",
        ),
    ]


def _stencil() -> list[Json]:
    at = "kernels/stencil.c:21:3"
    formula = "Piecewise((steps*(n - 2)**2, n >= 2), (0, True))"

    def inner(p: Params) -> int:
        return p["steps"] * (p["n"] - 2) ** 2

    return [
        loop(
            at,
            "relax",
            count("exact", "steps"),
            lambda p: p["steps"],
            predicted=lambda p: p["steps"],
            parameters=("n", "steps"),
            source="for (int t = 0; t < steps; t++) {",
            ratio="n**(1/2)",
            verdict="exceeds",
            reason="time grows as n**(5/2)*steps, the law says n**2*steps",
            time=lambda p: 1e-6 + 6e-11 * p["n"] ** 2.5 * p["steps"],
            time_model=model(
                at, "time", 1.1e-6, (6.02e-11, {"n": ("5/2", "0"), "steps": ("1", "0")}), sigma=0.05
            ),
        ),
        loop(
            "kernels/stencil.c:22:5",
            "relax",
            count("exact", "steps*Max(0, n - 2)"),
            lambda p: p["steps"] * (p["n"] - 2),
            predicted=lambda p: p["steps"] * (p["n"] - 2),
            nesting=2,
            parent=at,
            kernel=at,
            display="steps*(n - 2)",
            parameters=("n", "steps"),
            verdict="obeys",
            source="for (int i = 1; i < n - 1; i++)",
            reason="counted as predicted at every vector",
        ),
        loop(
            "kernels/stencil.c:23:7",
            "relax",
            count("exact", formula, assumptions=["n and steps fit in int"]),
            inner,
            predicted=inner,
            nesting=3,
            parent="kernels/stencil.c:22:5",
            kernel=at,
            display="steps*(n - 2)**2",
            parameters=("n", "steps"),
            source="for (int j = 1; j < n - 1; j++)",
            verdict="obeys",
            reason="counted as predicted at every vector",
        ),
    ]


def _others() -> list[Json]:
    sort, csr, solve, tiny = (
        "sort.c:14:3",
        "sparse/csr.c:33:3",
        "sparse/solve.c:41:3",
        "util/popcount.c:5:3",
    )

    def swaps(p: Params) -> int:
        return p["n"] - 1 + p["n"] * (p["n"] - 1) // 5

    def sweeps(p: Params) -> int:
        return 3 * math.isqrt(p["n"])

    return [
        loop(
            sort,
            "insertion_sort",
            count("exact", "n - 1"),
            lambda p: p["n"] - 1,
            predicted=lambda p: p["n"] - 1,
            source="for (int i = 1; i < n; i++) {",
            verdict="not identifiable",
            reason="all times are below 20 µs",
            time=lambda p: 1e-6 + 1e-9 * p["n"] ** 2,
            time_model=model(
                sort,
                "time",
                0,
                (1.1e-9, {"n": ("2", "0")}),
                sigma=0.2,
                identifiable=False,
                reason="n**2 and n**(7/4)*log(n, 2) fit these points alike",
                rivals=("1.6e-09*n**(7/4)*log(n, 2)", "2.3e-09*n**(3/2)*log(n, 2)**2"),
            ),
        ),
        loop(
            "sort.c:16:5",
            "insertion_sort",
            count(
                "bounded",
                lower="0",
                upper="n*(n - 1)/2",
                reason="the test a[j - 1] > a[j] depends on data",
            ),
            swaps,
            bounds=lambda p: (0, p["n"] * (p["n"] - 1) // 2),
            nesting=2,
            parent=sort,
            kernel=sort,
            source="while (j > 0 && a[j - 1] > a[j]) {",
            verdict="modeled",
            reason="within its bounds at every vector",
            iterations_model=model(
                "sort.c:16:5", "iterations", 0, (0.2, {"n": ("2", "0")}), sigma=0.001
            ),
        ),
        loop(
            csr,
            "spmv",
            count("exact", "n"),
            lambda p: p["n"],
            predicted=lambda p: p["n"],
            ratio="1",
            verdict="obeys",
            source="for (int r = 0; r < n; r++)",
            reason="time grows as n, as the law says",
            time=lambda p: 5e-8 * p["n"],
            time_model=model(csr, "time", 0, (5.1e-8, {"n": ("1", "0")})),
        ),
        loop(
            "sparse/csr.c:34:5",
            "spmv",
            count(
                "parametric",
                "rowptr_n - rowptr_0",
                assumptions=["rowptr does not decrease"],
                opaque=[
                    {
                        "symbol": "rowptr_n",
                        "meaning": "value loaded from rowptr[n]",
                        "at": "sparse/csr.c:34:30",
                    },
                    {
                        "symbol": "rowptr_0",
                        "meaning": "value loaded from rowptr[0]",
                        "at": "sparse/csr.c:34:16",
                    },
                ],
                reason="the bounds are loaded from memory",
            ),
            lambda p: 5 * p["n"] - 4,
            nesting=2,
            parent=csr,
            kernel=csr,
            verdict="modeled",
            source="for (int k = rowptr[r]; k < rowptr[r + 1]; k++)",
            reason="no formula in parameters alone",
            iterations_model=model(
                "sparse/csr.c:34:5", "iterations", -4, (5.0, {"n": ("1", "0")}), sigma=1e-9
            ),
        ),
        loop(
            solve,
            "solve",
            count("unknown", reason="the loop ends when a floating point residual is small"),
            sweeps,
            source="while (residual > 1e-8) {",
            verdict="modeled",
            reason="no law: the residual decides",
            time=lambda p: 3e-8 * p["n"] ** 1.5,
            time_model=model(solve, "time", 0, (3e-8, {"n": ("3/2", "0")})),
            iterations_model=model(solve, "iterations", 0, (3.0, {"n": ("1/2", "0")}), sigma=0.02),
        ),
        loop(
            tiny,
            "log2_floor",
            count("exact", "floor(log(n, 2)) + 1"),
            lambda p: p["n"].bit_length(),
            predicted=lambda p: p["n"].bit_length(),
            source="while (n >>= 1) {",
            verdict="unmeasured",
            reason="faster than the clock resolves",
        ),
        loop(
            "util/strided.c:9:3",
            "gather",
            count("exact", "ceiling(n/4)*Min(n, 100)"),
            lambda p: -(-p["n"] // 4) * min(p["n"], 100),
            predicted=lambda p: -(-p["n"] // 4) * min(p["n"], 100),
            source="for (int i = 0; i < n; i += 4)",
            verdict="below",
            ratio="n**(-1/3)",
            parameters=("n",),
            reason="time grows as n**(2/3), the law says n",
            time=lambda p: 2e-7 * p["n"] ** (2 / 3),
            time_model=model("util/strided.c:9:3", "time", 0, (2e-7, {"n": ("2/3", "0")})),
        ),
    ]


def miscounted_loop() -> Json:
    """A loop that ran once too often at some vectors."""
    return loop(
        "wrong.c:7:3",
        "wrong",
        count("exact", "n/2"),
        lambda p: p["n"] // 2 + (p["n"] > 100),
        predicted=lambda p: p["n"] // 2,
        source="for (int i = 0; i <= n / 2; i++)",
        verdict="miscounted",
        reason="counted 65 where 64 were predicted, at n = 128, steps = 10",
    )


def hostile_loop() -> Json:
    """A loop each of whose texts tries to break out."""
    total = count(
        "unknown",
        reason=HOSTILE,
        assumptions=[HOSTILE],
        opaque=[{"symbol": "s", "meaning": HOSTILE, "at": HOSTILE}],
    )
    found = loop(
        f"{HOSTILE}.c:1:1",
        HOSTILE,
        total,
        lambda p: p["n"],
        source=HOSTILE,
        verdict="unmeasured",
        reason=HOSTILE,
        matrix=HOSTILE,
        time=lambda p: 1e-6 * p["n"],
        time_model=model(
            HOSTILE, "time", 0, (1e-6, {"n": ("1", "0")}), reason=HOSTILE, rivals=(HOSTILE,)
        ),
    )
    return found | {"display": HOSTILE}


def function(
    name: str,
    file: str,
    line: int,
    work: Json,
    depth: Json,
    efficiency: str | None = None,
    **operations: str,
) -> Json:
    return {
        "name": name,
        "file": file,
        "line": line,
        "parameters": ["n"],
        "work": work,
        "depth": depth,
        "efficiency": efficiency,
        "operations": {kind: count("exact", f) for kind, f in operations.items()},
    }


def example_study(*, copies: int = 1, miscounted: bool = False, hostile: bool = False) -> Json:
    """The study; `copies` repeats its 13 loops in numbered folders to make it large."""
    loops: list[Json] = []
    for k in range(copies):
        prefix = f"part{k}/" if k else ""
        for item in [*_matmul(), *_stencil(), *_others()]:
            places = {
                key: f"{prefix}{item[key]}"
                for key in ("at", "parent", "kernel")
                if item[key] is not None
            }
            loops.append(item | places)
    loops += [miscounted_loop()] * miscounted + [hostile_loop()] * hostile
    noise = random.Random(1)
    runs: list[Json] = [
        {
            "params": dict(p),
            "repetition": r,
            "status": "ok",
            "exit_code": 0,
            "reason": "",
            "elapsed_s": 0.004 + 1.5e-9 * p["n"] ** 3 * (1 + noise.random() / 9),
            "cpu_s": 0.004,
            "stderr": "",
        }
        for p in VECTORS
        for r in range(3)
    ]
    runs += [
        {
            "params": {"n": 256, "steps": 80},
            "repetition": 0,
            "status": "timeout",
            "exit_code": None,
            "cpu_s": 60.0,
            "reason": "no end after 60 s",
            "elapsed_s": 60.01,
            "stderr": "",
        },
        {
            "params": {"n": 384, "steps": 10},
            "repetition": 0,
            "status": "failed",
            "exit_code": -11,
            "cpu_s": 0.01,
            "reason": "ended by signal 11 (SIGSEGV)",
            "elapsed_s": 0.02,
            "stderr": HOSTILE if hostile else "relax: cannot allocate 384 x 384 grid\n",
        },
    ]
    functions = [
        function(
            "main",
            "main.c",
            12,
            count("exact", "n**3 + steps*(n - 2)**2 + n"),
            count("exact", "steps + 3"),
            flops="2*n**3 + 5*steps*(n - 2)**2",
            loads="2*n**3 + 5*steps*(n - 2)**2",
            stores="n**2",
            calls="6",
        ),
        function(
            "matmul",
            "kernels/matmul.c",
            8,
            count("exact", "n**3"),
            count("exact", "log(n, 2)"),
            "n**3/(p*ceiling(n**2/p)*n)",
            flops="2*n**3",
            loads="2*n**3",
            stores="n**2",
            calls="0",
        ),
        function(
            "insertion_sort",
            "sort.c",
            12,
            count("bounded", lower="0", upper="n*(n - 1)/2"),
            count("unknown", reason="carried over iterations by a[]"),
            loads="2*n",
            stores="n",
        ),
    ]
    exact = sum(item["total"]["kind"] == "exact" for item in loops)  # type: ignore[index]
    wrong = sum(item["verdict"] == "miscounted" for item in loops)
    return {
        "format": "looplaw-study/1",
        "title": HOSTILE if hostile else "kernels: matmul, stencil, sort and CSR",
        "about": (
            HOSTILE
            if hostile
            else "Five small kernels over the grid size n and the number of time steps."
        ),
        "program": ["main.c", "kernels/matmul.c", "kernels/stencil.c", "sort.c", "sparse/csr.c"],
        "created": "2026-02-03T04:05:06Z",
        "parameters": [
            {"name": "n", "origin": "argv[1]", "values": list(SIZES)},
            {"name": "steps", "origin": "argv[2]", "values": list(STEPS)},
        ],
        "environment": {
            "host": "bench",
            "cpu": "Some CPU @ 3.0 GHz",
            "cores": 2,
            "os": "Linux 6.1",
            "python": "3.11.7",
            "compiler": "clang 22.1.8 (zig)",
            "flags": "-O3",
            "looplaw": "0.1.0",
            "revision": None,
        },
        "runs": runs,
        "loops": loops,
        "functions": functions,
        "summary": {
            "loops": len(loops),
            "exact": exact,
            "obey": sum(item["obeys"] == "yes" for item in loops),
            "miscounted": wrong,
            "failed_runs": 2,
            "runs": len(runs),
            "exit": int(wrong > 0),
        },
    }


def typed(data: Mapping[str, object] | StudyDocument) -> StudyDocument:
    """The study as it is after reading."""
    if isinstance(data, StudyDocument):
        return data
    return convert(data, StudyDocument, "study", STUDY)


def typed_analysis(data: Mapping[str, object]) -> AnalysisDocument:
    """The analysis as it is after reading."""
    return convert({"format": ANALYSIS, **data}, AnalysisDocument, "analysis", ANALYSIS)
