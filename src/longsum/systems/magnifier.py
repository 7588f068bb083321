"""The Pointer-Magnifier: from a prototype summary to one of an exact length (MLS, §2.2).

Each sentence of the prototype is copied, or gives way to sentences of the document that say more of
the same. What the paper leaves open, and what is done here, stands in docs/papers/mls.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from longsum.documents.model import Document
from longsum.kernels import Head, Multiplex
from longsum.kernels.fitted import FittedKernels, KernelSizes
from longsum.kernels.multiplex import check_weights
from longsum.language.embeddings import Embed
from longsum.language.words import count_words
from longsum.summaries import Budget, Explanation, Summary
from longsum.systems.expansion import Expansions
from longsum.systems.kernel_explanation import explain
from longsum.systems.magnifier_attention import Material
from longsum.systems.magnifier_steps import Magnification, Step
from longsum.systems.magnifier_topics import NO_TOPIC, Ints

Measure = Callable[[str], int]
"""What a sentence takes from a budget of words: its words, or its tokens to some tokenizer."""


@dataclass(frozen=True, slots=True)
class MagnifierConfig:
    """Settings of the Pointer-Magnifier.

    Attributes:
        topics_weight: Weight of the topic kernel; with the next two in [−1, 1], summing to 1. The
            paper learns them by grid search; the defaults are those of the system `mls`.
        keywords_weight: Weight of the keyword kernel.
        redundancy_weight: Weight of the redundancy kernel.
        sizes: Sizes of the kernels.
    """

    topics_weight: float = 0.9
    keywords_weight: float = 0.2
    redundancy_weight: float = -0.1
    sizes: KernelSizes = field(default_factory=KernelSizes)

    def __post_init__(self) -> None:
        check_weights([self.topics_weight, self.keywords_weight, self.redundancy_weight])


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
            of each of its sentences what stands for it in the document's order.
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
        config: MagnifierConfig | None = None,
        *,
        embed: Embed | None = None,
        seed: int = 0,
    ) -> None:
        """Fit the kernels to the document.

        Args:
            document: The document.
            prototype: A summary of it, written or extracted. A sentence that repeats another's
                words is passed over.
            config: The settings.
            embed: A sentence encoder; by default latent semantic analysis of the document.
            seed: Seed of whatever is random in the kernels.

        Raises:
            LongsumError: The weights do not sum to 1 or lie outside [−1, 1].
        """
        self.document = document
        self.config = config or MagnifierConfig()
        texts = (
            [sentence.text for sentence in prototype.sentences]
            if isinstance(prototype, Summary)
            else list(prototype)
        )
        first: dict[str, int] = {}
        for position, text in enumerate(texts):
            first.setdefault(_plain(text), position)
        self._positions = list(first.values())
        self._kernels = FittedKernels.of(document, self.config.sizes, embed=embed, seed=seed)
        self._material = self._prepare([texts[position] for position in self._positions])

    def magnify(self, budget: Budget, measure: Measure = count_words) -> Magnified:
        """Make the summary for a budget.

        The budget is never exceeded, and missed by less than the shortest sentence that is left: of
        the prototype, or, where all of that is there, of the document. A longer one covers all the
        top topics that a shorter one does.

        Args:
            budget: The length; words, or a share of the document.
            measure: What counts as length unless the budget counts sentences.
        """
        material = self._material
        if budget.unit == "sentences":
            measure = _one
        prototype_costs = _costs(material.prototype, measure)
        costs = _costs(material.sentences, measure)
        capacity = math.floor(budget.amount)
        if budget.unit == "percent":
            # Rounded first, as `Budget.capacity` does.
            capacity = math.floor(round(int(costs.sum()) * budget.amount / 100, 6))
        steps = Magnification(material, prototype_costs, costs, capacity).steps()
        pieces = self._arranged(steps)
        topics = {
            int(material.sentence_topics[sentence]) for step in steps for sentence in step.sentences
        } | {int(material.prototype_topics[step.place]) for step in steps if not step.sentences}
        return Magnified(
            pieces=tuple(pieces),
            steps=tuple(self._named(step) for step in steps),
            topics=frozenset(topics - {NO_TOPIC}),
            whole={_plain(piece.text) for piece in pieces}
            >= {_plain(sentence) for sentence in material.sentences},
        )

    @cached_property
    def explanation(self) -> Explanation:
        """What all choices rest on: the topics, the keywords and the weights of the kernels."""
        return explain(self._kernels, self._material.multiplex.weights)

    def _prepare(self, prototype: list[str]) -> Material:
        config, kernels, document = self.config, self._kernels, self.document
        sentences = [sentence.text for sentence in document.sentences]
        multiplex = Multiplex(
            [
                Head(kernels.topics, config.topics_weight),
                Head(kernels.keywords, config.keywords_weight),
                Head(kernels.redundancy, config.redundancy_weight),
            ]
        )
        similarity = np.maximum(
            np.asarray(kernels.embed(prototype), dtype=np.float64)
            @ np.asarray(kernels.embed(sentences), dtype=np.float64).T,
            0.0,
        )
        place = {_plain(text): number for number, text in enumerate(prototype)}
        first: dict[str, int] = {}
        first_like = [first.setdefault(_plain(text), n) for n, text in enumerate(sentences)]
        section_of = [document.section_of(number).number for number in range(len(sentences))]
        return Material(
            prototype=prototype,
            sentences=sentences,
            multiplex=multiplex,
            prototype_distances=multiplex.distances(prototype),
            sentence_distances=multiplex.distances(sentences),
            prototype_topics=kernels.topics.nearest(prototype),
            sentence_topics=kernels.topics.nearest(sentences),
            similarity=similarity,
            twins=np.array([place.get(_plain(text), -1) for text in sentences], dtype=np.int64),
            first_like=np.array(first_like, dtype=np.int64),
            expansions=Expansions(prototype, sentences, similarity, section_of),
        )

    def _arranged(self, steps: Sequence[Step]) -> list[Piece]:
        """Return the sentences by their place in the prototype, then by that in the document.

        A copied sentence that is none of the document's comes before those that fill in at its
        place.
        """
        material = self._material
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
        return [piece for *_, piece in sorted(placed, key=lambda found: found[:2])]

    def _named(self, step: Step) -> Step:
        """Return a step with positions in the prototype as it was given."""
        if not self._positions:
            return step
        runner_up = step.runner_up
        if step.operation != "fill" and runner_up is not None:
            runner_up = self._positions[runner_up]
        return replace(step, place=self._positions[step.place], runner_up=runner_up)


def _costs(texts: Sequence[str], measure: Measure) -> Ints:
    return np.array([measure(text) for text in texts], dtype=np.int64)


def _one(text: str) -> int:  # noqa: ARG001
    return 1


def _plain(text: str) -> str:
    """Return the text in small letters with single spaces, without its closing mark."""
    return " ".join(text.casefold().split()).rstrip(".?!")
