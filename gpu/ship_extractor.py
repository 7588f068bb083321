"""Puts a trained extractor into the package, at a byte a weight.

Run: PYTHONPATH=src python gpu/ship_extractor.py FOLDER

FOLDER is what `longsum train stepwise-small -o FOLDER` wrote. The model card beside the weights
(README.md) is written by hand: change it too.
"""

import shutil
import sys
from pathlib import Path

from longsum.models.extractive import load_extractor, save_extractor

SHIPPED = Path(__file__).parent.parent / "src" / "longsum" / "weights" / "extractor"
# Under the 16 MiB that a tracked file may have.
LIMIT = 15 * 2**20


def main() -> None:
    """Copy the model and its tokenizer."""
    folder = Path(sys.argv[1])
    save_extractor(load_extractor(folder), SHIPPED, compact=True, limit=LIMIT)
    shutil.copyfile(folder / "tokenizer.json", SHIPPED / "tokenizer.json")
    total = sum(path.stat().st_size for path in SHIPPED.iterdir())
    print(f"{SHIPPED}: {total / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
