"""Which of the proposed deletions people take, counted on aligned pairs of sentences.

Run: LONGSUM_DATA=… python benchmarks/aligned_deletions.py [--data D …] [--limit N]

A reference sentence is aligned with a sentence of the document if a longest common subsequence has
at least 80 % of the reference sentence's words and all but a few of the words of what is left of
the document's sentence. Each deletion that the rules propose there was taken if none of its words
is part of the subsequence, and refused if all are. Only training documents that may be shipped are
read. Shown are, by kind, the proposals in the aligned pairs, how many were taken and how many
refused.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from longsum.datasets import Example, load
from longsum.language.compression import ALL_KINDS, shorten
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
_FEWEST_TERMS = 6


def main() -> None:
    """Print the counts, a data set after the other, and of all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--limit", type=int, default=None, help="at most so many documents a set")
    options = parser.parse_args()
    total: Counter[tuple[str, str]] = Counter()
    pairs = 0
    for name in options.data:
        found: Counter[tuple[str, str]] = Counter()
        aligned = 0
        for example in load(name, "train", limit=options.limit, shippable=True):
            for source, reference in aligned_pairs(example):
                aligned += 1
                found.update(judged(source, reference))
        show(name, aligned, found)
        total += found
        pairs += aligned
    show("all", pairs, total)


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


def judged(source: str, reference: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each proposed deletion and whether it was taken, refused or neither."""
    shorter = shorten(source, ALL_KINDS)
    if not shorter.deletions:
        return
    placed = list(placed_terms(source))
    kept = matched([word for *_, word in placed], terms(reference))
    for each in shorter.deletions:
        own = [
            bool(kept[place])
            for place, (start, end, _) in enumerate(placed)
            if each.start <= start and end <= each.end
        ]
        if own:
            yield each.kind, "refused" if all(own) else "neither" if any(own) else "taken"


def show(name: str, pairs: int, found: Counter[tuple[str, str]]) -> None:
    """Print the counts of a data set."""
    proposed = sum(found.values())
    print(f"{name}: {pairs:,} aligned pairs, {proposed:,} proposed deletions")
    for kind in ALL_KINDS:
        counts = {verdict: found[kind, verdict] for verdict in ("taken", "refused", "neither")}
        if sum(counts.values()):
            print(f"  {kind}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
