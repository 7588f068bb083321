"""Checks any text against documents: what does it say that they do not?"""

from collections.abc import Iterator, Sequence
from time import perf_counter

from longsum.checking.citations import cited_pages, misplaced
from longsum.checking.joined_documents import joined
from longsum.checking.quotations import misquoted
from longsum.checking.text_check import CheckedSentence, TextCheck, Verdict
from longsum.common.errors import LongsumError
from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.summaries import Doubt, SourceSpan
from longsum.documents.model import Document, Sentence
from longsum.documents.readers.reading import Given, as_document
from longsum.language.words import content_terms

_LEAST_WORDS = 2
"""A sentence of fewer content words ("Yes." "In summary:") claims nothing that could be found."""


def check(text: Given, *documents: Given) -> TextCheck:
    """Return what a text says that documents do not, sentence by sentence.

    A sentence is `confirmed` if the documents say it and no check found a difference; it `differs`
    if they have something else in the place of a number, name, date, unit, negation, direction or
    role; it is `not_found` if they do not have what it says; and `not_checkable` if it claims
    nothing. What is found of what is known to be wrong is measured (docs/checking.md); only a
    reader can tell.

    Args:
        text: The text, in any form that `longsum.summarize` takes.
        documents: What it is about, each in such a form.

    Raises:
        LongsumError: The text or a document cannot be read, is empty or has no sentence.
        TypeError: One of them is no document.

    Example:
        >>> import longsum
        >>> report = "The dam was built in 1931. The river floods in June."
        >>> found = longsum.check("The river floods in May.", report)
        >>> found.sentences[0].verdict, str(found.sentences[0].findings[0])
        ('differs', 'where it has the date May, sentence 2 of the document has June')
    """
    began = perf_counter()
    if not documents:
        raise LongsumError("There is no document to check against; give at least one.")
    checked, document = as_document(text), joined([as_document(each) for each in documents])
    read = perf_counter()
    sentences = tuple(Checker(document).checked(checked.sentences))
    timings = {"reading": read - began, "checking": perf_counter() - read}
    return TextCheck(checked, document, sentences, timings)


class Checker:
    """Checks sentences against one document, whose indexes are made once.

    Args:
        document: The document.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        texts = [sentence.text for sentence in document.sentences]
        self._aligner, self._verifier = Aligner(texts), Verifier(texts)

    def checked(self, sentences: Sequence[Sentence]) -> Iterator[CheckedSentence]:
        """Yield what was found of each sentence, in order."""
        return map(self._checked, sentences)

    def _checked(self, sentence: Sentence) -> CheckedSentence:
        text = sentence.text
        if not is_checkable(text):
            return CheckedSentence(text, sentence.start, sentence.end, "not_checkable")
        found = self._aligner.align(text)
        sources = tuple(
            SourceSpan.of(self._document, each.sentence, each.score, each.method) for each in found
        )
        copied = bool(found) and found[0].method == "copied"
        findings = [] if copied else [*self._findings(text, [each.sentence for each in found])]
        findings += misplaced(text, cited_pages(text), sources)
        findings.sort(key=lambda each: each.start)
        return CheckedSentence(
            text, sentence.start, sentence.end, verdict_of(findings), sources, tuple(findings)
        )

    def _findings(self, text: str, cited: Sequence[int]) -> Iterator[Doubt]:
        for doubt in self._verifier.doubts(text, cited):
            # A text may name whom its source calls "he"; the document has the name elsewhere.
            named = doubt.kind == "name" and doubt.finding == "missing"
            if not named or doubt.sentence is None:
                yield doubt
        yield from misquoted(text, self._document)


def is_checkable(text: str) -> bool:
    """Return whether a sentence claims something: it asks nothing, and has words of content."""
    return not text.rstrip(' "”’)').endswith("?") and len(content_terms(text)) >= _LEAST_WORDS


def verdict_of(findings: Sequence[Doubt]) -> Verdict:
    """Return the verdict on a sentence that could be checked."""
    if any(each.finding == "differs" for each in findings):
        return "differs"
    return "not_found" if findings else "confirmed"
