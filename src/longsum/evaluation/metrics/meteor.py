"""METEOR (Lavie and Agarwal 2007), computed by nltk; MLS (§3 B) uses the same library."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.grounding.rouge_tokens import stem
from longsum.language.words import terms


def meteor(prediction: str, references: Sequence[str]) -> float:
    """Score a summary by words aligned with a reference: exact matches, stems or synonyms.

    Args:
        prediction: The summary.
        references: One or more reference summaries; the best score counts.

    Returns:
        A score in [0, 1]; 0 if one of the texts has no words. The weights are nltk's (α 0.9, β 3,
        γ 0.5). Words are `longsum.language.words.terms`, so that no nltk data is needed.

    Synonyms count only if nltk finds WordNet on this machine (it looks them up by the stem, so some
    are missed); nothing is ever downloaded. `meteor_variant` names the variant: do not mix the two
    in one table.

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
