"""What makes sentences unfit to be in a summary by themselves: the single interface for it.

The kind of a sentence is determined when its document is built (`kinds.with_kinds`), with the
information of the format. Everything else depends on the text of each sentence in a summary, which
may be shortened, and is computed once per document: `fitness_of`. Which sentences can be chosen
alone is a state that depends on choices: `ContextDependence`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from longsum.common.arrays import Mask, Places
from longsum.documents.fitness.acronyms import Acronyms
from longsum.documents.fitness.dependence import Dependences, dependence
from longsum.documents.fitness.kinds import opens_item
from longsum.documents.fitness.quotations import Quotations
from longsum.documents.fitness.signposts import (
    is_question,
    points_ahead,
    tells_outcome,
    tells_procedure,
)
from longsum.documents.model import Document, Sentence
from longsum.language.characters import BULLETS
from longsum.language.identify import is_language
from longsum.language.repeats import Repetitions
from longsum.language.sentences import CLOSING
from longsum.language.words import count_words

FREE, NEEDING, DANGLING, LEADING = 2, 1, 0, -1


class ContextDependence:
    """Whether each sentence can stand by itself, with the one before it, or not at all.

    Attributes:
        levels: `[n]`: `FREE` if a sentence can be chosen alone; `LEADING` if it leads into a list,
            so that it can be chosen only with an item; `NEEDING` if it needs an earlier sentence
            that is not chosen yet; and `DANGLING` if the sentence that it needs is not available.
        leading: Which sentences lead into a list, its last item or an answer, `[n]`.
    """

    def __init__(
        self,
        needs: Places,
        dangling: Mask,
        leading: Mask | None = None,
        remarks: Mask | None = None,
    ) -> None:
        """Start without choices.

        Args:
            needs: The sentence that each needs, `[n]`; −1 for none: of an item of a list the one
                that leads into the list, of others the one before.
            dangling: Which sentences need one that does not exist, `[n]`.
            leading: Which sentences lead into a list, or ask what the next answers, `[n]`; None
                for none.
            remarks: Which sentences need one, unless they are brought along themselves, `[n]`; None
                for none.
        """
        self._needs = needs
        none = np.zeros(len(needs), dtype=bool)
        self.leading = none if leading is None else leading
        self._remarks = none if remarks is None else remarks
        alone = np.where(self.leading, LEADING, FREE)
        self.levels = np.where(dangling, DANGLING, np.where(needs < 0, alone, NEEDING))

    @classmethod
    def independent(cls, count: int) -> "ContextDependence":
        """Return the state of sentences that are all self-contained."""
        return cls(np.full(count, -1), np.zeros(count, dtype=bool))

    def choose(self, sentence: int) -> None:
        """Record a choice: sentences that need it can be chosen alone from now on."""
        freed = (self._needs == sentence) & (self.levels == NEEDING)
        self.levels[freed] = np.where(self.leading[freed], LEADING, FREE)

    @property
    def startable(self) -> Mask:
        """Which sentences can be chosen next without another prose sentence, `[n]`.

        They are self-contained, or items, which bring along only their lead-in.
        """
        items = (self._needs >= 0) & self.leading[self._needs] & ~self.leading
        found: Mask = (self.levels == FREE) | (items & (self.levels == NEEDING))
        return found

    def needed(self, sentence: int) -> int | None:
        """Return the sentence that a sentence needs, whether chosen or not."""
        needed = int(self._needs[sentence])
        return None if needed < 0 else needed

    def antecedents(self, sentence: int) -> tuple[int, ...]:
        """Return the one or two sentences that a sentence in need brings along, in order."""
        first = int(self._needs[sentence])
        return (first,) if self._is_root[first] else (int(self._needs[first]), first)

    @property
    def _is_root(self) -> Mask:
        """Which sentences bring along no others when they are brought along, `[n]`."""
        found: Mask = np.isin(self.levels, (FREE, LEADING)) | (
            self._remarks & (self.levels == NEEDING)
        )
        return found

    def in_need(self, pool: Mask) -> tuple[Places, Places]:
        """Return the sentences of a pool that can be chosen with their antecedents.

        Returns:
            Their positions, `[k]`, and those of all that would be chosen together, `[k, 3]`; −1
            where there are fewer.
        """
        last = np.flatnonzero(pool & (self.levels == NEEDING) & ~self.leading)
        middle, is_root = self._needs[last], self._is_root
        deep = (self.levels[middle] == NEEDING) & ~is_root[middle]
        first = np.where(deep, self._needs[middle], -1)
        root = np.where(first < 0, middle, first)
        whole = pool[middle] & pool[root] & is_root[root]
        return last[whole], np.stack([first, middle, last], axis=1)[whole]


_MOSTLY = 0.5
_SHORT_REMARK = 10
"""Minimum words of a remark that is meaningful without the one it responds to."""


@dataclass(frozen=True, eq=False)
class Fitness:
    """What speaks against choosing a document's sentences, and what each needs.

    `texts` are their texts in a summary.
    """

    document: Document
    texts: Sequence[str]

    @cached_property
    def material(self) -> Mask:
        """Which sentences are of a kind that summaries are made of, `[n]`."""
        return np.array([sentence.is_material for sentence in self.document.sentences], dtype=bool)

    @cached_property
    def procedure(self) -> Mask:
        """Which sentences describe how the document was made, `[n]`; in speech none."""
        pairs = zip(self.document.sentences, self.texts, strict=True)
        return np.array([not each.speaker and tells_procedure(text) for each, text in pairs])

    @cached_property
    def dependences(self) -> Sequence[Dependences]:
        """Why each sentence is not self-contained, empty if it is; only for English.

        An outcome always is, whatever reasons it refers to.
        """
        language = self.document.language
        if language is not None and not is_language(language, "en"):
            return [frozenset()] * len(self.texts)
        return [frozenset() if tells_outcome(text) else dependence(text) for text in self.texts]

    @cached_property
    def repetitions(self) -> Repetitions:
        """Which sentences say almost the same."""
        return Repetitions(self.texts)

    @cached_property
    def acronyms(self) -> Acronyms:
        """The acronyms that sentences define, and those that use them later."""
        return Acronyms.of([sentence.text for sentence in self.document.sentences], self.texts)

    @cached_property
    def quotations(self) -> Quotations:
        """Which sentences begin or end within a quotation."""
        return Quotations.of(self.document)

    def context(self, levels: Places, *, say_once: bool = False) -> ContextDependence:
        """Return which sentences can be chosen alone, as a state that follows choices.

        An item needs the sentence that leads into its list, and vice versa; the last item also
        needs the one before it, which ends with `and`; later sentences of an item need its
        beginning. A question comes last, since its answer is another, unknown sentence, except one
        that opens the document and names its subject.

        A sentence that is entirely a quotation needs the one before it, which may name the speaker.

        In speech, a question comes with its answer, and a short or dependent remark with the one
        before it. In other texts in which most sentences are like this, none counts: they are
        dialogue.

        Args:
            levels: Preference level of each sentence, `[n]`; a sentence cannot bring along one of a
                lower level.
            say_once: Whether only one of several sentences that say almost the same is ever chosen.
        """
        sentences, texts = self.document.sentences, self.texts
        before = _predecessors(self.document, self.material)
        needs, dangling = _lead_ins(self.document, before), np.zeros(len(texts), dtype=bool)
        leading, remarks = dangling.copy(), np.array([bool(each.speaker) for each in sentences])
        leading[needs[needs >= 0]] = True
        if sum(map(bool, self.dependences)) > _MOSTLY * len(texts) and not remarks.any():
            return ContextDependence(needs, dangling, leading)
        alike = self.repetitions.are_alike if say_once else lambda one, other: one == other
        quoted = self.quotations.whole
        if len(quoted) > _MOSTLY * len(texts):
            quoted = frozenset()
        asked, opening = [text.rstrip(CLOSING).endswith("?") for text in texts], True
        for place, reasons in enumerate(self.dependences):
            antecedent, said = before[place], bool(sentences[place].speaker)
            asks = asked[place] if said else is_question(texts[place])
            opening &= asks
            dangling[place] = asks and (said or not opening)
            if asks and not (said or opening):
                continue
            answers = said and antecedent >= 0 and asked[antecedent]
            short = said and count_words(texts[place]) < _SHORT_REMARK
            if not (reasons or answers or short or place in quoted):
                continue
            others = (antecedent, int(needs[antecedent]))
            if (
                antecedent < 0
                or not self.material[antecedent]
                or levels[antecedent] < levels[place]
                or any(other >= 0 and alike(place, other) for other in others)
            ):
                dangling[place] |= not said or "reference" in reasons
            else:
                # Also within an item, whose later sentences need the first.
                needs[place] = antecedent
                remarks[place] &= "reference" not in reasons
                leading[antecedent] |= answers
                dangling[antecedent] &= not answers
        return ContextDependence(needs, dangling, leading, remarks)


def fitness_of(document: Document, texts: Sequence[str] | None = None) -> Fitness:
    """Return the fitness of a document's sentences for a summary.

    `texts` are their texts in a summary; None for the sentences as they are.
    """
    return Fitness(document, [s.text for s in document.sentences] if texts is None else texts)


def _predecessors(document: Document, material: Mask) -> list[int]:
    """Return the position of the sentence before each one in its section; −1 for the first.

    In speech it must be material: a stage direction, or `Yes.`, may come between.
    """
    before: list[int] = []
    for section in document.walk():
        last = -1
        for sentence in section.sentences:
            before.append(last)
            aside = sentence.speaker or sentence.kind == "stage_direction"
            last = last if aside and not material[len(before) - 1] else len(before) - 1
    return before


def _lead_ins(document: Document, before: Sequence[int]) -> Places:
    """Return for each item of a list the sentence that leads into the list, `[n]`; else −1."""
    sentences = document.sentences
    lead_ins = np.full(len(sentences), -1)
    # The lead-in of a sentence's list: fragments may come between items.
    leading = lead_ins.copy()
    # The mark of the last item of the list that a sentence leads into.
    last: dict[int, str] = {}
    latest = -1
    for place, sentence in enumerate(sentences):
        previous = before[place]
        latest = latest if previous >= 0 else -1
        if sentence.kind not in ("list_item", "fragment") or previous < 0:
            continue
        above, mark = sentences[previous], _mark(document, sentence)
        joins = above.kind == "list_item" and above.text.endswith((" and", " or"))
        opens = "\n" in document.text[above.end : sentence.start] or opens_item(sentence.text)
        if points_ahead(above.text):
            leading[place] = previous if above.is_material else -1
        elif above.kind in ("list_item", "fragment"):
            lead = outer = int(leading[previous])
            while outer >= 0 and not (mark and mark in _next_marks(last.get(outer, ""))):
                outer = int(leading[outer])
            if outer >= 0 and mark != _mark(document, sentences[outer]):
                lead = outer
            elif opens and not joins:
                # A full stop ends a list within an item: `(b) to the owner.`
                while lead >= 0 and sentences[lead].kind == "list_item" and above.text[-1:] == ".":
                    lead = int(leading[lead])
            leading[place] = lead
        elif mark not in ("", last.get(latest)) and mark in _next_marks(last.get(latest, "")):
            # An item of several sentences comes between.
            leading[place] = latest
        latest = max(latest, int(leading[place]))
        if mark:
            last[int(leading[place])] = mark
        if sentence.kind == "list_item":
            goes_on = above.kind == "list_item" and not opens and leading[place] >= 0
            lead_ins[place] = previous if joins or goes_on else leading[place]
    return lead_ins


_MARK = re.compile(
    rf"(?P<opens>\(?)(?P<number>\d{{1,3}}|[ivxlc]{{1,6}}|[a-zA-Z])(?P<closes>[.)])|[-*+{BULLETS}–—·]"
)
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv")


def _mark(document: Document, sentence: Sentence) -> str:
    """Return the mark of an item that a sentence opens, in it or before it on its line; or none."""
    line = document.text.rfind("\n", 0, sentence.start) + 1
    match = _MARK.match(document.text, line)
    return match[0] if match and match.end() >= sentence.start - 1 else ""


def _next_marks(mark: str) -> set[str]:
    """Return the possible next marks of a list: `(i)` after `(h)`, also `(ii)` after `(i)`."""
    parts = _MARK.match(mark)
    if parts is None or not parts["number"]:
        return {mark}
    number, following = parts["number"], set()
    if number.isdigit():
        following.add(str(int(number) + 1))
    elif len(number) == 1:
        following.add(chr(ord(number) + 1))
    if number in _ROMANS[:-1]:
        following.add(_ROMANS[_ROMANS.index(number) + 1])
    return {f"{parts['opens']}{each}{parts['closes']}" for each in following}
