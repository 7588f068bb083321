"""The system `kernels`: sentences by the kernels of MLS."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from longsum.common.arrays import Array, Mask
from longsum.core.extractive.selection import Ranking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked, focus_similarity
from longsum.core.kernels.fitted import FittedKernels, KernelSettings
from longsum.core.kernels.kernel import (
    KeywordKernel,
    RedundancyKernel,
    TopicKernel,
    combine,
    normalize,
)
from longsum.core.summaries import Explanation
from longsum.core.systems.system import Request, SystemKind

_TOPIC_WORDS = 10


def explain(kernels: FittedKernels, weights: Mapping[str, float]) -> Explanation:
    """Return the topics, the keywords with their frequencies, and the weights of the kernels."""
    keywords = kernels.keywords
    return Explanation(
        topics=kernels.topics.model.top_words(_TOPIC_WORDS),
        keywords=tuple(
            (str(keyword), float(frequency))
            for keyword, frequency in zip(keywords.keywords, keywords.frequencies[0], strict=True)
        ),
        weights=dict(weights),
    )


@dataclass(frozen=True, slots=True)
class KernelsConfig(KernelSettings):
    """Settings of the systems `kernels` and `mls`.

    Attributes:
        redundancy: Whether redundancy is measured against the sentences `chosen` so far or against
            the whole `document`, as in the paper.
        focus_weight: Share of the attention that goes to the focus, if there is one.
        prose_first: Whether captions, table rows and other fragments are chosen only when no full
            sentence is left (`longsum.documents.fitness.kinds`).
    """

    redundancy: Literal["chosen", "document"] = "chosen"
    focus_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    prose_first: bool = True


class Kernels(ExtractiveSummarizer[KernelsConfig]):
    """Selects sentences by the attention of three kernels, renormalized after each choice.

    The paper runs its kernels over a prototype summary; without a network to generate one, the
    prototype is the document itself, and copying is the only operation. Otherwise, the recipe `mls`
    follows the paper. The recipe `kernels` differs in two ways. Its redundancy kernel compares
    sentences with those chosen so far instead of the whole input: compared with the whole input, a
    sentence is penalized for resembling the document's theme, which topics and keywords reward;
    compared with the choices, it is penalized only for repeating them. It also prefers full
    sentences to fragments.
    """

    takes_focus = True

    def rank(self, request: Request) -> Ranked:
        """Fit the kernels to the document and rank its sentences."""
        config = self.config
        sentences = [sentence.text for sentence in request.document.sentences]
        fitted = FittedKernels.of(request.document, config, seed=request.seed)
        weights = fitted.multiplex(config).weights
        local = {
            TopicKernel.name: fitted.topics.attention(sentences),
            KeywordKernel.name: fitted.keywords.attention(sentences),
        }
        similarity, notices = focus_similarity(request, partial(_similarity, fitted))
        if similarity is not None:
            rest = 1 - config.focus_weight
            weights = {name: weight * rest for name, weight in weights.items()}
            weights["focus"] = config.focus_weight
            local["focus"] = normalize(similarity)
        ranking: Ranking
        if config.redundancy == "document":
            local[RedundancyKernel.name] = fitted.redundancy.attention(sentences)
            ranking = _AgainstDocument(local, weights)
        else:
            ranking = _AgainstChosen(local, weights, fitted.redundancy.present)
        material = np.array(
            [sentence.is_material for sentence in request.document.sentences], dtype=bool
        )
        return Ranked(
            ranking,
            preferred=material if config.prose_first else None,
            explanation=explain(fitted, weights),
            notices=notices,
        )


class _AgainstDocument:
    """Eq. 3 with fixed local attentions; chosen sentences are zeroed and the rest renormalized."""

    def __init__(self, local: Mapping[str, Array], weights: Mapping[str, float]) -> None:
        self._local = dict(local)
        self._weights = weights
        self._available: Mask = np.ones(len(next(iter(local.values()))), dtype=bool)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the attention over the remaining sentences and each kernel's share of it."""
        attention = combine(self._local, self._weights, self._available)
        return attention.probabilities, attention.shares

    def choose(self, sentence: int) -> None:
        """Zero a sentence out."""
        self._available[sentence] = False


class _AgainstChosen(_AgainstDocument):
    """As above, with redundancy as the largest cosine with any chosen sentence."""

    def __init__(
        self,
        local: Mapping[str, Array],
        weights: Mapping[str, float],
        vectors: Array,
    ) -> None:
        super().__init__(local, weights)
        self._vectors = vectors
        self._likeness = np.zeros(len(vectors))
        self._local[RedundancyKernel.name] = self._likeness

    def choose(self, sentence: int) -> None:
        """Zero a sentence out and penalize similar ones."""
        super().choose(sentence)
        np.maximum(self._likeness, self._vectors @ self._vectors[sentence], out=self._likeness)
        remaining = self._likeness * self._available
        total = remaining.sum()
        self._local[RedundancyKernel.name] = remaining / total if total > 0 else remaining


def _similarity(fitted: FittedKernels, focus: str) -> Array:
    """Return each sentence's cosine with the focus, clipped at 0: `[n]`."""
    vector = np.asarray(fitted.embed([focus]), dtype=np.float64)[0]
    similarity: Array = np.maximum(fitted.redundancy.present @ vector, 0.0)
    return similarity


KERNELS = SystemKind(KernelsConfig, Kernels)
