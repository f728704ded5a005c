"""GraphDef to graph: cgraph's own files come back the same, other tools' as far as they go.

The entries of the file are put in order (`order.py`), and each is appended to the graph. Every
error names its node; of what no output needs there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, cast

from ..autodiff.constants import FIXED, FREE
from ..autodiff.errors import NOWHERE, DataError, GraphError, did_you_mean
from ..autodiff.graph import MAX_NODES, Graph
from ..autodiff.graphdef_names import (
    CALLED,
    DEFAULT,
    LETTER,
    LOST,
    NAME,
    NAMES,
    OUTPUTS,
    TWIN,
    plain,
)
from ..autodiff.limits import MOST_NUMBERS
from ..autodiff.ops import OPS, Attr, Op
from ..autodiff.ops.leaves import constant, placeholder
from ..autodiff.ops.registry import TWINS
from ..autodiff.ops.table import REQUIRED
from .foreign import default_of, is_handle, keeps_value, translated, turned
from .lexer import is_name
from .order import ordered, sinks, source_of
from .protobuf import (
    Entry,
    File,
    dtype_of,
    field,
    integers,
    shape,
    strings,
    tensor,
    unwritten,
    value_of,
)

if TYPE_CHECKING:
    from ..autodiff.graph import Attribute, Nested
    from .json_text import Json

OLDER = {
    **{"Add": "AddV2", "Div": "RealDiv", "Select": "SelectV2"},
    **{"BatchMatMul": "MatMul", "BatchMatMulV2": "MatMul", "OneHot": "one_hot"},
}
"""Names of ops in TensorFlow's past, of what is one op here, and in cgraph's past."""

WITH_DEFAULT = "PlaceholderWithDefault"
"""The op of an input that has its default as its input."""

VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "_Arg", WITH_DEFAULT)
PASSING = ("Identity", "ReadVariableOp", "_Retval")
"""Ops that hand on their input."""

ELSE = "--output NAME asks for a value that needs no such node"

BY_NAME: dict[str, Op] = {
    **{op.graphdef: op for op in OPS.values() if op.graphdef},
    **OPS,
    **dict.fromkeys(VARIABLES, placeholder),
}


def read(
    text: str,
    name: str = "<stdin>",
    max_nodes: int = MAX_NODES,
    first_line: int = 1,
    inputs: Collection[str] = (),
    asked: Collection[str] = (),
) -> Graph:
    """Return the graph that a GraphDef, in JSON or in protobuf's text format, describes.

    Numbers that were written by the names in `inputs` (`tau`) are inputs. Where some of the values
    called as in `asked` are there, what only other outputs need is not judged.
    Raises `DataError` where the text is neither, `GraphError` where it is no graph: a cycle,
    a missing input, an unknown op, a wrong number of inputs, a name given twice.
    """
    graph = Graph(max_nodes)
    file = File(text, graph.sources, name, first_line)
    entries: dict[str, Entry] = {}
    for entry in file.entries():
        if entry.name in entries:
            file.fail(f"two nodes are called '{entry.name}'", entry.name)
        if entry.op != "NoOp":
            entries[entry.name] = entry
    if not entries:
        raise DataError("the graph has no output", graph.place(file.start))
    return Reader(graph, file, entries, inputs).read(asked)


class Reader:
    """The state of a reading: the entries, and which node each has become."""

    def __init__(
        self, graph: Graph, file: File, entries: dict[str, Entry], inputs: Collection[str]
    ) -> None:
        self.graph = graph
        self.file = file
        self.entries = entries
        self.inputs = inputs
        self.made: dict[str, int] = {}
        self.declared = 0
        self.needed: set[str] = set()
        self.several = False
        self.foreign = not any(OUTPUTS in entry.attributes for entry in entries.values())

    def read(self, asked: Collection[str] = ()) -> Graph:
        """Return the graph."""
        outputs = self.roots(())
        self.several = sum(bool(self.entries[name].inputs) for name in outputs) > 1
        roots = self.roots(asked)
        self.needed = self.needed_by(roots)
        for name in self.entries.keys() - self.needed:
            with suppress(ValueError, GraphError):
                self.entries[name] = self.settled(self.entries[name])
        for entry in ordered(self.file, self.entries, self.needed):
            if entry.name in self.needed:
                self.append_or_fail(entry)
            elif all(name in self.made for name in entry.inputs):
                with suppress(ValueError, GraphError):
                    self.append(entry)
        self.check_names()
        for entry in self.entries.values():
            if LOST in entry.attributes and entry.name in self.made:
                self.lose(entry)
        self.graph.at = NOWHERE
        if self.foreign:
            made = [self.made[name] for name in outputs if name in self.made]
            self.graph.outputs = list(dict.fromkeys(made))
        else:
            self.graph.outputs = self.outputs()
        return self.graph

    # -- what counts ----------------------------------------------------------------------------

    def roots(self, asked: Collection[str]) -> list[str]:
        """Return the nodes that are asked for by name; where there is none, the outputs."""
        if asked:
            chosen = [name for name, entry in self.entries.items() if self.is_asked(entry, asked)]
            if chosen:
                return chosen
        if self.foreign:
            return sinks(self.entries) or list(self.entries)
        return [name for name, entry in self.entries.items() if OUTPUTS in entry.attributes]

    def is_asked(self, entry: Entry, asked: Collection[str]) -> bool:
        """Tell whether one of the names that are asked for is that of a node."""
        with suppress(ValueError):
            if NAMES in entry.attributes:
                called = strings(entry.attributes[NAMES])
                return any(fnmatchcase(name, one) for one in asked for name in called)
        return any(fnmatchcase(plain(entry.name), one) for one in asked)

    def needed_by(self, roots: Iterable[str]) -> set[str]:
        """Return the nodes that some need, themselves included; these are settled from now on."""
        stack = list(roots)
        found = set(stack)
        while stack:
            name = stack.pop()
            try:
                entry = self.entries[name] = self.settled(self.entries[name])
            except ValueError as error:
                self.file.fail(f"node '{name}': {error}", name)
            fresh = [
                source
                for source in map(source_of, entry.inputs)
                if source in self.entries and source not in found
            ]
            found.update(fresh)
            stack += fresh
        return found

    def settled(self, entry: Entry) -> Entry:
        """Return an entry as cgraph would have written it. Raises `ValueError`."""
        if entry.op == WITH_DEFAULT:
            return default_of(entry, self.entries)
        op = self.op(entry)
        return translated(entry, op, self.entries) if op is not None and entry.inputs else entry

    # -- nodes ----------------------------------------------------------------------------------

    def append_or_fail(self, entry: Entry) -> None:
        """Append a node to the graph. Raises `GraphError` that names it."""
        try:
            self.append(entry)
        except ValueError as error:
            self.file.fail(f"node '{entry.name}': {error}", entry.name)

    def append(self, entry: Entry) -> None:
        """Append a node to the graph, with its names; `ValueError` says what is wrong with it."""
        op = self.op(entry)
        self.check_count(entry, op)
        args = tuple(self.made[name] for name in entry.inputs)
        names = self.names(entry, op)
        unscoped = names or op is placeholder
        self.graph.scope = "" if unscoped else entry.name.rpartition("/")[0]
        self.made[entry.name] = self.node(entry, op, args)
        self.graph.names.update(dict.fromkeys(names, self.made[entry.name]))

    def node(self, entry: Entry, op: Op | None, args: tuple[int, ...]) -> int:
        """Return the node of an entry."""
        if op is None:
            return args[0]
        if op is constant:
            return self.constant(entry)
        if op is placeholder:
            return self.input(entry)
        between = turned(entry, self.entries)
        if between is not None:
            source, entry = between
            op, args = self.op(entry) or op, (self.made[source],)
        attrs = tuple([self.attribute(entry, attr) for attr in op.attributes])
        if TWIN in entry.attributes:
            op = self.twin(entry, op)
        if LETTER in entry.attributes:
            return self.power(entry, op, args)
        return self.graph.add(op, args, attrs)

    def power(self, entry: Entry, op: Op, args: tuple[int, ...]) -> int:
        """Return a power of a letter, of which the letter may be an input: e^x, else exp(x)."""
        letter = "".join(strings(entry.attributes[LETTER]))
        if letter not in FREE or OPS["pow"].natural != op.name:
            raise ValueError(f"its {LETTER} {letter!r} is no base of {entry.op}")
        if letter in self.inputs:
            return self.graph.add(OPS["pow"], (self.graph.placeholder(letter), *args))
        return self.graph.natural(op, args, letter)

    def twin(self, entry: Entry, op: Op) -> Op:
        """Return the twin of an op that an entry has; raise `ValueError` where there is none."""
        name = "".join(strings(entry.attributes[TWIN]))
        found = TWINS.get(name)
        if found is None or found.plain is not op:
            raise ValueError(f"{TWIN} is {name!r}, which is no twin of {entry.op}")
        self.graph.kinked = True
        return found

    def constant(self, entry: Entry) -> int:
        """Return the number of an entry, or the input that its name is to be."""
        value = self.tensor(entry.attributes.get("value"))
        if LETTER not in entry.attributes:
            return self.graph.constant(value)
        letter = "".join(strings(entry.attributes[LETTER]))
        if FREE.get(letter) != value:
            raise ValueError(f"its {LETTER} {letter!r} is not the constant that it has")
        if letter in self.inputs:
            return self.graph.placeholder(letter)
        return self.graph.constant(value, letter)

    def attribute(self, entry: Entry, attr: Attr) -> Attribute:
        """Return an attribute of an entry, its default where it is not there.

        Raises `ValueError` for one that is missing or of another kind.
        """
        held = entry.attributes.get(attr.name)
        if held is not None:
            return value_of(held, attr)
        if attr.default == REQUIRED:
            raise ValueError(f"it needs the attribute {attr.name}")
        return cast("Attribute", attr.default)

    def input(self, entry: Entry) -> int:
        """Return the placeholder of an entry, with its default and its shape."""
        given = entry.attributes.get(NAME)
        name = plain(entry.name) if given is None else self.checked("".join(strings(given)))
        name = name if is_free(name) else f"_{name}"
        while name in self.graph.placeholders:
            name += "_"
        sizes = None if is_handle(entry) else shape(field(entry.attributes.get("shape"), "shape"))
        if DEFAULT in entry.attributes:
            self.graph.defaults[name] = self.tensor(entry.attributes[DEFAULT])
        if sizes is not None:
            self.graph.shapes[name] = sizes
        return self.graph.placeholder(name)

    def tensor(self, attribute: Json) -> Nested:
        """Return the number or the array of an attribute.

        Raises `ValueError` where all so far are to have too many numbers that are not written out:
        what a few characters declare is added up before it is made.
        """
        self.declared += unwritten(attribute)
        if self.declared > MOST_NUMBERS:
            told = f"the tensors up to here have {self.declared:,} numbers that are not written out"
            raise ValueError(f"{told}, and at most {MOST_NUMBERS:,} may be so")
        return tensor(attribute)

    def op(self, entry: Entry) -> Op | None:
        """Return the row of an entry's op, None for one that hands on its input."""
        count = len(entry.inputs)
        if count == 1 and (entry.op in PASSING or (entry.op == "Cast" and keeps_value(entry))):
            return None
        called = OLDER.get(entry.op, entry.op)
        op = BY_NAME.get(called)
        if entry.op == "Cast" and count == 1:
            target = dtype_of(field(entry.attributes.get("DstT"), "type"))
            what = f"node '{entry.name}': Cast to {target} changes numbers, and is not read"
            self.file.fail(what, entry.name)
        if op is None:
            what = f"node '{entry.name}' has the unknown op '{entry.op}'"
            near = did_you_mean(entry.op, BY_NAME)
            self.file.fail(what, entry.name, near or (ELSE if self.several else None))
        return op

    def check_count(self, entry: Entry, op: Op | None) -> None:
        """Raise `GraphError` where a node has a wrong number of inputs."""
        if op is None:
            return
        count = len(entry.inputs)
        least, most = _arity(op, OLDER.get(entry.op, entry.op))
        if count < least or (most is not None and count > most):
            wanted = f"{least}" if least == most else f"at least {least}"
            noun = "input" if wanted == "1" else "inputs"
            what = f"node '{entry.name}': {entry.op} takes {wanted} {noun}, not {count}"
            self.file.fail(what, entry.name)

    # -- names and outputs ----------------------------------------------------------------------

    def names(self, entry: Entry, op: Op | None) -> list[str]:
        """Return the names of a node: those cgraph wrote, or what a person may have called it."""
        if NAMES in entry.attributes:
            return list(map(self.checked, strings(entry.attributes[NAMES])))
        if op is None and BY_NAME.get(self.entries[entry.inputs[0]].op) is placeholder:
            return []
        stem = entry.name.rpartition("/")[2].rstrip("0123456789").rstrip("_").lower()
        made_up = {"", *(name.lower() for name in (entry.op, op.name if op else ""))}
        if not self.foreign or not entry.inputs or stem in made_up or f"{stem}v2" in made_up:
            return []
        name = plain(entry.name)
        return [name] if is_free(name) and name not in self.graph.names else []

    def checked(self, name: str) -> str:
        """Return a name; raise `ValueError` where formulas cannot have it."""
        if not is_free(name):
            raise ValueError(f"{name!r} is not a name")
        return name

    def check_names(self) -> None:
        """Raise `GraphError` where the name of an input is also that of another node."""
        inputs = self.graph.placeholders
        for name, node in list(self.graph.names.items()):
            if inputs.get(name, node) != node:
                called = [entry for entry, made in self.made.items() if made == node]
                taken = next((entry for entry in called if entry in self.needed), None)
                if taken is not None:
                    self.file.fail(f"node '{taken}' is called '{name}', as an input is", taken)
                del self.graph.names[name]

    def outputs(self) -> list[int]:
        """Return the outputs by their places."""
        places = {
            place: name for name, entry in self.entries.items() for place in self.places(entry)
        }
        if sorted(places) != list(range(len(places))):
            name = next(name for name, entry in self.entries.items() if OUTPUTS in entry.attributes)
            self.file.fail(f"{OUTPUTS} must number the outputs 0, 1, 2, ...", name)
        if not places:
            raise DataError(f"no node has a place in {OUTPUTS}", self.graph.place(self.file.start))
        chosen = [places[place] for place in range(len(places))]
        return [self.made[name] for name in chosen if name in self.made]

    def lose(self, entry: Entry) -> None:
        """Take note of the inputs that a derivative does not depend on, and was of."""
        with suppress(ValueError):
            found = [
                self.made[name] for name in strings(entry.attributes[LOST]) if name in self.made
            ]
            self.graph.lost[self.made[entry.name]] = tuple(found)

    def places(self, entry: Entry) -> list[int]:
        """Return the places of a node among the outputs."""
        if OUTPUTS not in entry.attributes:
            return []
        try:
            found = integers(entry.attributes[OUTPUTS])
            called = strings(entry.attributes[CALLED]) if CALLED in entry.attributes else []
            self.graph.called.update(zip(found, called, strict=False))
            return found
        except ValueError as error:
            self.file.fail(f"node '{entry.name}': {error}", entry.name)


def is_free(name: str) -> bool:
    """Tell whether inputs and values may have a name."""
    return is_name(name) and name not in FIXED


def _arity(op: Op, called: str) -> tuple[int, int | None]:
    """Return the least and the greatest number of inputs of an op by the name it is called."""
    if called == op.graphdef and op.graphdef_arity is not None:
        return op.graphdef_arity, op.graphdef_arity
    return op.least + len(op.filling), op.most
