"""The sentences of a document that a reference is about (HEPOS §5, App. B)."""

from collections.abc import Sequence
from itertools import pairwise

from longsum.evaluation.overlap import ClippedOverlap
from longsum.evaluation.rouge_tokens import rouge_tokens


def rouge2_context(sentences: Sequence[str], reference: str) -> list[int]:
    """Choose sentences greedily, each the one that most increases ROUGE-2 recall.

    Args:
        sentences: The document's sentences.
        reference: The reference summary, or a sentence of it.

    Returns:
        Their positions in the document's order; of equally good sentences the earliest is chosen.
        It ends when none increases recall, so no sentence shares no bigram with the reference.
        Bigrams across sentence boundaries do not count; the papers do not say.
    """
    candidates = [list(pairwise(rouge_tokens(sentence))) for sentence in sentences]
    overlap = ClippedOverlap(list(pairwise(rouge_tokens(reference))), candidates)
    chosen: list[int] = []
    while len(chosen) < len(sentences) and overlap.gains.max() > 0:
        best = int(overlap.gains.argmax())
        chosen.append(best)
        overlap.add(candidates[best])
    return sorted(chosen)


def context_of(sentences: Sequence[str], reference: str) -> str:
    """Return the text of the sentences that `rouge2_context` chooses."""
    return " ".join(sentences[place] for place in rouge2_context(sentences, reference))
