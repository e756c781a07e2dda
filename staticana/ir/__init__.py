"""LLVM IR as typed values.

Modules, functions, blocks and instructions are parsed from the text that LLVM prints; beside them
stand natural loops, the layout of types in memory, type-based alias rules and debug information.
"""
