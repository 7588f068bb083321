"""What the packages below would report about their users is off, unless a user has turned it on.

Each reads its variable once, while it loads; so this is the first thing that `import longsum` does,
in a program, a notebook, and every process that works for either.
"""

import os

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
