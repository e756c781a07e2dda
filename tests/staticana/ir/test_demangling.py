"""Names of functions in the source, from what compilers call them."""

from __future__ import annotations

import pytest

from staticana.ir.demangling import demangled

NAMES = {
    "_QMcfgElast": "last",
    "_QMlinPlu": "lu",
    "_QMlinFnormEr": "r",
    "_QFEarr": "arr",
    "_QQmain": "_QQmain",
    "_ZN5numba7cpython7unicode11_cmp_regionB3v53B38c8tJTIeFIjxB2IKSgI4CrvQClcaMQ7CEJgA_3dE12uni"
    "code_typexx": "numba::cpython::unicode::_cmp_region",
    "_ZN2np6linalg10dot_2_impl12_3clocals_3e12_3clambda_3eB3v75B4c8tJE5Array": "np::linalg::"
    "dot_2_impl::lambda",
    "main": "main",
    "_ZL3barv": "bar",
    "_ZNSt6vectorIiSaIiEE9push_backERKi": "std::vector::push_back",
    "_ZNKSt3__16vectorIdNS_9allocatorIdEEE4sizeB8ne180100Ev": "std::vector::size",
    "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l": (
        "std::__ostream_insert"
    ),
    "_ZNSo9_M_insertIdEERSoT_": "std::ostream::_M_insert",
    "_ZN5ArrayILj4EE3getEi": "Array::get",
    "_ZNSt6vectorIiN1k9AllocatorIiLNS0_6DomainE6EEEE5eraseEv": "std::vector::erase",
    "_ZN12_GLOBAL__N_13fooEv": "foo",
    "_ZN1AC2Ei": "A::A",
    "_ZN1AD1Ev": "A::~A",
    "_ZplRK1AS1_": "operator+",
    "_ZN1AixEi": "A::operator[]",
    "_Znwm": "operator new",
    "_ZN4core3ptr13drop_in_place17h0123456789abcdefE": "core::ptr::drop_in_place",
    "_Z": "_Z",
    "_ZNK": "_ZNK",
    "_ZN9": "_ZN9",
}


@pytest.mark.parametrize(("name", "expected"), NAMES.items())
def test_qualified_names(name: str, expected: str) -> None:
    assert demangled(name) == expected


def test_damaged_names_do_no_harm() -> None:
    for name in NAMES:
        for end in range(len(name)):
            assert isinstance(demangled(name[:end]), str)
