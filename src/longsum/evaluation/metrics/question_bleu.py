"""BLEU of questions (Papineni et al. 2002), as HIBRIDS reports it."""

import math
import re
from collections import Counter

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
