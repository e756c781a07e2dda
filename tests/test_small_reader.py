"""Modules are read for the tests as they are for users."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from staticana.frontend import isolation
from staticana.frontend.isolation import Refused, read_apart

from .small_reader import SmallReader

_MODULE = "define i32 @{}() {{\n  ret i32 0\n}}\n"


def test_the_answers_are_those_of_a_child_of_this_process() -> None:
    texts = [_MODULE.format(name) for name in ("first", '"\\FF"', '"ü"')]
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(read_apart, texts))
    assert found == [isolation._read_in_child(text).decode(*isolation._ENCODING) for text in texts]


def test_what_is_no_module_is_refused_by_both() -> None:
    for read in (SmallReader().read, isolation._read_in_child):
        with pytest.raises(Refused, match="expected"):
            read("define void @f() { no }")


def test_a_module_is_read_where_the_small_process_is_gone() -> None:
    reader = SmallReader()
    os.close(reader._asked.detach())
    assert b"@alone" in reader.read(_MODULE.format("alone"))
