"""How many instructions of its own a program executes, counted in its machine code.

What counters cost is what the optimiser makes of them: registers that are short, rows that no
longer share a load, a loop that is no longer vectorised. No table of prices knows that. So the
program is compiled to assembly as it is for users, each basic block of it gets a counter that
touches neither the flags nor the stack, and it is run. The executions of the blocks times their
instructions, summed, are the instructions of the run, to the single one. Calls of libraries, which
are not in the assembly, are counted, and priced.

The counters are in a mapped file, so that they survive whatever ends the process, and processes
that it forks count in the same one. Threads may overwrite each other's counts, in both of two
programs that are compared.
"""

from __future__ import annotations

import operator
import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.scratch import scratch_folder

from ..instrumentation.counter_cost import library_price
from ..instrumentation.counter_plan import Plan
from .build import build_program, generated, machine_of, optimised

_TRIPLE = re.compile(r'(?m)^target triple = "x86_64-[^"]*linux')
"""Machines whose assembly is extended here."""
_LABEL = re.compile(r'(?P<name>"[^"]*"|[\w.$@]+):')
_INSTRUCTION = re.compile(r"\t(?P<mnemonic>[a-z][\w;]*)(?P<rest>.*)")
_BRANCH = re.compile(r"j\w+|loop\w*|ret\w*|ud2|xbegin")
_CALLEE = re.compile(r'\s+(?P<name>"[^"]*"|[A-Za-z_][\w.$]*)(?:@PLT)?\s*(?:#.*)?$')
_CALLEE_IN_TABLE = re.compile(r'\s+\*(?P<name>"[^"]*"|[A-Za-z_][\w.$]*)@GOTPCREL')
_DEBUG = (".Ltmp", ".Lfunc_begin", ".Lloh", ".Lpost_getpc")
"""Labels that nothing jumps to; what does has a label of its own beside them."""
_PAGE = 4096
_WORD = 8

_COUNTING = """\
	movq	%rax, %fs:.Llooplaw.saved@TPOFF
	movq	.Llooplaw.blocks+{at}(%rip), %rax
	leaq	1(%rax), %rax
	movq	%rax, .Llooplaw.blocks+{at}(%rip)
	movq	%fs:.Llooplaw.saved@TPOFF, %rax"""
"""Not in the red zone, and without a change of the flags, which may be alive between blocks."""
_DATA = """\
	.section	.tbss,"awT",@nobits
	.p2align	3
.Llooplaw.saved:
	.zero	8
	.bss
	.p2align	12
	.globl	looplaw.blocks
looplaw.blocks:
.Llooplaw.blocks:
	.zero	{bytes}
	.text
"""
_MAPPING = """\
target triple = "{triple}"
@looplaw.blocks = external hidden global [{bytes} x i8]
@looplaw.path = private constant [{length} x i8] c"{path}\\00"
@looplaw.first = internal constant ptr @looplaw.map, section ".init_array.00101"
@llvm.used = appending global [1 x ptr] [ptr @looplaw.first], section "llvm.metadata"
declare i32 @open(ptr, i32, ...)
declare i32 @close(i32)
declare i32 @getpid()
declare i32 @ftruncate(i32, i64)
declare i32 @sprintf(ptr, ptr, ...)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
define internal void @looplaw.map() {{
  %name = alloca [{room} x i8]
  %pid = call i32 @getpid()
  %1 = call i32 (ptr, ptr, ...) @sprintf(ptr %name, ptr @looplaw.path, i32 %pid)
  %file = call i32 (ptr, i32, ...) @open(ptr %name, i32 {flags}, i32 384)
  %2 = call i32 @ftruncate(i32 %file, i64 {bytes})
  %3 = call ptr @mmap(ptr @looplaw.blocks, i64 {bytes}, i32 3, i32 17, i32 %file, i64 0)
  %4 = call i32 @close(i32 %file)
  ret void
}}
"""


@dataclass
class _Block:
    """A basic block of machine code: its instructions, and the functions that it calls."""

    instructions: int = 0
    calls: Counter[str] = field(default_factory=Counter)


class BlockCounters:
    """Counters of a program's basic blocks.

    `code` makes the program's object code with them; once it is linked and has been run, `executed`
    tells what it executed.

    Args:
        path: the file of the counters; a process appends its number.
        level: of optimisation.
    """

    def __init__(self, path: Path, *, level: int = 3) -> None:
        self._path, self._level = path, level
        self._blocks: list[_Block] = []
        self._defined: set[str] = set()

    @staticmethod
    def support(text: str) -> bool:
        """Can the blocks of a program be counted?"""
        return _TRIPLE.search(text) is not None

    def code(self, text: str) -> bytes:
        """IR to object code with counters.

        Raises:
            RunError: LLVM does not accept it.
        """
        plain = generated(lambda: _assembly(text, self._level)).decode()
        with_counters = self._extended(plain.split("\n"))
        found = re.search(r'(?m)^target triple = "([^"]+)"', text)
        mapping = _MAPPING.format(
            triple=found.group(1) if found else "",
            bytes=self._bytes,
            path=_escaped(f"{self._path}.%d"),
            length=len(str(self._path).encode()) + len(".%d\0"),
            room=len(str(self._path).encode()) + 32,
            flags=os.O_RDWR | os.O_CREAT,
        )
        assembly = f'module asm "{_escaped(with_counters)}"\n'
        return generated(lambda: _assembled(mapping + assembly))

    @property
    def _bytes(self) -> int:
        return -(-_WORD * max(1, len(self._blocks)) // _PAGE) * _PAGE

    def _extended(self, lines: Sequence[str]) -> str:
        """Assembly with a counter in front of each block."""
        self._blocks, out = [], list[str]()
        begins, is_source = True, False
        for line in lines:
            if line.startswith(("\t#APP", "\t#NO_APP")):  # assembly in the program's source
                is_source = line.startswith("\t#APP")
            label = _LABEL.match(line)
            if label is not None and not is_source:
                name = label["name"]
                self._defined.add(name.strip('"'))
                begins = begins or not name.startswith(_DEBUG)
            found = _INSTRUCTION.match(line)
            if found is not None:
                if begins and not is_source:
                    out.append(_COUNTING.format(at=_WORD * len(self._blocks)))
                    self._blocks.append(_Block())
                    begins = False
                self._take(found["mnemonic"], found["rest"])
                begins = begins or (
                    not is_source and _BRANCH.fullmatch(found["mnemonic"]) is not None
                )
            out.append(line)
        return "\n".join(out) + "\n" + _DATA.format(bytes=self._bytes)

    def _take(self, mnemonic: str, rest: str) -> None:
        """Add an instruction to the last block."""
        block = self._blocks[-1]
        block.instructions += 1
        if mnemonic.startswith("call") or mnemonic == "jmp":
            found = _CALLEE.match(rest) or _CALLEE_IN_TABLE.match(rest)
            if found is not None:
                block.calls[found["name"].strip('"')] += 1

    def executed(self, price: Callable[[str], float]) -> float | None:
        """Instructions of all processes that have run; None where none has left its counters.

        Args:
            price: of a call of a function of a library, by its name.
        """
        total, found = 0.0, False
        prices = [
            b.instructions + sum(n * price(f) for f, n in b.calls.items() if f not in self._defined)
            for b in self._blocks
        ]
        for path in self._path.parent.glob(f"{self._path.name}.*"):
            counts = array("Q", path.read_bytes()[: _WORD * len(self._blocks)])
            total += sum(map(operator.mul, counts, prices))
            found = True
        return total if found else None


def _escaped(text: str) -> str:
    """Text as LLVM's strings have it."""
    return "".join(
        chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in text.encode()
    )


def _assembly(text: str, level: int) -> bytes:
    return machine_of(text, level).emit_assembly(optimised(text, level)).encode()


def _assembled(text: str) -> bytes:
    module = llvm.parse_assembly(text)
    code: bytes = machine_of(text, 0).emit_object(module)
    return code


def counted_instructions(
    canonical_text: str,
    plan: Plan | None,
    start: Callable[[Path], bool],
    *,
    cxx: bool = False,
    link_flags: Sequence[str] = (),
    level: int = 3,
) -> float | None:
    """Instructions of a run of a program, without its start; None where they cannot be counted.

    Args:
        plan: the counters of the program; None for none.
        start: runs an executable, and tells whether that succeeded.

    Raises:
        InputError, RunError: as `build_program`.
    """
    if not BlockCounters.support(canonical_text):
        return None
    with scratch_folder("blocks") as folder:
        blocks = BlockCounters(folder / "blocks", level=level)
        program = build_program(
            canonical_text,
            plan,
            folder / "program",
            cxx=cxx,
            link_flags=link_flags,
            code=blocks.code,
        )
        return blocks.executed(library_price) if start(program.executable) else None
