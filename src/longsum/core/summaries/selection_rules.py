"""What a selection does for the sake of readers, as settings of a system."""

from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Mask, Places
from longsum.core.summaries.acronym_expansion import Lengths
from longsum.core.summaries.budget import Fill
from longsum.documents.fitness.context import ContextDependence
from longsum.documents.fitness.fitness import Fitness
from longsum.language.repeats import Repetitions


@dataclass(frozen=True, eq=False)
class Aids:
    """What a selection knows of a document for the sake of readers; by default nothing.

    Attributes:
        context: Which sentences need others; None if all stand by themselves.
        repetitions: Which sentences say almost the same; None if only those with the same words.
        lengths: What each sentence adds to a summary; None for its cost, whatever the others are.
        material: Which sentences summaries are made of, `[n]`; None for all.
        fill: Whether the length may be left unfilled rather than padded.
    """

    context: ContextDependence | None = None
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

    def aids(
        self, fitness: Fitness, preferred: Mask | Places | None, lengths: Lengths | None = None
    ) -> Aids:
        """Return what a selection has to know of a document.

        Args:
            fitness: What speaks against its sentences.
            preferred: Preference level of each sentence, `[n]`; None if all are equal.
            lengths: What each sentence adds to a summary; None for its cost.
        """
        context = None
        if self.self_contained:
            levels = np.ones(len(fitness.texts)) if preferred is None else preferred
            context = fitness.context(levels.astype(np.int64), say_once=self.say_once)
        return Aids(
            context,
            fitness.repetitions if self.say_once else None,
            lengths,
            fitness.material if self.fill == "sensible" else None,
            self.fill,
        )
