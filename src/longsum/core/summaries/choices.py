"""Explanatory notes on a chosen sentence: reasons, rivals, topics and keywords."""

from collections.abc import Iterable, Iterator

from longsum.common.wording import shorten
from longsum.core.summaries.sentence import SummarySentence
from longsum.core.summaries.summary import Explanation
from longsum.documents.model import Document

MEANINGS = {
    "wording": "what the sentence itself says, and at what length",
    "headings": "the heading it stands under",
    "subject": "how many of the title's words and of the document's frequent ones it has",
    "place": "where it stands in document, section and paragraph",
    "novelty": "what it adds to the sentences chosen before it",
    "length": "how short it is: short ones leave room for others",
    "centrality": "how many sentences of the document are like it",
    "antecedent": "what it gains or loses by being chosen with the sentence before or after it",
}
"""Explanations of a trained network's reasons, by name."""


def meanings(sentences: Iterable[SummarySentence]) -> dict[str, str]:
    """Return the explanations of those reasons of sentences that need one."""
    used = {name for sentence in sentences for name in sentence.reasons}
    return {name: meaning for name, meaning in MEANINGS.items() if name in used}


def notes(
    sentence: SummarySentence, document: Document, explanation: Explanation | None
) -> Iterator[str]:
    """Yield the notes on a sentence, a line each.

    Args:
        sentence: The sentence of a summary.
        document: The summary's document.
        explanation: The topics and keywords of the document, if the system has any.
    """
    if sentence.expands is not None:
        yield f"expands: {shorten(sentence.expands)}"
    for rival in sentence.rivals:
        text = " ".join(document.sentences[place].text for place in rival.sentences)
        yield f"instead of: {shorten(text)} (score {rival.score:.3g}, repeats {rival.repeats})"
    if sentence.deletions:
        gone = (document.text[each.start : each.end].strip() for each in sentence.deletions)
        yield f"left out: {'; '.join(map(shorten, gone))}"
    if explanation is not None:
        for number, words in explanation.topics_in(sentence.text).items():
            yield f"of topic {number}: {', '.join(words)}"
        if keywords := explanation.keywords_in(sentence.text):
            yield f"keywords: {', '.join(keywords)}"
