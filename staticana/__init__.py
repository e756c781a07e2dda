"""LLVM IR -> loop nests -> matrix form -> counts, bounds, work and depth; dependence of each kernel on parameters."""

from .analysis import Analysis, FunctionResult, LoopResult, analyze, analyze_module
from .count import Count, Opaque
from .entries import EntryFormula, Holder
from .errors import InputError, StaticError
from .expr import Expr
from .frontend import Compiler, canonical, compile_sources, find_compiler
from .ir import Module
from .matrix import MatrixForm, format_nest
from .parser import parse_module
from .program import ProgramParameter

__all__ = ["Analysis", "Compiler", "Count", "EntryFormula", "Expr", "FunctionResult", "Holder", "InputError", "LoopResult",
           "MatrixForm", "Module", "Opaque", "ProgramParameter", "StaticError", "analyze", "analyze_module", "canonical",
           "compile_sources", "find_compiler", "format_nest", "parse_module"]
