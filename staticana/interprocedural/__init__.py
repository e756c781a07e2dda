"""What follows from many functions together: summaries, recursion, operations, dependence on
parameters."""
