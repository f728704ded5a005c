"""Numbers that have names: in formulas, and in JSON where it has no number for them."""

from __future__ import annotations

import math

FIXED = {"inf": math.inf, "nan": math.nan}
"""Constants that no program may call something else."""

FREE = {"pi": math.pi, "e": math.e, "tau": math.tau}
"""Constants unless a program says otherwise: their names may be given to inputs and values."""

CONSTANTS = FREE | FIXED

IN_JSON = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""The numbers that JSON can only hold as texts, by the names that protobuf's mapping gives them."""

JSON_NAMES = {repr(value): name for name, value in IN_JSON.items()}
