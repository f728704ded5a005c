"""What is asked: the call (`Request`) and, for each formula, what it comes to (`Question`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import parser
from ..autodiff.asked import named, variables
from ..autodiff.constants import FREE
from ..autodiff.errors import FormulaError, UsageError
from ..autodiff.graph import MAX_NODES
from ..autodiff.modes import matters, settle
from . import report
from .bindings import Bindings, assigned, missing_values, rebound_in_files, slip
from .lazy import Lazy
from .names import expanded, names_read, normal, stands_alone
from .source import Text, Texts
from .words import Assignment, is_an_option

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.gradient import Mode
    from ..autodiff.graph import Shape, Shapes
    from ..autodiff.results import Plan, Result
    from .table.options import TableOptions


MOST_NAMES = 5
"""A note lists at most so many names."""

MOST_NUMBERS = 3
"""A remedy lists at most so many names that are numbers."""


class Request:
    """What the command line says to every command that takes formulas, and how it went.

    `options` are its options as words; `params` what click made of them, of which those that all
    commands share are taken out. `training` is None where a graph is to keep both modes.
    """

    def __init__(
        self,
        command: str,
        assignments: Sequence[Assignment],
        options: Sequence[str],
        params: dict[str, Any],
    ) -> None:
        lines: bool = params.pop("lines", False)
        tables: tuple[str, ...] = params.pop("tables", ())
        self.texts = Texts(command, params.pop("formula"), params.pop("files"), lines)
        self.max_nodes: int = params.pop("max_nodes") or MAX_NODES
        self.output = listed(params.pop("output"))
        self.out: str | None = params.pop("out")
        self.quiet: bool = params.pop("quiet")
        self.strict: bool = params.pop("strict")
        self.as_json: bool = params.pop("as_json", False)
        self.digits: int | None = params.pop("digits", None)
        self.training: bool | None = params.pop("training", False)
        self.seed: int = params.pop("seed", 0)
        self.dynamic: bool = params.pop("dynamic", False)
        self.threads: int | None = params.pop("threads", None)
        self.data = table_of(params)
        self.shapes = declared_by(params.pop("declared", ()))
        self.by = named_by(params)
        """What options say derivatives are by, or of which they give parts."""
        further = map(assigned, params.pop("assignments", ()))
        self.bindings = Bindings([*assignments, *further], tables, self.seed)
        self.options = {name: value for name, _, value in (word.partition("=") for word in options)}
        self.warned = self.failed = False
        self.noted: set[str] = set()
        self.afterwards: list[str] = []
        """Statistics that are told when the answer is out."""
        self.texts.check(tables, self.data.path if self.data else None)
        self.libraries = self.texts.libraries()

    @property
    def constants(self) -> tuple[str, ...]:
        """The constants that the call makes inputs."""
        in_table = self.data.constants if self.data else ()
        asked = [name for name in FREE if name in self.by or name in self.shapes]
        return (*self.bindings.constants, *in_table, *asked)

    def warn(self, text: str) -> None:
        """Warn, unless told to be quiet."""
        self.warned = True
        if not self.quiet:
            report.warning(text)

    def warn_unused(self, one: Assignment, inputs: Iterable[str] | None, why: str = "") -> None:
        """Warn of a value that nothing uses.

        Raises `UsageError` for a slip beside these inputs; None for them says that it is none.
        """
        error = None if inputs is None else slip(one, inputs, self.bindings)
        if error:
            raise error
        self.warn(f"{one.spelled} is not used{why}")

    def note(self, text: str) -> None:
        """Say more about a result, unless told to be quiet."""
        if not self.quiet:
            report.note(text)

    def note_once(self, text: str) -> None:
        """Say more about results, once in a call."""
        if text not in self.noted:
            self.note(text)
        self.noted.add(text)


class Question:
    """A graph, the outputs that are asked for, their names, and the values that the call gives."""

    def __init__(self, request: Request, text: Text) -> None:
        self.request = request
        self.text = text.text
        self.line = text.line
        request.bindings.begin()
        self.graph = parser.load(
            text.text,
            name=text.name,
            inputs=request.constants,
            library=request.libraries,
            max_nodes=request.max_nodes,
            first_line=text.line or 1,
            shapes=request.shapes,
            values=request.bindings,
            dynamic=request.dynamic,
            seed=request.seed,
            training=bool(request.training),
            asked=request.output,
        )
        self.graph.seed, self.graph.training = request.seed, bool(request.training)
        self._declare(request.shapes)
        if request.training is not None:
            settle(self.graph)
        if request.training and not matters(self.graph):
            request.note("--training changes nothing: no dropout or batch_norm is in the graph")
        self.asked = expanded(request.output, self.graph.names)
        """The names that are asked for in place of the outputs, if any are."""
        if self.asked:
            self.graph.outputs = list(named(self.graph, self.asked).values())
        self.names: list[str | None] = [*self.asked]
        if not self.asked:
            self.names = [*self.graph.output_names()]
        if self.graph.shapes:
            self._check_shapes()
        self._note_unasked(text)

    @property
    def outputs(self) -> list[int]:
        """The nodes that are asked for."""
        return self.graph.outputs

    @cached_property
    def labels(self) -> Sequence[str]:
        """What to call each output: its name, or its formula."""
        from ..exporters.text import formula

        def label(k: int) -> str:
            return self.names[k] or formula(self.graph, self.outputs[k], limit=60)

        return Lazy(len(self.outputs), label)

    @cached_property
    def keys(self) -> list[str]:
        """What files of arrays call each output; a single one with no name is the "value"."""
        alone = len(self.outputs) == 1 and self.names[0] is None
        return ["value"] if alone else distinct(self.labels)

    @cached_property
    def told(self) -> Sequence[dict[str, str]]:
        """What JSON says of each output besides its values: which it is, where that is open."""
        if self.asked or len(self.outputs) > 1:
            return Lazy(len(self.outputs), lambda k: {"output": self.labels[k]})
        return [{}]

    def wrt(self, names: Iterable[str], needed: bool = True) -> Mapping[str, int]:
        """Return the nodes to differentiate by, by name: all inputs unless some are named.

        A pattern such as `fc1.*` stands for the inputs that it fits, else for named values. Raises
        `FormulaError` where that is none, unless the answer is one without derivatives.
        """
        inputs = self.graph.inputs(self.outputs)
        found = expanded(listed(names), inputs, self.graph.names)
        by = variables(self.graph, found or None, self.outputs)
        if not by and needed:
            raise FormulaError("nothing to differentiate by: there is no input", hint=self._input())
        return by

    def _input(self) -> str:
        """Return what to do where a formula has no inputs."""
        graph = self.graph
        numbers = [name for name, node in graph.names.items() if graph.literal(node) is not None]
        if numbers:
            told = "; ".join(
                f"input {name} = {self._number(name)}" for name in numbers[:MOST_NUMBERS]
            )
            return f"to vary what is assigned, declare it: {told}"
        return "what is neither assigned nor a constant is an input, as x in x^2 + 1"

    def _number(self, name: str) -> str:
        from ..exporters.text import number

        return number(self.graph.literal(self.graph.names[name]) or 0.0)

    def values(
        self, partly: bool = False, also: Mapping[str, Value] | None = None
    ) -> dict[str, Value]:
        """Return the values given for inputs, by name, and those in `also`.

        Raises `UsageError` where one has neither a value nor a default, unless `partly`.
        """
        bindings, graph = self.request.bindings, self.graph
        inputs = graph.inputs()
        found = bindings.of(inputs) | dict(also or {})
        missing = [name for name in inputs if name not in found and name not in graph.defaults]
        either = self.asked or matters(graph)
        unused = bindings.unused(graph.placeholders if either else inputs)
        if missing and not partly:
            unknown = [one for one in unused if one.name not in graph.placeholders]
            raise self._missing(missing, unknown)
        if self.line is None:
            self._warn_unused(unused)
        for name in rebound_in_files(graph, bindings.in_files()):
            told = f"{name} in a file leaves the constant {name} alone"
            self.request.warn(f"{told}: to make it an input write --{name} VALUE")
        return found

    def shapes(self, nodes: Iterable[int]) -> Shapes:
        """Return the shapes of nodes, by declarations and by values.

        Raises `UsageError` where that of an input is not known.
        """
        from ..autodiff.inputs import input_shapes
        from ..autodiff.shapes import known_shapes

        inputs = input_shapes(self.graph, self.values(partly=True))
        wanted = list(nodes)
        missing = [name for name in self.graph.inputs(wanted) if name not in inputs]
        if missing:
            listed = " ".join(f"--shape {name}=SIZES" for name in missing)
            raise UsageError(f"no shape for {', '.join(missing)}: add {listed}")
        return known_shapes(self.graph, self.graph.needed([*self.outputs, *wanted]), inputs)

    def warn_of(self, results: Iterable[Result]) -> None:
        """Warn of what made results nan or infinite."""
        for result in results:
            for culprit in result.culprits:
                from ..exporters.culprit import told
                from .stable import advice

                known = self.request.bindings.of(self.graph.inputs())
                kept = advice(self.graph, culprit, known, bool(result.gradient))
                self.request.warn(told(self.graph, culprit) + kept)

    def note_conventions(
        self,
        slopes: Iterable[int],
        given: Mapping[str, Value],
        wrt: Mapping[str, int] | None = None,
    ) -> None:
        """Say which derivatives, by the nodes of `wrt`, are what they are by a convention."""
        if not self.graph.kinked or self.request.quiet:
            return
        from ..autodiff.conventions import decided
        from ..autodiff.evaluate import complete

        inputs = self.graph.placeholders
        by = wrt and {name for name, node in wrt.items() if inputs.get(name) == node}
        moving = by if wrt and by and len(by) == len(wrt) else None
        found = decided(self.graph, list(slopes), complete(self.graph, given), moving)
        if found:
            from ..exporters.culprit import chosen

            self.request.note_once(chosen(self.graph, found))

    def tell_statistics(self, plan: Plan, mode: Mode = "auto") -> None:
        """Say, when the answer is out, what running a plan took."""
        from .statistics import told

        self.request.afterwards.append(told(self.graph, plan, mode))

    def _declare(self, shapes: Mapping[str, Shape]) -> None:
        """Declare the shapes of the call; where each line is a formula, of its own inputs."""
        if shapes:
            from ..autodiff.inputs import declare

            mine = {name: shapes[name] for name in shapes if name in self.graph.placeholders}
            declare(self.graph, shapes if self.line is None else mine)

    def note_cut_short(self) -> None:
        """Say where a formula was not simplified to the end."""
        if self.graph.cut_short:
            told = "simplification stopped after much work: this is right, and longer than need be"
            self.request.note_once(told)

    def _note_unasked(self, text: Text) -> None:
        """Say which values are neither used nor asked for, where nothing says what is asked for.

        Then the output is the last value, and no bare expression.
        """
        graph, last = self.graph, self.names[0] if len(self.names) == 1 else None
        if self.asked or len(graph.names) < 2 or last is None or parser.is_graph(self.text):
            return
        if stands_alone(self.text, last):
            return
        marks = graph.need(graph.outputs)
        unused = [
            name for name in graph.names if not any(marks[(at := graph.names[name]) : at + 1])
        ]
        read = names_read(self.text) if unused else set[str]()
        idle = [name for name in unused if name not in read and self._is_own(name, text.name)]
        if idle:
            named = ",".join([*idle[:MOST_NAMES], last])
            more = f" and {len(idle) - MOST_NAMES} more" * (len(idle) > MOST_NAMES)
            told = f"{', '.join(idle[:MOST_NAMES])}{more} {'are' if idle[1:] else 'is'} assigned"
            self.request.note(f"{told} and neither used nor asked for (--output {named})")

    def _is_own(self, name: str, program: str) -> bool:
        """Tell whether a name is assigned in the program itself, and not in a library."""
        source = self.graph.sources.source(self.graph.spans[self.graph.names[name]])
        return source is None or source.name == program

    def _check_shapes(self) -> None:
        """Raise `FormulaError` where shapes that are declared do not go together."""
        from ..autodiff.inputs import input_shapes
        from ..autodiff.shapes import known_shapes

        known_shapes(self.graph, self.graph.needed(self.outputs), input_shapes(self.graph))

    def _missing(self, missing: Sequence[str], unused: Sequence[Assignment]) -> UsageError:
        for name in missing:
            if f"--{name}" in self.request.options:
                return is_an_option(name, self.request.options[f"--{name}"] or "VALUE")
        return missing_values(missing, unused)

    def _warn_unused(self, unused: Iterable[Assignment]) -> None:
        graph = self.graph
        for one in unused:
            why = f": the formula computes {one.name}" if one.name in graph.names else ""
            # An input that a derivative has lost is none of the answer's, and no slip.
            meant = one.name in graph.names or one.name in graph.placeholders
            self.request.warn_unused(one, None if meant else graph.inputs(), why)


TABLE = ("keep", "col", "delimiter", "decimal", "nulls", "na", "reduce", "limit")
"""Options that go with `--data`."""


def table_of(params: dict[str, Any]) -> TableOptions | None:
    """Return what the call says of its table, taken out of `params`. Raises `UsageError`."""
    if "data" not in params:
        return None
    path, given = params.pop("data"), {name: params.pop(name, None) for name in TABLE}
    if path is None and not any(given.values()):
        return None
    from .table.options import table_options

    return table_options(path, given)


NAMING = ("wrt", "mixed", "at", "vector")
"""Options that name inputs, alone or with a value."""


def named_by(params: Mapping[str, Any]) -> list[str]:
    """Return the names in the options that name inputs."""
    held = [params.get(option) or () for option in NAMING]
    texts = [text for one in held for text in ([one] if isinstance(one, str) else one)]
    return listed(part.partition("=")[0] for text in texts for part in text.split(","))


def declared_by(options: Sequence[str]) -> Mapping[str, Shape]:
    """Return the shapes that `--shape` declares, by name. Raises `UsageError`."""
    if not options:
        return {}
    from .declared import shapes_of

    return shapes_of(options)


def distinct(labels: Sequence[str]) -> list[str]:
    """Return labels, numbered where several are the same."""
    counts = Counter(labels)
    return [f"{label} ({k + 1})" if counts[label] > 1 else label for k, label in enumerate(labels)]


def listed(options: Iterable[str]) -> list[str]:
    """Return the names in options such as `x,p`, each once."""
    names = [name.strip() for option in options for name in option.split(",")]
    return list(dict.fromkeys(map(normal, filter(None, names))))
