"""The settings of a task."""

from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict

from longsum.common.registry import find
from longsum.models.tasks.divide_and_conquer import DivideAndConquer, PartSummaries, Sections
from longsum.models.tasks.extract_then_abstract import WORDS_OF_A_TOKEN, ExtractThenAbstract
from longsum.models.tasks.question_generation import QSGenChildren, QSGenHierarchy
from longsum.models.tasks.source import Marks, Overflow, SourceFormat
from longsum.models.tasks.task import Summarization, Task

Weights = Literal["oracle", "tagger"]
Kind = Literal[
    "summarization",
    "sections",
    "part_summaries",
    "selected",
    "question_hierarchy",
    "child_questions",
    "realization",
]


@dataclass(frozen=True, slots=True)
class TaskConfig:
    """What a model reads and what it generates.

    Attributes:
        kind: `summarization`, the whole document and its summary; `sections`, each section and its
            part of the summary (`DivideAndConquer`); `part_summaries`, the joined summaries of the
            parts and that of the whole (`PartSummaries`); `selected`, selected sentences and the
            summary (`ExtractThenAbstract`); `question_hierarchy`, a question and the tree below it
            (`QSGenHierarchy`); `child_questions`, a question with its answer and the follow-up
            questions (`QSGenChildren`); `realization`, the entries of a table that a sentence
            expresses, and the sentence (`longsum.tables.realization.realization_task`).
        source_tokens: Maximum number of tokens to read.
        target_tokens: Maximum number of tokens to generate.
        marks: How sections are marked in the source; see `SourceFormat`.
        overflow: Where a source that is too long ends; see `SourceFormat`.
        ancestors: Whether headings of sections without text are read; see `SourceFormat`.
        sections: `sections`: the sections to read; see `DivideAndConquer`.
        least_words: `sections`: minimum number of words of a section, and of a training target.
        selector: `selected`: the extractive system that selects sentences at test time; in
            training, an oracle does.
        introduction: `selected`: whether the first section is read before the selected sentences.
        aligned: `question_hierarchy`, `child_questions`: whether only the sections that a tree's
            answers are based on are read, and not the whole document.
        question_given: `question_hierarchy`: whether the first question is read, not generated.
        traced: `realization`: whether to leave out sentences with numbers that the table does not
            confirm.
        importance: Where the importance of tokens comes from, which some models read besides the
            source (AdaPool of Pang et al. 2022, §2.3): in training always from the `oracle`, which
            reads the target; at test time from a `tagger`, or the oracle again as an upper bound.
        tagger: Folder of the tagger; None if it is named at test time.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: Kind = "summarization"
    source_tokens: int = 1024
    target_tokens: int = 1024
    marks: Marks = "auto"
    overflow: Overflow = "cut"
    ancestors: bool = True
    sections: Sections = "typed"
    least_words: int = 50
    selector: str = "kernels"
    introduction: bool = False
    aligned: bool = False
    question_given: bool = True
    traced: bool = True
    importance: Weights | None = None
    tagger: str | None = None

    def source_format(self) -> SourceFormat:
        """Return the layout of sources."""
        return SourceFormat(self.source_tokens, self.marks, self.overflow, self.ancestors)

    def build(self) -> Task:
        """Make the task."""
        match self.kind:
            case "summarization":
                return Summarization()
            case "sections":
                return self.divide_and_conquer()
            case "part_summaries":
                return PartSummaries()
            case "selected":
                return self.extract_then_abstract()
            case "question_hierarchy":
                return QSGenHierarchy(self.aligned, self.question_given)
            case "child_questions":
                return QSGenChildren(self.aligned)
            case _:
                task: Task = find("tasks", self.kind)(self)
                return task

    def divide_and_conquer(self) -> DivideAndConquer:
        """Make the task `sections`, which also defines the parts that are read at test time."""
        return DivideAndConquer(self.sections, self.least_words)

    def extract_then_abstract(self) -> ExtractThenAbstract:
        """Make the task `selected`, which also selects sentences from a ranking at test time."""
        return ExtractThenAbstract(int(self.source_tokens * WORDS_OF_A_TOKEN), self.introduction)
