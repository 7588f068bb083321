"""How well a summary of several documents divides its length, and how good it is.

Run: LONGSUM_DATA=… python benchmarks/dossiers.py [--shares | --contradictions] [--limit N] …

The documents of a dossier are the sections of a textbook's chapter, whose summary consists of
theirs (`openstax_chapters`); the arguments of a case before the court (`oyez_scotus`); the meetings
of one team, whose minutes are joined (`ami`); or ten successive chapters of a biography, likewise
(`bns`). Validation documents are used if the set has them; the length is that of the reference.

With `--shares`: how far the shares are from the reference's, which covers each document separately:
half the sum of the absolute differences (the total variation), for shares by several rules.

With `--contradictions`: references are one document and their articles another (`scisummnet`,
`pmc_jats` and `openstax_sections`). How many of the unchanged sentences are reported as
contradicted; and how many of those in which a name or figure was exchanged for another from the
article, of all and of those otherwise similar to a sentence of the article (60 % of the content
words).

Without: ROUGE-1, ROUGE-2 and ROUGE-L F1, repeated bigrams in percent, and the percentage of the
documents that the summary has a sentence of: for the joined text summarized as one (`joined`), for
the openings of all documents (`lead`), for LexRank on the joined text (`graph`), and for dossiers
with shares by each rule.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

import numpy as np

import longsum
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.loading import load_system
from longsum.core.pipeline import prepare
from longsum.core.summaries import Budget, SourceSpan, Summary, SummarySentence
from longsum.core.systems.system import System
from longsum.documents.dossier import Dossier, joined
from longsum.documents.model import Document
from longsum.documents.subset import subset, top_sections
from longsum.dossiers.contradictions import ALIKE, Contradictions
from longsum.dossiers.members import Sharing, shares
from longsum.dossiers.separately import Separately
from longsum.dossiers.together import Together
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.metrics.fragments import repeated_ngrams
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.checking.corruptions import NAMED, NUMERIC, Swaps
from longsum.language.words import content_terms, count_words

REFERENCES = ("scisummnet", "pmc_jats", "openstax_sections")
SETS = ("openstax_chapters", "oyez_scotus", "ami", "bns")
_CHAPTERS = 10
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Case:
    """Documents with a reference, and its number of words about each, if known."""

    dossier: Dossier
    reference: str
    words: Sequence[int] | None = None


def cases(name: str, limit: int | None) -> Iterator[Case]:
    """Yield the cases of a set."""
    made = {"ami": _meetings, "bns": _chapters}.get(name, _sections)
    for number, case in enumerate(made(name)):
        if number == limit:
            return
        yield case


def _sections(name: str) -> Iterator[Case]:
    for example in load(name, "validation"):
        parts = [
            replace(subset(example.document, places), title=top.title)
            for top, places in top_sections(example.document)
            if places
        ]
        if len(parts) < 2:
            continue
        told = example.extra.get("section_summaries")
        words = None
        if told:
            by_title = {each["section"]: count_words(each["text"]) for each in told}
            words = [by_title.get(part.title, 0) for part in parts]
        yield _case(parts, example.references[0], words)


def _meetings(name: str) -> Iterator[Case]:
    teams = defaultdict(list)
    for example in _but_for_tests(name):
        teams[example.id[:-1]].append(example)
    yield from (_joined_case(each) for each in teams.values() if len(each) > 1)


def _chapters(name: str) -> Iterator[Case]:
    books = defaultdict(list)
    for example in _but_for_tests(name):
        books[example.id.rsplit("_", 1)[0]].append(example)
    for book in books.values():
        starts = range(0, len(book) - 1, _CHAPTERS)
        yield from (_joined_case(book[start : start + _CHAPTERS]) for start in starts)


def _but_for_tests(name: str) -> list[Example]:
    """Return a set that was published without splits, ordered by name."""
    found = [example for split in ("train", "validation") for example in load(name, split)]
    return sorted(found, key=lambda each: _NUMBERS.sub(lambda n: n[0].zfill(4), each.id))


def _joined_case(examples: Sequence[Example]) -> Case:
    told = [each.references[0] for each in examples]
    documents = [each.document for each in examples]
    return _case(documents, "\n".join(told), list(map(count_words, told)))


def _case(documents: Sequence[Document], reference: str, words: Sequence[int] | None) -> Case:
    dossier = joined(documents)
    assert isinstance(dossier, Dossier)
    return Case(dossier, reference, words)


def _by_words(power: float) -> Sharing:
    def shared(dossier: Dossier, _focus: str | None) -> list[float]:
        sizes = [
            sum(count_words(sentence.text) for sentence in member.document.sentences)
            for member in dossier.members
        ]
        return _whole([max(size, 1) ** power for size in sizes])

    return shared


def _by_importance(dossier: Dossier, _focus: str | None) -> list[float]:
    from longsum.language.centrality import centrality

    ranks = centrality([sentence.text for sentence in dossier.sentences])
    return _whole(
        [ranks[each.sentences.start : each.sentences.stop].sum() for each in dossier.members]
    )


def _whole(weights: Sequence[float]) -> list[float]:
    return [weight / sum(weights) for weight in weights]


RULES: dict[str, Sharing] = {
    "words": _by_words(1),
    "square root of words": _by_words(0.5),
    "equal": _by_words(0),
    "importance": _by_importance,
    "content": shares,
}

SYSTEMS = ("lead", "graph", "joined", *RULES)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=SETS, help="data sets")
    parser.add_argument("--limit", type=int, help="maximum number of dossiers per data set")
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, choices=SYSTEMS, help="which")
    parser.add_argument("--shares", action="store_true", help="measure the error of the shares")
    parser.add_argument("--contradictions", action="store_true", help="measure contradictions")
    options = parser.parse_args()
    if options.contradictions:
        _print_contradictions(options.limit or 60)
        return
    for name in options.data:
        found = list(cases(name, options.limit))
        if options.shares:
            _print_shares(name, found)
        else:
            _print_summaries(name, found, options.systems)


def _print_contradictions(limit: int) -> None:
    changes = {"names": NAMED, "figures": NUMERIC}
    unchanged, sentences = 0, 0
    seen: dict[str, list[tuple[bool, bool]]] = {name: [] for name in changes}
    for name in REFERENCES:
        for example in load(name, "validation", limit=limit):
            reference = longsum.read_bytes(example.references[0].encode())
            dossier = joined([reference, example.document])
            assert isinstance(dossier, Dossier)
            contradictions, rng = Contradictions(dossier), Random(example.id)
            swaps = Swaps([each.text for each in example.document.sentences])
            stems = [_stems(each.text) for each in example.document.sentences]
            for place, sentence in enumerate(reference.sentences):
                sentences += 1
                unchanged += any(contradictions.of(_as_told(dossier, place, sentence.text)))
                own = _stems(sentence.text)
                alike = any(len(own & each) >= ALIKE * max(len(own), len(each)) for each in stems)
                for label, kinds in changes.items():
                    changed = swaps.swap(sentence.text, kinds, rng)
                    if changed is None:
                        continue
                    doubts = contradictions.of(_as_told(dossier, place, changed.text))
                    noticed = any(doubt.start <= changed.start < doubt.end for doubt in doubts)
                    seen[label].append((noticed, alike))
    print(f"unchanged: {unchanged} of {sentences} sentences")
    for label, found in seen.items():
        near = [noticed for noticed, alike in found if alike]
        every = sum(noticed for noticed, _ in found)
        print(f"{label}: {every} of {len(found)}, {sum(near)} of {len(near)} with a like sentence")


def _stems(text: str) -> set[str]:
    return {stem(term) for term in content_terms(text)}


def _as_told(dossier: Dossier, place: int, text: str) -> SummarySentence:
    return SummarySentence(text, (SourceSpan.of(dossier, place),), 0.0, {}, 0)


def _print_shares(name: str, found: Sequence[Case]) -> None:
    known = [case for case in found if case.words and sum(case.words)]
    if known:
        print(f"| {name} ({len(known)}) |", " | ".join(_distances(known)), "|", flush=True)


def _distances(known: Sequence[Case]) -> Iterator[str]:
    for rule, shared in RULES.items():
        far = [
            np.abs(
                np.array(shared(case.dossier, None)) - np.array(case.words) / sum(case.words)
            ).sum()
            / 2
            for case in known
        ]
        yield f"{rule} {fmean(far):.3f}"


def _print_summaries(name: str, found: Sequence[Case], systems: Sequence[str]) -> None:
    stepwise, graph, lead = map(load_system, ("stepwise", "graph", "lead"))
    ways: dict[str, Callable[[Case, Budget], Summary]] = {
        "lead": _with_shares(lead, _by_words(0)),
        "graph": _joined(graph),
        "joined": _joined(stepwise),
        **{rule: _with_shares(stepwise, shared) for rule, shared in RULES.items()},
    }
    for label in systems:
        scores = np.mean([_scores(ways[label], case) for case in found], axis=0)
        cells = " | ".join(f"{score:.1f}" for score in scores)
        print(f"| {name} ({len(found)}) | {label} | {cells} |", flush=True)


def _joined(system: System) -> Callable[[Case, Budget], Summary]:
    def summarize(case: Case, budget: Budget) -> Summary:
        return prepare(system, case.dossier).summarize(case.dossier, budget)

    return summarize


def _with_shares(system: System, shared: Sharing) -> Callable[[Case, Budget], Summary]:
    def summarize(case: Case, budget: Budget) -> Summary:
        ready = [prepare(system, each.document) for each in case.dossier.members]
        way = Together if system.name != "lead" else Separately
        return way(system, ready, shared).summarize(case.dossier, budget)

    return summarize


def _scores(summarize: Callable[[Case, Budget], Summary], case: Case) -> list[float]:
    summary = summarize(case, Budget(count_words(case.reference)))
    found = rouge(summary.text, [case.reference])
    told = {case.dossier.member_of(each.sources[0].sentence).name for each in summary.sentences}
    return [
        *(100 * found[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")),
        100 * repeated_ngrams(summary.text, 2),
        100 * len(told) / len(case.dossier.members),
    ]


if __name__ == "__main__":
    main()
