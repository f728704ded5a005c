"""A fuzzer: random formulas, each compared with an independent truth and by all ways.

`python -m cgraph.tests.fuzz --kind scalar --count 1000 --seed 1` draws and compares.
"""
