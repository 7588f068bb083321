"""What a system gives back: a summary with its sources, and the files and texts made of it."""

from longsum.summaries.budget import Budget
from longsum.summaries.summary import (
    Coverage,
    Explanation,
    FinishReason,
    Ladder,
    Method,
    Origin,
    Rival,
    SourceSpan,
    Summary,
    SummarySentence,
)

__all__ = [
    "Budget",
    "Coverage",
    "Explanation",
    "FinishReason",
    "Ladder",
    "Method",
    "Origin",
    "Rival",
    "SourceSpan",
    "Summary",
    "SummarySentence",
]
