"""Errors that a user can cause; each message is one line: what is wrong, and what to type."""

from __future__ import annotations


class LooplawError(Exception):
    """Base of every error that a user meets; the command line prints its message and exits with
    `exit_code`.

    detail: lines that show the place of the error, printed below the message on a terminal only.
    """

    exit_code = 2
    detail = ""


class InputError(LooplawError):
    """What the user gave is wrong: a missing file, a name that does not exist, a bad value."""


class UnknownKey(InputError, KeyError):
    """A key that finds nothing, or several things; the message lists what it could be."""

    def __str__(self) -> str:  # KeyError shows the representation of its text
        return Exception.__str__(self)


class DataError(LooplawError):
    """Data were read but cannot be used: not a number, no points, damaged content."""

    exit_code = 3


class RunError(LooplawError):
    """A program could not be built, started or read out."""


class LooplawWarning(UserWarning):
    """What a user should know of a job that goes on; the message is one line."""
