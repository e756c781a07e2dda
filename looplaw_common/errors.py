"""Errors that a user can cause; each message is one line that says what is wrong and what to type."""

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


class DataError(LooplawError):
    """Data were read but cannot be used: not a number, no points, damaged content."""

    exit_code = 3


class RunError(LooplawError):
    """A program could not be built, started or read out."""
