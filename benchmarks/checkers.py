"""How well models that check summaries work, on documents of validation splits.

Run: LONGSUM_DATA=… python benchmarks/checkers.py COMMAND FOLDER [--limit N] [--data NAME …]

- `answers`: a reader of the metrics APES and APES_src answers cloze questions of references from
  the sentences of the document that are closest to the reference, and from the reference itself.
  Exact answers and unigram F1, against a rule: of the sentence that shares most words with the
  question, the first name or figure of the answer's kind that the question does not have.
- `claims`: a classifier of claims. The share of unchanged claims, and of those changed in each way,
  that it judges correctly; and how often it rates the unchanged one as more probable. Claims are
  sentences of references and of documents; changes absent from training are marked.
- `small`: a network of eight units over twelve measures of words (`claim_measures.py`), fitted to
  claims of training splits: what it finds in data sets that it was not fitted to, and how well its
  probabilities agree with people (SummEval), compared with the rules.

Intervals are 95 % bootstrap intervals over documents.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

import claim_measures
from correlation import correlations
from faithfulness import FITTED, HELD_OUT, LOOKED_AT, Array, Checked, interval, row
from longsum.core.grounding.evidence import Evidence
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.evaluation.datasets import Example, load
from longsum.lab.checking.apes import BLANK, Answerer, Cloze, ClozeMaker, unigram_f1
from longsum.lab.checking.check_items import ClaimPlan, claim_items, claims_of
from longsum.lab.checking.consistency import ClaimChecker, Contexts
from longsum.lab.checking.corruptions import CorruptionKind
from longsum.language.entities import entities
from longsum.language.sentences import split_sentences

KINDS: tuple[CorruptionKind, ...] = (
    *("negation", "entity_swap", "number_swap", "role_swap", "predicate"),
)
OPPOSITES = (
    *(("increase", "decrease"), ("increased", "decreased"), ("higher", "lower"), ("more", "less")),
    *(("before", "after"), ("largest", "smallest"), ("most", "least"), ("first", "last")),
    *(("positive", "negative"), ("above", "below"), ("all", "few"), ("always", "never")),
    *(("with", "without"), ("better", "worse"), ("same", "different"), ("many", "few")),
)
NEVER_LEARNED = ("digit", "scale", "month", "unit", "opposite")
PLAN = ClaimPlan(KINDS, sentences=3, own_contexts=True, copies=3, unsupported=1.0)


class WordAnswerer:
    """Answers by words: see the module."""

    def __init__(self, kind: Callable[[str], str]) -> None:
        self._kind = kind

    def answer(self, question: str, context: str) -> str:
        """Return the first suitable name or figure of the sentence that shares most words."""
        asked = set(rouge_tokens(question.replace(BLANK, " ")))
        parts = [context[start:end] for start, end in split_sentences(context)]
        parts.sort(key=lambda part: -len(asked.intersection(rouge_tokens(part))))
        wanted = self._kind(question)
        for part in parts:
            for found in entities(part):
                if found.kind == wanted and not asked.issuperset(rouge_tokens(found.text)):
                    return found.text
        return ""


def answers(options: argparse.Namespace) -> None:
    """Print how many cloze questions are answered."""
    from longsum.lab.checking.checkers import SpanAnswerer

    kinds: dict[str, str] = {}
    readers: dict[str, Answerer] = {
        "model": SpanAnswerer.load(options.folder),
        "rule": WordAnswerer(lambda question: kinds[question]),
    }
    found: dict[tuple[str, str], dict[str, list[tuple[float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for example in _examples(options):
        for reference, context, cloze, kind in _questions(example):
            kinds[cloze.question] = kind
            for name, reader in readers.items():
                for text, place in ((context, "document"), (reference, "reference")):
                    given = reader.answer(cloze.question, text)
                    exact = rouge_tokens(given) == rouge_tokens(cloze.answer)
                    found[name, place][example.id].append(
                        (float(exact), unigram_f1(given, cloze.answer))
                    )
    row("answered from", "questions", "exact", "F1")
    for (name, place), by_document in found.items():
        count = sum(map(len, by_document.values()))
        cells = (
            _mean([[each[n] for each in some] for some in by_document.values()]) for n in (0, 1)
        )
        row(f"{place}, by {name}", str(count), *cells)


def _questions(example: Example) -> Iterator[tuple[str, str, Cloze, str]]:
    """Yield questions with their reference, context and the kind of the answer."""
    contexts = Contexts([sentence.text for sentence in example.document.sentences])
    for reference in example.references[:1]:
        context = contexts.text(reference)
        for cloze in ClozeMaker().questions(reference):
            kind = next((each.kind for each in entities(cloze.answer)), "name")
            if cloze.answer.casefold() in context.casefold():
                yield reference, context, cloze, kind


def claims(options: argparse.Namespace) -> None:
    """Print how many claims are judged correctly."""
    from longsum.lab.checking.checkers import ClaimScorer

    show_claims(ClaimScorer.load(options.folder), list(_examples(options)))


def show_claims(checker: ClaimChecker, examples: Sequence[Example]) -> None:
    """Print how a classifier judges the claims of documents."""
    right: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    above: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for example in examples:
        before = 0.0
        for kind, claim, context in judged(example):
            found = checker.consistency(claim, context)
            if kind == "original":
                before = found
            else:
                above[kind][example.id].append(float(found < before))
            right[kind][example.id].append(float((found >= 0.5) == (kind == "original")))
    row("", "claims", "judged rightly", "less probable than the unchanged")
    for kind, by_document in right.items():
        mark = " (never learned)" if kind in NEVER_LEARNED else ""
        count = sum(map(len, by_document.values()))
        compared = _mean([*above[kind].values()]) if kind in above else ""
        row(kind + mark, str(count), _mean([*by_document.values()]), compared)


def judged(example: Example) -> Iterator[tuple[str, str, str]]:
    """Yield claims with their kind and context, each unchanged one before its changed forms."""
    for item in claim_items(example, 1, PLAN):
        yield item.kind, item.claim, item.context
    texts = [sentence.text for sentence in example.document.sentences]
    contexts, rng = Contexts(texts), Random(example.id)
    for claim in claims_of(example):
        changed = list(never_learned(claim, rng))
        if changed and (context := contexts.text(claim, PLAN.sentences)):
            yield "original", claim, context
            for kind, text in changed:
                yield kind, text, contexts.text(text, PLAN.sentences)


def never_learned(claim: str, rng: Random) -> Iterator[tuple[str, str]]:
    """Yield a claim changed in each way that no classifier of ours was trained on."""
    for kind in NEVER_LEARNED[:-1]:
        if changed := HELD_OUT[kind](claim, rng):
            yield kind, changed.text
    words = claim.split(" ")
    turned = {one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])}
    places = [place for place, word in enumerate(words) if word in turned]
    if places:
        place = rng.choice(places)
        yield "opposite", " ".join([*words[:place], turned[words[place]], *words[place + 1 :]])


SMALL_DATA = ("pmc_jats", "scisummnet", "openstax_sections", "python_peps", "rust_rfcs")
SMALL_DOCUMENTS = slice(200, 216)
"""Training documents of each set that `small` is fitted to."""
SMALL_PLAN = replace(PLAN, copies=6, unsupported=0.5, per_claim=2)


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims with their measures, `[n, 12]`, their kinds and data sets, `[n]`."""

    measures: Array
    kinds: NDArray[np.str_]
    sets: NDArray[np.str_]

    @classmethod
    def of_training(cls) -> "Claims":
        """Read claims of training splits, from documents whose licences let a result ship."""
        rows = [
            (claim_measures.measure(text, *indexes).features, kind, data)
            for data in SMALL_DATA
            for example in islice(
                load(data, "train", limit=SMALL_DOCUMENTS.stop, shippable=True),
                SMALL_DOCUMENTS.start,
                None,
            )
            for kind, text, indexes in _measured(example)
        ]
        measures, kinds, sets = zip(*rows, strict=True)
        return cls(np.array(measures), np.array(kinds), np.array(sets))

    def weights(self, chosen: NDArray[np.bool_]) -> Array:
        """Return weights that give unchanged claims half, and all kinds of change the same."""
        kinds = self.kinds[chosen]
        changed = set(kinds.tolist()) - {"original"}
        found = np.zeros(len(kinds))
        for kind in (*changed, "original"):
            share = 0.5 if kind == "original" else 0.5 / len(changed)
            found[kinds == kind] = share / (kinds == kind).sum()
        return found


Indexes = tuple[Evidence, Contexts]


def _measured(example: Example) -> Iterator[tuple[str, str, Indexes]]:
    """Yield claims of a document with their kinds and the text that they are compared with."""
    texts = [sentence.text for sentence in example.document.sentences]
    whole, rng = (Evidence(texts), Contexts(texts)), Random(example.id)
    for item in claim_items(example, 7, SMALL_PLAN):
        if item.kind != "unsupported":
            yield item.kind, item.claim, whole
            continue
        beginning = item.claim[:30].lower()
        rest = [text for text in texts if beginning not in text.lower()]
        if len(rest) < len(texts):
            yield item.kind, item.claim, (Evidence(rest), Contexts(rest))
    for claim in claims_of(example):
        for kind, text in never_learned(claim, rng):
            yield kind, text, whole


def small(options: argparse.Namespace) -> None:
    """Print what a small checker finds, and how it agrees with people."""
    claims = Claims.of_training()
    changed = claims.kinds != "original"
    learned = ~np.isin(claims.kinds, NEVER_LEARNED)
    scores = np.zeros(len(changed))
    for data in SMALL_DATA:
        other = claims.sets == data
        scores[other] = _fitted(claims, learned & ~other)(claims.measures[other])
    weights = claims.weights(learned)
    order = np.argsort(-scores[learned])
    right = np.cumsum((weights * changed[learned])[order])
    precise = np.flatnonzero(right / np.cumsum(weights[order]) >= 0.9)
    threshold = float(scores[learned][order][precise[-1]])
    print(f"threshold {threshold:.3f}: of what is above, 90 % is changed")
    row("", "claims", "above it")
    for kind in sorted(set(claims.kinds.tolist())):
        chosen = claims.kinds == kind
        mark = " (never learned)" if kind in NEVER_LEARNED else ""
        row(kind + mark, str(chosen.sum()), f"{(scores[chosen] >= threshold).mean():.2f}")
    _agreement(_fitted(claims, learned), threshold, options.limit)


def _fitted(claims: Claims, chosen: NDArray[np.bool_]) -> Callable[[Array], Array]:
    """Return a network that gives the probability that a claim of some measures was changed."""
    from sklearn.neural_network import MLPClassifier

    weights, count = claims.weights(chosen), int(chosen.sum())
    drawn = np.random.default_rng(0).choice(count, 3 * count, p=weights / weights.sum())
    measures = claims.measures[chosen]
    mean, deviation = measures.mean(axis=0), measures.std(axis=0) + 1e-9
    network = MLPClassifier(
        (8,), alpha=1.0, max_iter=150, random_state=0, learning_rate_init=3e-3
    ).fit(((measures - mean) / deviation)[drawn], (claims.kinds != "original")[chosen][drawn])

    def probability(read: Array) -> Array:
        found: Array = network.predict_proba((read - mean) / deviation)[:, 1]
        return found

    return probability


def _agreement(probability: Callable[[Array], Array], threshold: float, limit: int) -> None:
    """Print correlations with SummEval's ratings of consistency, beside those of the rules."""
    found: dict[str, list[float]] = defaultdict(list)
    ratings: list[float] = []
    groups: list[int] = []
    for number, example in enumerate(load("summeval", "test", limit=limit)):
        checked = Checked(example)
        contexts = Contexts([sentence.text for sentence in example.document.sentences])
        for summary in example.extra["system_summaries"].values():
            text = summary["text"]
            sentences = [text[start:end] for start, end in split_sentences(text)]
            measured = [
                claim_measures.measure(each, checked.verifier.evidence, contexts).features
                for each in sentences
            ]
            scores = probability(np.array(measured)) if sentences else np.ones(1)
            doubts = sum(len(checked.doubts(each)) for each in sentences)
            size = max(len(sentences), 1)
            above = float((scores >= threshold).sum())
            found["small checker"].append(-float(scores.mean()))
            found["no doubt at all"].append(-doubts / size)
            found["neither doubt nor above"].append(-(doubts + above) / size)
            ratings.append(summary["scores"]["consistency"])
            groups.append(number)
    row("", "Pearson", "Spearman")
    for name, values in found.items():
        both = correlations(values, ratings, groups)
        row(name, *(f"{each.value:+.3f} [{each.low:+.2f}, {each.high:+.2f}]" for each in both))
    table = {name: np.array(values) for name, values in (*found.items(), ("rated", ratings))}
    for name in ("small checker", "neither doubt nor above"):
        row(f"{name} − no doubt at all", *_differences(table, name, "no doubt at all", groups))


def _differences(
    table: Mapping[str, Array], one: str, other: str, groups: Sequence[int]
) -> Iterator[str]:
    """Yield bootstrap intervals of the difference of two correlations, over documents."""
    rng, members = np.random.default_rng(0), np.array(groups)
    places = [np.flatnonzero(members == group) for group in range(members.max() + 1)]
    for change in (np.asarray, rankdata):
        drawn = []
        for _ in range(500):
            rows = np.concatenate(
                [places[each] for each in rng.integers(len(places), size=len(places))]
            )
            rated = change(table["rated"][rows])
            drawn.append(
                np.corrcoef(change(table[one][rows]), rated)[0, 1]
                - np.corrcoef(change(table[other][rows]), rated)[0, 1]
            )
        low, high = np.quantile(drawn, [0.025, 0.975])
        yield f"[{low:+.3f}, {high:+.3f}]"


def _examples(options: argparse.Namespace) -> Iterator[Example]:
    for data in options.data:
        first = LOOKED_AT.get(data, 0)
        yield from islice(load(data, "validation", limit=first + options.limit), first, None)


def _mean(by_document: Sequence[Sequence[float]]) -> str:
    """Return the mean over all with an interval over documents."""
    table = np.array([(sum(some), len(some)) for some in by_document])
    rng = np.random.default_rng(0)
    drawn = table[rng.integers(0, len(table), (1000, len(table)))].sum(axis=1)
    total = table.sum(axis=0)
    return f"{total[0] / total[1]:.2f} {interval(drawn[:, 0] / drawn[:, 1])}"


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(required=True)
    for command in (answers, claims):
        one = commands.add_parser(command.__name__, help=command.__doc__)
        one.add_argument("folder", type=Path, help="the model")
        one.add_argument("--limit", type=int, default=40, help="documents per data set")
        one.add_argument("--data", nargs="+", default=FITTED, help="data sets")
        one.set_defaults(run=command)
    one = commands.add_parser("small", help=small.__doc__)
    one.add_argument("--limit", type=int, default=100, help="most articles of SummEval")
    one.set_defaults(run=small)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
