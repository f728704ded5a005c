"""Polynomials as formulas, in powers of the distance from a point, with the lowest power first."""

from __future__ import annotations

from collections.abc import Sequence

from .text import number


def polynomial(
    coefficients: Sequence[float], name: str, at: float = 0.0, digits: int | None = None
) -> str:
    """Return sum of coefficients[k]*(name - at)^k as a formula; what is 0 is left out.

    `digits` rounds the coefficients, the point keeps all its digits.
    """
    base = name
    if at != 0.0:
        base = f"({name} {'+' if at < 0.0 else '-'} {number(abs(at))})"
    text = ""
    for k, coefficient in enumerate(coefficients):
        if coefficient == 0.0:
            continue
        term = spelled(number(coefficient, digits).removeprefix("-"), base, k)
        if text:
            text += f" - {term}" if coefficient < 0.0 else f" + {term}"
        else:
            text = f"-{term}" if coefficient < 0.0 else term
    return text or "0"


def spelled(factor: str, base: str, k: int) -> str:
    """Return a term of a polynomial, without a factor or an exponent of 1."""
    if k == 0:
        return factor
    power = base if k == 1 else f"{base}^{k}"
    return power if factor == "1" else f"{factor}*{power}"
