"""Values of nodes while their graph is being made: each is run once, when it is first asked for.

What is known are constants, the shapes of inputs, and the values of inputs where these are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from .errors import FormulaError
from .evaluate import from_nested, to_nested
from .modes import meant
from .ops.leaves import constant, placeholder
from .shapes import Inferred, shape_of

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph, Nested, Node, Shape, Shapes

VALUE, SHAPE = "value", "shape"
"""What may be unknown of an input."""


class Unknown(Exception):
    """An input, by its name, whose value or whose shape is not known; `what` says which."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(name, what)
        self.name = name
        self.what = what


class InputShapes(Mapping[str, "Shape"]):
    """The shapes of inputs, looked up one by one. Raises `Unknown` for one that is not known."""

    def __init__(self, find: Callable[[str], Shape | None]) -> None:
        self._find = find

    def __getitem__(self, name: str) -> Shape:
        """Return the shape of an input."""
        shape = self._find(name)
        if shape is None:
            raise Unknown(name, SHAPE)
        return shape

    def __iter__(self) -> Iterator[str]:
        """Yield nothing: inputs are looked up, not listed."""
        return iter(())

    def __len__(self) -> int:
        """Return 0."""
        return 0


def unknown(name: str) -> None:
    """Return that nothing is known of an input."""
    return


class Eager:
    """The values of a graph's nodes, as far as they are known.

    `value_of` and `shape_of` give what is known of an input, or None. Random numbers are known
    where `draws` says so. `same` are inputs, by name, that stand for a node of the graph.
    """

    def __init__(
        self,
        graph: Graph,
        value_of: Callable[[str], Value | None] = unknown,
        shape_of: Callable[[str], Shape | None] = unknown,
        draws: bool = False,
    ) -> None:
        self.graph = graph
        self.same: dict[str, int] = {}
        self._value_of = value_of
        self._shape_of = shape_of
        self._draws = draws
        self._known: dict[int, Value | Nested] = {}
        self._lost: dict[int, tuple[str, str]] = {}
        self._shapes = Inferred(graph, InputShapes(self._shape))

    def value(self, node: int) -> Value:
        """Return the value of a node. Raises `Unknown` where an input in it is not known."""
        return from_nested(self._found(node))

    def has(self, node: int) -> bool:
        """Tell whether the value of a node has been found already."""
        return node in self._known

    def nested(self, node: int) -> Nested:
        """Return the value of a node as a constant has it. Raises as `value` does."""
        found = self._found(node)
        return found if isinstance(found, tuple) else to_nested(found)

    def shape(self, node: int) -> Shape:
        """Return the shape of a node. Raises `Unknown` where that of an input is not known."""
        return self._shapes[node]

    def shapes(self, nodes: Iterable[int]) -> Shapes | None:
        """Return the shapes of nodes and of all made from them, None where one is not known."""
        try:
            for node in nodes:
                self.shape(node)
        except (Unknown, FormulaError):
            return None
        return self._shapes

    def forget(self) -> None:
        """Look again for what was not known: more is known of the inputs."""
        self._lost.clear()

    def stand(self, name: str, node: int) -> int:
        """Return an input that stands for a node: it has its value and its shape."""
        self.same[name] = node
        return self.graph.add(placeholder, (), (name,))

    def _shape(self, name: str) -> Shape | None:
        return self._shapes[self.same[name]] if name in self.same else self._shape_of(name)

    def _found(self, node: int) -> Value | Nested:
        """Return the value of a node; what is made from unknown inputs is kept in mind."""
        known = self._known
        if node in known:
            return known[node]
        path = [(node, self.needed(node))]
        try:
            while path:
                index, args = path[-1]
                arg = next((arg for arg in args if arg not in known), None)
                if arg is not None:
                    path.append((arg, self.needed(arg)))
                else:
                    known[index] = self._run(index, self.graph.nodes[index])
                    path.pop()
        except Unknown as found:
            self._lost.update((index, (found.name, found.what)) for index, _ in path)
            raise
        return known[node]

    def needed(self, index: int) -> Iterator[int]:
        """Return the nodes whose values the value of a node is made from.

        Raises `Unknown` where it has been looked for in vain.
        """
        if index in self._lost:
            raise Unknown(*self._lost[index])
        return iter(self._arguments(self.graph.nodes[index]))

    def _arguments(self, node: Node) -> tuple[int, ...]:
        if node.op.of_shapes is not None:
            return ()
        if node.op.modes:
            return (meant(self.graph, node),)
        if node.op is placeholder and node.attrs[0] in self.same:
            return (self.same[str(node.attrs[0])],)
        return node.args

    def _run(self, index: int, node: Node) -> Value | Nested:
        """Return the value of a node whose arguments are known."""
        op, args, attrs = node
        if op is constant:
            return node.value
        if op is placeholder:
            return self._given(str(attrs[0]))
        if op.of_shapes is not None:
            self.shape(index)
            return op.of_shapes(attrs, tuple([self.shape(arg) for arg in args]))
        if op.modes:
            return self._known[meant(self.graph, node)]
        if op.draws and not self._draws:
            raise Unknown(op.name, VALUE)
        values = [self._known[arg] for arg in args]
        if op.move is None and all(type(value) is float for value in values):
            return op.scalar(*cast("list[float]", values))
        return self._run_on_arrays(index, node, values)

    def _given(self, name: str) -> Value | Nested:
        if name in self.same:
            return self._known[self.same[name]]
        value = self._value_of(name)
        if value is None:
            raise Unknown(name, VALUE)
        return value

    def _run_on_arrays(self, index: int, node: Node, values: list[Value | Nested]) -> Value:
        import numpy as np

        from .arrays import as_value

        op, _, attrs = node
        arrays: list[Any] = [np.asarray(value, dtype=np.float64)[()] for value in values]
        shape_of(self.graph, index, node, tuple([np.shape(array) for array in arrays]), {})
        seed = (self.graph.seed,) if op.draws else ()
        with np.errstate(all="ignore"):
            value: Value = as_value(op.on_arrays()(*arrays, *attrs, *seed))
        return value


class InDigits(Eager):
    """The values of constants in which none is written by its name, as `tau`: it may be bound."""

    def _run(self, index: int, node: Node) -> Value | Nested:
        """Return the value of a node whose arguments are known."""
        if index in self.graph.letters:
            raise Unknown(self.graph.letters[index], VALUE)
        return super()._run(index, node)
