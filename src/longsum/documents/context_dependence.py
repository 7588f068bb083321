"""Which sentences can be chosen alone, given those that are chosen already."""

from collections.abc import Sequence

import numpy as np

from longsum.common.arrays import Array, Mask, Places
from longsum.documents.model import Document
from longsum.language.dependence import dependences
from longsum.language.metadiscourse import is_question, points_ahead
from longsum.language.repeats import Repetitions

FREE, NEEDING, DANGLING, LEADING = 2, 1, 0, -1
_ROOTS = (FREE, LEADING)
_MOSTLY = 0.5


class ContextDependence:
    """How each sentence stands: by itself, with the one before it, or not at all.

    Attributes:
        levels: `[n]`: `FREE` if a sentence can be chosen alone; `LEADING` if it leads into a list,
            so that it can be chosen only with an item; `NEEDING` if it needs an earlier sentence
            that is not chosen yet; and `DANGLING` if there is none that it could need.
        leading: Which sentences lead into a list or its last item, `[n]`.
    """

    def __init__(self, needs: Places, dangling: Mask, leading: Mask | None = None) -> None:
        """Start without any choice.

        Args:
            needs: The sentence that each needs, `[n]`; −1 for none: of an item of a list the one
                that leads into the list, of others the one before.
            dangling: Which sentences need one that does not exist, `[n]`.
            leading: Which sentences lead into a list, `[n]`; None for none.
        """
        self._needs = needs
        self.leading = np.zeros(len(needs), dtype=bool) if leading is None else leading
        alone = np.where(self.leading, LEADING, FREE)
        self.levels = np.where(dangling, DANGLING, np.where(needs < 0, alone, NEEDING))

    @classmethod
    def independent(cls, count: int) -> "ContextDependence":
        """Return the standing of sentences that all stand by themselves."""
        return cls(np.full(count, -1), np.zeros(count, dtype=bool))

    @classmethod
    def of(
        cls,
        document: Document,
        texts: Sequence[str],
        levels: Places,
        repetitions: Repetitions | None = None,
    ) -> "ContextDependence":
        """Find which sentences of a document need the one before them, in the same section.

        An item needs the sentence that leads into its list, and the other way round; the last item
        likewise the one before it, which ends with `and`. A question comes last, since its answer
        is another sentence and nothing says which, but for one that opens the document and names
        its subject.

        Of speech only pronouns and the like count, and nothing in a text most of whose sentences
        depend on others: dialogue.

        Args:
            document: The document.
            texts: What a summary says for each of its sentences.
            levels: Preference level of each sentence, `[n]`; what is below a sentence is nothing
                that it could bring along.
            repetitions: Sentences that say the same, of which only one is ever chosen.
        """
        sentences = document.sentences
        found = dependences(texts, document.language)
        before = _predecessors(document)
        needs, dangling = _lead_ins(document, before), np.zeros(len(found), dtype=bool)
        leading = np.zeros(len(found), dtype=bool)
        leading[needs[needs >= 0]] = True
        if sum(map(bool, found)) > _MOSTLY * len(found):
            return cls(needs, dangling, leading)
        alike = repetitions.are_alike if repetitions else lambda one, other: one == other
        opening = True
        for place, reasons in enumerate(found):
            if sentences[place].speaker and "reference" not in reasons:
                continue
            asks = is_question(texts[place])
            opening &= asks
            if asks and not opening:
                dangling[place] = True
                continue
            if not reasons:
                continue
            antecedent = before[place]
            others = (antecedent, int(needs[antecedent]))
            if (
                antecedent < 0
                or not sentences[antecedent].is_material
                or levels[antecedent] < levels[place]
                or any(other >= 0 and alike(place, other) for other in others)
            ):
                dangling[place] = True
            else:
                # Also within an item, whose later sentences need the first.
                needs[place] = antecedent
        return cls(needs, dangling, leading)

    def choose(self, sentence: int) -> None:
        """Note that a sentence is chosen: those that need it can be chosen alone from now on."""
        freed = (self._needs == sentence) & (self.levels == NEEDING)
        self.levels[freed] = np.where(self.leading[freed], LEADING, FREE)

    @property
    def startable(self) -> Mask:
        """Which sentences can be chosen next without another prose sentence, `[n]`.

        They stand by themselves, or are items, which bring along nothing but their lead-in.
        """
        items = (self._needs >= 0) & self.leading[self._needs] & ~self.leading
        found: Mask = (self.levels == FREE) | (items & (self.levels == NEEDING))
        return found

    def needed(self, sentence: int) -> int | None:
        """Return the sentence that a sentence needs, chosen or not."""
        needed = int(self._needs[sentence])
        return None if needed < 0 else needed

    def antecedents(self, sentence: int) -> tuple[int, ...]:
        """Return the one or two sentences that a sentence in need brings along, in order."""
        first = int(self._needs[sentence])
        return (first,) if self.levels[first] in _ROOTS else (int(self._needs[first]), first)

    def in_need(self, pool: Mask) -> tuple[Places, Places]:
        """Return the sentences of a pool that can be chosen with their antecedents.

        Returns:
            Their positions, `[k]`, and those of all that would be chosen together, `[k, 3]`; −1
            where there are fewer.
        """
        last = np.flatnonzero(pool & (self.levels == NEEDING) & ~self.leading)
        middle = self._needs[last]
        first = np.where(self.levels[middle] == NEEDING, self._needs[middle], -1)
        root = np.where(first < 0, middle, first)
        whole = pool[middle] & pool[root] & np.isin(self.levels[root], _ROOTS)
        return last[whole], np.stack([first, middle, last], axis=1)[whole]


def weighted_mean(scores: Array, weights: Places, groups: Places) -> Array:
    """Return the weighted mean score of each group, `[k]`.

    Args:
        scores: Score of each sentence, `[n]`.
        weights: Weight of each sentence, `[n]`.
        groups: The sentences of each group, `[k, m]`; −1 for none.
    """
    own = np.where(groups < 0, 0.0, np.maximum(weights[groups], 1.0))
    mean: Array = (np.where(groups < 0, 0.0, scores[groups]) * own).sum(axis=1) / own.sum(axis=1)
    return mean


def _predecessors(document: Document) -> list[int]:
    """Return the position of the sentence before each one in its section; −1 for the first."""
    before: list[int] = []
    for section in document.walk():
        start = len(before)
        own = range(start, start + len(section.sentences))
        before.extend(place - 1 if place > start else -1 for place in own)
    return before


def _lead_ins(document: Document, before: Sequence[int]) -> Places:
    """Return for each item of a list the sentence that leads into the list, `[n]`; else −1."""
    sentences = document.sentences
    found = np.full(len(sentences), -1)
    # What leads into the list that a sentence is in: fragments may stand between items.
    leading = found.copy()
    for place, sentence in enumerate(sentences):
        previous = before[place]
        if sentence.kind not in ("list_item", "fragment") or previous < 0:
            continue
        above = sentences[previous]
        joins = above.kind == "list_item" and above.text.endswith((" and", " or"))
        if joins or points_ahead(above.text):
            leading[place] = previous if above.is_material else -1
        elif above.kind in ("list_item", "fragment"):
            lead = int(leading[previous])
            # A full stop ends a list within an item: `(b) to the owner.`
            while lead >= 0 and sentences[lead].kind == "list_item" and above.text.endswith("."):
                lead = int(leading[lead])
            leading[place] = lead
        if sentence.kind == "list_item":
            found[place] = leading[place]
    return found
