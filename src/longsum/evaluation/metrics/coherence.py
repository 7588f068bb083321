"""Coherence of a summary compared with its document (MLS, §3 B, Table 3)."""

from collections.abc import Sequence

import numpy as np

from longsum.language.embeddings import Embed, LatentSemanticAnalysis
from longsum.language.sentences import sentence_texts


def coherence_difference(summary: str, document: str, embed: Embed | None = None) -> float:
    """Return |coherence of the summary − coherence of the document|, in [0, 2]; lower is better.

    Args:
        summary: The summary.
        document: Its document.
        embed: Sentence encoder. MLS does not name its own; the default is latent semantic analysis
            fitted to the document, which needs no model.
    """
    summary_sentences, document_sentences = sentence_texts(summary), sentence_texts(document)
    embed = embed or LatentSemanticAnalysis.fit(document_sentences)
    return abs(coherence(summary_sentences, embed) - coherence(document_sentences, embed))


def coherence(sentences: Sequence[str], embed: Embed) -> float:
    """Return the mean cosine similarity of consecutive sentences, in [−1, 1].

    A zero vector has cosine 0 with any other. Fewer than two sentences have no consecutive pair;
    not stated in the paper, we return 0.
    """
    if len(sentences) < 2:
        return 0.0
    vectors = np.asarray(embed(sentences), dtype=np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(norms > 0, norms, 1.0)
    return float((units[:-1] * units[1:]).sum(axis=1).mean())
