"""Calls of a language model: what it is asked, what it answers, and what it has to offer."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from longsum.writers.tokens import Window

Message = tuple[str, str]
"""A role, `system` or `user`, and its text."""

Feature = Literal["stream", "json_schema"]
"""What not every server has: answers in parts as they are written, and answers held to a schema."""


class CallError(Exception):
    """A call brought no answer that can be used; its text says why, in a clause."""


class PromptTooLongError(CallError):
    """The prompt does not fit the model's window."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of a model.

    Attributes:
        messages: What it reads.
        max_tokens: The most tokens that it may write.
        seed: Random seed.
        temperature: 0 for the most probable answer.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    seed: int = 0
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    Attributes:
        text: What it wrote.
        finished: Whether it ended by itself.
        prompt_tokens: The tokens that the server says it read; None if it does not say.
        completion_tokens: The tokens that it says it wrote.
    """

    text: str
    finished: bool = True
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatModel(Protocol):
    """Answers calls; threads share it."""

    @property
    def name(self) -> str:
        """What the model is called."""
        ...

    @property
    def identity(self) -> Mapping[str, str]:
        """What tells its answers from those of other models; summaries record it."""
        ...

    @property
    def dropped(self) -> Collection[str]:
        """What it refused or does not have, and what is left out of calls."""
        ...

    def enable(self, feature: Feature) -> bool:
        """Use a feature from now on if a call shows that there is one; tell whether it does."""
        ...

    def window(self) -> Window:
        """Return how much it reads and writes in one call."""
        ...

    def complete(self, call: Call) -> Reply:
        """Return the answer, or raise `CallError`."""
        ...

    def tokens_of(self, text: str) -> int | None:
        """Return the tokens of a text by the model's tokenizer; None if it cannot be asked."""
        ...
