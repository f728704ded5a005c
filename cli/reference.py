"""The function reference: what the op table says of each function, derivatives worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeGuard

from ..autodiff.gradient import gradient
from ..autodiff.graph import Graph
from ..autodiff.ops import FUNCTIONS, Builtin, Op, fill, rows
from ..autodiff.simplify import written_out
from ..exporters.text import formula

if TYPE_CHECKING:
    from .forms import Held


def search(terms: Sequence[str]) -> list[Builtin]:
    """Return the rows that a single term names, or those in which all terms are found."""
    if len(terms) == 1 and terms[0] in FUNCTIONS:
        return list(FUNCTIONS[terms[0]])
    sought = [term.lower() for term in terms]
    found = [op for op in rows() if all(term in searched(op) for term in sought)]
    return sorted(found, key=lambda op: distance(op, sought))


def distance(op: Builtin, sought: Sequence[str]) -> int:
    """Return how far a row is from the terms: named so, having them as words, or in words."""
    if sought == [op.name] or sought == [op.function]:
        return 0
    words = re.findall(r"\w+", searched(op))
    return 1 if all(term in words for term in sought) else 2


def searched(op: Builtin) -> str:
    """Return the text in which terms are looked for."""
    return " ".join([op.name, op.function, *op.aliases, op.doc]).lower()


def entry(op: Builtin) -> str:
    """Return what the reference says of a row."""
    lines = [op.usage, f"  {op.doc}"]
    lines += [f"  d/d{name} = {formula}" for name, formula in derivatives(op)]
    said = (
        ("aliases", ", ".join(op.aliases)),
        ("differentiable", domain(op)),
        ("convention", convention(op)),
        ("no second derivative", kink(op)),
    )
    lines += [f"  {title}: {text}" for title, text in said if text]
    return "\n".join([*lines, ""])


def record(op: Builtin) -> dict[str, Held]:
    """Return what the reference says of a row, for JSON."""
    return {
        "name": op.name,
        "signature": op.usage,
        "aliases": list(op.aliases),
        "meaning": op.doc,
        "derivative": dict(derivatives(op)),
        "domain": domain(op),
        "convention": convention(op),
        **({"kink": kink(op)} if kink(op) else {}),
    }


def domain(op: Builtin) -> str:
    """Return where a row has derivatives, in words."""
    if not is_elementwise(op):
        return ""
    return "; ".join(dict.fromkeys(one.text for one in op.domain))


def convention(op: Builtin) -> str:
    """Return what a row says of its awkward points."""
    return op.convention if isinstance(op, Op) else ""


def kink(op: Builtin) -> str:
    """Return where a row has a first derivative by convention, and no second one."""
    return op.kink if isinstance(op, Op) else ""


def is_elementwise(op: Builtin) -> TypeGuard[Op]:
    """Tell whether a row is an op that works element by element."""
    return isinstance(op, Op) and op.move is None


def derivatives(op: Builtin) -> Iterator[tuple[str, str]]:
    """Yield the derivative by each parameter, as a formula in the parameters."""
    if not is_elementwise(op):
        return
    graph = Graph()
    names = [name for name in op.parameters if not name.startswith("*")]
    args = tuple(map(graph.placeholder, names))
    node = graph.add(op, fill(op, graph, args))
    found = written_out(graph, gradient(graph, node, args))
    for name, derivative in zip(names, found, strict=True):
        yield name, formula(graph, derivative)
