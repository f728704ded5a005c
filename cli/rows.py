"""Answers for each row of a table: batches in, batches out, in constant memory."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..autodiff.errors import DataError, FormulaError, UsageError
from ..autodiff.gradient import gradient
from ..autodiff.results import PLAIN, Result, Run
from ..autodiff.rows import Column, Found, Rows, Sum, each, entry, of_one_number, summed
from ..autodiff.shapes import shapes_at
from ..autodiff.survey import Seen, Survey, lacking, survey
from ..autodiff.sweep import cores
from . import columns
from .columns import Bound
from .forms import UNWRITTEN, ending_of
from .output import STDOUT
from .pipeline import ordered
from .progress import Progress
from .table.batch import BadCell, Batch, Chunk, Source, Wanted, is_array
from .table.cells import is_list
from .table.formats import ending_of as table_ending
from .table.formats import opened
from .table.sinks import ENDINGS, Sink, keeps_text, sink_for
from .table.streams import closed_on_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..autodiff.evaluate import Value
    from .output import Answer
    from .question import Question, Request
    from .table.options import TableOptions


class Done(NamedTuple):
    """What came of a chunk: its rows, how many of them are left out, and what they make."""

    rows: int
    skipped: int
    survey: Survey
    made: Any


WITHOUT = {
    "--dynamic": (
        "runs a program at one set of values, --data has many",
        "without it `if` and `where` choose in each row",
    ),
    "--stats": ("tells of one run, --data has many", None),
    "--format": ("lays out one matrix, --data has many rows", None),
}
"""Options that rows have no use for: why, and what to do."""

FIRST_ROWS = 1000
"""In so many rows it is looked for conventions that decide."""

TABLES = tuple(one for one in ENDINGS if one not in (".json", ".npz", ".npy"))
"""Endings of files that hold tables and nothing else."""

Work = Callable[[Batch, Found], Any]
"""What is to be done with rows and what they come to."""


class Table(NamedTuple):
    """A table that is open, what is read of it, and the formula, ready to be run on it."""

    source: Source
    used: Bound
    chunks: Iterator[Chunk]
    rows: Rows
    nulls: str


# -- what commands ask for ------------------------------------------------------------------------


def answered(
    question: Question,
    wrt: Mapping[str, int],
    how: Run,
    show: Callable[[Sequence[Result]], Answer],
) -> Answer:
    """Return the results for each row, or, where they are reduced, the one for all rows, shown."""
    if not asked(question).reduce:
        return by_row(question, wrt, how)
    results = reduced(question, wrt, how)
    return one_row(question, wrt, results) if is_table(question.request.out) else show(results)


def by_row(
    question: Question, wrt: Mapping[str, int], how: Run = PLAIN, jacobian: bool = False
) -> Generator[bytes, None, None]:
    """Return the results for each row, as bytes that follow on: values and derivatives."""
    request, data = question.request, asked(question)
    path = None if request.out in STDOUT else request.out
    sink = sink_for(path, request.as_json, data.form, request.digits)
    text = keeps_text(path, request.as_json)
    table = table_of(question, wrt, how, jacobian, text)
    with closed_on_error(table.source):
        names = column_names(question, wrt, table.used.kept)
    return streamed(question, table, names, sink)


def first_rows(question: Question) -> Generator[dict[str, Value], None, None]:
    """Yield the values of inputs in one row after another, in order.

    Raises `DataError` after a row that lacks one, where nulls are errors and more rows are wanted.
    """
    table = table_of(question, {}, PLAIN, False, True)
    before = 0
    try:
        for chunk in table.chunks:
            batch = read(chunk, before)
            given = taken(batch, table.used)
            bad = table.nulls == "error" and lacking(given, batch.size)
            for row, values in enumerate(each(given, batch.size)):
                yield values
                if bad is not False and bad[row]:
                    raise chunk.error(no_value(given, table.used, row), before)
            before += batch.size
    finally:
        table.source.stop()
        table.source.close()


def reduced(question: Question, wrt: Mapping[str, int], how: Run = PLAIN) -> list[Result]:
    """Return the sum, or the mean, over all rows: of the value, and of each derivative."""
    request, data = question.request, asked(question)
    ending = ending_of(request.out)
    if ending in UNWRITTEN and not is_table(request.out):
        hint = f"known: .txt .json {' '.join(TABLES)} .npy .npz, and folder/"
        raise UsageError(f"results of --reduce are not written as {ending}", hint=hint)
    if data.keep:
        told = "--keep carries columns along for each row, and --reduce leaves one result"
        raise UsageError(told)
    table = table_of(question, wrt, how, False, True)
    totals, rows = over_all(question, table, len(question.outputs) * (1 + len(wrt)))
    if data.reduce == "mean" and not rows:
        raise DataError(f"{table.source.name} has no rows to take the mean of")
    share = rows if data.reduce == "mean" else 1
    found = iter([total / share for total in totals])
    return [
        Result(
            node,
            question.names[k],
            next(found),
            {by: next(found) for by in wrt},
            [],
        )
        for k, node in enumerate(question.outputs)
    ]


def is_table(path: str | None) -> bool:
    """Tell whether a single result is written to a path as a table of one row."""
    return path is not None and table_ending(path) in TABLES


def one_row(question: Question, wrt: Mapping[str, int], results: Sequence[Result]) -> bytes:
    """Return results over all rows as a table of one row, in the format of a file."""
    request, names = question.request, column_names(question, wrt, [])
    sink = sink_for(request.out, request.as_json, asked(question).form, request.digits)
    values = [value for one in results for value in (one.value, *one.gradient.values())]
    columns = [np.asarray(value, dtype=np.float64)[np.newaxis] for value in values]
    row = sink.encode(dict(zip(names, columns, strict=True)), 1)
    return sink.write(row) + sink.end()


def over_all(question: Question, table: Table, count: int) -> tuple[list[Value], int]:
    """Return the sum of each of so many columns of results, and the rows that are in them."""
    sums = [Sum() for _ in range(count)]
    rows = 0
    with closing(walk(question, table, sums_of)) as batches:
        for done in batches:
            rows += done.rows - done.skipped
            for one, value in zip(sums, done.made, strict=True):
                one.add(value)
    return [one.total() for one in sums], rows


def asked(question: Question) -> TableOptions:
    """Return what the call says of its table."""
    data = question.request.data
    assert data is not None
    return data


def table_of(
    question: Question, wrt: Mapping[str, int], how: Run, jacobian: bool, as_text: bool
) -> Table:
    """Open the table of a call and make its formula ready to be run on it."""
    request, data = question.request, asked(question)
    refuse(request)
    source = opened(data.path, data.form, hurried=not data.reduce)
    for note in getattr(source, "notes", ()):
        request.note_once(note)
    with closed_on_error(source):
        return made_ready(question, source, wrt, how, jacobian, as_text)


def made_ready(
    question: Question,
    source: Source,
    wrt: Mapping[str, int],
    how: Run,
    jacobian: bool,
    as_text: bool,
) -> Table:
    """Return an open table with what is read of it, and the formula for its rows."""
    used = columns.bound(question, source)
    wanted = Wanted(list(dict.fromkeys(used.inputs.values())), used.kept, as_text)
    chunks = source.chunks(wanted)
    first = next(chunks)
    sample = sample_of(first, used)
    given = question.values(also=sample)
    constants = {name: value for name, value in given.items() if name not in sample}
    rows = Rows(question.graph, question.outputs, wrt, constants, sample, how, jacobian)
    note_of_one_number(question, sample, given)
    note_of_conventions(question, wrt, taken(read(first, 0), used), given)
    nulls = asked(question).nulls
    return Table(source, used, chain([first], chunks), rows, nulls)


def note_of_one_number(
    question: Question, sample: Mapping[str, Value], given: Mapping[str, Value]
) -> None:
    """Say where a reduction, such as a mean, is over the one number that a column has in a row."""
    node = of_one_number(question.graph, question.outputs, sample, given)
    if node is None:
        return
    from ..exporters.text import formula

    told = f"{formula(question.graph, node, limit=60)} is over one row's number"
    remedy = "" if asked(question).reduce else "; for all rows: --reduce sum or mean"
    question.request.note(told + remedy)


def note_of_conventions(
    question: Question,
    wrt: Mapping[str, int],
    rows: Mapping[str, Column],
    given: Mapping[str, Value],
) -> None:
    """Say which derivatives are what they are by a convention, in the first rows, if in any."""
    graph, outputs = question.graph, question.outputs
    kinks = any(node.op.kink for _, node in graph.walk(graph.needed(outputs)))
    if not kinks or shapes_at(graph, graph.needed([*outputs, *wrt.values()]), given):
        return
    by = [*wrt.values()]
    slopes = [slope for node in outputs for slope in gradient(graph, node, by)]
    columns_ = {name: np.asarray(column[:FIRST_ROWS]) for name, column in rows.items()}
    question.note_conventions([*outputs, *slopes], {**given, **columns_})


def refuse(request: Request) -> None:
    """Raise `UsageError` for options that rows have no use for."""
    for option, (why, hint) in WITHOUT.items():
        if option in request.options:
            raise UsageError(f"{option} {why}", hint=hint)


def sample_of(chunk: Chunk, used: Bound) -> dict[str, Value]:
    """Return the first row, which says what shape a row of each column has."""
    batch = read(chunk, 0)
    given = taken(batch, used)
    return {name: entry(column[0]) if batch.size else 0.0 for name, column in given.items()}


def read(chunk: Chunk, before: int) -> Batch:
    """Return the rows of a chunk, before which so many came. Raises `DataError` for a bad cell."""
    try:
        return chunk.batch()
    except BadCell as bad:
        raise chunk.error(bad, before) from None


def taken(batch: Batch, used: Bound) -> dict[str, Column]:
    """Return the columns by the inputs that they are for."""
    return {name: batch.numbers[column] for name, column in used.inputs.items()}


def column_names(question: Question, wrt: Mapping[str, int], kept: Sequence[str]) -> list[str]:
    """Return what the columns of results are called. Raises `UsageError` where two are the same."""
    several = len(question.outputs) > 1
    found: list[str] = []
    for key in question.keys:
        found += [key, *(f"d_{key}_{name}" if several else f"d_{name}" for name in wrt)]
    if twice := next((name for name, count in Counter(found).items() if count > 1), None):
        hint = "call an output by another name: q = ..., --output q"
        raise UsageError(f"two columns of results would be called '{twice}'", hint=hint)
    for name in found:
        if name in kept:
            hint = f"leave '{name}' out of --keep, or name the output: p = ..., --output p"
            raise UsageError(
                f"two columns would be called '{name}': a result, and one of --keep", hint=hint
            )
    return [*kept, *found]


# -- batch by batch -------------------------------------------------------------------------------


def streamed(
    question: Question, table: Table, names: Sequence[str], sink: Sink
) -> Generator[bytes, None, None]:
    """Yield the bytes of a table of results."""

    def encoded(batch: Batch, found: Found) -> Any:
        cells = [*batch.kept.values(), *in_order(found)]
        return sink.encode(dict(zip(names, cells, strict=True)), batch.size)

    with closing(walk(question, table, encoded)) as batches:
        for done in batches:
            content = sink.write(done.made)
            if content:
                yield content
    yield sink.end()


def walk(question: Question, table: Table, work: Work) -> Generator[Done, None, None]:
    """Yield what comes of each chunk, in order; at the end say what is to be said of the rows."""
    request = question.request
    rows = skipped = 0
    seen = Survey()
    progress = Progress(not request.quiet and silent(request))
    line = ordered(
        table.chunks,
        lambda chunk: worked(chunk, table, work),
        request.threads or cores(),
        table.source.stop,
    )
    try:
        with closing(line):
            for job in line:
                try:
                    done = job.result()
                except BadCell as bad:
                    raise job.chunk.error(bad, rows) from None
                seen = seen.then(done.survey, rows)
                rows += done.rows
                skipped += done.skipped
                progress.tell(rows, table.source.share())
                yield done
    finally:
        progress.clear()
        table.source.close()
    tell(question, table, seen, rows)


def silent(request: Request) -> bool:
    """Tell whether nothing is printed meanwhile on the terminal."""
    to_file = request.out not in (None, *STDOUT)
    return to_file or sys.stdout is None or not sys.stdout.isatty()


def worked(chunk: Chunk, table: Table, work: Work) -> Done:
    """Return what comes of a chunk. Raises `BadCell`."""
    batch = chunk.batch()
    size, given = batch.size, taken(batch, table.used)
    found = table.rows.run(given, size)
    seen = survey(given, found.columns, size)
    if not seen.missing.rows or table.nulls == "nan":
        return Done(size, 0, seen, work(batch, found))
    missing = lacking(given, size)
    if table.nulls == "error":
        raise no_value(given, table.used, int(missing.argmax()))
    return Done(size, seen.missing.rows, seen, work(*without(batch, found, ~missing)))


def no_value(given: Mapping[str, Column], used: Bound, row: int) -> BadCell:
    """Return what is wrong with a row that lacks a value."""
    name = next(name for name, column in given.items() if np.isnan(column[row]).any())
    return BadCell(row, used.inputs[name], "there is no value")


def without(batch: Batch, found: Found, left: NDArray[np.bool_]) -> tuple[Batch, Found]:
    """Return rows and what they come to, those alone that are marked."""
    kept = {name: filtered(column, left) for name, column in batch.kept.items()}
    values = [filtered(column, left) for column in found.values]
    slopes = [[filtered(column, left) for column in own] for own in found.slopes]
    return Batch(int(left.sum()), batch.numbers, kept), Found(values, slopes)


def filtered(column: Any, left: NDArray[np.bool_]) -> Any:
    """Return the marked rows of a column, NumPy's or PyArrow's."""
    if is_list(column):
        return list(compress(column, left))
    return column[left] if is_array(column) else column.filter(left)


def in_order(found: Found) -> list[Column]:
    """Return columns as they are written: each output's values, then its derivatives."""
    pairs = zip(found.values, found.slopes, strict=True)
    return [column for value, slopes in pairs for column in (value, *slopes)]


def sums_of(batch: Batch, found: Found) -> list[Value]:
    """Return the sum of each column. Raises `FormulaError` where there is none."""
    try:
        return [summed(column) for column in in_order(found)]
    except ValueError as error:
        raise FormulaError(str(error)) from None


# -- what is said of the rows ---------------------------------------------------------------------


def tell(question: Question, table: Table, seen: Survey, rows: int) -> None:
    """Say which rows lack values, and which others come out nan or infinite."""
    request = question.request
    if seen.missing.rows:
        gone = table.nulls == "skip"
        what = "lack a value and are left out" if gone else "lack a value"
        column = column_lacking(seen.missing, table.used)
        told = f"{counted(seen.missing, rows, what)}: column '{column}'"
        (request.note if gone else request.warn)(told)
    for one, what in ((seen.nan, "are nan"), (seen.infinite, "are infinite")):
        if one.rows:
            request.warn(counted(one, rows, what) + blame(question, table.rows, one))


def counted(seen: Seen, rows: int, what: str) -> str:
    """Return how many rows are so, and which is the first."""
    first = f"row {(seen.first or 0) + 1:,}"
    if seen.rows == 1:
        verb = {"are": "is", "lack": "lacks"}[what.split()[0]]
        what = what.replace("and are", "and is").replace(what.split()[0], verb, 1)
        return f"1 of {rows:,} rows {what}, {first}"
    return f"{seen.rows:,} of {rows:,} rows {what}, the first is {first}"


def column_lacking(seen: Seen, used: Bound) -> str:
    """Return the column in which a row lacks its value."""
    row = seen.row or {}
    return next(used.inputs[name] for name, value in row.items() if np.isnan(value).any())


def blame(question: Question, rows: Rows, seen: Seen) -> str:
    """Return what made a row nan or infinite, if the formula did."""
    from ..exporters.culprit import told
    from .stable import advice

    found = rows.blamed(seen.row or {})
    culprits = [culprit for result in found for culprit in result.culprits]
    if not culprits:
        return ""
    slope = any(result.gradient for result in found)
    kept = advice(question.graph, culprits[0], seen.row or {}, slope)
    return f": {told(question.graph, culprits[0])}{kept}"
