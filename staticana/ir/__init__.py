"""The IR as typed values: modules, functions, blocks and instructions, parsed from LLVM's text,
with loop information, data layout, TBAA and debug information."""
