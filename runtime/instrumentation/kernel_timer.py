"""Time stamps around kernels.

A time stamp costs more than a short kernel, so a function with timed kernels has a copy of itself
with time stamps. At each call it counts down; when its turn comes (see `rt_times.h`), it hands the
call over to the copy.
"""

from __future__ import annotations

from collections.abc import Callable

from staticana.ir.graph import callee
from staticana.ir.loop_info import Loop

from ..counters.word_layout import OUTERMOST
from .abnormal_exits import AbnormalExits
from .counter_plan import LoopCounter
from .ir_text.code_builder import CodeBuilder
from .ir_text.function_editor import FunctionEditor, reference
from .ir_text.signature import Signature

Base = Callable[[CodeBuilder], str]
"""Gives the address of the thread's words."""


def time_kernel(
    editor: FunctionEditor,
    abnormal: AbnormalExits,
    base: Base,
    kernel: LoopCounter,
    words: int,
    *,
    is_copy: bool,
) -> None:
    """Insert the time stamps of a kernel into the copy.

    Where the kernel may run itself, only the outermost entry is timed. It is known by the address
    of its frame, which every version of the function stores: a stack grows downwards, so an entry
    with a higher address than the stored one means that an exception or a longjmp has ended that
    one.

    Args:
        words: the first of the kernel's words of time.
    """
    loop = editor.loops[kernel.header]
    recursive = _may_recur(editor, abnormal, loop)
    if not is_copy and not recursive:
        return
    timer = _Timer(editor, base, kernel.id, words, is_copy, recursive)
    editor.prologue += timer.variables()
    editor.on_entry(loop, timer.begin)
    editor.on_exit(loop, timer.end)
    if recursive and not any("%ll.frame =" in line for line in editor.prologue):
        editor.prologue.append("  %ll.frame = call ptr @llvm.frameaddress.p0(i32 0)")


def left_at(code: CodeBuilder, index: int) -> str:
    """The address of what is left of a function until its next turn; it is the thread's."""
    return code.value(f"getelementptr inbounds i64, ptr @__looplaw_words, i64 {index + 1}")


def count_down(code: CodeBuilder, index: int) -> str:
    """Count down to the next turn; is this it?"""
    place = left_at(code, index)
    left = code.value(f"sub i64 {code.load(place)}, 1")
    code.store(left, place)
    over = code.value(f"icmp slt i64 {left}, 0")
    return code.value(f"call i1 @llvm.expect.i1(i1 {over}, i1 false)")


def take_turn(
    editor: FunctionEditor, base: Base, turns: int, index: int, *, timed: bool, kept: bool
) -> None:
    """Ask how many calls the time of this one stands for, at the beginning of the copy.

    Args:
        turns: the first word of the function's sampling.
        index: its number among the functions that are sampled.
        timed: the function has timed kernels.
        kept: it keeps the values of some calls.
    """
    code = editor.code()
    words = base(code)
    turn = f"ptr {words}, i64 {turns}, ptr {left_at(code, index)}"
    text = f"kept_turn({turn}, i64 {int(timed)})" if kept else f"turn({turn})"
    editor.prologue += [*code.lines, f"  %ll.weight = call i64 @__looplaw_{text}"]
    if timed:
        editor.prologue.append("  %ll.untimed = icmp eq i64 %ll.weight, 0")


def hand_over(
    editor: FunctionEditor, index: int, signature: Signature, copy: str, debug: str
) -> list[str]:
    """Blocks in front of the function that hand over to its copy when its turn comes.

    Args:
        index: its number among the functions that are sampled.
        copy: the copy's name; `debug` is the debug location of its call.
    """
    code = editor.code()
    rare = count_down(code, index)
    go = editor.fresh()
    # nothing but a jump: a call that comes back would need a frame, which short functions have not
    code.do(f"br i1 {rare}, label %{go}, label {reference(editor.function.entry.name)}")
    code.lines.append(f"{go}:")
    call = f"musttail call {signature.convention} {copy}({signature.parameters}){debug}"
    if editor.function.type == "void":
        code.do(call)
        code.do("ret void")
    else:
        code.do(f"ret {signature.result} {code.value(call)}")
    return [*code.lines, ""]


def _may_recur(editor: FunctionEditor, abnormal: AbnormalExits, loop: Loop) -> bool:
    """May the loop run its function again, as far as calls in the module tell?"""
    above = abnormal.with_callers(editor.function.name)
    return any(
        callee(i) in above
        for b in loop.blocks
        for i in editor.function.blocks[b].instructions
        if i.is_call
    )


class _Timer:
    """The instructions at both ends of a kernel."""

    def __init__(
        self,
        editor: FunctionEditor,
        base: Base,
        kernel: int,
        words: int,
        is_copy: bool,
        recursive: bool,
    ) -> None:
        self._editor, self._base, self._words = editor, base, words
        self._is_copy, self._recursive = is_copy, recursive
        self._since, self._outer = f"%ll.t{kernel}", f"%ll.o{kernel}"

    def variables(self) -> list[str]:
        """The time of the entry, and whether it is the outermost."""
        found = [
            f"  {self._since} = alloca i64, align 8",
            f"  store i64 0, ptr {self._since}, align 8",
        ]
        if self._recursive:
            found += [
                f"  {self._outer} = alloca i1, align 1",
                f"  store i1 false, ptr {self._outer}, align 1",
            ]
        return found

    def begin(self) -> list[str]:
        """On entry: take the time, 0 where this is not the outermost entry."""
        code = self._editor.code()
        now = "0"
        if self._is_copy:
            stamp = code.value("call i64 @__looplaw_now()")
            now = code.value(f"select i1 %ll.untimed, i64 0, i64 {stamp}")
        if self._recursive:
            place = code.element(self._base(code), self._words + OUTERMOST)
            known = code.load(place)
            mine = code.value("ptrtoint ptr %ll.frame to i64")
            tests = (
                code.value(f"icmp eq i64 {known}, 0"),
                code.value(f"icmp ugt i64 {mine}, {known}"),
            )
            is_outer = code.value(f"or i1 {', '.join(tests)}")
            frame = code.value(f"select i1 {is_outer}, i64 {mine}, i64 {known}")
            now = code.value(f"select i1 {is_outer}, i64 {now}, i64 0")
            code.store(frame, place)
            code.do(f"store i1 {is_outer}, ptr {self._outer}, align 1")
        code.store(now, self._since)
        return code.lines

    def end(self) -> list[str]:
        """On exit: tell the runtime, and that no entry is the outermost any more."""
        code = self._editor.code()
        base = self._base(code)
        if self._recursive:
            place = code.element(base, self._words + OUTERMOST)
            is_outer = code.value(f"load i1, ptr {self._outer}, align 1")
            known = code.load(place)
            code.store(code.value(f"select i1 {is_outer}, i64 0, i64 {known}"), place)
        if self._is_copy:
            start = code.load(self._since)
            code.do(
                f"call void @__looplaw_timed(ptr {base}, i64 {self._words}, i64 {start}, i64"
                " %ll.weight)"
            )
        return code.lines
