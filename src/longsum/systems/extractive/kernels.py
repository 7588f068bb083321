"""Selection by interpretable kernels over the document's own sentences (MLS, §2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from longsum.arrays import Array, Mask
from longsum.kernels import KeywordKernel, RedundancyKernel, TopicKernel, combine, normalize
from longsum.kernels.fitted import FittedKernels, KernelSettings
from longsum.language.embeddings import Embed
from longsum.language.prose import are_prose
from longsum.summaries import Notice
from longsum.systems.extractive.kernel_explanation import explain
from longsum.systems.extractive.selection import Ranking
from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Ranked, unlike_focus
from longsum.systems.system import Request


@dataclass(frozen=True, slots=True)
class KernelsConfig(KernelSettings):
    """Settings of the systems `kernels` and `mls`.

    Attributes:
        redundancy: What redundancy is measured against: what is `chosen` already, or all of the
            `document`, as in the paper.
        focus_weight: Part of the attention that goes to a focus, where one is given.
        prose_first: Choose captions, table rows and other fragments only when no sentence proper
            is left (`longsum.language.prose`).
    """

    redundancy: Literal["chosen", "document"] = "chosen"
    focus_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    prose_first: bool = True


class Kernels(ExtractiveSummarizer):
    """Chooses sentences by the attention of three kernels, renormalized after each choice.

    The paper runs its kernels over a prototype summary; with no network to write one, the
    prototype is the document itself, so that copying is the only operation. The recipe `mls`
    follows the paper to the letter otherwise. The recipe `kernels` differs in two things. Its third
    kernel holds what has been chosen so far instead of the whole input: against the whole input a
    sentence is marked down for resembling the document's theme, which is what topics and keywords
    reward; against the choices it is marked down only for repeating them. And it prefers sentences
    proper to fragments.
    """

    takes_focus = True

    def __init__(self, name: str, config: KernelsConfig, embed: Embed | None = None) -> None:
        """Make the system.

        Args:
            name: Name of the recipe.
            config: Its settings.
            embed: A sentence encoder for redundancy and focus; by default latent semantic analysis
                of the document.
        """
        super().__init__(name, config)
        self._config = config
        self._embed = embed

    def rank(self, request: Request) -> Ranked:
        """Fit the kernels to the document and rank its sentences."""
        config = self._config
        sentences = [sentence.text for sentence in request.document.sentences]
        fitted = FittedKernels.of(request.document, config, embed=self._embed, seed=request.seed)
        weights = fitted.multiplex(config).weights
        local = {
            TopicKernel.name: fitted.topics.attention(sentences),
            KeywordKernel.name: fitted.keywords.attention(sentences),
        }
        notices: tuple[Notice, ...] = ()
        if request.focus is not None:
            likeness = _likeness(request.focus, fitted)
            if likeness.any():
                kept = 1 - config.focus_weight
                weights = {name: weight * kept for name, weight in weights.items()}
                weights["focus"] = config.focus_weight
                local["focus"] = normalize(likeness)
            else:
                notices = (unlike_focus(request.focus),)
        ranking: Ranking
        if config.redundancy == "document":
            local[RedundancyKernel.name] = fitted.redundancy.attention(sentences)
            ranking = _AgainstDocument(local, weights)
        else:
            ranking = _AgainstChosen(local, weights, fitted.redundancy.present)
        prose = np.array(are_prose(sentences))
        return Ranked(
            ranking,
            preferred=prose if config.prose_first else None,
            explanation=explain(fitted, weights),
            notices=notices,
        )


class _AgainstDocument:
    """Eq. 3 with fixed local attentions, the chosen zeroed and the rest renormalized."""

    def __init__(self, local: Mapping[str, Array], weights: Mapping[str, float]) -> None:
        self._local = dict(local)
        self._weights = weights
        self._available: Mask = np.ones(len(next(iter(local.values()))), dtype=bool)

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the attention over what is left, and each kernel's share of it."""
        attention = combine(self._local, self._weights, self._available)
        return attention.probabilities, attention.shares

    def choose(self, sentence: int) -> None:
        """Zero a sentence out."""
        self._available[sentence] = False


class _AgainstChosen(_AgainstDocument):
    """As above, with redundancy measured against the choices: the largest cosine with any."""

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
        """Zero a sentence out and mark down what resembles it."""
        super().choose(sentence)
        np.maximum(self._likeness, self._vectors @ self._vectors[sentence], out=self._likeness)
        remaining = self._likeness * self._available
        total = remaining.sum()
        self._local[RedundancyKernel.name] = remaining / total if total > 0 else remaining


def _likeness(focus: str, fitted: FittedKernels) -> Array:
    """Return each sentence's cosine with the focus, negative ones as 0: `[n]`."""
    vector = np.asarray(fitted.embed([focus]), dtype=np.float64)[0]
    likeness: Array = np.maximum(fitted.redundancy.present @ vector, 0.0)
    return likeness
