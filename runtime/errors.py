"""Errors of building and running programs; each message is one line that says how to mend it."""

from __future__ import annotations


class RunError(Exception):
    """A program could not be built, started or read out."""


class InputError(RunError):
    """What the user gave is wrong: a missing symbol, a bad value, a directory that holds something
    else."""
