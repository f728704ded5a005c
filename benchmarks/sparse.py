"""Sparse Jacobians and Hessians beside CasADi's, and what becomes of a million columns.

CasADi compiles a program that has each entry as an operation of its own; cgraph runs a few passes
of whole arrays. It is asked twice: as Python has it, NumPy's array in and SciPy's matrix out, and
with its own containers on both sides, which is its virtual machine alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from cgraph import Formula, hessian, jacobian, parse
from cgraph.autodiff.sparse import SparseJacobian
from cgraph.autodiff.sparsity import structure

from .peers import imported, is_installed
from .report import Row, interleaved, seconds

GRID = 150
LINKS = 10_000
MANY = 1_000_000
ROUNDS = 15
TARGET = 1.0
ALONE = 3.0
"""Times CasADi's virtual machine: each pass is some twenty array operations, each its own loop."""

BRATU = """
Z = zeros(1, {n}); z = zeros({n}, 1)
along = concat(U[1:], Z, axis=0) + concat(Z, U[:-1], axis=0)
across = concat(U[:, 1:], z, axis=1) + concat(z, U[:, :-1], axis=1)
(along + across - 4*U)*{n}^2 + 6.8*exp(U)
"""
ROSENBROCK = "sum(100*(X[1:] - X[:-1]^2)^2 + (1 - X[:-1])^2)"


class Case(NamedTuple):
    """A matrix: its formula, of one input, where it is asked for, and how CasADi has it."""

    what: str
    text: str
    point: dict[str, np.ndarray]
    find: Callable[[Formula, dict[str, np.ndarray]], Any]
    casadi: Callable[[Any, Any], Any]


def bratu(ca: Any, u: Any) -> Any:
    """Return the Jacobian of Bratu's equations on a grid, in CasADi."""
    n = u.shape[0]
    row, column = ca.DM.zeros(1, n), ca.DM.zeros(n, 1)
    along = ca.vertcat(u[1:, :], row) + ca.vertcat(row, u[:-1, :])
    across = ca.horzcat(u[:, 1:], column) + ca.horzcat(column, u[:, :-1])
    found = (along + across - 4 * u) * n**2 + 6.8 * ca.exp(u)
    return ca.jacobian(ca.vec(found), ca.vec(u))


def rosenbrock(ca: Any, x: Any) -> Any:
    """Return the Hessian of the chained Rosenbrock function, in CasADi."""
    found = ca.sum1(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    return ca.hessian(found, x)[0]


def sparse_jacobian(formula: Formula, point: dict[str, np.ndarray]) -> Any:
    """Return a formula's Jacobian."""
    return jacobian(formula, point, sparse=True)


def sparse_hessian(formula: Formula, point: dict[str, np.ndarray]) -> Any:
    """Return a formula's Hessian."""
    return hessian(formula, point, sparse=True)


def cases(grid: int, links: int) -> list[Case]:
    """Return the matrices of some sizes."""
    draw = np.random.default_rng(1)
    return [
        Case(
            f"Jacobian of Bratu's equations, {grid**2:,} unknowns",
            BRATU.format(n=grid),
            {"U": draw.random((grid, grid))},
            sparse_jacobian,
            bratu,
        ),
        Case(
            f"Hessian of chained Rosenbrock, {links:,} variables",
            ROSENBROCK,
            {"X": draw.random(links)},
            sparse_hessian,
            rosenbrock,
        ),
    ]


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield times of matrices beside CasADi's, where it is installed, and of a very large one."""
    for case in cases(30, 1000) if quick else cases(GRID, LINKS):
        yield from beside(case)
    yield prepared(MANY // 100 if quick else MANY)


def beside(case: Case) -> Iterator[Row]:
    """Yield how long a matrix takes to prepare, and to find again, beside CasADi."""
    formula = parse(case.text, values=case.point)
    first = seconds(lambda: case.find(formula, case.point))
    if not is_installed("casadi"):
        again = interleaved({"cgraph": lambda: case.find(formula, case.point)}, ROUNDS)["cgraph"]
        found = f"{1e3 * again:.2f} ms, prepared in {1e3 * first:.0f} ms"
        yield Row(f"{case.what}: CasADi is not installed", found, "", True)
        return
    ca: Any = imported("casadi")
    (value,) = case.point.values()
    start = perf_counter()
    symbol = ca.SX.sym("x", *value.shape)
    program = ca.Function("f", [symbol], [case.casadi(ca, symbol)])
    built = perf_counter() - start
    own = ca.DM(value)
    times = interleaved(
        {
            "cgraph": lambda: case.find(formula, case.point),
            "in Python": lambda: program(value).sparse(),
            "alone": lambda: program(own),
        },
        ROUNDS,
    )
    yield ratio(f"{case.what}: read off and first found", first, built, TARGET)
    yield ratio(f"{case.what}: found again", times["cgraph"], times["in Python"], TARGET)
    what = f"{case.what}: found again / CasADi without conversions"
    yield ratio(what, times["cgraph"], times["alone"], ALONE)


def ratio(what: str, mine: float, other: float, target: float) -> Row:
    """Return a time beside CasADi's."""
    found = f"{mine / other:.2f} ({1e3 * mine:.2f} ms / {1e3 * other:.2f} ms)"
    return Row(what, found, f"{target:.0f}", mine <= target * other)


def prepared(size: int) -> Row:
    """Return how long structure, colours and passes of a matrix of so many columns take."""
    formula = parse("X[1:] - X[:-1]^2")
    graph, given = formula.graph, {"X": np.ones(size)}
    by = graph.inputs()
    matrix = SparseJacobian(graph, graph.outputs, by, given)
    shapes = matrix.shapes
    reading = seconds(lambda: structure(graph, graph.outputs, list(by.values()), shapes))
    whole = seconds(lambda: SparseJacobian(graph, graph.outputs, by, given))
    matrix.at(given)
    finding = seconds(lambda: matrix.at(given))
    told = f"structure {reading:.2f} s, colours {whole - reading:.2f} s, entries {finding:.2f} s"
    what = f"Jacobian of {size:,} columns, {matrix.colouring.number} colours"
    return Row(what, told, "10 s", whole + finding < 10)
