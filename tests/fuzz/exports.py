# pyright: basic
"""The exported C and JavaScript of many formulas, each in one process, and rows of a table."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from cgraph.autodiff.errors import CgraphError
from cgraph.cli.main import cli

from ..exporters.running import Answer, Run, run_c, run_javascript
from .checks import Look, exported
from .terms import Floats

TOOLS = {"c": "gcc", "javascript": "node"}
LACKING = ("polygamma",)
"""What C and JavaScript have no function for, and say so."""


def compare_exports(looks: Sequence[Look], folder: Path) -> None:
    """Run what is exported of formulas of numbers, and compare it with their values."""
    for target, tool in TOOLS.items():
        if shutil.which(tool) is None:
            continue
        runs: list[Run] = []
        meant: list[Look] = []
        for look in looks:
            if not (of_numbers(look) and uses_all(look)):
                continue
            source = source_of(look, target, f"f{len(runs)}")
            if source is not None:
                runs.append(Run(f"f{len(runs)}", source, look.given, list(look.given)))
                meant.append(look)
        answers = run_c(runs, folder) if target == "c" else run_javascript(runs, folder)
        for look, answer in zip(meant, answers, strict=True):
            look.check = target
            compared(look, target, answer)


def of_numbers(look: Look) -> bool:
    """Tell whether inputs and value are numbers."""
    values = (*look.given.values(), look.value)
    return bool(look.given) and all(np.ndim(value) == 0 for value in values)


def uses_all(look: Look) -> bool:
    """Tell whether a formula's value needs all of its inputs: functions take no others."""
    graph = look.declared.graph
    return set(graph.inputs(graph.outputs)) >= set(look.given)


def source_of(look: Look, target: str, name: str) -> str | None:
    """Return a formula as code; where it has none that is a finding or the target's own."""
    look.check = target
    try:
        return exported(look.declared.graph, target, name, look.given)
    except CgraphError as error:
        lacks = re.search(r"has no (\w+)", str(error))
        if "is for numbers" in str(error):
            look.count(f"{target}: has no arrays")
        elif lacks and lacks[1] in LACKING:
            look.count(f"{target}: has no {lacks[1]}")
        else:
            look.found(f"{target}: refused", str(error).split("\n")[0], "no error")
    except Exception as error:
        look.found(f"{target}: exception", f"{type(error).__name__}: {error}", "none")
    return None


def compared(look: Look, target: str, answer: Answer) -> None:
    """Compare an answer with the formula's value and gradient."""
    look.same(f"{target}: value", answer.value, look.value)
    look.same(f"{target}: gradient", answer.gradient, look.gradient)


def compare_rows(looks: Sequence[Look], folder: Path) -> None:
    """Answer for the rows of a table, and compare each with what the formula is there."""
    path = folder / "rows.jsonl"
    for look in looks:
        if not look.given or not all(np.isfinite(v).all() for v in look.given.values()):
            continue
        look.check = "rows"
        row = json.dumps({name: np.asarray(v).tolist() for name, v in look.given.items()})
        path.write_text(f"{row}\n{row}\n")
        shapes = {name: ", ".join(map(str, np.shape(v))) for name, v in look.given.items()}
        heads = [f"input {n}: ({s}{',' * (s.isdigit())})" for n, s in shapes.items()]
        words = ["grad", "; ".join([*heads, look.case.text]), "--data", str(path), "--json", "-q"]
        done = CliRunner().invoke(cli, words)
        if done.exit_code:
            look.found("rows: refused", done.stderr.split("\n")[0], "no error")
            continue
        for line in done.stdout.splitlines():
            value, *slopes = map(numbers, json.loads(line).values())
            look.same("rows: value", value, look.value)
            found = dict(zip(look.given, slopes, strict=True))
            look.same("rows: gradient", found, look.gradient)


def numbers(value: object) -> Floats:
    """Return numbers as JSON has them; a name says what is not finite."""
    return np.asarray(value, dtype=np.float64)
