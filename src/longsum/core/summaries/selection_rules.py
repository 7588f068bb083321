"""What a selection does for the sake of readers, as settings of a system."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Mask, Places
from longsum.core.summaries.acronym_expansion import Lengths, Spelling
from longsum.core.summaries.budget import Fill
from longsum.documents.context_dependence import ContextDependence
from longsum.documents.model import Document
from longsum.language.repeats import Repetitions


@dataclass(frozen=True, eq=False)
class Aids:
    """What a selection knows of a document for the sake of readers; by default nothing.

    Attributes:
        standing: Which sentences need others; None if all stand by themselves.
        repetitions: Which sentences say almost the same; None if only those with the same words.
        lengths: What each sentence adds to a summary; None for its cost, whatever the others are.
        material: Which sentences summaries are made of, `[n]`; None for all.
        fill: Whether the length may be left unfilled rather than padded.
    """

    standing: ContextDependence | None = None
    repetitions: Repetitions | None = None
    lengths: Lengths | None = None
    material: Mask | None = None
    fill: Fill = "strict"


@dataclass(frozen=True, slots=True)
class SelectionRules:
    """Settings of a selection; by default it is as the papers have it.

    Attributes:
        self_contained: Whether a sentence that needs the one before it is chosen only with it, or
            after it, while others are left.
        say_once: Whether sentences that say almost the same as a chosen one are left out; those
            with the same words always are.
        spell_out: Whether acronyms are spelled out at first use, as the document defines them.
        fill: Whether the length may be left unfilled rather than padded.
    """

    self_contained: bool = False
    say_once: bool = False
    spell_out: bool = False
    fill: Fill = "strict"

    def spelling(self, document: Document, texts: Sequence[str]) -> Spelling | None:
        """Return the acronyms of a document, if they are to be spelled out; see `Spelling.of`."""
        return Spelling.of(document, texts) if self.spell_out else None

    def aids(
        self,
        document: Document,
        texts: Sequence[str],
        preferred: Mask | Places | None,
        lengths: Lengths | None = None,
    ) -> Aids:
        """Return what a selection has to know of a document.

        Args:
            document: The document.
            texts: What a summary says for each of its sentences: one that is shortened may stand
                by itself where the whole does not.
            preferred: Preference level of each sentence, `[n]`; None if all are equal.
            lengths: What each sentence adds to a summary; None for its cost.
        """
        sentences = document.sentences
        repetitions = Repetitions(texts) if self.say_once else None
        standing = None
        if self.self_contained:
            equal = np.ones(len(sentences), dtype=np.int64)
            levels = equal if preferred is None else preferred.astype(np.int64)
            standing = ContextDependence.of(document, texts, levels, repetitions)
        material = None
        if self.fill == "sensible":
            material = np.array([sentence.is_material for sentence in sentences])
        return Aids(standing, repetitions, lengths, material, self.fill)
