"""What a number in a sentence states, before it is known about whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from longsum.tables.matching.mentions import Mention

Form = Literal["value", "pair", "difference", "rank", "count", "outside"]
Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Statement:
    """A number and what it states.

    Attributes:
        start: Where it begins in the `text` of the `PlainWords` of its sentence.
        end: Where it ends.
        value: The number.
        form: `value` is a value of an entity; `pair` one of two values that stand side by side, of
            two entities; `difference` how far two entities are apart; `rank` the place of an
            entity among those that belong with it; `count` how many entities reach `threshold`;
            `outside` what the table cannot say.
        types: By the kind of the entity, the names of the record types that it states; of several,
            their sum.
        partner: Where the other number of a pair begins.
        threshold: What the entities reach that are counted.
        final: Whether a pair is the final score, which has the winner's number first.
        beside: Whether it is about the name right before it, whoever the sentence speaks about.
        other: Whether it is about the other team than the sentence speaks about.
        sure: Whether the words leave no doubt about the type.
        reason: What an `outside` number is about, for messages.
    """

    start: int
    end: int
    value: float
    form: Form
    types: Types = field(default_factory=dict)
    partner: int | None = None
    threshold: float = 0
    final: bool = False
    beside: bool = False
    other: bool = False
    sure: bool = True
    reason: str = ""


class StatementReader(Protocol):
    """Finds what the numbers of sentences state; one for each domain."""

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order.

        Args:
            text: The `text` of its `PlainWords`.
            mentions: The names in it.
        """
        ...
