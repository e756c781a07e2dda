"""Instrumented IR to executables, and the compiler wrapper for build systems."""
