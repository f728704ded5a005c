"""Names of a language from the names that people gave."""

from __future__ import annotations

import re
import unicodedata

from ..names import legal


def plain(name: str) -> str:
    """Return the nearest name of ASCII letters, digits and `_`: `fc1_weight` for `fc1.weight`."""
    found = re.sub(r"\W", "_", legal(name), flags=re.ASCII)
    return f"_{found}" if found[:1].isdigit() else found


def unicode(name: str) -> str:
    """Return the name itself where Unicode's rule takes it for an identifier, else a plain one."""
    same = unicodedata.normalize("NFKC", name) == name
    return name if same and name.isidentifier() else plain(name)
