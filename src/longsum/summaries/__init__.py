"""Summaries with their sources, and their text, Markdown and JSON formats."""

from longsum.summaries.budget import Budget, Fill
from longsum.summaries.doubt import Doubt, DoubtKind
from longsum.summaries.notices import Notice, NoticeKind
from longsum.summaries.sentence import (
    Insertion,
    Method,
    Origin,
    Rival,
    SourceSpan,
    SummarySentence,
)
from longsum.summaries.summary import Coverage, Explanation, FinishReason, Ladder, Summary

__all__ = [
    "Budget",
    "Coverage",
    "Doubt",
    "DoubtKind",
    "Explanation",
    "Fill",
    "FinishReason",
    "Insertion",
    "Ladder",
    "Method",
    "Notice",
    "NoticeKind",
    "Origin",
    "Rival",
    "SourceSpan",
    "Summary",
    "SummarySentence",
]
