"""Scalar evolution: values of registers and memory as formulas of loop variables, and trip counts
from them."""
