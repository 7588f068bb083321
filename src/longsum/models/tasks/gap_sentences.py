"""Gap sentences: learning to summarise without summaries (Zhang et al. 2020, PEGASUS).

The sentences that are most similar to the rest of a text are masked and become the target.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Ints, Places
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import NOWHERE


@dataclass(frozen=True, slots=True)
class GapSentences:
    """How sentences of a passage are masked.

    Attributes:
        source_tokens: Tokens of the passage, before masking.
        target_tokens: Maximum number of tokens of the masked sentences.
        mask: Id of the token that replaces a masked sentence.
        share: Share of the passage's tokens to mask (PEGASUS's gap sentences ratio).
        seed: Seed of the passages.
    """

    source_tokens: int
    target_tokens: int
    mask: int
    share: float = 0.15
    seed: int = 0

    def pair(self, split: PreparedSplit, index: int, draw: int) -> tuple[Ints, Ints]:
        """Return source and target of a document; each draw starts at another sentence.

        Sentences are selected by the F1 of the tokens that they share with the rest of the passage
        (PEGASUS, "Ind-Uniq"; on the model's tokens, not on words), best first while they fit.
        """
        place = split.source(index)
        ids, sentence_of = split.ids[place], split.sentence_of[place]
        opening, closing = (int(count) for count in split.special)
        body, sentences = ids[opening : len(ids) - closing], sentence_of[opening : -closing or None]
        start = self._start(sentences, (index, draw))
        stop = start + self.source_tokens - opening - closing
        body, sentences = body[start:stop], sentences[start:stop]
        chosen = self._choose(body, sentences, opening + closing)
        masked = np.isin(sentences, chosen)
        first = masked & np.concatenate([[True], sentences[1:] != sentences[:-1]])
        source = np.where(first, self.mask, body)[~masked | first]
        before, after = ids[:opening], ids[len(ids) - closing :]
        return (
            np.concatenate([before, source, after]),
            np.concatenate([before, body[masked], after]),
        )

    def _start(self, sentences: Ints, key: tuple[int, int]) -> int:
        """Draw the sentence that a passage starts at, if possible with a full passage after it."""
        starts = np.flatnonzero(np.diff(sentences, prepend=NOWHERE - 1) != 0)
        latest = max(0, len(sentences) - self.source_tokens)
        allowed = starts[starts <= latest]
        generator = np.random.default_rng((self.seed, *key))
        return int(generator.choice(allowed)) if len(allowed) else 0

    def _choose(self, body: Ints, sentences: Ints, special: int) -> Places:
        numbers, where = np.unique(sentences, return_inverse=True)
        sizes = np.bincount(where)
        scores = _f1_with_rest(body, where, len(numbers))
        # The last sentence may be truncated, and a single token has no content.
        scores[(numbers == NOWHERE) | (numbers == sentences[-1]) | (sizes < 2)] = -1.0
        room = min(self.target_tokens - special, int(self.share * len(body)))
        chosen = []
        for place in np.argsort(-scores, kind="stable"):
            if scores[place] > 0 and sizes[place] <= room:
                chosen.append(numbers[place])
                room -= sizes[place]
        return np.array(chosen, dtype=np.int64)


def _f1_with_rest(body: Ints, where: NDArray[np.intp], count: int) -> Array:
    """Return for each sentence the F1 of its distinct tokens against those of all others."""
    pairs = np.unique(np.stack([where, body]), axis=1)
    holders = np.bincount(pairs[1])
    distinct = len(np.flatnonzero(holders))
    sizes = np.bincount(pairs[0], minlength=count)
    elsewhere = holders[pairs[1]] > 1
    shared = np.bincount(pairs[0], weights=elsewhere, minlength=count)
    exclusive = sizes - shared
    rest = distinct - exclusive
    return np.asarray(2 * shared / np.maximum(sizes + rest, 1))
