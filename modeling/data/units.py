"""Units of what was measured: how files name them, and factors between those of one kind.

A unit is a text, empty where it is unknown. Values keep the unit of their file; where a metric
occurs in several units of one kind, all its values are brought to the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from looplaw_common.errors import DataError

_TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_SIZES = {
    "bytes": 1.0,
    **{f"{p}B": 1000.0 ** (k + 1) for k, p in enumerate(("k", "M", "G", "T"))},
    **{f"{p}iB": 1024.0 ** (k + 1) for k, p in enumerate(("K", "M", "G", "T"))},
}
_KINDS: tuple[Mapping[str, float], ...] = (_TIMES, _SIZES)
"""Units of one kind, each as a multiple of the same one."""
_WORDS = {
    "ns": "nsec nsecs nanosec nanosecs nanosecond nanoseconds",
    "us": "µs μs usec usecs microsec microsecs microsecond microseconds",
    "ms": "msec msecs millisec millisecs millisecond milliseconds",
    "s": "sec secs second seconds",
    "min": "minute minutes",
    "h": "hr hrs hour hours",
    "bytes": "byte B",
    "kB": "KB kilobyte kilobytes",
    "MB": "megabyte megabytes",
    "GB": "gigabyte gigabytes",
    "TB": "terabyte terabytes",
    "KiB": "kibibyte kibibytes",
    "MiB": "mebibyte mebibytes",
    "GiB": "gibibyte gibibytes",
    "TiB": "tebibyte tebibytes",
}
_KNOWN = {name: name for kind in _KINDS for name in kind} | {
    word: name for name, words in _WORDS.items() for word in words.split()
}
_LONGEST = 40
_TIME_NAMES = re.compile(
    r"(?:^|[^a-z])(?:(?:run|wall|exec|cpu)?time|duration|latency|elapsed|wall"
    r"|(?:time|seconds|latency)_per_[a-z]+)$"
)
"""Names of metrics that are times whatever their unit is, without the unit behind them."""
_RATE_NAMES = re.compile(
    r"throughput|bandwidth|goodput|flops?(?:$|[^a-z])|[kmgt]i?bps|iops|(?:^|[^a-z])(?:qps|tps|rps|fps)"
    r"|per[ _]?s(?:ec(?:ond)?s?)?(?:$|[^a-z])|/ ?s(?:ec(?:ond)?)?(?:$|[^a-z])"
)
"""Names of metrics that are work over time."""
_IN_BRACKETS = re.compile(r"[\[(]([^\])]*)[\])]\s*$")
_BEHIND = re.compile(r"(?<=[A-Za-z0-9])[ _.]([A-Za-zµμ]+)\s*$")


def unit_of(text: str) -> str:
    """The unit that a text names: one of those known here by its usual name, others as they
    stand."""
    text = text.strip()[:_LONGEST].strip()
    return _KNOWN.get(text) or _KNOWN.get(text.lower(), text)


def is_unit(text: str) -> bool:
    """Is the text a unit of time or size, as `ms` and `seconds` are?"""
    text = text.strip()
    return text in _KNOWN or text.lower() in _KNOWN


def is_time(unit: str) -> bool:
    """Does a unit measure time?"""
    return unit in _TIMES


def measures_time(metric: str, unit: str) -> bool:
    """Is a metric a time, by its unit, or by its name where no unit is known?"""
    if unit:
        return is_time(unit)
    return is_time(unit_in(metric)) or bool(_TIME_NAMES.search(metric[-_LONGEST:].lower()))


def measures_rate(metric: str, unit: str) -> bool:
    """Is a metric work over time, by its unit or its name?"""
    return unit.endswith("/s") or bool(_RATE_NAMES.search(metric[:_LONGEST].lower()))


def unit_in(name: str) -> str:
    """The unit that the name of a metric ends with, as in "time (ms)", "elapsed_us" and
    "seconds"; empty where there is none. B stands for bytes in brackets alone: beside A it is a
    name."""
    in_brackets = _IN_BRACKETS.search(name)
    if in_brackets is None and name[-1:] == "B" and not name[-2:-1].isalpha():
        return ""
    if is_unit(name):
        return unit_of(name)
    found = in_brackets or _BEHIND.search(name)
    return unit_of(found[1]) if found and is_unit(found[1]) else ""


def label_of(metric: str, unit: str) -> str:
    """A metric with its unit, for people: "time [ms]"; a name that says its unit stays."""
    return metric if not unit or unit_in(metric) == unit else f"{metric} [{unit}]"


def shown_metric(metric: str, unit: str) -> str:
    """A metric as reports show it, which write values of a metric called time with their unit, in
    seconds."""
    is_seconds = unit == "s" and (metric == "time" or metric.endswith("_time"))
    return metric if is_seconds else label_of(metric, unit)


def factor(unit: str, into: str, what: str) -> float:
    """What values in one unit are multiplied by to be in another; 1 where one is unknown.

    Raises:
        DataError: they measure different things; `what` begins the message.
    """
    if unit == into or not unit or not into:
        return 1.0
    for kind in _KINDS:
        if unit in kind and into in kind:
            return kind[unit] / kind[into]
    raise DataError(f"{what}: some values are in {into}, others in {unit}")
