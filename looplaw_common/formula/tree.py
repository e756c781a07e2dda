"""The syntax tree of a formula: frozen nodes, and `Mapper`, the base of every question about them.

One class a node, one mapper a question (after pymbolic): values are in `values`, text and
LaTeX in `text`, sympy in `sympy`, terms of the normal form in `known_laws`. A new
question is a new subclass of `Mapper`, and no node changes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

R = TypeVar("R")
Relation = Literal["<", "<=", ">", ">=", "==", "!="]


class Node:  # no ABC: nodes are asked for their class more often than anything else
    """One operation of a formula; equal trees compare equal."""

    __slots__ = ()

    @abstractmethod
    def accept(self, mapper: Mapper[R]) -> R:
        """What the mapper answers for this node."""

    @property
    @abstractmethod
    def children(self) -> tuple[Node, ...]:
        """The operands, from left to right."""


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal: an int, or a finite float that stands for the decimal number it is written as."""

    value: int | float

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.number(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A parameter, or the index of an enclosing `Summation`."""

    name: str

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.name(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """-operand"""

    operand: Node

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.negative(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Add(Node):
    """The sum of two or more terms, none of them an `Add`; what is subtracted is a `Negative`."""

    terms: tuple[Node, ...]

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.add(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.terms


@dataclass(frozen=True, slots=True)
class Multiply(Node):
    """The product of two or more factors, none of them a `Multiply`."""

    factors: tuple[Node, ...]

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.multiply(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.factors


@dataclass(frozen=True, slots=True)
class Divide(Node):
    """numerator / denominator"""

    numerator: Node
    denominator: Node

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.divide(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.numerator, self.denominator)


@dataclass(frozen=True, slots=True)
class Power(Node):
    """base ** exponent"""

    base: Node
    exponent: Node

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.power(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.base, self.exponent)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function of `FUNCTIONS` applied; every logarithm but `ln` has two arguments, (x, base)."""

    function: str
    arguments: tuple[Node, ...]

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.call(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.arguments


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """True or False, as a condition of a `Cases`."""

    value: bool

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.truth(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """left relation right, as a condition of a `Cases`."""

    left: Node
    relation: Relation
    right: Node

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.compare(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Cases(Node):
    """The value of the first pair (value, condition) whose condition holds; written Piecewise."""

    pairs: tuple[tuple[Node, Node], ...]

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.cases(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return tuple(node for pair in self.pairs for node in pair)


@dataclass(frozen=True, slots=True)
class Summation(Node):
    """body added up for index = first, first + 1, ..., last; 0 where last < first. Written Sum."""

    body: Node
    index: str
    first: Node
    last: Node

    def accept(self, mapper: Mapper[R]) -> R:
        return mapper.summation(self)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.body, self.first, self.last)


class Mapper(Generic[R]):
    """A question about formulas: one method for each kind of node; calling it asks a node."""

    def __call__(self, node: Node) -> R:
        return node.accept(self)

    @abstractmethod
    def number(self, node: Number) -> R: ...

    @abstractmethod
    def name(self, node: Name) -> R: ...

    @abstractmethod
    def negative(self, node: Negative) -> R: ...

    @abstractmethod
    def add(self, node: Add) -> R: ...

    @abstractmethod
    def multiply(self, node: Multiply) -> R: ...

    @abstractmethod
    def divide(self, node: Divide) -> R: ...

    @abstractmethod
    def power(self, node: Power) -> R: ...

    @abstractmethod
    def call(self, node: Call) -> R: ...

    @abstractmethod
    def truth(self, node: Truth) -> R: ...

    @abstractmethod
    def compare(self, node: Compare) -> R: ...

    @abstractmethod
    def cases(self, node: Cases) -> R: ...

    @abstractmethod
    def summation(self, node: Summation) -> R: ...


class Rewriter(Mapper[Node]):
    """The same tree; a subclass overrides the nodes that it replaces."""

    def number(self, node: Number) -> Node:
        return node

    def name(self, node: Name) -> Node:
        return node

    def negative(self, node: Negative) -> Node:
        return Negative(self(node.operand))

    def add(self, node: Add) -> Node:
        return added([self(term) for term in node.terms])

    def multiply(self, node: Multiply) -> Node:
        return multiplied([self(factor) for factor in node.factors])

    def divide(self, node: Divide) -> Node:
        return Divide(self(node.numerator), self(node.denominator))

    def power(self, node: Power) -> Node:
        return Power(self(node.base), self(node.exponent))

    def call(self, node: Call) -> Node:
        return Call(node.function, tuple(self(argument) for argument in node.arguments))

    def truth(self, node: Truth) -> Node:
        return node

    def compare(self, node: Compare) -> Node:
        return Compare(self(node.left), node.relation, self(node.right))

    def cases(self, node: Cases) -> Node:
        return Cases(tuple((self(value), self(condition)) for value, condition in node.pairs))

    def summation(self, node: Summation) -> Node:
        return Summation(self(node.body), node.index, self(node.first), self(node.last))


def added(terms: list[Node]) -> Node:
    """The sum of one or more terms, sums among them taken apart."""
    flat = [t for term in terms for t in (term.terms if isinstance(term, Add) else (term,))]
    return flat[0] if len(flat) == 1 else Add(tuple(flat))


def multiplied(factors: list[Node]) -> Node:
    """The product of one or more factors, products among them taken apart."""
    flat = [
        f for each in factors for f in (each.factors if isinstance(each, Multiply) else (each,))
    ]
    return flat[0] if len(flat) == 1 else Multiply(tuple(flat))


class WithoutCertain(Rewriter):
    """Piecewise whose first condition holds for all integers, replaced by its first value.

    Counts are printed with a factor Piecewise((1, Mod(n + m, 2) <= 1), (1/2, True)), which is 1,
    where sympy would otherwise misjudge a quotient as an integer and drop the floor around it.
    """

    def multiply(self, node: Multiply) -> Node:
        factors = [self(factor) for factor in node.factors]
        left = [f for f, was in zip(factors, node.factors, strict=True) if f != _ONE or f == was]
        return multiplied(left or [_ONE])

    def cases(self, node: Cases) -> Node:
        value, condition = node.pairs[0]
        return self(value) if _is_certain(condition) else super().cases(node)


_ONE = Number(1)


def _is_certain(condition: Node) -> bool:
    """Is it Mod(sum of names, k) <= k - 1 with a positive integer k, or True?"""
    if not isinstance(condition, Compare) or condition.relation != "<=":
        return condition == Truth(True)
    left, right = condition.left, condition.right
    if not isinstance(left, Call) or left.function != "Mod" or not isinstance(right, Number):
        return False
    number, divisor = left.arguments
    names = number.terms if isinstance(number, Add) else (number,)
    return (
        isinstance(divisor, Number)
        and isinstance(divisor.value, int)
        and 0 < divisor.value <= right.value + 1
        and all(isinstance(name, Name) for name in names)
    )


def walk(tree: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth from 1, without recursion, so that trees of any depth can be
    measured."""
    work = [(tree, 1)]
    while work:
        node, depth = work.pop()
        yield node, depth
        work += [(child, depth + 1) for child in node.children]


def free_names(tree: Node) -> frozenset[str]:
    """The names that need a value; the index of a `Summation` is none inside its body."""
    return names_below(tree)[id(tree)]


def names_below(tree: Node) -> dict[int, frozenset[str]]:
    """The same of each node, by its id."""
    found: dict[int, frozenset[str]] = {}
    for node, _ in reversed(list(walk(tree))):  # children first
        if isinstance(node, Name):
            found[id(node)] = frozenset((node.name,))
        elif isinstance(node, Summation):
            inside = found[id(node.body)] - {node.index}
            found[id(node)] = inside | found[id(node.first)] | found[id(node.last)]
        else:
            found[id(node)] = frozenset[str]().union(*(found[id(c)] for c in node.children))
    return found


FUNCTIONS: Mapping[str, tuple[int, int]] = {
    "log": (2, 2),
    "ln": (1, 1),
    "sqrt": (1, 1),
    "floor": (1, 1),
    "ceiling": (1, 1),
    "Abs": (1, 1),
    "factorial": (1, 1),
    "Mod": (2, 2),
    "Max": (1, 256),
    "Min": (1, 256),
}
"""Functions of a `Call` with the fewest and the most arguments of each."""
