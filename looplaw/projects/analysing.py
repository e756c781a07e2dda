"""The analysis of a whole project: files compiled side by side, one module, one analysis for a
program and one for each exported function of a library."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from looplaw_common.errors import InputError
from looplaw_common.store import Store
from staticana import Analysis, Module, analyze_module, canonical, parse_module
from staticana.analysis import analyze_exports, exported_functions
from staticana.expr.budget import Allowance, MemoryLimit
from staticana.frontend.compile import compile_source
from staticana.frontend.isolation import BrokeDown, Refused, isolated, linked

from ..documents.analysis import AnalysisDocument, analysis_document
from .database import SourceFile
from .kept import STORE, Asked, is_cut_short, kept_or
from .linking import Parts, parts

_CANONICAL = Store("canonical")
_LONGEST_S = 3600
"""Seconds of one worker, beyond which its functions are given up."""
_SHARE = 4
"""Parts of the exported functions for each worker: they take differently long."""


@dataclass(frozen=True)
class Project:
    """What was found. analyses: of the program, or of each exported function; left_out: file or
    function -> why it is not in them."""

    files: tuple[Path, ...]
    analyses: tuple[AnalysisDocument, ...]
    left_out: dict[str, str] = field(default_factory=dict)
    is_program: bool = True


def compiled(files: Sequence[SourceFile], jobs: int) -> tuple[dict[Path, str], dict[Path, str]]:
    """The IR of each file, and why others do not compile."""

    def one(file: SourceFile) -> str | InputError:
        try:
            found = isolated(
                lambda: compile_source(file.path, file.flags).encode("utf-8", "surrogateescape"),
                timeout_s=_LONGEST_S,
            )
            return found.decode("utf-8", "surrogateescape")
        except InputError as error:
            return error

    with ThreadPoolExecutor(jobs) as pool:
        found = dict(zip((f.path for f in files), pool.map(one, files), strict=True))
    texts = {path: text for path, text in found.items() if isinstance(text, str)}
    failed = {path: str(e) for path, e in found.items() if isinstance(e, InputError)}
    return texts, failed


def analysed(
    files: Sequence[SourceFile],
    asked: Asked,
    *,
    main: Path | None,
    jobs: int,
    allowance: Allowance,
    told: Callable[[str], None] = lambda text: None,
) -> Project:
    """Compile, link and analyse.

    Args:
        main: the file whose main function is run, where several have one.
        allowance: what the analysis of a program may take; for a library, that of each function.
        told: is called with what is done at the moment.

    Raises:
        InputError: no file compiles, or they do not link.
    """
    told(f"compiling {len(files)} files")
    texts, failed = compiled(files, jobs)
    if not texts:
        raise InputError(f"no file compiles: {next(iter(failed.values()))}")
    chosen = parts(texts, main)
    left_out = {str(p): why for p, why in (*failed.items(), *chosen.left_out.items())}
    ir = _linked(chosen)
    told(f"analysing {len(chosen.texts)} files")
    if chosen.has_main or asked.entry != "main":
        found = [kept_or(ir, asked, lambda: _of_program(ir, asked, allowance))]
    else:
        found = list(_of_library(ir, asked, jobs, left_out))
    return Project(tuple(chosen.texts), tuple(found), left_out, chosen.has_main)


def _linked(chosen: Parts) -> str:
    texts = list(chosen.texts.values())
    if len(texts) == 1:
        return texts[0]
    try:
        return linked(texts)
    except (Refused, BrokeDown) as error:
        raise InputError(f"the files do not link into one module: {error}") from None


def _of_program(ir: str, asked: Asked, allowance: Allowance) -> Analysis:
    return analyze_module(
        parse_module(_canonical(ir)),
        entry=asked.entry,
        parameters=asked.parameters,
        strict=asked.strict,
        allowance=allowance,
        matrix=False,
    )


def _canonical(ir: str) -> str:
    """The canonical form, from the cache where it was made before."""
    key = Asked().key(ir)
    found = _CANONICAL.get(key)
    if found is not None:
        return found.decode("utf-8", "surrogateescape")
    text = canonical(ir)
    _CANONICAL.put(key, text.encode("utf-8", "surrogateescape"))
    return text


def _of_library(
    ir: str, asked: Asked, jobs: int, left_out: dict[str, str]
) -> Iterator[AnalysisDocument]:
    """The laws of every exported function."""
    names_key = Asked("", strict=asked.strict, seconds=asked.seconds)
    whole = STORE.get(names_key.key(ir))
    if whole is not None:
        try:
            yield from msgspec.json.decode(whole, type=list[AnalysisDocument])
            return
        except msgspec.DecodeError:
            pass  # damaged: made again
    module = parse_module(_canonical(ir))
    names = exported_functions(module)
    if not names:
        raise InputError(
            "no file has a main function, and no function is exported; name one with --entry"
        )
    gc.freeze()  # workers share what is read here; a collection would copy it
    shares = [names[k :: jobs * _SHARE] for k in range(jobs * _SHARE)]
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda share: _of_share(module, share, asked), filter(None, shares)))
    gc.unfreeze()
    documents = sorted((d for part in found for d in part), key=lambda d: d.entry)
    missing = set(names) - {d.entry for d in documents}
    left_out.update(dict.fromkeys(sorted(missing), "budget: its worker took too long, or broke"))
    if not missing and not any(map(is_cut_short, documents)):
        STORE.put(names_key.key(ir), msgspec.json.encode(documents))
    yield from documents


def _of_share(module: Module, names: Sequence[str], asked: Asked) -> list[AnalysisDocument]:
    """Some functions, in a process of their own."""

    def work() -> bytes:
        memory = None if asked.memory is None else MemoryLimit(asked.memory)
        allowance = Allowance(asked.seconds, asked.total, memory=memory)
        analyses = analyze_exports(module, names, strict=asked.strict, allowance=allowance)
        return msgspec.json.encode([analysis_document(a) for a in analyses])

    try:
        found = isolated(work, timeout_s=_LONGEST_S)
    except (Refused, BrokeDown):
        return [d for name in names for d in _of_share(module, [name], asked)] if names[1:] else []
    return msgspec.json.decode(found, type=list[AnalysisDocument])
