"""Tests of the parser: what is read, what is refused and in which words, and the tables."""
