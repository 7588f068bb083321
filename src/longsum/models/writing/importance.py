"""The importance of a source's tokens (Pang et al. 2022, §2.3, AdaPool), words and sentences."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.summaries.summary import Importance, Word
from longsum.documents.model import Document
from longsum.language.words import placed_terms
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.tasks.source import (
    NOWHERE,
    EncodedSource,
    SourceFormat,
    encode_source,
    reads_sections,
)

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tagger:
    """A trained tagger of important tokens.

    Attributes:
        model: The tagger.
        tokenizer: Its tokenizer.
        form: Format of a source that the tagger reads by itself.
        folder: Where it was loaded from.
        reference: None, since it reads no reference summary.
    """

    model: LongsumTagger
    tokenizer: PreTrainedTokenizerBase
    form: SourceFormat
    folder: ModelFolder
    reference: None = None
    reads_reference: ClassVar[bool] = False

    @property
    def made_by(self) -> str:
        """What computes the importance: the tagger's name."""
        return f"the tagger '{self.folder.name}'"

    @property
    def settings(self) -> dict[str, Any]:
        """Its name and the hash of its weights."""
        return {"tagger": self.folder.name, "tagger_sha256": self.folder.weights_sha256}

    @torch.inference_mode()
    def weights(self, source: EncodedSource) -> Floats:
        """Return the probability that each token is important, `[n]`.

        Raises:
            LongsumError: The source exceeds the tagger's maximum length.
        """
        columns = {"input_ids": source.ids}
        if reads_sections(self.model.config):
            columns |= {
                "section_of": source.section_of,
                "section_parents": source.section_parents,
            }
        inputs = {
            name: torch.from_numpy(column.astype(np.int64))[None].to(self.model.device)
            for name, column in columns.items()
        }
        probabilities: Floats = self.model(**inputs).logits[0].float().sigmoid().cpu().numpy()
        return probabilities

    def importance(self, document: Document) -> Importance:
        """Return the importance of a document's words and sentences within the tagger's limit."""
        source = encode_source(document, self.tokenizer, self.form)
        return importance_of(document, source, self.weights(source), self.made_by)


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """The oracle's labels, computed from the reference summary (OracleAdaPool)."""

    reference: str | None = None
    reads_reference: ClassVar[bool] = True

    @property
    def made_by(self) -> str:
        """What the importance comes from: the reference."""
        return "the words of the reference summary"

    @property
    def settings(self) -> dict[str, Any]:
        """What the importance comes from, and that it is only for evaluation."""
        return {"importance": f"{self.made_by} (evaluation only)"}

    def weights(self, source: EncodedSource) -> Floats:
        """Return the labels, `[n]`.

        Raises:
            LongsumError: There is no reference.
        """
        if self.reference is None:
            raise LongsumError(
                "This system reads the importance of words off the reference summary, so it "
                "works only in 'longsum evaluate'; choose another system."
            )
        return source.important.astype(np.float32)


Weigher = Tagger | ReferenceWords
"""Computes the importance of source tokens for a model that is conditioned on it."""


def importance_of(
    document: Document, source: EncodedSource, weights: Floats, made_by: str
) -> Importance:
    """Return the importance of words and sentences as means over their tokens.

    `weights` are those of the tokens, `[n]`, and `made_by` is the name of what computed them.
    """
    inside = source.sentence_of != NOWHERE
    sentence_of, weights = source.sentence_of[inside], weights[inside].astype(np.float64)
    total = len(document.sentences)
    counts = np.bincount(sentence_of, minlength=total)
    sums = np.bincount(sentence_of, weights, minlength=total)
    # A token may begin with the space before its word, so its last character decides.
    last = np.maximum(source.spans[inside, 0], source.spans[inside, 1] - 1)
    words = []
    for place in np.flatnonzero(counts).tolist():
        sentence = document.sentences[place]
        for start, end, _ in placed_terms(sentence.text):
            span = sentence.start + start, sentence.start + end
            first, after = np.searchsorted(last, span).tolist()
            if after > first:
                words.append(Word(*span, float(weights[first:after].mean())))
    pairs = zip(sums.tolist(), counts.tolist(), strict=True)
    means = tuple(total / count if count else None for total, count in pairs)
    return Importance(made_by, means, tuple(words))
