"""The documents that looplaw reads and writes: a typed schema for each, and how files are read."""
