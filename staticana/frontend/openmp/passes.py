"""LLVM's passes over a module that holds models of containers."""

from __future__ import annotations

import re

from ..isolation import transformed

_HEAD = re.compile(r"(?m)^(?:source_filename|target) [^\n]*\n")
_CALLED = re.compile(r"\bcall [^@\n]*@(looplaw\.[\w.]+)\(")
_GIVEN = re.compile(r"(?m)^(?:define|declare) [^@\n]*@(looplaw\.[\w.]+)\(")
_TYPES_OF_MODELS = re.compile(r"(?m)^%\"?looplaw\.[^=\n]+ = type [^\n]*\n")
"""They stand at the end (`models`), where LLVM does not look for the size of a type."""


def transformed_with_models(text: str, passes: tuple[str, ...]) -> str:
    """The text after LLVM's passes, which reads the types of models first, and wants the functions
    declared that models call.

    Raises:
        InputError: LLVM does not read the text.
    """
    known = set(_GIVEN.findall(text))
    called = sorted(set(_CALLED.findall(text)) - known)
    text += "".join(f"declare void @{name}(...)\n" for name in called)
    types = "".join(_TYPES_OF_MODELS.findall(text))
    if types:
        text = _TYPES_OF_MODELS.sub("", text)
        at = max((m.end() for m in _HEAD.finditer(text)), default=0)
        text = text[:at] + types + text[at:]
    return transformed(text, passes)
