"""Names that a language keeps for itself: every one is compiled or run where its tool is there."""

from __future__ import annotations

import builtins
import json
import keyword
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cgraph.autodiff.errors import UsageError
from cgraph.exporters.code import latex
from cgraph.exporters.code.c import header, target_of
from cgraph.exporters.code.javascript import TARGET as JAVASCRIPT
from cgraph.exporters.code.python import TARGET as PYTHON
from cgraph.exporters.code.symbolic import TARGET as SYMPY
from cgraph.exporters.code.walk import function_name
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.exporters.scene import Scene
from cgraph.parser import parse
from cgraph.parser.lexer import RESERVED, is_name

from .running import STRICT, exported, tool

C = target_of("double")
TARGETS = {"c": C, "javascript": JAVASCRIPT, "python": PYTHON, "sympy": SYMPY}

OTHERS: dict[str, tuple[str, ...]] = {
    "c": ("T", "α", "Δx", "fc1.weight", "_", "_x", "__", "complex", "I", "errno", "grad", "out"),
    "javascript": ("T", "α", "fc1.weight", "_", "__proto__", "constructor", "toString", "async",
                   "of", "get", "value", "gradient", "Object", "globalThis", "hasOwnProperty"),
    "python": ("T", "α", "fc1.weight", "_", "match", "type", "case", "self", "__name__", "__doc__",
               "value", *dir(builtins)),
}  # fmt: skip
OTHERS["sympy"] = (*OTHERS["python"], "I", "E", "S", "N", "Q", "oo")


def names(target: str) -> list[str]:
    """Return what the language keeps, and what looks as if it did, as far as formulas have it."""
    held = TARGETS[target]
    some = sorted(held.functions)[::5]  # for parameters they are like any other name
    every = {*held.reserved, *some, *held.helpers, *OTHERS[target]}
    fixed = {"inf", "nan", "pi", "e", "tau", *RESERVED}
    return sorted(name for name in every if is_name(name) and name not in fixed)


def modules(target: str) -> list[str]:
    """Return a function for each name, which it has for its input; each for its other name too."""
    every = names(target)
    return [
        exported(f"{name}^2*x_ + {other}", target, f"f{k}")
        for k, (name, other) in enumerate(zip(every, reversed(every), strict=True))
        if name != other
    ]


def test_every_name_is_compiled_as_c(tmp_path: Path) -> None:
    gcc = tool("gcc")
    text = "\n".join(dict.fromkeys(modules("c"))).replace("#include <math.h>\n", "")
    path = tmp_path / "names.c"
    path.write_text(f"#include <math.h>\n{text}")
    for words in ([], ["-std=gnu2x"]):
        done = subprocess.run(
            [gcc, *STRICT, *words, "-fsyntax-only", str(path)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[:2000]


def test_every_name_is_read_by_cpp(tmp_path: Path) -> None:
    """The header is for C++ too, which may have read <cmath> before."""
    cpp = tool("g++")
    headers: list[str] = []
    for k, name in enumerate(names("c")):
        graph = parse(f"{name}*x_")
        scene = Scene(graph, graph.outputs)
        headers.append(header(scene, Options(name=f"f{k}")))
    path = tmp_path / "names.cpp"
    path.write_text("#include <cmath>\n" + "\n".join(headers))
    for standard in ("gnu++20",):
        done = subprocess.run(
            [cpp, f"-std={standard}", "-Wall", "-Werror", "-fsyntax-only", str(path)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.parametrize("standard", ["c99", "gnu17", "gnu2x"])
def test_what_the_header_of_c_has_is_in_the_list(tmp_path: Path, standard: str) -> None:
    """Macros are for no name; what is declared is for no function."""
    path = tmp_path / "m.c"
    path.write_text("#include <math.h>\n")
    macros, declared = (
        subprocess.run(
            [tool("gcc"), f"-std={standard}", *words, str(path)],
            capture_output=True, text=True, timeout=60, check=True,
        ).stdout
        for words in (["-dM", "-E"], ["-E", "-P"])
    )  # fmt: skip
    found = set(re.findall(r"^#define ([A-Za-z]\w*)", macros, re.M))
    assert found
    assert found <= C.reserved
    functions = set(re.findall(r"\b([a-z]\w*) *\(", re.sub(r"__\w+ *\(+.*?\)+", "", declared)))
    assert {"sin", "fma", "remquo"} <= functions
    assert functions <= C.reserved | C.functions


def test_every_name_is_run_as_javascript(tmp_path: Path) -> None:
    node = tool("node")
    every = names("javascript")
    calls = [f"[{json.dumps(name)}, f{k}(3, 2).gradient]" for k, name in enumerate(every)]
    sources = [exported(f"{name}^2*x_", "javascript", f"f{k}") for k, name in enumerate(every)]
    path = tmp_path / "names.mjs"
    told = f"console.log(JSON.stringify([{', '.join(calls)}]));"
    path.write_text("\n".join([*sources, told]))
    done = subprocess.run(
        [node, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    answers = json.loads(done.stdout)
    assert answers == [[name, {name: 12, "x_": 9}] for name in every]


def test_every_name_is_run_as_python() -> None:
    for name in names("python"):
        scope: dict[str, object] = {}
        source = exported(f"{name}^2*x_", "python")
        exec(compile(source, "<f>", "exec"), scope)
        function = scope["f"]
        assert callable(function)
        assert function(3.0, 2.0) == (18.0, {name: 12.0, "x_": 9.0})


def test_every_name_is_run_by_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    for name in [*names("sympy")[::4], "__debug__", "sp", "gradient", "lambda", "E", "I"]:
        scope: dict[str, object] = {}
        exec(compile(exported(f"{name}^2*x_", "sympy"), "<f>", "exec"), scope)
        at: dict[Any, float] = {sympy.Symbol(name, real=True): 3, sympy.Symbol("x_", real=True): 2}
        gradient: Any = scope["gradient"]
        found = {key: slope.subs(at) for key, slope in gradient.items()}
        assert found == {name: 12, "x_": 9}


@pytest.mark.parametrize("target", TARGETS)
def test_no_function_has_a_name_that_is_kept(target: str) -> None:
    held = TARGETS[target]
    for name in held.reserved | held.functions:
        with pytest.raises(UsageError) as refused:
            function_name(held, name)
        told = f"'{name}' is no name for a function in {held.title}"
        assert refused.value.message == told


@pytest.mark.parametrize(
    "name", ["fma", "remquo", "scalbn", "nextafter", "ilogb", "unix", "M_PI", "FP_NAN", "printf",
             "math_errhandling", "delete", "template", "sinf", "cabs", "abs", "exit"]
)  # fmt: skip
def test_names_that_c_has_are_refused(name: str) -> None:
    assert name in C.reserved | C.functions


def test_python_keeps_what_it_says() -> None:
    assert PYTHON.reserved >= {*keyword.kwlist, "__debug__"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("}\\input{/etc/passwd}", "'}\\input{/etc/passwd}' is no name"),
        ("a\nb", "'a\\nb' is no name"),
        ("$x$", "'$x$' is no name"), ("%", "'%' is no name"), ("a b", "'a b' is no name"),
        ("1", "'1' is no name"),
    ],
)  # fmt: skip
def test_a_name_with_signs_of_tex_is_refused(name: str, told: str) -> None:
    graph = parse("x^2")
    with pytest.raises(UsageError) as refused:
        latex.export(Scene(graph, graph.outputs), Options(name=name))
    assert refused.value.message == f"{told} for a function in LaTeX"


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("_", r"\_"), ("__", r"\_"), ("_1", r"\__{1}"), ("_x", "x"), ("x_1", "x_{1}"), ("T", "T")],
)
def test_a_name_of_marks_alone_is_a_symbol(name: str, symbol: str) -> None:
    assert latex.symbol(name) == symbol
    graph = parse(f"{name}*2")
    assert rf"f &= {symbol} \cdot 2" in latex.export(Scene(graph, graph.outputs), Options())


def test_names_that_look_alike_stay_apart() -> None:
    graph = parse("_*2 + __*3 + _1*4")
    written = latex.export(Scene(graph, graph.outputs), Options())
    symbols = re.findall(r"(\S+) \\cdot", written)
    assert len(set(symbols)) == 3


@pytest.mark.parametrize("name", ["a\nb.h", 'a"b.h', "a\\b.h", "a\rb.h"])
def test_a_header_that_no_include_can_name_is_refused(name: str) -> None:
    graph = parse("x^2")
    with pytest.raises(UsageError, match="no #include can name the header"):
        by_name("c").export(Scene(graph, graph.outputs), Options(header=name))
