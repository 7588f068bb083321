"""Summaries with their sources, and their text, Markdown and JSON formats."""

from longsum.core.summaries.budget import Budget, Fill
from longsum.core.summaries.notices import Notice, NoticeKind
from longsum.core.summaries.sentence import (
    Doubt,
    DoubtKind,
    Insertion,
    Method,
    Origin,
    Rival,
    SourceSpan,
    SummarySentence,
)
from longsum.core.summaries.summary import (
    Coverage,
    Explanation,
    FinishReason,
    NestedSummaries,
    Summary,
)

__all__ = [
    "Budget",
    "Coverage",
    "Doubt",
    "DoubtKind",
    "Explanation",
    "Fill",
    "FinishReason",
    "Insertion",
    "Method",
    "NestedSummaries",
    "Notice",
    "NoticeKind",
    "Origin",
    "Rival",
    "SourceSpan",
    "Summary",
    "SummarySentence",
]
