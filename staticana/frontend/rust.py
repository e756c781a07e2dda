"""Rust through rustc, whose loops are calls of iterators.

`for i in 0..n` is a loop around a call of an iterator's `next`, which returns a tag that says
whether there is a next item. Library functions without loops and iterators are inlined and the tags
folded away; what comes from the library then gets the location of the call in the program. rustc
writes no loop metadata: the keyword in the source at the place of the loop's branches tells the
test of a `for` or `while` from a `break`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from looplaw_common.commands import as_argument, tool
from looplaw_common.errors import InputError

from ..ir.graph import callee
from ..ir.loop_info import Loop, loop_forest
from ..ir.matchers import is_any, is_icmp, is_phi
from ..ir.parser import one_line_each, parse_module
from ..ir.types import Block, Function, Instruction, Location, Module, Operand, operand, quoted
from .front_end import run_compiler, unreadable
from .isolation import BrokeDown, Refused, read_apart
from .loop_shape import LoopMarks, folded, one_latch, own_exits

# Level 1 keeps places as they are written, and leaves out library code that only checks
# preconditions
RUST_FLAGS = (
    "--emit=llvm-ir",
    "-Copt-level=1",
    "-Cdebuginfo=2",
    "-Coverflow-checks=off",
    "-Cdebug-assertions=off",
    "-Cpanic=abort",
    "-Ccodegen-units=1",
    "-Cno-prepopulate-passes",
)
_FILE = re.compile(r'(?m)^(!\d+) = !DIFile\(filename: "[^"]*", directory: "/(?:rustc|rust/deps)/')
_CRATE = re.compile(r'(?m)^(!\d+ = !DIFile\(filename: ")(?=[^"/][^"]*", directory: "/rust/deps/)')
_ITERATORS = re.compile(
    r'(?m)^(!\d+) = !DIFile\(filename: "library/core/src/(?:iter|slice/iter|ops|array/iter)\b'
)
_PROGRAM = re.compile(r"(?m)^(!\d+) = distinct !DISubprogram\(.*?file: (!\d+)")
_PLACE = re.compile(r"(?m)^(!\d+) = (?:distinct )?!DILocation\((.*)\)$")
_SCOPE = re.compile(r"\bscope: (!\d+)")
_INLINED = re.compile(r"\binlinedAt: (!\d+)")
_PARENT = re.compile(r"(?m)^(!\d+) = (?:distinct )?!DILexicalBlock(?:File)?\(.*?scope: (!\d+)")
_RECORD = re.compile(r"(?m)^ +#dbg_\w+\(.*, (!\d+)\)\n")
_ATTRIBUTES = re.compile(r"(\) (?:unnamed_addr |local_unnamed_addr )?)#\d+")
_CHECKED = re.compile(
    r"^  (%\S+) = call \{ \w+, i1 \} @llvm\.([su])(add|sub)\.with\.overflow\.(\w+)\(([^)]*)\)"
)
_EXPECT = re.compile(r"^  (%\S+) = call i1 @llvm\.expect\.i1\(i1 (\S+), i1 \w+\)")
_ZERO = operand("0")
_MAIN = re.compile(r"\bfn\s+main\b|#!\[no_main\]|#!\[crate_type\b")
_ROOM = re.compile(r"raw_vec.*\d(?:grow_one|grow_amortized|do_reserve_and_handle|deallocate)")
"""Functions of the library that change where a vector has its elements, and how many have room."""
_ORDER = re.compile(r"llvm\.([us])cmp\.i8\.i\d+$")
_KEYWORD = re.compile(r"(?:'\w+\s*:\s*)?(for|while|loop)\b")


class Rust:
    """The front end of Rust; a file is the root of its crate."""

    suffixes = (".rs",)
    language = "Rust"
    driver = "rustc"

    def find(self) -> str | None:
        return find_rustc()

    def in_order(self, sources: Sequence[Path]) -> Sequence[Path]:
        return sources

    def compile(self, source: Path, flags: Sequence[str], modules: Path) -> str:
        found = find_rustc()
        if found is None:
            raise InputError(f"{source}: no rustc found: apt install rustc, or rustup")
        kind = "bin" if _MAIN.search(source.read_text(errors="replace")) else "lib"
        crate = (
            () if any(f.startswith("--crate-type") for f in flags) else (f"--crate-type={kind}",)
        )
        command = [found, "--edition=2021", *RUST_FLAGS, *crate, *flags, as_argument(source)]
        text = run_compiler(source, command)
        try:
            return loops_of_rust(text, Path.cwd())
        except (Refused, BrokeDown) as error:
            raise unreadable(source, "rustc", error) from None

    def link_command(self, inputs: Sequence[str], folder: Path) -> list[str]:
        rustc = find_rustc()
        if rustc is None:
            raise InputError("no rustc found to link a Rust program: apt install rustc, or rustup")
        stub = folder / "stub.rs"
        stub.write_text("#![no_main]\n", encoding="utf-8")
        return [
            rustc,
            "--crate-type=bin",
            str(stub),
            "-Cpanic=abort",
            *(f"-Clink-arg={word}" for word in inputs),
        ]


def find_rustc() -> str | None:
    """The Rust compiler, where PATH or rustup has it."""
    return tool("rustc") or tool(str(Path.home() / ".cargo" / "bin" / "rustc"))


def loops_of_rust(ir_text: str, folder: Path) -> str:
    """IR whose loops are the program's. `folder` is where relative source paths start.

    Raises:
        Refused, BrokeDown: this LLVM does not read the text.
    """
    text = _with_plain_orders(folded(_inlinable(ir_text)))
    return _with_tests(own_exits(one_latch(_relocated(text))), folder)


def _inlinable(text: str) -> str:
    """Mark what is to be inlined: library functions without loops, iterators, closures."""
    module = parse_module(_CRATE.sub(r"\1/rustc/deps/", read_apart(text)))
    library = set(_FILE.findall(module.text))
    iterators = set(_ITERATORS.findall(module.text))
    lines = module.text.split("\n")
    for f in module.functions.values():
        file = module.metadata_field(f.dbg, "file")
        name = module.metadata_field(f.dbg, "name") or ""
        if f.is_declaration or not (file in library or name.startswith("{closure")):
            continue
        if file in iterators or name.startswith("{closure") or not loop_forest(f, module).loops:
            lines[f.line] = _ATTRIBUTES.sub(r"\1alwaysinline nounwind", lines[f.line], count=1)
        if name.endswith(
            "ward_unchecked"
        ):  # a range's step, whose overflow is ruled out by contract
            for number in range(f.line, f.end):
                lines[number] = _EXPECT.sub(
                    r"  \1 = or i1 \2, false", _CHECKED.sub(_unchecked, lines[number])
                )
    return "\n".join(lines)


def _unchecked(match: re.Match[str]) -> str:
    name, sign, operation, kind, operands = match.groups()
    flag, result = "nsw" if sign == "s" else "nuw", f"%step.{name[1:]}"
    return (
        f"  {result} = {operation} {flag} {kind} {operands.replace(f'{kind} ', '')}\n"
        f"  {result}.pair = insertvalue {{ {kind}, i1 }} poison, {kind} {result}, 0\n"
        f"  {name} = insertvalue {{ {kind}, i1 }} {result}.pair, i1 false, 1"
    )


def _relocated(text: str) -> str:
    """What was inlined from the library stands where the program called it."""
    library = set(_FILE.findall(text))
    programs = dict(_PROGRAM.findall(text))
    parents = dict(_PARENT.findall(text))
    places = dict(_PLACE.findall(text))

    def is_library(place: str) -> bool:
        found = _SCOPE.search(places[place])
        scope = str(found.group(1)) if found else ""
        while scope in parents:
            scope = parents[scope]
        return programs.get(scope) in library

    moved: dict[str, str] = {}
    for place in places:
        at = place
        while is_library(at) and (found := _INLINED.search(places[at])):
            at = found.group(1)
        if at != place and not is_library(at):
            moved[place] = at
    text = _RECORD.sub(lambda m: "" if m.group(1) in moved else m.group(0), text)
    return _PLACE.sub(
        lambda m: (
            f"{m.group(1)} = !DILocation({places[moved[m.group(1)]]})"
            if m.group(1) in moved
            else m.group(0)
        ),
        text,
    )


def _with_tests(text: str, folder: Path) -> str:
    """Loop metadata as clang writes them: where the loop starts, which is also the place of its
    test."""
    module = parse_module(text)
    lines = text.split("\n")
    marks = LoopMarks(module, lines)
    sources = _Sources(folder)
    for f in module.functions.values():
        if f.is_declaration or (module.file_of(f.dbg) or "").startswith("library/"):
            continue
        for loop in loop_forest(f, module).loops:
            start = _start(f, module, loop, sources)
            if start is None:
                continue
            node, tests = start
            for name in {e.source for e in loop.exits if not e.is_unwind} - set(tests):
                at = f.blocks[name].terminator
                if module.location(at.dbg) == module.location(
                    node
                ):  # a break in the library's code
                    lines[at.line] = lines[at.line].partition(", !dbg ")[0]
            for name in tests:
                lines[f.blocks[name].terminator.line] = _placed(
                    lines[f.blocks[name].terminator.line], node
                )
            marks.add(f, loop, node)
    return "\n".join(lines)


def _with_plain_orders(text: str) -> str:
    """`match a.cmp(&b)` as comparisons: branches in place of a switch over which is less."""
    module = parse_module(one_line_each(text))
    lines = module.text.split("\n")
    for f in module.functions.values():
        for block in f.blocks.values():
            end = block.terminator
            i = f.definitions.get(end.operands[0]) if is_any(end, "switch") else None
            found = _ORDER.match(callee(i) or "") if i is not None else None
            if i is not None and found is not None:
                _compare(f, block, i, found[1], lines)
    return "\n".join(lines)


def _compare(f: Function, block: Block, order: Instruction, sign: str, lines: list[str]) -> None:
    """Branches in place of a switch over an order."""
    end = block.terminator
    cases = dict(zip(map(str, end.cases), end.labels[1:], strict=True))
    less, same, more = (cases.get(o, end.labels[0]) for o in ("-1", "0", "1"))
    targets = {less, same, more}
    if any(f.blocks[b].phis for b in {*end.labels} - targets):
        return
    kind, (a, b) = order.extra[0], order.operands[1:3]
    name, dbg = f"looplaw.order.{end.line - f.line}", f", !dbg {end.dbg}" if end.dbg else ""

    def branch(number: int, predicate: str, yes: str, no: str) -> list[str]:
        test = f"%{name}.{number}"
        return [
            f"  {test} = icmp {predicate} {kind} {a}, {b}{dbg}",
            f"  br i1 {test}, label %{quoted(yes)}, label %{quoted(no)}{dbg}",
        ]

    behind: dict[str, str] = dict.fromkeys(targets, block.name)
    if len(targets) == 1:
        new = [f"  br label %{quoted(less)}{dbg}"]
    elif less == same:
        new = branch(0, f"{sign}le", less, more)
    elif same == more:
        new = branch(0, f"{sign}lt", less, more)
    elif less == more:
        new = branch(0, "eq", same, less)
    else:
        new = [*branch(0, f"{sign}lt", less, name), f"{name}:", *branch(1, "eq", same, more)]
        behind[same] = behind[more] = name
    lines[end.line] = "\n".join(new)
    if len(f.users[order.token]) == 1:
        lines[order.line] = ""
    for target, before in behind.items():
        for phi in f.blocks[target].phis:
            given = dict(zip(phi.labels, phi.operands, strict=True))
            pairs = [
                f"[ {o}, %{quoted(before if label == block.name else label)} ]"
                for label, o in given.items()
            ]
            dbg_ = f", !dbg {phi.dbg}" if phi.dbg else ""
            lines[phi.line] = f"  {phi.token} = phi {phi.type} {', '.join(pairs)}{dbg_}"


def _placed(line: str, node: str) -> str:
    text, found, rest = line.partition(", !dbg ")
    return (
        f"{text}, !dbg {node}{rest[rest.find(',') :] if ',' in rest else ''}"
        if found
        else f"{line}, !dbg {node}"
    )


class _Sources:
    """Source files, each read once; one that is not there has no text."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        if file not in self._texts:
            try:
                self._texts[file] = (
                    (self._folder / file).read_text(encoding="utf-8", errors="replace").splitlines()
                )
            except OSError:
                self._texts[file] = []
        return self._texts[file]

    def keyword(self, place: Location) -> str | None:
        """`for`, `while` or `loop`, when that stands there."""
        lines = self.lines(place.file)
        found = (
            _KEYWORD.match(lines[place.line - 1], place.column - 1)
            if 0 < place.line <= len(lines)
            else None
        )
        return found.group(1) if found else None

    def body(self, place: Location) -> tuple[int, int]:
        """Line and column of the brace that opens the body of the loop that starts at `place`."""
        depth = 0
        for number, line in enumerate(self.lines(place.file)[place.line - 1 :], place.line):
            for column, char in enumerate(line, 1):
                if number == place.line and column < place.column:
                    continue
                depth += (char in "([") - (char in ")]")
                if char == "{" and depth == 0:
                    return number, column
        return place.line, place.column


def _start(
    f: Function, module: Module, loop: Loop, sources: _Sources
) -> tuple[str, list[str]] | None:
    """The metadata node of the place where a loop starts, and the blocks that end in its test."""
    entries = [p for p in f.predecessors[loop.header] if p not in loop.blocks]
    nodes = [f.blocks[name].terminator.dbg for name in (*loop.latches, *entries)]
    leaving = list(dict.fromkeys(e.source for e in loop.exits if not e.is_unwind))
    for node in nodes:
        place = module.location(node)
        kind = sources.keyword(place) if place is not None else None
        if node is None or place is None or kind is None:
            continue
        if kind == "loop":
            return node, []
        end = sources.body(place)
        tests = []
        for name in leaving:
            at = module.location(f.blocks[name].terminator.dbg)
            if at is not None and at.file == place.file and place[1:] <= at[1:] <= end:
                tests.append(name)
        return node, tests
    # a loop of the library, inlined: one place for all of it; what leaves at its head is its test
    node = f.blocks[loop.header].terminator.dbg
    place = module.location(node)
    if (
        node is not None
        and place is not None
        and all(module.location(f.blocks[name].terminator.dbg) == place for name in loop.latches)
    ):
        return node, [loop.header] if loop.header in leaving and _only_tests(f, loop) else []
    return None


def _only_tests(f: Function, loop: Loop) -> bool:
    """Does the head decide and the rest work, and not the head do all, as where the library tests
    at the end?"""
    return all(not is_any(i, "store", "call") for i in f.blocks[loop.header].instructions) and any(
        len(f.blocks[name].instructions) > 1 for name in loop.blocks - {loop.header}
    )


# -- for the analysis alone
def countable(module: Module) -> Module:
    """What a count needs not look at is left out: the C main that starts the program's, what gives
    a vector more room or takes it away, which leaves its length as it is, and ends of iterators
    where the next index would wrap around, if they end as well where it is too large."""
    if "DW_LANG_Rust" not in module.text:
        return module
    functions = {
        name: _without_overflow(_without_room(f))
        for name, f in module.functions.items()
        if name != "main" or f.dbg is not None
    }
    return replace(module, functions=functions)


def _without_room(f: Function) -> Function:
    """Without the calls that only move the elements of a vector to where more have room."""
    if not any(map(_is_of_room, f.calls)):
        return f
    blocks = {
        name: replace(b, instructions=tuple(i for i in b.instructions if not _is_of_room(i)))
        for name, b in f.blocks.items()
    }
    return replace(f, blocks=blocks)


def _is_of_room(i: Instruction) -> bool:
    return is_any(i, "call") and i.result is None and _ROOM.search(callee(i) or "") is not None


def _without_overflow(f: Function) -> Function:
    """Without the test whether a sum wraps around, where control comes to the same place if it is
    too large."""
    settled = {i.token for b in f.blocks.values() for i in _overflow_tests(f, b)}
    if not settled:
        return f
    blocks = {
        name: replace(
            b,
            instructions=tuple(
                replace(i, operands=(_ZERO, _ZERO), extra=("ne",)) if i.token in settled else i
                for i in b.instructions
            ),
        )
        for name, b in f.blocks.items()
    }
    return replace(f, blocks=blocks)


def _overflow_tests(f: Function, block: Block) -> Iterator[Instruction]:
    """`a > ~b` at the end of a block, if a run goes on to where it goes for a large a + b."""
    end = block.terminator
    test = f.definitions.get(end.operands[0]) if len(end.labels) == 2 else None
    if not is_icmp(test) or test.extra[0] != "ugt" or len(f.users.get(test.token, ())) > 1:
        return
    a, other = test.operands
    inverse = f.definitions.get(other)
    if not is_any(inverse, "xor") or inverse.operands[1] != "-1":
        return
    for total in f.users.get(inverse.operands[0], ()):
        if (
            is_any(total, "add")
            and "nuw" in total.flags
            and sorted(total.operands) == sorted((inverse.operands[0], a))
            and _end_of(f, end.labels[0], None) == _end_of(f, end.labels[1], total.token)
        ):
            yield test


def _end_of(f: Function, block: str, large: Operand | None) -> str:
    """Where control comes to from a block by branches that nothing but a number decides that is
    larger than all others."""
    seen, larger = set[str](), {large}
    while block not in seen:
        seen.add(block)
        instructions = f.blocks[block].instructions
        end = f.blocks[block].terminator
        if not all(is_any(i, "add", "icmp", "phi") for i in instructions[:-1]):
            return block
        larger |= {i.token for i in instructions if is_phi(i) and larger.issuperset(i.operands)}
        if len(end.labels) == 1:
            block = end.labels[0]
            continue
        test = f.definitions.get(end.operands[0]) if len(end.labels) == 2 else None
        if not is_icmp(test) or larger.isdisjoint(test.operands):
            return block
        is_left = test.operands[0] in larger
        goes_on = ("ne", "ugt", "uge") if is_left else ("ne", "ult", "ule")
        block = end.labels[0 if test.extra[0] in goes_on else 1]
    return block
