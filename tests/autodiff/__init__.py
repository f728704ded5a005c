"""Tests of the graph, the op table, the two modes and the evaluators."""
