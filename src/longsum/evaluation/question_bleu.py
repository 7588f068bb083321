"""BLEU of questions (Papineni et al. 2002), as HIBRIDS reports it."""

import math
import re
from collections import Counter
from collections.abc import Sequence

BLEU_VARIANT = "BLEU-4, one text each, smoothing 2 (Lin and Och 2004), words and punctuation"
"""What `bleu4` computes, to be printed beside its numbers."""

_ORDERS = 4
_TOKEN = re.compile(r"\w+|[^\w\s]")


def bleu4(prediction: str, reference: str) -> float:
    """Score the n-grams of a text, up to four words, by a reference.

    Args:
        prediction: The text, all its questions in one.
        reference: What a person wrote.

    Returns:
        The geometric mean of four clipped precisions times the penalty for brevity, in [0, 1]; 0
        where no word is shared, so also where a side is empty.

    Equal to nltk's `sentence_bleu` with its smoothing method 2: 1 is added to numerator and
    denominator of the precisions of two words and more. (Up to its 3.5, which the paper used, nltk
    adds it to single words as well.) Tokens are lower-cased runs of letters and digits, and single
    signs; the released script's are spaCy's, which differ at "n't" and "U.S.".
    """
    own, other = (_TOKEN.findall(text.lower()) for text in (prediction, reference))
    precisions = []
    for order in range(1, _ORDERS + 1):
        counts, allowed = _ngrams(own, order), _ngrams(other, order)
        shared = (counts & allowed).total()
        if order == 1 and not shared:
            return 0.0
        extra = int(order > 1)
        precisions.append((shared + extra) / (max(counts.total(), 1) + extra))
    brevity = min(1.0, math.exp(1 - len(other) / len(own)))
    return brevity * math.exp(math.fsum(map(math.log, precisions)) / _ORDERS)


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[shift:] for shift in range(order)), strict=False))
