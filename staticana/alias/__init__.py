"""Which accesses may touch the same memory, and who calls whom.

From below: memory locations and the objects they lie in, escape analysis, mod/ref summaries of
functions, alias queries, the call graph. `library` is the table of known library functions.
"""
