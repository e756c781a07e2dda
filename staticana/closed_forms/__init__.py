"""Closed forms: recurrences x(i) = A^i x0 + ..., the iteration at which a loop exits, and sums of
counts."""
