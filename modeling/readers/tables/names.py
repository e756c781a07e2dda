"""What the name of a column says of it: the field's words for sizes, times, rates and statistics.

The last word of a name that is known here decides, as in "matrix size" and "exec time"; units
behind it and statistics around it are read apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from ...data.units import is_unit, unit_in, unit_of


class Kind(Enum):
    """What a column holds, as far as its name tells."""

    SIZE = "a size"
    TIME = "a time"
    RATE = "a rate"
    DERIVED = "follows from times"
    QUANTITY = "a quantity"
    RESULT = "a result"
    REPETITION = "numbers repetitions"
    REPETITIONS = "counts repetitions"
    DATE = "a date"
    STATISTIC = "a statistic"
    VARIANT = "numbers variants"
    FORETOLD = "was not measured"
    UNKNOWN = "not known"


_WORDS: Mapping[Kind, str] = {
    Kind.SIZE: """n m k p np size sizes length len elements elems element nodes node edges edge
        vertices vertex rows row tuples days cols columns col width height depth dim dims
        dimension dimensions threads thread procs proc processes process
        processors nprocs ranks cores core workers worker clients client gpus
        gpu cpus gcds devices batch input inputs problem order degree level
        levels dofs dof cells particles points grid mesh matrix seq users
        concurrency connections records items tasks jobs h dt load capacity
        limit qubits clauses variables vars bits keys requests iterations steps
        step refinements resolution count number num nnz population generations
        bodies atoms block blocks window interval timeout period delay chunk
        chunks density bytes sockets servers shards partitions replicas lanes
        streams queries rounds epochs epoch files lines words chars characters
        tokens pixels ops operations lookups inserts entries radius bucket
        buckets layers heads turns groesse größe taille tamaño tamanho ukuran
        hilos procesos sample_size flops iters niter buffer stride tile agents
        machines hosts pes integers ints doubles floats""",
    Kind.TIME: """time times elapsed runtime duration latency wall walltime cputime realtime
        exectime runtimes timing timings took spent seconds second secs sec ms
        us µs ns msec usec nsec msecs usecs nsecs millis micros nanos
        milliseconds millisecond microseconds nanoseconds microsecond nanosecond
        minutes hours cycles ticks zeit laufzeit dauer tiempo temps tempo waktu
        durée makespan""",
    Kind.RATE: """throughput bandwidth gflops mflops tflops kflops gflop mflop tflop qps tps rps
        iops gbps mbps kbps fps mips rate bw goodput""",
    Kind.DERIVED: """speedup speedups efficiency eff ratio relative rel improvement overhead percent
        pct gain amdahl karp flatt gustafson karpflatt serial_fraction
        parallel_fraction acceleration vs""",
    Kind.QUANTITY: """memory mem rss ram heap energy joules power watts comparisons swaps moves
        accesses instructions instr misses hits faults allocations allocs allocated
        messages""",
    Kind.RESULT: """loss accuracy error errors residual score result results successes failures
        success failure correct verified checksum cost usd price distance norm
        objective optimal gap status valid weight sum crc rank gen0 gen1 gen2""",
    Kind.REPETITION: """rep repetition repeat trial run iter iteration sample attempt round seed
        replicate experiment test try index idx id obs no nr sequence #""",
    Kind.REPETITIONS: "reps repeats repetitions runs trials samples",
    Kind.VARIANT: """strategy algorithm algo method version variant scheme mode implementation impl
        policy schedule scheduler backend solver case config configuration""",
    Kind.FORETOLD: "fitted predicted theoretical ideal expected estimated",
    Kind.DATE: "date timestamp datetime year month day commit hash when",
    Kind.STATISTIC: """std stdev stddev sd stderr se variance var cv min max minimum maximum median
        best worst lower upper ci lo hi moe iqr mad err mean avg average moda""",
}
_KIND = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_ENGLISH: Mapping[str, str] = {
    word: english
    for english, words in {
        "mean": "média media promedio moyenne mittelwert mittel",
        "median": "mediana médiane",
        "min": "mínimo minimo",
        "max": "máximo maximo maximum",
        "std": "desvio desvpad desviación desviacion standardabweichung écart",
        "seconds": "segundos sekunden secondes",
        "ms": "milisegundos milissegundos millisekunden millisecondes",
        "us": "microsegundos microssegundos",
        "cores": "núcleos nucleos noyaux kerne",
        "nodes": "nodos nós nœuds knoten",
        "processes": "processos prozesse processus",
        "elements": "elementos elemente éléments",
        "rows": "filas linhas zeilen lignes",
        "columns": "columnas colunas spalten colonnes",
        "number": "número numero cantidad quantidade anzahl numéro",
        "input": "entrada eingabe entrée",
        "iterations": "iteraciones iterações iterationen itérations",
        "repetition": "repetición repeticion repetição repeticao wiederholung répétition",
        "speedup": "aceleración aceleracion aceleração aceleracao beschleunigung accélération",
        "efficiency": "eficiencia eficiência effizienz efficacité",
        "memory": "memoria memória speicher mémoire",
        "algorithm": "algoritmo algorithmus algorithme",
    }.items()
    for word in words.split()
}
"""The words of some other languages."""
_PREFERRED = ("mean", "avg", "average", "median", "p50", "", "best", "min", "minimum")
"""Statistics of one quantity: the first that is there is its value. Means come before what has no
name, which is the whole of several runs then."""
_SPREADS = frozenset(
    "std stdev stddev sd stderr se variance var cv ci moe iqr mad err dev deviation".split()
)
_QUANTILE = re.compile(r"p\d{1,3}|q[13]")
_IDLE = frozenset("taken in of the total per and for a to used all overall".split())
_PER_SECOND = re.compile(
    r"/ ?s(?:ec(?:ond)?s?)?\b|(?:^|[ _])per[ _]?s(?:ec(?:ond)?)?\b", re.IGNORECASE
)
_PER_ONE = re.compile(r"/ ?(?:op|iter|call|item|element)s?\b")
_FUNCTION = re.compile(r"([A-Za-z])\w*\s*\(\s*(?:p|n|par|KF|np|N|P)\s*\)")
_TIME_OF = re.compile(
    r"(.*\b(?:time|duration|latency|runtime|seconds))[ _](?:to|for|of|until)[ _]", re.IGNORECASE
)
_BRACKET = re.compile(r"[\[(]([^\])]*)[\])]")
_PLURAL = re.compile(r"(.*?([A-Za-z]+))\(s\)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
NO_TIME = frozenset("interval delay timeout period window dt step steps stamp limit".split())
_COUNT_OF = re.compile(r"^(?:n|num|no)(?=[a-z]{4,}s$)")
"""Letters before what is counted."""
_LONGEST = 80


@dataclass(frozen=True)
class Named:
    """What a name says: the kind of what it names, the unit behind it, the statistic that it is
    ("" where none, a name of `_PREFERRED` where it stands for a value), and the words of what the
    statistic is of."""

    kind: Kind
    unit: str
    statistic: str
    of: tuple[str, ...]

    @property
    def preference(self) -> int:
        """How well the statistic stands for the quantity: the least is best."""
        known = self.statistic in _PREFERRED
        return _PREFERRED.index(self.statistic) if known else len(_PREFERRED)

    @property
    def is_spread(self) -> bool:
        """Does it say how far values spread, or an extreme beside them?"""
        return bool(self.statistic) and self.statistic not in _PREFERRED


@lru_cache(maxsize=4096)
def named(name: str) -> Named:
    """What the name of a column says."""
    text = name.strip()[:_LONGEST]
    if (plural := _PLURAL.fullmatch(text)) and _KIND.get(plural[2].lower()) is Kind.SIZE:
        text = plural[1]  # Core(s), Thread(s)
    if found := _FUNCTION.fullmatch(text):
        is_time = found[1] in "tT"
        return Named(Kind.TIME if is_time else Kind.DERIVED, "", "", (text,))
    if text == "h":  # the width of a mesh, where no hours are
        return Named(Kind.SIZE, "", "", ("h",))
    per = (
        re.split(r"[ _]per[ _]|/", _BRACKET.sub(" ", text)) if not _PER_SECOND.search(text) else []
    )
    shown = per[0] if len(per) > 1 else _BRACKET.sub(" ", text)
    if head := _TIME_OF.match(shown):  # "time to find n": what stands behind only says more
        shown = head[1]
    words = [w.lower() for w in re.findall(r"[^\W_]+|#", _CAMEL.sub(" ", shown))]
    words = [_ENGLISH.get(w, w) for w in words]
    joined = "".join(words[:2])
    if joined in ("speedup", "walltime", "cputime", "runtime"):
        words = [joined, *words[2:]]
    bare = _PER_ONE.sub("", text)  # ns/op
    unit = unit_in(_CAMEL.sub(" ", bare)) if len(words) != 1 or words[0] != "min" else ""
    if not unit and len(per) > 1 and is_unit(words[-1] if words else ""):
        unit = unit_of(words[-1])
    if unit == "h" and not _BRACKET.search(text) and text.lower() != "hours":
        unit = ""
    statistics = [w for w in words if _is_statistic(w)]
    of = tuple(w for w in words if w not in statistics and not is_unit(w) and w not in _IDLE)
    statistic = _statistic(statistics)
    return Named(_kind(text, words, of, unit, statistic), unit, statistic, of)


def _is_statistic(word: str) -> bool:
    return _KIND.get(word) is Kind.STATISTIC or word in _SPREADS or bool(_QUANTILE.fullmatch(word))


def _statistic(words: Sequence[str]) -> str:
    """The statistic that a name is, a spread before all others."""
    spread = next((w for w in words if w in _SPREADS), "")
    return spread or next((w for w in words if w not in _PREFERRED), words[0] if words else "")


def _kind(text: str, words: Sequence[str], of: Sequence[str], unit: str, statistic: str) -> Kind:
    if _PER_SECOND.search(text):
        return Kind.RATE
    if words[-1:] == ["id"] and len(words) > 1 and _KIND.get(words[-2]) is not Kind.REPETITION:
        return Kind.VARIANT
    if "stamp" in words or (words[-1:] == ["time"] and {*words} & _MOMENTS):
        return Kind.DATE
    if any(_KIND.get(w) is Kind.FORETOLD for w in of) or (
        {*of[:1], *of[-1:]} & _FORETOLD and "time" not in of
    ):
        return Kind.FORETOLD
    if unit.endswith("/s"):
        return Kind.RATE
    if "vs" in words or text.rstrip().endswith("%"):
        return Kind.DERIVED
    if _is_time_unit(unit) and (not NO_TIME & set(of) or _PER_ONE.search(text)):
        return Kind.TIME
    for word in [w for w in reversed(of) if w not in _COUNTS] or list(of):
        kind = _KIND.get(word)
        if kind is None and _KIND.get(_COUNT_OF.sub("", word)) is Kind.SIZE:
            kind = Kind.SIZE  # nthreads
        if kind is None:
            kind = next((k for w, k in _KIND.items() if k in _ENDINGS and _ends(word, w)), None)
        if kind is Kind.SIZE:
            more = {_KIND.get(w) for w in of}  # throughput_ops, speedup on CPU
            kind = next((k for k in (Kind.RATE, Kind.DERIVED) if k in more), kind)
            if kind is Kind.SIZE and statistic in _SPREADS:
                return Kind.STATISTIC
        if kind is not None and kind is not Kind.STATISTIC:
            is_other = kind in (Kind.SIZE, Kind.REPETITION)  # time of threads, time with no tests
            return Kind.TIME if is_other and "time" in of and word not in NO_TIME else kind
    if statistic:
        return Kind.TIME if tuple(of) in ((), ("t",)) or _is_time_unit(unit) else Kind.STATISTIC
    return Kind.UNKNOWN


_MOMENTS = frozenset("start end begin finish stop started ended finished submit".split())
_FORETOLD = frozenset("fit prediction estimate".split())
"""Words that say so where no time is named: a fit is none in "fit time"."""
_COUNTS = frozenset("count number num".split())
_ENDINGS = (Kind.TIME, Kind.DERIVED, Kind.RATE)
"""Kinds whose words of five letters and more end names that are written as one."""


def _ends(word: str, known: str) -> bool:
    return len(known) >= 4 and len(word) > len(known) and word.endswith(known)


def _is_time_unit(unit: str) -> bool:
    return unit in ("ns", "us", "ms", "s", "min", "h")
