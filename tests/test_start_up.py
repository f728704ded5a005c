"""What a command imports: the start-up time follows from it. Nothing is timed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cgraph.autodiff.ops.registry import FURTHER

SLOW = ("numpy", "scipy", "lark", "graphviz", "tensorboard", "pathlib", "tempfile", "difflib")

SCRIPT = """
import sys
before = set(sys.modules)
from cgraph.cli.main import cli
sys.argv = ["cgraph", *sys.argv[1:]]
try:
    cli()
except SystemExit:
    pass
sys.stderr.write("\\n" + "\\n".join(set(sys.modules) - before))
"""


def imported(*command: str, stdin: str = "") -> set[str]:
    """Return the modules that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(done.stderr.splitlines())


ARRAYS = {f"cgraph.autodiff.ops.{module}" for module in (*FURTHER, "equations", "subscripts")}
PARTS = {
    f"cgraph.parser.{module}"
    for module in (
        "attributes",
        "blocks",
        "derivatives",
        "functions",
        "kinds",
        "literals",
        "graphdef",
    )
}
"""What reads more than scalars, names and calls."""

BINDINGS = ("--x", "1", "--y", "3", "--z", "-3")
COMMANDS = {
    "eval": ("eval", "(x+y)*z", *BINDINGS),
    "grad": ("grad", "(x+y)*z", *BINDINGS),
    "grad --json": ("grad", "(x+y)*z", *BINDINGS, "--json"),
    "forward": ("grad", "sin(x)*y^z", *BINDINGS, "--mode", "forward"),
    "parse": ("parse", "(x+y)*z"),
    "special functions": ("grad", "erf(x) + gamma(y) + digamma(-z)", *BINDINGS),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_scalars_need_nothing_slow(command: str) -> None:
    modules = imported(*COMMANDS[command])
    assert "cgraph.parser.driver" in modules, "it has run"
    assert modules.isdisjoint(SLOW)


@pytest.mark.parametrize("command", COMMANDS)
def test_scalars_need_no_rows_of_arrays(command: str) -> None:
    modules = imported(*COMMANDS[command])
    assert modules.isdisjoint(ARRAYS | PARTS | {"cgraph.autodiff.draws"})


@pytest.mark.parametrize("text", ["x < 1 < y", "max(x, y, 2)", "x if x < 0 else -x"])
def test_choices_of_scalars_need_no_rows_of_arrays(text: str) -> None:
    assert imported("grad", text, *BINDINGS[:4]).isdisjoint(ARRAYS | PARTS)


@pytest.mark.parametrize("text", ["sum([x, y])", "max([x, y])", "[x, y] @ [1, 2]"])
def test_formulas_of_arrays_have_all_rows(text: str) -> None:
    assert imported("grad", text, *BINDINGS[:4]) >= ARRAYS


@pytest.mark.parametrize("command", ["eval", "grad", "grad --json", "forward"])
def test_numbers_need_no_exporter(command: str) -> None:
    exporters = {
        name for name in imported(*COMMANDS[command]) if name.startswith("cgraph.exporters.")
    }
    assert exporters <= {"cgraph.exporters.text"}


@pytest.mark.parametrize("text", ["(x + ", "sinn(x)", "1/2x"])
def test_an_error_is_explained_without_numbers(text: str) -> None:
    assert imported("eval", text, "--x", "1").isdisjoint({"numpy", "scipy"})


def test_arrays_call_numpy_and_scipy_only_where_needed() -> None:
    modules = imported("grad", "x*y", "--x", "[1, 2]", "--y", "3")
    assert "numpy" in modules
    assert "scipy" not in modules
    assert "scipy" in imported("grad", "erf(x)", "--x", "[1, 2]")


def test_importing_cgraph_imports_nothing_of_it(tmp_path: Path) -> None:
    code = "import sys, cgraph; print(*(n for n in sys.modules if n.startswith('cgraph.')))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == ""


def test_help_reads_no_formula() -> None:
    modules = imported("--help")
    assert not {name for name in modules if name.startswith("cgraph.parser.")}
    assert modules.isdisjoint({"numpy", "scipy", "lark", "graphviz"})
