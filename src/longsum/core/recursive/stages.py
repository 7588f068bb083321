"""One stage of a recursive summary: the summaries of a text's parts form the next text.

The next text has a section for each part. Each of its sentences keeps its sources in the original
document across any number of stages.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from longsum.core.grounding.alignment import MAX_SOURCES
from longsum.core.grounding.verification import Verifier
from longsum.core.recursive.parts import Part
from longsum.core.summaries import (
    Budget,
    FinishReason,
    Method,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.budget import Unit
from longsum.core.summaries.summary import Level, PartSummary
from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Sentence


@dataclass(frozen=True, slots=True)
class Stage:
    """A text: the document, or the summaries of the parts of the text below.

    Attributes:
        document: The text.
        origins: For each of its sentences, the sources in the original document.
        sentences: The same as summary sentences; empty for the original document.
        level: The summaries that form it; None for the original document.
        read: Positions of the sentences of the text below that were read.
        reasons: The finish reasons of the parts' summaries.
    """

    document: Document
    origins: Sequence[tuple[SourceSpan, ...]]
    sentences: tuple[SummarySentence, ...] = ()
    level: Level | None = None
    read: tuple[range, ...] = ()
    reasons: tuple[FinishReason, ...] = ()

    @classmethod
    def of(cls, document: Document) -> "Stage":
        """Return the original document as the lowest stage."""
        count = len(document.sentences)
        return cls(document, [(SourceSpan.of(document, place),) for place in range(count)])


def next_stage(
    original: Document,
    verifier: Verifier,
    below: Stage,
    parts: Sequence[Part],
    texts: Sequence[Document],
    rooms: Sequence[int],
    summaries: Callable[[Sequence[Document], Sequence[Budget]], Iterator[Summary]],
    unit: Unit,
    progress: Callable[[int, int], None],
) -> Stage:
    """Summarize the parts of a text into the next stage.

    Sentences that were truncated because no whole sentence fitted are left out.

    `texts` are the parts as documents, and `rooms` the lengths of their summaries; parts with the
    length 0 are skipped. `progress` is called after each part with the number of finished parts and
    that of all.
    """
    builder = DocumentBuilder()
    sentences: list[SummarySentence] = []
    part_summaries: list[PartSummary] = []
    read: list[range] = []
    reasons: list[FinishReason] = []
    requests = [(text, Budget(room, unit)) for text, room in zip(texts, rooms, strict=True) if room]
    made = summaries([text for text, _ in requests], [budget for _, budget in requests])
    for done, (part, room) in enumerate(zip(parts, rooms, strict=True), start=1):
        part_sentences: list[SummarySentence] = []
        warnings: tuple[str, ...] = ()
        if room:
            summary = next(made)
            read.append(part.sentences[: summary.coverage.sentences_read])
            reasons.append(summary.finish_reason)
            warnings = summary.warnings
            if summary.sentences and summary.finish_reason != "nothing_fits":
                builder.inferred_heading(1, part.title)
                for paragraph in summary.paragraphs:
                    # Copied unchanged: whether chosen sentences are material is not judged again.
                    builder.copies(_as_source(sentence, summary.document) for sentence in paragraph)
                for sentence in summary.sentences:
                    part_sentences.append(carried(sentence, verifier, below, part.sentences))
        sentences.extend(part_sentences)
        part_summaries.append(
            PartSummary(part.title, part.words, room, tuple(part_sentences), warnings)
        )
        progress(done, len(parts))
    return Stage(
        document=builder.build(original.title, original.source),
        origins=[sentence.sources for sentence in sentences],
        sentences=tuple(sentences),
        level=Level(tuple(part_summaries)),
        read=tuple(read),
        reasons=tuple(reasons),
    )


def _as_source(sentence: SummarySentence, document: Document) -> Sentence:
    """Return a summary sentence as a document sentence, in the words of its source.

    Copied sentences keep their kind: a part with only references yields no material.
    """
    text = sentence.without_insertions().text
    first = sentence.sources[0] if sentence.sources else None
    if first is None or first.method != "copied":
        return Sentence(text, 0, len(text))
    source = document.sentences[first.sentence]
    return Sentence(text, 0, len(text), kind=source.kind, speaker=source.speaker)


def carried(
    sentence: SummarySentence, verifier: Verifier, below: Stage, positions: Sequence[int]
) -> SummarySentence:
    """Map a summary sentence of a level's text, or of a part of it, back to the original document.

    Its sources are the sources of its sources; scores multiply, and a source is `copied` only if it
    was copied at every level. The sentence is verified again against its sources in the original
    document. Runners-up and rivals that are not sentences of the original document are dropped,
    and so are insertions, which the whole summary may need elsewhere.

    `below` is the text that was summarized, and `positions` are the positions of the part's
    sentences in it.
    """
    sources = _sources(sentence, below, positions)
    copied = bool(sources) and sources[0].method == "copied"
    cited = [source.sentence for source in sources]
    second = () if sentence.runner_up is None else (sentence.runner_up,)
    runner_up = _copies(second, below, positions)
    rivals = (
        replace(rival, sentences=_copies(rival.sentences, below, positions))
        for rival in sentence.rivals
    )
    return replace(
        sentence.without_insertions(),
        sources=sources,
        runner_up=runner_up[0] if runner_up else None,
        doubts=() if copied else verifier.doubts(sentence.text, cited),
        rivals=tuple(rival for rival in rivals if rival.sentences),
    )


def _copies(sentences: Sequence[int], below: Stage, positions: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of copied sentences in the original; empty if any is not copied."""
    origins = [below.origins[positions[sentence]] for sentence in sentences]
    if not all(sources and sources[0].method == "copied" for sources in origins):
        return ()
    return tuple(sources[0].sentence for sources in origins)


def _sources(
    sentence: SummarySentence, below: Stage, positions: Sequence[int]
) -> tuple[SourceSpan, ...]:
    best: dict[int, SourceSpan] = {}
    for source in sentence.sources:
        for origin in below.origins[positions[source.sentence]]:
            combined = replace(
                origin,
                score=source.score * origin.score,
                method=min(source.method, origin.method, key=_STRENGTH.index),
            )
            if origin.sentence not in best or combined.score > best[origin.sentence].score:
                best[origin.sentence] = combined
    ordered = sorted(best.values(), key=lambda source: (-source.score, source.sentence))
    return tuple(ordered[:MAX_SOURCES])


_STRENGTH: tuple[Method, ...] = ("attention", "aligned", "cited", "copied")


def read_of(stage: Stage) -> Iterator[int]:
    """Yield the positions of the sentences of the text below that were read."""
    return (position for positions in stage.read for position in positions)
