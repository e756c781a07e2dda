"""Errors of reading and modeling measurements; each message is one line that says how to mend it."""

from __future__ import annotations


class ModelingError(Exception):
    """Base of what a user of this package can meet."""


class InputError(ModelingError):
    """A file or an argument is wrong."""


class DataError(ModelingError):
    """The measurements cannot be used: not a number, no points, a parameter without a value."""
