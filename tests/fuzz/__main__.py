"""`python -m cgraph.tests.fuzz --kind array --count 1000 --seed 1`: draw, compare, report."""

from __future__ import annotations

from .run import main

if __name__ == "__main__":
    main()
