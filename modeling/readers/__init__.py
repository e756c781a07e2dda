"""Readers of measurement files: one file here for each family of formats (see `reader`)."""

from __future__ import annotations

from .files import file_text, read, read_files, read_observations, read_text, text_of
from .reader import FileReader, Reader, TextReader
from .registry import file_reader_of, file_readers, reader_of, text_readers

READERS: tuple[Reader, ...] = text_readers()
"""The formats of text, told apart by their content; the first that matches reads."""

__all__ = [
    "READERS",
    "FileReader",
    "Reader",
    "TextReader",
    "file_reader_of",
    "file_readers",
    "file_text",
    "read",
    "read_files",
    "read_observations",
    "read_text",
    "reader_of",
    "text_of",
]
