"""The function reference: what the op table says of each function, derivatives worked out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..autodiff.gradient import gradient
from ..autodiff.graph import Graph
from ..autodiff.ops import FUNCTIONS, Op, fill, rows
from ..exporters.text import formula

if TYPE_CHECKING:
    from .forms import Held


def search(terms: Sequence[str]) -> list[Op]:
    """Return the rows that a single term names, or those in which all terms are found."""
    if len(terms) == 1 and terms[0] in FUNCTIONS:
        return list(FUNCTIONS[terms[0]])
    sought = [term.lower() for term in terms]
    return [op for op in rows() if all(term in searched(op) for term in sought)]


def searched(op: Op) -> str:
    """Return the text in which terms are looked for."""
    return " ".join([op.name, op.function, *op.aliases, op.doc]).lower()


def entry(op: Op) -> str:
    """Return what the reference says of a row."""
    lines = [op.signature, f"  {op.doc}"]
    lines += [f"  d/d{name} = {slope}" for name, slope in derivatives(op)]
    said = (
        ("aliases", ", ".join(op.aliases)),
        ("domain", domain(op)),
        ("convention", op.convention),
    )
    lines += [f"  {title}: {text}" for title, text in said if text]
    return "\n".join([*lines, ""])


def facts(op: Op) -> dict[str, Held]:
    """Return what the reference says of a row, for JSON."""
    return {
        "name": op.name,
        "signature": op.signature,
        "aliases": list(op.aliases),
        "meaning": op.doc,
        "derivative": dict(derivatives(op)),
        "domain": domain(op),
        "convention": op.convention,
    }


def domain(op: Op) -> str:
    """Return where a row has derivatives, in words."""
    return "; ".join(dict.fromkeys(one.text for one in op.domain))


def derivatives(op: Op) -> Iterator[tuple[str, str]]:
    """Yield the derivative by each parameter, as a formula in the parameters."""
    graph = Graph()
    names = [name for name in op.parameters if not name.startswith("*")]
    args = tuple(map(graph.placeholder, names))
    node = graph.add(op, fill(op, graph, args))
    for name, slope in zip(names, gradient(graph, node, args), strict=True):
        yield name, formula(graph, slope)
