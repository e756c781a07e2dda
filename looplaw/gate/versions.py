"""Versions of a program: files, folders, git revisions, IR, saved analyses, and what they hold.

Analyses are kept in the user's cache by the content of all sources and headers of the version, the
flags, and our own version.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from looplaw_common.cache import cache_folder
from looplaw_common.errors import InputError, LooplawError
from looplaw_common.files import write_whole
from looplaw_common.version import __version__
from modeling.pmnf.region import EVERYWHERE
from staticana.alias.whole_programs import is_elsewhere
from staticana.ir.demangling import demangled
from staticana.ir.graph import callee
from staticana.ir.linkage import is_own

from ..documents.analysis import ANALYSIS, AnalysisDocument
from ..documents.reading import load
from .findings import Stated, changes, said_of
from .flags import ROOT, Generated, with_included, with_values
from .judging import Change
from .parts import below, only_below
from .program import (
    FOOTPRINT,
    FunctionLaws,
    LoopLaw,
    ProgramLaws,
    alone,
    outline,
    program_of_document,
    program_of_ir,
)
from .revisions import HEADERS, SOURCES, sources_in
from .shapes import UNKNOWN_DEPTH, Chain, Depth, Shapes

if TYPE_CHECKING:
    from staticana import Module

    from .fingerprints import Fingerprints

T = TypeVar("T", bound=msgspec.Struct)
R = TypeVar("R")
_MOST_LINKED, _MOST_INCLUDING = 16, 4
_MOST_DEFINING, _MOST_LOOKED_AT, _MOST_IN_TREE = 3, 12, 20_000
_DEFINITION = re.compile(
    r"(?m)^(?:[A-Za-z_][\w \t*&:<>,]*?[ \t*&])?(?:\w+::)*(\w+)[ \t]*\([^;{}]*\)[\w\s]*\{"
)
_PLACES = re.compile(r"[^\s()]+:\d+(?::\d+)?")
_PLACE = re.compile(r"(.+?)((?::\d+){1,2})")


@dataclass(frozen=True)
class Options:
    """How programs are analysed. flags: folders of a version are written as {root}/... there.
    commands: file -> flags, from compile_commands.json. has_footprints: the memory that functions
    touch is among their operations. generated: headers that no version has, under their folders,
    to be found after all others."""

    flags: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 2.0
    each: float = 1.0
    total: float = 15.0
    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_footprints: bool = False
    generated: Generated | None = None


@dataclass(frozen=True)
class Unit:
    """A program, or a part of one that is analysed together. name: relative to the version. ir:
    its IR in canonical form, where it is known already; then nothing is kept in the cache. beside:
    the other units of the version. pair: with the version that it is compared with; then functions
    that both have alike may be left out."""

    name: str
    root: Path
    files: tuple[Path, ...]
    options: Options = field(default_factory=Options)
    ir: str | None = field(default=None, repr=False)
    beside: Beside | None = field(default=None, repr=False, compare=False)
    pair: _Pair | None = field(default=None, repr=False, compare=False)

    @cached_property
    def canonical(self) -> str:
        """Its IR in canonical form.

        Raises:
            InputError: it does not compile.
        """
        from staticana import canonical

        if self.ir is not None:
            return self.ir
        return canonical(self.compiled) if self.pair is None else self.pair.canonical_of(self)

    @cached_property
    def compiled(self) -> str:
        """Its IR as the compiler wrote it.

        Raises:
            InputError: it does not compile.
        """
        from staticana import compile_sources

        return compile_sources(self.files, flags=self._flags)

    @cached_property
    def _flags(self) -> list[str]:
        flags = list(self.options.flags)
        for file in self.files:
            given = self.options.commands.get(file.relative_to(self.root).as_posix(), ())
            known = with_values(flags)
            flags += [w for words in with_values(given) if words not in known for w in words]
        if self.options.generated is not None:
            flags += self.options.generated.flags
        return [f.replace(ROOT, str(self.root)) for f in flags]

    @cached_property
    def code(self) -> tuple[Module, Fingerprints]:
        """Its IR, read, and the fingerprints of its functions."""
        from staticana import parse_module

        from .fingerprints import fingerprints

        module = parse_module(self.canonical)
        return module, fingerprints(module)

    @cached_property
    def outline(self) -> ProgramLaws:
        """Its functions without their laws, from the cache where nothing changed."""
        return self._cached("outline", ProgramLaws, lambda: self._all_placed(outline(*self.code)))

    @cached_property
    def laws(self) -> ProgramLaws:
        """Its laws, from the cache where nothing changed."""
        return self._cached("whole", ProgramLaws, self._analysed)

    def _analysed(self) -> ProgramLaws:
        given = self.options
        return self._all_placed(
            program_of_ir(
                *self.code,
                sources=self._sources,
                parameters=given.parameters,
                seconds=given.seconds,
            )
        )

    def alone(self, f: FunctionLaws, far: Collection[str] = ()) -> FunctionLaws | None:
        """A function by itself, without the bodies of those far away."""

        def analysed() -> FunctionLaws | None:
            given = self.options
            found = alone(
                *self.code,
                f.symbol,
                sources=self._sources,
                parameters=given.parameters,
                seconds=given.seconds,
                each=given.each,
                far=far,
            )
            if found is not None and given.has_footprints:
                found = self._with_footprint(found)
            return None if found is None else self._placed(found)

        words = " ".join((f.symbol, *sorted(far)))
        return self._cached(f"function {words}", FunctionLaws, analysed)

    def linked(self, f: FunctionLaws) -> FunctionLaws | None:
        """A function by itself, with the bodies that other units of the version have of what it
        calls; None where they have none.

        Raises:
            InputError: they do not link.
        """
        if self.beside is None:
            return None
        whole = self.beside.linked(self, f.symbol)
        return None if whole is None else whole.alone(f)

    def shape(
        self, f: FunctionLaws, inside: Collection[str], names: Mapping[str, str]
    ) -> tuple[Chain, ...] | None:
        """The chains of a function, see `shapes.shape`."""
        found = self._shapes(frozenset(inside), names).of_function(f.symbol)
        return None if found is None else tuple(c.placed(self._place) for c in found)

    def _shapes(self, inside: frozenset[str], names: Mapping[str, str]) -> Shapes:
        key = (inside, tuple(sorted(names.items())))
        if key not in self._known_shapes:
            self._known_shapes[key] = Shapes(self.code[0], inside, names)
        return self._known_shapes[key]

    @cached_property
    def _known_shapes(self) -> dict[object, Shapes]:
        return {}

    def depth(self, name: str, enough: int) -> Depth:
        """How many walks stand inside each other in a function, as far as sources of the version
        tell; no more are looked for than are enough."""
        if name in self.code[1].own:
            return self._shapes(frozenset(), {}).depth(name, enough, self.depth)
        return UNKNOWN_DEPTH if self.beside is None else self.beside.depth(name, enough, self)

    def joins(self, name: str) -> bool:
        """Has another unit of the version the body of a function, to analyse both together?"""
        return self.beside is not None and self.beside.joins(name)

    def decides(self, f: FunctionLaws) -> str | None:
        """The fingerprint of what ends the loops of a function."""
        return self.code[1].ends(f.symbol).decides

    def loops_that_call(self, f: FunctionLaws) -> dict[str, str]:
        """Function -> the place of a loop, in which it calls this one."""
        found = self._shapes(frozenset(), {}).loops_that_call(f.symbol)
        return {name: self._place(at).rpartition(":")[0] for name, at in found.items()}

    def _with_footprint(self, f: FunctionLaws) -> FunctionLaws:
        from .footprints import footprint_law

        module, known = self.code
        given = self.options.parameters if f.symbol == "main" else None
        law = footprint_law(only_below(module, known, f.symbol), f.symbol, f, given)
        return msgspec.structs.replace(f, operations={**f.operations, FOOTPRINT: law})

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {
            str(f): f.read_text(errors="replace")
            for f in self.files
            if f.suffix not in (".ll", ".bc")
        }

    def _all_placed(self, laws: ProgramLaws) -> ProgramLaws:
        return msgspec.structs.replace(
            laws,
            functions=tuple(self._placed(f) for f in laws.functions),
            places=tuple(map(self._place, laws.places)),
        )

    def _placed(self, f: FunctionLaws) -> FunctionLaws:
        """With places relative to the version."""

        def placed(loops: tuple[LoopLaw, ...]) -> tuple[LoopLaw, ...]:
            return tuple(
                msgspec.structs.replace(
                    loop, at=self._place(loop.at), inner=tuple(map(self._place, loop.inner))
                )
                for loop in loops
            )

        return msgspec.structs.replace(
            f,
            at=self._place(f.at),
            loops=placed(f.loops),
            activation=None if f.activation is None else placed(f.activation),
            hidden=f.hidden
            and tuple(
                msgspec.structs.replace(
                    h,
                    at=self._place(h.at),
                    message=_PLACES.sub(lambda m: self._place(m[0]), h.message),
                )
                for h in f.hidden
            ),
        )

    def _place(self, at: str) -> str:
        match = _PLACE.fullmatch(at)
        if match is None:
            return at
        name = os.path.normpath(match[1])
        for known in self._known_files:
            if known == Path(name) or str(known).endswith("/" + name.lstrip("./")):
                return f"{known.relative_to(self.root).as_posix()}{match[2]}"
        return at.removeprefix(f"{self.root}/")

    @cached_property
    def texts(self) -> dict[str, str]:
        """The sources of the program, and what they include from inside of the version, by name."""
        return {
            f.relative_to(self.root).as_posix(): f.read_text(errors="replace")
            for f in self._known_files
            if f.suffix not in (".ll", ".bc")
        }

    @property
    def may_state(self) -> bool:
        """May there be comments in its sources that state something?"""
        return any("looplaw" in text.lower() for text in self.texts.values())

    @cached_property
    def _known_files(self) -> tuple[Path, ...]:
        return (*self.files, *(f for f in self._all_files if f not in self.files))

    @cached_property
    def _all_files(self) -> list[Path]:
        if self.pair is not None:
            return self.pair.whole_of(self)._all_files
        return with_included(self.files, self.root, self._flags)

    @cached_property
    def key(self) -> str:
        """The content of its files, of the files that they include, and the options."""
        if self.pair is not None:
            return self.pair.key_of(self)
        digest = sha256(f"{__version__}\0{self.options!r}".encode())
        for file in self._all_files:
            digest.update(f"\0{file.relative_to(self.root)}\0".encode())
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def _cached(self, what: str, kind: type[T], found: Callable[[], R]) -> T | R:
        if self.ir is not None:
            return found()
        path = self._cache(what)
        if (known := _kept(path, kind)) is not None:
            return known
        new = found()
        if isinstance(new, msgspec.Struct):
            _keep(path, new)
        return new

    def _cache(self, what: str) -> Path:
        name = sha256(f"{self.key}\0{what}\0{_generation()}".encode()).hexdigest()
        return cache_folder() / "gate" / name[:2] / f"{name}.json"


@dataclass(eq=False)
class _Pair:
    """A unit before and after."""

    whole: tuple[Unit, Unit]

    @staticmethod
    def of(old: Unit, new: Unit) -> tuple[Unit, Unit]:
        """Two versions of a unit as they are compared."""
        if old.ir is not None or new.ir is not None:
            return old, new
        pair = _Pair((old, new))
        return replace(old, pair=pair), replace(new, pair=pair)

    @cached_property
    def _canonical(self) -> tuple[str, str]:
        from staticana import canonical

        from .common_parts import without_common

        old, new = self.whole
        folders = str(old.root), str(new.root)
        parts = without_common(old.compiled, new.compiled, folders)
        try:
            return canonical(parts[0]), canonical(parts[1])
        except InputError:  # of what was left out something is needed: then all is read
            return old.canonical, new.canonical

    def canonical_of(self, unit: Unit) -> str:
        """Its IR in canonical form, without what the other version has alike."""
        return self._canonical[self._side(unit)]

    def key_of(self, unit: Unit) -> str:
        """The content of both, and which one it is."""
        return f"{self._side(unit)} {self.whole[0].key} {self.whole[1].key}"

    def whole_of(self, unit: Unit) -> Unit:
        """It with all that it has."""
        return self.whole[self._side(unit)]

    def _side(self, unit: Unit) -> int:
        return 0 if unit == self.whole[0] else 1


@dataclass(eq=False)
class Beside:
    """The units of a version, of which each has bodies that others call. tree: the folder of the
    version, where all of its sources are at hand."""

    units: tuple[Unit, ...] = ()
    tree: Path | None = None
    _known: dict[tuple[Path, ...], Unit] = field(default_factory=dict)

    def linked(self, unit: Unit, symbol: str) -> Unit | None:
        """A unit with all that have bodies which a function comes to; None where none has."""
        parts, todo, seen = [unit], [(unit, symbol)], set[str]()
        while todo and len(parts) <= _MOST_LINKED:
            part, name = todo.pop()
            for called in _called_elsewhere(*part.code, name):
                if called in seen:
                    continue
                seen.add(called)
                owner = self._defining(called, parts)
                if owner is not None:
                    todo.append((owner, called))
                    if all(owner is not part for part in parts):
                        parts.append(owner)
        if len(parts) == 1:
            return None
        files = tuple(dict.fromkeys(f for part in parts for f in part.files))
        if files not in self._known:
            self._known[files] = replace(unit, files=files, beside=None, pair=None)
        return self._known[files]

    def depth(self, name: str, enough: int, caller: Unit) -> Depth:
        """How many walks stand inside each other in a function."""
        key = (name, enough)
        if key not in self._depths:
            self._depths[key] = UNKNOWN_DEPTH
            owner = self._owner(name, caller)
            self._depths[key] = UNKNOWN_DEPTH if owner is None else owner.depth(name, enough)
        return self._depths[key]

    @cached_property
    def _depths(self) -> dict[tuple[str, int], Depth]:
        return {}

    def joins(self, name: str) -> bool:
        """Has one of the units the body of a function?"""
        return len(self.units) > 1 and self._defining(name, ()) is not None

    def _owner(self, name: str, caller: Unit) -> Unit | None:
        """The unit, or source of the tree, that has the body of a function."""
        joined = self._defining(name, ()) if self.units else None
        if joined is not None:
            return joined
        for file in self._files_with(_plain_name(name)):
            unit = self._unit_of(file, caller)
            try:
                found = unit.code[0].functions.get(name)
            except LooplawError:
                continue  # it may be for another system
            if found is not None and not found.is_declaration:
                return unit
        return None

    @cached_property
    def _named(self) -> dict[str, list[Path]]:
        """Function -> the sources of the tree that seem to define it."""
        found: dict[str, list[Path]] = {}
        files = sorted(self.tree.rglob("*")) if self.tree is not None else []
        for file in files[:_MOST_IN_TREE]:
            if file.suffix in SOURCES and file.is_file():
                for name in set(_DEFINITION.findall(file.read_text(errors="replace"))):
                    found.setdefault(name, []).append(file)
        return found

    def _unit_of(self, file: Path, caller: Unit) -> Unit:
        """Another source of the tree, compiled as the one that calls what it has."""
        if file not in self._read:
            flags = caller.options.commands.get(caller.name, ())
            path = file.relative_to(caller.root).as_posix()
            commands = {path: flags, **caller.options.commands}
            given = replace(caller.options, commands=commands)
            self._read[file] = Unit(path, caller.root, (file,), given, beside=self)
        return self._read[file]

    @cached_property
    def _read(self) -> dict[Path, Unit]:
        return {}

    def _files_with(self, name: str) -> Iterator[Path]:
        """The sources that seem to define a function, as long as not too many were looked at."""
        for file in self._named.get(name, ())[:_MOST_DEFINING]:
            if file in self._read or len(self._read) < _MOST_LOOKED_AT:
                yield file

    def _defining(self, name: str, first: Sequence[Unit]) -> Unit | None:
        """The unit that has the body of a function which others can name."""
        word = re.compile(rf"\b{re.escape(_plain_name(name))}\b")
        for unit in (*first, *(u for u in self.units if all(u is not f for f in first))):
            if not any(word.search(text) for text in unit.texts.values()):
                continue
            try:
                f = unit.code[0].functions.get(name)
            except LooplawError:
                continue  # what does not compile is a finding of its own
            if f is not None and not f.is_declaration and not is_own(f.header[:60]):
                return unit
        return None


def _plain_name(symbol: str) -> str:
    """What a function is called where it is written."""
    return demangled(symbol).rpartition("::")[2]


def _called_elsewhere(module: Module, known: Fingerprints, symbol: str) -> list[str]:
    """The functions without a body here that a function comes to."""
    names = (symbol, *sorted(below(symbol, known)))
    found = (callee(i) for n in names for i in module.functions[n].calls)
    declared = (module.functions.get(n) for n in dict.fromkeys(found) if n)
    return [f.name for f in declared if f is not None and is_elsewhere(module, f)]


@cache
def _generation() -> str:
    """Changes with our own code, so that a new version does not believe an older one's laws."""
    folders = (Path(__file__).resolve().parents[2] / "staticana", Path(__file__).parent)
    files = (f for folder in folders for f in folder.rglob("*.py"))
    return str(max((f.stat().st_mtime_ns for f in files), default=0))


def _kept(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError):
        return None


def _keep(path: Path, laws: msgspec.Struct) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(laws).decode())
    except OSError:
        return  # a cache that cannot be written is no reason to fail


def units(
    root: Path, paths: Sequence[str], options: Options, *, is_tree: bool = False
) -> tuple[Unit, ...]:
    """The programs among files and folders of a version: one where one file has a main function,
    else one for each file, which others are linked to where it calls what they have.

    Args:
        paths: relative to `root`; files that do not exist in this version are left out.
        is_tree: `root` holds the whole version, whose other sources may be looked at.
    """
    files: list[Path] = []
    for path in paths or (".",):
        file = root / path
        if file.is_dir():
            files += sources_in(file, root)
        elif file.is_file():
            files += _including(file, root) if file.suffix in HEADERS else [file]
    files = list(dict.fromkeys(files))
    if not files:
        return ()
    mains = [f for f in files if _has_main(f)]
    if len(files) == 1 or (len(mains) == 1 and len({f.suffix for f in files}) == 1):
        alone = Beside(tree=root if is_tree else None)
        return (Unit(paths[0] if paths else ".", root, tuple(files), options, beside=alone),)
    beside = Beside(tree=root if is_tree else None)
    beside.units = tuple(
        Unit(f.relative_to(root).as_posix(), root, (f,), options, beside=beside) for f in files
    )
    return beside.units


def _including(header: Path, root: Path) -> list[Path]:
    """The first sources of a version that include a header by its name."""
    named = re.compile(rf"""(?m)^\s*#\s*include\s*["<](?:[^">\n]*/)?{re.escape(header.name)}[">]""")
    found = (f for f in sources_in(root, root) if named.search(f.read_text(errors="replace")))
    return list(islice(found, _MOST_INCLUDING))


def _has_main(file: Path) -> bool:
    text = file.read_text(errors="replace") if file.suffix != ".bc" else ""
    return bool(re.search(r"(?m)^[\w\s*]*\bmain\s*\(|@main\(", text))


def compare_units(
    before: Sequence[Unit],
    after: Sequence[Unit],
    *,
    factor: float | None = None,
    region: Stated = lambda f: EVERYWHERE,
    metrics: Sequence[str] = (),
) -> tuple[Change, ...]:
    """The findings of all programs of two versions; those of one side only are new or gone.

    Args:
        factor, region, metrics: as in `findings.changes`.
    """
    compare = partial(changes, factor=factor, region=region, metrics=metrics)
    found = _compared(before, after, compare)
    once: dict[Change, Change] = {}
    for c in found:  # a function of a header is in each program with it, a template in many forms
        name, reason = (_in_versions(said, (*before, *after)) for said in (c.function, c.reason))
        known = replace(c, function=name, reason=reason)
        once.setdefault(replace(known, function=name.partition("<")[0]), known)
    return tuple(once.values())


def _compared(
    before: Sequence[Unit], after: Sequence[Unit], compare: Callable[..., tuple[Change, ...]]
) -> Sequence[Change]:
    """The findings of all programs, those of functions that several have more than once."""
    if len(before) == 1 and len(after) == 1:
        pairs = [(before[0], after[0])]
    else:
        known = {u.name: u for u in before}
        pairs = [(known[u.name], u) for u in after if u.name in known]
        if 1 in (len(before), len(after)) or len(pairs) < max(len(before), len(after)):
            return _together(before, after, compare)
    found: list[Change] = []
    failed: list[Exception] = []
    names = {new.name for _, new in pairs}
    for old, new in pairs:
        try:
            if old.key != new.key and not _is_judged_elsewhere(old, new, names):
                code = _Pair.of(old, new)
                laws = (code[0].outline, code[1].outline)
                found += compare(*laws, code=code, total=new.options.total)
        except Exception as error:  # of one file: the others are judged all the same
            failed.append(error)
            found.append(_not_compared(new.name, error, (old, new)))
    if failed and len(failed) == len(pairs):
        if isinstance(failed[0], InputError):
            raise InputError(_in_versions(str(failed[0]), pairs[0]))
        raise failed[0]
    return found


def _is_judged_elsewhere(old: Unit, new: Unit, names: Set[str]) -> bool:
    """Are all changes in sources that a program includes and that are programs of their own, as
    where a test includes the file that it tests?"""
    files = old.texts.keys() | new.texts.keys()
    changed = {f for f in files if old.texts.get(f) != new.texts.get(f)}
    return bool(changed) and changed <= names - {new.name}


def _in_versions(said: str, units: Iterable[Unit]) -> str:
    """What is said with the paths of the repository, instead of those of temporary folders."""
    for root in {u.root for u in units}:
        said = re.sub(rf"[^\s(`]*{re.escape('/'.join(root.parts[-2:]))}/", "", said)
    return said


def _not_compared(name: str, error: Exception, units: Iterable[Unit]) -> Change:
    """The finding for a file that cannot be read, compiled or compared."""
    why = f"not compared: {_in_versions(said_of(error), units)}"
    return Change("undecided", name, f"{name}:1", "unknown", "unknown", (), why)


@dataclass(frozen=True)
class _Owners:
    """The units of a version as one: each function is known to the unit that has it."""

    units: Mapping[tuple[str, str], Unit]

    @staticmethod
    def of(units: Sequence[Unit]) -> _Owners:
        return _Owners({(f.symbol, f.at): u for u in units for f in u.outline.functions})

    def alone(self, f: FunctionLaws, far: Collection[str] = ()) -> FunctionLaws | None:
        return self._owner(f).alone(f, far)

    def linked(self, f: FunctionLaws) -> FunctionLaws | None:
        return self._owner(f).linked(f)

    def shape(
        self, f: FunctionLaws, inside: Collection[str], names: Mapping[str, str]
    ) -> tuple[Chain, ...] | None:
        return self._owner(f).shape(f, inside, names)

    def depth(self, name: str, enough: int) -> Depth:
        known = (u.depth(name, enough) for u in self.units.values())
        return max(known, key=lambda d: (d.is_all, d.walks), default=UNKNOWN_DEPTH)

    def joins(self, name: str) -> bool:
        return any(u.joins(name) for u in self.units.values())

    def decides(self, f: FunctionLaws) -> str | None:
        return self._owner(f).decides(f)

    def loops_that_call(self, f: FunctionLaws) -> dict[str, str]:
        found: dict[str, str] = {}
        for unit in {id(u): u for u in self.units.values()}.values():
            found |= unit.loops_that_call(f)
        return found

    def _owner(self, f: FunctionLaws) -> Unit:
        return self.units[f.symbol, f.at]


def _together(
    before: Sequence[Unit], after: Sequence[Unit], compare: Callable[..., tuple[Change, ...]]
) -> tuple[Change, ...]:
    """Versions whose files differ: all functions of each side at once, so that what moved from
    file to file is found again."""
    failed: dict[str, Exception] = {}
    for u in (*before, *after):
        try:
            _ = u.outline
        except Exception as error:
            failed.setdefault(u.name, error)
    sides = [[u for u in side if u.name not in failed] for side in (before, after)]
    if failed and not (sides[0] and sides[1]):
        raise next(iter(failed.values()))
    old, new = (
        ProgramLaws(
            next((u.outline.entry for u in side if u.outline.entry), None),
            tuple(f for u in side for f in u.outline.functions),
        )
        for side in sides
    )
    total = next(u.options.total for side in sides for u in side)
    found = compare(old, new, code=(_Owners.of(sides[0]), _Owners.of(sides[1])), total=total)
    return (
        *found,
        *(_not_compared(name, error, (*before, *after)) for name, error in failed.items()),
    )


def saved_laws(path: Path, form: str) -> ProgramLaws:
    """The laws of the functions in a saved analysis or study, whose format is `form`."""
    from ..documents.study import StudyDocument

    kind: type[Any] = AnalysisDocument if form == ANALYSIS else StudyDocument
    return program_of_document(load(path, kind, form))
