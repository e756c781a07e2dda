"""The analysis of a whole project: files compiled side by side, one module, one analysis for a
program and one for each exported function of a library."""

from __future__ import annotations

import gc
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from looplaw_common.errors import InputError
from looplaw_common.store import Store
from staticana import Analysis, analyze_module, canonical, parse_module
from staticana.expr.budget import Allowance
from staticana.frontend.clang import CXX_SUFFIXES
from staticana.frontend.isolation import BrokeDown, Refused, isolated, linked
from staticana.frontend.program_files import compile_source
from staticana.frontend.uncompiled import with_cure
from staticana.libraries import Library, Limits

from ..documents.analysis import AnalysisDocument, analysis_document
from ..documents.shared_counts import SharedCounts
from .compiled import sources_key
from .database import SourceFile
from .exports import Export, KnownExports
from .kept import STORE, Asked, digest, is_cut_short, kept_or
from .linking import parts

_CANONICAL = Store("canonical")
_MODULES = Store("modules")
_CXX = "-std=gnu++17"
"""What g++ 11 and clang 16 compile by default."""
_FAST = 1
"""Level of compression: IR becomes a seventh in a time that is short beside the compiler's."""
_LONGEST_S = 3600
"""Seconds of one worker, beyond which its functions are given up."""
_GRACE = 0.125
"""Part of the time for all functions in which, after it, what needs no formula is still counted;
and again in which what was found is written down."""
_LEAST_GRACE = 1.0
"""Seconds for the same, at least."""
_FOR_ALL = 0.7
"""Part of the time for all that goes into functions in their own arguments."""
_SHARE = 300
"""Exported functions that a process analyses, about: what one finds of a function it takes for the
next ones, but it keeps all of that in memory."""


@dataclass(frozen=True)
class Project:
    """What was found. analyses: of the program, or of each exported function; left_out: file or
    function -> why it is not in them."""

    files: tuple[Path, ...]
    analyses: tuple[AnalysisDocument, ...]
    left_out: dict[str, str] = field(default_factory=dict)
    is_program: bool = True


def compiled(
    files: Sequence[SourceFile], jobs: int, *, fresh: bool = False
) -> tuple[dict[Path, str], dict[Path, str]]:
    """The IR of each file, from the cache where all that it is made of is as it was, and why others
    do not compile. fresh: compile again what was compiled before."""

    def one(file: SourceFile) -> str | InputError:
        found = _compiled(file, fresh=fresh)
        if isinstance(found, str) or file.path.suffix not in CXX_SUFFIXES:
            return found
        if any("std=" in flag for flag in file.flags):
            return found
        # CMake names no standard that the project's own compiler has by default
        again = _compiled(SourceFile(file.path, (*file.flags, _CXX)), fresh=fresh)
        return again if isinstance(again, str) else found

    with ThreadPoolExecutor(jobs) as pool:
        found = dict(zip((f.path for f in files), pool.map(one, files), strict=True))
    texts = {path: text for path, text in found.items() if isinstance(text, str)}
    failed = {path: with_cure(str(e)) for path, e in found.items() if isinstance(e, InputError)}
    return texts, failed


def _compiled(file: SourceFile, *, fresh: bool) -> str | InputError:
    """The IR of a file, or why it does not compile."""
    key = sources_key([str(file.path)], file.flags)
    known = _MODULES.get(key) if key is not None and not fresh else None
    if known is not None:
        try:
            return zlib.decompress(known).decode("utf-8", "surrogateescape")
        except zlib.error:
            pass  # damaged: made again
    try:
        found = isolated(
            lambda: compile_source(file.path, file.flags).encode("utf-8", "surrogateescape"),
            timeout_s=_LONGEST_S,
        )
    except InputError as error:
        return error
    # a file that was written meanwhile may have been read before or after
    if key is not None and sources_key([str(file.path)], file.flags) == key:
        _MODULES.put(key, zlib.compress(found, _FAST))
    return found.decode("utf-8", "surrogateescape")


def analysed(
    files: Sequence[SourceFile],
    asked: Asked,
    *,
    main: Path | None,
    jobs: int,
    allowance: Allowance,
    told: Callable[[str], None] = lambda text: None,
    fresh: bool = False,
) -> Project:
    """Compile, link and analyse.

    Args:
        main: the file whose main function is run, where several have one.
        allowance: what the analysis of a program may take; for a library, `asked` says so, and this
            whether it was interrupted.
        told: is called with what is done at the moment.
        fresh: analyse again what was analysed before.

    Raises:
        InputError: no file compiles, or they do not link.
    """
    told(f"compiling {len(files)} files")
    of, left_out, has_main, ir = _linkable(files, jobs, main, fresh=fresh)
    told(f"analysing {len(of)} files")
    if has_main or asked.entry != "main":
        found = [
            kept_or(
                ir.digest,
                asked,
                lambda: _of_program(ir, asked, allowance, fresh=fresh),
                fresh=fresh,
            )
        ]
    else:
        found = list(
            _of_library(ir, asked, jobs, left_out, told, lambda: allowance.is_stopped, fresh=fresh)
        )
    return Project(of, tuple(found), left_out, has_main)


def _linkable(
    files: Sequence[SourceFile], jobs: int, main: Path | None, *, fresh: bool
) -> tuple[tuple[Path, ...], dict[str, str], bool, _Linked]:
    """Compile: the files that link, why others are left out, whether one has a main function, and
    the modules, which stand nowhere else."""
    texts, failed = compiled(files, jobs, fresh=fresh)
    if not texts:
        raise InputError(f"no file compiles: {next(iter(failed.values()))}")
    chosen = parts(texts, main)
    left_out = {str(p): why for p, why in (*failed.items(), *chosen.left_out.items())}
    return tuple(chosen.texts), left_out, chosen.has_main, _Linked(list(chosen.texts.values()))


def library_analysed(
    ir: str,
    asked: Asked,
    *,
    jobs: int,
    allowance: Allowance,
    told: Callable[[str], None] = lambda text: None,
    fresh: bool = False,
) -> Project:
    """The laws of every exported function of one module; the arguments are those of `analysed`.

    Raises:
        InputError: no function is exported.
    """
    left_out: dict[str, str] = {}
    found = _of_library(
        _Linked([ir]), asked, jobs, left_out, told, lambda: allowance.is_stopped, fresh=fresh
    )
    return Project((), tuple(found), left_out, is_program=False)


class _Linked:
    """Modules (IR) as one, which is made when it is asked for. digest: stands for
    it in keys."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts: Sequence[str] = texts
        digests = list(map(digest, texts))
        self.digest = digests[0] if len(digests) == 1 else digest("\n".join(digests))

    def _link(self) -> str:
        """Its IR, which is given away: the texts of a large library take as much memory as what is
        read from them.

        Raises:
            InputError: the files do not link.
        """
        texts, self._texts = self._texts, ()
        if len(texts) == 1:
            return texts[0]
        try:
            return linked(texts)
        except (Refused, BrokeDown) as error:
            raise InputError(f"the files do not link into one module: {error}") from None

    def canonical(self, *, fresh: bool) -> str:
        """Its canonical form, from the cache where it was made before. Asked for once.

        Raises:
            InputError: the files do not link.
        """
        key = Asked().key_of(self.digest)
        found = None if fresh else _CANONICAL.get(key)
        if found is not None:
            self._texts = ()
            return found.decode("utf-8", "surrogateescape")
        text = canonical(self._link())
        _CANONICAL.put(key, text.encode("utf-8", "surrogateescape"))
        return text


def _of_program(ir: _Linked, asked: Asked, allowance: Allowance, *, fresh: bool) -> Analysis:
    return analyze_module(
        parse_module(ir.canonical(fresh=fresh)),
        entry=asked.entry,
        parameters=asked.parameters,
        strict=asked.strict,
        allowance=allowance,
        matrix=False,
        ranks=True,
    )


def _of_library(
    ir: _Linked,
    asked: Asked,
    jobs: int,
    left_out: dict[str, str],
    told: Callable[[str], None],
    interrupted: Callable[[], bool],
    *,
    fresh: bool,
) -> Iterator[AnalysisDocument]:
    """The laws of every exported function; where it is interrupted, of those that are known."""
    whole_key = Asked("", strict=asked.strict, seconds=asked.seconds).key_of(ir.digest)
    whole = None if fresh else STORE.get(whole_key)
    if whole is not None:
        try:
            yield from msgspec.json.decode(whole, type=list[AnalysisDocument])
            return
        except msgspec.DecodeError:
            pass  # damaged: made again
    library = Library(parse_module(ir.canonical(fresh=fresh)), strict=asked.strict)
    if not library.names:
        raise InputError(
            "no file has a main function, and no function is exported; name one with --entry"
        )
    known = KnownExports(library, asked)
    once = SharedCounts()
    found = {} if fresh else {name: once.shared(d) for name, d in known.found().items()}
    # those that run least first: where the time does not suffice for all, it does for most
    names = sorted(
        (n for n in library.names if n not in found), key=lambda n: (library.reach(n), n)
    )
    grace = max(_LEAST_GRACE, _GRACE * (asked.total or 0.0))
    told(f"analysing functions that {len(names)} exported ones come to")
    limits = Limits(asked.seconds, asked.total, grace, asked.memory)
    start = time.process_time()
    library.prepare(names, replace(limits, total=_part(asked.total, _FOR_ALL), grace=grace / 2))
    left = None if asked.total is None else asked.total - (time.process_time() - start)
    gc.freeze()  # workers share what is read here; a collection would copy it
    parts_of_all = jobs * max(1, len(names) // (jobs * _SHARE))
    shares = list(filter(None, (names[k::parts_of_all] for k in range(parts_of_all))))
    with ThreadPoolExecutor(jobs) as pool:

        def analyse(share: Sequence[str]) -> list[bytes]:
            part = len(share) / len(names)
            of_share = _part(left, part)
            own = replace(limits, total=of_share, grace=grace / 2 * part)
            return _of_share(library, share, own, interrupted)

        for part in pool.map(analyse, shares):
            for text in part:
                export = msgspec.json.decode(text, type=Export)
                known.keep(export)
                found[export.analysis.entry] = once.shared(export.analysis)
            told(f"analysed {len(found)} of {len(library.names)} exported functions")
    gc.unfreeze()
    missing = sorted(set(library.names) - found.keys())
    why = (
        "the analysis was interrupted before"
        if interrupted()
        else "budget: its worker took too long, or broke"
    )
    left_out.update(dict.fromkeys(missing, why))
    documents = [found[name] for name in sorted(found)]
    if not missing and not any(map(is_cut_short, documents)):
        STORE.put(whole_key, msgspec.json.encode(documents))
    yield from documents


def _part(total: float | None, share: float) -> float | None:
    """A part of the time for all, where it has an end."""
    return None if total is None else total * share


def _of_share(
    library: Library, names: Sequence[str], limits: Limits, interrupted: Callable[[], bool]
) -> list[bytes]:
    """Some functions, in a process of their own, each as JSON: documents take ten times as much."""

    def work() -> bytes:
        found: list[bytes] = []
        for name, allowance in zip(names, limits.for_each(len(names)), strict=True):
            if interrupted():
                break
            e = library.analyse(name, allowance)
            export = Export(sorted(e.rests_on), analysis_document(e.analysis))
            found.append(msgspec.json.encode(export))
        return b"\n".join(found)

    if interrupted():
        return []
    try:
        found = isolated(work, timeout_s=_LONGEST_S)
    except (Refused, BrokeDown):
        again = names if names[1:] else ()
        one = replace(limits, total=_part(limits.total, 1 / len(names)))
        return [e for name in again for e in _of_share(library, [name], one, interrupted)]
    return found.splitlines()
