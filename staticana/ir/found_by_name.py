"""What a program comes to by names that are no operands of its instructions: assembly that calls a
function or writes a variable, `dlsym` in the program itself, and the sets that linkers make of the
variables in one section (`__start_tests` to `__stop_tests`).
"""

from __future__ import annotations

import re

from .linkage import is_own
from .types import IntLiteral, Module, unquoted

BOUNDS = ("__start_", "__stop_")
"""How the names begin by which linkers call the ends of a section (GNU ld, "Orphan Sections")."""
_ASSEMBLY = re.compile(r'\basm (?:(?:sideeffect|alignstack|inteldialect|unwind) )*"([^"]*)"')
_SECTION = re.compile(r'(?m)^@("[^"]*"|[\w.$-]+) = .*, section "([A-Za-z_]\w*)"')
_WORD = re.compile(r"[\w.$]+")
_ESCAPE = re.compile(r"\\[0-9A-F]{2}")
_FINDING = {"dlsym": 1, "dlvsym": 1, "dlopen": 1}
"""Functions that find what the program itself has, where this operand is no other library."""


def found_by_name(module: Module) -> frozenset[str]:
    """The functions and variables that may be called, read or written so."""
    found: set[str] = set()
    if "asm " in module.text:
        for text in _ASSEMBLY.findall(module.text):
            words = _WORD.findall(_ESCAPE.sub(" ", text))
            found.update(w for w in words if w in module.functions or w in module.globals)
    if any(name in module.functions for name in _FINDING) and _finds_itself(module):
        found.update(n for n, f in module.functions.items() if not is_own(f.header[:60]))
        found.update(n for n, g in module.globals.items() if not is_own(g.attributes))
    bounds = [name for name in module.globals if name.startswith(BOUNDS)]
    if bounds:
        found.update(bounds)
        found.update(
            unquoted(name)
            for name, section in _SECTION.findall(module.text)
            if any(f"{bound}{section}" in module.globals for bound in BOUNDS)
        )
    return frozenset(found)


def _finds_itself(module: Module) -> bool:
    for f in module.functions.values():
        for i in f.calls:
            at = _FINDING.get(i.operands[0][1:])
            if at is None:
                continue
            handle = i.operands[at]
            if handle == "null" or isinstance(handle, IntLiteral) or "inttoptr" in handle:
                return True
    return False


def is_bound(module: Module, name: str) -> bool:
    """Is it what a linker calls the end of a section, and so one of the variables there?"""
    g = module.globals.get(name)
    return name.startswith(BOUNDS) and g is not None and not g.initializer
