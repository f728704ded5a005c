"""The function reference: what the op table says of each function, derivatives worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, TypeGuard

from ..autodiff.gradient import gradient
from ..autodiff.graph import Graph
from ..autodiff.ops import FUNCTIONS, Builtin, Op, fill, rows
from ..autodiff.ops.table import REAL
from ..autodiff.simplify import written_out
from ..exporters.text import formula

if TYPE_CHECKING:
    from .forms import Held


TOPICS = (
    *("powers", "angles", "hyperbolic", "steps and choices", "special", "activations"),
    *("along axes", "matrices", "order and parts", "made from sizes", "networks"),
    "differentiation",
)
"""The topics, in order; the rows say which they belong to."""

OPERATORS = "+ - * / % ^ @ < <= > >= == != and or not"
WIDTH = 80


def overview() -> str:
    """Return the names of all functions by topic."""
    width = max(map(len, TOPICS)) + 2
    lines = wrap(f"{'operators':{width}}{OPERATORS}", WIDTH)
    for topic in TOPICS:
        names = dict.fromkeys(op.function for op in listed() if op.topic == topic)
        text = f"{topic:{width}}{' '.join(names)}"
        lines += wrap(text, WIDTH, subsequent_indent=" " * width, break_on_hyphens=False)
    return "\n".join([*lines, ""])


def listed() -> list[Builtin]:
    """Return the rows that formulas are written with, and not derivatives alone."""
    return [op for op in rows() if not op.internal]


def search(terms: Sequence[str]) -> list[Builtin]:
    """Return the rows that the terms name, those of a topic, or those that have all terms."""
    if terms and all(term in FUNCTIONS for term in terms):
        return [op for term in terms for op in FUNCTIONS[term]]
    sought = [term.lower() for term in terms]
    if " ".join(sought) in TOPICS:
        return [op for op in listed() if op.topic == " ".join(sought)]
    found = [op for op in listed() if all(term in searched(op) for term in sought)]
    return sorted(found, key=lambda op: distance(op, sought))


def distance(op: Builtin, sought: Sequence[str]) -> int:
    """Return how far a row is from the terms: named so, having them as words, or in words."""
    if sought == [op.name] or sought == [op.function]:
        return 0
    words = re.findall(r"\w+", searched(op))
    return 1 if all(term in words for term in sought) else 2


def searched(op: Builtin) -> str:
    """Return the text in which terms are looked for."""
    return " ".join([op.name, op.function, *op.aliases, op.topic, op.doc]).lower()


def entry(op: Builtin) -> str:
    """Return what the reference says of a row."""
    lines = [op.usage, f"  {op.doc}"]
    lines += [f"  d/d{name} = {formula}" for name, formula in derivatives(op)]
    said = (
        ("aliases", ", ".join(op.aliases)),
        ("defined", defined(op)),
        ("differentiable", differentiable(op)),
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
        "topic": op.topic,
        "domain": defined(op),
        "differentiable": differentiable(op),
        "convention": convention(op),
        **({"kink": kink(op)} if kink(op) else {}),
    }


def defined(op: Builtin) -> str:
    """Return where a row has a value, in words."""
    if isinstance(op, Op) and op.defined:
        return op.defined
    return domain(op)


def differentiable(op: Builtin) -> str:
    """Return where a row has a derivative that is no convention, in words."""
    if not isinstance(op, Op):
        return ""
    where = op.differentiable or domain(op)
    if all(one is REAL for one in op.domain) and not op.differentiable:
        where = defined(op)
    if op.kink and "but" not in where:
        where = f"{where}, but not {op.kink}" if where else f"everywhere but {op.kink}"
    return where


def domain(op: Builtin) -> str:
    """Return the values of a row's arguments at which tests may differentiate it, in words."""
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
