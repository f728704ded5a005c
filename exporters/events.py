"""A graph as an event directory that TensorBoard shows: `tensorboard --logdir DIRECTORY`."""

# protobuf and tensorboard have no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ..autodiff.errors import DataError, MissingExtraError, pip_line
from .graphdef import graphdef_text

if TYPE_CHECKING:
    from ..autodiff.graph import Graph
    from .graphdef import Shapes
    from .scene import Scene

INSTALL = pip_line("tensorboard", "tensorboard")


def export(scene: Scene, directory: str) -> None:
    """Write the scene's graph; see `write_events`."""
    write_events(scene.graph, directory, scene.shapes)


def write_events(graph: Graph, directory: str, shapes: Shapes | None = None) -> str:
    """Write the graph as TensorBoard's events into a directory; return the path of the file.

    Raises `MissingExtraError` where the `tensorboard` package is missing, `DataError` where the
    file cannot be written.
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
    path = os.path.join(directory, f"events.out.tfevents.{int(now):010d}.cgraph")
    try:
        os.makedirs(directory, exist_ok=True)
        with open(path, "wb") as file:
            writer = RecordWriter(file)
            for event in events:
                writer.write(event.SerializeToString())
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}") from None
    return path
