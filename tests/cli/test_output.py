"""Where answers go: stdout, files, pipes and devices."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run

EVAL = ("eval", "x^2", "--x", "3")


def test_a_file_is_written_and_nothing_else(run: Run) -> None:
    done = run(*EVAL, "-o", "out.txt")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert Path("out.txt").read_text() == "9\n"
    assert os.listdir() == ["out.txt"]


def test_a_file_that_is_replaced_keeps_its_mode(run: Run) -> None:
    Path("out.txt").write_text("old")
    os.chmod("out.txt", 0o640)
    run(*EVAL, "-o", "out.txt")
    assert Path("out.txt").read_text() == "9\n"
    assert stat.S_IMODE(os.stat("out.txt").st_mode) == 0o640


def test_a_link_is_followed(run: Run) -> None:
    os.mkdir("folder")
    os.symlink("folder/out.txt", "link")
    run(*EVAL, "-o", "link")
    assert os.path.islink("link")
    assert Path("folder/out.txt").read_text() == "9\n"
    assert os.listdir("folder") == ["out.txt"]


@pytest.mark.parametrize("path", ["-", "/dev/stdout"])
def test_stdout_by_name(run: Run, path: str) -> None:
    assert run(*EVAL, "-o", path).stdout == "9\n"


def test_a_device_is_written_as_it_is(run: Run) -> None:
    assert run(*EVAL, "-o", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no/out.txt", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("file/out.txt", "Not a directory"),
        ("/dev/full", "No space left on device"),
    ],
)
def test_a_path_that_cannot_be_written(run: Run, path: str, why: str) -> None:
    Path("file").write_text("kept")
    done = run(*EVAL, "-o", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"error: cannot write {path}: {why}\n"
    assert os.listdir() == ["file"]


@pytest.mark.parametrize("path", ["results/", "file/"])
def test_a_folder_is_no_file(run: Run, path: str) -> None:
    done = run("diff", "x^2", "-o", path)
    assert done.stderr == f"error: cannot write {path}: Is a directory\n"
    assert os.listdir() == []


def test_an_array_file(run: Run) -> None:
    run("eval", "x^2", "--x", "[1, 2]", "-o", "v.npy")
    assert np.load("v.npy").tolist() == [1.0, 4.0]
    done = run("grad", "x*y", "--x", "1", "--y", "2", "-o", "v.npy")
    told = "a .npy holds one array, not 2 (a .npz holds several: -o FILE.npz)"
    assert done.stderr == f"error: {told}\n"


def test_endings_that_promise_too_much(run: Run) -> None:
    done = run(*EVAL, "-o", "out.csv")
    told = "results are not written as .csv (known: .txt .json .npy .npz, and folder/)"
    assert (done.exit_code, done.stderr, os.listdir()) == (2, f"error: {told}\n", [])


def test_no_path(run: Run) -> None:
    assert run(*EVAL, "-o", "").stderr == "error: cannot write '': No such file or directory\n"


def test_an_error_leaves_the_file_alone(run: Run) -> None:
    Path("out.txt").write_text("old")
    assert run("eval", "x^2", "-o", "out.txt").exit_code == 2
    assert Path("out.txt").read_text() == "old"


def test_answers_for_lines_are_written_together(run: Run) -> None:
    done = run("eval", "--lines", "--x", "3", "-o", "out.txt", stdin="x\n(\nx^2\n")
    assert done.exit_code == 1
    assert Path("out.txt").read_text() == "3\n9\n"


@pytest.mark.parametrize("command", ["functions", "completion"])
def test_every_command_writes_to_a_file(run: Run, command: str) -> None:
    words = {"functions": ["exp"], "completion": ["bash"]}[command]
    printed = run(command, *words).stdout
    assert run(command, *words, "-o", "out.txt").stdout == ""
    assert Path("out.txt").read_text() == printed
