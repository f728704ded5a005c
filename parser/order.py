"""Which nodes of a GraphDef count, and in which order they are read.

What no output needs is not judged: it is read where that is possible, and left out where not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..autodiff.errors import did_you_mean
from .protobuf import TEXT, dtype_of, field

if TYPE_CHECKING:
    from .protobuf import Entry, File

DOING = (
    *("Assign", "Close", "Delete", "Destroy", "Initialize", "IsVariableInitialized"),
    *("LookupTableI", "MergeV2Checkpoints", "NoOp", "ResourceApply", "ResourceScatter"),
    *("ResourceSparseApply", "Save", "VarIsInitialized"),
)
"""How ops of TensorFlow begin that are run for what they do, or tell whether that was done."""

SHOWING = ("AsString", "Assert", "Print", "Send", "StringFormat", "Write")
"""How ops begin that show a value, which may be an output all the same."""

SUMMARY = "Summary"
"""How ops end that do so too."""

READ = "ReadVariableOp"
"""What reads a variable, which TensorFlow writes for each one, needed or not."""


def source_of(name: str) -> str:
    """Return the node that an input is of."""
    return name.partition(":")[0]


def sinks(entries: Mapping[str, Entry]) -> list[str]:
    """Return the nodes that nothing takes as its input; operations, where there are any.

    What only does or shows something, or has a text, is none of them.
    """
    using = [entry for entry in entries.values() if not shows(entry)]
    used = {source_of(name) for entry in using for name in (*entry.inputs, *entry.after)}
    loose = [entry for entry in entries.values() if entry.name not in used and has_value(entry)]
    operations = [entry for entry in loose if entry.inputs]
    chosen = [entry for entry in operations if entry.op != READ] or operations or loose
    return [entry.name for entry in chosen]


def shows(entry: Entry) -> bool:
    """Tell whether an op only shows what it is given."""
    return entry.op.startswith(SHOWING) or entry.op.endswith(SUMMARY)


def has_value(entry: Entry) -> bool:
    """Tell whether an op gives a number, as far as its name and its type tell."""
    types = (field(entry.attributes.get(name), "type") for name in ("T", "dtype"))
    texts = TEXT in map(dtype_of, types)
    return not texts and not entry.op.startswith(DOING) and not shows(entry)


def ordered(file: File, entries: Mapping[str, Entry], needed: Collection[str]) -> Iterator[Entry]:
    """Yield the entries, each after its inputs; as they stand, if they stand in order.

    Raises `GraphError` where one that is needed has an input that is not there, or is made from
    itself; others are left out then.
    """
    done: set[str] = set()
    for first in entries:
        path = {} if first in done else {first: iter(entries[first].inputs)}
        while path:
            here = next(reversed(path))
            source = next((name for name in path[here] if name not in done), None)
            if source is None:
                path.popitem()
                done.add(here)
                yield entries[here]
            elif source in entries and source not in path:
                path[source] = iter(entries[source].inputs)
            elif here in needed:
                fail_at(file, entries, here, source, path)
            else:
                path.popitem()
                done.add(here)


def fail_at(
    file: File, entries: Mapping[str, Entry], here: str, source: str, path: Iterable[str]
) -> None:
    """Raise `GraphError` for an input that does not exist, or leads back to where it is one."""
    if source not in entries:
        named, _, output = source.partition(":")
        if output and named in entries:
            what = f"node '{here}' takes output {output} of '{named}', which has only 0"
            file.fail(what, here)
        what = f"node '{here}' has the input '{source}', which is not there"
        file.fail(what, here, did_you_mean(source, entries))
    steps = list(path)
    round_trip = [*steps[steps.index(source) :], source]
    shown = round_trip if len(round_trip) < 10 else [*round_trip[:8], "...", source]
    file.fail(f"a cycle: {' <- '.join(shown)}", here)
