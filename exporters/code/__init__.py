"""Code for other languages: a walk that all share, and a description of each target."""
