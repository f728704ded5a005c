"""What a shell may complete on a line that is still being typed: the names in its formula."""

from __future__ import annotations

import click

from .. import parser
from ..autodiff.errors import CgraphError
from ..autodiff.graph import Graph
from .source import Texts


def graph_on(ctx: click.Context) -> Graph:
    """Return the graph of the formula on the line, an empty one where it is not yet one."""
    formula, files = ctx.params.get("formula"), ctx.params.get("files") or ()
    if formula == "-" or "-" in files or not (formula or files):
        return Graph()
    texts = Texts(str(ctx.info_name), formula, files, lines=False)
    try:
        text = next(texts.programs())
        return parser.load(text.text, name=text.name, library=texts.libraries())
    except CgraphError:
        return Graph()


def inputs(ctx: click.Context) -> list[str]:
    """Return the inputs of the formula on the line that have no value yet."""
    assigned = [one.name for one in ctx.meta["words"].assignments]
    return [name for name in graph_on(ctx).inputs() if name not in assigned]


def names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names in the formula that continue a list such as `x,p`."""
    before, comma, last = incomplete.rpartition(",")
    graph = graph_on(ctx)
    found = dict.fromkeys([*graph.inputs(), *graph.names])
    return [f"{before}{comma}{name}" for name in found if name.startswith(last)]
