"""Explanations: the passes of differentiation told as a teacher would."""
