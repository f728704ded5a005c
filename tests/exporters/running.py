"""Code that was exported, run by its real tool: many functions in one compilation, or one run."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cgraph.autodiff.asked import variables
from cgraph.autodiff.graph import Graph
from cgraph.exporters.code import c, javascript_helpers
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.parser import parse

STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Wdouble-promotion", "-Werror")


class Run(NamedTuple):
    """A function that was exported, called once: its name, arguments, and names of derivatives."""

    name: str
    source: str
    values: Mapping[str, float]
    wrt: Sequence[str]


class Answer(NamedTuple):
    """What a function gave."""

    value: float
    gradient: dict[str, float]


def exported(
    formula: str | Graph,
    target: str,
    name: str = "f",
    *,
    grad: bool = True,
    given: Mapping[str, Any] | None = None,
    real: str = "double",
) -> str:
    """Return a formula as code, with its derivatives by all inputs that are not given."""
    graph = parse(formula) if isinstance(formula, str) else formula
    inputs = variables(graph, None, graph.outputs)
    by = {one: node for one, node in inputs.items() if one not in (given or {})}
    scene, _ = scene_of(graph, graph.outputs, given or {}, Wanted(by, backward=grad))
    written = by_name(target).export(scene, Options(name=name, real=real))
    assert isinstance(written, str)
    return written


def tool(name: str) -> str:
    """Return the path of a program; skip the test where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not on this machine")
    return found


def once(sources: Sequence[str], helpers: Mapping[str, str]) -> str:
    """Return sources as one, each helper once, before those that call it."""
    text = "\n".join(dict.fromkeys(sources))
    for helper in reversed(list(helpers.values())):
        if helper in text:
            text = helper + "\n" + text.replace(helper, "")
    return text


def compiled(source: str, folder: Path, *flags: str) -> Path:
    """Return what gcc makes of a source, which must raise no warning."""
    path, made = folder / "code.c", folder / "code"
    path.write_text(source)
    done = subprocess.run(
        [tool("gcc"), *STRICT, *flags, str(path), "-o", str(made), "-lm"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return made


def run_lines(target: str, source: str, folder: Path) -> list[str]:
    """Return the lines that a program in C or JavaScript prints."""
    if target == "c":
        command = [str(compiled(source, folder, "-std=c99"))]
    else:
        path = folder / "code.mjs"
        path.write_text(source)
        command = [tool("node"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout.splitlines()


def run_c(runs: Sequence[Run], folder: Path, *flags: str, real: str = "double") -> list[Answer]:
    """Return what C functions give, called from one program."""
    helpers = {name: c.typed(source, real) for name, source in c.HELPERS.items()}
    calls: list[str] = []
    for run in runs:
        slots = f"{real} g[{len(run.wrt)}];" if run.wrt else ""
        args = [c.number_of(value, real) for value in run.values.values()] + ["g"] * bool(run.wrt)
        shown = ["v", *(f"g[{k}]" for k in range(len(run.wrt)))]
        calls.append(f"{{ {slots} {real} v = {run.name}({', '.join(args)});")
        calls += [f'printf("%.17g ", (double){one});' for one in shown]
        calls.append('printf("\\n"); }')
    main = "\n".join(["#include <stdio.h>", "int main(void) {", *calls, "return 0; }"])
    source = "#include <math.h>\n" + once([run.source for run in runs], helpers)
    program = compiled(source + main, folder, *flags)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True)
    rows = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    return [answer(run, row) for run, row in zip(runs, rows, strict=True)]


def run_javascript(runs: Sequence[Run], folder: Path) -> list[Answer]:
    """Return what JavaScript functions give, called from one module."""
    calls: list[str] = []
    for run in runs:
        args = ", ".join(script_number(value) for value in run.values.values())
        called = f"{run.name}({args})"
        keys = "".join(f", v.gradient[{json.dumps(name)}]" for name in run.wrt)
        shown = f"[v.value{keys}]" if run.wrt else "[v]"
        calls.append(f"{{ const v = {called}; console.log({shown}.map(String).join(' ')); }}")
    path = folder / "code.mjs"
    source = once([run.source for run in runs], javascript_helpers.HELPERS)
    path.write_text("\n".join([source, *calls]))
    done = subprocess.run(
        [tool("node"), str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    rows = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    return [answer(run, row) for run, row in zip(runs, rows, strict=True)]


def script_number(value: float) -> str:
    """Return a number as JavaScript has it."""
    return repr(value).replace("inf", "Infinity").replace("nan", "NaN")


def answer(run: Run, row: Sequence[float]) -> Answer:
    """Return a row of numbers as an answer."""
    return Answer(row[0], dict(zip(run.wrt, row[1:], strict=True)))


def run_python(run: Run) -> Answer:
    """Return what a Python function gives."""
    scope: dict[str, Any] = {}
    exec(compile(run.source, f"<{run.name}>", "exec"), scope)
    found = scope[run.name](*run.values.values())
    return Answer(*found) if run.wrt else Answer(found, {})


def run_sympy(run: Run) -> Answer:
    """Return what the expressions of a SymPy script are at values of 60 digits.

    As exact fractions some powers of them would be looked for among the roots of huge numbers.
    """
    sympy: Any = import_module("sympy")

    scope: dict[str, Any] = {}
    exec(compile(run.source, f"<{run.name}>", "exec"), scope)
    at = {
        sympy.Symbol(name, real=True): sympy.Float(sympy.Rational(value), 60)
        for name, value in run.values.items()
    }

    def at_values(expression: Any) -> float:
        found: Any = sympy.N(sympy.sympify(expression).subs(at), 20)
        return float(found) if found.is_real else math.nan

    slopes = {name: at_values(scope["gradient"][name]) for name in run.wrt}
    return Answer(at_values(scope[run.name]), slopes)
