"""The options that commands share, in stacks: a command takes the stacks that it answers to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import click

from ..autodiff.errors import UsageError

Decorator: TypeAlias = Callable[[Any], Any]

RESERVED = (
    "at",
    "backward",
    "bindings",
    "checkpoint",
    "claim",
    "col",
    "data",
    "decimal",
    "delimiter",
    "digits",
    "direction",
    "dpi",
    "dynamic",
    "edges",
    "file",
    "flat",
    "format",
    "grad",
    "help",
    "inputs",
    "json",
    "keep",
    "limit",
    "lines",
    "max-nodes",
    "mixed",
    "mode",
    "na",
    "name",
    "nulls",
    "optimize",
    "order",
    "out",
    "output",
    "precision",
    "quiet",
    "real",
    "reduce",
    "seed",
    "set",
    "shape",
    "shapes",
    "sparse",
    "stable",
    "stats",
    "steps",
    "strict",
    "theme",
    "threads",
    "tol",
    "training",
    "value",
    "vector",
    "wrt",
)
"""The names of all options of all commands. An input of such a name gets its value by `--set`."""


def stack(*options: Decorator) -> Decorator:
    """Return the decorator that adds all of `options`, in the order in which help lists them."""

    def add(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from .complete import names

    return names(ctx, param, incomplete)


FILE = click.Path(readable=False)

formula = stack(
    click.argument("formula", required=False, metavar="[FORMULA]"),
    click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        type=FILE,
        metavar="FILE",
        help="Read the program from FILE. Again: earlier files are libraries, "
        "and so are all when a formula is given.",
    ),
    click.option(
        "--max-nodes",
        type=click.IntRange(min=1),
        metavar="N",
        help="Refuse graphs of more than N nodes (10 million).",
    ),
    click.option(
        "--output",
        multiple=True,
        metavar="NAMES",
        shell_complete=_names,
        help="Take these named values, p,q or 'h*', for the outputs.",
    ),
    click.option(
        "--shape",
        "declared",
        multiple=True,
        metavar="NAME=SIZES",
        help="Declare the shape of an input, X=10,2; 'X=' is a number's.",
    ),
)

dynamic = click.option(
    "--dynamic",
    is_flag=True,
    help="Run the program while it is read: 'while' and 'if' go by the values, and only what "
    "is executed is in the graph.",
)

seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Draw random numbers from this seed (0).",
)

values = stack(
    click.option(
        "--set",
        "assignments",
        multiple=True,
        metavar="NAME=VALUE",
        help="Give a value to a name, whatever the name.",
    ),
    click.option(
        "--bindings",
        "tables",
        multiple=True,
        type=FILE,
        metavar="FILE",
        help="Take values from FILE: .json, .npz, a folder of .npy, or lines 'name = value'; "
        "'-' is stdin.",
    ),
)

bindings = stack(
    values,
    click.option(
        "--training",
        is_flag=True,
        help="Run dropout and batch_norm as in training (default: inference).",
    ),
    seed,
    dynamic,
)


class DataOption(click.Option):
    """An option that goes with `--data`; help lists these apart."""


def _once(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Return the one value of an option. Raises `UsageError` where there are two."""
    if len(given) > 1:
        raise UsageError(f"{param.opts[0]} is given twice: {given[0]} and {given[1]}")
    return given[0] if given else None


table = stack(
    click.option(
        "--data",
        cls=DataOption,
        multiple=True,
        callback=_once,
        type=FILE,
        metavar="FILE",
        help="Answer for each row of FILE, whose columns give inputs their values: .csv, .tsv, "
        ".jsonl, .parquet, .arrow, .npz or .npy; '-' is stdin.",
    ),
    click.option(
        "--col",
        cls=DataOption,
        multiple=True,
        metavar="NAME=COLUMN",
        help="Take the values of NAME from COLUMN, 'T=Temp (C)'.",
    ),
    click.option(
        "--delimiter",
        cls=DataOption,
        metavar="CHAR",
        help="What separates cells of text (',', in a .tsv tab).",
    ),
    click.option(
        "--decimal",
        cls=DataOption,
        type=click.Choice([".", ","]),
        help="The decimal point; with ',' cells are separated by ';' unless told.",
    ),
    click.option(
        "--nulls",
        cls=DataOption,
        type=click.Choice(["nan", "skip", "error"]),
        help="What becomes of rows that lack a value: nan, no row, or an error (nan).",
    ),
    click.option(
        "--na",
        cls=DataOption,
        multiple=True,
        metavar="MARK",
        help="Take cells of text that are MARK for no value, as NA and empty ones are.",
    ),
)

keep = click.option(
    "--keep",
    cls=DataOption,
    multiple=True,
    metavar="COLUMNS",
    help="Carry these columns along, id,t or '*' for all.",
)

reduce = click.option(
    "--reduce",
    cls=DataOption,
    type=click.Choice(["sum", "mean"]),
    help="Give one answer, the sum or the mean over all rows, instead of one for each.",
)

threads = click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Use N cores (default: all).",
)

wrt = click.option(
    "--wrt",
    multiple=True,
    metavar="NAMES",
    shell_complete=_names,
    help="Differentiate by these inputs or named values, x,p or 'fc1.*' (default: all inputs).",
)

mode = click.option(
    "--mode",
    type=click.Choice(["auto", "reverse", "forward"]),
    default="auto",
    help="How derivatives are taken.",
)

memory = stack(
    click.option(
        "--checkpoint",
        is_flag=True,
        help="Keep few values for derivatives and compute the others again: "
        "less memory for more time.",
    ),
    click.option(
        "--stats",
        is_flag=True,
        help="Say on stderr how many nodes ran, what was kept for derivatives, "
        "and how many bytes were alive at once.",
    ),
)

out = click.option("-o", "--out", type=FILE, metavar="FILE", help="Write to FILE; '-' is stdout.")

results = click.option(
    "-o",
    "--out",
    type=FILE,
    metavar="FILE",
    help="Write to FILE: .txt, .json, .npy, .npz or a folder/; with --data .csv, .tsv, .jsonl, "
    ".parquet, .arrow, .feather, .npy, .npz or .csv.gz; '-' is stdout.",
)

quiet = stack(
    click.option("-q", "--quiet", is_flag=True, help="Do not print warnings and notes."),
    click.option("--strict", is_flag=True, help="Exit with 1 where there was a warning."),
)

json = click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line.")

digits = click.option(
    "--digits",
    type=click.IntRange(min=1, max=17),
    metavar="N",
    help="Round the numbers in text to N significant digits.",
)

lines = click.option(
    "--lines", is_flag=True, help="Take each line of the input for a formula of its own."
)

style = stack(
    click.option(
        "--direction",
        type=click.Choice(["right", "up", "down"]),
        default="right",
        help="Where the graph runs to.",
    ),
    click.option(
        "--theme",
        type=click.Choice(["light", "dark"]),
        default="light",
        help="The colours, for light paper or dark.",
    ),
    click.option(
        "--dpi",
        type=click.IntRange(min=10, max=1200),
        default=144,
        metavar="N",
        help="Dots per inch of a PNG (144).",
    ),
)


optimize = click.option(
    "--optimize", is_flag=True, help="Optimize the graph first; see cgraph optimize."
)

flat = click.option("--flat", is_flag=True, help="Give no names to parts of a long formula.")


def format_(only_pictures: bool, otherwise: str = "dot") -> Decorator:
    """Return the option for a format, which help lists; without one there is `otherwise`."""
    from ..exporters.registry import EXPORTERS

    *others, last = [it.name for it in EXPORTERS.values() if it.picture or not only_pictures]
    names = f"{', '.join(others)} or {last}"
    return click.option(
        "--format",
        "format_",
        metavar="FORMAT",
        shell_complete=partial(_formats, only_pictures),
        help=f"Write {names} (default: what the ending of -o says, else {otherwise}).",
    )


def _formats(
    only_pictures: bool, ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str]:
    from ..exporters.registry import EXPORTERS

    offered = [it.name for it in EXPORTERS.values() if it.picture or not only_pictures]
    return [name for name in offered if name.startswith(incomplete)]
