"""Where a command line starts: `cgraph`, or `python -m cgraph`."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit."""
    gc.disable()  # a command lives briefly and makes millions of small things, none of them garbage
    try:
        run = loaded()
        run()
    except KeyboardInterrupt:  # before it can be heard, or after: while it runs the run sees to it
        sys.exit(INTERRUPTED)


def loaded() -> Callable[[], object]:
    """Return the command line.

    An interrupt meanwhile ends the process at once: raised inside of an import it may come out as
    something else, and nothing is there yet to be tidied.
    """
    import signal

    def leave(number: int, frame: object) -> None:
        os._exit(INTERRUPTED)

    before = signal.getsignal(signal.SIGINT)
    heard = before is signal.default_int_handler and on_main_thread()
    if heard:
        signal.signal(signal.SIGINT, leave)
    try:
        from .cli.main import cli
    finally:
        if heard:
            signal.signal(signal.SIGINT, before)
    return cli


def on_main_thread() -> bool:
    """Tell whether this thread may say what becomes of signals."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


if __name__ == "__main__":
    main()
