"""A small document with pages and hostile titles, and a ladder made by hand."""

from collections.abc import Callable

import pytest

from longsum.core.summaries import (
    Budget,
    Coverage,
    Explanation,
    NestedSummaries,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.documents import Document, DocumentBuilder, Source
from page_fixtures import as_before  # noqa: F401

HOSTILE = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'

LadderMaker = Callable[..., NestedSummaries]


@pytest.fixture
def document() -> Document:
    builder = DocumentBuilder()
    builder.paragraph("The opening names the matter. It has a second sentence.", page=1)
    builder.heading(1, f"Findings {HOSTILE}")
    builder.paragraph(f"The agency found {HOSTILE} in 5 < 6 & 7 > 2 cases.", page=2)
    for number in range(1, 41):
        builder.paragraph(f"Case {number} was opened. Case {number} was closed.", page=2 + number)
    builder.heading(2, "Costs")
    builder.paragraph("The costs rose by a third. Nobody had planned\u2028for that.", page=50)
    builder.heading(1, "3.2 Advice")
    builder.paragraph("The agency should plan ahead.", page=51)
    return builder.build(f"A report {HOSTILE} $policy", Source("report<1>.pdf", "pdf"))


@pytest.fixture
def make_ladder(document: Document) -> LadderMaker:
    """Make a ladder of a document from the order in which its sentences are chosen."""

    def make(
        order: tuple[int, ...] = (2, 60, 0, 83, 85),
        sizes: tuple[int, ...] = (1, 3, 5),
        start: int = 1,
        of: Document = document,
        seconds: float = 1.0,
    ) -> NestedSummaries:
        rungs = []
        for size in sizes:
            chosen = sorted((sentence, step) for step, sentence in enumerate(order[:size]))
            sentences = tuple(
                _sentence(of, sentence, step, order[step + 1 : step + 2])
                for sentence, step in chosen
            )
            rungs.append(_summary(of, sentences, size, seconds))
        return NestedSummaries(tuple(rungs), start)

    return make


@pytest.fixture
def ladder(make_ladder: LadderMaker) -> NestedSummaries:
    return make_ladder()


def _sentence(
    document: Document, sentence: int, step: int, runner_up: tuple[int, ...]
) -> SummarySentence:
    reasons = {"topics": 0.5 - step / 20, "redundancy": -step / 50, "novelty": 0.125}
    return SummarySentence(
        text=document.sentences[sentence].text,
        sources=(SourceSpan.of(document, sentence),),
        score=sum(reasons.values()),
        reasons=reasons,
        step=step,
        runner_up=runner_up[0] if runner_up else None,
    )


def _summary(
    document: Document, sentences: tuple[SummarySentence, ...], size: int, seconds: float
) -> Summary:
    return Summary(
        document=document,
        sentences=sentences,
        budget=Budget(max(size, 1), "sentences"),
        coverage=Coverage(
            len(document.sentences) - 1, len(document.sentences), (len(document.walk()) - 1,)
        ),
        system="by hand",
        settings={"kernels": ["topics"], "note": HOSTILE},
        seed=7,
        notices=(Notice("document", "Two tables were left out."),),
        explanation=Explanation((("agency", "costs"),), (("case", 0.25),), {"topics": 1.0}),
        timings={"all": seconds},
    )
