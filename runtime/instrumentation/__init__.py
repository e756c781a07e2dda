"""Counters written into IR: which are needed, where they go, how they survive every way out of a
function."""
