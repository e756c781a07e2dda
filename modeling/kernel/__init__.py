"""The hot pass of the fitter in C, compiled once for all processors to LLVM IR."""
