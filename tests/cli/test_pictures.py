"""`cgraph render`, `cgraph export` and `cgraph parse`: graphs as pictures and files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import Run

AT = ("--x", "1", "--y", "3", "--z", "-3")


def test_the_third_command_of_the_readme(run: Run) -> None:
    done = run("render", "(x+y)*z", *AT, "--grad", "-o", "graph.png")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert Path("graph.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_file_dot_goes_to_stdout(run: Run) -> None:
    plain = run("render", "(x+y)*z")
    assert plain.stdout.startswith("digraph cgraph {\n")
    assert run("render", "(x+y)*z", "-o", "-").stdout == plain.stdout
    assert run("render", "(x+y)*z", "--format", "dot").stdout == plain.stdout
    assert run("export", "(x+y)*z").stdout == plain.stdout
    assert run("render", "(x+y)*z", "-o", "g.dot").stdout == ""
    assert Path("g.dot").read_text() == plain.stdout


def test_binary_to_a_pipe(run: Run) -> None:
    done = run("render", "x", "--format", "png", "-o", "-")
    assert done.stdout_bytes.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--x=2", "--y=5"], ["gradient"]),
        (["--x=2", "--y=5", "--grad"], ["value", "gradient"]),
        (["--backward"], ["d/dx", "d/dy", "made by differentiation"]),
        (["--edges", "partial"], ["on edges: local derivatives"]),
        (["--edges", "shape", "--x=[1, 2]", "--y=3"], ["on edges: shapes", "(2,)", "scalar"]),
        (["--direction", "down"], ["rankdir=TB"]),
    ],
)
def test_what_is_shown(run: Run, words: list[str], shown: list[str]) -> None:
    done = run("render", "sin(x)*y", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    if words == ["--x=2", "--y=5"]:
        assert all(text not in done.stdout for text in shown)
    else:
        assert all(text in done.stdout for text in shown)


def test_some_values_determine_some_nodes(run: Run) -> None:
    dot = run("render", "(x+y)*z", "--x", "1.25", "--y", "3.25").stdout
    assert "4.5" in dot


def test_gradients_of_arrays_are_drawn(run: Run) -> None:
    for words in (["--grad"], ["--backward"], ["--edges", "partial"]):
        assert run("render", "x*y", "--x", "[1, 2]", "--y", "3", *words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (["x*y", "--grad", "--x", "1"], 2, "no value for y: add --y VALUE"),
        (["x", "--format", "json"], 2,
         "graphdef is no picture (cgraph export writes graphdef)"),
        (["x", "--format", "tensorboard"], 2,
         "tensorboard is no picture (cgraph export writes tensorboard)"),
        (["x", "-o", "no/a.svg"], 1, "cannot write no/a.svg: No such file or directory"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn(run: Run, words: list[str], code: int, stderr: str) -> None:
    done = run("render", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", f"error: {stderr}\n")


@pytest.mark.parametrize("words", [["-o", "graph"], ["-o", "graph.txt"], ["--format", "gif"]])
def test_formats_that_there_are_not(run: Run, words: list[str]) -> None:
    done = run("render", "x", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert " known: " in done.stderr or "(known: " in done.stderr


# -- files -----------------------------------------------------------------------------------------


def test_a_graph_with_its_derivatives(run: Run) -> None:
    assert run("export", "(x+y)*z", "--grad", "-o", "g.json").exit_code == 0
    assert run("eval", "-f", "g.json", *AT).stdout == "-12\n-3\n-3\n4\n"


@pytest.mark.parametrize(
    ("name", "start"), [("graphdef", '{"node": ['), ("pbtxt", "node {\n"), ("cg", "(x + y)*z")]
)
def test_formats_by_name(run: Run, name: str, start: str) -> None:
    done = run("export", "(x+y)*z", "--format", name)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(start)


def test_shapes_are_exported_where_values_give_them(run: Run) -> None:
    plain = run("export", "x*y", "--format", "json").stdout
    assert "_output_shapes" not in plain
    known = run("export", "x*y", "--format", "json", "--x", "[1, 2]", "--y", "1").stdout
    assert known.count("_output_shapes") == 3


def test_events_for_tensorboard(run: Run) -> None:
    pytest.importorskip("tensorboard")
    done = run("export", "(x+y)*z", "--format", "tensorboard", "-o", "runs/demo")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    (name,) = os.listdir("runs/demo")
    assert "tfevents" in name
    for words in ([], ["-o", ""], ["-o", "-"]):
        done = run("export", "(x+y)*z", "--format", "tensorboard", *words)
        assert done.stderr == (
            "error: --format tensorboard writes a directory (name it with -o DIRECTORY)\n"
        )
    assert os.listdir() == ["runs"]


def test_parse_prints_json_whatever_is_said(run: Run) -> None:
    text = run("parse", "(x+y)*z").stdout
    assert [node["op"] for node in json.loads(text)["node"]] == [
        "Placeholder", "Placeholder", "AddV2", "Placeholder", "Mul",
    ]  # fmt: skip
    assert run("parse", "(x+y)*z", "--json").stdout == text


def test_parse_takes_no_values(run: Run) -> None:
    done = run("parse", "(x+y)*z", "--x", "1")
    assert done.exit_code == 2
    assert done.stderr == (
        "error: parse takes no values without --dynamic"
        " (give --x 1 to the command that reads the graph)\n"
    )
    done = run("parse", "(x+y)*z", "--set", "x=1")
    assert "(give --set x=1 to the command" in done.stderr
    done = run("parse", "(x+y)*z", "--bindings", "b.json")
    assert "(give --bindings b.json to the command" in done.stderr


def test_parse_of_a_named_value(run: Run) -> None:
    graph = run("parse", "p = x + y; p*z", "--output", "p").stdout
    assert run("eval", "--x", "1", "--y", "3", stdin=graph).stdout == "4\n"
