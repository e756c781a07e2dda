"""What modules for graphics processors need before they are analysed: one module for both sides of
a program, and shared memory that other threads write."""

from __future__ import annotations

import re

from ..isolation import transformed

_MACHINE = re.compile(r"^target (datalayout|triple) = .*$", re.M)
_OF_MACHINE = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_DEFINED = re.compile(r'^(?:define\b[^@\n]*|(?=@))@([\w$.]+|"[^"\n]+")(?=\(| = )', re.M)
_SHARED = re.compile(
    r"^(@[^\n=]+ = )((?:internal|private|dso_local|external|weak|linkonce_odr|unnamed_addr"
    r"|local_unnamed_addr|protected|hidden) )*(addrspace\(3\)) global (.*)$",
    re.M,
)
_COMDAT = re.compile(r", comdat(?:\([^)]*\))?")
_INITIAL = re.compile(r" (?:undef|poison|zeroinitializer)(?=, |$)")
_OLD_CONVENTION = "DW_CC_LLVM_OpenCLKernel"
_CONVENTION = "DW_CC_LLVM_DeviceKernel"


def with_known_conventions(text: str) -> str:
    """The conventions of kernels in debug information by the name that LLVM 21 gave them."""
    return text.replace(_OLD_CONVENTION, _CONVENTION) if _OLD_CONVENTION in text else text


def with_inlined(text: str, names: str) -> str:
    """A module whose functions of names that a pattern matches are inlined: small ones of a
    toolkit's headers, between a program and what it asks of the card or the driver."""
    wrapper = rf"^(define (?:linkonce_odr|internal) [^\n]*@(?:{names})[^\n]*\)[^\n#]*) #\d+"
    marked = re.sub(wrapper, r"\1 alwaysinline", text, flags=re.M)
    if marked == text:
        return text
    return transformed(marked, ("always_inliner", "sroa", "instruction_namer"))


def with_open_shared_memory(text: str) -> str:
    """Variables of a block's shared memory as variables that others write, too: other threads do.
    They hold nothing at first."""
    if "addrspace(3) global" not in text:
        return text
    return _SHARED.sub(_opened, text)


def _opened(line: re.Match[str]) -> str:
    rest = _COMDAT.sub("", _INITIAL.sub("", line[4], count=1))
    return f"{line[1]}external {line[3]} global {rest}"


def together(device: str, host: str) -> tuple[str, str]:
    """Both sides of a program, ready to be linked: the host's machine for both, and what both
    define kept apart."""
    machine = "\n".join(m[0] for m in _MACHINE.finditer(host))
    device = f"{machine}\n{_OF_MACHINE.sub('', _MACHINE.sub('', device))}"
    twice = {m[1] for m in _DEFINED.finditer(device)} & {m[1] for m in _DEFINED.finditer(host)}
    if twice:
        names = "|".join(map(re.escape, sorted(twice, key=len, reverse=True)))
        # a comdat has the name of what it is of
        host = re.sub(rf"(?<=[@$])(?:{names})(?![\w$.])", lambda m: _renamed(m[0]), host)
    return device, host


def _renamed(name: str) -> str:
    return f'{name[:-1]}.host"' if name.endswith('"') else f"{name}.host"
