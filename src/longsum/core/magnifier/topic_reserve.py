"""Reserves budget for the top topics, so that a longer summary never covers fewer of them.

A sentence covers its nearest topic. Of the topics that candidates cover, those are needed whose
cheapest sentences fit together, added in order of cost: a larger budget needs the same ones or
more. Every choice leaves room for the needed topics not covered yet; and no other topic can be
covered, since its cheapest sentence does not fit besides theirs. So the topics of a summary are
exactly the needed ones, regardless of the attention.

The paper asks for maximal topic coverage (condition C2); how lengths relate is not stated.
"""

from collections.abc import Iterable

import numpy as np

from longsum.common.arrays import Mask, Places

NO_TOPIC = -1
"""The topic of a sentence without words of any topic."""


class TopicReserve:
    """The needed topics that are not covered yet, each with its minimum cost."""

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
        lacking = sorted(set(topics.tolist()) - {NO_TOPIC, *covered})
        cheapest = {topic: int(costs[topics == topic].min()) for topic in lacking}
        self.needed: dict[int, int] = {}
        for topic in sorted(lacking, key=lambda topic: cheapest[topic]):
            room -= cheapest[topic]
            if room < 0:
                break
            self.needed[topic] = cheapest[topic]

    def fitting(self, topics: Places, costs: Places, room: int) -> Mask:
        """Return which candidates leave room for the topics that are then still needed."""
        relief = np.array([self.needed.get(topic, 0) for topic in topics.tolist()], dtype=np.int64)
        fits: Mask = costs - relief <= room - sum(self.needed.values())
        return fits

    def cover(self, topic: int) -> None:
        """Mark a topic as covered."""
        self.needed.pop(topic, None)
