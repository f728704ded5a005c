"""What can be said of each node of a graph, in the words that PyTorch's users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..autodiff.known import gradient_at_nodes, known_values
from ..autodiff.ops.structure import constant, placeholder
from ..exporters.names import unique_names
from ..exporters.text import nested_text, value_text

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph, Node
    from .forms import Held
    from .question import Question

LONGEST = 40
"""A longer value is cut in the table."""


def facts(question: Question, wrt: Mapping[str, int]) -> list[dict[str, Held]]:
    """Return an object for each node that the outputs need, in topological order."""
    graph = question.graph
    needed = graph.needed(question.outputs)
    numbers = {node: k for k, node in enumerate(needed)}
    names = spoken_names(graph, needed)
    functions = grad_fns(graph, needed, wrt)
    values, slopes = at_bindings(question, wrt)
    return [
        {
            "index": numbers[index],
            "name": names[index],
            "op": node.op.name,
            "inputs": [numbers[arg] for arg in node.args],
            "is_leaf": functions[index] in (None, ACCUMULATE),
            "requires_grad": functions[index] is not None,
            "grad_fn": None if functions[index] == ACCUMULATE else functions[index],
            "next_functions": next_functions(node, functions, functions[index]),
            **({"value": values[index]} if index in values else {}),
            **({"gradient": slopes[index]} if index in slopes else {}),
        }
        for index, node in graph.walk(needed)
    ]


ACCUMULATE = "AccumulateGrad"


def grad_fns(graph: Graph, needed: Sequence[int], wrt: Mapping[str, int]) -> dict[int, str | None]:
    """Return the function that takes a node's gradient on; None where nothing is differentiated."""
    moving = graph.dependents(wrt.values(), max(needed, default=-1))
    found: dict[int, str | None] = {}
    for index, node in graph.walk(needed):
        called = "".join(map(str.capitalize, node.op.name.split("_")))
        function = ACCUMULATE if node.op is placeholder else f"{called}Backward0"
        found[index] = function if moving[index] else None
    return found


def next_functions(node: Node, functions: Mapping[int, str | None], own: str | None) -> list[Held]:
    """Return where a node's gradient goes, as PyTorch lists it."""
    return [[functions[arg], 0] for arg in node.args] if own else []


def spoken_names(graph: Graph, nodes: Sequence[int]) -> dict[int, str]:
    """Return what to call each node: a person's name for it, its number, or a made-up name."""
    names = unique_names(graph, nodes)
    for index, node in graph.walk(nodes):
        if node.op is constant:
            names[index] = nested_text(node.attrs[0], None)  # type: ignore[arg-type]
    given = {node: called[0] for node, called in graph.names_of().items()}
    return names | given | {node: name for name, node in graph.placeholders.items()}


def at_bindings(
    question: Question, wrt: Mapping[str, int]
) -> tuple[Mapping[int, Value], Mapping[int, Value]]:
    """Return the values that the bindings determine, and the gradients where they are all there."""
    graph, given = question.graph, question.values(partly=True)
    values = known_values(graph, question.outputs, given)
    if not wrt or not all(node in values for node in graph.inputs().values()):
        return values, {}
    if len(question.outputs) > 1:
        question.request.note("gradients are of one output: choose it with --output NAME")
        return values, {}
    slopes, result = gradient_at_nodes(graph, question.outputs[0], wrt, given)
    question.warn_of([result])
    return values, slopes


def table(found: Sequence[Mapping[str, Held]], digits: int | None) -> str:
    """Return the facts as a table with columns for those that there are."""
    rows = [["#", "name", "op", "inputs", "leaf", "grad_fn"]]
    numeric = [key for key in ("value", "gradient") if any(key in fact for fact in found)]
    rows[0] += numeric
    for fact in found:
        inputs = ", ".join(map(str, fact["inputs"]))  # type: ignore[arg-type]
        leaf = "yes" if fact["is_leaf"] else ""
        row = [fact["index"], fact["name"], fact["op"], inputs, leaf, fact["grad_fn"] or ""]
        row += [short(fact[key], digits) if key in fact else "" for key in numeric]
        rows.append([str(cell) for cell in row])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)


def short(value: Held, digits: int | None) -> str:
    """Return a value as text, cut where it is long."""
    text = value_text(value, digits)  # type: ignore[arg-type]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
