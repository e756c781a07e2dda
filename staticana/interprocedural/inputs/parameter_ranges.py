"""What a parameter of the program can be: the least and the largest value, by its type.

IR's integers have no sign. An argument that is passed in a wider register says by `zeroext` or
`signext` how it is widened; of the others the debug information has the source type. Source: LLVM
Language Reference, "Parameter Attributes"; DWARF 5, section 5.1.1 (DW_ATE_*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...expr import ONE, Expr, sym
from ...ir.types import Function, Module

Range = tuple[int, int]
_BITS = re.compile(r"i(\d+)$")
_WORD = re.compile(r"argv\[\d+\]$")
_COUNTS = {"mpi:size": 1, "omp:threads": 1, "mpi:rank": 0, "argc": 1}
"""Origins that number or count something -> the least value."""
_MOST = (1 << 31) - 1
"""The largest number of words, processes or threads: an int."""
_QUALIFIERS = 16
"""Typedefs and qualifiers around a type beyond which it is not looked up."""


def of_counted(origin: str) -> Range | None:
    """The least and the largest value of what numbers or counts something, such as processes; None
    for other origins."""
    return (_COUNTS[origin], _MOST) if origin in _COUNTS else None


def facts_of_counted(names: Mapping[str, str]) -> Iterator[Expr]:
    """What is at least 0 of the parameters (origin -> name) that number or count something."""
    for origin, name in names.items():
        if origin in _COUNTS:
            yield sym(name) - _COUNTS[origin]
    if "mpi:rank" in names and "mpi:size" in names:
        yield sym(names["mpi:size"]) - sym(names["mpi:rank"]) - ONE


def range_of_parameter(
    module: Module, name: str, origin: str, known: Mapping[str, Range]
) -> Range | None:
    """The least and the largest value of a parameter; None where its sign is not known.

    Args:
        known: parameter -> between which numbers the words of the command line are read.
    """
    counted = of_counted(origin)
    if counted is not None:
        return counted
    if _WORD.match(origin):
        return known.get(name)
    if not origin.startswith("arg:"):
        return None
    _, function, at, *part = origin.split(":")
    defined = module.functions.get(function)
    if part or defined is None or int(at) >= len(defined.parameters):
        return None  # the debug information has no type of a part of an argument
    return _of_argument(module, defined, int(at))


def _of_argument(module: Module, function: Function, at: int) -> Range | None:
    parameter = function.parameters[at]
    bits = _BITS.match(parameter.type)
    if bits is None:
        return None
    is_unsigned = _is_unsigned(module, function, at, parameter.attributes)
    if is_unsigned is None:
        return None
    half = 1 << (int(bits[1]) - 1)
    return (0, 2 * half - 1) if is_unsigned else (-half, half - 1)


def _is_unsigned(module: Module, function: Function, at: int, attributes: str) -> bool | None:
    """Is an argument unsigned? None: not known."""
    words = attributes.split()
    if "zeroext" in words or "signext" in words:
        return "zeroext" in words
    subroutine = module.metadata_field(function.dbg, "type")
    types = module.metadata.get(module.metadata_field(subroutine, "types") or "", "")
    listed = re.findall(r"!\d+|null", types[types.find("{") :]) if "{" in types else []
    if len(listed) != len(function.parameters) + 1:  # some are passed in parts, or as addresses
        return None
    node: str | None = listed[at + 1]
    for _ in range(_QUALIFIERS):
        text = module.metadata.get(node or "", "")
        if "DIBasicType(" in text:
            return _says_unsigned(text)
        if "DW_TAG_pointer_type" in text or "DW_TAG_reference_type" in text:
            return None
        node = module.metadata_field(node, "baseType")
        if node is None:
            return None
    return None


def _says_unsigned(basic_type: str) -> bool | None:
    if "DW_ATE_unsigned" in basic_type or "DW_ATE_boolean" in basic_type:
        return True
    return False if "DW_ATE_signed" in basic_type else None
