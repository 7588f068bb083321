"""What a check has seen in a sentence of a summary that a reader should look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

DoubtKind = Literal[
    "name", "number", "quantity", "money", "date", "unit", "negation", "wording", "source"
]
"""What a doubt is about: a `name` (or an acronym); a `number`, `quantity`, sum of `money` or
`date`; the `unit` or currency of a figure; a `negation`; the `wording`, most of whose words are
missing; or the `source`, where none was found."""

Finding = Literal["missing", "differs"]
"""What was found: it is `missing` where the check looked; or what is there `differs`."""

Looked = Literal["cited", "document"]
"""Where a check looked: in the sentences that are cited, or in all that the document says."""


PLURALS: Mapping[DoubtKind, str] = {
    "name": "names",
    "number": "numbers",
    "quantity": "quantities",
    "money": "sums",
    "date": "dates",
    "unit": "units",
    "negation": "negation",
    "wording": "wording",
    "source": "sources",
}
"""What doubts of each kind are about, for lists."""

_CALLED: Mapping[DoubtKind, str] = {"money": "sum"}
_PLACES: Mapping[Looked, str] = {"cited": "the cited sentences", "document": "the document"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A claim of a sentence that a check did not find in the document, or found otherwise.

    It says what was seen and where, not that the sentence is wrong: only a reader can tell.

    Attributes:
        kind: What it is about.
        finding: What was found.
        looked: Where the check looked.
        text: The words of the sentence that it is about; empty if it is about all of them.
        start: Offset of the words in the sentence.
        end: Offset after them.
        instead: What the document has in their place; empty if the check found nothing.
        sentence: Position in the document of the sentence that has `instead`; where the words are
            missing, of another sentence that has them; None if there is none.
    """

    kind: DoubtKind
    finding: Finding
    looked: Looked
    text: str = ""
    start: int = 0
    end: int = 0
    instead: str = ""
    sentence: int | None = None

    def __str__(self) -> str:
        """Return a clause, such as "the number 42 is not in the cited sentences"."""
        there = "" if self.sentence is None else f"sentence {self.sentence + 1}"
        if self.kind == "source":
            return "no sentence of the document was found that says it"
        if self.kind == "wording":
            return f"more than half of its words are not in {_PLACES[self.looked]}"
        if self.kind == "negation":
            return f"it says “{self.text}” where {there} of the document says “{self.instead}”"
        subject = f"the {_CALLED.get(self.kind, self.kind)} {self.text}"
        if self.kind == "unit":
            return f"{there} of the document has {self.instead} in place of {self.text}"
        if self.finding == "differs":
            return f"where it has {subject}, {there} of the document has {self.instead}"
        if self.looked == "document":
            return f"{subject} is nowhere in the document"
        elsewhere = f", but in {there}" if there else ""
        return f"{subject} is not in the cited sentences{elsewhere}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, with the clause as `says`."""
        return {
            "kind": self.kind,
            "finding": self.finding,
            "looked": self.looked,
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "instead": self.instead,
            "sentence": self.sentence,
            "says": str(self),
        }
