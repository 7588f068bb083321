"""Make `checkpoints/small`, the model that the comparisons in this folder start from.

Run: LONGSUM_DATA=… PYTHONPATH=src python gpu/make_small.py [FOLDER] [--toy] [--set K=V …]

Four minutes on an H200. An interrupted run continues from its last checkpoint. `--toy` makes an
untrained one in a minute on a CPU, to try out what starts from it.
"""

import argparse
import subprocess
import sys
from pathlib import Path

SMALL = {"task.source_tokens": "1024", "training.batch": "32"}
TOY = {
    **{"data.names": "scisummnet", "data.limit": "40", "data.validation_limit": "8"},
    **{"training.steps": "4", "training.warmup_steps": "1", "training.batch": "2"},
}


def main() -> None:
    """Train the recipe `small` on sources of 1,024 tokens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("checkpoints/small"))
    parser.add_argument("--toy", action="store_true")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    options = parser.parse_args()
    settings = SMALL | (TOY if options.toy else {})
    settings |= dict(given.split("=", 1) for given in options.settings)
    command = [sys.executable, "-m", "longsum", "train", "small", "-o", str(options.folder)]
    command += [f"{name}={value}" for name, value in settings.items()]
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
