"""Puts a trained extractor into the package, with one byte per weight.

Run: PYTHONPATH=src python gpu/ship_extractor.py FOLDER

FOLDER is what `longsum train stepwise-small -o FOLDER` wrote. In the model card beside the weights
(README.md) the part on documents is rewritten from the run's record; the rest is maintained by
hand: update it too. Models trained on documents that may not ship are refused.
"""

import shutil
import sys
from pathlib import Path

from longsum.models.networks.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.training.card import CARD, RECORD, describe_documents, replace_section
from longsum.models.training.documents import load_used, save_used

SHIPPED = Path(__file__).parent.parent / "src" / "longsum" / "weights" / "extractor"
# Under the 16 MiB that a tracked file may have.
LIMIT = 15 * 2**20


def main() -> None:
    """Copy the model, its tokenizer and the record of its documents."""
    folder = Path(sys.argv[1])
    taken = load_used(folder / RECORD)
    splits = {each.split: [one for one in taken if one.split == each.split] for each in taken}
    closed = [each.name for each in splits["train"] if each.shippable < each.documents]
    if closed:
        sys.exit(f"Documents of {', '.join(closed)} may not ship; train with data.shippable=true.")
    save_extractor(load_extractor(folder), SHIPPED, compact=True, limit=LIMIT)
    shutil.copyfile(folder / "tokenizer.json", SHIPPED / "tokenizer.json")
    save_used(taken, SHIPPED / RECORD)
    card = (SHIPPED / CARD).read_text(encoding="utf-8")
    (SHIPPED / CARD).write_text(replace_section(card, describe_documents(splits)), encoding="utf-8")
    total = sum(path.stat().st_size for path in SHIPPED.iterdir())
    print(f"{SHIPPED}: {total / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
