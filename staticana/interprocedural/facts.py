"""What is known of a module before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..alias.alias_analysis import Aliasing
from ..alias.call_graph import Calls
from ..alias.library import library_function
from ..alias.packed_arguments import Piece, handed_pieces
from ..frontend.model_bodies import has_rows
from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.debug_members import MemberNames
from ..ir.graph import callee, calls_in, constructors
from ..ir.loop_info import LoopForest, loop_forest
from ..ir.matchers import is_invoke
from ..ir.system_files import is_system_file
from ..ir.types import Function, Module
from ..memory.writes import Writes
from .inputs.thread_numbers import is_device_code
from .leaving_calls import LeavingCall, leaving_calls


class ModuleFacts:
    """What does not rest on which function is called first. Each answer is found when it is asked
    for and kept: the analyses of a library's exported functions ask the same of the same
    functions."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._forests: dict[str, LoopForest] = {}
        self._leaving: dict[str, tuple[LeavingCall, ...]] = {}
        self.layout = Layout(calls.module)
        self.names = MemberNames(calls.module)

    def forest(self, function: Function) -> LoopForest:
        """The loops of a function."""
        found = self._forests.get(function.name)
        if found is None:
            found = self._forests[function.name] = loop_forest(function, self._calls.module)
        return found

    def leaving_calls(self, function: Function) -> tuple[LeavingCall, ...]:
        """The calls of a function that may not come back as others do."""
        found = self._leaving.get(function.name)
        if found is None:
            calls = self._calls
            found = leaving_calls(calls.module, calls.defined, function)
            self._leaving[function.name] = found
        return found

    @cached_property
    def of_library(self) -> frozenset[str]:
        """The functions of the program that stand in headers of libraries."""
        module = self._calls.module
        return frozenset(
            name
            for name, f in self._calls.defined.items()
            if is_system_file(module.file_of(f.dbg) or "")
        )

    @cached_property
    def checking(self) -> frozenset[str]:
        """Those of them that call what throws where an argument is out of range."""
        defined = self._calls.defined
        return frozenset(
            name
            for name in self.of_library
            if any(cxx.CHECKS.match(callee(i) or "") for i in defined[name].calls)
        )

    @cached_property
    def has_invokes(self) -> bool:
        """Does the program catch exceptions?"""
        return any(is_invoke(i) for _, i in calls_in(self._calls.module))

    @cached_property
    def has_handlers(self) -> bool:
        """Does the program set handlers of signals?"""
        return any(
            (known := library_function(callee(i) or "")) is not None and known.handler is not None
            for _, i in calls_in(self._calls.module)
        )

    @cached_property
    def is_device_code(self) -> bool:
        """Does the module hold kernels of graphics processors?"""
        return is_device_code(self._calls.module)

    @cached_property
    def constructors(self) -> frozenset[str]:
        """The functions that run once, before main: they construct global variables."""
        return constructors(self._calls.module)

    @cached_property
    def has_rows(self) -> bool:
        """Do models tell of elements that are containers?"""
        return has_rows(self._calls.module)

    @cached_property
    def handed_pieces(self) -> Mapping[str, frozenset[Piece]]:
        """Parts of arguments that are values of their own, by function."""
        return handed_pieces(self._calls.defined, self._calls.sites)


@dataclass(frozen=True)
class Facts:
    """Who calls whom in a run of an entry, what may point where, and what each function writes.
    Found when it is asked for, for all analyses of the module that share it."""

    calls: Calls
    writes: Writes
    of_module: ModuleFacts

    @classmethod
    def of(
        cls, module: Module, entry: str, *, strict: bool, exported: frozenset[str] = frozenset()
    ) -> Facts:
        """`exported`: functions that others call, of a library, beside the entry."""
        called = exported | {entry}  # even where it calls itself, or others of the module call it
        aliasing = Aliasing(module, Layout(module), strict=strict, exported=called)
        calls = Calls(module, aliasing, entry)
        return cls(calls, Writes(aliasing), ModuleFacts(calls))

    def find_for_all(self) -> None:
        """Find now what nearly every analysis of the module asks for: processes that are forked
        afterwards share it."""
        for f in self.calls.defined.values():
            self.of_module.forest(f)
            self.of_module.leaving_calls(f)
        for holder, answer in (
            (self.of_module.names, "described"),
            (self.of_module, "checking"),
            (self.writes, "asynchronous"),
            (self.writes.aliasing, "exposed_members"),
            (self.calls, "callers"),
        ):
            getattr(holder, answer)  # a property that is found when it is first read, and kept

    def seen_from_anywhere(self, *, calls_anything: bool) -> Facts:
        """The same where every function may run, with whoever calls it."""
        calls = self.calls.seen_from_anywhere(calls_anything=calls_anything)
        return Facts(calls, self.writes, self.of_module)

    def seen_from(self, entry: str) -> Facts:
        """The same of a run that is one call of an exported function."""
        return Facts(self.calls.seen_from(entry), self.writes, self.of_module)
