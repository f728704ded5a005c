"""Which format a table is in: by how it begins, and else by the ending of its name."""

from __future__ import annotations

from os.path import splitext

from ...autodiff.errors import DataError, UsageError
from .batch import Source
from .options import Form
from .streams import MARK, Stream, closed_on_error

PACKED = (".gz", ".bz2", ".xz", ".zst")
"""Endings of compressed files."""

KNOWN = (
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".arrow",
    ".feather",
    ".npy",
    ".npz",
)
FOREIGN = (
    ".xls",
    ".xlsx",
    ".ods",
    ".h5",
    ".hdf5",
    ".mat",
    ".pkl",
    ".sqlite",
    ".db",
    ".orc",
    ".avro",
)
"""Endings of tables that are not read."""


def opened(path: str, form: Form, hurried: bool) -> Source:
    """Return the table in a file, or on stdin for '-'. Raises `DataError` or `UsageError`.

    With `hurried` what has come on a pipe is passed on when nothing more comes.
    """
    ending = ending_of(path)
    if ending in FOREIGN:
        raise DataError(f"cannot read {path}: a table is one of {' '.join(KNOWN)}")
    stream = Stream(path)
    with closed_on_error(stream):
        source = found(stream, ending, form, hurried)
        check_marks(source, form)
        return source


def check_marks(source: Source, form: Form) -> None:
    """Raise `UsageError` where cells have marks that a table without cells of text cannot have."""
    if form.na:
        from .delimited import Delimited

        if not isinstance(source, Delimited):
            raise UsageError(f"--na is for cells of CSV and TSV, and {source.name} has none")


def found(stream: Stream, ending: str, form: Form, hurried: bool) -> Source:
    """Return the table in a stream. Raises `DataError`."""
    if stream.begins(b"\x93NUMPY") or stream.begins(b"PK\x03\x04"):
        from .numpy_files import Arrays

        return Arrays(stream)
    if stream.begins(b"PAR1"):
        from .columnar import Parquet

        return Parquet(stream)
    if stream.begins(b"ARROW1") or stream.begins(b"\xff\xff\xff\xff"):
        from .columnar import Arrow

        return Arrow(stream)
    if ending in (".parquet", ".arrow", ".feather", ".npy", ".npz"):
        raise DataError(f"cannot read {stream.name}: it does not begin as {ending} files do")
    if ending in (".jsonl", ".ndjson", ".json") or objects_follow(stream):
        from .jsonlines import JsonLines

        return JsonLines(stream, hurried)
    from .delimited import Delimited

    return Delimited(stream, form.settled(ending), hurried, guess=not form.delimiter)


def objects_follow(stream: Stream) -> bool:
    """Tell whether what follows looks like objects, or an array of them, rather than cells."""
    begun = stream.peek(2)
    if begun[:2] == MARK[:2]:
        begun = stream.peek(len(MARK) + 2).removeprefix(MARK)
    return begun.lstrip()[:1] == b"{" or begun[:2] in (b"[{", b"[\n")


def ending_of(path: str) -> str:
    """Return the ending that says the format, without that of a compressed file."""
    rest, ending = splitext(path.lower())
    return splitext(rest)[1] if ending in PACKED else ending
