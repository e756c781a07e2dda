"""IR as text: the instructions that instrumentation inserts at one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CodeBuilder:
    """Instructions written one after the other into `lines`, without a branch but by `only_if`.

    Args:
        fresh: gives each register a name that the function does not have yet, without the `%`.
        volatile: loads and stores of counts are volatile, so that the optimiser neither combines
            nor delays them.
        note: metadata of these loads and stores, with a comma in front.
    """

    def __init__(self, fresh: Callable[[], str], *, volatile: bool = False, note: str = "") -> None:
        self.lines: list[str] = []
        self._fresh = fresh
        self._volatile = "volatile " if volatile else ""
        self._note = note

    def value(self, text: str) -> str:
        """Write an instruction with a result; returns its register."""
        register = f"%{self._fresh()}"
        self.lines.append(f"  {register} = {text}")
        return register

    def do(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {text}")

    @contextmanager
    def only_if(self, condition: str) -> Iterator[None]:
        """What is written inside of the `with` block is done only where a condition holds."""
        then, end = self._fresh(), self._fresh()
        self.do(f"br i1 {condition}, label %{then}, label %{end}")
        self.lines.append(f"{then}:")
        yield
        self.do(f"br label %{end}")
        self.lines.append(f"{end}:")

    def load(self, pointer: str) -> str:
        """A 64-bit word of memory."""
        return self.value(f"load {self._volatile}i64, ptr {pointer}, align 8{self._note}")

    def store(self, value: str | int, pointer: str) -> None:
        """Write a 64-bit word."""
        self.do(f"store {self._volatile}i64 {value}, ptr {pointer}, align 8{self._note}")

    def element(self, base: str, index: int) -> str:
        """The address of a word in an array of words."""
        return self.value(f"getelementptr inbounds i64, ptr {base}, i64 {index}")

    def increase(self, pointer: str, operation: str, amount: str | int) -> None:
        """Add to a word, or subtract from it ("add", "sub"). Load, operation and store stay
        together, so that x86 makes one instruction of them."""
        self.store(self.value(f"{operation} i64 {self.load(pointer)}, {amount}"), pointer)

    def widened(self, token: str, type: str) -> str:
        """An integer or a pointer as 64 bits; integers keep their sign, i1 is 0 or 1."""
        if type == "i64":
            return token
        cast = {"ptr": "ptrtoint", "i1": "zext"}.get(type, "sext")
        return self.value(f"{cast} {type} {token} to i64")
