"""Readability of selected sentences: the rules of a selection, and the text and cost of copies.

Sentences are copied whole or shortened, acronyms are spelled out where a summary first uses them,
and quoted text keeps its quotation marks.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from longsum.common.arrays import Mask, Places
from longsum.core.summaries import Budget, Fill
from longsum.core.summaries.sentence import Insertion, SourceSpan
from longsum.documents.fitness.acronyms import Acronyms, Definition
from longsum.documents.fitness.fitness import ContextDependence, Fitness
from longsum.documents.fitness.quotations import QuotationMark, Quotations
from longsum.documents.model import Document
from longsum.language.compression import KINDS, Deletion, DeletionKind
from longsum.language.repeats import Repetitions


@dataclass(frozen=True, slots=True)
class Copies:
    """The text that a summary would have for each sentence of a document.

    Attributes:
        texts: The sentences, in document order.
        deletions: The deletions from each sentence, with offsets into `Document.text`.
        speakers: The speaker of each sentence; empty if it has none.
    """

    texts: Sequence[str]
    deletions: Sequence[tuple[Deletion, ...]]
    speakers: Sequence[str]

    @classmethod
    def whole(cls, document: Document) -> "Copies":
        """Return the sentences as they are."""
        texts = [sentence.text for sentence in document.sentences]
        return cls(texts, [()] * len(texts), [sentence.speaker for sentence in document.sentences])

    @classmethod
    def shortened(cls, document: Document, kinds: Collection[DeletionKind] = KINDS) -> "Copies":
        """Return the sentences without their dispensable parts; see `language.compression`."""
        from longsum.language.compression.compression import shorten

        shortened = [
            (sentence.start, shorten(sentence.text, kinds)) for sentence in document.sentences
        ]
        return cls(
            [shorter.text for _, shorter in shortened],
            [
                tuple(deletion.shifted(start) for deletion in shorter.deletions)
                for start, shorter in shortened
            ],
            [sentence.speaker for sentence in document.sentences],
        )

    def costs(self, budget: Budget, added: "Additions | None" = None) -> list[int]:
        """Return the cost of each sentence in the budget's unit, including its speaker's name.

        A summary names a speaker and marks a quotation once for neighbouring sentences, so this is
        an upper bound.
        """
        sentences = enumerate(zip(self.texts, self.speakers, strict=True))
        return [
            budget.cost(added.marked(text, place) if added else text) + budget.added(speaker)
            for place, (text, speaker) in sentences
        ]


@dataclass(frozen=True, slots=True)
class Additions:
    """What a summary may add to its sentences.

    Attributes:
        acronyms: Acronyms, which are spelled out at first use; None to leave them as they are.
        quotations: Quotations, whose marks are added to sentences from them; None to add none.
    """

    acronyms: Acronyms | None = None
    quotations: Quotations | None = None

    def marked(self, text: str, sentence: int) -> str:
        """Return a sentence with the marks of the quotations in which it begins and ends."""
        if self.quotations is None:
            return text
        before = self.quotations.opening.get(sentence)
        after = self.quotations.closing.get(sentence)
        return f"{before.text if before else ''}{text}{after.text if after else ''}"


_NONE: Mapping[str, int] = {}


def insertions(
    document: Document, additions: Additions, chosen: Sequence[int], texts: Sequence[str]
) -> dict[int, tuple[Insertion, ...]]:
    """Return the insertions of those sentences of a summary that have any.

    Args:
        document: The document.
        additions: What may be inserted.
        chosen: Positions of the summary's sentences, in order.
        texts: The text of each sentence of the document without insertions.
    """
    inserted: dict[int, list[Insertion]] = {sentence: [] for sentence in chosen}
    if additions.acronyms is not None:
        definitions = additions.acronyms.definitions
        known = {
            acronym
            for acronym, definition in definitions.items()
            if definition.sentence in inserted
        }
        for sentence in chosen:
            for acronym, after in additions.acronyms.uses.get(sentence, _NONE).items():
                if acronym not in known:
                    known.add(acronym)
                    defined = definitions[acronym]
                    source = _within(document, defined.sentence, defined.start, defined.end)
                    inserted[sentence].append(Insertion(after, spelled_out(defined), source))
    if additions.quotations is not None:
        opening, closing = additions.quotations.opening, additions.quotations.closing
        for sentence in chosen:
            # A quotation that continues in the next sentence is not marked in between.
            if sentence in opening and not (sentence - 1 in inserted and sentence - 1 in closing):
                inserted[sentence].append(_mark(document, opening[sentence], 0))
            if sentence in closing and not (sentence + 1 in inserted and sentence + 1 in opening):
                end = len(texts[sentence])
                inserted[sentence].append(_mark(document, closing[sentence], end))
    return {
        sentence: _shifted(additional) for sentence, additional in inserted.items() if additional
    }


def _shifted(insertions: Iterable[Insertion]) -> tuple[Insertion, ...]:
    """Return insertions in order, each shifted by the length of those before it."""
    shifted: list[Insertion] = []
    shift = 0
    for insertion in sorted(insertions, key=attrgetter("offset")):
        shifted.append(replace(insertion, offset=insertion.offset + shift))
        shift += len(insertion.text)
    return tuple(shifted)


def spelled_out(definition: Definition) -> str:
    """Return the text that is inserted after an acronym."""
    return f" ({definition.meaning})"


def _mark(document: Document, mark: QuotationMark, offset: int) -> Insertion:
    start = mark.place - document.sentences[mark.sentence].start
    return Insertion(offset, mark.text, _within(document, mark.sentence, start, start + 1))


def _within(document: Document, sentence: int, start: int, end: int) -> SourceSpan:
    """Return the span of part of a sentence, given its offsets in the sentence."""
    whole = SourceSpan.of(document, sentence)
    return replace(whole, start=whole.start + start, end=whole.start + end)


class Lengths:
    """What each sentence adds to the length of a summary, given its other sentences.

    The first sentence that uses an acronym also costs the acronym's long form, unless the sentence
    that defines it is in the summary.

    Attributes:
        now: The cost of adding each sentence, `[n]`.
    """

    def __init__(
        self,
        costs: Sequence[int],
        acronyms: Acronyms | None = None,
        cost: Callable[[str], int] = len,
    ) -> None:
        """Start with an empty summary.

        Args:
            costs: Cost of each sentence without insertions.
            acronyms: The document's acronyms; None to leave them as they are.
            cost: Cost of a text, in the same unit.
        """
        self.now = np.array(costs, dtype=np.int64)
        self._uses: Mapping[int, Mapping[str, int]] = {}
        self._users: Mapping[str, Places] = {}
        self._definitions: Mapping[str, Definition] = {}
        self._defined_in: dict[int, list[str]] = {}
        self._extra: dict[str, int] = {}
        self._settled: set[str] = set()
        self._has_acronyms = np.zeros(len(self.now), dtype=bool)
        if acronyms is not None:
            self._uses, self._users = acronyms.uses, acronyms.users
            self._definitions = acronyms.definitions
            for acronym, definition in acronyms.definitions.items():
                self._extra[acronym] = cost(spelled_out(definition))
                self._defined_in.setdefault(definition.sentence, []).append(acronym)
                self.now[self._users[acronym]] += self._extra[acronym]
            self._has_acronyms[np.array([*self._uses, *self._defined_in], dtype=np.int64)] = True

    def add(self, sentence: int) -> int:
        """Add a sentence to the summary; return its cost."""
        cost = int(self.now[sentence])
        for acronym in self._defined_in.get(sentence, ()):
            self._settle(acronym)
        for acronym in self._uses.get(sentence, _NONE):
            if self._settle(acronym):
                # If the defining sentence is chosen later, the insertion is no longer needed.
                self.now[self._definitions[acronym].sentence] -= self._extra[acronym]
        return cost

    def together(self, sentences: Sequence[int]) -> int:
        """Return the cost of sentences that are added together, in order."""
        total = sum(int(self.now[sentence]) for sentence in sentences)
        new: set[str] = set()
        for sentence in sentences:
            acronyms = (*self._defined_in.get(sentence, ()), *self._uses.get(sentence, _NONE))
            total -= sum(self._extra[acronym] for acronym in acronyms if acronym in new)
            new.update(acronym for acronym in acronyms if acronym not in self._settled)
        return total

    def sharing(self, groups: Places) -> Places:
        """Return which groups of sentences may cost less together than the sum of their costs.

        Args:
            groups: The sentences of each group, `[k, m]`; −1 for none.
        """
        has_acronyms = self._has_acronyms[groups] & (groups >= 0)
        return np.flatnonzero(has_acronyms.sum(axis=1) > 1)

    def copy(self) -> "Lengths":
        """Return an independent copy."""
        other = copy(self)
        other.now = self.now.copy()
        other._settled = set(self._settled)
        return other

    def _settle(self, acronym: str) -> bool:
        """Record that an acronym need not be spelled out any more; return whether this is new."""
        if acronym in self._settled:
            return False
        self._settled.add(acronym)
        self.now[self._users[acronym]] -= self._extra[acronym]
        return True


@dataclass(frozen=True, eq=False)
class Aids:
    """What a selection knows about a document's readability; by default nothing.

    Attributes:
        context: Which sentences need others; None if all are self-contained.
        repetitions: Which sentences say almost the same; None if only equal words are the same.
        lengths: What each sentence adds to a summary; None for its cost, regardless of the others.
        material: Which sentences are fit for summaries, `[n]`; None for all.
        fill: Whether the length may be left unfilled rather than padded.
        procedure: Which sentences describe how the document was made, `[n]`, whose share of the
            words is limited; None for no limit.
    """

    context: ContextDependence | None = None
    repetitions: Repetitions | None = None
    lengths: Lengths | None = None
    material: Mask | None = None
    fill: Fill = "strict"
    procedure: Mask | None = None


@dataclass(frozen=True, slots=True)
class SelectionRules:
    """Settings of a selection; the defaults follow the papers.

    Attributes:
        self_contained: Whether a sentence that needs the one before it is chosen only with or after
            it, as long as there are others.
        say_once: Whether sentences that say almost the same as a chosen one are left out; those
            with the same words always are.
        spell_out: Whether acronyms are spelled out at first use, as the document defines them.
        mark_quotations: Whether a sentence from a quotation gets quotation marks.
        fill: Whether the length may be left unfilled rather than padded.
        findings_first: Whether at most a sixth of the words may describe how the document was made.
    """

    self_contained: bool = False
    say_once: bool = False
    spell_out: bool = False
    mark_quotations: bool = False
    fill: Fill = "strict"
    findings_first: bool = False

    def aids(
        self, fitness: Fitness, preferred: Mask | Places | None, lengths: Lengths | None = None
    ) -> Aids:
        """Return what a selection must know about a document.

        Args:
            fitness: How fit its sentences are for summaries.
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
            fitness.procedure if self.findings_first else None,
        )
