"""Which files are tables, and how they are told apart."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from ..conftest import Run


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("no.csv", "cannot read no.csv: No such file or directory"),
        (".", "cannot read .: Is a directory"),
        (
            "rows.xlsx",
            "cannot read rows.xlsx: a table is one of .csv .tsv .jsonl .ndjson .json .parquet "
            ".arrow .feather .npy .npz",
        ),
    ],
)
def test_paths_that_are_not_read(run: Run, path: str, told: str) -> None:
    done = run("eval", "x", "--data", path)
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")


def test_no_files_are_left_open(run: Run) -> None:
    Path("rows.csv").write_text("x\n1\n")
    run("eval", "x", "--data", "rows.csv")  # what is loaded may keep files of its own
    before = len(os.listdir("/dev/fd"))
    for words in (("x",), ("y",), ("x", "--keep", "z"), ("x", "--delimiter", "xx")):
        run("eval", *words, "--data", "rows.csv")
    assert len(os.listdir("/dev/fd")) == before


def test_a_pipe_by_name(run: Run) -> None:
    os.mkfifo("pipe")
    writer = Thread(target=Path("pipe").write_text, args=("x\n1\n2\n",))
    writer.start()
    assert run("eval", "2x", "--data", "pipe").output == "value\n2\n4\n"
    writer.join()


@pytest.mark.parametrize("ending", ["parquet", "arrow", "npz"])
def test_stdin_may_be_a_file_and_is_none_called_minus(ending: str) -> None:
    """`< FILE` gives what the file has, whatever is called `-` in the folder."""
    command = [sys.executable, "-m", "cgraph", "eval", "x", "--data", "-"]
    for name, rows in (("rows", "x\n1\n2\n"), ("other", "x\n8\n9\n")):
        words = [*command, "--keep", "x", "-o", f"{name}.{ending}"]
        subprocess.run(words, input=rows.encode(), check=True)
    os.rename(f"other.{ending}", "-")
    with open(f"rows.{ending}", "rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, check=True)
    assert done.stdout == b"value\n1\n2\n"
