"""cgraph: the derivative of any formula. The names below load when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not loaded for it: the command line begins here, and is quick

if TYPE_CHECKING:
    from cgraph.api import (
        Compiled,
        compile,
        diff,
        grad,
        hessian,
        hvp,
        jacobian,
        jvp,
        optimize,
        simplify,
        taylor,
        value_and_grad,
        vjp,
    )
    from cgraph.autodiff.errors import (
        CgraphError,
        DataError,
        FormulaError,
        GraphError,
        MissingExtraError,
        UsageError,
    )
    from cgraph.autodiff.graph import Graph
    from cgraph.formula import Formula, evaluate, parse

__version__ = "0.1.0"

__all__ = [
    "CgraphError",
    "Compiled",
    "DataError",
    "Formula",
    "FormulaError",
    "Graph",
    "GraphError",
    "MissingExtraError",
    "UsageError",
    "compile",
    "diff",
    "evaluate",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "optimize",
    "parse",
    "simplify",
    "taylor",
    "value_and_grad",
    "vjp",
]

_HOMES = {
    "Error": "cgraph.autodiff.errors",
    "Formula": "cgraph.formula",
    "evaluate": "cgraph.formula",
    "Graph": "cgraph.autodiff.graph",
    "parse": "cgraph.formula",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'cgraph' has no attribute {name!r}")
    from importlib import import_module

    home = _HOMES.get("Error" if name.endswith("Error") else name, "cgraph.api")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return [*__all__, "__version__"]
