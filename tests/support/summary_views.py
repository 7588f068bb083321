from dataclasses import replace
from typing import Any

from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.core.summaries.question_summary import QuestionNode
from longsum.documents import Document


def sentences_of(document: Document, *places: int) -> tuple[SummarySentence, ...]:
    """Return summary sentences of a document, by their positions."""
    return tuple(
        SummarySentence(
            document.sentences[place].text, (SourceSpan.of(document, place),), 0.5, {"x": 0.5}, step
        )
        for step, place in enumerate(places)
    )


def summary_of(document: Document, *places: int, **changes: Any) -> Summary:
    """Return a summary of those sentences."""
    sentences = sentences_of(document, *places)
    made = Summary(document, sentences, Budget(900), Coverage.whole(document), "mine")
    return replace(made, **changes)


def picked(summary: Summary | QuestionNode) -> list[int]:
    """Return the sentences in the order of the summary."""
    return [sentence.sources[0].sentence for sentence in summary.sentences]


def in_order(summary: Summary) -> list[int]:
    """Return the sentences in the order of choice."""
    ordered = sorted(summary.sentences, key=lambda sentence: sentence.step or 0)
    return [sentence.sources[0].sentence for sentence in ordered]
