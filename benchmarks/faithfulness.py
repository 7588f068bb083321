"""How well the checks find errors, and how well metrics of faithfulness agree with people.

Run: LONGSUM_DATA=… python benchmarks/faithfulness.py COMMAND [--limit N] …

- `detect`: half of the sentences are from references of validation splits, the others are the same
  with one change: a name or number swapped for another of the document and type, or kinds of change
  that nothing was fitted on (a digit, a scale word, a month, a unit, a negation). Precision and
  recall of the doubts about the changes, with 95 % bootstrap intervals over documents; and
  precision if one sentence in twenty is changed.
- `natural`: how often unchanged sentences of references are doubted, by kind.
- `people`: Pearson's r and Spearman's rho of each metric with the ratings of SummEval, over all
  summaries, with 95 % bootstrap intervals over documents and permutation tests within documents.
  With `--qa-model FOLDER` also APES and APES_src, with `--claim-model FOLDER` FactCC.
  `long_summaries.py` has ratings of long summaries, `table_checks.py` the errors that people marked
  in reports of games.
- `speed`: seconds for all checks on 100 summaries of documents of 9,000 words.
- `fit`: prints the weights of `src/longsum/core/grounding/evidence.py`.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from correlation import correlations
from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.evidence import FEATURES, NAMES, Evidence
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries.sentence import Doubt, DoubtKind
from longsum.evaluation.datasets import Example, load
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.checking.apes import Answerer, ApesScorer
from longsum.lab.checking.check_items import claims_of
from longsum.lab.checking.consistency import ClaimChecker, factcc
from longsum.lab.checking.corruptions import NAMED, NUMERIC, Corrupted, Swaps, negate
from longsum.language.entities import entities
from longsum.language.sentences import split_sentences

Array = NDArray[np.float64]

FITTED = ("scisummnet", "pmc_jats", "openstax_sections")
"""The data sets whose training splits the weights were fitted on."""
LOOKED_AT = {
    **dict.fromkeys((*FITTED, "sumpubmed"), 60),
    **dict.fromkeys(("python_peps", "rust_rfcs"), 30),
}
"""Documents at the start of validation splits that were looked at while features were chosen;
`detect` and `natural` pass over them."""
RATINGS = ("consistency", "relevance", "coherence", "fluency")
ONE_IN = 20
"""One sentence in so many is changed at natural prevalence."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence of a reference, possibly changed, and the doubts about it.

    Attributes:
        data: Its data set.
        id: Its document.
        kind: The kind of change that was made, or could have been.
        changed: Whether it was made.
        found: Whether there is a doubt about the change; for an unchanged sentence, any of the
            same kind.
    """

    data: str
    id: str
    kind: str
    changed: bool
    found: bool


class Checked:
    """A document with its checks."""

    def __init__(self, example: Example) -> None:
        texts = [sentence.text for sentence in example.document.sentences]
        self.aligner, self.verifier, self.swaps = Aligner(texts), Verifier(texts), Swaps(texts)

    def doubts(self, sentence: str) -> tuple[Doubt, ...]:
        """Return the doubts about a sentence."""
        cited = [alignment.sentence for alignment in self.aligner.align(sentence)]
        return self.verifier.doubts(sentence, cited)


def changes(sentence: str, swaps: Swaps, rng: Random) -> Iterator[tuple[str, Corrupted]]:
    """Yield a sentence changed in each possible way, with the name of the change."""
    for name, kinds in (("name", NAMED), ("number", NUMERIC)):
        if swapped := swaps.swap(sentence, kinds, rng):
            yield name, swapped
    for name, change in HELD_OUT.items():
        if changed := change(sentence, rng):
            yield name, changed


def _replaced(
    pattern: str, other: Callable[[str, Random], str]
) -> Callable[[str, Random], Corrupted | None]:
    """Return what replaces one match of a pattern."""
    compiled = re.compile(pattern)

    def change(sentence: str, rng: Random) -> Corrupted | None:
        found = list(compiled.finditer(sentence))
        if not found:
            return None
        match = rng.choice(found)
        new = other(match.group(), rng)
        text = sentence[: match.start()] + new + sentence[match.end() :]
        return Corrupted(
            text, "number_swap", match.start(), match.start() + len(new), match.group()
        )

    return change


def _of(*words: str) -> Callable[[str, Random], str]:
    """Return a function that draws another one of some words."""
    return lambda word, rng: rng.choice([each for each in words if each.lower() != word.lower()])


def _other_digit(figure: str, rng: Random) -> str:
    place = rng.randrange(len(figure))
    return (
        figure[:place]
        + rng.choice([d for d in "123456789" if d != figure[place]])
        + figure[place + 1 :]
    )


MONTHS = ("January", "February", "March", "April", "June", "July", "August", "September")
MONTHS += ("October", "November", "December")
SCALES = ("thousand", "million", "billion", "trillion")
UNITS = (
    "kg",
    "mg",
    "g",
    "km",
    "cm",
    "mm",
    "ml",
    "hours",
    "days",
    "weeks",
    "months",
    "years",
    "minutes",
)

HELD_OUT: dict[str, Callable[[str, Random], Corrupted | None]] = {
    "digit": _replaced(r"(?<![\w.,])\d{2,}(?![\w,]|\.\d)", _other_digit),
    "scale": _replaced(rf"(?<=\d )(?:{'|'.join(SCALES)})\b", _of(*SCALES)),
    "month": _replaced(rf"\b(?:{'|'.join(MONTHS)})\b", _of(*MONTHS)),
    "unit": _replaced(rf"(?<=\d )(?:{'|'.join(UNITS)})\b", _of(*UNITS)),
    "negation": negate,
}
"""Changes that nothing was fitted on."""

ABOUT = {
    "name": {"name"},
    "number": {"number", "quantity", "money", "date", "unit"},
    "digit": {"number", "quantity", "money", "date", "unit"},
    "scale": {"number", "quantity", "money", "unit"},
    "month": {"date"},
    "unit": {"unit", "quantity", "number"},
    "negation": {"negation"},
}
"""The kinds of doubts that say what was changed."""


def is_strong(doubt: Doubt) -> bool:
    """Return whether a doubt is more than that something is missing from the cited sentences."""
    return doubt.finding == "differs" or (doubt.looked == "document" and doubt.kind != "source")


def is_swap(doubt: Doubt) -> bool:
    """Return whether a doubt names what the document has in place of a name or figure."""
    return doubt.finding == "differs"


LEVELS: dict[str, Callable[[Doubt], bool]] = {
    "differs": is_swap,
    "differs, or nowhere": is_strong,
    "any": lambda _: True,
}
"""Which doubts count: from those that are surest to all."""


def cases(
    data: str, split: str, documents: slice, counts: Callable[[Doubt], bool]
) -> Iterator[Case]:
    """Yield the cases of a data set, in pairs of a sentence and its changed form."""
    for example, checked, claim, rng in _claims(data, split, documents):
        before = [doubt for doubt in checked.doubts(claim) if counts(doubt)]
        for kind, changed in changes(claim, checked.swaps, rng):
            about = ABOUT[kind]
            after = [doubt for doubt in checked.doubts(changed.text) if counts(doubt)]
            yield Case(data, example.id, kind, False, any(each.kind in about for each in before))
            yield Case(data, example.id, kind, True, any(each.kind in about for each in after))


def _claims(
    data: str, split: str, documents: slice
) -> Iterator[tuple[Example, Checked, str, Random]]:
    for example in islice(load(data, split, limit=documents.stop), documents.start, None):
        checked, rng = Checked(example), Random(example.id)
        for claim in claims_of(example):
            yield example, checked, claim, rng


def _documents(data: str, limit: int) -> slice:
    first = LOOKED_AT.get(data, 0)
    return slice(first, first + limit)


@dataclass(frozen=True, slots=True)
class Found:
    """Precision and recall of some cases."""

    changed: int
    right: int
    wrong: int

    @classmethod
    def of(cls, found: Iterable[Case]) -> "Found":
        """Count cases; there are as many unchanged ones."""
        held = list(found)
        right = sum(case.found for case in held if case.changed)
        wrong = sum(case.found for case in held if not case.changed)
        return cls(sum(case.changed for case in held), right, wrong)

    @property
    def recall(self) -> float:
        """The share of changed sentences that are found."""
        return self.right / max(self.changed, 1)

    def precision(self, unchanged: int = 1) -> float:
        """The share of doubted sentences that are changed, given the ratio of unchanged ones."""
        return self.right / max(self.right + unchanged * self.wrong, 1)


def detect(options: argparse.Namespace) -> None:
    """Print precision and recall."""
    for level in options.levels:
        found = [
            case
            for data in options.data
            for case in cases(data, options.split, _documents(data, options.limit), LEVELS[level])
        ]
        print(f"\nDoubts that count: {level}")
        row("", "changed", "precision", "recall", f"1 in {ONE_IN}")
        for kind in ABOUT:
            show(kind, [case for case in found if case.kind == kind])
        swapped = [case for case in found if case.kind in ("name", "number")]
        show("names and numbers", swapped)
        for data in options.data:
            show(f"  {data}", [case for case in swapped if case.data == data])


def show(name: str, found: Sequence[Case]) -> None:
    """Print the figures of some cases, with intervals over documents."""
    if not found:
        return
    total = Found.of(found)
    by_document: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in found:
        by_document[case.data, case.id].append(case)
    each = [Found.of(group) for group in by_document.values()]
    rng = np.random.default_rng(0)
    table = np.array([(one.changed, one.right, one.wrong) for one in each])
    drawn = table[rng.integers(0, len(table), (1000, len(table)))].sum(axis=1)
    precision = drawn[:, 1] / np.maximum(drawn[:, 1] + drawn[:, 2], 1)
    recall = drawn[:, 1] / np.maximum(drawn[:, 0], 1)
    row(
        name,
        str(total.changed),
        f"{total.precision():.2f} {interval(precision)}",
        f"{total.recall:.2f} {interval(recall)}",
        f"{total.precision(ONE_IN - 1):.2f}",
    )


def interval(values: Array) -> str:
    """Return a percentile interval."""
    low, high = np.quantile(values, [0.025, 0.975])
    return f"[{low:.2f}, {high:.2f}]"


def row(*cells: str) -> None:
    """Print a line of a table."""
    print("".join(cell.ljust(28) for cell in cells).rstrip())


def natural(options: argparse.Namespace) -> None:
    """Print how many sentences of references are doubted, by kind of doubt."""
    for data in options.data:
        counts: Counter[str] = Counter()
        total = 0
        for _, checked, claim, _ in _claims(data, options.split, _documents(data, options.limit)):
            total += 1
            found = checked.doubts(claim)
            counts.update({doubt.kind for doubt in found})
            counts.update(
                {f"level {name}" for name, test in LEVELS.items() if any(map(test, found))}
            )
        print(f"\n{data}: {total} sentences of references")
        for name, count in sorted(counts.items()):
            row(f"  {name}", f"{count / total:.3f}")


def people(options: argparse.Namespace) -> None:
    """Print correlations with the ratings of SummEval."""
    answerer, checker = models(options)
    scores: dict[str, list[float]] = defaultdict(list)
    groups: list[int] = []
    for number, example in enumerate(load("summeval", "test", limit=options.limit)):
        checked = Checked(example)
        for summary in example.extra["system_summaries"].values():
            found = measured(example, checked, summary["text"], answerer, checker)
            for name, value in found.items():
                scores[name].append(value)
            for rating in RATINGS:
                scores[f"rated {rating}"].append(summary["scores"][rating])
            groups.append(number)
    metrics = {name: values for name, values in scores.items() if not name.startswith("rated ")}
    for rating in RATINGS[: options.ratings]:
        show_agreement(rating, scores[f"rated {rating}"], metrics, groups)


def models(options: argparse.Namespace) -> tuple[Answerer | None, ClaimChecker | None]:
    """Return the models for APES and FactCC, if given."""
    answerer: Answerer | None = None
    checker: ClaimChecker | None = None
    if options.qa_model:
        from longsum.lab.checking.checkers import SpanAnswerer

        answerer = Remembered(SpanAnswerer.load(options.qa_model))
    if options.claim_model:
        from longsum.lab.checking.checkers import ClaimScorer

        checker = ClaimScorer.load(options.claim_model)
    return answerer, checker


def show_agreement(
    rating: str,
    ratings: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    groups: Sequence[int],
) -> None:
    """Print how each metric correlates with a rating; groups are the summaries' documents."""
    print(f"\n{rating}, {len(groups)} summaries of {len(set(groups))} documents")
    row("", "Pearson", "p", "Spearman", "p")
    for name, values in scores.items():
        pearson, spearman = correlations(values, ratings, groups)
        cells = (
            cell
            for each in (pearson, spearman)
            for cell in (
                f"{each.value:+.3f} [{each.low:+.2f}, {each.high:+.2f}]",
                f"{each.p_value:.4f}",
            )
        )
        row(name, *cells)


class Remembered:
    """Caches a model's answers, since the source's answers serve all systems."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        self._answers: dict[tuple[str, str], str] = {}

    def answer(self, question: str, context: str) -> str:
        """Return what the model answers."""
        asked = question, context
        if asked not in self._answers:
            self._answers[asked] = self._answerer.answer(question, context)
        return self._answers[asked]


def measured(
    example: Example,
    checked: Checked,
    text: str,
    answerer: Answerer | None,
    checker: ClaimChecker | None,
) -> dict[str, float]:
    """Return the measures of a system's summary; counts are per sentence, and negated."""
    sentences = [text[start:end] for start, end in split_sentences(text)]
    doubts = [doubt for sentence in sentences for doubt in checked.doubts(sentence)]
    size = max(len(sentences), 1)
    found = {
        f"no {kind}": -sum(each.kind == kind for each in doubts) / size
        for kind in get_args(DoubtKind)
    }
    found["no doubt that differs"] = -sum(map(is_swap, doubts)) / size
    found["no doubt at all"] = -len(doubts) / size
    if example.references:
        found["rouge2"] = rouge(text, example.references)["rouge2"].fmeasure
    source = [sentence.text for sentence in example.document.sentences]
    if answerer is not None and example.references:
        scores = ApesScorer(answerer).score(text, example.references[:1], source)
        found |= {"apes": scores.apes, "apes_src": scores.apes_src}
    if checker is not None:
        found["factcc"] = factcc(sentences, source, checker)[0]
    return found


def speed(options: argparse.Namespace) -> None:
    """Print the time that all checks take."""
    words, pool, summaries = 0, list(load("pmc_jats", "validation", limit=60)), []
    texts: list[list[str]] = []
    current: list[str] = []
    for example in pool * 10:
        current += [sentence.text for sentence in example.document.sentences]
        words = sum(len(text.split()) for text in current)
        if words >= 9000:
            texts.append(current)
            summaries.append(list(claims_of(example))[:12])
            current = []
        if len(texts) == options.limit:
            break
    began, count = perf_counter(), 0
    for document, summary in zip(texts, summaries, strict=True):
        aligner, verifier = Aligner(document), Verifier(document)
        for sentence in summary:
            cited = [alignment.sentence for alignment in aligner.align(sentence)]
            verifier.doubts(sentence, cited)
            count += 1
    seconds = perf_counter() - began
    print(f"{len(texts)} documents of 9,000 words, {count} sentences: {seconds:.1f} s")


def fit(options: argparse.Namespace) -> None:
    """Print weights and thresholds."""
    from sklearn.linear_model import LogisticRegression

    rows: dict[str, list[tuple[tuple[float, ...], bool, int, bool]]] = {"name": [], "number": []}
    number = 0
    for data in options.data:
        for example in load(data, "train", limit=options.limit):
            texts = [sentence.text for sentence in example.document.sentences]
            evidence, swaps, rng = Evidence(texts), Swaps(texts), Random(example.id)
            for claim in claims_of(example):
                for group, kinds in (("name", NAMED), ("number", NUMERIC)):
                    changed = swaps.swap(claim, kinds, rng)
                    if changed is None:
                        continue
                    number += 1
                    for text, is_changed in ((claim, False), (changed.text, True)):
                        for entity in entities(text):
                            if (entity.kind in NAMES) != (group == "name"):
                                continue
                            support = evidence.support(text, entity)
                            swapped = is_changed and (
                                entity.start < changed.end and changed.start < entity.end
                            )
                            if support.place >= 0 and support.rival_place >= 0:
                                rows[group].append((support.features, swapped, number, is_changed))
    for group, found in rows.items():
        model = LogisticRegression(C=10, max_iter=10_000)
        model.fit([each[0] for each in found], [each[1] for each in found])
        weights = np.round([model.intercept_[0], *model.coef_[0]], 2)
        features = np.array([each[0] for each in found])
        scores = 1 / (1 + np.exp(-(weights[0] + features @ weights[1:])))
        print(group, dict(zip(("bias", *FEATURES), weights.tolist(), strict=True)))
        print(f"  weights {tuple(weights.tolist())}, threshold {threshold(scores, found):.2f}")


def threshold(
    scores: Array, found: Sequence[tuple[object, bool, int, bool]], least: float = 0.9
) -> float:
    """Return the lowest threshold with at least this precision."""
    best: dict[tuple[int, bool], float] = defaultdict(float)
    for score, (_, _, number, is_changed) in zip(scores.tolist(), found, strict=True):
        best[number, is_changed] = max(best[number, is_changed], score)
    ordered = sorted(best.items(), key=lambda each: -each[1])
    chosen, right = 1.0, 0
    for taken, ((_, is_changed), score) in enumerate(ordered, start=1):
        right += is_changed
        if right / taken >= least:
            chosen = score
    return chosen


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    commands = parser.add_subparsers(required=True)
    for command, limit, data in (
        (detect, 120, tuple(LOOKED_AT)),
        (natural, 120, tuple(LOOKED_AT)),
        (people, 100, ()),
        (speed, 100, ()),
        (fit, 150, FITTED),
    ):
        one = commands.add_parser(command.__name__, help=command.__doc__)
        one.add_argument("--limit", type=int, default=limit, help="documents per data set")
        one.add_argument("--data", nargs="+", default=data, help="data sets")
        one.add_argument("--split", default="validation", help="never test")
        one.add_argument("--levels", nargs="+", default=[*LEVELS], choices=[*LEVELS])
        one.add_argument("--ratings", type=int, default=1, help="how many of SummEval's ratings")
        one.add_argument("--qa-model", type=Path, help="folder of a model for APES")
        one.add_argument("--claim-model", type=Path, help="folder of a model for FactCC")
        one.set_defaults(run=command)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
