"""The first line of a function's definition, taken apart and put together again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from staticana.ir.types import Function

from .function_editor import closing_bracket, reference

_LINKAGE = frozenset(
    """define internal private external linkonce linkonce_odr weak weak_odr common appending
    dso_local dso_preemptable default hidden protected dllexport dllimport""".split()
)
_COMDAT = re.compile(r" comdat(?:\(\$(?:\"[^\"]*\"|[^)]*)\))?")
_IN_FRONT_OF_ATTRIBUTES = re.compile(r"(?: (?:local_)?unnamed_addr)?(?: addrspace\(\d+\))?")

CALLER_COUNTS = "%ll.counts"
"""The parameter of a function that counts for its callers: where it adds to."""


@dataclass(frozen=True)
class Signature:
    """The header `define LINKAGE convention result @name(parameters) attributes {`.

    Attributes:
        before: everything in front of the name.
        name: the name as LLVM prints it, with its sigil.
        parameters: the text between the brackets.
        after: what follows the brackets: attributes, section, comdat, debug location.
    """

    before: str
    name: str
    parameters: str
    after: str

    @staticmethod
    def of(function: Function, header: str) -> Signature:
        """The signature of a function with this header."""
        name = reference(function.name, "@")
        at = header.index(f"{name}(")
        start = at + len(name)
        end = closing_bracket(header, start)
        return Signature(header[:at], name, header[start + 1 : end], header[end + 1 :])

    def with_counts(self) -> Signature:
        """With one more parameter: the address of the caller's counts."""
        comma = ", " if self.parameters.strip() else ""
        return replace(self, parameters=f"{self.parameters}{comma}ptr {CALLER_COUNTS}")

    def always_inlined(self) -> Signature:
        """With the attribute by which the optimiser inlines it wherever it can."""
        front = _IN_FRONT_OF_ATTRIBUTES.match(self.after)
        at = front.end() if front else 0
        return replace(self, after=f"{self.after[:at]} alwaysinline{self.after[at:]}")

    @property
    def convention(self) -> str:
        """Calling convention, attributes of the result and its type, as a call needs them."""
        return " ".join(word for word in self.before.split(" ") if word not in _LINKAGE).strip()

    @property
    def result(self) -> str:
        """The type of the result alone."""
        front, depth = self.convention, 0
        for at in range(len(front) - 1, -1, -1):
            depth += (front[at] in ")]}>") - (front[at] in "([{<")
            if depth == 0 and front[at] == " ":
                return front[at + 1 :]
        return front

    def text(self) -> str:
        """The header."""
        return f"{self.before}{self.name}({self.parameters}){self.after}"

    def copied(self, name: str, after: str) -> str:
        """The header of a copy, which is internal and in no comdat of its own."""
        after = _COMDAT.sub("", after)
        return f"define internal {self.convention} {name}({self.parameters}){after}"
