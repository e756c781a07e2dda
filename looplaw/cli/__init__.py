"""The command line: verbs are imported when they are called."""
