"""Puts a trained planner or extractor of relations into the package, with one byte per weight.

Run: PYTHONPATH=src python gpu/ship_tables.py NAME FOLDER [BASE …]

NAME is table-stepwise, table-ranker or relations. FOLDER is what `longsum train` of
informed-hibert-planner, hibert-planner or relation-extractor-small wrote, and each BASE a run that
it continued. In the model card beside the weights (README.md) the part on documents is rewritten
from the runs' records; the rest is maintained by hand: update it too. Models trained on documents
that may not ship are refused.
"""

import argparse
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import yaml

from longsum.common.files import make_folder, write_text
from longsum.models.networks.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.networks.weights import save_compact
from longsum.models.networks.words.word_model_files import load_word_model
from longsum.models.training.card import (
    BEGIN,
    CARD,
    END,
    RECORD,
    describe_documents,
    replace_section,
)
from longsum.models.training.documents import UsedData, load_used, save_used
from longsum.models.training.training_run import SAVED
from longsum.tables.relations import LongsumRelations

SHIPPED = Path(__file__).parent.parent / "src" / "longsum" / "weights"


def main() -> None:
    """Copy the model, its tokenizer or vocabulary, and the record of its documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("table-stepwise", "table-ranker", "relations"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("base", type=Path, nargs="*")
    options = parser.parse_args()
    learned = joined(
        part
        for folder in (*options.base, options.folder)
        for part in load_used(folder / RECORD)
        if part.split == "train" or folder == options.folder
    )
    closed = [
        part.name for part in learned if part.split == "train" and part.shippable < part.documents
    ]
    if closed:
        parser.error(f"Documents of {', '.join(closed)} may not ship; set data.shippable=true.")
    shipped = SHIPPED / options.name
    make_folder(shipped)
    if options.name != "relations":
        save_extractor(load_extractor(options.folder), shipped, compact=True)
        write_text(shipped / SAVED, how_tables_are_read(options.folder / SAVED))
        copied = ("tokenizer.json",)
    else:
        model, vocabulary = load_word_model(options.folder, LongsumRelations)
        save_compact(model.state_dict(), shipped)
        vocabulary.save(shipped)
        copied = ("config.json",)
    for name in copied:
        shutil.copyfile(options.folder / name, shipped / name)
    save_used(learned, shipped / RECORD)
    write_card(shipped / CARD, options.name, learned)
    total = sum(path.stat().st_size for path in shipped.iterdir())
    print(f"{shipped}: {total / 2**20:.2f} MiB")


def how_tables_are_read(saved: Path) -> str:
    """Return the settings of a run without those of its machine."""
    run = yaml.safe_load(saved.read_text(encoding="utf-8"))
    return yaml.safe_dump({"recipe": run["recipe"], "settings": {"task": run["settings"]["task"]}})


def joined(parts: Iterable[UsedData]) -> list[UsedData]:
    """Join the records of one data set for one purpose, such as several folds."""
    found: dict[tuple[str, str], UsedData] = {}
    for part in parts:
        key = part.split, part.name
        before = found.get(key, UsedData(part.name, part.split, 0, 0, 0))
        found[key] = UsedData(
            part.name,
            part.split,
            before.documents + part.documents,
            before.lessons + part.lessons,
            before.shippable + part.shippable,
            dict(Counter(before.licenses) + Counter(part.licenses)),
        )
    return list(found.values())


def write_card(path: Path, name: str, learned: list[UsedData]) -> None:
    """Write the part of a card on the training data; the rest stays."""
    empty = f"# {name}\n\n{BEGIN}\n{END}\n"
    card = path.read_text(encoding="utf-8") if path.exists() else empty
    splits = {
        part.split: [each for each in learned if each.split == part.split] for part in learned
    }
    write_text(path, replace_section(card, describe_documents(splits)))


if __name__ == "__main__":
    main()
