"""What GraphDef has no place for: attributes of nodes that begin with `_`, and how names translate.

The writer (an exporter) and the reader (a parser) both build on these. The order of the inputs is
the order of their nodes in the file.
"""

from __future__ import annotations

import re

OUTPUTS = "_outputs"
"""list.i, on an output: its places among the outputs, from 0. A file without is another tool's."""

CALLED = "_called"
"""list.s, on a node that is several outputs: the name that each is asked for by, in order."""

LOST = "_lost"
"""list.s, on a derivative that is nothing: the nodes of the inputs of what it was taken of."""

NAMES = "_names"
"""list.s, on a node that was assigned: all its names, in order."""

NAME = "_name"
"""s, on an input whose name in formulas is not `plain` of its node's name."""

LETTER = "_constant"
"""s, on a number that was written by its name: `tau`, which a binding may give another value."""

DEFAULT = "_default"
"""tensor, on an input: its default."""

TWIN = "_twin"
"""s, on a node of an op's twin, which differs in its derivative alone: the twin's name."""

OPERANDS = "_operands"
"""list.s, on a node that takes the same node twice running: its inputs once more, for readers of
pictures, as TensorBoard merges equal neighbours. The reader goes by `input`."""

AXIS = "_axis"
"""i, on an op that TensorFlow takes along the last axis only: its axis, as it was written. It is on
the op itself where that is the last one, else on the `Transpose` behind it, which undoes the one
before it."""

KEPT = {"keepdims": "keep_dims"}
"""TensorFlow's names of attributes that have another name here."""

OUTPUT_SHAPES = "_output_shapes"
"""list.shape: TensorFlow's own name for the shape of each output, which TensorBoard shows."""


def plain(name: str) -> str:
    """Return the name in formulas that a node's name stands for: `fc1.weight` for `fc1/weight`."""
    parts = [re.sub(r"\W", "_", part) for part in re.split(r"[/.]", name)]
    # A T is a name, but after a dot it transposes.
    taken = ("T",) if len(parts) > 1 else ()
    return ".".join(
        part if part[:1].isidentifier() and part not in taken else f"_{part}" for part in parts
    )
