"""Functions that read a number from the text they are handed, once for each call.

In `n = number(argv[1]); m = number(argv[2]);` one function returns two parameters of the program,
and has one result for all its calls. Small functions that hand a parameter to atoi, strtol,
std::stoi and the like, or an element of one, are copied for each call, as an inliner does. Copies
are for the analysis; the program that runs is the one that was compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..alias.library import library_function, source_name
from ..ir.copies import Copied, copied_for_calls
from ..ir.graph import callee, closure
from ..ir.matchers import is_gep, is_load
from ..ir.system_files import is_system_file
from ..ir.types import Function, Instruction, Module
from .inputs.string_texts import is_made_of_text

_MOST_LINES = 400
"""Lines of a function that is copied; with all its variables on the stack it may be long."""


def with_reader_copies(module: Module, entry: str) -> Copied:
    """The module with such functions copied for each of their calls; itself where there are none,
    or too many."""
    return copied_for_calls(module, lambda m, _: dict.fromkeys(_readers(m, entry), ()))


def _readers(module: Module, entry: str) -> frozenset[str]:
    """Small functions that hand a parameter to what reads a number from text. Those that call
    sscanf, as readers of files do, only where the command line comes to them."""
    small = {
        f.name: f
        for f in module.functions.values()
        if not f.is_declaration
        and f.name != entry
        and f.end - f.line <= _MOST_LINES
        and not is_system_file(module.file_of(f.dbg) or "")
        and all(callee(i) != f.name for i in _calls(f))
    }
    numbers, scanning = _read(small, scans=False), _read(small, scans=True)
    if len(numbers) == len(scanning):
        return numbers
    main = module.functions[entry]
    words = {str(p.token) for p in main.parameters[1:2]}
    handed = {callee(i) or "" for i in _calls(main) if words.intersection(i.operands[1:])}

    def called(name: str) -> list[str]:
        return [n for i in _calls(module.functions[name]) if (n := callee(i) or "") in scanning]

    given = [n for name in ({entry} | handed) & module.functions.keys() for n in called(name)]
    return numbers | closure(given, called)


def _read(small: Mapping[str, Function], *, scans: bool) -> frozenset[str]:
    """The readers among functions, with or without those that call sscanf."""
    found: dict[str, frozenset[int]] = {}
    changed = True
    while changed:
        changed = False
        for name, f in small.items():
            parameters = {str(p.token): k for k, p in enumerate(f.parameters)}
            read = {
                parameters[token]
                for i in _calls(f)
                for text in _texts(i, found, scans=scans)
                if (token := _origin(f, text)) in parameters
            }
            if read - found.get(name, frozenset()):
                found[name] = found.get(name, frozenset()) | read
                changed = True
    return frozenset(found)


def _texts(i: Instruction, readers: Mapping[str, frozenset[int]], *, scans: bool) -> Iterator[str]:
    """The text that a call reads a number from, or makes a string of."""
    name = callee(i) or ""
    known = library_function(name)
    is_scan = scans and source_name(name) == "sscanf"
    if is_scan or (known is not None and known.parses is not None):
        yield from map(str, i.operands[1:2])
    elif is_made_of_text(name):
        yield from map(str, i.operands[2:3])
    for k in readers.get(name, ()):
        yield from map(str, i.operands[k + 1 : k + 2])


def _origin(f: Function, text: str) -> str:
    """The register that a text is, or that points to the words of which it is one: `argv[k]`."""
    i = f.definitions.get(text)
    if not is_load(i):
        return text
    array = f.definitions.get(i.operands[0])
    return str(array.operands[0] if array and is_gep(array) else i.operands[0])


def _calls(f: Function) -> Iterator[Instruction]:
    return (i for i in f.calls if i.operands)
