"""Calls of language models: requests, replies and the interface of models."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from longsum.writers.tokens import Window

Message = tuple[str, str]
"""A role, `system` or `user`, and its text."""

Feature = Literal["stream", "json_schema"]
"""Optional server features: streamed answers, and answers constrained to a schema."""


class CallError(Exception):
    """A call gave no usable answer; the message says why, in a clause."""


class PromptTooLongError(CallError):
    """The prompt does not fit the model's window."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a model.

    Attributes:
        messages: The prompt.
        max_tokens: Maximum number of tokens to write.
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
        text: The written text.
        finished: Whether the model ended by itself.
        prompt_tokens: Tokens read, according to the server; None if it does not say.
        completion_tokens: Tokens written, likewise.
    """

    text: str
    finished: bool = True
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatModel(Protocol):
    """Answers calls; thread-safe."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def identity(self) -> Mapping[str, str]:
        """What distinguishes its answers from other models'; recorded in summaries."""
        ...

    @property
    def dropped(self) -> Collection[str]:
        """Parameters that it refused or lacks, which are left out of calls."""
        ...

    def enable(self, feature: Feature) -> bool:
        """Use a feature from now on if a test call shows support; return whether it does."""
        ...

    def window(self) -> Window:
        """Return how much the model reads and writes in one call."""
        ...

    def complete(self, call: Call) -> Reply:
        """Return the answer, or raise `CallError`."""
        ...

    def tokens_of(self, text: str) -> int | None:
        """Return the number of tokens of a text for the model's tokenizer; None if unavailable."""
        ...
