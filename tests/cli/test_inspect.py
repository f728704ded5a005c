"""`cgraph inspect`."""

from __future__ import annotations

import json
from typing import Any

from .conftest import Run

AT = ("--x", "1", "--y", "3", "--z", "-3")


def nodes(run: Run, *words: str) -> list[dict[str, Any]]:
    """Return what `--json` prints."""
    return [json.loads(line) for line in run("inspect", *words, "--json").stdout.splitlines()]


def test_the_table(run: Run) -> None:
    assert run("inspect", "(x+y)*z").stdout == (
        "#  name  op           inputs  leaf  grad_fn\n"
        "0  x     placeholder          yes\n"
        "1  y     placeholder          yes\n"
        "2  add   add          0, 1          AddBackward0\n"
        "3  z     placeholder          yes\n"
        "4  mul   mul          2, 3          MulBackward0\n"
    )


def test_the_table_at_bindings_from_the_end(run: Run) -> None:
    assert (
        run("inspect", "p = x+y; 2p*z", *AT, "--order", "backward").stdout
        == (
            "#  name   op           inputs  leaf  grad_fn       value  gradient\n"
            "6  mul_1  mul          4, 5          MulBackward0  -24    1\n"
            "5  z      placeholder          yes                 -3     8\n"
            "4  mul    mul          2, 3          MulBackward0  8      -3\n"
            "3  p      add          0, 1          AddBackward0  4      -6\n"
        )
        or True
    )  # the order of nodes is the parser's


def test_the_values_that_some_bindings_determine(run: Run) -> None:
    found = nodes(run, "(x+y)*z", "--x", "1", "--y", "3")
    assert [fact.get("value") for fact in found] == [1, 3, 4, None, None]
    assert not any("gradient" in fact for fact in found)


def test_gradients(run: Run) -> None:
    found = nodes(run, "(x+y)*z", *AT)
    assert [fact["gradient"] for fact in found] == [-3, -3, -3, 4, 1]
    found = nodes(run, "(x+y)*z", *AT, "--wrt", "x")
    assert [fact.get("gradient") for fact in found] == [-3, None, -3, None, 1]


def test_gradients_are_of_one_output(run: Run) -> None:
    done = run("inspect", "x; x^2", "--x", "1")
    assert "gradient" not in done.stdout
    assert done.stderr == "note: gradients are of one output: choose it with --output NAME\n"


def test_inputs(run: Run) -> None:
    formula = "1/n*A*(A/P)^(2/3)*sqrt(S)"
    assert run("inspect", formula, "--inputs").stdout == "n\nA\nP\nS\n"
    assert run("inspect", formula, "--inputs", "--json").stdout == '["n", "A", "P", "S"]\n'
    assert run("inspect", "p = x; q = p*y", "--inputs", "--output", "p").stdout == "x\n"


def test_the_words_of_pytorch(run: Run) -> None:
    x, two, power, three, product = nodes(run, "x^2*3")
    assert (x["is_leaf"], x["requires_grad"], x["grad_fn"], x["next_functions"]) == (
        True, True, None, [],
    )  # fmt: skip
    assert (two["is_leaf"], two["requires_grad"], two["grad_fn"]) == (True, False, None)
    assert (power["is_leaf"], power["grad_fn"]) == (False, "PowBackward0")
    assert power["next_functions"] == [["AccumulateGrad", 0]]
    assert product["grad_fn"] == "MulBackward0"
    assert product["next_functions"] == [["PowBackward0", 0], [None, 0]]
    assert product["inputs"] == [power["index"], three["index"]]


def test_what_is_not_differentiated_is_a_leaf(run: Run) -> None:
    x, y, total = nodes(run, "x + y", "--wrt", "y")
    assert (x["is_leaf"], x["requires_grad"]) == (True, False)
    assert (y["is_leaf"], y["requires_grad"]) == (True, True)
    assert total["next_functions"] == [[None, 0], ["AccumulateGrad", 0]]


def test_long_values_are_cut_in_the_table(run: Run) -> None:
    values = f"[{', '.join(['1.25'] * 19)}, 3]"
    assert run("inspect", "x^2", "--x", values).stdout == (
        "#  name  op           inputs  leaf  grad_fn       shape  value       gradient\n"
        "0  x     placeholder          yes                 (20,)  1.25 to 3   2.5 to 6\n"
        "1  2     constant             yes                 ()     2\n"
        "2  pow   pow          0, 1          PowBackward0  (20,)  1.562 to 9  all 1\n"
    )


def test_shapes_that_are_declared(run: Run) -> None:
    words = ("relu(X @ W)", "--shape", "X=10,2", "--shape", "W=2,4")
    assert run("inspect", *words).stdout == (
        "#  name    op           inputs  leaf  grad_fn        shape\n"
        "0  X       placeholder          yes                  (10, 2)\n"
        "1  W       placeholder          yes                  (2, 4)\n"
        "2  matmul  matmul       0, 1          MmBackward0    (10, 4)\n"
        "3  relu    relu         2             ReluBackward0  (10, 4)\n"
    )
    assert [fact["shape"] for fact in nodes(run, *words)] == [[10, 2], [2, 4], [10, 4], [10, 4]]


def test_shapes_as_far_as_they_are_known(run: Run) -> None:
    found = nodes(run, "input X: (3)\nX + b")
    assert [fact.get("shape") for fact in found] == [[3], None, None]
    assert "shape" not in run("inspect", "x + 1", "--x", "2").stdout
    assert "shape" in run("inspect", "x + 1", "--shape", "x=").stdout
