"""The computational graph, the op table, the derivatives as graph, the evaluators."""
