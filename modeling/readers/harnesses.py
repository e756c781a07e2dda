"""Results of harnesses in other languages: Go's benchmarks, JMH's JSON, asv, criterion's estimates,
github-action-benchmark's data.js, Google Benchmark's CSV and console, cargo bench's console.

Arguments stand in the names of benchmarks (see `names_with_arguments`), or have fields of their
own. Tables of harnesses (BenchmarkDotNet, nanobench, llama-bench, critcmp, OSU) are read as tables.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from looplaw_common.errors import DataError

from ..data.checks import expect, load_json, measured, measured_text
from ..data.observations import Number, Observation
from .keys import labelled, number_in
from .names_with_arguments import split_name
from .reader import TextReader
from .tables.cells import unit_said

_GO = re.compile(r"(Benchmark\S*?)(-\d+)?\s+(\d+)\s+([0-9].*\S)")
_RUNNING = re.compile(r"^[ \t]*Running (\S+)", re.MULTILINE)
_ATTACHED = re.compile(r"(.*[A-Za-z])_(\d{2,})")
_NUMBERED = re.compile(r"([^/=]*[A-Za-z_])(\d+)")
_GO_LINE = re.compile(r"^Benchmark\S*\s+\d+\s+[\d.]+(?:e[-+]?\d+)? \S+", re.MULTILINE)
_CONSOLE = re.compile(
    r"^[ \t]*(?:test )?(?P<name>\S+) +(?:\.\.\. bench: +(?P<ns>[\d,.]+) ns/iter"
    r"|(?P<time>[\d.]+) (?P<unit>ns|us|ms|s) +(?P<cpu>[\d.]+) (?P=unit) +\d+\b)",
    re.MULTILINE,
)
"""A line that cargo bench prints, or Google Benchmark."""
_ESTIMATE = re.compile(
    r"^(?P<name>\S.{0,200}?)?[ \t]{0,80}\btime:? +"
    r"(?:\[[\d.]+ \S+ (?P<value>[\d.]+) (?P<unit>\S*s) [\d.]+ \S*s\]"
    r"|(?P<mean>[\d.]+) (?P<of>\S*s) +\([\d.]+ \S*s \.\. )",
    re.MULTILINE,
)
"""What criterion prints, of Rust and of Haskell: an estimate with the ends of its interval."""
_ASSIGNED = re.compile(r"(?:^|\s+)([A-Za-z_]\w*=[-+]?[\d.]+(?:[eE][-+]?\d+)?)(?=\s|/|$)")
"""A parameter and its value in a name, which may be all of it."""
_TITLE = re.compile(r"^(?:benchmarking )?(\S.{0,200})$", re.MULTILINE)
_GO_METRICS = {
    "ns/op": ("time", "ns"),
    "B/op": ("bytes", "bytes"),
    "allocs/op": ("allocations", ""),
}
_DATA_JS = re.compile(r"\s*window\.BENCHMARK_DATA\s*=\s*")


def read_go(text: str, name: str) -> Iterator[Observation]:
    """The lines of `go test -bench`; the number of processors behind a name is p where several
    were tried (`-cpu 1,2,4`)."""
    rows = [
        (k, m) for k, line in enumerate(text.split("\n"), 1) if (m := _GO.fullmatch(line.strip()))
    ]
    several = len({m[2] for _, m in rows}) > 1
    stems = Counter(s[1] for _, m in rows if (s := _NUMBERED.fullmatch(m[1])))
    for k, m in rows:
        where = f"{name}:{k}"
        title = m[1].removeprefix("Benchmark") or m[1]
        if (stem := _NUMBERED.fullmatch(m[1])) and stems[stem[1]] > 2:  # Fib10, Fib20, Fib30
            title = f"{stem[1].removeprefix('Benchmark')}/{stem[2]}"
        path, params = split_name(title, where, joined=True)
        if several:
            params = {**params, "p": int((m[2] or "-1")[1:])}
        words = m[4].split()
        for value, unit in zip(words[::2], words[1::2], strict=False):
            metric, known = _GO_METRICS.get(unit, (unit, unit_said(unit)))
            yield Observation(
                params, path, metric, measured_text(value, metric, where), line=k, unit=known
            )


def read_console(text: str, name: str) -> Iterator[Observation]:
    """The lines that Google Benchmark and cargo bench print, with other lines between them; where
    several programs ran, which one tells series apart."""
    rows = list(_CONSOLE.finditer(text))
    sizes: dict[str, set[int]] = {}
    for m in rows:
        if s := _ATTACHED.fullmatch(m["name"]):
            sizes.setdefault(s[1], set()).add(int(s[2]))
    # lorem_100, lorem_200, lorem_400, but not issue_1001 and issue_1044
    swept = {stem for stem, of in sizes.items() if len(of) > 2 and max(of) >= 2 * min(of)}
    programs = [(m.start(), m[1].rpartition("/")[2]) for m in _RUNNING.finditer(text)]
    several = len({program for _, program in programs}) > 1
    line, seen = 1, 0
    for m in rows:
        line, seen = line + text.count("\n", seen, m.start()), m.start()
        where = f"{name}:{line}"
        path, params = split_name(m["name"].replace("::", "/"), where, joined=True)
        if not params and (stem := _ATTACHED.fullmatch(m["name"])) and stem[1] in swept:
            path, params = stem[1], {"n": int(stem[2])}
        if several:
            ran = next((p for start, p in reversed(programs) if start < m.start()), "")
            path = labelled(path, [("program", ran)])
        if m["ns"]:
            value = measured_text(m["ns"].replace(",", ""), "time", where)
            yield Observation(params, path, "time", value, line=line, unit="ns")
            continue
        for metric, part in (("time", "time"), ("cpu_time", "cpu")):
            value = measured_text(m[part], metric, where)
            yield Observation(params, path, metric, value, line=line, unit=m["unit"])


def read_estimates(text: str, name: str) -> Iterator[Observation]:
    """The lines that criterion prints: the estimate between the ends of its interval. A long name
    stands in the line above."""
    title, line, seen = "", 1, 0
    for m in _ESTIMATE.finditer(text):
        for above in _TITLE.finditer(text, seen, m.start()):
            title = above[1]
        line, seen = line + text.count("\n", seen, m.start()), m.end()
        where = f"{name}:{line}"
        said = re.sub(r"\s+(?=[\d.]+$)", "/", (m["name"] or title).strip())
        said = _ASSIGNED.sub(lambda a: f"/{a[1]}", said)
        said = f"main{said}" if said.startswith("/") else said
        path, params = split_name(said, where, joined=True)
        value = measured_text(m["value"] or m["mean"], "time", where)
        unit = unit_said(m["unit"] or m["of"])
        yield Observation(params, path, "time", value, line=line, unit=unit)


def read_jmh(text: str, name: str) -> Iterator[Observation]:
    """The single scores of each benchmark, or their mean."""
    for k, row in enumerate(expect(load_json(text, name), list, "the document", name)):
        where = f"{name}: benchmark {k + 1}"
        row = expect(row, dict, "the benchmark", where)
        result = expect(row.get("primaryMetric"), dict, '"primaryMetric"', where)
        params, labels = _parted(expect(row.get("params") or {}, dict, '"params"', where))
        unit = str(result.get("scoreUnit", ""))
        is_rate = unit.startswith("ops/")
        path = labelled(str(row.get("benchmark", "main")), labels)
        raw = result.get("rawData")
        values = (
            [v for fork in raw if isinstance(fork, list) for v in fork]
            if isinstance(raw, list)
            else []
        )
        metric = "throughput" if is_rate else "time"
        for value in values or [result.get("score")]:
            yield Observation(
                params, path, metric, measured(value, metric, where), unit=unit_said(unit)
            )


def _parted(given: Mapping[str, Any]) -> tuple[dict[str, Number], list[tuple[str, object]]]:
    """Numbers, which are parameters, and words, which are labels."""
    params: dict[str, Number] = {}
    labels: list[tuple[str, object]] = []
    for n, v in sorted(given.items()):
        number = number_in(v)
        if number is None:
            labels.append((str(n), str(v).strip("'\"")))
        else:
            params[str(n)] = number
    return params, labels


def read_asv(text: str, name: str) -> Iterator[Observation]:
    """The results of one commit; asv names no parameters of its own in them, so they are param1,
    param2, ... where its list of benchmarks does not stand in the file."""
    data = expect(load_json(text, name), dict, "the document", name)
    columns = expect(data.get("result_columns") or ["result", "params"], list, "columns", name)
    for path, row in expect(data.get("results"), dict, '"results"', name).items():
        where = f"{name}: {path}"
        cells = row if isinstance(row, dict) else expect(row, list, "the result", where)
        found = (
            cells if isinstance(cells, dict) else dict(zip(map(str, columns), cells, strict=False))
        )
        values = expect(found.get("result"), list, '"result"', where)
        axes = expect(found.get("params") or [], list, '"params"', where)
        sizes = [len(expect(axis, list, "a parameter", where)) for axis in axes]
        if prod(sizes) > len(values):
            raise DataError(f"{where}: {len(values)} results for {prod(sizes)} points")
        grid = list(product(*axes))
        metric, unit = _ASV.get(str(path).rpartition(".")[2].partition("_")[0], ("value", ""))
        for point, value in zip(grid or [()], values, strict=False):
            params, labels = _parted({f"param{k + 1}": v for k, v in enumerate(point)})
            if value is not None:
                yield Observation(
                    params,
                    labelled(str(path), labels),
                    metric,
                    measured(value, metric, where),
                    unit=unit,
                )


_ASV = {
    "time": ("time", "s"),
    "timeraw": ("time", "s"),
    "mem": ("memory", "bytes"),
    "peakmem": ("memory", "bytes"),
    "track": ("value", ""),
}


def read_data_js(text: str, name: str) -> Iterator[Observation]:
    """The last results of each suite of github-action-benchmark."""
    body = _DATA_JS.sub("", text, count=1).strip().rstrip(";")
    data = expect(load_json(body, name), dict, "the document", name)
    for suite, runs in expect(data.get("entries"), dict, '"entries"', name).items():
        where = f"{name}: {suite}"
        last = (expect(runs, list, "a suite", where) or [{}])[-1]
        benches = expect(last, dict, "a run", where).get("benches", [])
        for row in expect(benches, list, '"benches"', where):
            row = expect(row, dict, "a result", where)
            path, params = split_name(str(row.get("name", suite)), where)
            unit = unit_said(str(row.get("unit", "")))
            value = measured(row.get("value"), "a value", where)
            yield Observation(params, path, "time" if unit in _TIMES else "value", value, unit=unit)


_TIMES = ("ns", "us", "ms", "s")


def read_google_csv(text: str, name: str) -> Iterator[Observation]:
    """`--benchmark_format=csv`: real and CPU time in seconds, and the counters; of aggregates the
    mean, where there is nothing else."""
    lines = text.split("\n")
    first = next(k for k, line in enumerate(lines) if line.startswith("name,iterations,"))
    rows = csv.DictReader(lines[first:], strict=True)
    try:
        found = [(first + rows.line_num, row) for row in rows]
    except csv.Error as error:
        raise DataError(f"{name}:{first + rows.line_num}: not CSV: {error}") from None
    single = [x for x in found if not _AGGREGATE.search(x[1].get("name") or "")]
    means = [x for x in found if str(x[1].get("name")).endswith("_mean")]
    for line, row in single or means:
        where = f"{name}:{line}"
        if (row.get("error_occurred") or "").lower() == "true":
            continue
        path, params = split_name((row.get("name") or "").removesuffix("_mean"), where)
        path = labelled(path, [("label", row["label"])] if row.get("label") else [])
        for metric in (
            "real_time",
            "cpu_time",
            *(c for c in row if c and c.strip('"') not in _OWN),
        ):
            cell = (row.get(metric) or "").strip()
            unit = (row.get("time_unit") or "ns") if metric.endswith("_time") else ""
            if cell:
                value = measured_text(cell, metric, where)
                yield Observation(params, path, metric.strip('"'), value, line=line, unit=unit)


_OWN = frozenset(
    """name iterations real_time cpu_time time_unit bytes_per_second items_per_second label
    error_occurred error_message""".split()
)
_AGGREGATE = re.compile(r"_(?:mean|median|stddev|cv|min|max|BigO|RMS)$")


def read_criterion(text: str, name: str) -> Iterator[Observation]:
    """criterion's messages (`cargo criterion --message-format=json`): the mean of each."""
    for k, line in enumerate(text.split("\n"), 1):
        if '"benchmark-complete"' not in line:
            continue
        where = f"{name}:{k}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: not JSON: {error}") from None
        path, params = split_name(
            str(expect(row, dict, "the message", where).get("id", "main")), where
        )
        mean = expect(row.get("typical") or row.get("mean"), dict, '"typical"', where)
        unit = unit_said(str(mean.get("unit", "ns")))
        value = measured(mean.get("estimate"), "time", where)
        yield Observation(params, path, "time", value, line=k, unit=unit)


READERS = (
    TextReader(
        "Go benchmarks",
        ".txt",
        lambda t: _GO_LINE.search(t[: 1 << 18]) is not None,
        read_go,
        order=60,
    ),
    TextReader(
        "consoles of Google Benchmark and cargo bench",
        ".txt",
        lambda t: _CONSOLE.search(t[: 1 << 18]) is not None,
        read_console,
        order=70,
    ),
    TextReader(
        "console of criterion",
        ".txt",
        lambda t: _ESTIMATE.search(t[: 1 << 18]) is not None,
        read_estimates,
        order=70,
    ),
    TextReader("JMH", ".json", lambda t: '"primaryMetric"' in t, read_jmh),
    TextReader(
        "asv",
        ".json",
        lambda t: '"result_columns"' in t or ('"commit_hash"' in t and '"results"' in t),
        read_asv,
        order=40,
    ),
    TextReader(
        "github-action-benchmark", ".js", lambda t: _DATA_JS.match(t) is not None, read_data_js
    ),
    TextReader(
        "Google Benchmark CSV",
        ".csv",
        lambda t: re.search(r"^name,iterations,real_time,", t[: 1 << 16], re.MULTILINE) is not None,
        read_google_csv,
        order=60,
    ),
    TextReader(
        "criterion",
        ".json",
        lambda t: '"benchmark-complete"' in t[: 1 << 18],
        read_criterion,
        order=15,
    ),
)
