"""Files of every format that is read, cut off and with wrong bytes: an error says so, or a value.

Never a traceback, nor a report of a bug. Places and bytes are drawn, the same in each run.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cgraph.cli.table.arrow import arrow

from .conftest import Run

pa = arrow()
ROWS = 30
CSV = "x,y,s\n" + "".join(f'{k / 7},{k},"q{k}"\n' for k in range(ROWS))
JSON_LINES = "".join(
    json.dumps({"x": k / 7, "y": [k, 1], "s": f"é{k}"}) + "\n" for k in range(ROWS)
)
GRAPH: dict[str, Any] = {
    "node": [
        {"name": "x", "op": "Placeholder", "attr": {"shape": {"shape": {}}}},
        {"name": "c", "op": "Const", "attr": {"value": {"tensor": {"doubleVal": [2.0]}}}},
        {"name": "mul", "op": "Mul", "input": ["x", "c"]},
    ]
}


def saved(write: Callable[[BytesIO], object]) -> bytes:
    file = BytesIO()
    write(file)
    return file.getvalue()


def table() -> object:
    texts = pa.array([f"s{k % 3}" for k in range(ROWS)])
    lists = [[float(k), 1.0] for k in range(ROWS)]
    x = np.arange(ROWS) / 7
    return pa.table({"x": x, "y": lists, "s": texts, "d": texts.dictionary_encode()})


def batches(file: BytesIO, kind: str) -> None:
    whole = table()
    with getattr(arrow("ipc"), kind)(file, whole.schema) as writer:  # type: ignore[attr-defined]
        writer.write_table(whole, max_chunksize=10)


def formats() -> Iterator[tuple[str, bytes]]:
    """Yield a file of each format, by its name."""
    x = np.arange(ROWS) / 7
    yield "a.csv", CSV.encode()
    yield "a.jsonl", JSON_LINES.encode()
    yield "a.npy", saved(lambda file: np.save(file, x))
    yield "a.npz", saved(lambda file: np.savez(file, x=x, y=x))
    yield "packed.npz", saved(lambda file: np.savez_compressed(file, x=x, y=x))
    write = arrow("parquet").write_table
    for codec in ("snappy", "gzip"):
        file = BytesIO()
        write(table(), file, compression=codec)
        yield f"{codec}.parquet", file.getvalue()
    yield "a.arrow", saved(lambda file: batches(file, "new_file"))
    yield "stream.arrow", saved(lambda file: batches(file, "new_stream"))
    yield "a.csv.gz", gzip.compress(CSV.encode())
    yield "a.csv.bz2", bz2.compress(CSV.encode())
    yield "a.csv.xz", lzma.compress(CSV.encode())
    yield "a.csv.zst", pa.compress(CSV.encode(), codec="zstd", asbytes=True)
    yield "values.json", json.dumps({"x": [1, 2.5], "y": "NaN", "z": {"k": [True]}}).encode()
    yield "values.txt", b"x = 1 + pi # c\ny = [1, 2]\n"
    yield (
        "program.cg",
        b"f(a) = a^2\ninput x = 2\ny = f(x) + 1\nif x > 1 { z = y } else { z = 0 }\n",
    )
    yield "graph.json", json.dumps(GRAPH).encode()


FORMATS = dict(formats())


def spoilt(content: bytes, draw: Random) -> bytes:
    """Return a file cut off, or with some bytes changed, left out or put in."""
    kind, at = draw.randrange(4), draw.randrange(len(content))
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :]
    if kind == 2:
        return content[:at] + content[at + draw.randrange(1, 9) :]
    return content[:at] + draw.choice([b"\0", b"\xff", b'"', b"{", b"\r"]) + content[at:]


def calls(name: str) -> Iterator[list[str]]:
    """Yield the ways in which a file is read."""
    if name.startswith("values"):
        yield ["eval", "x", "--bindings", name]
    elif name in ("program.cg", "graph.json"):
        yield ["eval", "-f", name, "--set", "x=1"]
    else:
        yield ["eval", "x", "--data", name, "--keep", "*"]
    if name.endswith((".npz", ".csv", "values.json")):
        yield ["eval", "x", "--x", f"@{name}:x"]
    elif name.endswith(".npy"):
        yield ["eval", "x", "--x", f"@{name}"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_spoilt_file_is_read_or_told(run: Run, name: str) -> None:
    draw = Random(name)
    for _ in range(12):
        Path(name).write_bytes(spoilt(FORMATS[name], draw))
        for words in calls(name):
            done = run(*words)
            assert done.exit_code in (0, 1, 2)
            assert "bug in cgraph" not in done.stderr
            assert done.exit_code == 0 or "error: " in done.stderr


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_whole_is_read(run: Run, name: str) -> None:
    Path(name).write_bytes(FORMATS[name])
    for words in calls(name):
        assert run(*words).exit_code == 0
