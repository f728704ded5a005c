"""What a user reads where shapes do not go together: which op, what it needs, where it stands."""

from __future__ import annotations

import pytest

from .conftest import Run


@pytest.mark.parametrize(
    ("formula", "shapes", "place", "told"),
    [
        ("A @ B", "A=2,3 B=4,5", "1:3", "matmul needs inner sizes to agree: (2, 3) @ (4, 5)"),
        ("A @ B", "A= B=2", "1:3", "matmul needs arrays, not numbers: () @ (2,)"),
        ("dot(A, B)", "A=3 B=2", "1:1", "matmul needs inner sizes to agree: (3,) @ (2,)"),
        ("A + B", "A=2,3 B=4,5", "1:3", "+ needs shapes that broadcast: (2, 3), (4, 5)"),
        ("A^B", "A=3 B=2", "1:2", "^ needs shapes that broadcast: (3,), (2,)"),
        ("max(A, B)", "A=3 B=2", "1:1", "max needs shapes that broadcast: (3,), (2,)"),
        ("where(A, B, 1)", "A=3 B=2", "1:1", "where needs shapes that broadcast: (3,), (2,), ()"),
        ("A[5]", "A=3", "1:2", "index [5] is not within shape (3,)"),
        ("A[0, 1]", "A=3", "1:2", "index [0, 1] is not within shape (3,)"),
        ("sum(A, axis=2)", "A=2,3", "1:1",
         "sum needs axes that its argument has, each once: (2, 3), axis 2"),
        ("reshape(A, [4, 2])", "A=2,3", "1:1",
         "reshape needs a shape of 6 elements: (2, 3) to (4, 2)"),
        ("reshape(A, [4, -1])", "A=2,3", "1:1",
         "reshape needs a shape of 6 elements: (2, 3) to (4, -1)"),
        ("transpose(A, [0, 2])", "A=2,3", "1:1",
         "transpose needs each axis once: (2, 3), axes (0, 2)"),
        ("concat(A, B)", "A=2,3 B=2,4", "1:1",
         "concat needs arrays that agree but along axis 0: (2, 3), (2, 4)"),
        ("[A, B]", "A=2 B=3", "1:1", "[] needs entries of one shape: (2,), (3,)"),
        ("det(A)", "A=2,3", "1:1", "det needs a square matrix: (2, 3)"),
        ("solve(A, B)", "A=3,3 B=2", "1:1",
         "solve needs a square matrix and a right side of its size: (3, 3), (2,)"),
        ('einsum("ij,jk->ik", A, B)', "A=2,3 B=4,5", "1:1",
         "einsum needs a letter for each axis, and one size for each letter:"
         " (2, 3), (4, 5), equation ij,jk->ik"),
        ("cross_entropy(A, B)", "A=4,3 B=5", "1:1",
         "cross_entropy: pick needs labels, one for each row, or weights, one for each element:"
         " (4, 3), (5,)"),
        ("mse(A, B)", "A=4,3 B=5", "1:1", "mse: - needs shapes that broadcast: (4, 3), (5,)"),
        ("linear(A, B, 0)", "A=10,2 B=2,4", "1:1",
         "linear: matmul needs inner sizes to agree: (10, 2) @ (4, 2)"),
        ("len(A)", "A=", "1:1", "len needs an array: ()"),
        ("f(a, b) = a @ b; f(A, B)", "A=3 B=2", "1:13",
         "matmul needs inner sizes to agree: (3,) @ (2,)"),
        ("relu(\n  A @ W +\n  b)", "A=3,2 W=2,4 b=3", "2:9",
         "+ needs shapes that broadcast: (3, 4), (3,)"),
    ],
)  # fmt: skip
def test_a_misfit(run: Run, formula: str, shapes: str, place: str, told: str) -> None:
    words = [word for shape in shapes.split() for word in ("--shape", shape)]
    done = run("parse", formula, *words)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"<formula>:{place}: error: {told}"
    values = [
        word
        for name, sizes in (shape.split("=") for shape in shapes.split())
        for word in (f"--{name}", f"zeros({sizes})" if sizes else "0")
    ]
    assert run("eval", formula, *values).stderr == done.stderr
