"""Summaries with their sources, and their text, Markdown and JSON formats."""

from longsum.core.summaries.budget import Budget, Fill
from longsum.core.summaries.notices import Notice, NoticeKind
from longsum.core.summaries.sentence import (
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
from longsum.core.summaries.verification_flags import Doubt, DoubtKind

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
