"""What loads yield: the stores that reach them, in their function, in callees and in callers."""
