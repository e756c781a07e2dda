"""LLVM IR -> loop nests -> matrix form -> counts, bounds, work and depth; dependence of each kernel
on parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looplaw_common.lazy import exported

if TYPE_CHECKING:
    from looplaw_common.errors import InputError, LooplawError

    from .analysis import analyze, analyze_module
    from .count import Count, Unknown
    from .entry_formulas import EntryFormula, Holder
    from .expr import Expr
    from .frontend.clang import Compiler, find_compiler
    from .frontend.compile import canonical, compile_sources
    from .interprocedural.inputs.program_parameters import ProgramParameter
    from .ir.parser import parse_module
    from .ir.types import Module
    from .matrix import MatrixForm, format_nest
    from .results import Analysis, FunctionResult, LoopResult, of_launches

__all__ = [
    "Analysis",
    "Compiler",
    "Count",
    "EntryFormula",
    "Expr",
    "FunctionResult",
    "Holder",
    "InputError",
    "LoopResult",
    "LooplawError",
    "MatrixForm",
    "Module",
    "ProgramParameter",
    "Unknown",
    "analyze",
    "analyze_module",
    "canonical",
    "compile_sources",
    "find_compiler",
    "format_nest",
    "of_launches",
    "parse_module",
]

_MODULES = {
    "looplaw_common.errors": ("InputError", "LooplawError"),
    ".analysis": ("analyze", "analyze_module"),
    ".count": ("Count", "Unknown"),
    ".entry_formulas": ("EntryFormula", "Holder"),
    ".expr": ("Expr",),
    ".frontend.clang": ("Compiler", "find_compiler"),
    ".frontend.compile": ("canonical", "compile_sources"),
    ".interprocedural.inputs.program_parameters": ("ProgramParameter",),
    ".ir.parser": ("parse_module",),
    ".ir.types": ("Module",),
    ".matrix": ("MatrixForm", "format_nest"),
    ".results": ("Analysis", "FunctionResult", "LoopResult", "of_launches"),
}

__getattr__, __dir__ = exported(globals(), _MODULES)
