"""Values that a program's own types do not hold are refused before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import looplaw
from staticana import InputError, find_compiler

_SOURCE = """
#include <stdlib.h>
int main(int argc, char **argv) {
    TYPE n = READ(argv[1]);
    volatile long sum = 0;
    for (TYPE i = 0; i < n; i++) sum += i;
    return 0;
}
"""


@pytest.fixture(autouse=True)
def _compiler() -> None:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")


def test_a_value_beyond_an_int_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(_SOURCE.replace("TYPE", "int").replace("READ", "atoi"))
    with pytest.raises(InputError, match=r"n = 3000000000: the program reads argv\[1\] into"):
        looplaw.study(tmp_path / "a.c", vary={"n": [10, 3_000_000_000]}, out=tmp_path / "out")
    with pytest.raises(InputError, match="n = 3000000000: the"):  # whatever the size is called
        looplaw.study(
            tmp_path / "a.c",
            vary={"size": [10, 3_000_000_000]},
            args=("{size}",),
            out=tmp_path / "out",
        )
    assert not (tmp_path / "out" / "study.json").exists()
