"""What would pass in silence: nothing to differentiate, a value that is lost, a slip in a name."""

from __future__ import annotations

import pytest

from .conftest import Run

NOTHING = "error: nothing to differentiate by: there is no input"
ANY = "(what is neither assigned nor a constant is an input, as x in x^2 + 1)"


@pytest.mark.parametrize(
    "words",
    [
        ("grad",),
        ("grad", "--shapes"),
        ("diff",),
        ("diff", "--steps"),
        ("jac",),
        ("jac", "--sparse"),
        ("hess",),
        ("hvp", "--vector", "1"),
        ("jvp", "--vector", "1"),
        ("vjp", "--vector", "1"),
        ("taylor",),
        ("check",),
        ("render", "--grad"),
        ("export", "--format", "c", "--grad"),
        ("optimize", "--grad"),
    ],
)
def test_nothing_to_differentiate(run: Run, words: tuple[str, ...]) -> None:
    command, *options = words
    done = run(command, "2 + pi", *options)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"{NOTHING} {ANY}\n")


def test_what_is_assigned_can_be_declared(run: Run) -> None:
    done = run("grad", "x = 2; y = 3; (x+y)*4")
    remedy = "input x = 2; input y = 3"
    told = f"{NOTHING} (to vary what is assigned, declare it: {remedy})\n"
    assert (done.exit_code, done.stderr) == (1, told)
    assert run("grad", f"{remedy}; (x+y)*4").stdout == "d/dx = 4\nd/dy = 4\n"


def test_without_derivatives_no_input_is_needed(run: Run) -> None:
    assert run("eval", "2 + 3").stdout == "5\n"
    for command in ("render", "explain", "inspect", "parse"):
        assert run(command, "2 + 3").exit_code == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("p = x*2; q = x*2; p; q", ["p", "q"]),
        ("p = x*2; q = x*2; q; p", ["q", "p"]),
        ("p = x*2; q = x*2; q; p; q", ["q", "p", "q"]),
    ],
)
@pytest.mark.parametrize("pipe", [False, True])
def test_outputs_that_are_one_node(run: Run, text: str, names: list[str], pipe: bool) -> None:
    told = "".join(f"# {name}\nd{name}/dx = 2\n" for name in names)
    words = () if pipe else (text,)
    graph = run("parse", text).stdout if pipe else ""
    assert run("grad", *words, "--x", "1", stdin=graph).stdout == told
    objects = "".join(f'{{"output": "{name}", "value": 2.0}}\n' for name in names)
    assert run("eval", *words, "--x", "1", "--json", stdin=graph).stdout == objects


def test_the_last_of_two_names(run: Run) -> None:
    assert run("grad", "u = x*2; v = x*2", "--x", "1").stdout == "dv/dx = 2\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("u = x*y; v = x + y", "u is assigned and neither used nor asked for (--output u,v)"),
        ("u = x*y; w = u + 1; v = x + y",
         "w is assigned and neither used nor asked for (--output w,v)"),
        ("a = x; b = y^2; v = x + y",
         "b is assigned and neither used nor asked for (--output b,v)"),
        ("; ".join(f"a{k} = x*{k}" for k in range(2, 10)),
         "a2, a3, a4, a5, a6 and 2 more are assigned and neither used nor asked for "
         "(--output a2,a3,a4,a5,a6,a9)"),
        ("u = x*y; v = x + y; v", ""),
        ("u = x*y; x + y", ""),
        ("k = 2; f(t) = k*t; v = x + y", ""),
        ("u = x*y; v = u + y", ""),
    ],
)  # fmt: skip
def test_what_is_neither_used_nor_asked_for(run: Run, text: str, told: str) -> None:
    done = run("eval", text, "--x", "1", "--y", "2")
    assert done.exit_code == 0
    assert (f"note: {told}\n" if told else "") == "".join(
        line for line in done.stderr.splitlines(keepends=True) if line.startswith("note")
    )


def test_what_is_asked_for_is_not_noted(run: Run) -> None:
    done = run("eval", "u = x*y; v = x + y", "--x", "1", "--y", "2", "--output", "u,v")
    assert (done.stdout, done.stderr) == ("u = 2\nv = 3\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "d(C, S)",
        "d(2C + 1, S)*S",
        "grad(C, [S])",
        "hessian(C, [S])",
        "jacobian([C], [S])",
        "g(S) = d(C, S); g(S)*S",
        "g(m, S) = d(m, S); g(2C, S)*S",
        "h(S) = grad(C, [S]); g(S) = h(S); g(S)*S",
    ],
)
@pytest.mark.parametrize("pipe", [False, True])
def test_a_derivative_of_what_is_nothing_needs_it(run: Run, text: str, pipe: bool) -> None:
    graph = run("parse", text).stdout if pipe else ""
    words = ["eval", *([] if pipe else [text]), "--S", "1"]
    done = run(*words, stdin=graph)
    assert (done.exit_code, done.stdout) == (2, "")
    # A graph has no input that nothing needs.
    unknown = "; unknown --S" if pipe and "*S" not in text else ""
    assert done.stderr == f"error: no value for C: add --C VALUE{unknown}\n"
    assert run(*words, "--C", "2", stdin=graph).exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "d(3S, S)",
        "C = 3S; d(C, S)",
        "g(m) = d(m*S, S); g(3)",
        "g(m, S) = d(m, S); g(S, S)",
        "d(S*C + C, S)*0 + d(2, S)",
    ],
)
def test_an_input_that_a_derivative_loses_is_not_needed(run: Run, text: str) -> None:
    assert run("diff", text, "--wrt", "S").exit_code in (0, 1)
    done = run("eval", text, "--S", "1")
    assert "no value for S" not in done.stderr
    assert (done.exit_code == 0) == ("S*C" not in text)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["input alpha = 1; alpha*x", "--alpah", "3"], "unknown --alpah; did you mean --alpha?"),
        (["alpha*x", "--alpha", "3", "--alpah", "3"], "unknown --alpah; did you mean --alpha?"),
        (["x", "--set", "nuls=3"], "unknown --set nuls; did you mean --nulls?"),
        (["x", "--nuls", "skip"], "unknown --nuls; did you mean --nulls?"),
        (["x", "--digts", "3"], "unknown --digts; did you mean --digits?"),
        (["x", "--no-legend", "3"], "unknown --no-legend (the name of an input has no dash in it)"),
        (["x", "--no-legend"], "unknown --no-legend"),
        (["x", "--where", "R > 1"],
         "unknown --where, and 'R > 1' is no value (an input of that name would take one)"),
        (["x", "--q", "@none.npy"],
         "unknown --q, and '@none.npy' is no value (an input of that name would take one)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["eval", "grad", "check", "render"])
def test_an_option_that_does_not_exist(run: Run, command: str, words: list[str], told: str) -> None:
    formula, *options = words
    done = run(command, formula, "--x", "2", *options)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {told}\n")


def test_diff_knows_slips_too(run: Run) -> None:
    done = run("diff", "alpha^2", "--alpah", "3")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error: unknown --alpah; did you mean --alpha?\n"


def test_a_slip_beside_many_formulas(run: Run) -> None:
    done = run("eval", "--lines", "--alpha", "1", "--alpah", "2", stdin="alpha\n2alpha\n")
    assert (done.exit_code, done.stdout) == (2, "1\n2\n")
    assert done.stderr == "error: unknown --alpah; did you mean --alpha?\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x", "--q", "3"], "--q is not used"),
        (["p = x + 1; p^2", "--p", "3"], "--p is not used: the formula computes p"),
        (["alpha1 = x; alpha1", "--beta", "[1, 2]"], "--beta is not used"),
    ],
)
def test_any_other_name_only_warns(run: Run, words: list[str], told: str) -> None:
    done = run("eval", *words, "--x", "2")
    assert (done.exit_code, done.stderr) == (0, f"warning: {told}\n")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["sin(x)", "--order", "3"], "x - 0.16666666666666666*x^3\n"),
        (["sin(a*x)", "--a", "2", "--order", "2"], "2*x\n"),
    ],
)
def test_taylor_expands_around_0(run: Run, words: list[str], stdout: str) -> None:
    done = run("taylor", *words)
    assert (done.stdout, done.exit_code) == (stdout, 0)
    assert done.stderr == "note: around x = 0 (--at x=VALUE: elsewhere)\n"
    assert run("taylor", "x^2", "--x", "2", "--order", "1").stdout == "4 + 4*(x - 2)\n"
