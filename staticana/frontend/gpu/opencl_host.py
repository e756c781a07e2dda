"""Programs for two machines as one module, and what OpenCL hosts tell a kernel as values of IR.

`clSetKernelArg` and `clEnqueueNDRangeKernel` are handed addresses of numbers. Before each such call
the numbers are read and handed to a function that does nothing, so that the values of arguments,
grids and blocks are found as those of any other call (`staticana.launch.opencl`). What the C++
bindings wrap around these functions is inlined first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...ir.tokens import bare, split_top
from .device_modules import together, with_inlined

_DEVICE = re.compile(r'^target triple = "(?:spir|nvptx|amdgcn)', re.M)
_CALL = re.compile(
    r"^(?P<head>[^\n@]*\b(?:call|invoke) [^\n@]*)"
    r"@(?P<name>clSetKernelArg|clEnqueueNDRangeKernel)\((?P<arguments>[^\n]*?)\)"
    r"(?P<rest>(?: #\d+)?(?:, ![^\n]*)?(?:\n +to label[^\n]*)?)$",
    re.M,
)
_WRAPPERS = (
    r"_ZNK?2cl(?:6Kernel|7NDRange|11EnqueueArgs|13KernelFunctor|12CommandQueue20enqueueNDRangeKernel"
    r"|6detail(?:21KernelArgumentHandler|7Wrapper|10errHandler|16ReferenceHandler))"
)
"""Functions of the C++ bindings on the way to a launch."""
_INCOMING = re.compile(r"\[ ([^,\]]+), ")
_NO_RANGE = "NullRange"
_PLACE = re.compile(r", !dbg !\d+")
_NUMBERS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}
ENQUEUE, ARGUMENT, LOCAL = "looplaw_enqueue", "looplaw_argument", "looplaw_local"
"""What is called with (kernel, three sizes of all, three of a block; 0: not told), with (kernel,
number, value) and with (kernel, number, bytes)."""


def on_one_machine(texts: Sequence[str], linked: Callable[[Sequence[str]], str]) -> tuple[str, ...]:
    """Modules that link: where some are for graphics processors and some for the host, one each, on
    the host's machine."""
    devices = [text for text in texts if _DEVICE.search(text)]
    hosts = [text for text in texts if not _DEVICE.search(text)]
    if not devices or not hosts:
        return tuple(texts)
    device, host = (parts[0] if len(parts) == 1 else linked(parts) for parts in (devices, hosts))
    return together(device, host)


def with_told_numbers(text: str) -> str:
    """A module with a call for each argument and each launch that an OpenCL host tells."""
    if "@clEnqueueNDRangeKernel(" not in text:
        return text
    if "@_ZN2cl" in text:
        text = with_inlined(text, _WRAPPERS)
    reader = _Reader()
    text = _CALL.sub(reader.read, text)
    return text + "".join(sorted(reader.declared))


def _chosen(address: str, call: re.Match[str]) -> str:
    """An address, or what it is where it is not null: the bindings choose for want of a range."""
    head = f"\n  {address} = phi ptr "
    start = call.string.rfind(head, 0, call.start())
    if start < 0:
        return address
    line = call.string[start + len(head) : call.string.index("\n", start + 1)]
    found = [m for m in _INCOMING.findall(line) if m != "null"]
    return found[0] if len(found) == 1 else address


class _Reader:
    """Reads what calls are handed the addresses of."""

    def __init__(self) -> None:
        self.declared: set[str] = set()
        self._number = 0

    def read(self, call: re.Match[str]) -> str:
        """A call, after the reads and what they are handed to."""
        given = [part.strip() for part in split_top(call["arguments"])]
        values = [bare(part) for part in given]
        place = _PLACE.search(call["rest"])
        at = "" if place is None else place[0]
        if call["name"] == "clSetKernelArg":
            lines, first, last = self._argument(values, at), 3, 3
        else:
            lines, first, last = self._launch(values, call, at), 4, 5
        if not lines:
            return call[0]
        kept = ["ptr null" if first <= index <= last else part for index, part in enumerate(given)]
        changed = f"{call['head']}@{call['name']}({', '.join(kept)}){call['rest']}"
        return "\n".join((*lines, changed))

    def _argument(self, values: Sequence[str], at: str) -> list[str]:
        kernel, index, size, address = values
        if address == "null":
            return [self._told(LOCAL, f"ptr {kernel}, i32 {index}, i64 {size}", at)]
        kind = _NUMBERS.get(int(size)) if size.isdigit() else None
        if kind is None:
            return []
        value, load = self._load(kind, address, 0, at)
        told = f"ptr {kernel}, i32 {index}, {kind} {value}"
        return [*load, self._told(f"{ARGUMENT}_{kind}", told, at)]

    def _launch(self, values: Sequence[str], call: re.Match[str], at: str) -> list[str]:
        _, kernel, axes, _, total, block, *_ = values
        # the bindings hand over a variable, and ranges with ones along the other axes
        is_told = axes in ("1", "2", "3")
        if not is_told and "class.cl::NDRange" not in call.string:
            return []
        used = int(axes) if is_told else 3
        lines: list[str] = []
        sizes: list[str] = []
        for address in (_chosen(total, call), _chosen(block, call)):
            for axis in range(3):
                if address == "null" or _NO_RANGE in address:
                    sizes.append("i64 0")
                elif axis >= used:
                    sizes.append("i64 1")
                else:
                    value, load = self._load("i64", address, axis, at)
                    lines += load
                    sizes.append(f"i64 {value}")
        return [*lines, self._told(ENQUEUE, f"ptr {kernel}, {', '.join(sizes)}", at)]

    def _load(self, kind: str, address: str, index: int, at: str) -> tuple[str, list[str]]:
        self._number += 1
        name = f"%looplaw.told{self._number}"
        lines = []
        if index:
            lines.append(f"  {name}.at = getelementptr {kind}, ptr {address}, i64 {index}{at}")
            address = f"{name}.at"
        return name, [*lines, f"  {name} = load {kind}, ptr {address}{at}"]

    def _told(self, function: str, operands: str, at: str) -> str:
        types = ", ".join(part.strip().split(" ", 1)[0] for part in split_top(operands))
        self.declared.add(f"\ndeclare void @{function}({types})\n")
        return f"  call void @{function}({operands}){at}"
