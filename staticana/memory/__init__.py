"""What memory holds: the stores that loads see, in their function, in callees and in callers, and the
contents of arrays."""
