"""The leaves of a graph: constants and inputs."""

from __future__ import annotations

from .table import Attr, Op

constant: Op = Op(
    name="constant",
    signature="",
    doc="a number, or an array of numbers, written in the formula",
    scalar=float,
    array="",
    attributes=(Attr("value", "number"),),
    graphdef="Const",
)

placeholder: Op = Op(
    name="placeholder",
    signature="",
    doc="an input, whose value a binding gives",
    scalar=float,
    array="",
    attributes=(Attr("name", "text"),),
    graphdef="Placeholder",
)
