# `make demo` sets up an environment and runs the main job; `make check` sets up and runs all checks.
PYTHON ?= python3
BIN := .venv/bin
# What the checks install; with `torch` among them the tests against PyTorch run, without it they skip.
EXTRAS ?= dev,tensorboard

.PHONY: demo check test lint types layers tables samples docs bench clean

demo: .venv/ready
	$(BIN)/cgraph eval "(x+y)*z" --x 1 --y 3 --z -3
	$(BIN)/cgraph grad "(x+y)*z" --x 1 --y 3 --z -3
	$(BIN)/cgraph render "(x+y)*z" --x 1 --y 3 --z -3 --grad -o graph.png
	@echo "The picture is graph.png; the command is $(BIN)/cgraph."

check: lint types layers test

test: .venv/ready-dev
	$(BIN)/pytest -n 2 -rs --cov --cov-report=term:skip-covered --cov-fail-under=95

lint: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/ready-dev
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

layers: .venv/ready-dev
	$(BIN)/lint-imports

# What is made from something else and committed: the parser's tables, the outputs beside the samples,
# the help texts in docs/.
tables: .venv/ready-dev
	$(BIN)/python -m cgraph.parser.make_tables

samples docs: .venv/ready-dev
	$(BIN)/pytest -q tests/test_samples.py tests/test_docs.py --rewrite

# Measures beside peers, and writes the page of results with its plot.
bench: .venv/ready-bench
	$(BIN)/python -m cgraph.benchmarks --write docs/benchmarks.md

clean:
	rm -rf .venv build *.egg-info .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	$(BIN)/python -m compileall -q *.py autodiff cli exporters parser
	touch $@

.venv/ready-bench: .venv/ready-dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

.venv/ready-dev: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[$(EXTRAS)]"
	touch $@
