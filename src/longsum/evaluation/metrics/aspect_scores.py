"""How much of each aspect of a structured reference a summary says (HEPOS §6.4, D)."""

from collections.abc import Sequence

from longsum.evaluation.aspects import Labelled
from longsum.evaluation.metrics.rouge import rouge

ASPECTS_VARIANT = (
    "aspects: ROUGE recall of the reference's sentences of an aspect, by its labels (HEPOS, Table "
    "11); source: per cent of the words from its sections"
)
"""The variant of the scores, to be reported with them."""


def aspect_recall(summary: str, references: Sequence[Labelled]) -> dict[str, dict[str, float]]:
    """Return what the whole summary recalls of each aspect of the references.

    HEPOS has judges rate whether a summary covers the important information of an aspect of the
    reference; this is the same question put to ROUGE. The summary needs no labels.

    Args:
        summary: The summary.
        references: The references that have aspects, one or more.

    Returns:
        For each aspect that a reference has, recall by `rouge1` and `rouge2`, in [0, 1]; of several
        references the highest.
    """
    found: dict[str, dict[str, float]] = {}
    for reference in references:
        for aspect, text in reference.texts().items():
            scores = rouge(summary, [text])
            best = found.setdefault(aspect, {"rouge1": 0.0, "rouge2": 0.0})
            for name in best:
                best[name] = max(best[name], scores[name].recall)
    return found


def aspect_shares(
    words: Sequence[int], sections: Sequence[int | None], aspects: Sequence[str | None]
) -> dict[str, float]:
    """Return what share of a summary's words comes from the document's sections of each aspect.

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
