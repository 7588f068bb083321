"""Checks any text against documents: which of its claims do they not make?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from time import perf_counter
from typing import Literal

from longsum.checking.citations import Citation, citations_in, misquoted, without
from longsum.checking.cited_works import cited_works
from longsum.checking.syntax import turned_roles
from longsum.checking.text_check import CheckedSentence, TextCheck, Verdict
from longsum.common.errors import LongsumError
from longsum.core.grounding.alignment import MAX_SOURCES, Aligner
from longsum.core.grounding.denials import undenied
from longsum.core.grounding.quantities import unit
from longsum.core.grounding.scope import unscoped
from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.core.grounding.verification import MIN_TURNED, Verifier
from longsum.core.summaries import Doubt, DoubtKind, SourceSpan
from longsum.documents.dossier import joined
from longsum.documents.model import Document, Sentence
from longsum.documents.readers.reading import DocumentInput, as_document
from longsum.language.entities import entities
from longsum.language.words import content_terms

_DENYING = 8
"""Number of sentences nearest to a claim, one of which must deny what it denies. Of 45 denials in
5,392 reference sentences of training splits whose words occur in their documents, 3 have none."""
_LEAST_WORDS = 2
"""A sentence with fewer content words ("Yes." "In summary:") claims nothing that could be found."""


def check(text: DocumentInput, *documents: DocumentInput) -> TextCheck:
    """Return what a text says that the documents do not, sentence by sentence.

    A sentence is `confirmed` if the documents say it and no check found a difference; it `differs`
    if they have a different number, name, date, unit, negation, direction or role in its place; it
    is `not_found` if they do not say it; and `not_checkable` if it claims nothing. How many known
    errors are found is measured (docs/checking.md); only a reader can tell.

    Text and documents may have any form that `longsum.summarize` takes.

    Raises:
        LongsumError: The text or a document cannot be read, is empty or has no sentence.
        TypeError: One of them is not a document.

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
    checked, parts = as_document(text), [as_document(each) for each in documents]
    read = perf_counter()
    document = joined(parts)
    ends = [0, *accumulate(len(part.sentences) for part in parts)]
    works, notices = cited_works(checked, parts)
    numbered = {number: range(*ends[place : place + 2]) for number, place in works.items()}
    sentences = tuple(Checker(document, numbered).checked(checked.sentences))
    timings = {"reading": read - began, "checking": perf_counter() - read}
    return TextCheck(checked, document, sentences, notices, timings)


def checked_against(text: str, document: Document) -> tuple[CheckedSentence, ...]:
    """Check each sentence of a plain text against one document."""
    return tuple(Checker(document).checked(as_document(text).sentences)) if text.strip() else ()


class Checker:
    """Checks sentences against one document, which is indexed once.

    Args:
        document: The document.
        numbered: For each number in brackets, the sentences of the document that it cites.
    """

    def __init__(
        self, document: Document, numbered: Mapping[int, Sequence[int]] | None = None
    ) -> None:
        self._document, self._numbered = document, numbered or {}
        self._every = range(len(document.sentences))
        self._parts: dict[tuple[int, ...], _Part] = {}
        self._whole = self._part(self._every)

    def checked(self, sentences: Sequence[Sentence]) -> Iterator[CheckedSentence]:
        """Yield the result for each sentence, in order."""
        texts = [each.text for each in sentences if _claims(each)]
        self._whole.ahead = [without(text, citations_in(text)) for text in texts]
        return map(self._checked, sentences)

    def _checked(self, sentence: Sentence) -> CheckedSentence:
        text = sentence.text
        if not _claims(sentence):
            return CheckedSentence(text, sentence.start, sentence.end, "not_checkable")
        citations = citations_in(text)
        claim = without(text, citations)
        found = self._whole.found(claim)
        # A mark that the source also has cites what the document cites.
        own = self._document.sentences[found.sources[0].sentence].text if found.sources else ""
        found = self._as_cited(claim, [each for each in citations if each.text not in own], found)
        findings = [*found.doubts, *misquoted(text, self._document)]
        findings.sort(key=lambda each: each.start)
        return CheckedSentence(
            text,
            sentence.start,
            sentence.end,
            verdict_of(findings),
            found.sources,
            tuple(findings),
            tuple(self._unmatched(claim, found.sources, findings)),
        )

    def _unmatched(
        self, claim: str, sources: Sequence[SourceSpan], findings: Sequence[Doubt]
    ) -> Iterator[str]:
        """Yield the content words of a claim that are in none of its sources and no finding."""
        stemmed, present = StemmedText.of(claim), set[str]()
        for source in sources:
            present.update(StemmedText.of(self._document.sentences[source.sentence].text).stems)
        lacking = stemmed.words() - present if sources else set()
        for at, word in enumerate(stemmed.stems):
            start, end = stemmed.span(at)
            if word in lacking and not any(it.start < end and start < it.end for it in findings):
                lacking.remove(word)
                yield claim[start:end]

    def _as_cited(self, claim: str, citations: Sequence[Citation], found: "_Found") -> "_Found":
        """Return what is found where a claim cites, or that its source is elsewhere."""
        places: Sequence[int] = self._every
        works = [each for each in citations if not self._numbered.keys().isdisjoint(each.numbers)]
        if works:
            numbers = {number for each in works for number in each.numbers}
            held = (self._numbered.get(number, ()) for number in numbers)
            places = sorted({place for some in held for place in some})
            there = self._part(places).found(claim)
            if there.confirms:
                found = there
            elif found.confirms:
                found = self._elsewhere(found, "citation", works[0])
        for each in citations:
            near = range(each.pages.start - 1, each.pages.stop + 1)
            pages = [source.page for source in found.sources if source.page is not None]
            if not each.pages or not pages or any(page in near for page in pages):
                continue
            on = [place for place in places if self._document.sentences[place].page in near]
            there = self._part(on).found(claim)
            found = there if there.confirms else self._elsewhere(found, "page", each)
        return found

    def _elsewhere(
        self, found: "_Found", kind: Literal["citation", "page"], citation: Citation
    ) -> "_Found":
        """Return what was found, with the doubt that the claim cites something else."""
        source = found.sources[0]
        work = self._document.sections[0]
        for each in self._document.sections:
            work = each if each.start <= source.start else work
        where = f"p. {source.page}" if kind == "page" else f"“{work.title}”"
        end = citation.start + len(citation.text)
        doubt = Doubt(
            kind, "differs", "cited", citation.text, citation.start, end, where, source.sentence
        )
        return _Found(found.sources, (*found.doubts, doubt))

    def _part(self, places: Sequence[int]) -> "_Part":
        """Return the searcher for some sentences of the document, made once."""
        key = tuple(places)
        if key not in self._parts:
            self._parts[key] = _Part(self._document, places)
        return self._parts[key]


@dataclass(frozen=True, slots=True)
class _Found:
    """The sources of a claim in some sentences, and what differs or is missing there."""

    sources: tuple[SourceSpan, ...]
    doubts: tuple[Doubt, ...]

    @property
    def confirms(self) -> bool:
        return bool(self.sources) and not self.doubts


class _Part:
    """Searches part of a document as if it had no other sentences.

    Attributes:
        ahead: Claims that will be looked up, if known.
    """

    def __init__(self, document: Document, places: Sequence[int]) -> None:
        self.ahead: Sequence[str] = ()
        self._document, self._places = document, places
        texts = [document.sentences[place].text for place in places]
        self._aligner, self._verifier = Aligner(texts), Verifier(texts)

    def found(self, claim: str) -> _Found:
        aligned = self._aligner.align(claim)
        sources = tuple(
            SourceSpan.of(self._document, self._places[each.sentence], each.score, each.method)
            for each in aligned
        )
        if aligned and aligned[0].method == "copied":
            return _Found(sources, ())
        from longsum.checking.support import CANDIDATES, ENOUGH, LEAST_SUPPORT, read_ahead, support

        evidence = self._verifier.evidence
        if self.ahead:
            read_ahead(self.ahead, evidence)
            self.ahead = ()
        near = evidence.closest(claim, CANDIDATES)
        place, probability = support(claim, evidence, near)
        supported = probability >= LEAST_SUPPORT
        cited = [each.sentence for each in aligned]
        doubts = [*self._doubts(claim, cited)]
        if supported and any(each.kind in ("wording", "source") for each in doubts):
            if place not in cited:
                source = SourceSpan.of(self._document, self._places[place], probability, "aligned")
                sources = (source, *sources[: MAX_SOURCES - 1])
                cited = [place, *cited][:MAX_SOURCES]
            doubts = [*self._doubts(claim, cited)]
        doubts = [each for each in doubts if each.kind != "wording"]
        if not supported and not any(each.kind == "source" for each in doubts):
            doubts.append(Doubt("source", "missing", "document"))
        own, kinds = StemmedText.of(claim), {each.kind for each in doubts}
        if "role" not in kinds:
            doubts += turned_roles(claim, [(each, evidence.sentences[each]) for each in cited])
        others = [StemmedText.of(evidence.sentences[place]) for place, _ in near]
        lacking: list[tuple[DoubtKind, Span]] = []
        if near and near[0][1] >= ENOUGH and "negation" not in kinds:
            lacking += [("negation", each) for each in undenied(own, others[:_DENYING])]
        if near and "direction" not in kinds:
            lacking += [("direction", each) for each in unscoped(own, others)]
        for kind, (start, end) in lacking:
            doubts.append(Doubt(kind, "missing", "document", claim[start:end], start, end))
        return _Found(
            sources,
            tuple(
                each
                if each.sentence is None
                else replace(each, sentence=self._places[each.sentence])
                for each in doubts
            ),
        )

    def _doubts(self, claim: str, cited: Sequence[int]) -> Iterator[Doubt]:
        for doubt in self._verifier.doubts(claim, cited):
            # A text may name someone whom its source calls "he" and the document names elsewhere.
            if doubt.kind == "name" and doubt.finding == "missing" and doubt.looked == "cited":
                continue
            # A value in a sentence about other things is not a rival.
            if doubt.sentence is not None and doubt.instead and doubt.sentence not in cited:
                other = StemmedText.of(self._verifier.evidence.sentences[doubt.sentence])
                if StemmedText.of(claim).likeness(other) < MIN_TURNED:
                    continue
            if doubt.kind in ("quantity", "money") and unit(doubt.text) != unit(doubt.instead):
                yield from self._without_rival(doubt, claim, cited)
            else:
                yield doubt

    def _without_rival(self, doubt: Doubt, claim: str, cited: Sequence[int]) -> Iterator[Doubt]:
        """Yield a doubt about a figure, without a rival in another unit, which corrects nothing."""
        if doubt.finding != "differs":
            yield doubt
            return
        evidence = self._verifier.evidence
        entity = next(each for each in entities(claim) if each.start == doubt.start)
        if not evidence.has(entity, cited):
            place = min(evidence.places(entity), default=None)
            yield replace(doubt, finding="missing", looked="cited", instead="", sentence=place)


def _claims(sentence: Sentence) -> bool:
    return sentence.kind != "reference" and is_checkable(sentence.text)


def is_checkable(text: str) -> bool:
    """Return whether a sentence claims something: it is not a question and has content words."""
    return not text.rstrip(' "”’)').endswith("?") and len(content_terms(text)) >= _LEAST_WORDS


def verdict_of(findings: Sequence[Doubt]) -> Verdict:
    """Return the verdict on a checkable sentence."""
    if any(each.finding == "differs" for each in findings):
        return "differs"
    return "not_found" if findings else "confirmed"
