"""Where accesses go, which of them may touch the same memory, and what functions write.

Two accesses are taken apart when they go to distinct objects (globals, local variables, fresh
allocations), to different bytes from one pointer, to different members of structures, or are told
apart by C's aliasing rules. What a function writes is the union over its stores and its callees',
seen from the caller. A function outside the program writes the objects it is handed; that it writes
nothing else is an assumption unless it is a known library function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import networkx as nx

from ..ir.data_layout import Layout
from ..ir.parser import constant_address, global_names
from ..ir.tbaa import TypeRules
from ..ir.types import Function, Instruction, Module

ALLOCATORS = frozenset(
    "malloc calloc realloc aligned_alloc memalign _Znwm _Znam _ZnwmSt11align_val_t "
    "_ZnamSt11align_val_t".split()
)
_MAX_DEPTH = 24
_MAX_WRITES = 256
_COPIES = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_COPY_NAMES = frozenset(("memcpy", "memmove", "memset"))
# Functions that write none of the program's data and keep no pointer to it.
_READERS = frozenset(
    """
printf fprintf vprintf vfprintf puts fputs putchar fputc putc fwrite fclose fflush feof ferror fseek ftell rewind perror
fopen remove rename free abort exit _exit getenv system atoi atol atoll atof strlen strcmp strncmp strcasecmp
strncasecmp memcmp memchr bcmp strdup __assert_fail
""".split()
)
# Functions that write nothing but what their arguments point to.
_LIBRARY = _READERS | frozenset(
    """
sprintf snprintf fread fgets fgetc getc getchar getline scanf fscanf sscanf setbuf setvbuf __isoc99_scanf
__isoc99_fscanf __isoc99_sscanf __isoc23_scanf __isoc23_fscanf __isoc23_sscanf malloc calloc realloc aligned_alloc
memalign posix_memalign atexit strtol strtoll strtoul strtoull strtod strtof strtold __isoc23_strtol __isoc23_strtoll
__isoc23_strtoul __isoc23_strtoull abs labs llabs div ldiv rand srand random srandom rand_r drand48 srand48 lrand48
strcpy strncpy strcat strncat strchr strrchr strstr strtok strtok_r strerror strspn strcspn strpbrk toupper tolower
isdigit isalpha isspace isalnum isupper islower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location
time clock clock_gettime gettimeofday difftime localtime gmtime strftime ctime asctime mktime usleep sleep nanosleep
sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt
hypot fabs floor ceil round rint nearbyint trunc fmod remainder fmin fmax fma ldexp frexp modf copysign erf erfc
tgamma lgamma sincos sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf expf exp2f logf log2f log10f powf sqrtf
cbrtf hypotf fabsf floorf ceilf roundf rintf truncf fmodf fminf fmaxf fmaf sqrtl fabsl powl lround lrint lroundf
llround llrint __cxa_allocate_exception __cxa_throw __cxa_begin_catch __cxa_end_catch __cxa_rethrow
__cxa_free_exception __cxa_guard_acquire __cxa_guard_release __cxa_guard_abort __cxa_atexit __cxa_pure_virtual
__gxx_personality_v0 __clang_call_terminate __stack_chk_fail getpid getpagesize sysconf getrusage sched_yield qsort
bsearch getopt getopt_long omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_wtime
omp_set_num_threads fabsf128 signal raise pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock
pthread_mutex_init pthread_mutex_destroy
""".split()
)
_LIBRARY_PREFIXES = (
    "llvm.",
    "MPI_",
    "PMPI_",
    "_ZNSt",
    "_ZNKSt",
    "_ZSt",
    "_ZNSo",
    "_ZNKSo",
    "_ZNSi",
    "_ZNSs",
    "_ZNKSs",
    "_Znw",
    "_Zna",
    "_Zdl",
    "_Zda",
    "_ZN9__gnu_cxx",
    "_ZNSa",
    "__kmpc_",
    "omp_",
    "__svml",
    "std::",
)


_KEEPERS = (
    "MPI_I",
    "PMPI_I",
    "pthread_create",
    "setbuf",
    "setvbuf",
    "strtok",
    "atexit",
    "__cxa_atexit",
)
"""Library functions that keep pointers to what they are handed."""


def is_known(callee: str) -> bool:
    """A library function that writes nothing but what its arguments point to."""
    return callee in _LIBRARY or callee.startswith(_LIBRARY_PREFIXES)


class Member(NamedTuple):
    """A member of a structure type: bytes start .. end - 1 of it."""

    struct: str
    start: int
    end: int


class Place(NamedTuple):
    """Where an access goes.

    root: "@g", or "function:%register" for a local object or a pointer; None where unknown. offset:
    bytes from the root when constant; size: bytes, None for any number. kind: the type accessed, ""
    for any. tag: its !tbaa node. member: the structure member it goes by; element: it goes by an
    index into an array. handed: the library function that was handed the object.
    """

    root: str | None
    offset: int | None = None
    size: int | None = None
    kind: str = ""
    tag: str | None = None
    member: Member | None = None
    element: bool = False
    handed: str | None = None


EVERYWHERE = Place(None)


@dataclass(frozen=True)
class Effects:
    """What an instruction or function may write; `outside` are unknown functions taken to write
    nothing else."""

    writes: frozenset[Place] = frozenset()
    outside: frozenset[str] = frozenset()


NO_EFFECTS = Effects()


class Aliasing:
    """Accesses of one module. `strict`: functions outside the program may write everything that
    others can reach."""

    def __init__(self, module: Module, layout: Layout, *, strict: bool = False) -> None:
        self.module = module
        self.layout = layout
        self.strict = strict
        self.types = TypeRules(module)
        self._effects: dict[str, Effects] = {}
        self._roots: dict[tuple[str, str], tuple[str | None, int | None]] = {}
        self._escaping: dict[tuple[str, str], tuple[bool, bool]] = {}
        self._objects: dict[str, bool] = {}
        self._private: dict[str, bool] = {}
        self._definitions: dict[str, tuple[Function | None, Instruction | None]] = {}
        self._results: dict[str, tuple[int, int | None, str] | None] = {}

    # -- places
    def place(self, function: Function, token: str, kind: str, tag: str | None = None) -> Place:
        """The place that an address register or constant denotes, for an access of type `kind`."""
        root, offset = self.root(function, token)
        member, element = self._way(function, token)
        return Place(
            root, offset, self.layout.size(kind) if kind else None, kind, tag, member, element
        )

    def root(self, function: Function, token: str) -> tuple[str | None, int | None]:
        """(object or pointer, constant offset in bytes or None) of an address."""
        key = (function.name, token)
        if key not in self._roots:
            self._roots[key] = (None, None)  # a pointer that depends on itself
            self._roots[key] = self._find_root(function, token)
        return self._roots[key]

    def _find_root(self, function: Function, token: str) -> tuple[str | None, int | None]:
        if token.startswith("@"):
            return token, 0
        address = constant_address(token)
        if address is not None:
            base, offset = self.root(function, address[0])
            return base, _add(offset, self.constant_offset(address[1], address[2]))
        i = function.definitions.get(token)
        if i is None:
            return (f"{function.name}:{token}", 0) if token.startswith("%") else (None, None)
        if i.opcode == "getelementptr":
            base, offset = self.root(function, i.operands[0])
            return base, _add(offset, self.constant_offset(i.type, i.operands[1:]))
        if i.opcode in ("bitcast", "freeze", "addrspacecast"):
            return self.root(function, i.operands[0])
        if i.opcode in ("phi", "select"):
            sources = {
                self.root(function, o)[0]
                for o in (i.operands if i.opcode == "phi" else i.operands[1:])
                if o != "null" and not self._steps(function, o, token)
            }
            return (sources.pop(), None) if len(sources) == 1 else (None, None)
        if i.opcode in ("call", "invoke"):
            passed = self._returned(i)
            if passed is not None:
                base, offset = self.root(function, i.operands[1 + passed[0]])
                return base, _add(offset, passed[1])
        if i.opcode in ("alloca", "load", "call", "invoke"):
            return f"{function.name}:{token}", 0
        return None, None

    def _returned(self, call: Instruction) -> tuple[int, int | None, str] | None:
        """(argument, offset, register): the called function returns a pointer into what that
        argument points to."""
        name = call.operands[0][1:].strip('"')
        if call.type != "ptr" or call.operands[0][0] != "@":
            return None
        if name not in self._results:
            self._results[name] = None
            f = self.module.functions.get(name)
            returns = (
                [b.terminator for b in f.blocks.values() if b.terminator.opcode == "ret"]
                if f is not None
                else []
            )
            if f is not None and len(returns) == 1 and returns[0].operands:
                root, offset = self.root(f, returns[0].operands[0])
                for at, p in enumerate(f.parameters):
                    if root == f"{name}:{p.token}":
                        self._results[name] = at, offset, returns[0].operands[0]
        found = self._results[name]
        return found if found is not None and found[0] + 1 < len(call.operands) else None

    def _steps(self, function: Function, token: str, start: str) -> bool:
        """Is it `start` moved along, p = p + k?"""
        for _ in range(_MAX_DEPTH):
            if token == start:
                return True
            i = function.definitions.get(token)
            if i is None or i.opcode != "getelementptr":
                return False
            token = i.operands[0]
        return False

    def constant_offset(self, kind: str, indices: tuple[str, ...]) -> int | None:
        """Bytes that constant indices into a type amount to."""
        total = 0
        for at, index in enumerate(indices):
            if not index.lstrip("-").isdigit():
                return None
            if at and self.layout.is_struct(kind):
                field = self.layout.offset(kind, int(index))
                if field is None:
                    return None
                total, kind = total + field[0], field[1]
                continue
            if at:
                kind = self.layout.element(kind) or "?"
            size = self.layout.size(kind)
            if size is None:
                return None
            total += int(index) * size
        return total

    def _way(self, function: Function, token: str) -> tuple[Member | None, bool]:
        """(the innermost structure member that an address goes by, whether an array index follows
        it)."""
        element = False
        for _ in range(_MAX_DEPTH):
            address = constant_address(token)
            i = function.definitions.get(token)
            if i is not None and i.opcode in ("call", "invoke"):
                passed = self._returned(i)
                if passed is None:
                    return None, element
                member, indexed = self._way(
                    self.module.functions[i.operands[0][1:].strip('"')], passed[2]
                )
                if member is not None or indexed:
                    return member, element or indexed
                token = i.operands[1 + passed[0]]
                continue
            if address is not None:
                base, kind, indices = address
            elif i is not None and i.opcode == "getelementptr":
                base, kind, indices = i.operands[0], i.type, i.operands[1:]
            else:
                return None, element
            member, indexed = self.member(kind, indices)
            element = element or indexed
            if member is not None:
                return member, element
            token = base
        return None, element

    def member(self, kind: str, indices: tuple[str, ...]) -> tuple[Member | None, bool]:
        """The last member that indices go by, and whether an array index (not a plain 0) stands
        behind it."""
        member, element = None, False
        for at, index in enumerate(indices):
            if at and self.layout.is_struct(kind):
                field = self.layout.offset(kind, int(index)) if index.isdigit() else None
                if field is None:
                    return None, True
                if kind.startswith("%"):
                    end = field[0] + (self.layout.size(field[1]) or 0)
                    member, element = Member(self.layout.same(kind), field[0], end), False
                kind = field[1]
                continue
            if at:
                kind = self.layout.element(kind) or "?"
            element = element or at > 0 or index != "0"
        return member, element

    def is_object(self, root: str | None) -> bool:
        """A root that is an object of its own, not just a pointer to one."""
        if root is None:
            return False
        if root not in self._objects:
            self._objects[root] = self._is_object(root)
        return self._objects[root]

    def _is_object(self, root: str) -> bool:
        if root.startswith("@"):
            return True
        _function, i = self._definition(root)
        return i is not None and (
            i.opcode == "alloca"
            or (i.opcode in ("call", "invoke") and i.operands[0][1:] in ALLOCATORS)
        )

    def _definition(self, root: str) -> tuple[Function | None, Instruction | None]:
        found = self._definitions.get(root)
        if found is None:
            owner, _, token = root.partition(":")
            function = self.module.functions.get(owner)
            found = self._definitions[root] = (
                function,
                function.definitions.get(token) if function is not None else None,
            )
        return found

    def _is_local(self, root: str) -> bool:
        """A local object that no other pointer reaches."""
        function, i = self._definition(root)
        return (
            function is not None
            and i is not None
            and self.is_object(root)
            and not self.escapes(function, root.partition(":")[2])
        )

    def escapes(self, function: Function, token: str) -> bool:
        """May the pointer be known elsewhere than in registers and arguments derived from it?"""
        kept, returned = self._ways_out(function, token)
        return kept or (returned and self._result_escapes(function))

    def _ways_out(self, function: Function, token: str) -> tuple[bool, bool]:
        """Is the pointer kept where it can be found again; is it returned?"""
        key = (function.name, token)
        if key not in self._escaping:
            self._escaping[key] = True, True  # what depends on itself
            self._escaping[key] = self._find_ways_out(function, token)
        return self._escaping[key]

    def _find_ways_out(self, function: Function, token: str) -> tuple[bool, bool]:
        derived, users, returned = {token}, self._users(function), False
        work = [token]
        while work:
            current = work.pop()
            for i in users.get(current, ()):
                if i.opcode in ("load", "icmp") or (
                    i.opcode == "store" and i.operands[0] != current
                ):
                    continue
                if i.opcode == "ret":
                    returned = True
                    continue
                if i.opcode in ("call", "invoke"):
                    kept, comes_back = self._call_keeps(i, current)
                    traced = self._returned(i)
                    # a result that is not known to be this argument is not followed
                    if kept or (
                        comes_back and (traced is None or i.operands[traced[0] + 1] != current)
                    ):
                        return True, True
                    if not comes_back:
                        continue
                elif i.opcode not in (
                    "getelementptr",
                    "phi",
                    "select",
                    "bitcast",
                    "freeze",
                    "addrspacecast",
                ):
                    return True, True
                if i.token not in derived:
                    derived.add(i.token)
                    work.append(i.token)
        return False, returned

    def _result_escapes(self, function: Function) -> bool:
        if function.name in self.address_taken or function.name not in self.call_sites:
            return True
        return any(self.escapes(caller, i.token) for caller, i in self.call_sites[function.name])

    def _call_keeps(self, i: Instruction, token: str) -> tuple[bool, bool]:
        """As `_ways_out`, for a pointer that is handed to a called function."""
        callee = i.operands[0].lstrip("@").strip('"')
        if i.operands[0][0] != "@" or i.operands[0] == token:
            return True, True
        target = self.module.functions.get(callee)
        if target is not None and not target.is_declaration:
            if any(
                at >= len(target.parameters) for at, t in enumerate(i.operands[1:]) if t == token
            ):
                return True, True
            ways = [
                self._ways_out(target, target.parameters[at].token)
                for at, t in enumerate(i.operands[1:])
                if t == token
            ]
            return any(kept for kept, _ in ways), any(returned for _, returned in ways)
        return not is_known(callee) or callee.startswith(_KEEPERS), self._returned(i) is not None

    @cached_property
    def call_sites(self) -> dict[str, list[tuple[Function, Instruction]]]:
        """Direct calls of each function, with the caller."""
        found: dict[str, list[tuple[Function, Instruction]]] = {}
        for f in self.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.opcode in ("call", "invoke") and i.operands[0][0] == "@":
                        found.setdefault(i.operands[0][1:].strip('"'), []).append((f, i))
        return found

    def _users(self, function: Function) -> dict[str, list[Instruction]]:
        found = self._user_lists.get(function.name)
        if found is None:
            found = self._user_lists[function.name] = {}
            for b in function.blocks.values():
                for i in b.instructions:
                    for o in dict.fromkeys(i.operands):
                        if o[:1] == "%":
                            found.setdefault(o, []).append(i)
        return found

    @cached_property
    def _user_lists(self) -> dict[str, dict[str, list[Instruction]]]:
        return {}

    # -- facts of the whole module
    @cached_property
    def private_globals(self) -> frozenset[str]:
        """Globals that are only accessed directly: no pointer to them is ever kept or handed on."""
        escaped: set[str] = set()
        for f in self.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    for at, token in enumerate(i.operands):
                        direct = (
                            i.opcode == "load"
                            or (i.opcode == "store" and at == 1)
                            or (i.opcode in ("call", "invoke") and at == 0)
                        )
                        if direct:
                            if constant_address(token) is not None:
                                continue
                        elif (
                            i.opcode == "getelementptr"
                            and at == 0
                            and token[:1] == "@"
                            and not self.escapes(f, i.token)
                        ):
                            continue
                        if token[:1] != "@":
                            escaped.update("@" + name for name in global_names(token))
                        elif not direct:
                            escaped.add(token)
        for g in self.module.globals.values():
            escaped.update("@" + name for name in global_names(g.initializer))
        return frozenset("@" + g for g in self.module.globals) - escaped

    @cached_property
    def exposed_members(self) -> frozenset[Member]:
        """Members that may be written through a pointer to them alone: an access that does not name
        the member."""
        found: set[Member] = set()
        for f in self.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.opcode == "getelementptr":
                        member, element = self.member(i.type, i.operands[1:])
                        if (
                            member is not None
                            and not element
                            and member not in found
                            and (self.escapes(f, i.token) or self._written_through(f, i.token))
                        ):
                            found.add(member)
                    for at, token in enumerate(i.operands):
                        if token[:1] == "g" and not (
                            i.opcode == "load" or (i.opcode == "store" and at == 1)
                        ):
                            found.update(self._constant_member(token))
        for g in self.module.globals.values():
            for part in g.initializer.split("ptr ") if "getelementptr" in g.initializer else ():
                found.update(self._constant_member(part))
        return frozenset(found)

    def _written_through(self, function: Function, token: str) -> bool:
        """May a pointer that is not known elsewhere be written through where it is no longer seen
        what it points to?"""
        for i in self._users(function).get(token, ()):
            if i.opcode in ("phi", "select"):
                return True
            if i.opcode in ("call", "invoke"):
                callee = i.operands[0].lstrip("@").strip('"')
                target = self.module.functions.get(callee)
                if target is None or target.is_declaration:
                    # its writes name no member and no type, and are held to touch all members
                    continue
                handed = {
                    f"{callee}:{p.token}"
                    for p, t in zip(target.parameters, i.operands[1:], strict=False)
                    if t == token
                }
                if any(w.root is None or w.root in handed for w in self.effects(callee).writes):
                    return True
            elif i.opcode == "getelementptr":
                if not all(
                    o.lstrip("-").isdigit() for o in i.operands[1:]
                ) or self._written_through(function, i.token):
                    return True
            elif i.opcode in ("bitcast", "freeze", "addrspacecast") and self._written_through(
                function, i.token
            ):
                return True
        return False

    def _constant_member(self, token: str) -> set[Member]:
        try:
            address = constant_address(token)
        except ValueError:
            return set()
        member = self.member(address[1], address[2])[0] if address is not None else None
        return {member} if member is not None else set()

    @cached_property
    def address_taken(self) -> frozenset[str]:
        """Functions that may be called through a pointer."""
        found: set[str] = set()
        for f in self.module.functions.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    skip = 1 if i.opcode in ("call", "invoke") else 0
                    for token in i.operands[skip:]:
                        found.update(global_names(token))
        for g in self.module.globals.values():
            found.update(global_names(g.initializer))
        return frozenset(
            name
            for name in found
            if name in self.module.functions and not self.module.functions[name].is_declaration
        )

    # -- aliasing
    def may_alias(self, a: Place, b: Place) -> bool:
        """May the two accesses touch the same memory?"""
        return not self.distinct(a.root, b.root) and self.may_meet(a, b)

    def may_meet(self, a: Place, b: Place) -> bool:
        """As `may_alias`, for roots that are not distinct."""
        if a.root is not None and a.root == b.root:
            if a.offset is not None and b.offset is not None:
                return _overlap(a.offset, a.size, b.offset, b.size)
            return self.types_agree(a, b)
        return (self.strict or not self.spares(a, b)) and self.types_agree(a, b)

    def distinct(self, one: str | None, other: str | None) -> bool:
        """Are no two accesses through these roots to the same memory, whatever their types?"""
        if one == other:
            return False
        if (
            one is not None
            and other is not None
            and (
                (self.is_object(one) and self.is_object(other))
                or self._apart(one, other)
                or self._apart(other, one)
            )
        ):
            return True
        return (one is not None and self._unreachable(one)) or (
            other is not None and self._unreachable(other)
        )

    @staticmethod
    def spares(a: Place, write: Place) -> bool:
        """Is it an assumption that the write leaves the place alone: a library function fills the
        buffer it is handed, and not a member of a structure that is reached by another pointer?"""
        return (
            write.handed is not None
            and a.member is not None
            and a.root is not None
            and write.root is not None
            and a.root != write.root
        )

    def _unreachable(self, root: str) -> bool:
        """No pointer to it exists but those that are traced back to it."""
        if root not in self._private:
            self._private[root] = (
                root in self.private_globals if root.startswith("@") else self._is_local(root)
            )
        return self._private[root]

    def _apart(self, one: str, other: str) -> bool:
        """An object made in a function is not what its arguments point to; a noalias argument is
        alone."""
        function, i = self._definition(one)
        owner, _, token = other.partition(":")
        if function is None or owner != function.name:
            return False
        parameters = function.attributes_of
        if i is None:
            return "noalias" in parameters.get(one.partition(":")[2], "") and (
                token in parameters or self.is_object(other)
            )
        return token in parameters and self.is_object(one)

    def types_agree(self, a: Place, b: Place) -> bool:
        """May the accesses be to one object, as far as types and members tell? The places may be of
        two functions."""
        if a.tag is not None and b.tag is not None and not self.types.may_alias(a.tag, b.tag):
            return False
        if (
            a.kind
            and b.kind
            and a.kind != b.kind
            and "i8" not in (a.kind, b.kind)
            and a.tag is None
            and b.tag is None
        ):
            return False
        if a.member is not None and b.member is not None and a.kind and b.kind:
            if a.member.struct == b.member.struct:
                return a.member.start < b.member.end and b.member.start < a.member.end
            return True
        for one, other in ((a, b), (b, a)):
            if (
                one.member is not None
                and other.member is None
                and one.kind
                and other.kind
                and not one.element
                and one.member not in self.exposed_members
                and (one.member.start > 0 or other.element)
            ):
                return False
        return True

    # -- effects
    def effects(self, name: str) -> Effects:
        """What a function may write that its callers can see, in terms of its own arguments."""
        if name in self._effects:
            return self._effects[name]
        group = self._groups.get(name, (name,))
        writes: set[Place] = set()
        outside: set[str] = set()
        for member in group:
            self._effects[member] = (
                NO_EFFECTS  # within the group, a call adds what the other's own turn adds
            )
        for member in group:
            function = self.module.functions.get(member)
            for b in function.blocks.values() if function is not None else ():
                for i in b.instructions:
                    assert function is not None
                    found = self.written_by(function, i)
                    seen = self._seen_from_outside(function, found.writes)
                    writes |= (
                        seen
                        if len(group) == 1 and not self._calls.has_edge(name, name)
                        else {
                            w if w.root and w.root[0] == "@" else w._replace(root=None, offset=None)
                            for w in seen
                        }
                    )
                    outside |= found.outside
        result = Effects(_collapsed(writes), frozenset(outside))
        for member in group:
            self._effects[member] = result
        return result

    @cached_property
    def _calls(self) -> nx.DiGraph:
        graph = nx.DiGraph()
        for f in self.module.functions.values():
            graph.add_node(f.name)
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.opcode not in ("call", "invoke"):
                        continue
                    if i.operands[0][0] == "%":
                        graph.add_edges_from(
                            (f.name, t) for t in self._pointed(len(i.operands) - 1)
                        )
                    elif (callee := i.operands[0][1:].strip('"')) in self.module.functions:
                        graph.add_edge(f.name, callee)
        return graph

    @cached_property
    def _groups(self) -> dict[str, tuple[str, ...]]:
        """Functions that call each other in circles."""
        return {
            name: tuple(sorted(c))
            for c in nx.strongly_connected_components(self._calls)
            if len(c) > 1
            for name in c
        }

    def _pointed(self, arguments: int) -> list[str]:
        """Functions that a call through a pointer may go to."""
        return sorted(
            t for t in self.address_taken if len(self.module.functions[t].parameters) == arguments
        )

    def _seen_from_outside(self, function: Function, writes: frozenset[Place]) -> set[Place]:
        found = set()
        parameters = {f"{function.name}:{p.token}" for p in function.parameters}
        for w in writes:
            if w.root is None or w.root.startswith("@") or w.root in parameters:
                found.add(w)
            elif not (self.is_object(w.root) and self._dies(w.root)):
                found.add(w._replace(root=None, offset=None))
        return found

    def _dies(self, root: str) -> bool:
        _, i = self._definition(root)
        return i is not None and i.opcode == "alloca"

    def written_by(self, function: Function, i: Instruction) -> Effects:
        """What one instruction may write."""
        if i.opcode == "store":
            return Effects(frozenset((self.place(function, i.operands[1], i.type, i.tbaa),)))
        if i.opcode in ("atomicrmw", "cmpxchg"):
            where = self.place(function, i.operands[0], "") if i.operands else EVERYWHERE
            return Effects(frozenset((where._replace(size=None),)))
        if i.opcode not in ("call", "invoke"):
            return NO_EFFECTS
        return self._call_effects(function, i)

    def _call_effects(self, function: Function, i: Instruction) -> Effects:
        callee = i.operands[0].lstrip("@").strip('"')
        arguments = i.operands[1:]
        if i.operands[0][0] == "%":
            targets = self._pointed(len(arguments))
            if not targets:
                return Effects(frozenset((EVERYWHERE,)))
            found = [self._at_call(function, arguments, t) for t in targets]
            return Effects(
                frozenset().union(*(e.writes for e in found)),
                frozenset().union(*(e.outside for e in found)),
            )
        if callee.startswith(_COPIES) or callee in _COPY_NAMES:
            length = arguments[2] if len(arguments) > 2 and arguments[2].isdigit() else None
            return Effects(
                frozenset(
                    (
                        self.place(function, arguments[0], "")._replace(
                            size=int(length) if length else None
                        ),
                    )
                )
            )
        target = self.module.functions.get(callee)
        if target is not None and not target.is_declaration:
            return self._at_call(function, arguments, callee)
        if callee.startswith("llvm."):
            return NO_EFFECTS
        # A library function may fill the objects it is handed (scanf, fread, MPI_Recv), whatever
        # they hold.
        writes = (
            set()
            if callee in _READERS
            else {
                Place(r, handed=callee)
                for t, k in zip(arguments, i.extra, strict=False)
                if k == "ptr"
                and (r := self.root(function, t)[0]) is not None
                and not self._is_constant(r)
            }
        )
        outside: frozenset[str] = frozenset()
        for token in arguments:  # it may call back what it is handed
            if token[:1] == "@" and token[1:] in self.address_taken:
                called = self.effects(token[1:])
                writes |= {
                    w._replace(root=w.root if w.root and w.root[0] == "@" else None, offset=None)
                    for w in called.writes
                }
                outside |= called.outside
        if not is_known(callee):
            outside |= {callee}
            if self.strict:
                writes.add(EVERYWHERE)
        return Effects(frozenset(writes), outside)

    def _is_constant(self, root: str) -> bool:
        g = self.module.globals.get(root[1:]) if root[0] == "@" else None
        return root[1:] in self.module.functions if g is None else g.attributes.endswith("constant")

    def _at_call(self, function: Function, arguments: tuple[str, ...], callee: str) -> Effects:
        """A callee's writes in terms of the caller's registers."""
        effects = self.effects(callee)
        roots = {
            f"{callee}:{p.token}": token
            for p, token in zip(self.module.functions[callee].parameters, arguments, strict=False)
        }
        return Effects(
            frozenset(self.moved(function, w, roots) for w in effects.writes), effects.outside
        )

    def moved(self, function: Function, w: Place, roots: dict[str, str]) -> Place:
        """A callee's place, where `roots` maps its arguments to the caller's registers."""
        if w.root is None or w.root.startswith("@"):
            return w
        token = roots.get(w.root)
        if token is None:
            return w._replace(root=None, offset=None)
        root, offset = self.root(function, token)
        return w._replace(root=root, offset=_add(offset, w.offset))


def _add(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _overlap(start: int, size: int | None, other: int, length: int | None) -> bool:
    return (size is None or other < start + size) and (length is None or start < other + length)


def _collapsed(writes: set[Place]) -> frozenset[Place]:
    """Many writes are told apart by their types only."""
    if len(writes) <= _MAX_WRITES:
        return frozenset(writes)
    return frozenset(
        w._replace(root=w.root if w.root and w.root[0] == "@" else None, offset=None)
        for w in writes
    )
