"""JSON of benchmark tools: Google Benchmark, pytest-benchmark, CodSpeed, hyperfine.

Google Benchmark puts arguments into the benchmark's name (BM_Sort/1024/8, BM_Sort/n:1024); those
without a name become n, or arg1, arg2, ... Counters are metrics. Its aggregates, its own complexity
estimates, and the rates that follow from times are left out. pytest-benchmark and hyperfine have
fields for parameters. Parameters and labels that are no numbers tell series apart (see `keys`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from looplaw_common.errors import DataError

from ..data.checks import exact, expect, label, load_json, measured
from ..data.observations import Fault, Number, Observation
from .keys import Keys, labelled, number_in, say_dropped
from .names_with_arguments import split_name
from .reader import TextReader

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_CASE = re.compile(rf"(?:^|-)(?:({_NUMBER.pattern})(?=-|$)|([^-]+))")
_MACHINE = ("num_cpus", "mhz_per_cpu", "json_schema_version", "load_avg")
_LABEL = "label"
_GOOGLE = frozenset(
    f"""name run_name run_type family_index per_family_instance_index repetitions repetition_index
    threads iterations real_time cpu_time time_unit error_occurred error_message skipped
    skip_message aggregate_name aggregate_unit big_o rms cpu_coefficient real_coefficient
    bytes_per_second items_per_second {_LABEL}""".split()
)
"""Fields of a run that the tool itself writes; the others are counters, a metric each."""
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
    rows: list[tuple[str, str, dict[str, Number], Mapping[str, Any]]] = []
    given = expect(data.get("benchmarks"), list, '"benchmarks"', name)
    only_aggregates = not any(isinstance(r, dict) and _is_value(r, False) for r in given)
    for k, row in enumerate(given):
        where = f"{name}: benchmark {k + 1}"
        row = expect(row, dict, "the benchmark", where)
        if row.get("error_occurred") or not _is_value(row, only_aggregates):
            continue
        path, params = split_name(str(row.get("run_name", row.get("name", ""))), where)
        rows.append((where, path, params, row))
    labels: dict[str, list[dict[str, object]]] = {}
    for _, path, params, row in rows:
        labels.setdefault(path, []).append({**params, _LABEL: row.get(_LABEL)})
    keys = {path: Keys.of(of) for path, of in labels.items()}
    unread: list[str] = []
    for where, path, params, row in rows:
        unit = row.get("time_unit", "ns")
        if not isinstance(unit, str) or unit not in _SECONDS:
            raise DataError(f"{where}: time_unit {unit!r} is none of {', '.join(_SECONDS)}")
        again = row.get("repetition_index")
        repetition = None if again is None else label(again)
        named = keys[path].label(path, row) if _LABEL in keys[path].labels else path
        for metric in ("real_time", "cpu_time"):
            if metric in row:
                value = measured(row[metric], metric, where)
                if not isinstance(value, Fault):
                    value = float(value) * _SECONDS[unit]
                yield Observation(params, named, metric, value, repetition=repetition, unit="s")
        for counter, found in row.items():
            if counter in _GOOGLE:
                continue
            number = None if isinstance(found, str) else number_in(found)
            if number is None:
                unread.append(counter)
                continue
            yield Observation(params, named, str(counter), number, repetition=repetition)
    say_dropped(name, unread, "are no numbers")
    dropped = [f"{_LABEL} of {path}" for path, of in keys.items() if of.dropped]
    say_dropped(name, dropped, "differ in every run")


def _is_value(row: Mapping[str, Any], only_aggregates: bool) -> bool:
    """Is it one repetition or, in a file of aggregates only, a mean?"""
    if only_aggregates:
        return row.get("aggregate_name") == "mean"
    return bool(row.get("run_type", "iteration") == "iteration")


def _pytest(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    by_path: dict[str, list[tuple[str, Mapping[str, Any], dict[str, object], set[str]]]] = {}
    for k, row in enumerate(expect(data.get("benchmarks"), list, '"benchmarks"', name)):
        where = f"{name}: benchmark {k + 1}"
        row = expect(row, dict, "the benchmark", where)
        params = _serialized(expect(row.get("params") or {}, dict, '"params"', where), row)
        full = str(row.get("fullname") or row.get("uri") or row.get("name", "main"))
        if "params" not in row and "[" in full:  # CodSpeed's
            params = _case(full.removesuffix("]").partition("[")[2])
        extra = expect(row.get("extra_info") or {}, dict, '"extra_info"', where)
        for n, v in {**params, **extra}.items():
            if isinstance(v, float):
                exact(v, f"parameter {n}", where)  # neither infinite nor NaN
        path = full.partition("[")[0]
        by_path.setdefault(path, []).append((where, row, {**params, **extra}, set(params)))
    for path, rows in by_path.items():
        keys = Keys.of([given for _, _, given, _ in rows], set().union(*(own for *_, own in rows)))
        keys.warn(f"{name}: {path}")
        for where, row, given, _ in rows:
            stats = expect(row.get("stats"), dict, '"stats"', where)
            values = stats.get("data") or [stats.get("mean")]
            if "median_ns" in stats:  # CodSpeed's
                median = measured(stats["median_ns"], "a time", where)
                values = [median if isinstance(median, Fault) else 1e-9 * float(median)]
            point, named = dict(sorted(keys.point(given).items())), keys.label(path, given)
            for value in expect(values, list, '"data"', where):
                yield Observation(point, named, "time", measured(value, "a time", where), unit="s")


def _case(text: str) -> dict[str, object]:
    """The values of a test's case, which pytest joins by -: numbers are n, or arg1, arg2, ..., and
    words tell series apart, as in 100-quick, 1e-2 and -5."""
    parts = [m[1] or m[2] for m in _CASE.finditer(text)]
    if "-".join(parts) != text:
        return {"case": text}
    numbers = [part for part in parts if number_in(part) is not None]
    words = [part for part in parts if part not in numbers]
    names = ["n"] if len(numbers) == 1 else [f"arg{k}" for k in range(1, len(numbers) + 1)]
    found: dict[str, object] = {n: number_in(v) for n, v in zip(names, numbers, strict=True)}
    return found | ({"case": "-".join(words)} if words else {})


def _serialized(params: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, object]:
    """The parameters of a benchmark, those that pytest-benchmark could not write as the test's
    identifier names them."""
    parts = str(row.get("param") or "").split("-")
    aligned = len(parts) == len(params)
    return {
        str(n): (parts[k] if aligned else row.get("param") or v)
        if isinstance(v, str) and v.startswith("UNSERIALIZABLE")
        else v
        for k, (n, v) in enumerate(params.items())
    }


def _hyperfine(data: Mapping[str, Any], name: str) -> Iterator[Observation]:
    for k, row in enumerate(expect(data.get("results"), list, '"results"', name)):
        where = f"{name}: result {k + 1}"
        row = expect(row, dict, "the result", where)
        given = row.get("parameters") or {}
        if "parameter" in row:
            given = {"parameter": row["parameter"], **given}
        path = str(row.get("command", "main"))
        params: dict[str, Number] = {}
        labels: list[tuple[str, object]] = []
        for n, v in expect(given, dict, '"parameters"', where).items():
            number = number_in(v)
            if number is None:  # in the command already, but where it has a name of its own
                labels += [] if str(v) in path else [(str(n), v)]
                continue
            params[str(n)] = number
            path = " ".join(_without(word, str(n), str(v)) for word in path.split(" "))
        named = labelled(path, labels)
        for value in expect(row.get("times") or [row.get("mean")], list, '"times"', where):
            yield Observation(params, named, "time", measured(value, "a time", where), unit="s")


def _without(word: str, name: str, value: str) -> str:
    """A word of a command with the name of a parameter in place of its value: the word, or the one
    number in it that is the value, as in --size=64, -j64 and 64.xml."""
    if word == value:
        return f"{{{name}}}"
    found = list(re.finditer(rf"(?<![0-9.]){re.escape(value)}(?![0-9]|\.[0-9])", word))
    if len(found) != 1 or not _NUMBER.fullmatch(value):
        return word
    return f"{word[: found[0].start()]}{{{name}}}{word[found[0].end() :]}"


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
