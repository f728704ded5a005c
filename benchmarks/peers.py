"""Who else finds value and gradient row by row: a small adapter each, cgraph's among them.

An adapter makes a formula ready for columns and returns the call to be timed, which returns value
and derivatives as the library has them. Peers are imported when they are made ready.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from cgraph import compile as made

from .apart import THREADS
from .formulas import BYTES_A_ROW, FUNCTIONS, INPUTS, OUTPUTS, Columns, Formula, statements

Call = Callable[[], Sequence[Any]]


class Peer(NamedTuple):
    """A way to find value and gradient: what it is called, what it needs, how it is made ready.

    Its outputs are fresh at each call, or written over.
    """

    name: str
    package: str
    ready: Callable[[Formula, Columns], Call]
    fresh: bool = True

    @property
    def installed(self) -> bool:
        """Whether its package is there."""
        return is_installed(self.package)


def is_installed(package: str) -> bool:
    """Tell whether a package is there."""
    return find_spec(package) is not None


def imported(name: str) -> Any:
    """Return a module that may not be installed."""
    return import_module(name)


def cgraph(formula: Formula, columns: Columns) -> Call:
    """Return cgraph's call, with fresh outputs."""
    program = made(formula.text, grad=True, threads=THREADS)
    bindings: dict[str, Any] = dict(zip(INPUTS, columns, strict=True))

    def call() -> Sequence[Any]:
        value, gradient = program(**bindings)
        return value, *(gradient[name] for name in INPUTS)

    return call


def cgraph_again(formula: Formula, columns: Columns) -> Call:
    """Return cgraph's call, with outputs that are there."""
    program = made(formula.text, grad=True, threads=THREADS)
    bindings: dict[str, Any] = dict(zip(INPUTS, columns, strict=True))
    result = program(**bindings)

    def call() -> Sequence[Any]:
        value, gradient = program.run(bindings, result)
        return value, *(gradient[name] for name in INPUTS)

    return call


def by_numpy(formula: Formula, columns: Columns) -> Call:
    """Return the statements run by NumPy on whole arrays."""
    source = "\n".join(
        [f"def run({', '.join(INPUTS)}):"]
        + [f"    {name} = {told}" for name, told in statements(formula.by_hand)]
        + [f"    return {', '.join(OUTPUTS)}"]
    )
    run = defined(source)
    return lambda: run(*columns)


def defined(source: str) -> Any:
    """Return the function `run` that a source defines with NumPy's functions."""
    names: dict[str, Any] = {name: getattr(np, name) for name in FUNCTIONS}
    exec(source, names)
    return names["run"]


def by_numexpr(formula: Formula, columns: Columns) -> Call:
    """Return numexpr's call, a pass for each statement."""
    numexpr: Any = imported("numexpr")
    numexpr.set_num_threads(THREADS)
    given: dict[str, Any] = dict(zip(INPUTS, columns, strict=True))
    steps = statements(formula.by_numexpr)

    def call() -> Sequence[Any]:
        known = dict(given)
        for name, told in steps:
            known[name] = numexpr.evaluate(told, known, {})
        return [known[name] for name in OUTPUTS]

    return call


def kernel(formula: Formula) -> Any:
    """Return the statements as one parallel loop, compiled by Numba."""
    numba: Any = imported("numba")
    numba.set_num_threads(min(THREADS, numba.config.NUMBA_NUM_THREADS))
    source = "\n".join(
        [f"def run({', '.join(f'{name}_' for name in (*INPUTS, *OUTPUTS))}):"]
        + ["    for row in prange(x_.size):"]
        + [f"        {name} = {name}_[row]" for name in INPUTS]
        + [f"        {name} = {told}" for name, told in statements(formula.by_hand)]
        + [f"        {name}_[row] = {name}" for name in OUTPUTS]
    )
    run = defined(source)
    run.__globals__["prange"] = numba.prange
    return numba.njit(parallel=True, error_model="numpy")(run)


def by_numba(formula: Formula, columns: Columns) -> Call:
    """Return the hand-fused kernel's call, with fresh outputs."""
    run = kernel(formula)

    def call() -> Sequence[Any]:
        found = [np.empty_like(columns[0]) for _ in OUTPUTS]
        run(*columns, *found)
        return found

    return call


def by_numba_again(formula: Formula, columns: Columns) -> Call:
    """Return the hand-fused kernel's call, with outputs that are there."""
    run = kernel(formula)
    found = [np.empty_like(columns[0]) for _ in OUTPUTS]

    def call() -> Sequence[Any]:
        run(*columns, *found)
        return found

    return call


def by_jax(formula: Formula, columns: Columns) -> Call:
    """Return JAX's call, compiled."""
    jax: Any = imported("jax")
    jax.config.update("jax_enable_x64", True)
    numpy: Any = imported("jax.numpy")
    arrays = [jax.device_put(column) for column in columns]

    def scalar(*args: Any) -> Any:
        return formula.function(numpy, *args)

    run = jax.jit(jax.vmap(jax.value_and_grad(scalar, argnums=(0, 1, 2))))

    def call() -> Sequence[Any]:
        value, gradient = jax.block_until_ready(run(*arrays))
        return value, *gradient

    return call


def by_torch(formula: Formula, columns: Columns) -> Call:
    """Return PyTorch's call, eager."""
    torch: Any = imported("torch")
    torch.set_num_threads(THREADS)
    tensors = [torch.from_numpy(column).requires_grad_() for column in columns]
    ones = torch.ones_like(tensors[0])

    def call() -> Sequence[Any]:
        value = formula.function(torch, *tensors)
        return value.detach(), *torch.autograd.grad(value, tensors, ones)

    return call


def by_torch_compiled(formula: Formula, columns: Columns) -> Call:
    """Return PyTorch's call, compiled: it needs a C++ compiler."""
    torch: Any = imported("torch")
    torch.set_num_threads(THREADS)
    tensors = [torch.from_numpy(column) for column in columns]

    def scalar(*args: Any) -> Any:
        return formula.function(torch, *args)

    rowwise = torch.func.vmap(torch.func.grad_and_value(scalar, argnums=(0, 1, 2)))
    run = torch.compile(rowwise, dynamic=False)

    def call() -> Sequence[Any]:
        gradient, value = run(*tensors)
        return value, *gradient

    return call


def by_autograd(formula: Formula, columns: Columns) -> Call:
    """Return autograd's call."""
    numpy: Any = imported("autograd.numpy")
    make_vjp: Any = imported("autograd").make_vjp
    ones = np.ones_like(columns[0])

    def whole(args: Columns) -> Any:
        return formula.function(numpy, *args)

    def call() -> Sequence[Any]:
        pull, value = make_vjp(whole)(columns)
        return value, *pull(ones)

    return call


OURS = Peer("cgraph", "cgraph", cgraph)
OURS_AGAIN = Peer("cgraph, outputs reused", "cgraph", cgraph_again, fresh=False)
LIMIT = Peer("Numba by hand", "numba", by_numba)
LIMIT_AGAIN = Peer("Numba by hand, outputs reused", "numba", by_numba_again, fresh=False)
TRUTH = Peer("NumPy by hand", "numpy", by_numpy)

PEERS = (
    OURS,
    OURS_AGAIN,
    LIMIT,
    LIMIT_AGAIN,
    TRUTH,
    Peer("numexpr by hand", "numexpr", by_numexpr),
    Peer("JAX jit", "jax", by_jax),
    Peer("PyTorch", "torch", by_torch),
    Peer("PyTorch compiled", "torch", by_torch_compiled),
    Peer("autograd", "autograd", by_autograd),
)
"""All of them, cgraph first, then the limit."""


def made_ready(formula: Formula, columns: Columns) -> Iterator[tuple[Peer, Call | str]]:
    """Yield the call of each peer after it has found what is right, or why there is none."""
    right = TRUTH.ready(formula, columns)()
    for peer in PEERS:
        if not peer.installed:
            yield peer, f"{peer.package} is not installed"
            continue
        try:
            call = peer.ready(formula, columns)
            found = call()
        except Exception as error:
            if peer.package == "cgraph":
                raise
            yield peer, f"did not run here ({type(error).__name__})"
            continue
        check(peer.name, found, right)
        yield peer, call


def check(name: str, found: Sequence[Any], right: Sequence[Any]) -> None:
    """Assert that value and derivatives are right."""
    for what, ours, true in zip(OUTPUTS, found, right, strict=True):
        assert np.allclose(np.asarray(ours), true, rtol=1e-9, atol=1e-9), f"{what} of {name}"


def copying(rows: int) -> Callable[[], None]:
    """Return a copy that reads and writes as many bytes as value and gradient of rows do."""
    count = rows * BYTES_A_ROW // 16
    source, target = np.ones(count), np.zeros(count)
    parts = [slice(k * count // THREADS, (k + 1) * count // THREADS) for k in range(THREADS)]
    pool = ThreadPoolExecutor(THREADS)

    def copy(part: slice) -> None:
        np.copyto(target[part], source[part])

    return lambda: list(pool.map(copy, parts)).clear()
