"""A graph as an event directory that TensorBoard shows: `tensorboard --logdir DIRECTORY`."""

# protobuf and tensorboard have no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import os
import time
from io import BytesIO
from typing import TYPE_CHECKING

from ..autodiff.errors import MissingExtraError, pip_line
from .files import reported, save_together
from .graphdef import graphdef_text

if TYPE_CHECKING:
    from ..autodiff.graph import Graph
    from .graphdef import Shapes
    from .scene import Scene

INSTALL = pip_line("tensorboard", "tensorboard")

BEGINNING, ENDING = "events.out.tfevents.", ".cgraph"
"""How the names of event files begin, as TensorBoard wants it, and how ours end."""


def export(scene: Scene, directory: str) -> None:
    """Write the scene's graph; see `write_events`."""
    write_events(scene.graph, directory, scene.shapes)


def write_events(graph: Graph, directory: str, shapes: Shapes | None = None) -> str:
    """Write the graph as TensorBoard's events into a directory; return the path of the file.

    It takes the place of what was written there before, of cgraph's own files alone. Raises
    `MissingExtraError` where the `tensorboard` package is missing, `DataError` where the file
    cannot be written.
    """
    try:
        from google.protobuf.text_format import Parse
        from tensorboard.compat.proto.event_pb2 import Event  # pyright: ignore[reportAttributeAccessIssue]
        from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]
        from tensorboard.summary.writer.record_writer import (
            RecordWriter,
        )
    except ImportError:
        what = "writing events needs the tensorboard package"
        raise MissingExtraError(what, hint=INSTALL) from None

    now = time.time()
    message = Parse(graphdef_text(graph, shapes), GraphDef())
    events = (
        Event(wall_time=now, file_version="brain.Event:2"),
        Event(wall_time=now, graph_def=message.SerializeToString()),
    )
    content = BytesIO()
    writer = RecordWriter(content)
    for event in events:
        writer.write(event.SerializeToString())
    path = os.path.join(directory, f"{BEGINNING}{int(now):010d}{ENDING}")
    save_together({path: content.getvalue()}, directory)
    remove_others(path)
    return path


def remove_others(path: str) -> None:
    """Remove what was written into the directory of a file before: a run has one graph.

    Raises `DataError`. Files of other tools stay.
    """
    directory, name = os.path.split(path)
    with reported(path):
        for other in os.listdir(directory or os.curdir):
            if other.startswith(BEGINNING) and other.endswith(ENDING) and other != name:
                os.unlink(os.path.join(directory, other))
