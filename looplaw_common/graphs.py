"""An analysis as graphs of networkx, whose algorithms then answer what is asked of them: what lies
between two functions, what runs inside a loop, which parameters matter nowhere.

networkx is imported when a graph is asked for: a start costs nothing of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .lookup import Named, Placed

if TYPE_CHECKING:
    from networkx import DiGraph


class LoopLike(Placed, Protocol):
    """A loop of an analysis, or of a document of one."""

    @property
    def function(self) -> str: ...
    @property
    def parent(self) -> str | None: ...
    @property
    def inner(self) -> Sequence[str]: ...
    @property
    def parameters(self) -> Sequence[str]: ...
    @property
    def per_entry(self) -> Any: ...
    @property
    def total(self) -> Any: ...


class FunctionLike(Named, Protocol):
    """A function of an analysis, or of a document of one."""

    @property
    def parameters(self) -> Sequence[str]: ...


class Defined(FunctionLike, Protocol):
    """A function and where it is defined."""

    @property
    def symbol(self) -> str: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def work(self) -> Any: ...


class CallLike(Placed, Protocol):
    """The calls of a function (`callee`) by another one at one place; both are symbols."""

    @property
    def caller(self) -> str: ...
    @property
    def callee(self) -> str: ...
    @property
    def total(self) -> Any: ...


def call_graph(functions: Sequence[Defined], calls: Iterable[CallLike]) -> DiGraph:
    """Who calls whom.

    Returns:
        A `networkx.DiGraph`. Nodes are names of functions, or symbols where several functions have
        the name, with `file`, `line` and `work` (iterations per call, a `Count`). Edges lead from
        callers to callees, with `calls`: place ("file:line:col") -> how often a whole run makes
        the call there (a `Count`, of kind "unknown" where that is not known).
    """
    import networkx as nx

    graph = nx.DiGraph()
    shared = Counter(f.name for f in functions)
    node = {f.symbol: f.name if shared[f.name] == 1 else f.symbol for f in functions}
    for f in functions:
        graph.add_node(node[f.symbol], file=f.file, line=f.line, work=f.work)
    for call in calls:
        edge = node[call.caller], node[call.callee]
        graph.add_edge(*edge)
        graph.edges[edge].setdefault("calls", {})[call.at] = call.total
    return graph


def loop_tree(loops: Iterable[LoopLike]) -> DiGraph:
    """Which loops run directly inside which.

    Returns:
        A `networkx.DiGraph`. Nodes are places of loops, with `function`, `total` (iterations in a
        whole run) and `per_entry` (iterations per entry of the loop, both `Count`s). Edges lead
        from a loop to those that run in its body with no other loop between; `nested` tells those
        that stand in it from those of functions that it calls. A function that several loops call
        has its loops below each, and one that calls itself may close a circle: without the edges
        that are not `nested` the graph is a forest.
    """
    import networkx as nx

    graph = nx.DiGraph()
    known = {loop.at: loop for loop in loops}
    for at, loop in known.items():
        graph.add_node(at, function=loop.function, total=loop.total, per_entry=loop.per_entry)
    for at, loop in known.items():
        for inner in loop.inner:
            if inner in known:
                graph.add_edge(at, inner, nested=known[inner].parent == at)
    return graph


def dependences(
    parameters: Iterable[str], loops: Iterable[LoopLike], functions: Iterable[FunctionLike]
) -> DiGraph:
    """Which parameters of the program can influence which loops and functions.

    Returns:
        A bipartite `networkx.DiGraph`. Nodes are names of parameters, places of loops and names of
        functions (with "()" behind those that a parameter has, too); `kind` is "parameter", "loop"
        or "function". Edges lead from parameters to what they can influence.
    """
    import networkx as nx

    graph = nx.DiGraph()
    names = dict.fromkeys(parameters)
    graph.add_nodes_from(names, kind="parameter")
    for loop in loops:
        graph.add_node(loop.at, kind="loop")
        graph.add_edges_from((name, loop.at) for name in loop.parameters if name in names)
    for f in functions:
        node = f"{f.name}()" if f.name in names else f.name
        graph.add_node(node, kind="function")
        graph.add_edges_from((name, node) for name in f.parameters if name in names)
    return graph
