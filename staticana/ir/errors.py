"""Errors a user of the static analysis can meet; each message is one line that says how to mend it."""

from __future__ import annotations


class StaticError(Exception):
    """Something that stops an analysis altogether. A loop that cannot be counted is a `Count`, not
    an error."""


class InputError(StaticError):
    """The input is missing, does not compile, or names something that does not exist."""
