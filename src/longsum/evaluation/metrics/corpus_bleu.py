"""BLEU of a corpus (Papineni et al. 2002), as table-to-text systems report it."""

import math
from collections import Counter
from collections.abc import Sequence

from longsum.language.words import ngrams

_ORDERS = 4


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
