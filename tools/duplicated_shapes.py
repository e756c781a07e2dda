"""Count code that stands twice: runs of statements of the same shape in two files.

    python -m tools.duplicated_shapes [TREE] [--least 6] [--top 30] [--declarations]

A shape is a logical line with all names, numbers and strings replaced by one of each. Lines are
taken from the syntax tree, so that formatting does not matter; imports, docstrings and comments are
left out. Printed are the pairs of places in different files of the packages that share a run of at
least six such lines, the longest first, and their number. Only the longest runs count: a pair is
not counted again for its parts.

Only code in functions is compared: two lists of fields or constants are alike, but not code that
could stand once. --declarations compares these as well.
"""

from __future__ import annotations

import argparse
import ast
import io
import keyword
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

_NUMBERS = count()
PACKAGES = ("looplaw_common", "staticana", "runtime", "modeling", "looplaw")
_SKIPPED = frozenset((tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT))


@dataclass(frozen=True)
class Line:
    """A logical line: its number in the file, and its shape."""

    number: int
    shape: str


@dataclass(frozen=True)
class Pair:
    """A run of `length` lines that begins at two places, each file:line."""

    first: str
    second: str
    length: int


class _WithoutFormats(ast.NodeTransformer):
    """Format strings become plain ones: what they contain is text."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.copy_location(ast.Constant(""), node)


def shape_of(text: str) -> str:
    """The tokens of a line, with one name, one number and one string for all."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            found.append(token.string if keyword.iskeyword(token.string) else "n")
        elif token.type == tokenize.NUMBER:
            found.append("0")
        elif token.type == tokenize.STRING:
            found.append("s")
        elif token.type not in _SKIPPED:
            found.append(token.string)
    return " ".join(found)


def _header(node: ast.stmt) -> str:
    """The text of a statement without the statements inside it."""
    if isinstance(node, ast.Try | ast.TryStar):
        return "try:"
    bare: dict[str, list[ast.stmt]] = {"orelse": []} if hasattr(node, "orelse") else {}
    fields = dict(ast.iter_fields(node)) | bare | {"body": [ast.Pass()]}
    copy = type(node)(**fields)
    return ast.unparse(ast.fix_missing_locations(ast.copy_location(copy, node)))


def _is_text(node: ast.stmt) -> bool:
    """Is it a docstring, or the `...` of a body that is left out?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_stub(node: ast.FunctionDef) -> bool:
    """Is it a method of a protocol, without a body?"""
    return all(map(_is_text, node.body))


def _unlike_others() -> str:
    return f"declaration {next(_NUMBERS)}"


def lines_of(body: Sequence[ast.stmt], *, declarations: bool = False) -> Iterator[Line]:
    """The logical lines of a file or a class, in order. A declaration is a line that is like no
    other, unless `declarations` are wanted."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not declarations:
            yield Line(node.lineno, _unlike_others())
            yield from lines_of(node.body)
        elif declarations or (isinstance(node, ast.FunctionDef) and not _is_stub(node)):
            yield from _lines((node,))
        else:
            yield Line(node.lineno, _unlike_others())


def _lines(body: Sequence[ast.stmt]) -> Iterator[Line]:
    """The logical lines of statements and of what they contain."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            continue
        if not hasattr(node, "body"):
            if isinstance(node, ast.Match):
                yield Line(node.lineno, "match")
                for case in node.cases:
                    yield Line(case.pattern.lineno, shape_of(ast.unparse(case.pattern)))
                    yield from _lines(case.body)
            else:
                yield Line(node.lineno, shape_of(ast.unparse(node)))
            continue
        for text in _header(node).split("\n"):
            if text.strip() != "pass":
                yield Line(node.lineno, shape_of(text.strip()))
        yield from _lines(node.body)
        for handler in getattr(node, "handlers", ()):
            kind = "" if handler.type is None else shape_of(ast.unparse(handler.type))
            yield Line(handler.lineno, f"except {kind}")
            yield from _lines(handler.body)
        for name in ("orelse", "finalbody"):
            inner = getattr(node, name, [])
            if inner:
                yield Line(inner[0].lineno, name)
                yield from _lines(inner)


def read(tree: Path, *, declarations: bool = False) -> dict[str, list[Line]]:
    """The logical lines of every file of the packages, by path."""
    found = {}
    for package in PACKAGES:
        for path in sorted((tree / package).rglob("*.py")):
            parsed = _WithoutFormats().visit(ast.parse(path.read_text(encoding="utf-8")))
            found[str(path.relative_to(tree))] = list(
                lines_of(parsed.body, declarations=declarations)
            )
    return found


def duplicates(files: dict[str, list[Line]], least: int) -> list[Pair]:
    """The longest common runs of at least `least` lines, the longest first."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for path, lines in files.items():
        for start in range(len(lines) - least + 1):
            places[tuple(line.shape for line in lines[start : start + least])].append((path, start))
    found = []
    for same in places.values():
        for k, (a, i) in enumerate(same):
            for b, j in same[k + 1 :]:
                if a == b or (i and j and files[a][i - 1].shape == files[b][j - 1].shape):
                    continue  # the second: part of a run that began before
                length = _common(files[a][i:], files[b][j:])
                ends = (f"{a}:{files[a][i].number}", f"{b}:{files[b][j].number}")
                found.append(Pair(*ends, length))
    return sorted(found, key=lambda p: (-p.length, p.first, p.second))


def _common(a: Sequence[Line], b: Sequence[Line]) -> int:
    """How many lines two sequences have in common at their front."""
    length = 0
    for one, other in zip(a, b, strict=False):
        if one.shape != other.shape:
            break
        length += 1
    return length


def main() -> None:
    """Print the pairs of a tree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("tree", type=Path, nargs="?", default=root)
    parser.add_argument("--least", type=int, default=6, help="lines of a run")
    parser.add_argument("--top", type=int, default=30, help="pairs printed; 0 for all")
    parser.add_argument("--declarations", action="store_true", help="compare these too")
    given = parser.parse_args()
    found = duplicates(read(given.tree, declarations=given.declarations), given.least)
    for pair in found[: given.top or None]:
        print(f"{pair.length:>4} lines  {pair.first}  {pair.second}")
    print(f"{len(found)} pairs of places share runs of {given.least} or more logical lines")


if __name__ == "__main__":
    main()
