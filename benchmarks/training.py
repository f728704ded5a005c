"""A training step of a network beside PyTorch's, in one process, each on two threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from cgraph import compile

from .apart import THREADS
from .peers import imported, is_installed
from .report import Row, interleaved

TARGET = 1.0
ROUNDS = 40
STEPS = 5
"""So many steps in turn, so that neither finds the other's threads still spinning."""

SIZES = (784, 256, 128, 10)
BATCH = 256
LOSS = """
h1 = relu(X @ W1 + b1)
h2 = relu(h1 @ W2 + b2)
cross_entropy(h2 @ W3 + b3, labels)
"""
WHAT = "-".join(map(str, SIZES)) + f" network, batch of {BATCH}: loss and all gradients"


def rows() -> Iterator[Row]:
    """Yield the time of a step over that of PyTorch's, unless that is not installed."""
    if not is_installed("torch"):
        yield Row(WHAT, "skipped: torch is not installed", f"{TARGET:.0f}", True)
        return
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), str(THREADS))
    done = subprocess.run(
        [sys.executable, "-m", "cgraph.benchmarks.training"],
        env=environment | threads,
        check=True,
        capture_output=True,
    )
    ours, theirs = json.loads(done.stdout)
    found = f"{ours / theirs:.2f} ({1e3 * ours:.1f} ms / {1e3 * theirs:.1f} ms)"
    yield Row(f"{WHAT} / PyTorch", found, f"{TARGET:.0f}", ours <= TARGET * theirs)


def parameters() -> dict[str, Any]:
    """Return the network's parameters, drawn."""
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {}
    for k, (before, after) in enumerate(pairwise(SIZES), start=1):
        found[f"W{k}"] = rng.normal(size=(before, after)) / np.sqrt(before)
        found[f"b{k}"] = rng.normal(size=after)
    return found


def data() -> dict[str, Any]:
    """Return a batch, drawn."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, SIZES[-1], size=BATCH).astype(float)
    return {"X": rng.normal(size=(BATCH, SIZES[0])), "labels": labels}


def ours() -> Callable[[], tuple[float, dict[str, Any]]]:
    """Return cgraph's step."""
    weights = parameters()
    program = compile(LOSS, grad=True, wrt=list(weights))
    return partial(program, **weights, **data())


def theirs() -> Callable[[], tuple[float, dict[str, Any]]]:
    """Return PyTorch's step."""
    torch: Any = imported("torch")
    torch.set_num_threads(THREADS)
    weights = {
        name: torch.tensor(value, requires_grad=True) for name, value in parameters().items()
    }
    batch = {name: torch.tensor(value) for name, value in data().items()}
    labels = batch["labels"].long()

    def step() -> tuple[float, dict[str, Any]]:
        for weight in weights.values():
            weight.grad = None
        h1 = torch.relu(batch["X"] @ weights["W1"] + weights["b1"])
        h2 = torch.relu(h1 @ weights["W2"] + weights["b2"])
        loss = torch.nn.functional.cross_entropy(h2 @ weights["W3"] + weights["b3"], labels)
        loss.backward()
        return loss.item(), {name: weight.grad for name, weight in weights.items()}

    return step


def main() -> None:
    """Print the seconds of our step and of theirs, after both have found the same."""
    steps = {"ours": ours(), "theirs": theirs()}
    (loss, gradient), (their_loss, their_gradient) = (step() for step in steps.values())
    assert np.isclose(loss, their_loss, rtol=1e-12)
    for name, value in gradient.items():
        assert np.allclose(value, their_gradient[name].numpy(), rtol=1e-9, atol=1e-12), name
    times = interleaved({name: partial(several, step) for name, step in steps.items()}, ROUNDS)
    print(json.dumps([times["ours"] / STEPS, times["theirs"] / STEPS]))


def several(step: Callable[[], object]) -> None:
    """Take some steps."""
    for _ in range(STEPS):
        step()


if __name__ == "__main__":
    main()
