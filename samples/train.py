"""Train samples/simplenet.cg: 100 epochs of gradient descent at a rate of 0.01."""

from pathlib import Path

import numpy as np

import cgraph

PARAMETERS = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]

network = cgraph.parse(Path("samples/simplenet.cg").read_text())
step = cgraph.compile(network, grad=True, wrt=PARAMETERS)  # built once, run every epoch
weights = {name: np.array(network.graph.defaults[name]) for name in PARAMETERS}

for epoch in range(1, 101):
    loss, gradient = step(**weights)
    for name in PARAMETERS:
        weights[name] -= 0.01 * gradient[name]
    if epoch % 20 == 0:
        print(f"epoch {epoch}: loss {loss:.4f}")

np.savez("trained.npz", **weights)
