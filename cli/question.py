"""What is asked: the call (`Request`) and, for each formula, what it comes to (`Question`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import parser
from ..autodiff.errors import UsageError
from ..autodiff.graph import MAX_NODES
from . import report
from .bindings import Bindings, assigned, missing_values, rebound_in_files
from .names import closest, normal
from .options import RESERVED
from .source import Sources, Text
from .words import Given, is_an_option

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.results import Result


class Request:
    """What the command line says to every command that takes formulas, and how it went.

    `options` are its options as words; `params` what click made of them, of which those that all
    commands share are taken out.
    """

    def __init__(
        self, command: str, given: Sequence[Given], options: Sequence[str], params: dict[str, Any]
    ) -> None:
        lines: bool = params.pop("lines", False)
        tables: tuple[str, ...] = params.pop("tables", ())
        self.sources = Sources(command, params.pop("formula"), params.pop("files"), lines)
        self.max_nodes: int = params.pop("max_nodes") or MAX_NODES
        self.output = listed(params.pop("output"))
        self.out: str | None = params.pop("out")
        self.quiet: bool = params.pop("quiet")
        self.strict: bool = params.pop("strict")
        self.as_json: bool = params.pop("as_json", False)
        self.digits: int | None = params.pop("digits", None)
        self.bindings = Bindings([*given, *map(assigned, params.pop("given", ()))], tables)
        self.options = {name: value for name, _, value in (word.partition("=") for word in options)}
        self.warned = self.failed = False
        self.sources.check(tables)
        self.libraries = self.sources.libraries()

    def warn(self, text: str) -> None:
        """Warn, unless told to be quiet."""
        self.warned = True
        if not self.quiet:
            report.warning(text)

    def warn_unused(self, given: Given, why: str = "") -> None:
        """Warn of a value that nothing uses."""
        near = closest(given.name, RESERVED) if given.spelled == f"--{given.name}" else None
        hint = f" (did you mean --{near}?)" if near else ""
        self.warn(f"{given.spelled} is not used{why or hint}")

    def note(self, text: str) -> None:
        """Say more about a result, unless told to be quiet."""
        if not self.quiet:
            report.note(text)


class Question:
    """A graph, the outputs that are asked for, their names, and the values that the call gives."""

    def __init__(self, request: Request, text: Text) -> None:
        self.request = request
        self.text = text.text
        self.line = text.line
        self.graph = parser.load(
            text.text,
            name=text.name,
            inputs=request.bindings.constants,
            library=request.libraries,
            max_nodes=request.max_nodes,
        )
        if request.output:
            self.graph.outputs = list(self.named(request.output, "--output").values())
        self.names: list[str | None] = [*request.output]
        if not request.output:
            self.names = [self.graph.output_name(node) for node in self.graph.outputs]

    @property
    def outputs(self) -> list[int]:
        """The nodes that are asked for."""
        return self.graph.outputs

    @cached_property
    def labels(self) -> list[str]:
        """What to call each output: its name, or its formula."""
        from ..exporters.text import formula

        return [
            name or formula(self.graph, node, limit=60)
            for name, node in zip(self.names, self.outputs, strict=True)
        ]

    @cached_property
    def told(self) -> list[dict[str, str]]:
        """What JSON says of each output besides its values: which it is, where that is open."""
        if self.request.output or len(self.outputs) > 1:
            return [{"output": label} for label in self.labels]
        return [{}]

    def named(self, names: Iterable[str], option: str) -> dict[str, int]:
        """Return the nodes of inputs or named values. Raises `UsageError` where there is none."""
        found: dict[str, int] = {}
        for name in names:
            node = self.graph.named(name)
            if node is None:
                raise self._unknown(name, option)
            found[name] = node
        return found

    def wrt(self, names: Iterable[str]) -> dict[str, int]:
        """Return the nodes to differentiate by, by name: all inputs unless some are named."""
        return self.named(listed(names), "--wrt") or self.graph.inputs()

    def values(self, partly: bool = False) -> dict[str, Value]:
        """Return the values given for inputs, by name.

        Raises `UsageError` where one has neither a value nor a default, unless `partly`.
        """
        bindings, graph = self.request.bindings, self.graph
        inputs = graph.inputs()
        found = bindings.values(inputs)
        missing = [name for name in inputs if name not in found and name not in graph.defaults]
        unused = bindings.unused(graph.placeholders if self.request.output else inputs)
        if missing and not partly:
            raise self._missing(missing, unused)
        if self.line is None:
            self._warn_unused(unused)
        for name in rebound_in_files(graph, bindings.in_files(), self.text):
            told = f"{name} in a file leaves the constant {name} alone"
            self.request.warn(f"{told}: to make it an input write --{name} VALUE")
        return found

    def one_output(self, what: str) -> int:
        """Return the output. Raises `UsageError` where there are several: `what` are of one."""
        if len(self.outputs) > 1:
            hint = "choose it with --output NAME"
            raise UsageError(f"{what} are of one output, not of {len(self.outputs)}", hint=hint)
        return self.outputs[0]

    def warn_of(self, results: Iterable[Result]) -> None:
        """Warn of what made results nan or infinite."""
        for culprit in [culprit for result in results for culprit in result.culprits]:
            from ..api import warning_of

            told = warning_of(self.graph, culprit)
            if self.line is not None:  # each line was read as a text of its own
                told = told.replace("(line 1,", f"(line {self.line},")
            self.request.warn(told)

    def _missing(self, missing: Sequence[str], unused: Sequence[Given]) -> UsageError:
        for name in missing:
            if f"--{name}" in self.request.options:
                return is_an_option(name, self.request.options[f"--{name}"] or "VALUE")
        return missing_values(missing, unused)

    def _warn_unused(self, unused: Iterable[Given]) -> None:
        for given in unused:
            computed = f": the formula computes {given.name}"
            self.request.warn_unused(given, computed if given.name in self.graph.names else "")

    def _unknown(self, name: str, option: str) -> UsageError:
        known = list(dict.fromkeys([*self.graph.inputs(), *self.graph.names]))
        near = closest(name, known)
        hint = f"did you mean {near}?" if near else None
        names = ", ".join(known) or "its names: it has none"
        return UsageError(f"{option}: {name} is none of {names}", hint=hint)


def listed(options: Iterable[str]) -> list[str]:
    """Return the names in options such as `x,p`, each once."""
    names = [name.strip() for option in options for name in option.split(",")]
    return list(dict.fromkeys(map(normal, filter(None, names))))
