"""Where a command line starts: `cgraph`, or `python -m cgraph`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line of this process and exit."""
    gc.disable()  # a command lives briefly and makes millions of small things, none of them garbage
    try:
        from .cli.main import cli

        cli()
    except KeyboardInterrupt:  # during the imports: once it runs, the command line sees to it
        sys.exit(130)


if __name__ == "__main__":
    main()
