"""Tables as they are written."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cgraph.autodiff.errors import pip_line

from ..conftest import Run

TABLE = 'id,x,s\n1,1.5,a\n2,-1,"b,c"\n3,,d\n'
WORDS = ("grad", "log(x)", "--data", "rows.csv", "--keep", "id,s", "-q")
CSV = 'id,s,value,d_x\n1,a,0.4054651081081644,0.6666666666666666\n2,"b,c",nan,nan\n3,d,nan,nan\n'


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("rows.csv").write_text(TABLE)


@pytest.mark.parametrize("name", ["out.csv", "out.txt", "out", "OUT.CSV"])
def test_csv(run: Run, name: str) -> None:
    assert run(*WORDS, "-o", name).output == ""
    assert Path(name).read_text() == CSV


@pytest.mark.parametrize(
    ("ending", "unpack"),
    [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress), (".zst", None)],
)
def test_compressed(run: Run, ending: str, unpack: Callable[[bytes], bytes] | None) -> None:
    run(*WORDS, "-o", f"out.csv{ending}")
    if unpack:
        assert unpack(Path(f"out.csv{ending}").read_bytes()).decode() == CSV
    done = run("eval", "d_x", "--data", f"out.csv{ending}", "--keep", "s", "-q")
    assert done.output == 's,value\na,0.6666666666666666\n"b,c",nan\nd,nan\n'
    piped = Path(f"out.csv{ending}").read_bytes()
    assert run("eval", "d_x", "--data", "-", "--keep", "s", "-q", stdin=piped).output == done.output


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "arrow", "npz"])
def test_what_is_written_is_read(run: Run, ending: str) -> None:
    run(*WORDS, "-o", f"out.{ending}")
    done = run("eval", "value + d_x", "--data", f"out.{ending}", "--keep", "id,s", "-q")
    assert done.stderr == ""
    assert done.stdout.splitlines()[:2] == ["id,s,value", "1,a,1.0721317747748311"]


def test_archives_of_columns(run: Run) -> None:
    run(*WORDS, "-o", "out.npz")
    with np.load("out.npz") as found:
        assert found["id"].tolist() == ["1", "2", "3"]
        assert found["s"].tolist() == ["a", "b,c", "d"]
        assert found["d_x"].dtype == np.float64
    done = run(*WORDS, "-o", "out.npy")
    told = "a .npy holds one array, not 4 (a .npz holds several: -o FILE.npz)"
    assert (done.exit_code, done.stderr) == (2, f"error: {told}\n")


def test_rows_of_arrays_in_an_archive(run: Run) -> None:
    words = ("grad", "sum(w*x)", "--w", "[1, 2]", "--wrt", "w", "--data", "rows.csv", "-q")
    run(*words, "-o", "out.npz")
    with np.load("out.npz") as found:
        assert found["d_w"].shape == (3, 2)
    rows = '{"x": [1]}\n{"x": [1, 2]}\n'
    done = run("grad", "sum(x)", "--data", "-", "-o", "out.npz", stdin=rows)
    assert done.stderr == "error: rows of 'd_x' differ in shape: an array has none for them\n"


def test_rows_of_matrices(run: Run) -> None:
    words = ("grad", "sum(w*x)", "--w", "[[1, 2], [3, 4]]", "--wrt", "w", "--data", "rows.csv")
    run(*words, "--nulls", "skip", "-q", "-o", "out.parquet")
    done = run("eval", "sum(d_w)", "--data", "out.parquet")
    assert done.output == "value\n6\n-4\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_stdout_by_name(run: Run, name: str) -> None:
    assert run(*WORDS, "-o", name).stdout == CSV


def test_json_where_no_ending_says_otherwise(run: Run) -> None:
    assert run(*WORDS, "--json", "-o", "out.txt").output == ""
    assert Path("out.txt").read_text().startswith('{"id": "1", "s": "a", "value": 0.405')


def test_pyarrow_that_is_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "pyarrow.csv"):
        monkeypatch.setitem(sys.modules, name, None)
    done = run("eval", "x", "--data", "rows.csv")
    hint = pip_line("pyarrow", "data")
    told = f"--data needs pyarrow, which is not installed ({hint})"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")
