"""What `import longsum` does first: Ctrl-C ends it at once, and no package reports to others.

The packages below read their variables while they load, in a program, a notebook, and every process
that works for either.
"""

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


OFF = {
    # ONNX Runtime sends events to Microsoft, and keeps a device id in the home folder for them.
    "ORT_DISABLE_TELEMETRY": "1",
    # What is fetched from the Hugging Face Hub is asked for without naming versions of packages.
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # Ray counts clusters, their sizes and the libraries on them.
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""The variables that turn reports off, with their values."""


def report_nothing() -> None:
    """Turn reports off, in this process and those that it starts; a variable that is set stays."""
    for name, value in OFF.items():
        os.environ.setdefault(name, value)
