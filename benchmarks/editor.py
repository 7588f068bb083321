"""Learns which sentences an editor strikes from summaries, and measures how well.

Run: LONGSUM_DATA=… python benchmarks/editor.py FOLDER

FOLDER has the files of the repositories in `editor_judgements.tsv`, `owner+name` each; needs
scikit-learn. Each line of that table is a document: split, repository or data set, licence, path
(or number in the training split), and the judgements of a summary's sentences: the digest of the
text and a letter for each reader, `o` if an editor keeps it. Sentences that were chosen together
with the one that they need are left out of what is learned.

It prints how well readers agree, what they struck from the summaries of each split and why, and how
well the judgements of each sixth of the repositories are predicted from the others. The unseen
summaries are those of documents that were not learned from, as the default makes them and with
twice the log-odds above 0 subtracted from each sentence's logit (docs/fitness.md).
"""

import argparse
import csv
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags, hstack, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from editor_features import BUCKETS, hashed_features, place_features, unit_vectors
from longsum.core.encoder.network import texts_of
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.loading import load_system
from longsum.documents import Document
from longsum.documents.readers import read
from longsum.evaluation.datasets import load

TABLE = Path(__file__).parent / "editor_judgements.tsv"
KEPT, LEARNED, FOLDS = "o", "learn", 6
LETTERS = {
    "c": "context is missing",
    "s": "speaks of the text",
    "p": "one step or item",
    "e": "entry of a reference",
    "x": "part of an example",
    "f": "scrap",
    "b": "boilerplate",
    "t": "talk",
    "q": "question",
    "m": "misleading",
}
# What makes the parts about equally large, and the strength of the penalty: chosen by the folds.
HASHED, VECTOR, STRENGTH = 7.0, 5.0, 0.02


@dataclass(frozen=True)
class Judged:
    """A document of the table, with the letters of its sentences by their digests."""

    split: str
    source: str
    licence: str
    path: str
    letters: dict[str, str]


@dataclass(frozen=True)
class Examples:
    """The features of n sentences, and whether they are struck."""

    hashed: csr_matrix
    places: NDArray[np.float64]
    vectors: NDArray[np.float64]
    struck: NDArray[np.bool_]
    sources: NDArray[np.str_]
    documents: NDArray[np.int64]


def main() -> None:
    """Do what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="files of the repositories")
    options = parser.parse_args()
    table = list(judgements())
    learned = [each for each in table if each.split == LEARNED]
    show_agreement(learned)
    show_struck(table)
    cross_validate(collect(learned, options.folder))


def judgements() -> Iterator[Judged]:
    """Yield the documents of the table."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None):
            *columns, marks = row
            yield Judged(*columns, dict(mark.split(":", 1) for mark in marks.split()))


def collect(judged: Sequence[Judged], folder: Path) -> Examples:
    """Return all judged sentences that are found again in their documents."""
    system = load_system("stepwise")
    assert isinstance(system, NeuralExtractor)
    parts: list[tuple[csr_matrix, NDArray[np.float64], NDArray[np.float64]]] = []
    struck: list[bool] = []
    sources: list[str] = []
    documents: list[int] = []
    for number, each in enumerate(judged):
        document = document_of(each, folder)
        if document is None:
            continue
        units = system._tokenize(document).units
        found = {digest(sentence.text): at for at, sentence in enumerate(document.sentences)}
        marks = [mark for mark in each.letters if mark in found]
        at = [found[mark] for mark in marks]
        if not at:
            continue
        texts = texts_of(units)
        vectors = unit_vectors(system.network.encode([texts[place] for place in at]))
        buckets, counts = hashed_features(units)
        ends = np.concatenate([[0], np.cumsum(counts)])
        hashed = csr_matrix((np.ones(len(buckets)), buckets, ends), shape=(len(counts), BUCKETS))
        hashed = csr_matrix(diags(HASHED / np.sqrt(counts)) @ hashed)
        parts.append((hashed[at], place_features(units)[at], VECTOR * vectors))
        struck += [each.letters[mark][0] != KEPT for mark in marks]
        sources += [each.source] * len(at)
        documents += [number] * len(at)
    print(f"{len(struck)} of {sum(len(each.letters) for each in judged)} sentences found again")
    hashed, places, vectors = zip(*parts, strict=True)
    return Examples(
        vstack(hashed).tocsr(),
        np.concatenate(places),
        np.concatenate(vectors),
        np.array(struck),
        np.array(sources),
        np.array(documents),
    )


def document_of(judged: Judged, folder: Path) -> Document | None:
    """Return a document; None if the folder does not have it."""
    if judged.source.startswith("data+"):
        name, number = judged.source.removeprefix("data+"), int(judged.path)
        return list(load(name, "train", limit=number + 1))[number].document
    path = folder / judged.source / judged.path
    return read(path) if path.is_file() else None


def digest(text: str) -> str:
    """Return the digest by which a sentence is found again."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def cross_validate(examples: Examples) -> None:
    """Predict the judgements of each fold of the repositories from the others."""
    order = np.random.default_rng(0).permutation(np.unique(examples.sources))
    folds = {source: place % FOLDS for place, source in enumerate(order)}
    fold = np.array([folds[source] for source in examples.sources])
    predicted = np.zeros(len(fold))
    scaled = examples.places - examples.places.mean(axis=0)
    scaled /= examples.places.std(axis=0) + 1e-6
    parts = (examples.hashed, csr_matrix(scaled), csr_matrix(examples.vectors))
    features = hstack(parts).tocsr()
    for number in range(FOLDS):
        rows = fold != number
        model = LogisticRegression(C=STRENGTH, max_iter=500)
        model.fit(features[rows], examples.struck[rows])
        predicted[~rows] = model.decision_function(features[~rows])
    within = []
    for document in np.unique(examples.documents):
        rows = examples.documents == document
        if 0 < examples.struck[rows].mean() < 1:
            within.append(roc_auc_score(examples.struck[rows], predicted[rows]))
    print(f"struck: {examples.struck.mean():.1%}")
    print(f"AUC {roc_auc_score(examples.struck, predicted):.3f}, within {np.mean(within):.3f}")
    above = predicted > 0
    print(
        f"log-odds above 0: {above.mean():.1%}, struck of these {examples.struck[above].mean():.1%}"
    )


def show_agreement(judged: Sequence[Judged]) -> None:
    """Print how well two readers agree."""
    pairs = [marks for each in judged for marks in each.letters.values() if len(marks) > 1]
    first, second = ([pair[side] != KEPT for pair in pairs] for side in (0, 1))
    same = np.mean(np.array(first) == np.array(second))
    print(f"{len(pairs)} read twice: {same:.1%}, kappa {cohen_kappa_score(first, second):.2f}")


def show_struck(judged: Sequence[Judged]) -> None:
    """Print what was struck from the summaries of each split, and why."""
    struck: dict[str, list[list[str]]] = defaultdict(list)
    for each in judged:
        struck[each.split].append([marks[0] for marks in each.letters.values()])
    for split, summaries in sorted(struck.items()):
        letters = Counter(chain.from_iterable(summaries))
        share = 1 - letters[KEPT] / letters.total()
        signed = np.mean([set(summary) <= {KEPT} for summary in summaries])
        causes = ", ".join(
            f"{LETTERS[letter]} {count}"
            for letter, count in letters.most_common()
            if letter != KEPT
        )
        print(
            f"{split}: {len(summaries)} summaries, {share:.1%} of {letters.total()} sentences "
            f"struck ({causes}), nothing struck from {signed:.1%}"
        )


if __name__ == "__main__":
    main()
