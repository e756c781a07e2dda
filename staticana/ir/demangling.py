"""Names of C++, Rust, Fortran and numba functions as sources have them, from their mangled names.

Only the qualified name is read, `std::vector::push_back` of
`_ZNSt6vectorIiSaIiEE9push_backERKi`: template arguments and parameters would fill a line and say
little. The grammar is that of the Itanium C++ ABI, section 5.1 ("External names"), which Rust's
older mangling follows, too. Fortran's is flang's: `_QMcfgElast` is the variable `last` of module
`cfg` (flang/docs/BijectiveInternalNameUniquing.md). numba writes brackets as `_3c` and `_3e`, and
tags whose lengths do not fit.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STANDARD = {
    "St": ("std",),
    "Sa": ("std", "allocator"),
    "Sb": ("std", "basic_string"),
    "Ss": ("std", "string"),
    "Si": ("std", "istream"),
    "So": ("std", "ostream"),
    "Sd": ("std", "iostream"),
}
_OPERATORS = dict(
    pair.split(":", 1)
    for pair in (
        "nw:new na:new[] dl:delete da:delete[] ps:+ ng:- ad:& de:* co:~ pl:+ mi:- ml:* dv:/ rm:%"
        " an:& or:| eo:^ aS:= pL:+= mI:-= mL:*= dV:/= rM:%= aN:&= oR:|= eO:^= ls:<< rs:>> lS:<<="
        " rS:>>= eq:== ne:!= lt:< gt:> le:<= ge:>= ss:<=> nt:! aa:&& oo:|| pp:++ mm:-- cm:,"
        " pm:->* pt:-> cl:() ix:[]"
    ).split()
)
_HIDDEN = re.compile(r"__cxx11|__1|_V2|_GLOBAL__N_1|h[0-9a-f]{16}|_3clocals_3e")
"""Inline namespaces, the anonymous namespace, the hash that Rust adds, and Python's `<locals>`."""
_BRACKETED = re.compile(r"_3c(\w+?)_3e")
_MANGLED = re.compile(r"\b_Z\w+")
_FORTRAN = re.compile(r"\b_Q(?:[A-Z][a-z0-9_]*)*[EFPT]([a-z][a-z0-9_]*)(?![\w.])")
_TOKEN = re.compile(r"S[0-9A-Z]*_|S[a-z]|T[0-9]*_|D[tT]|D[a-z]|[NIXLJF]|E|\d+|.")


@lru_cache(maxsize=4096)
def demangled(name: str) -> str:
    """The qualified name of a function in the source, and the plain one of what Fortran names; the
    name itself where it is not mangled, or in a way that is not known."""
    if not name.startswith("_Z"):
        return _FORTRAN.sub(r"\1", name) if name.startswith("_Q") else name
    parts = _Reader(name, 2).name()
    return "::".join(parts) if all(parts) and parts else name


def with_source_names(text: str) -> str:
    """A text in which functions, and variables of Fortran, have the names of the source."""
    if "_Q" in text:
        text = _FORTRAN.sub(r"\1", text)
    return _MANGLED.sub(lambda m: demangled(m[0]), text) if "_Z" in text else text


class _Reader:
    """Reads a mangled name from a position on."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def name(self) -> list[str]:
        """The parts of the name; empty where it is of a kind that is not read."""
        nested = self._took("N")
        if nested:
            while self.text[self.at : self.at + 1] in ("r", "V", "K", "R", "O"):
                self.at += 1
        elif self._took("Z"):  # local to a function
            return self.name()
        parts: list[str] = []
        is_tagged = False
        while self.at < len(self.text):
            if nested and self._took("E"):
                break
            is_tagged = is_tagged or self.text[self.at] == "B"
            found = self._part(parts)
            if found is None:
                return parts if is_tagged or not nested else []
            parts += found
            if not nested and parts and parts != ["std"]:
                break
        return parts

    def _took(self, mark: str) -> bool:
        if self.text.startswith(mark, self.at):
            self.at += len(mark)
            return True
        return False

    def _part(self, before: list[str]) -> list[str] | None:
        """The next part of a name, none for what is left out; None where it cannot be read."""
        two = self.text[self.at : self.at + 2]
        if two[:1].isdigit():
            word = self._word()
            return [] if _HIDDEN.fullmatch(word) else [_BRACKETED.sub(r"\1", word)]
        if two in _STANDARD:
            self.at += 2
            return list(_STANDARD[two])
        if two[:1] == "I":
            self._skip()
            return []
        if two[:1] in ("B", "L"):  # a tag of the ABI; internal linkage
            self.at += 1
            if two[0] == "B":
                self._word()
            return []
        if re.fullmatch(r"[CD][0-5]", two) and before:
            self.at += 2
            return [before[-1] if two[0] == "C" else f"~{before[-1]}"]
        if two in _OPERATORS:
            self.at += 2
            sign = _OPERATORS[two]
            return [f"operator{' ' if sign[0].isalpha() else ''}{sign}"]
        return None

    def _word(self) -> str:
        digits = re.compile(r"\d+").match(self.text, self.at)
        if digits is None:
            return ""
        start = digits.end()
        self.at = start + int(digits[0])
        return self.text[start : self.at]

    def _skip(self) -> None:
        """Template arguments, up to the E that ends them."""
        depth = 0
        while self.at < len(self.text):
            token = _TOKEN.match(self.text, self.at)
            assert token is not None, "any character is a token"
            word = token[0]
            if word.isdigit():
                self._word()
                continue
            self.at = token.end()
            if word == "L":  # a literal, whose digits are no length
                self._literal()
            elif word in ("N", "I", "X", "J", "F", "Dt", "DT"):
                depth += 1
            elif word == "E":
                depth -= 1
                if not depth:
                    return

    def _literal(self) -> None:
        plain = re.compile(r"[a-z]n?\d*E").match(self.text, self.at)
        if plain is not None:
            self.at = plain.end()
            return
        if self._took("_Z"):
            self.name()
        self._word()  # the type, where it is a plain one
        depth = 0
        while (token := _TOKEN.match(self.text, self.at)) is not None:
            if depth and token[0].isdigit():
                self._word()
                continue
            self.at = token.end()
            depth += (token[0] in ("N", "I")) - (token[0] == "E")
            if depth < 0:
                return
