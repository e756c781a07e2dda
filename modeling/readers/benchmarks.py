"""JSON of benchmark tools: Google Benchmark, pytest-benchmark, hyperfine.

Google Benchmark puts arguments into the benchmark's name (BM_Sort/1024/8, BM_Sort/n:1024); those
without a name become n, or arg1, arg2, ... Its aggregates and its own complexity estimates are left
out. pytest-benchmark and hyperfine have fields for parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from looplaw_common.errors import DataError

from ..data.checks import exact, exact_text, expect, label, load_json, measured
from ..data.observations import Fault, Number, Observation
from .reader import TextReader

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MACHINE = ("num_cpus", "mhz_per_cpu", "json_schema_version", "load_avg")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def read_google_benchmark(text: str, name: str) -> Iterator[Observation]:
    """real_time and cpu_time in seconds, of every repetition."""
    return _google(_document(text, name), name)


def read_pytest_benchmark(text: str, name: str) -> Iterator[Observation]:
    """Every timed round, or the mean where rounds were not saved."""
    return _pytest(_document(text, name), name)


def read_hyperfine(text: str, name: str) -> Iterator[Observation]:
    """Every run's wall time; the command is the call path, without the values of its parameters."""
    return _hyperfine(_document(text, name), name)


def google_context(text: str, name: str) -> Mapping[str, object]:
    """What the file says of the run: the context, to which --benchmark_context=n=64 adds."""
    context = _document(text, name).get("context")
    return (
        {k: v for k, v in context.items() if k not in _MACHINE} if isinstance(context, dict) else {}
    )


def is_google_benchmark(text: str) -> bool:
    """Does it have the tool's fields?"""
    return '"benchmarks"' in text and '"real_time"' in text


def is_pytest_benchmark(text: str) -> bool:
    """Does it have the tool's fields?"""
    return '"benchmarks"' in text and '"stats"' in text


def is_hyperfine(text: str) -> bool:
    """Does it have the tool's fields?"""
    return '"results"' in text and '"command"' in text


def _document(text: str, name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = expect(load_json(text, name), dict, "the document", name)
    return found


def _google(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    for k, row in enumerate(expect(data.get("benchmarks"), list, '"benchmarks"', name)):
        where = f"{name}: benchmark {k + 1}"
        row = expect(row, dict, "the benchmark", where)
        if row.get("run_type", "iteration") != "iteration" or row.get("error_occurred"):
            continue
        path, params = _arguments(str(row.get("run_name", row.get("name", ""))), where)
        unit = row.get("time_unit", "ns")
        if not isinstance(unit, str) or unit not in _SECONDS:
            raise DataError(f"{where}: time_unit {unit!r} is none of {', '.join(_SECONDS)}")
        again = row.get("repetition_index")
        repetition = None if again is None else label(again)
        for metric in ("real_time", "cpu_time"):
            if metric in row:
                value = measured(row[metric], metric, where)
                if not isinstance(value, Fault):
                    value = float(value) * _SECONDS[unit]
                yield Observation(params, path, metric, value, repetition=repetition, unit="s")


def _arguments(text: str, where: str) -> tuple[str, dict[str, Number]]:
    """Benchmark name without arguments, and the arguments."""
    path: list[str] = []
    numbers: list[tuple[str, Number]] = []
    for part in text.split("/"):
        named, _, value = part.rpartition(":")
        if named in ("repeats", "iterations", "min_time", "min_warmup_time") or part in (
            "real_time",
            "process_time",
            "manual_time",
        ):
            continue
        if _NUMBER.fullmatch(value):
            numbers.append((named, exact_text(value, "an argument", where)))
        else:
            path.append(part)
    if not path:
        raise DataError(f"{where}: the name {text[:60]!r} has no benchmark in it")
    unnamed = [k for k, (n, _) in enumerate(numbers) if not n]
    for count, k in enumerate(unnamed, 1):
        numbers[k] = ("n" if len(unnamed) == 1 else f"arg{count}", numbers[k][1])
    if len({n for n, _ in numbers}) < len(numbers):
        raise DataError(f"{where}: the name {text[:60]!r} has two arguments of one name")
    return "/".join(path), dict(sorted(numbers))


def _pytest(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    for k, row in enumerate(expect(data.get("benchmarks"), list, '"benchmarks"', name)):
        where = f"{name}: benchmark {k + 1}"
        row = expect(row, dict, "the benchmark", where)
        given = {
            **expect(row.get("params") or {}, dict, '"params"', where),
            **expect(row.get("extra_info") or {}, dict, '"extra_info"', where),
        }
        params = {
            str(n): exact(v, f"parameter {n}", where)
            for n, v in sorted(given.items())
            if _is_number(v)
        }
        path = str(row.get("fullname", row.get("name", "main"))).partition("[")[0]
        stats = expect(row.get("stats"), dict, '"stats"', where)
        values = stats.get("data") or [stats.get("mean")]
        for value in expect(values, list, '"data"', where):
            yield Observation(params, path, "time", measured(value, "a time", where), unit="s")


def _hyperfine(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    for k, row in enumerate(expect(data.get("results"), list, '"results"', name)):
        where = f"{name}: result {k + 1}"
        row = expect(row, dict, "the result", where)
        given = row.get("parameters") or {}
        if "parameter" in row:
            given = {"parameter": row["parameter"], **given}
        path = str(row.get("command", "main"))
        params: dict[str, Number] = {}
        for n, v in expect(given, dict, '"parameters"', where).items():
            if not _NUMBER.fullmatch(str(v)):
                continue
            params[str(n)] = exact_text(str(v), f"parameter {n}", where)
            path = " ".join(f"{{{n}}}" if word == str(v) else word for word in path.split(" "))
        for value in expect(row.get("times") or [row.get("mean")], list, '"times"', where):
            yield Observation(params, path, "time", measured(value, "a time", where), unit="s")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


READERS = (
    TextReader(
        "Google Benchmark",
        ".json",
        is_google_benchmark,
        read_google_benchmark,
        metadata=google_context,
    ),
    TextReader("pytest-benchmark", ".json", is_pytest_benchmark, read_pytest_benchmark),
    TextReader("hyperfine", ".json", is_hyperfine, read_hyperfine),
)
