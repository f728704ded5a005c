"""Random numbers that a value is made of: `randn(10, 2)`, `uniform(-1, 1, [10, 2])`.

A formula has none of these, as it has the same value each time; its inputs may be given them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .limits import excess

if TYPE_CHECKING:
    from numpy.random import Generator

    from .evaluate import Value
    from .graph import Nested, Shape


class Draw(NamedTuple):
    """A call that draws: how it is written, and (generator, arguments) -> the numbers.

    The function raises `ValueError` for arguments that it does not take.
    """

    usage: str
    draw: Callable[[Generator, Sequence[Nested]], Any]


def drawn(name: str, generator: Generator, args: Sequence[Nested]) -> Value:
    """Return the numbers that a call draws. Raises `ValueError` for arguments that do not fit."""
    found: Any = DRAWS[name].draw(generator, args)
    return found if getattr(found, "ndim", 0) else float(found)


def generator_of(seed: int, name: str) -> Generator:
    """Return where the random numbers of a named value come from, whatever else is drawn."""
    from numpy.random import default_rng

    return default_rng([seed, *name.encode()])


def shape_of(args: Sequence[Nested]) -> Shape:
    """Return the shape that sizes say, `10, 2` or `[10, 2]`; none is that of a number.

    Raises `ValueError` where they are no sizes, or too large.
    """
    sizes = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    shape = tuple([whole(size, 1, "a size is a whole number from 1 on") for size in sizes])
    limit = excess(shape)
    if limit:
        raise ValueError(limit)
    return shape


def whole(value: Nested, least: float, told: str) -> int:
    """Return a whole number. Raises `ValueError` with what was told for all else."""
    if isinstance(value, tuple):
        raise ValueError(f"{told}, not an array")
    if value % 1.0 or value < least or value == float("inf"):
        raise ValueError(f"{told}, not {value:g}")
    return int(value)


def number(value: Nested) -> float:
    """Return a number. Raises `ValueError` for an array."""
    if isinstance(value, tuple):
        raise ValueError("a number was expected, not an array")
    return value


def first(args: Sequence[Nested], least: int, most: int) -> tuple[list[Nested], Shape]:
    """Return the arguments before the shape, and the shape: the last one, where there is one more.

    Raises `ValueError` where there are too few or too many.
    """
    shaped = len(args) == most + 1 or (len(args) > least and isinstance(args[-1], tuple))
    before, shape = (args[:-1], shape_of(args[-1:])) if shaped else (args, ())
    if not least <= len(before) <= most:
        wanted = f"{least}" if least == most else f"{least} or {most}"
        raise ValueError(f"it takes {wanted} numbers and a shape")
    return list(before), shape


def randn(generator: Generator, args: Sequence[Nested]) -> Any:
    """Return numbers of the standard normal distribution."""
    return generator.normal(size=shape_of(args))


def rand(generator: Generator, args: Sequence[Nested]) -> Any:
    """Return numbers from 0 up to 1."""
    return generator.random(shape_of(args))


def normal(generator: Generator, args: Sequence[Nested]) -> Any:
    """Return numbers of the normal distribution with a mean and a deviation."""
    (mean, deviation), shape = first(args, 2, 2)
    if number(deviation) < 0.0:
        raise ValueError(f"a deviation is not below 0, as {number(deviation):g} is")
    return generator.normal(number(mean), number(deviation), shape)


def uniform(generator: Generator, args: Sequence[Nested]) -> Any:
    """Return numbers between two, or between 0 and 1 where only sizes are given."""
    if len(args) < 2 or not isinstance(args[-1], tuple):
        return rand(generator, args)
    (low, high), shape = first(args, 2, 2)
    return number(low) + (number(high) - number(low)) * generator.random(shape)


def randint(generator: Generator, args: Sequence[Nested]) -> Any:
    """Return whole numbers from one number up to another, which is left out; from 0 without it."""
    ends, shape = first(args, 1, 2)
    low, high = [whole(end, -(2.0**53), "an end is a whole number") for end in [0.0, *ends][-2:]]
    if low >= high:
        raise ValueError(f"no whole number is from {low} up to {high}, which is left out")
    return generator.integers(low, high, shape).astype(float)


DRAWS = {
    "randn": Draw("randn(10, 2)", randn),
    "rand": Draw("rand(10, 2)", rand),
    "normal": Draw("normal(mean, deviation, [10, 2])", normal),
    "uniform": Draw("uniform(10, 2) or uniform(low, high, [10, 2])", uniform),
    "randint": Draw("randint(low, high, [256]) or randint(high, [256])", randint),
}
"""What draws random numbers, by name."""
