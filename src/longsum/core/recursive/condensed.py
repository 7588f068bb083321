"""Long documents with hardly any prose: lists, logs, endless sentences and repetitions.

Such a document is summarized from some of its sentences, as a document of their own, and each
summary is then mapped back to the whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from longsum.core.grounding.verification import Verifier
from longsum.core.recursive.stages import Stage, carried
from longsum.core.summaries import (
    Budget,
    Coverage,
    FinishReason,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.notices import notices_of
from longsum.core.summaries.summary import Level
from longsum.core.systems.reading_load import (
    MANY_CHARACTERS,
    MANY_SENTENCES,
    SENTENCES_OF_A_LIST,
    load,
)
from longsum.core.systems.system import Request, System
from longsum.documents.model import Document
from longsum.language.repeats import first_alike
from longsum.language.words import content_terms, count_words


class Condensed(System):
    """Summarizes a document from some of its sentences, without shortening them.

    Args:
        system: Summarizes the sentences that are read and is prepared for them; it copies
            sentences.
        whole: The document.
        places: The positions of the sentences that are read, in order.
        read: These sentences as a document.
    """

    def __init__(
        self, system: System, whole: Document, places: Sequence[int], read: Document
    ) -> None:
        self.name, self.takes_focus = system.name, system.takes_focus
        self._system, self._whole, self._places = system.whole_sentences(), whole, places
        self._stage = Stage(read, [(SourceSpan.of(whole, place),) for place in places])
        self._verifier = Verifier([sentence.text for sentence in whole.sentences])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the system."""
        return self._system.settings

    def own_budget(self, request: Request) -> Budget:
        """Return the length that the system would give a summary of the sentences read."""
        return self._system.own_budget(replace(request, document=self._stage.document))

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Summarize the sentences read, and map each summary back to the whole."""
        inner = [budget.absolute(self._whole) for budget in budgets]
        requested = inner[budgets.index(request.budget)]
        read = replace(request, document=self._stage.document, budget=requested)
        for budget, summary in zip(budgets, self._system.lengths(read, inner), strict=True):
            yield replace(self._lifted(summary), budget=budget)

    def _lifted(self, summary: Summary) -> Summary:
        ended: FinishReason
        count, weights = len(self._whole.sentences), summary.importance
        # Only part of the document is read.
        ended = "model_limit" if summary.finish_reason == "document" else summary.finish_reason
        left_out = {"document", "own_summary", *(["length"] if ended == "model_limit" else ())}
        text = (
            f"{len(self._places):,} of {count:,} sentences were read: the others repeat them, say "
            "less or have no end."
        )
        if weights is not None:
            weight_of = dict(zip(self._places, weights.sentences, strict=True))
            weights = replace(weights, sentences=tuple(map(weight_of.get, range(count))))
        return replace(
            summary,
            document=self._whole,
            sentences=self._carried(summary.sentences),
            coverage=Coverage.of(self._whole, self._places),
            finish_reason=ended,
            notices=(
                *notices_of(self._whole),
                Notice("reading", text),
                *(notice for notice in summary.notices if notice.kind not in left_out),
            ),
            importance=weights,
            levels=tuple(map(self._level, summary.levels)),
        )

    def _level(self, level: Level) -> Level:
        parts = [replace(part, sentences=self._carried(part.sentences)) for part in level.parts]
        return Level(tuple(parts))

    def _carried(self, sentences: Sequence[SummarySentence]) -> tuple[SummarySentence, ...]:
        places = range(len(self._places))
        return tuple(
            carried(sentence, self._verifier, self._stage, places) for sentence in sentences
        )


# Lines of logs and rows of lists often differ only in numbers.
_NUMBER = re.compile(r"\d+")


ENDLESS = 1_000
"""Characters above which a sentence is hardly one: text without full stops, cells, minified code.
None fits into a summary of 200 words."""
_ENDLESS_READ = 200


def worth_reading(document: Document) -> Sequence[int] | None:
    """Return the positions of the sentences to summarize a document from; None for all.

    If endless sentences make up most of a long text, some of them are read, from all over the text.
    If most of many sentences repeat others except for numbers, only the first of each is read. If
    many sentences remain and have few words each, only those with the most content words are read,
    material first.
    """
    sentences = document.sentences
    places = _without_most_endless(document)
    if len(places) > MANY_SENTENCES:
        first = sorted(set(first_but_for_numbers(document)).intersection(places))
        places = first if 2 * len(first) <= len(places) else places
        words = sum(count_words(sentences[place].text) for place in places)
        if len(places) > MANY_SENTENCES and load(words, len(places), 0) > words:
            content = {place: len(content_terms(sentences[place].text)) for place in places}
            best = sorted(places, key=lambda at: (not sentences[at].is_material, -content[at]))
            places = sorted(best[:SENTENCES_OF_A_LIST])
    return None if len(places) == len(sentences) else places


def _without_most_endless(document: Document) -> Sequence[int]:
    """Return the positions of all sentences; if endless ones prevail, without most of these."""
    characters = len(document.text)
    lengths = [len(sentence.text) for sentence in document.sentences]
    endless = [at for at, length in enumerate(lengths) if length > ENDLESS]
    if characters <= MANY_CHARACTERS or 2 * sum(lengths[at] for at in endless) <= characters:
        return range(len(lengths))
    left_out = set(endless).difference(endless[:: len(endless) // _ENDLESS_READ + 1])
    return [at for at in range(len(lengths)) if at not in left_out]


def first_but_for_numbers(document: Document) -> list[int]:
    """Return for each sentence the position of the first with the same words, numbers aside."""
    texts = [_NUMBER.sub("0", sentence.text) for sentence in document.sentences]
    positions: list[int] = first_alike(texts).tolist()
    return positions
