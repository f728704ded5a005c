"""`cgraph functions`: the function reference, made from the op table."""

from __future__ import annotations

import click

from ..autodiff.errors import CgraphError
from ..autodiff.ops import FUNCTIONS
from . import options
from .command import Command
from .forms import json_line
from .names import closest
from .reference import entry, facts, search

EXAMPLES = """
cgraph functions
cgraph functions atan2
cgraph functions logarithm --json
"""


@click.command("functions", cls=Command, examples=EXAMPLES)
@click.argument("terms", nargs=-1, metavar="[TERM]...")
@options.json
@options.out
def command(terms: tuple[str, ...], as_json: bool) -> str:
    """Print what each function means, its derivative, domain and conventions.

    With TERMs, print the function of that name, or those whose names or meanings have them all.
    """
    found = search(terms)
    if not found:
        near = closest(terms[0], FUNCTIONS)
        hint = f"did you mean {near}?" if near else None
        raise CgraphError(f"no function has '{' '.join(terms)}' in its name or meaning", hint=hint)
    return "".join(map(json_line, map(facts, found))) if as_json else "\n".join(map(entry, found))
