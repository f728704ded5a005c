"""What a user reads where shapes do not go together: which op, what it needs, where it stands."""

from __future__ import annotations

import pytest

from .conftest import Run

ARANGE = "arange needs finite numbers and a step that is not 0 (arange(start, stop=None, step=1.0))"
LARGE = "is too large (an array has at most 100,000,000 entries)"


@pytest.mark.parametrize(
    ("formula", "place", "told"),
    [
        ("zeros(-1)", "1:1", "zeros: shape is a size or a list of sizes from 0 on, not [-1]"),
        ("1 + eye(-1)", "1:5", "eye: size is a whole number from 0 on, not -1"),
        ("broadcast_to(1, shape=[2, -4])", "1:17",
         "broadcast_to: shape is a size or a list of sizes from 0 on, not [2, -4]"),
        ("reshape(1, [-2])", "1:1",
         "reshape: shape is a size or a list of sizes from -1 on, not [-2]"),
        ("one_hot(1, -1)", "1:1", "one_hot: classes is a whole number from 0 on, not -1"),
        ("linspace(0, 1, -2)", "1:1",
         "linspace: count is a whole number from 0 to 10,000,000, not -2"),
        ("linspace(0, 1, 1e12)", "1:1",
         "linspace: count is a whole number from 0 to 10,000,000, not 1000000000000"),
        ("dropout(1, p=2)", "1:12", "dropout: p is a number from 0 to 1, not 2"),
        ("dropout(1, nan)", "1:1", "dropout: p is a number from 0 to 1, not nan"),
        ("dropped([1], serial=-1)", "1:14", "dropped: serial is a whole number from 0 on, not -1"),
        ("arange(1, 5, 0)", "1:1", ARANGE),
        ("arange(inf)", "1:1", ARANGE),
        ("arange(0, nan)", "1:1", ARANGE),
        ("arange(1e12)", "1:1",
         "arange gives at most 10,000,000 numbers (arange(start, stop=None, step=1.0))"),
        ("arange(-1e308, 1e308)", "1:1",
         "arange gives at most 10,000,000 numbers (arange(start, stop=None, step=1.0))"),
        ("sum(zeros(1000000, 1000000))", "1:5", f"an array of shape (1000000, 1000000) {LARGE}"),
        ("zeros(0, 1e15)", "1:1", f"an array of shape (0, 1000000000000000) {LARGE}"),
        ("len(zeros(1e9))", "1:5", f"an array of shape (1000000000,) {LARGE}"),
        ("eye(1e6)", "1:1", f"an array of shape (1000000, 1000000) {LARGE}"),
        ("one_hot(3, 1e9)", "1:1", f"an array of shape (1000000000,) {LARGE}"),
        ("zeros(100000, 1) + zeros(1, 100000)", "1:18",
         f"an array of shape (100000, 100000) {LARGE}"),
        ("x = zeros(1e8); concat(x, x)", "1:17", f"an array of shape (200000000,) {LARGE}"),
        (f"len(zeros({', '.join('1' * 33)}))", "1:5",
         f"an array of shape {(1,) * 33} is too large (an array has at most 32 dimensions)"),
        (f"zeros(1){'[None]' * 32}", "1:195",
         f"an array of shape {(1,) * 33} is too large (an array has at most 32 dimensions)"),
        (f"{'[' * 33}zeros(1)[0]{']' * 33}", "1:1", "an array has at most 32 dimensions"),
    ],
)  # fmt: skip
def test_sizes_and_ranges(run: Run, formula: str, place: str, told: str) -> None:
    done = run("eval", formula)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"<formula>:{place}: error: {told}"


def test_values_that_are_drawn_have_a_size(run: Run) -> None:
    done = run("eval", "x", "--x", "randn(1e6, 1e6)")
    told = "randn: an array has at most 100,000,000 entries (randn(10, 2))"
    assert (done.exit_code, done.stderr.splitlines()[0]) == (2, f"--x:1:1: error: {told}")


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("zeros(0)", "[]"),
        ("arange(0)", "[]"),
        ("arange(5, 1, -2)", "[5, 3]"),
        ("arange(1, 0)", "[]"),
        ("linspace(0, 1, 0)", "[]"),
        ("sum(zeros(1e8))", "0"),
        ("sum(zeros(3, 0))", "0"),
    ],
)
def test_the_ends_of_ranges(run: Run, formula: str, value: str) -> None:
    assert run("eval", formula).stdout == f"{value}\n"


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
