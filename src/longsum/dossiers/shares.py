"""How much of a summary each document gets: as much as it says that the others do not."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from longsum.core.extractive.focus import bm25
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.language.words import content_terms

Sharing = Callable[[Dossier, str | None], Sequence[float]]
"""Returns the share of each document, above 0; they add up to 1."""

_LEAST = 1e-9
Texts = Sequence[list[list[str]]]
"""The terms of the sentences of each document."""


def shares(dossier: Dossier, focus: str | None = None) -> list[float]:
    """Return the share of the summary that each document gets; they are above 0 and add up to 1.

    A document contains its content words, each counted once and divided among the documents that
    have it, so that what two say counts half for each. Shares are in proportion to the square root
    of that: between equal ones and those by length, closer to what people give to each than
    either (docs/dossiers.md); a short document is not drowned by a long one. With a focus, only the
    sentences that have its words count, if any has.

    Time is linear in the text.
    """
    texts: Texts = [_texts(member.document) for member in dossier.members]
    if focus is not None:
        texts = _about(texts, content_terms(focus))
    own = [{term for text in each for term in text} for each in texts]
    held = Counter(term for terms in own for term in terms)
    worth = [math.sqrt(sum(1 / held[term] for term in terms)) or _LEAST for terms in own]
    whole = sum(worth)
    return [each / whole for each in worth]


def _texts(document: Document) -> list[list[str]]:
    """Return the content terms of each sentence of material, or of all if there is none."""
    material = [each for each in document.sentences if each.is_material] or document.sentences
    return [content_terms(each.text) for each in material]


def _about(texts: Texts, focus: list[str]) -> Texts:
    """Return the sentences that have words of a focus; all if none has."""
    scores = iter(bm25([text for each in texts for text in each], focus).tolist())
    kept = [[text for text in each if next(scores) > 0] for each in texts]
    return kept if any(kept) else texts
