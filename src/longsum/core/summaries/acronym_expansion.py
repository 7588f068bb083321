"""Acronyms are spelled out where a summary uses them first, and what that costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from longsum.common.arrays import Places
from longsum.core.summaries.sentence import Insertion, SourceSpan
from longsum.documents.model import Document
from longsum.language.acronyms import Definition, definitions, uses

_NONE: Mapping[str, int] = {}


@dataclass(frozen=True, eq=False)
class Spelling:
    """The acronyms that a document defines, and the sentences after the definition that use them.

    Attributes:
        definitions: Definition of each acronym.
        uses: For each sentence that uses acronyms whose definition stands in an earlier one, the
            offset after the first use of each.
        users: For each acronym, the positions of these sentences.
    """

    definitions: Mapping[str, Definition]
    uses: Mapping[int, Mapping[str, int]]
    users: Mapping[str, Places]

    @classmethod
    def of(cls, document: Document, texts: Sequence[str]) -> "Spelling":
        """Find the acronyms of a document.

        Args:
            document: The document.
            texts: What a summary says for each of its sentences, which may be shortened.
        """
        known = definitions([sentence.text for sentence in document.sentences])
        found: dict[int, dict[str, int]] = {}
        users: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for acronym, after in uses(text, known).items():
                definition = known[acronym]
                if definition.sentence < place and definition.meaning not in text:
                    found.setdefault(place, {})[acronym] = after
                    users.setdefault(acronym, []).append(place)
        return cls(
            {acronym: known[acronym] for acronym in users},
            found,
            {acronym: np.array(places, dtype=np.int64) for acronym, places in users.items()},
        )

    def insertions(
        self, document: Document, chosen: Sequence[int]
    ) -> dict[int, tuple[Insertion, ...]]:
        """Return what is put into the sentences of a summary that change.

        Args:
            document: The document.
            chosen: Positions of the summary's sentences, in order.
        """
        held = set(chosen)
        known = {name for name, each in self.definitions.items() if each.sentence in held}
        found: dict[int, tuple[Insertion, ...]] = {}
        for sentence in chosen:
            new = [item for item in self.uses.get(sentence, _NONE).items() if item[0] not in known]
            known.update(acronym for acronym, _ in new)
            made: list[Insertion] = []
            for acronym, after in sorted(new, key=lambda item: item[1]):
                definition = self.definitions[acronym]
                shift = sum(len(each.text) for each in made)
                source = _source(document, definition)
                made.append(Insertion(after + shift, spelled_out(definition), source))
            if made:
                found[sentence] = tuple(made)
        return found


def spelled_out(definition: Definition) -> str:
    """Return what is put behind an acronym."""
    return f" ({definition.meaning})"


def _source(document: Document, definition: Definition) -> SourceSpan:
    whole = SourceSpan.of(document, definition.sentence)
    return replace(whole, start=whole.start + definition.start, end=whole.start + definition.end)


class Lengths:
    """What each sentence adds to the length of a summary, given its other sentences.

    The first sentence that uses an acronym is longer by what the acronym stands for, unless the
    definition's sentence is in the summary.

    Attributes:
        now: The cost of adding each sentence, `[n]`.
    """

    def __init__(
        self,
        costs: Sequence[int],
        spelling: Spelling | None = None,
        cost: Callable[[str], int] = len,
    ) -> None:
        """Start with an empty summary.

        Args:
            costs: Cost of each sentence as it stands in the document.
            spelling: The acronyms of the document; None to leave them as they are.
            cost: Cost of a text, in the same unit.
        """
        self.now = np.array(costs, dtype=np.int64)
        self._uses: Mapping[int, Mapping[str, int]] = {}
        self._users: Mapping[str, Places] = {}
        self._definitions: Mapping[str, Definition] = {}
        self._defined_in: dict[int, list[str]] = {}
        self._extra: dict[str, int] = {}
        self._settled: set[str] = set()
        self._concerned = np.zeros(len(self.now), dtype=bool)
        if spelling is not None:
            self._uses, self._users = spelling.uses, spelling.users
            self._definitions = spelling.definitions
            for acronym, definition in spelling.definitions.items():
                self._extra[acronym] = cost(spelled_out(definition))
                self._defined_in.setdefault(definition.sentence, []).append(acronym)
                self.now[self._users[acronym]] += self._extra[acronym]
            self._concerned[np.array([*self._uses, *self._defined_in], dtype=np.int64)] = True

    def add(self, sentence: int) -> int:
        """Add a sentence to the summary; return what it costs."""
        cost = int(self.now[sentence])
        for acronym in self._defined_in.get(sentence, ()):
            self._settle(acronym)
        for acronym in self._uses.get(sentence, _NONE):
            if self._settle(acronym):
                # Its definition makes the insertion needless, should it be chosen later.
                self.now[self._definitions[acronym].sentence] -= self._extra[acronym]
        return cost

    def together(self, sentences: Sequence[int]) -> int:
        """Return what sentences cost that are added at once, in order."""
        whole = sum(int(self.now[sentence]) for sentence in sentences)
        new: set[str] = set()
        for sentence in sentences:
            concerned = (*self._defined_in.get(sentence, ()), *self._uses.get(sentence, _NONE))
            whole -= sum(self._extra[name] for name in concerned if name in new)
            new.update(name for name in concerned if name not in self._settled)
        return whole

    def sharing(self, groups: Places) -> Places:
        """Return which groups of sentences may cost less at once than the sum of their costs.

        Args:
            groups: The sentences of each group, `[k, m]`; −1 for none.
        """
        concerned = self._concerned[groups] & (groups >= 0)
        return np.flatnonzero(concerned.sum(axis=1) > 1)

    def copy(self) -> "Lengths":
        """Return a copy that is added to independently."""
        other = Lengths(())
        other.now = self.now.copy()
        other._uses, other._users, other._extra = self._uses, self._users, self._extra
        other._definitions, other._defined_in = self._definitions, self._defined_in
        other._concerned = self._concerned
        other._settled = set(self._settled)
        return other

    def _settle(self, acronym: str) -> bool:
        """Note that an acronym needs no more spelling out; return whether this is new."""
        if acronym in self._settled:
            return False
        self._settled.add(acronym)
        self.now[self._users[acronym]] -= self._extra[acronym]
        return True
