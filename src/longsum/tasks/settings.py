"""The settings that choose a task, and what makes one of them."""

from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict

from longsum.tasks.source import Marks, SourceFormat
from longsum.tasks.task import Summarization, Task

Kind = Literal["summarization"]


@dataclass(frozen=True, slots=True)
class TaskConfig:
    """What is read and what is written.

    Attributes:
        kind: `summarization`, the whole document and its summary.
        source_tokens: The most tokens that are read.
        target_tokens: The most tokens that are written.
        marks: How sections show in the source; see `SourceFormat`.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: Kind = "summarization"
    source_tokens: int = 1024
    target_tokens: int = 1024
    marks: Marks = "auto"

    def source_format(self) -> SourceFormat:
        """Return the layout of sources."""
        return SourceFormat(self.source_tokens, self.marks)

    def build(self) -> Task:
        """Make the task."""
        return Summarization()
