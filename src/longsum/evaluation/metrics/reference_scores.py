"""Agreement of a text with references: ROUGE, METEOR and BLEU, overall and by aspect."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import rouge_tokens, stem
from longsum.evaluation.aspects import Labelled
from longsum.language.sentences import sentence_texts
from longsum.language.words import ngrams, terms

METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
"""Unigrams; bigrams; the longest common subsequence of the whole texts; the union of the longest
common subsequences of sentences. The last two differ widely and are often confused."""


@dataclass(frozen=True, slots=True)
class Score:
    """One ROUGE score; each part is in [0, 1], and 0 if one of the texts has no tokens."""

    precision: float
    recall: float
    fmeasure: float


def rouge_variant() -> str:
    """Return how ROUGE is computed, in one line, to be reported with every score."""
    package = f"rouge-score {version('rouge-score')}"
    return f"{package}|stem=yes|Lsum=union-LCS over nupunkt sentences|F1"


def rouge(prediction: str, references: Sequence[str]) -> Mapping[str, Score]:
    """Score a summary by the n-grams and subsequences that it shares with references.

    Tokens are stemmed by Porter's stemmer, as in most papers. With several references, each metric
    takes the one with the highest F, the first of equal ones, like `score_multi` of the package.

    Raises:
        LongsumError: There is no reference.
    """
    if not references:
        raise LongsumError("ROUGE needs at least one reference summary; give one.")
    scores = _scorer(METRICS[:3]).score_multi(references, prediction)
    # Separate from the others, since it takes one sentence per line.
    scores |= _scorer(METRICS[3:]).score_multi(
        [_one_sentence_a_line(reference) for reference in references],
        _one_sentence_a_line(prediction),
    )
    return {
        name: Score(*(float(scores[name][part]) for part in range(3)))  # ints if a side is empty
        for name in METRICS
    }


def _one_sentence_a_line(text: str) -> str:
    return "\n".join(" ".join(sentence.split()) for sentence in sentence_texts(text))


class _Tokenizer:
    def tokenize(self, text: str) -> list[str]:
        return rouge_tokens(text)


@cache
def _scorer(metrics: tuple[str, ...]) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(metrics), tokenizer=_Tokenizer())


def meteor(prediction: str, references: Sequence[str]) -> float:
    """Score a summary by words aligned with a reference: exact matches, stems or synonyms.

    With several references, the best score counts.

    Returns:
        A score in [0, 1]; 0 if one of the texts has no words. The weights are nltk's (α 0.9, β 3,
        γ 0.5). Words are `longsum.language.words.terms`, so that no nltk data is needed.

    Synonyms count only if nltk finds WordNet on this machine (and it misses some, as it looks them
    up by the stem); nothing is ever downloaded. `meteor_variant` names the variant: do not mix the
    two in one table.

    Raises:
        LongsumError: There is no reference.
    """
    if not references:
        raise LongsumError("METEOR needs at least one reference summary; give one.")
    from nltk.translate.meteor_score import meteor_score

    wordnet = _installed_wordnet() or _NoSynonyms()
    tokens = [terms(reference) for reference in references]
    return float(meteor_score(tokens, terms(prediction), stemmer=_Stemmer(), wordnet=wordnet))


def meteor_variant() -> str:
    """Return the variant that `meteor` computes on this machine, to be reported with scores."""
    if _installed_wordnet() is None:
        return "METEOR (nltk; exact+stem, reduced: no WordNet)"
    return "METEOR (nltk; exact+stem+WordNet synonyms)"


class _NoSynonyms:
    def synsets(self, _: str) -> tuple[()]:
        return ()


class _Stemmer:
    def stem(self, word: str) -> str:
        return stem(word)


@cache
def _installed_wordnet() -> Any | None:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None
    return wordnet


BLEU_VARIANT = "BLEU-4, one text each, smoothing 2 (Lin and Och 2004), words and punctuation"
"""The variant that `bleu4` computes, to be reported with its numbers."""

_ORDERS = 4
_TOKEN = re.compile(r"\w+|[^\w\s]")


def bleu4(prediction: str, reference: str) -> float:
    """Score the n-grams of a text, up to four words, against a reference.

    The questions of each tree are joined into one text.

    Returns:
        The geometric mean of four clipped precisions times the brevity penalty, in [0, 1]; 0 if no
        word is shared.

    Equal to nltk's `sentence_bleu` with smoothing method 2: 1 is added to numerator and denominator
    of the precisions of bigrams and longer n-grams. (Up to version 3.5, which the paper used, nltk
    adds it to unigrams as well.) Tokens are lower-cased runs of letters and digits, and single
    punctuation marks; the released script uses spaCy's, which differ for "n't" and "U.S.".
    """
    predicted, expected = (_TOKEN.findall(text.lower()) for text in (prediction, reference))
    precisions = []
    for order in range(1, _ORDERS + 1):
        counts, allowed = Counter(ngrams(predicted, order)), Counter(ngrams(expected, order))
        shared = (counts & allowed).total()
        if order == 1 and not shared:
            return 0.0
        extra = int(order > 1)
        precisions.append((shared + extra) / (max(counts.total(), 1) + extra))
    brevity = min(1.0, math.exp(1 - len(expected) / len(predicted)))
    return brevity * math.exp(math.fsum(map(math.log, precisions)) / _ORDERS)


def corpus_bleu(predictions: Sequence[str], references: Sequence[str]) -> float:
    """Score the n-grams of texts, up to four words, against their references.

    Equal to sacrebleu's with tokenize "none" and no smoothing, divided by 100, and to
    multi-bleu.perl, by which Rotowire systems are compared: counts are summed over all texts before
    precisions are taken. Tokens are separated by spaces, as in the data.

    The texts are tokenised, and there is one reference for each.

    Returns:
        The geometric mean of the four clipped precisions times the brevity penalty, in [0, 1]; 0 if
        no n-grams of some order are shared.

    Raises:
        ValueError: The numbers of texts and references differ.
    """
    shared, total = [0] * _ORDERS, [0] * _ORDERS
    length = reference_length = 0
    for prediction, reference in zip(predictions, references, strict=True):
        predicted, expected = prediction.split(), reference.split()
        length += len(predicted)
        reference_length += len(expected)
        for order in range(_ORDERS):
            counts = Counter(ngrams(predicted, order + 1))
            shared[order] += (counts & Counter(ngrams(expected, order + 1))).total()
            total[order] += counts.total()
    if 0 in shared:
        return 0.0
    logarithms = (math.log(part / whole) for part, whole in zip(shared, total, strict=True))
    brevity = min(1.0, math.exp(1 - reference_length / length))
    return brevity * math.exp(math.fsum(logarithms) / _ORDERS)


ASPECTS_VARIANT = (
    "aspects: ROUGE recall of the reference's sentences of an aspect, by its labels (HEPOS, Table "
    "11); source: per cent of the words from its sections"
)
"""The variant of the scores, to be reported with them."""


def aspect_recall(summary: str, references: Sequence[Labelled]) -> dict[str, dict[str, float]]:
    """Return the recall of each aspect of the references by the whole summary.

    HEPOS has judges rate whether a summary covers the important information of an aspect of the
    reference; this is the same question put to ROUGE. The summary needs no labels.

    Args:
        summary: The summary.
        references: The references that have aspects, one or more.

    Returns:
        For each aspect in a reference, recall by `rouge1` and `rouge2`, in [0, 1]; the highest
        among several references.
    """
    recalls: dict[str, dict[str, float]] = {}
    for reference in references:
        for aspect, text in reference.texts().items():
            scores = rouge(summary, [text])
            best = recalls.setdefault(aspect, {"rouge1": 0.0, "rouge2": 0.0})
            for name in best:
                best[name] = max(best[name], scores[name].recall)
    return recalls


def aspect_shares(
    words: Sequence[int], sections: Sequence[int | None], aspects: Sequence[str | None]
) -> dict[str, float]:
    """Return the share of a summary's words from the document's sections of each aspect.

    Args:
        words: Words of each sentence of the summary.
        sections: Number of the section that each sentence is from; None if it has no source.
        aspects: Aspect of each section of the document (`section_aspects`).

    Returns:
        A share in [0, 1] for each aspect that a section has, of all words of the summary; 0 for a
        summary without words.
    """
    shares = {aspect: 0.0 for aspect in aspects if aspect is not None}
    for count, section in zip(words, sections, strict=True):
        aspect = None if section is None else aspects[section]
        if aspect is not None:
            shares[aspect] += count / sum(words)
    return shares
