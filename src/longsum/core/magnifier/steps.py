"""Copy, expand and fill: the steps from a prototype to a summary of given length (MLS, §2.2 C)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from longsum.common.arrays import Mask, Places
from longsum.core.extractive.selection import best_two
from longsum.core.kernels.kernel import Attention, combine
from longsum.core.magnifier.expansion import Expansions, Material, Repeats, Run, soft_selection

NO_TOPIC = -1
"""The topic of a sentence without words of any topic."""


class TopicReserve:
    """The needed topics that are not covered yet, each with its minimum cost.

    It reserves budget for them, so that a longer summary never covers fewer of the top topics. A
    sentence covers its nearest topic. Of the topics that candidates cover, those are needed whose
    cheapest sentences fit together, added in order of cost: a larger budget needs the same topics
    or more. Every choice leaves room for needed topics that are not covered yet; no other topic can
    be covered, since its cheapest sentence does not fit alongside theirs. So the topics of a
    summary are exactly the needed ones, regardless of the attention.

    The paper asks for maximal topic coverage (condition C2), but not how lengths are related.
    """

    def __init__(
        self, topics: Places, costs: Places, room: int, covered: Iterable[int] = ()
    ) -> None:
        """Determine the needed topics.

        Args:
            topics: Topic of each candidate, or `NO_TOPIC`.
            costs: Cost of each candidate.
            room: Maximum total cost of the candidates.
            covered: Topics that the summary covers already.
        """
        uncovered = sorted(set(topics.tolist()) - {NO_TOPIC, *covered})
        cheapest = {topic: int(costs[topics == topic].min()) for topic in uncovered}
        self.needed: dict[int, int] = {}
        for topic in sorted(uncovered, key=lambda topic: cheapest[topic]):
            room -= cheapest[topic]
            if room < 0:
                break
            self.needed[topic] = cheapest[topic]

    def fitting(self, topics: Places, costs: Places, room: int) -> Mask:
        """Return which candidates leave room for the topics that are still needed after them."""
        released = np.array(
            [self.needed.get(topic, 0) for topic in topics.tolist()], dtype=np.int64
        )
        fits: Mask = costs - released <= room - sum(self.needed.values())
        return fits

    def cover(self, topic: int) -> None:
        """Mark a topic as covered."""
        self.needed.pop(topic, None)


RUN_LENGTHS = (3, 2)
"""Sentences per expansion: three as long as a run of three fits, then two."""

Operation = Literal["copy", "expand", "fill"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step towards a summary.

    Attributes:
        operation: `copy` adds a sentence of the prototype, `expand` replaces it with sentences of
            the document, and `fill` adds a sentence of the document to the remaining budget.
        place: The prototype sentence at whose position this is inserted.
        sentences: The document sentences that are inserted; empty for a copy.
        score: Probability of the choice at that step.
        shares: Each kernel's part of it; they add up to it.
        runner_up: The second-best choice: a sentence of the prototype, or of the document if the
            operation is `fill`.
        runs: The candidate expansions, the chosen one first.
    """

    operation: Operation
    place: int
    sentences: tuple[int, ...]
    score: float
    shares: Mapping[str, float]
    runner_up: int | None
    runs: tuple[Run, ...] = ()


class Magnification:
    """Makes one summary; `steps` runs it."""

    def __init__(
        self,
        material: Material,
        expansions: Expansions,
        prototype_costs: Places,
        sentence_costs: Places,
        capacity: int,
    ) -> None:
        """Prepare it.

        Args:
            material: The prototype and its document.
            expansions: The search for expansion sets.
            prototype_costs: Cost of each sentence of the prototype, `[m]`.
            sentence_costs: The same of the document's sentences, `[n]`.
            capacity: The budget.
        """
        self._material = material
        self._expansions = expansions
        self._prototype_costs = prototype_costs
        self._sentence_costs = sentence_costs
        self._room = capacity
        self._open: Mask = np.ones(len(prototype_costs), dtype=bool)
        self._used: Mask = np.zeros(len(sentence_costs), dtype=bool)
        self._repeats = Repeats()
        self._local = material.multiplex.local(material.prototype_distances)
        self._document_local = material.multiplex.local(material.sentence_distances)
        self._lengths = list(RUN_LENGTHS)

    def steps(self) -> list[Step]:
        """Copy, expand and fill until nothing more fits.

        If the prototype exceeds the budget, sentences are only copied (α = 0 in Eq. 8). Otherwise
        all of the prototype is copied or expanded.
        """
        if self._room <= self._prototype_costs.sum():
            return self._shorten()
        return self._magnify()

    def _shorten(self) -> list[Step]:
        topics, costs = self._material.prototype_topics, self._prototype_costs
        reserve = TopicReserve(topics, costs, self._room)
        steps = []
        while (fitting := self._open & reserve.fitting(topics, costs, self._room)).any():
            attention = self._attention()
            best, runner_up = best_two(attention.probabilities, fitting)
            steps.append(Step("copy", best, (), *_chosen(attention, best), runner_up))
            reserve.cover(int(topics[best]))
            self._copy(best)
        return steps

    def _magnify(self) -> list[Step]:
        topics = set(self._material.prototype_topics.tolist()) | {NO_TOPIC}
        spare = self._room - int(self._prototype_costs.sum())
        reserve = TopicReserve(
            self._material.sentence_topics, self._sentence_costs, spare, covered=topics
        )
        topics |= set(reserve.needed)
        # An expansion must not add a topic that is not needed: it may cost less than the sentence
        # and the topic separately, so a longer summary might not cover that topic.
        usable = np.isin(self._material.sentence_topics, sorted(topics))
        steps = self._cover(reserve)
        while self._open.any():
            steps.append(self._copy_or_expand(usable))
        while (fitting := self._free() & (self._sentence_costs <= self._room)).any():
            steps.append(self._fill(fitting))
        return steps

    def _cover(self, reserve: TopicReserve) -> list[Step]:
        """Add a sentence for each needed topic that the prototype does not cover."""
        steps = []
        topics, costs = self._material.sentence_topics, self._sentence_costs
        while reserve.needed:
            room = self._room - self._reserved()
            needed = np.isin(topics, list(reserve.needed))
            steps.append(self._fill(needed & reserve.fitting(topics, costs, room)))
            reserve.cover(int(topics[steps[-1].sentences[0]]))
        return steps

    def _copy_or_expand(self, usable: Mask) -> Step:
        """Take the position with the highest p_o; expand it if P_e is no less than P_c."""
        runs = self._expansion_sets(usable)
        best_runs = {place: candidates[0].sentences for place, candidates in runs.items()}
        selection = soft_selection(self._material, self._attention(), best_runs)
        best, runner_up = best_two(selection.chosen, self._open)
        chosen = (
            float(selection.chosen[best]),
            {name: float(share[best]) for name, share in selection.shares.items() if share[best]},
        )
        if best not in runs or selection.expand[best] < selection.copy[best]:
            self._copy(best)
            return Step("copy", best, (), *chosen, runner_up)
        sentences = runs[best][0].sentences
        self._open[best] = False
        self._put(sentences)
        return Step("expand", best, sentences, *chosen, runner_up, runs[best])

    def _expansion_sets(self, usable: Mask) -> dict[int, tuple[Run, ...]]:
        """Return the best runs of each open sentence that has any; three sentences first."""
        while self._lengths:
            sets = {}
            for place in np.flatnonzero(self._open).tolist():
                allowed = self._allowed(place, self._lengths[0], usable)
                if not allowed.any():
                    continue
                runs = self._expansions.best(place, self._lengths[0], allowed, self._repeats)
                if runs:
                    sets[place] = runs
            if sets:
                return sets
            # Runs that do not fit now never will, as the budget beyond the prototype only shrinks.
            self._lengths.pop(0)
        return {}

    def _allowed(self, place: int, length: int, usable: Mask) -> Mask:
        """Return which runs may replace a sentence, by their first sentence.

        A run must be longer than the sentence, leave room for the rest of the prototype, keep the
        sentence's topic, and contain no sentence of the summary and no other sentence of the
        prototype.
        """
        material = self._material
        if len(self._used) < length:
            return np.zeros(0, dtype=bool)
        topic = material.prototype_topics[place]
        not_of_others = (material.twins == -1) | (material.twins == place)
        first_occurrence = material.first_like == np.arange(len(self._used))
        free = usable & not_of_others & ~self._used & first_occurrence
        costs = sliding_window_view(self._sentence_costs, length).sum(axis=-1)
        room = self._room - self._reserved(without=place)
        fits = (costs > int(self._prototype_costs[place])) & (costs <= room)
        allowed = sliding_window_view(free, length).all(axis=-1) & fits
        if topic != NO_TOPIC:
            allowed &= sliding_window_view(material.sentence_topics == topic, length).any(axis=-1)
        mask: Mask = allowed
        return mask

    def _fill(self, fitting: Mask) -> Step:
        """Insert the best fitting sentence at the position of the most similar prototype one."""
        material = self._material
        attention = combine(self._document_local, material.multiplex.weights, self._free())
        best, runner_up = best_two(attention.probabilities, fitting)
        similar = material.similarity[:, best]
        place = int(similar.argmax()) if len(similar) else 0
        self._put((best,))
        return Step("fill", place, (best,), *_chosen(attention, best), runner_up)

    def _attention(self) -> Attention:
        """Return A^t, the attention over the rest of the prototype (Eq. 3)."""
        return combine(self._local, self._material.multiplex.weights, self._open)

    def _reserved(self, without: int | None = None) -> int:
        """Return the cost of the rest of the prototype, possibly without one of its sentences."""
        rest = int(self._prototype_costs[self._open].sum())
        return rest if without is None else rest - int(self._prototype_costs[without])

    def _free(self) -> Mask:
        """Return which document sentences are neither in the summary nor still to be copied."""
        twins = self._material.twins
        if not len(self._open):
            return ~self._used
        waiting = (twins >= 0) & self._open[twins]
        free: Mask = ~self._used & ~waiting
        return free

    def _copy(self, place: int) -> None:
        self._open[place] = False
        self._room -= int(self._prototype_costs[place])
        self._used |= self._material.twins == place
        self._repeats.add([self._material.prototype[place]])

    def _put(self, sentences: Sequence[int]) -> None:
        material = self._material
        chosen = list(sentences)
        self._room -= int(self._sentence_costs[chosen].sum())
        self._used |= np.isin(material.first_like, material.first_like[chosen])
        self._repeats.add(material.sentences[sentence] for sentence in chosen)


def _chosen(attention: Attention, place: int) -> tuple[float, dict[str, float]]:
    shares = {name: float(share[place]) for name, share in attention.shares.items()}
    return float(attention.probabilities[place]), shares
