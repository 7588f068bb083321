"""Draws the sentences that are annotated in `unfit_sentences.tsv`.

Run: LONGSUM_DATA=… python benchmarks/unfit_draw.py FOLDER TSV

FOLDER has the files that `unseen_files.py` fetches. From each of eleven genres four documents are
drawn, two for each half; from each document eight sentences at random, and six more of those that
some rule refuses. Documents of a data set are among its first `POOL` that may be redistributed. The
columns are those of `unfit_sentences.tsv` without the annotation.
"""

import csv
import random
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from longsum.documents import Document
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.fitness.signposts import is_question
from longsum.documents.model import MATERIAL, Sentence
from longsum.documents.readers import read
from longsum.evaluation.datasets import load

SEED, POOL, DOCUMENTS, AT_RANDOM, REFUSED = 20261123, 60, 4, 8, 6
COLUMNS = ("half", "genre", "document", "start", "weight", "text")
# Data sets, and their splits other than `train`; folders of files, or single files.
GENRES: dict[str, tuple[str, ...]] = {
    "article": ("pmc_jats", "scisummnet"),
    "guide": ("manual/048", "manual/051", "manual/052", "manual/053"),
    "reference": ("manual/054", "manual/055", "manual/056", "manual/057"),
    "proposal": ("python_peps", "rust_rfcs"),
    "textbook": ("openstax_sections validation",),
    "report": ("gov_reports_examples examples",),
    "law": ("law", "court"),
    "essay": ("essay", "speech"),
    "meeting": ("qmsum", "minutes", "talk"),
    "leaflet": ("leaflet", "patent"),
    "story": ("squality", "novel"),
}


def main() -> None:
    """Write the table."""
    folder, target = map(Path, sys.argv[1:])
    with target.open("w", encoding="utf-8", newline="") as lines:
        table = csv.writer(lines, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE,
                           quotechar=None)  # fmt: skip
        table.writerow(COLUMNS)
        for genre, sources in GENRES.items():
            # One random state for each genre, so that files added to one do not affect others.
            chance = random.Random(f"{SEED} {genre}")
            pools = [list(_documents(source, folder)) for source in sources]
            for pool in pools:
                chance.shuffle(pool)
            turns = [pool[turn] for turn in range(DOCUMENTS) for pool in pools if turn < len(pool)]
            chosen = turns[:DOCUMENTS]
            halves = ["development", "unseen"] * (DOCUMENTS // 2)
            chance.shuffle(halves)
            for half, (name, document) in zip(halves, chosen, strict=True):
                for weight, sentence in _drawn(document, chance):
                    text = " ".join(sentence.text.split())
                    table.writerow((half, genre, name, sentence.start, f"{weight:.5f}", text))


def documents_named(names: Collection[str], folder: Path) -> dict[str, Document]:
    """Return the documents with these names, as in `unfit_sentences.tsv`."""
    found = {name: read(folder / name) for name in names if (folder / name).exists()}
    for source in {tuple(name.split("/")[:2]) for name in set(names) - set(found)}:
        found.update(each for each in _of_set(*source) if each[0] in names)
    return found


def _documents(source: str, folder: Path) -> Iterator[tuple[str, Document]]:
    """Yield the documents of a source with their names."""
    above, _, number = source.partition("/")
    files = sorted((folder / above).glob(f"{number}*"))
    for file in files:
        document = read(file)
        if document.language in (None, "en") and len(document.sentences) >= 40:
            yield f"{above}/{file.name}", document
    if not files:
        name, _, split = source.partition(" ")
        yield from _of_set(name, split or "train")


def _of_set(name: str, split: str) -> Iterator[tuple[str, Document]]:
    for example in load(name, split, limit=POOL, shippable=True):
        if len(example.document.sentences) >= 40:
            yield f"{name}/{split}/{example.id}", example.document


def _drawn(document: Document, chance: random.Random) -> Iterator[tuple[float, Sentence]]:
    """Yield sentences in random order with their weights, which sum to 1 for each document."""
    sentences = document.sentences
    needs = fitness_of(document).dependences
    refused = {
        place
        for place, sentence in enumerate(sentences)
        if needs[place] or sentence.kind not in MATERIAL or is_question(sentence.text)
    }
    places = chance.sample(range(len(sentences)), AT_RANDOM)
    left = sorted(refused.difference(places))
    places += chance.sample(left, min(REFUSED, len(left)))
    chance.shuffle(places)
    sizes = {True: len(refused), False: len(sentences) - len(refused)}
    drawn = {each: sum((place in refused) is each for place in places) for each in sizes}
    for place in places:
        stratum = place in refused
        yield sizes[stratum] / drawn[stratum] / len(sentences), sentences[place]


if __name__ == "__main__":
    main()
