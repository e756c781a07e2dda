"""What a study is made of: program, parameters, values, runs; from the command line or a study file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from runtime import Experiment
from staticana import Analysis, InputError

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MAX_VECTORS = 100_000


@dataclass(frozen=True)
class Settings:
    """A study. vary: parameter -> values; parameters: name -> origin (--param); args: words of the command line with
    {name} for parameters, None for the parameters in the order of argv."""

    program: tuple[Path, ...]
    vary: Mapping[str, tuple[int, ...]]
    parameters: Mapping[str, str] = field(default_factory=dict)
    args: tuple[str, ...] | None = None
    repetitions: int = 3
    timeout_s: float = 60.0
    entry: str = "main"
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    about: str = ""


def parse_vary(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """n=64,128,256 -> values; n=8:64:8 gives 8, 16, ..., 64; n=8:64:*2 doubles.

    Raises:
        InputError: no name, or a value that is no integer.
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not name.isidentifier() or not values:
            raise InputError(f"--vary {text}: write NAME=VALUE,VALUE,... as in --vary n=64,128,256")
        numbers = [n for part in values.split(",") for n in _values(text, part)]
        found[name] = tuple(dict.fromkeys(numbers))
    return found


def _values(text: str, part: str) -> list[int]:
    pieces = part.split(":")
    try:
        if len(pieces) == 1:
            return [int(part)]
        low, high = int(pieces[0]), int(pieces[1])
        step = pieces[2] if len(pieces) > 2 else "1"
        factor, addend = (int(step[1:]), 0) if step.startswith("*") else (1, int(step))
        if len(pieces) > 3 or (factor < 2 and addend < 1) or (factor > 1 and low < 1):
            raise ValueError
    except ValueError:
        raise InputError(f"--vary {text}: {part!r} is not an integer (nor LOW:HIGH:STEP)") from None
    result = []
    while low <= high:
        result.append(low)
        if len(result) > _MAX_VECTORS:
            raise InputError(f"--vary {text}: more than {_MAX_VECTORS} values")
        low = low * factor + addend
    return result


def parse_parameters(texts: Sequence[str]) -> dict[str, str]:
    """n=argv[1] -> {"n": "argv[1]"}."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, origin = text.partition("=")
        if not equals or not name or not origin:
            raise InputError(f"--param {text}: write NAME=ORIGIN as in --param n=argv[1]")
        found[name] = origin
    return found


def read_study_file(path: Path) -> Settings:
    """Read a study file (TOML).

    Raises:
        InputError: it does not exist, is not TOML, or a field is wrong.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a study file: {error}") from None
    unknown = set(data) - {"program", "about", "vary", "param", "run", "build", "entry"}
    if unknown:
        raise InputError(f"{path}: unknown field {sorted(unknown)[0]!r}; there are program, about, vary, param, run, "
                         f"build, entry")
    try:
        run, build = dict(data.get("run", {})), dict(data.get("build", {}))
        program = data["program"]
        vary = {str(k): tuple(_integer(v) for v in values) for k, values in data.get("vary", {}).items()}
        args = run.get("args")
        return Settings(tuple(path.parent / str(p) for p in ([program] if isinstance(program, str) else program)), vary,
                        {str(k): str(v) for k, v in data.get("param", {}).items()},
                        None if args is None else tuple(str(a) for a in args), _integer(run.get("repetitions", 3)),
                        float(run.get("timeout", 60)), str(data.get("entry", "main")),
                        tuple(map(str, build.get("flags", ()))), tuple(map(str, build.get("link", ()))),
                        str(data.get("about", "")))
    except KeyError as error:
        raise InputError(f"{path}: the field {error.args[0]!r} is missing") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: a field is not as it should be: {error}") from None


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is not an integer")
    return value


def words(settings: Settings, analysis: Analysis) -> tuple[str, ...]:
    """The program's arguments with {name} for parameters.

    Raises:
        InputError: a varied parameter does not exist, or an argument in between has no value.
    """
    by_name = {p.name: p.origin for p in analysis.parameters}
    for name in settings.vary:
        if name not in by_name:
            known = ", ".join(f"{p.name} ({p.origin})" for p in analysis.parameters) or "none"
            raise InputError(f"--vary {name}: the program has no parameter {name}; it has {known}. Name one with "
                             f"--param {name}=argv[1]")
    if settings.args is not None:
        for word in settings.args:
            for name in _PLACEHOLDER.findall(word):
                if name not in settings.vary:
                    raise InputError(f"the argument {word}: {name} has no values; add --vary {name}=...")
        return settings.args
    at = {int(origin[5:-1]): name for name, origin in by_name.items() if origin.startswith("argv[")}
    used = [k for k, name in at.items() if name in settings.vary]
    result = []
    for k in range(1, max(used, default=0) + 1):
        held = at.get(k)
        if held is None or held not in settings.vary:
            what = f"parameter {held} (argv[{k}])" if held else f"argv[{k}]"
            raise InputError(f"{what} has no value: add --vary {held or 'NAME'}=... or give the program's arguments, "
                             f"as in --args '{{{next(iter(settings.vary))}}} 10'")
        result.append(f"{{{held}}}")
    return tuple(result)


def _filled(word: str, params: Mapping[str, int]) -> str:
    """A word with the values of its parameters."""
    return _PLACEHOLDER.sub(lambda m: str(params.get(m.group(1), m.group(0))), word)


def _threads(settings: Settings, analysis: Analysis) -> str | None:
    """The parameter that is the number of OpenMP threads; where counts depend on it, it needs values."""
    name = next((p.name for p in analysis.parameters if p.origin == "omp:threads"), None)
    if name is not None and name not in settings.vary and any(name in loop.parameters for loop in analysis.loops):
        raise InputError(f"counts depend on the number of threads: add --vary {name}=1,2,4")
    return name


def experiments(settings: Settings, analysis: Analysis, template: Sequence[str]) -> list[Experiment]:
    """All runs of the study: every combination of values, every repetition."""
    names = list(settings.vary)
    size = 1
    for values in settings.vary.values():
        size *= len(values)
    if size * settings.repetitions > _MAX_VECTORS:
        raise InputError(f"{size} parameter vectors are more than {_MAX_VECTORS}: vary fewer values")
    ranks = next((p.name for p in analysis.parameters if p.origin == "mpi:size"), None)
    threads = _threads(settings, analysis)
    result = []
    for combination in product(*settings.vary.values()):
        params = dict(zip(names, combination, strict=True))
        argv = tuple(_filled(w, params) for w in template)
        launcher = (*(("mpiexec", "-n", str(params[ranks])) if ranks in params else ()),
                    *(("env", f"OMP_NUM_THREADS={params[threads]}", "OMP_DYNAMIC=false") if threads in params else ()))
        result += [Experiment(params, argv, r, launcher) for r in range(settings.repetitions)]
    return result
