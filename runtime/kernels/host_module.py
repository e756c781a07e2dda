"""The module of a kernel, rewritten for the host: one space of addresses, the host's machine,
counts of iterations and of accesses, and functions of the runtime (`fibres.c`) for the card's.

Iterations are counted as everywhere: executions of a loop's header less exits by its own test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import llvmlite.binding as llvm

from looplaw_common.errors import InputError
from staticana.interprocedural.inputs.thread_numbers import what_is_read
from staticana.ir.loop_info import loop_forest
from staticana.ir.system_files import own_location
from staticana.ir.types import ATOMIC_UPDATES, Function, Instruction, Module, quoted
from staticana.launch.kernels import space_of

_SPACE = re.compile(r",? ?addrspace\(\d+\)")
_CAST = re.compile(r"\baddrspacecast\b")
_CONVENTION = re.compile(
    r"\b(?:ptx_kernel|ptx_device|amdgpu_kernel|amdgpu_gfx|spir_kernel|spir_func|cc\d+) "
)
_MACHINE = re.compile(r"^target (?:datalayout|triple) = .*\n", re.M)
_OF_MACHINE = re.compile(r'"[\w.-]+"(?:="[^"]*")? ?')
_GROUP = re.compile(r"^attributes #\d+ = .*$", re.M)
_SHARED = re.compile(r"^@(\S+) = (.*)addrspace\(3\) global (.*)$", re.M)
_OPEN = re.compile(r"^(@\S+ = )external ((?:addrspace\(\d\) )?(?:global|constant) .*)$", re.M)
_DECLARED = re.compile(r'^declare (.*?)@("[^"]+"|[\w$.]+)\((.*?)\).*$', re.M)
_DYNAMIC_BYTES = 1 << 17
_DEEPEST = 8
"""Loops around an access whose iterations tell apart when a warp makes it."""
_BARRIER = re.compile(
    r"llvm\.nvvm\.barrier|llvm\.nvvm\.bar\.sync|llvm\.amdgcn\.s\.barrier$|_Z7barrierj"
    r"|_Z18work_group_barrierj|_Z\d+__spirv_ControlBarrier"
)
_FENCE = re.compile(
    r"llvm\.nvvm\.membar|llvm\.nvvm\.fence|llvm\.amdgcn\.wave\.barrier|_Z\d+(?:read_|write_)?mem_fence"
    r"|llvm\.amdgcn\.sched|llvm\.nvvm\.bar\.warp\.sync|_Z\d+__spirv_MemoryBarrier|_Z\d+prefetch"
    r"|llvm\.amdgcn\.fence|_Z17sub_group_barrierj"
)
_PRINTS = re.compile(r"vprintf$|__ockl_printf_")
_SHUFFLE = re.compile(r"llvm\.nvvm\.shfl\.sync\.(idx|up|down|bfly)\.(i32|f32)")
_HOW = {"idx": 0, "up": 1, "down": 2, "bfly": 3}
_INDEX = {"tid": 0, "ctaid": 1, "block": 2, "grid": 3, "id": 4, "size": 5, "none": 6}
_ATOMICS = {
    "add": "add",
    "inc": "add",
    "sub": "sub",
    "dec": "sub",
    "xchg": "xchg",
    "min": "min",
    "max": "max",
    "and": "and",
    "or": "or",
    "xor": "xor",
}
_ATOMIC = re.compile(r"_Z\d+atom(?:ic)?_(\w+?)PU3AS\dV?([ijlm])")
_MATH = re.compile(r"_Z(?P<length>\d+)(?P<rest>\w+)$")
_LIBM = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10"
    " expm1 fabs fdim floor fma fmax fmin fmod hypot lgamma log log10 log1p log2 nextafter pow"
    " remainder rint round rsqrt sin sincos sinh sqrt tan tanh tgamma trunc ldexp ilogb lrint"
    " lround llrint llround logb frexp modf scalbn nearbyint j0 j1 y0 y1".split()
)
_ALIASES = {"mad": "fma", "powr": "pow", "pown": "pow"}
_OWN = frozenset(
    "looplaw_barrier looplaw_warp_barrier looplaw_fence looplaw_shuffle looplaw_vote"
    " looplaw_atomic_add_float looplaw_atomic_add_double rsqrtf rsqrt".split()
)
_C = (
    _LIBM
    | {f"{f}f" for f in _LIBM}
    | {"abs", "labs", "memcpy", "memset", "printf", "malloc", "free"}
)
_C_CALL = re.compile(r"= call (float|double) @(\w+)\(([^()]*)\)$", re.M)
_STILL = re.compile(
    r"(?:wall_)?clock(?:64)?$|llvm\.nvvm\.texsurf\.handle|__translate_sampler|_Z\d+(?:read|write)_image"
)
"""Clocks stand still, and images and textures hold zeros, as arrays do."""
_LLVM = re.compile(r"llvm\.(?!nvvm|amdgcn|r600|spv)[\w.]+")


@dataclass(frozen=True)
class Place:
    """A loop or an access that is counted: where it stands; `kind` and `array` of an access."""

    at: str
    function: str
    header: str = ""
    kind: str = ""


@dataclass(frozen=True)
class HostModule:
    """IR of a kernel for the host. loops, accesses: what the counters of these numbers count;
    parameters: the types of the kernel's arguments; names: what they are called."""

    text: str
    loops: tuple[Place, ...]
    accesses: tuple[Place, ...]
    parameters: tuple[str, ...]
    names: tuple[str, ...]


def host_module(module: Module, kernel: str) -> HostModule:
    """Rewrite a module that holds one kernel.

    Raises:
        InputError: it calls something that does not run here.
    """
    editor = _Editor(module, kernel)
    for function in module.functions.values():
        if not function.is_declaration:
            editor.count(function)
    body = _plain("\n".join(editor.lines) + "\n")
    parts = [body, _runtime(body, module), editor.tables(_shared_variables(module))]
    function = module.functions[kernel]
    parts.append(_caller(function))
    return HostModule(
        "".join(parts),
        tuple(editor.loops),
        tuple(editor.accesses),
        tuple(
            "shared" if space_of(function, at) == "3" else p.type
            for at, p in enumerate(function.parameters)
        ),
        tuple(p.token.name.removesuffix(".coerce") for p in function.parameters),
    )


class _Editor:
    """Inserts counters into the lines of a module."""

    def __init__(self, module: Module, kernel: str) -> None:
        self.module, self.kernel = module, kernel
        self.nests: list[list[int]] = []
        self.lines = module.text.splitlines()
        self.loops: list[Place] = []
        self.accesses: list[Place] = []
        self._edges = 0

    def count(self, function: Function) -> None:
        """Count the loops and the accesses of a function."""
        forest = loop_forest(function, self.module)
        loops = [loop for loop in forest.loops if loop.is_source]
        numbers = {loop.header: len(self.loops) + at for at, loop in enumerate(loops)}
        for block in function.blocks.values():
            around = [numbers[loop.header] for loop in loops if block.name in loop.blocks]
            for i in block.instructions:
                address = _address(i)
                if address is not None:
                    self._access(function, i, address)
                    self.nests.append(around if function.name == self.kernel else [-2])
        appended: list[str] = []
        for loop in loops:
            number = numbers[loop.header]
            self.loops.append(Place(loop.at, function.name, loop.header))
            if loop.preheader is not None:
                end = function.blocks[loop.preheader].terminator.line
                enter = f"  call void @looplaw_enter(i32 {number})\n"
                self.lines[end] = enter + self.lines[end]
            header = function.blocks[loop.header]
            phis = header.phis
            line = phis[-1].line if phis else header.line
            self.lines[line] += f"\n  call void @looplaw_count(i32 {number}, i64 1)"
            for edge in loop.exits:
                if edge.is_test:
                    appended += self._on_edge(function, edge.source, edge.target, number)
        self.lines[function.end] = "".join(appended) + self.lines[function.end]

    def _access(self, function: Function, i: Instruction, address: str) -> None:
        at = own_location(self.module, i.dbg)
        kind = "load" if i.opcode == "load" else "store" if i.opcode == "store" else "atomic"
        number = len(self.accesses)
        self.accesses.append(Place(str(at), function.name, kind=kind))
        size = f"getelementptr ({i.type}, ptr null, i32 1)" if not i.is_call else None
        name = f"%looplaw.a{number}"
        code = f"  {name} = ptrtoint ptr {address} to i64\n"
        bytes = f"ptrtoint (ptr {size} to i32)" if size else "4"
        code += f"  call void @looplaw_access(i32 {number}, i64 {name}, i32 {bytes})\n"
        self.lines[i.line] = code + self.lines[i.line]

    def _on_edge(self, function: Function, source: str, target: str, loop: int) -> list[str]:
        """Take back an iteration where control leaves by the loop's own test."""
        self._edges += 1
        name = f"looplaw.edge.{self._edges}"
        terminator = function.blocks[source].terminator
        first = terminator.line
        old = f"label %{quoted(target)}"
        for line in range(first, function.end):
            changed = re.sub(re.escape(old) + r"(?![\w.$-])", f"label %{name}", self.lines[line])
            done = changed != self.lines[line]
            self.lines[line] = changed
            if done or self.lines[line].strip() == "":
                break
        for phi in function.blocks[target].phis:
            self.lines[phi.line] = re.sub(
                rf", %{re.escape(quoted(source))} \]", f", %{name} ]", self.lines[phi.line]
            )
        return [
            f"{name}:\n  call void @looplaw_count(i32 {loop}, i64 -1)\n"
            f"  br label %{quoted(target)}\n"
        ]

    def tables(self, shared: list[tuple[str, int]]) -> str:
        """The numbers of counters, and where shared variables lie."""
        starts = ", ".join(f"ptr @{name}" for name, _ in shared) or "ptr null"
        sizes = ", ".join(f"i64 {size}" for _, size in shared) or "i64 0"
        count = max(1, len(shared))
        nests = [n for nest in self.nests for n in (*nest, *[-1] * _DEEPEST)[:_DEEPEST]] or [-1]
        numbers = ", ".join(f"i32 {n}" for n in nests)
        return (
            "declare void @looplaw_count(i32, i64)\n"
            "declare void @looplaw_enter(i32)\n"
            f"@looplaw_nests = constant [{len(nests)} x i32] [{numbers}]\n"
            "declare void @looplaw_access(i32, i64, i32)\n"
            f"@looplaw_loops = constant i32 {len(self.loops)}\n"
            f"@looplaw_accesses = constant i32 {len(self.accesses)}\n"
            f"@looplaw_shared_variables = constant i32 {len(shared)}\n"
            f"@looplaw_shared_starts = constant [{count} x ptr] [{starts}]\n"
            f"@looplaw_shared_sizes = constant [{count} x i64] [{sizes}]\n"
        )


def _address(i: Instruction) -> str | None:
    if i.opcode == "load":
        return i.operands[0]
    if i.opcode == "store":
        return i.operands[1]
    return i.operands[0] if i.opcode in ATOMIC_UPDATES else None


def _shared_variables(module: Module) -> list[tuple[str, int]]:
    from staticana.ir.data_layout import Layout
    from staticana.ir.tokens import split_top

    layout = Layout(module)
    return [
        (m[1], layout.size(split_top(m[3])[0]) or _DYNAMIC_BYTES)
        for m in _SHARED.finditer(module.text)
    ]


def _plain(text: str) -> str:
    """The module without what is the card's."""
    from staticana.ir.tokens import split_top

    def shared(m: re.Match[str]) -> str:
        kind = split_top(m[3])[0]
        if re.search(r"\[0 x", kind):
            kind = f"[{_DYNAMIC_BYTES} x i8]"
        return f"@{m[1]} = global {kind} zeroinitializer, align 128"

    text = _SHARED.sub(shared, text)
    text = _OPEN.sub(_defined, text)
    text = _GROUP.sub(lambda m: _OF_MACHINE.sub("", m[0]).replace("{ }", "{ nounwind }"), text)
    text = _MACHINE.sub("", _CONVENTION.sub("", _SPACE.sub("", text)))
    text = re.sub(r"\blocal_unnamed_addr\b", "", text)
    text = _CAST.sub("bitcast", text)
    text = re.sub(r"^\$.* = comdat .*\n", "", text, flags=re.M)
    text = re.sub(r"\bcomdat(?:\([^)]*\))?", "", text)
    text = re.sub(r"\b(?:available_externally|linkonce_odr|weak_odr|protected|hidden) ", "", text)
    text = re.sub(r'syncscope\("[^"]*"\) ', "", text)
    return f'target triple = "{llvm.get_process_triple()}"\n{text}'


def _defined(m: re.Match[str]) -> str:
    """A variable of the card's, which holds zeros at first."""
    from staticana.ir.tokens import split_top

    kind = split_top(re.split(r"(?:global|constant) ", m[2], maxsplit=1)[1])[0]
    return f"{m[1]}global {kind} zeroinitializer, align 256"


def _runtime(text: str, module: Module) -> str:
    """What the functions of the card are here, and declarations of the runtime's; what is declared
    twice is left out of the text by the caller.

    Raises:
        InputError: there is nothing for one of them.
    """
    made = [
        "declare i64 @looplaw_index(i32, i32)\n",
        "declare i64 @looplaw_linear(i32)\n",
        "declare i64 @looplaw_lane()\n",
        "declare i64 @looplaw_warp_size()\n",
    ]
    if "@looplaw_barrier(" not in text:
        made.append("declare void @looplaw_barrier()\n")
    if "@looplaw_shuffle(" not in text:
        made.append("declare i64 @looplaw_shuffle(i32, i64, i32, i32)\n")
    return "".join(made)


def with_definitions(text: str, module: Module) -> str:
    """The text with a definition for each function of the card that it declares.

    Raises:
        InputError: there is nothing here for one that it calls.
    """
    called = {
        i.operands[0].lstrip("@").strip('"')
        for f in module.functions.values()
        for i in f.calls
        if i.operands
    }
    if "asm" in called:  # of the card, which no assembler here reads
        raise InputError("the kernel cannot run here: it holds assembly of the card")

    def found(m: re.Match[str]) -> str:
        name = m[2].strip('"')
        if name.startswith("looplaw_"):
            return m[0]
        if name not in called:
            return "" if not _LLVM.fullmatch(name) else m[0]
        if name in _OWN or name in _C or _LLVM.fullmatch(name):
            return m[0]
        result = _result(m[1])
        types = [p.split()[0] for p in m[3].split(", ") if p]
        body = _body(name, result, types)
        if body is None:
            raise InputError(f"the kernel cannot run here: it calls {name}")
        arguments = ", ".join(f"{t} %a{at}" for at, t in enumerate(types))
        renamed = m[2] if not name.startswith("llvm.") else f'"looplaw.{name}"'
        return f"define internal {result} @{renamed}({arguments}) {{\n{body}}}"

    text = _DECLARED.sub(found, text)
    text += "".join(_declarations(text))
    return re.sub(r"(?<!\")@(llvm\.(?:nvvm|amdgcn|r600)\.[\w.]+)", r'@"looplaw.\1"', text)


def _declarations(text: str) -> Iterator[str]:
    """Declarations of the C library's functions that definitions of ours call."""
    for result, name, arguments in sorted(set(_C_CALL.findall(text))):
        if name in _C and not re.search(rf"^(?:declare|define) .*@{name}\(", text, re.M):
            types = ", ".join(a.split()[0] for a in arguments.split(", "))
            yield f"declare {result} @{name}({types})\n"


def _result(head: str) -> str:
    words = [w for w in head.split() if re.match(r"(?:i\d+|void|float|double|ptr|\{|<|half)", w)]
    if "{" in head:
        return head[head.index("{") :].strip()
    if "<" in head:
        return head[head.index("<") : head.index(">") + 1]
    return words[-1] if words else "void"


def _body(name: str, result: str, types: list[str]) -> str | None:
    """The code of a function of the card, on this processor."""
    known = what_is_read(name)
    if known is not None:
        return _number(known, result, types)
    if _BARRIER.match(name):
        return f"  call void @looplaw_barrier()\n{_nothing(result)}"
    if any(kind.match(name) for kind in (_FENCE, _PRINTS, _STILL)):
        return _nothing(result)
    shuffle = _SHUFFLE.fullmatch(name)
    if shuffle is not None:
        return _shuffled(_HOW[shuffle[1]], result)
    atomic = _ATOMIC.match(name)
    if atomic is not None:
        return _atomic(atomic, result, types)
    return _mathematical(name, result, types)


def _nothing(result: str) -> str:
    return (
        "  ret void\n"
        if result == "void"
        else f"  ret {result} zeroinitializer\n".replace(
            "zeroinitializer", "0" if result[0] == "i" else "zeroinitializer"
        )
    )


def _number(known: tuple[str, str | None], result: str, types: list[str]) -> str:
    what, axis = known
    if what == "lane":
        code = "  %v = call i64 @looplaw_lane()\n"
    elif what == "warp":
        code = "  %v = call i64 @looplaw_warp_size()\n"
    elif what.startswith("linear"):
        code = f"  %v = call i64 @looplaw_linear(i32 {int(what == 'linear.id')})\n"
    else:
        where = "%a0" if axis is None else str("xyz".index(axis))
        code = f"  %v = call i64 @looplaw_index(i32 {_INDEX[what]}, i32 {where})\n"
    if result == "i64":
        return code + "  ret i64 %v\n"
    return code + f"  %w = trunc i64 %v to {result}\n  ret {result} %w\n"


def _shuffled(how: int, result: str) -> str:
    is_float = result == "float"
    code = "  %b = bitcast float %a1 to i32\n" if is_float else "  %b = add i32 %a1, 0\n"
    code += "  %c = zext i32 %b to i64\n  %s = lshr i32 %a3, 8\n  %w = sub i32 32, %s\n"
    code += f"  %d = call i64 @looplaw_shuffle(i32 {how}, i64 %c, i32 %a2, i32 %w)\n"
    code += "  %e = trunc i64 %d to i32\n"
    if is_float:
        return code + "  %f = bitcast i32 %e to float\n  ret float %f\n"
    return code + "  ret i32 %e\n"


def _atomic(found: re.Match[str], result: str, types: list[str]) -> str | None:
    what = found[1]
    if what == "cmpxchg":
        return (
            f"  %p = cmpxchg ptr %a0, {result} %a1, {result} %a2 seq_cst seq_cst\n"
            f"  %v = extractvalue {{ {result}, i1 }} %p, 0\n  ret {result} %v\n"
        )
    kind = _ATOMICS.get(what)
    if kind is None:
        return None
    if kind in ("min", "max") and found[2] in "jm":
        kind = f"u{kind}"
    value = "%a1" if len(types) > 1 else "1"
    return f"  %v = atomicrmw {kind} ptr %a0, {result} {value} seq_cst\n  ret {result} %v\n"


def _mathematical(name: str, result: str, types: list[str]) -> str | None:
    """A function of arithmetic as the C library's, or in place."""
    plain = _plain_name(name)
    if plain is None or result not in ("float", "double", "i8", "i16", "i32", "i64"):
        return None
    simple = _simple(plain, result, types, unsigned=name[-1:] in "htjm")
    if simple is not None:
        return simple
    if plain not in _LIBM or result not in ("float", "double"):
        return None
    called = f"{plain}f" if result == "float" else plain
    arguments = ", ".join(f"{t} %a{at}" for at, t in enumerate(types))
    return f"  %v = call {result} @{called}({arguments})\n  ret {result} %v\n"


def _simple(plain: str, result: str, types: list[str], *, unsigned: bool) -> str | None:
    """Maxima, minima and the like."""
    t = result
    is_float = t in ("float", "double")
    if plain in ("max", "min", "fmax", "fmin", "maxmag", "minmag") and len(types) == 2:
        order = "gt" if "max" in plain else "lt"
        test = f"fcmp o{order}" if is_float else f"icmp {'u' if unsigned else 's'}{order}"
        return f"  %c = {test} {t} %a0, %a1\n  %v = select i1 %c, {t} %a0, {t} %a1\n  ret {t} %v\n"
    if plain == "clamp":
        less = "fcmp olt" if is_float else f"icmp {'u' if unsigned else 's'}lt"
        return (
            f"  %c = {less} {t} %a0, %a1\n  %x = select i1 %c, {t} %a1, {t} %a0\n"
            f"  %d = {less} {t} %a2, %x\n  %v = select i1 %d, {t} %a2, {t} %x\n  ret {t} %v\n"
        )
    if plain in ("mad24", "mul24", "mad_hi") and not is_float:
        code = f"  %p = mul {t} %a0, %a1\n"
        return code + (
            f"  %v = add {t} %p, %a2\n  ret {t} %v\n" if len(types) > 2 else f"  ret {t} %p\n"
        )
    if plain == "abs" and not is_float:
        code = f"  %n = sub {t} 0, %a0\n  %c = icmp slt {t} %a0, 0\n"
        return f"{code}  %v = select i1 %c, {t} %n, {t} %a0\n  ret {t} %v\n"
    return None


def _plain_name(name: str) -> str | None:
    """The name of a function of arithmetic without prefixes and types."""
    for prefix in ("__nv_fast_", "__nv_", "__ocml_native_", "__ocml_"):
        if name.startswith(prefix):
            plain = re.sub(r"_f(?:32|64)$", "", name.removeprefix(prefix))
            return plain if plain in _LIBM else plain.removesuffix("f")
    found = _MATH.match(name)
    if found is None:
        return None
    length = int(found["length"])
    plain = found["rest"][:length].removeprefix("native_").removeprefix("half_")
    return _ALIASES.get(plain, plain)


def _caller(function: Function) -> str:
    """The function that the runtime calls: arguments from an array of addresses."""
    code, passed = [], []
    for at, p in enumerate(function.parameters):
        code.append(f"  %p{at} = getelementptr ptr, ptr %arguments, i64 {at}\n")
        code.append(f"  %q{at} = load ptr, ptr %p{at}\n")
        by_value = re.search(r"by(?:val|ref)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", p.attributes)
        if by_value is not None:
            passed.append(
                f"ptr byval({by_value[1]}) %q{at}" if "byval" in p.attributes else f"ptr %q{at}"
            )
            continue
        code.append(f"  %a{at} = load {p.type}, ptr %q{at}\n")
        passed.append(f"{p.type} %a{at}")
    call = f"  call void @{quoted(function.name)}({', '.join(passed)})\n"
    return f"define void @looplaw_call(ptr %arguments) {{\n{''.join(code)}{call}  ret void\n}}\n"
