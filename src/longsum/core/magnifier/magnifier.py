"""The Pointer-Magnifier: turns a prototype summary into one of an exact length (MLS, §2.2).

Each sentence of the prototype is copied, or replaced with sentences of the document that elaborate
on it. Details that the paper leaves open are documented in docs/papers/mls.md.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from longsum.core.extractive.kernels import explain
from longsum.core.kernels.fitted import FittedKernels, KernelSettings, Multiplex
from longsum.core.magnifier.expansion import Expansions, Material
from longsum.core.magnifier.steps import NO_TOPIC, Magnification, Step
from longsum.core.summaries import Budget, Explanation, Summary
from longsum.core.summaries.summary import Importance
from longsum.documents.model import Document
from longsum.language.repeats import first_alike, plain


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence of a magnified summary.

    Attributes:
        text: The sentence.
        step: Index of the step that added it.
        prototype: Its position in the prototype if it was copied, else None.
        sentence: Its position in the document if it was not copied, else None.
    """

    text: str
    step: int
    prototype: int | None = None
    sentence: int | None = None


@dataclass(frozen=True, slots=True)
class Magnified:
    """A summary of the requested length, and the steps that produced it.

    Attributes:
        pieces: Its sentences in reading order: that of the prototype, with replacements of one of
            its sentences in document order; or simply document order, if the prototype is an
            extract in that order.
        steps: The steps, in order of execution. Positions refer to the prototype for its sentences,
            and to the document for the others.
        topics: The top topics that the summary covers.
        whole: Whether it contains the whole document.
    """

    pieces: tuple[Piece, ...]
    steps: tuple[Step, ...]
    topics: frozenset[int]
    whole: bool


class Magnifier:
    """Makes summaries of any length from one prototype and its document.

    Kernels, similarities and overlaps are computed once for all lengths.
    """

    def __init__(
        self,
        document: Document,
        prototype: Summary | Sequence[str],
        settings: KernelSettings | None = None,
        *,
        seed: int = 0,
    ) -> None:
        """Fit the kernels to the document.

        Args:
            document: The document.
            prototype: A summary of it, abstractive or extractive. Duplicate sentences are skipped.
            settings: Weights and sizes of the kernels.
            seed: Random seed of the kernels.
        """
        self.document = document
        settings = settings or KernelSettings()
        texts = (
            [sentence.text for sentence in prototype.sentences]
            if isinstance(prototype, Summary)
            else list(prototype)
        )
        self._positions = sorted(set(first_alike(texts).tolist()))
        self._kernels = FittedKernels.of(document, settings, seed=seed)
        self._material = self._prepare(
            [texts[position] for position in self._positions], self._kernels.multiplex(settings)
        )

    def weighed(self, settings: KernelSettings) -> "Magnifier":
        """Return a copy with other weights of the kernels, whose sizes stay the same."""
        other = copy(self)
        other._material = replace(self._material, multiplex=self._kernels.multiplex(settings))
        return other

    def magnify(self, budget: Budget) -> Magnified:
        """Make the summary for a budget.

        The budget is never exceeded, and the unused rest is smaller than the shortest remaining
        sentence: of the prototype, or of the document once the prototype is used up. A longer
        summary covers all top topics that a shorter one does.
        """
        material = self._material
        costs = np.array(budget.costs(self.document.sentences), dtype=np.int64)
        prototype_costs = np.array(
            [budget.cost(text) for text in material.prototype], dtype=np.int64
        )
        # A sentence of the prototype with the words of one in the document costs no less than it.
        copied = material.twins >= 0
        np.maximum.at(prototype_costs, material.twins[copied], costs[copied])
        steps = Magnification(
            material,
            self._expansions,
            prototype_costs,
            costs,
            budget.capacity(self.document),
        ).steps()
        pieces = self._arranged(steps)
        topics = {
            int(material.sentence_topics[sentence]) for step in steps for sentence in step.sentences
        } | {int(material.prototype_topics[step.place]) for step in steps if not step.sentences}
        return Magnified(
            pieces=tuple(pieces),
            steps=tuple(self._named(step) for step in steps),
            topics=frozenset(topics - {NO_TOPIC}),
            whole={plain(piece.text) for piece in pieces}
            >= {plain(sentence) for sentence in material.sentences},
        )

    @property
    def importance(self) -> Importance:
        """The importance of the document's sentences, their attention (Eq. 3)."""
        attention = self._material.multiplex.attention_at(self._material.sentence_distances)
        return Importance("the kernels", tuple(attention.probabilities.tolist()))

    @property
    def explanation(self) -> Explanation:
        """The topics, the keywords and the weights of the kernels."""
        return explain(self._kernels, self._material.multiplex.weights)

    def _prepare(self, prototype: list[str], multiplex: Multiplex) -> Material:
        kernels, document = self._kernels, self.document
        sentences = [sentence.text for sentence in document.sentences]
        similarity = np.maximum(
            np.asarray(kernels.embed(prototype), dtype=np.float64)
            @ np.asarray(kernels.embed(sentences), dtype=np.float64).T,
            0.0,
        )
        place = {plain(text): number for number, text in enumerate(prototype)}
        section_of = [document.section_of(number).number for number in range(len(sentences))]
        self._expansions = Expansions(prototype, sentences, similarity, section_of)
        return Material(
            prototype=prototype,
            sentences=sentences,
            multiplex=multiplex,
            prototype_distances=multiplex.distances(prototype),
            sentence_distances=multiplex.distances(sentences),
            prototype_topics=kernels.topics.nearest(prototype),
            sentence_topics=kernels.topics.nearest(sentences),
            similarity=similarity,
            twins=np.array([place.get(plain(text), -1) for text in sentences], dtype=np.int64),
            first_like=first_alike(sentences),
        )

    def _arranged(self, steps: Sequence[Step]) -> list[Piece]:
        """Return the sentences sorted by position in the prototype, then in the document.

        A copied sentence that is not in the document precedes those added at its position. If the
        prototype is an extract in document order, so is the result.
        """
        material = self._material
        extract = self._is_extract()
        placed = []
        for number, step in enumerate(steps):
            for sentence in step.sentences:
                piece = Piece(material.sentences[sentence], number, sentence=sentence)
                placed.append((step.place, sentence, piece))
            if step.operation == "copy":
                twins = np.flatnonzero(material.twins == step.place)
                text, position = material.prototype[step.place], self._positions[step.place]
                piece = Piece(text, number, prototype=position)
                placed.append((step.place, int(twins[0]) if len(twins) else -1, piece))
        placed.sort(key=lambda entry: (0 if extract else entry[0], entry[1]))
        return [piece for *_, piece in placed]

    def _is_extract(self) -> bool:
        """Return whether the prototype consists of the document's sentences, in their order."""
        twins = self._material.twins
        _, first = np.unique(twins[twins >= 0], return_index=True)
        places = np.flatnonzero(twins >= 0)[first]
        complete = len(places) == len(self._material.prototype)
        return complete and bool((np.diff(places) > 0).all())

    def _named(self, step: Step) -> Step:
        """Return a step with positions in the original prototype, which may have duplicates."""
        if not self._positions:
            return step
        runner_up = step.runner_up
        if step.operation != "fill" and runner_up is not None:
            runner_up = self._positions[runner_up]
        return replace(step, place=self._positions[step.place], runner_up=runner_up)
