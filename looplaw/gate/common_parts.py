"""What two versions of a program have alike, left out before either is read.

The work of the gate should be that of the change, not that of the file. Of functions that are the
same in both versions, only those keep a body that a changed function calls, or that call one,
directly or not; the others become declarations, and variables that they may set have any value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from staticana.ir.graph import closure
from staticana.ir.tokens import matching, split_type

_NAME = r'@("[^"]*"|[\w.$-]+)'
_FUNCTION = re.compile(rf"(?ms)^(define [^\n]*?{_NAME}\(.*?^\}}$)")
_GLOBAL = re.compile(rf"(?m)^{_NAME} = (.*)$")
_TYPE = re.compile(r"(?m)^%(\"[^\"]*\"|[\w.$:-]+) = type (.*)$")
_USED = re.compile(_NAME)
_USED_TYPE = re.compile(r"%(\"?(?:struct|class|union)\.[^\s,*()\[\]{}<>\"]+\"?)")
_NOISE = re.compile(r"\n\s+#dbg_[^\n]*|,? ![\w.]+ !\d+| #\d+\b")
"""Debug records, metadata and the numbers of attributes, which other functions change."""
_CALL = re.compile(r"(?m)^.* call .*!dbg !(\d+).*$")
_LOCATION = re.compile(r"(?m)^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)")
_NUMBER = re.compile(r"\.\d+(?=\"?$)")
_NAMELESS = re.compile(r"@(\.str[\w.]*)")
_LINKAGE = re.compile(
    r"\b(?:internal|private|linkonce_odr|linkonce|weak_odr|weak|available_externally|dso_local"
    r"|hidden|protected|local_unnamed_addr|unnamed_addr) "
)
KEEPS_BODIES = re.compile(r"\bblockaddress\(|\b(?:alias|ifunc) ")
"""In lines of what only functions with a body can be named in."""
_ELEMENT = re.compile(r"\s+(%[\w.$-]+) = getelementptr [^@%]*ptr ([@%][\w.$-]+),")
_VARIABLE = re.compile(r"^((?:[\w()]+ )*)global (.*)$")


def without_common(before: str, after: str, folders: tuple[str, str]) -> tuple[str, str]:
    """Two modules without the bodies that both have alike and that the change does not concern.

    Args:
        folders: of the two versions, which stand in the names of files.
    """
    old, new = _Version(before, folders[0]), _Version(after, folders[1])
    if "main" in old.functions or "main" in new.functions:
        return before, after
    types = _differing(old.types, new.types)
    variables = _differing(old.variables, new.variables)
    names = old.functions.keys() | new.functions.keys()
    changed = {
        name
        for name in names
        if old.plain(name) != new.plain(name)
        or any(v.touches(name, types, variables) for v in (old, new))
    }
    kept = changed | old.concerned(changed) | new.concerned(changed)
    return old.without(names - kept), new.without(names - kept)


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> frozenset[str]:
    return frozenset(n for n in old.keys() | new.keys() if old.get(n) != new.get(n))


@dataclass(frozen=True)
class _Version:
    """The text of a module, and the folder that its files are in."""

    text: str
    folder: str

    @cached_property
    def functions(self) -> dict[str, str]:
        """Function -> its text."""
        return {name.strip('"'): text for text, name in _FUNCTION.findall(self.text)}

    @cached_property
    def _globals(self) -> dict[str, str]:
        return {name.strip('"'): what for name, what in _GLOBAL.findall(self.text)}

    @cached_property
    def variables(self) -> dict[str, str]:
        """Variable that has a name in the source -> what is in it."""
        found = ((n, what) for n, what in self._globals.items() if not n.startswith(".str"))
        return {n: self._plainly(what) for n, what in found}

    @cached_property
    def types(self) -> dict[str, frozenset[str]]:
        """Structure, without the number that tells those of one name apart -> what it is."""
        found: dict[str, set[str]] = {}
        for name, what in _TYPE.findall(self.text):
            plain = _USED_TYPE.sub(lambda m: _NUMBER.sub("", m[1]), what)
            found.setdefault(_NUMBER.sub("", name), set()).add(plain)
        return {name: frozenset(whats) for name, whats in found.items()}

    def plain(self, name: str) -> str | None:
        """A function without what other functions change in it."""
        if name not in self._plain:
            text = self.functions.get(name)
            self._plain[name] = None if text is None else self._plainly(self._without_lines(text))
        return self._plain[name]

    @cached_property
    def _plain(self) -> dict[str, str | None]:
        return {}

    def _plainly(self, text: str) -> str:
        text = _NAMELESS.sub(lambda m: self._globals.get(m[1], m[0]), _NOISE.sub("", text))
        text = _NOISE.sub("", text).replace(self.folder, "")
        return _USED_TYPE.sub(lambda m: _NUMBER.sub("", m[1]), text)

    def _without_lines(self, text: str) -> str:
        """A function whose calls that are handed the name of a file, as by an assertion, do not
        hold their own line."""
        if self._file_names.isdisjoint(_NAMELESS.findall(text)):
            return text

        def without(m: re.Match[str]) -> str:
            is_told = not self._file_names.isdisjoint(_NAMELESS.findall(m[0]))
            line = self._lines.get(m[1], "")
            return re.sub(rf"(?<= ){line}(?=[,)])", "line", m[0]) if is_told and line else m[0]

        return _CALL.sub(without, text)

    @cached_property
    def _file_names(self) -> frozenset[str]:
        """The constants that are names of files of the version."""
        found = self._globals.items()
        return frozenset(n for n, w in found if n.startswith(".str") and self.folder in w)

    @cached_property
    def _lines(self) -> dict[str, str]:
        """Debug location -> its line."""
        return dict(_LOCATION.findall(self.text))

    def touches(self, name: str, types: frozenset[str], variables: frozenset[str]) -> bool:
        """Does a function use one of these structures or variables?"""
        text = self.plain(name) or ""
        return bool(variables and not variables.isdisjoint(self._reached(name))) or bool(
            types and any(t in types for t in _USED_TYPE.findall(text))
        )

    def _used(self, name: str) -> frozenset[str]:
        """What a function, or the initializer of a variable, names."""
        if name not in self._uses:
            text = self.functions.get(name) or self._globals.get(name, "")
            self._uses[name] = frozenset(n.strip('"') for n in _USED.findall(text))
        return self._uses[name]

    def _reached(self, name: str) -> set[str]:
        """What a function names, and what variables hold that it comes to by them."""
        return closure(self._used(name), lambda n: () if n in self.functions else self._used(n))

    def _changed_by(self, name: str) -> Iterator[str]:
        """What a function names, and what variables hold that it comes to by them, without the
        variables of the module that it only reads."""
        text = self.functions[name]
        for used in self._reached(name):
            is_own = " internal " in f" {self._globals.get(used, '')}"
            if not (is_own and used in self._used(name) and _only_reads(text, f"@{used}")):
                yield used

    @cached_property
    def _uses(self) -> dict[str, frozenset[str]]:
        return {}

    def concerned(self, changed: Iterable[str]) -> set[str]:
        """The functions that some come to, and those that come to them."""
        callers: dict[str, list[str]] = {}
        for name in self.functions:
            for used in self._reached(name):
                callers.setdefault(used, []).append(name)
        above = closure(changed, lambda n: callers.get(n, ()))
        bodies = (what for what in self._globals.values() if KEEPS_BODIES.search(what))
        needed = {n.strip('"') for what in bodies for n in _USED.findall(what)}
        return closure({*changed, *needed}, self._used) | above

    def without(self, gone: set[str]) -> str:
        """The module with declarations in place of some functions; variables that these come to
        are those of others."""
        left = [name for name in gone if name in self.functions]
        touched = {n for name in left for n in self._changed_by(name)}

        def declared(m: re.Match[str]) -> str:
            return _declaration(m[1]) if m[2].strip('"') in gone else m[0]

        def outside(m: re.Match[str]) -> str:
            name = m[1].strip('"')
            return (name in touched and _external(m[1], m[2])) or m[0]

        return _GLOBAL.sub(outside, _FUNCTION.sub(declared, self.text))


def _only_reads(text: str, address: str) -> bool:
    """Does a function load from an address, or an element of what is there, and nothing else?"""
    lines = re.findall(rf"(?m)^.*{re.escape(address)}(?![\w.$-]).*$", text)
    parts = (_ELEMENT.match(line) for line in lines if " load " not in line)
    are_loaded = (m is not None and m[2] == address and _is_loaded(text, m[1]) for m in parts)
    return bool(lines) and all(are_loaded)


def _is_loaded(text: str, part: str) -> bool:
    uses = re.findall(rf"(?m)^.*[ (]{re.escape(part)}(?![\w.$-]).*$", text)
    return sum(" load " not in line for line in uses) == 1  # the one that makes it


def _declaration(text: str) -> str:
    """The declaration of a function."""
    header = text[len("define ") : text.index("\n")]
    named = _USED.search(header)
    end = matching(header, header.index("(", named.end() - 1 if named else 0))
    return f"declare {_LINKAGE.sub('', header[: end + 1])}"


def _external(name: str, what: str) -> str:
    """A variable as one of another file; empty for what is none, or is one already."""
    found = _VARIABLE.match(what)
    if found is None or name.startswith(("llvm.", '"llvm.')) or "external " in found[1]:
        return ""
    local = "thread_local " if "thread_local" in found[1] else ""
    dbg = re.search(r", !dbg !\d+", what)
    return f"@{name} = external {local}global {split_type(found[2])[0]}{dbg[0] if dbg else ''}"
