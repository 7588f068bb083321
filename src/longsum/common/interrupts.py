"""Ctrl-C while the program still loads."""

import os
import signal
import sys

INTERRUPTED = 130
"""The exit status of a program that was interrupted."""


def end_at_once() -> None:
    """Let Ctrl-C end the program without a traceback, while there is nothing to clean up.

    It changes nothing unless this process runs `longsum` or `python -m longsum`; the program has a
    way of its own once it is loaded (`cli/app.py`).
    """
    # While `python -m longsum` imports the package, its arguments are not in `sys.argv`.
    if os.path.basename(sys.argv[0]) in ("longsum", "longsum.exe") or (  # noqa: PTH119
        sys.argv[0] == "-m" and "longsum" in sys.orig_argv
    ):
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
