"""Counts in shared memory: the C runtime that writes them and the reader that never stops it."""
