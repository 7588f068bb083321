"""BLEU of questions and of corpora."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from longsum.language.words import ngrams

BLEU_VARIANT = "BLEU-4, one text each, smoothing 2 (Lin and Och 2004), words and punctuation"
"""The variant that `bleu4` computes, to be reported with its numbers."""

_ORDERS = 4
_TOKEN = re.compile(r"\w+|[^\w\s]")


def bleu4(prediction: str, reference: str) -> float:
    """Score the n-grams of a text, up to four words, against a reference.

    Args:
        prediction: All generated questions, joined.
        reference: All reference questions, joined.

    Returns:
        The geometric mean of four clipped precisions times the brevity penalty, in [0, 1]; 0 if no
        word is shared.

    Equal to nltk's `sentence_bleu` with smoothing method 2: 1 is added to numerator and denominator
    of the precisions of bigrams and longer. (Up to version 3.5, which the paper used, nltk adds it
    to unigrams as well.) Tokens are lower-cased runs of letters and digits, and single punctuation
    marks; the released script uses spaCy's, which differ for "n't" and "U.S.".
    """
    own, other = (_TOKEN.findall(text.lower()) for text in (prediction, reference))
    precisions = []
    for order in range(1, _ORDERS + 1):
        counts, allowed = Counter(ngrams(own, order)), Counter(ngrams(other, order))
        shared = (counts & allowed).total()
        if order == 1 and not shared:
            return 0.0
        extra = int(order > 1)
        precisions.append((shared + extra) / (max(counts.total(), 1) + extra))
    brevity = min(1.0, math.exp(1 - len(other) / len(own)))
    return brevity * math.exp(math.fsum(map(math.log, precisions)) / _ORDERS)


def corpus_bleu(predictions: Sequence[str], references: Sequence[str]) -> float:
    """Score the n-grams of texts, up to four words, against their references.

    Equal to sacrebleu's with tokenize "none" and no smoothing, divided by 100, and to
    multi-bleu.perl, by which Rotowire systems are compared: counts are summed over all texts before
    precisions are taken. Tokens are what stands between spaces, as in the data.

    Args:
        predictions: The texts, tokenised.
        references: As many references.

    Returns:
        The geometric mean of the four clipped precisions times the brevity penalty, in [0, 1]; 0 if
        there are no n-grams of some order in common.

    Raises:
        ValueError: There are not as many texts as references.
    """
    shared, made = [0] * _ORDERS, [0] * _ORDERS
    lengths = [0, 0]
    for prediction, reference in zip(predictions, references, strict=True):
        own, other = prediction.split(), reference.split()
        lengths = [lengths[0] + len(own), lengths[1] + len(other)]
        for order in range(_ORDERS):
            counts = Counter(ngrams(own, order + 1))
            shared[order] += (counts & Counter(ngrams(other, order + 1))).total()
            made[order] += counts.total()
    if 0 in shared:
        return 0.0
    precision = math.fsum(math.log(right / all_) for right, all_ in zip(shared, made, strict=True))
    brevity = min(1.0, math.exp(1 - lengths[1] / lengths[0]))
    return brevity * math.exp(precision / _ORDERS)
