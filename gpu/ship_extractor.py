"""Puts a trained extractor or planner into the package, at a byte a weight.

Run: PYTHONPATH=src python gpu/ship_extractor.py FOLDER [--planner] [--begun FOLDER …]

FOLDER is what `longsum train stepwise-small -o FOLDER` wrote; with `--planner`, what `longsum train
stepwise-hibert-planner` did, and `--begun` are the folders that it went on from. Of the model card
beside the weights (README.md) the part on documents is written anew from the runs' records; the
rest is written by hand: change it too. What learned from documents that may not ship is refused.
`longsum export` then writes the graphs.
"""

import argparse
import shutil
import sys
from pathlib import Path

from longsum.models.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.folders import TRAINING
from longsum.training.card import CARD, RECORD, describe_documents, replace_section
from longsum.training.documents import load_used, save_used

WEIGHTS = Path(__file__).parent.parent / "src" / "longsum" / "weights"
# Under the 16 MiB that a tracked file may have.
LIMIT = 15 * 2**20


def main() -> None:
    """Copy the model, its tokenizer and the record of its documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--planner", action="store_true")
    parser.add_argument("--begun", nargs="*", type=Path, default=[])
    options = parser.parse_args()
    folder, shipped = options.folder, WEIGHTS / ("planner" if options.planner else "extractor")
    taken = [each for run in (*options.begun, folder) for each in load_used(run / RECORD)]
    splits = {each.split: [one for one in taken if one.split == each.split] for each in taken}
    closed = [each.name for each in splits["train"] if each.shippable < each.documents]
    if closed:
        sys.exit(f"Documents of {', '.join(closed)} may not ship; train with data.shippable=true.")
    save_extractor(load_extractor(folder), shipped, compact=True, limit=LIMIT)
    shutil.copyfile(folder / "tokenizer.json", shipped / "tokenizer.json")
    if options.planner:
        # It says how tables are read.
        shutil.copyfile(folder / TRAINING, shipped / TRAINING)
    save_used(taken, shipped / RECORD)
    card = (shipped / CARD).read_text(encoding="utf-8")
    (shipped / CARD).write_text(replace_section(card, describe_documents(splits)), encoding="utf-8")
    total = sum(path.stat().st_size for path in shipped.iterdir())
    print(f"{shipped}: {total / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
