"""Which of the proposed deletions people make, counted on aligned pairs of sentences.

Run: LONGSUM_DATA=… python benchmarks/aligned_deletions.py [--data D …] [--limit N]

A reference sentence is aligned with a sentence of the document if a longest common subsequence has
at least 80 % of the reference sentence's words and all but a few of the words of what is left of
the document's sentence. A deletion that the rules propose there was made if none of its words is
part of the subsequence, and refused if all are. Only training documents that may be shipped are
read. The table has, by kind, the proposals in the aligned pairs, and how many were made and
refused. At the end a logistic regression predicts this from the kind, length, place and first word
of a proposal, and is compared with the share by kind alone: in five folds of documents, and on each
data set when trained on the others.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut
from sklearn.pipeline import make_pipeline

from longsum.evaluation.datasets import Example, load
from longsum.language.compression import KINDS
from longsum.language.compression.compression import shorten
from longsum.language.sentences import sentence_texts
from longsum.language.words import placed_terms, terms

DATA = (
    "pmc_jats",
    "scisummnet",
    "openstax_sections",
    "openstax_chapters",
    "rust_rfcs",
    "python_peps",
    "squality",
    "qmsum",
)
LEAST_SHARED = 0.8
Features = Mapping[str, float]
_FEWEST_TERMS = 6


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposed deletion in an aligned pair.

    Attributes:
        kind: Its kind.
        verdict: Whether it was taken, refused, or neither as a whole.
        features: Features for the regression.
        document: Its document.
        data: Its data set.
    """

    kind: str
    verdict: str
    features: Features
    document: str
    data: str


def main() -> None:
    """Print the counts for each data set and for all, and how well they can be predicted."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--limit", type=int, default=None, help="documents per data set")
    options = parser.parse_args()
    everything: list[Judged] = []
    pairs = 0
    for name in options.data:
        found: list[Judged] = []
        aligned = 0
        for number, example in enumerate(load(name, "train", limit=options.limit, shippable=True)):
            for source, reference in aligned_pairs(example):
                aligned += 1
                found.extend(judged(source, reference, f"{name}/{number}", name))
        show(name, aligned, found)
        everything += found
        pairs += aligned
    show("all", pairs, everything)
    learn([each for each in everything if each.verdict != "neither"])


def aligned_pairs(example: Example) -> Iterator[tuple[str, str]]:
    """Yield sentences of the document with the reference sentence that is nearly a deletion."""
    sources = [sentence.text for sentence in example.document.sentences]
    words = [terms(source) for source in sources]
    where: dict[str, list[int]] = defaultdict(list)
    for place, own in enumerate(words):
        for word in set(own):
            where[word].append(place)
    for text in example.references:
        for reference in sentence_texts(text):
            asked = terms(reference)
            if len(asked) < _FEWEST_TERMS:
                continue
            shared = Counter(place for word in set(asked) for place in where.get(word, ()))
            for place, count in shared.most_common(3):
                if count < LEAST_SHARED * len(set(asked)):
                    break
                if np.count_nonzero(matched(words[place], asked)) >= LEAST_SHARED * len(asked):
                    yield sources[place], reference
                    break


def matched(
    source: Sequence[str], reference: Sequence[str]
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which terms of the source belong to a longest common subsequence, `[source]`."""
    rows, columns = len(source), len(reference)
    best = np.zeros((rows + 1, columns + 1), dtype=np.int32)
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            best[row, column] = (
                best[row + 1, column + 1] + 1
                if source[row] == reference[column]
                else max(best[row + 1, column], best[row, column + 1])
            )
    found = np.zeros(rows, dtype=bool)
    row = column = 0
    while row < rows and column < columns:
        if source[row] == reference[column]:
            found[row] = True
            row, column = row + 1, column + 1
        elif best[row + 1, column] >= best[row, column + 1]:
            row += 1
        else:
            column += 1
    return found


def judged(source: str, reference: str, document: str, data: str) -> Iterator[Judged]:
    """Yield the proposed deletions of an aligned pair."""
    shorter = shorten(source)
    if not shorter.deletions:
        return
    placed = list(placed_terms(source))
    kept = matched([word for *_, word in placed], terms(reference))
    for each in shorter.deletions:
        places = [
            place
            for place, (start, end, _) in enumerate(placed)
            if each.start <= start and end <= each.end
        ]
        if not places:
            continue
        own = [bool(kept[place]) for place in places]
        verdict = "refused" if all(own) else "neither" if any(own) else "taken"
        features = {
            f"kind={each.kind}": 1.0,
            f"first={placed[places[0]][2]}": 1.0,
            "words": log(len(places)),
            "sentence": log(len(placed)),
            "place": each.start / len(source),
            "share": (each.end - each.start) / len(source),
        }
        yield Judged(each.kind, verdict, features, document, data)


def show(name: str, pairs: int, found: Sequence[Judged]) -> None:
    """Print the counts of a data set."""
    counts = Counter((each.kind, each.verdict) for each in found)
    print(f"{name}: {pairs:,} aligned pairs, {len(found):,} proposed deletions")
    for kind in KINDS:
        own = {verdict: counts[kind, verdict] for verdict in ("taken", "refused", "neither")}
        if sum(own.values()):
            print(f"  {kind}: " + ", ".join(f"{number} {each}" for each, number in own.items()))
    print(end="", flush=True)


def learn(found: Sequence[Judged]) -> None:
    """Print how well a regression predicts the deletions, compared with the share by kind alone."""
    truth = np.array([each.verdict == "taken" for each in found])
    full = [dict(each.features) for each in found]
    kinds = [{f"kind={each.kind}": 1.0} for each in found]
    divisions = {
        "five folds of documents": (GroupKFold(5), [each.document for each in found]),
        "each data set from the others": (LeaveOneGroupOut(), [each.data for each in found]),
    }
    for title, (division, groups) in divisions.items():
        for name, features in (("kind alone", kinds), ("regression", full)):
            chances = np.zeros(len(found))
            for train, test in division.split(features, truth, groups):
                model = make_pipeline(DictVectorizer(), LogisticRegression(C=1.0, max_iter=1000))
                model.fit([features[place] for place in train], truth[train])
                chances[test] = model.predict_proba([features[place] for place in test])[:, 1]
            right = accuracy_score(truth, chances > 0.5)
            loss = log_loss(truth, chances)
            print(f"{title}, {name}: {100 * right:.1f} % right, log loss {loss:.3f}")


if __name__ == "__main__":
    main()
