"""The Pointer-Magnifier: from a prototype summary to one of an exact length (MLS, §2.2).

Each sentence of the prototype is copied, or gives way to sentences of the document that say more of
the same. What the paper leaves open, and what is done here, stands in docs/papers/mls.md.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from longsum.arrays import Places
from longsum.documents.model import Document
from longsum.kernels import Multiplex
from longsum.kernels.fitted import FittedKernels, KernelSettings
from longsum.language.embeddings import Embed
from longsum.language.repeats import first_alike, plain
from longsum.summaries import Budget, Explanation, Summary
from longsum.summaries.importance import Importance
from longsum.systems.extractive.kernel_explanation import explain
from longsum.systems.magnifier.expansion import Expansions
from longsum.systems.magnifier.probabilities import Material
from longsum.systems.magnifier.steps import Magnification, Step
from longsum.systems.magnifier.topics import NO_TOPIC


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence of a magnified summary.

    Attributes:
        text: The sentence.
        step: Position among the steps of the one that put it there.
        prototype: Its position in the prototype, of a copied sentence.
        sentence: Its position in the document, of any other.
    """

    text: str
    step: int
    prototype: int | None = None
    sentence: int | None = None


@dataclass(frozen=True, slots=True)
class Magnified:
    """A summary of the length asked for, and how it was made.

    Attributes:
        pieces: Its sentences in the order in which they are read: the prototype's, and at the place
            of each of its sentences what stands for it in the document's order; or the document's
            order alone, where the prototype has that.
        steps: What was done, in that order. The prototype's sentences are named by their positions
            in it, the document's by theirs.
        topics: The top topics that the summary covers.
        whole: Whether all of the document is there.
    """

    pieces: tuple[Piece, ...]
    steps: tuple[Step, ...]
    topics: frozenset[int]
    whole: bool


class Magnifier:
    """Makes summaries of any length from one prototype and its document.

    The kernels, the similarities and the overlaps are found once, whatever the number of lengths.
    """

    def __init__(
        self,
        document: Document,
        prototype: Summary | Sequence[str],
        settings: KernelSettings | None = None,
        *,
        embed: Embed | None = None,
        seed: int = 0,
    ) -> None:
        """Fit the kernels to the document.

        Args:
            document: The document.
            prototype: A summary of it, written or extracted. A sentence that repeats another's
                words is passed over.
            settings: Weights and sizes of the kernels.
            embed: A sentence encoder; by default latent semantic analysis of the document.
            seed: Seed of whatever is random in the kernels.
        """
        self.document = document
        settings = settings or KernelSettings()
        texts = (
            [sentence.text for sentence in prototype.sentences]
            if isinstance(prototype, Summary)
            else list(prototype)
        )
        self._positions = sorted(set(first_alike(texts).tolist()))
        self._kernels = FittedKernels.of(document, settings, embed=embed, seed=seed)
        self._material = self._prepare(
            [texts[position] for position in self._positions], self._kernels.multiplex(settings)
        )

    def weighed(self, settings: KernelSettings) -> "Magnifier":
        """Return the same with other weights; the sizes of the kernels stay as they are."""
        found = copy(self)
        found._material = replace(self._material, multiplex=self._kernels.multiplex(settings))
        return found

    def magnify(self, budget: Budget) -> Magnified:
        """Make the summary for a budget.

        The budget is never exceeded, and missed by less than the shortest sentence that is left: of
        the prototype, or, where all of that is there, of the document. A longer one covers all the
        top topics that a shorter one does.

        Args:
            budget: The length.
        """
        material = self._material
        steps = Magnification(
            material,
            self._expansions,
            _costs(material.prototype, budget),
            _costs(material.sentences, budget),
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
        """The importance of the document's sentences: the attention over all of them (Eq. 3)."""
        attention = self._material.multiplex.attention_at(self._material.sentence_distances)
        return Importance("the kernels", tuple(attention.probabilities.tolist()))

    @property
    def explanation(self) -> Explanation:
        """What all choices rest on: the topics, the keywords and the weights of the kernels."""
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
        """Return the sentences by their place in the prototype, then by that in the document.

        A copied sentence that is none of the document's comes before those that fill in at its
        place. A prototype in the document's own words and order leaves all in that order.
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
        order = sorted(placed, key=lambda found: (0 if extract else found[0], found[1]))
        return [piece for *_, piece in order]

    def _is_extract(self) -> bool:
        """Tell whether the prototype consists of the document's sentences, in their order."""
        twins = self._material.twins
        _, first = np.unique(twins[twins >= 0], return_index=True)
        there = np.flatnonzero(twins >= 0)[first]
        complete = len(there) == len(self._material.prototype)
        return complete and bool((np.diff(there) > 0).all())

    def _named(self, step: Step) -> Step:
        """Return a step with positions in the prototype as it was given."""
        if not self._positions:
            return step
        runner_up = step.runner_up
        if step.operation != "fill" and runner_up is not None:
            runner_up = self._positions[runner_up]
        return replace(step, place=self._positions[step.place], runner_up=runner_up)


def _costs(texts: Sequence[str], budget: Budget) -> Places:
    return np.array([budget.cost(text) for text in texts], dtype=np.int64)
