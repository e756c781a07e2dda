"""Kernels that stand in other files: in texts that a host hands to its library at run time (OpenCL
C, and CUDA and HIP for nvrtc, hiprtc, PyCUDA and CuPy), and in files that hold nothing but the
literals of such a text.

The texts of a host in C or C++ are constants of its IR, whatever macros and headers they were put
together by; those of a host in Python are constants of its syntax tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...ir.initialisers import text_of

_KERNEL = re.compile(
    r"\b(?:__)?kernel\b(?:[\w\s]|__attribute__\s*\(\(.*?\)\))*?\bvoid\s+(\w+)\s*\("
)
_GLOBAL = re.compile(
    r"\b__global__\s+(?:(?:static|inline|__launch_bounds__\s*\([^()]*\))\s+)*void\s+"
    r"(?:__launch_bounds__\s*\([^()]*\)\s*)?(\w+)\s*\("
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.M)
_CONSTANT = re.compile(r'^@[^=\n]+ = [^"\n]*\bconstant \[\d+ x i8\] (c"[^"\n]*")', re.M)
_RAW = re.compile(r'R"(?P<mark>[^()\\\s]*)\((?P<text>.*?)\)(?P=mark)"', re.S)


def kernels_in(text: str) -> tuple[str, ...]:
    """The names of the kernels that a text defines."""
    code = _DIRECTIVE.sub("", _COMMENT.sub(" ", text))
    return tuple(dict.fromkeys((_GLOBAL if is_cuda(text) else _KERNEL).findall(code)))


def is_cuda(text: str) -> bool:
    """Is a text with kernels CUDA or HIP, rather than OpenCL C?"""
    return "__global__" in text


def texts_in_ir(ir_text: str) -> tuple[str, ...]:
    """The constants of a module that are texts with kernels."""
    if "kernel" not in ir_text and "__global__" not in ir_text:
        return ()
    constants = (m[1] for m in _CONSTANT.finditer(ir_text))
    found = (text_of(c) for c in constants if "kernel" in c or "__global__" in c)
    texts = (t.rstrip(b"\0").decode("utf-8", "replace") for t in found if t is not None)
    return tuple(dict.fromkeys(t for t in texts if kernels_in(t)))


def texts_in_source(source: str) -> tuple[str, ...]:
    """The raw literals of a program in C++ that are texts with kernels."""
    found = (m["text"] for m in _RAW.finditer(source))
    return tuple(dict.fromkeys(t for t in found if kernels_in(t)))


def texts_in_python(source: str) -> tuple[str, ...]:
    """The constants of a program in Python that are texts with kernels, in their order.

    Raises:
        SyntaxError: it is not Python.
    """
    nodes = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant))
    texts = [(n.lineno, n.value) for n in nodes if isinstance(n.value, str)]
    return tuple(dict.fromkeys(t for _, t in sorted(texts) if kernels_in(t)))


def is_part(path: Path) -> bool:
    """Is a file the literals of a text, or of a part of one?"""
    return text_in_literals(path.read_text(encoding="utf-8", errors="replace")) is not None


def text_in_literals(source: str) -> str | None:
    """The text of a file that holds raw literals and comments only, each line where it was; None
    for other files."""
    parts = list(_RAW.finditer(source))
    if not parts or not parts[0]["text"].strip():
        return None
    rest = _COMMENT.sub("", _RAW.sub("", source))
    if rest.strip():
        return None
    lines, at = [], 0
    for part in parts:
        lines += ["\n" * source.count("\n", at, part.start("text")), part["text"]]
        at = part.end("text")
    return "".join(lines)


def with_places(text: str, source: str, name: str | Path) -> str:
    """A text behind the directive that says where in a source file it stands: the line of its first
    kernel is looked for there."""
    found = (_GLOBAL if is_cuda(text) else _KERNEL).search(text)
    if found is None:
        return text
    end = text.find("\n", found.start())
    line = text[text.rfind("\n", 0, found.start()) + 1 : end if end >= 0 else len(text)].strip()
    at = next((n for n, own in enumerate(source.split("\n"), 1) if line in own), None)
    first = None if at is None else at - text.count("\n", 0, found.start())
    return text if first is None or first < 1 else f'#line {first} "{name}"\n{text}'


def with_own_names(texts: Sequence[str]) -> Iterator[str]:
    """Texts whose kernels are told apart: a name that an earlier one has gets a number."""
    taken: set[str] = set()
    for text in texts:
        names = kernels_in(text)
        renamed = []
        for name in names:
            new, n = name, 2
            while new in taken:
                new, n = f"{name}_{n}", n + 1
            taken.add(new)
            if new != name:
                renamed.append(f"#define {name} {new}\n")
        yield "".join(renamed) + text
