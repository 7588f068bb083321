"""Room for the top topics, so that a longer summary never covers fewer of them.

A sentence covers the topic that it lies nearest to. Of the topics that candidates cover, those are
needed whose cheapest sentences fit together, the cheapest first: a longer budget needs the same
ones or more. Every choice leaves room for the needed topics that are still missing; and no other
can slip in, since its cheapest sentence does not fit beside theirs. So the topics of a summary are
the needed ones, whatever the attention prefers.

The paper wants the coverage of topics maximal (condition C2); of how lengths relate it says
nothing.
"""

from collections.abc import Iterable

import numpy as np

from longsum.arrays import Mask, Places

NO_TOPIC = -1
"""The topic of a sentence that holds no word of any."""


class TopicReserve:
    """The topics that a summary needs and lacks, and the room that each takes at least."""

    def __init__(
        self, topics: Places, costs: Places, room: int, covered: Iterable[int] = ()
    ) -> None:
        """Find what is needed.

        Args:
            topics: Topic of each candidate, or `NO_TOPIC`.
            costs: Cost of each candidate.
            room: What the candidates may cost together.
            covered: Topics that the summary covers without them.
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
        """Return which candidates leave room for all that is then still needed."""
        relief = np.array([self.needed.get(topic, 0) for topic in topics.tolist()], dtype=np.int64)
        fits: Mask = costs - relief <= room - sum(self.needed.values())
        return fits

    def cover(self, topic: int) -> None:
        """Take note that a topic is covered."""
        self.needed.pop(topic, None)
