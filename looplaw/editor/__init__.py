"""The language server `looplaw lsp`: laws, times and findings beside the loops in editors.

`server` speaks the protocol, `worker` is a process that stays warm and forks a child for each
analysis, `answering` is what such a child does. A program that is being edited is compiled and
analysed, and never run.
"""
