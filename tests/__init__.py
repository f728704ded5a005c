"""The tests, a tree that mirrors the source tree."""
