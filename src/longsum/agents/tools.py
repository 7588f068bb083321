"""The questions that agents may ask about documents, each with its complete answer."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from longsum.agents.answers import LONGEST_NOTE, PIECES, CompleteAnswer, PassageValues, pieces
from longsum.agents.folders import Shelf
from longsum.common.errors import LongsumError
from longsum.common.wording import did_you_mean, quote, shorten
from longsum.core.summaries import Budget, Doubt, SourceSpan
from longsum.documents.dossier import Dossier
from longsum.documents.model import Document
from longsum.documents.readers import read_bytes
from longsum.documents.tree import DocumentTree
from longsum.language.words import content_terms, count_words

_MOST_HITS = 200
# Limits on a passage's metadata, so that it fits on a page.
_MOST_SOURCES = 4
_MOST_NOTES = 3
_LONGEST_PATH = 500

Path = Annotated[str, Field(description="A file that 'documents' lists.")]
Paths = Annotated[
    list[str], Field(min_length=1, max_length=100, description="Files that 'documents' lists.")
]
Length = Annotated[
    str, Field(description="Maximum length: 250w (words), 12s (sentences), 8%, short, long, auto.")
]
TOOLS = ("documents", "summarize", "outline", "questions", "read_section", "find", "check")
"""The methods of `Tools` that agents may call, under their names and signatures."""


class Tools:
    """Answers questions about documents; clients see the signatures and docstrings.

    No passage exceeds `bound`, the length of a page.
    """

    def __init__(self, shelf: Shelf, bound: int) -> None:
        self._shelf, self._longest = shelf, bound // PIECES

    def documents(self) -> CompleteAnswer:
        """List the files that may be read, with their sizes."""
        passages = [
            {"text": path, "bytes": size}
            for path, size in self._shelf.folders.listing()
            if len(path) <= _LONGEST_PATH and path.isprintable()
        ]
        return CompleteAnswer("the folders", "", passages)

    def summarize(
        self,
        paths: Paths,
        length: Length = "medium",
        focus: Annotated[
            str | None, Field(description="What the reader wants to know about.")
        ] = None,
        system: Annotated[
            str | None, Field(description="Another system that chooses the sentences.")
        ] = None,
    ) -> CompleteAnswer:
        """Summarize a document, or several as one, in sentences of theirs with their places."""
        from longsum.core.pipeline import Options
        from longsum.core.recipes import DEFAULT
        from longsum.dossiers.gathering import gather
        from longsum.dossiers.library import summarize_gathered

        chosen = DEFAULT if system is None else _known(system)
        document = gather(paths, self._shelf.document).document
        made = summarize_gathered(document, length, chosen, Options(focus=focus))
        places = _Places(made.document)
        passages = (
            {
                "text": each.text,
                "sources": places.spans(each.sources),
                **_notes(each.doubts),
            }
            for each in made.sentences
        )
        return self._found(made.document, passages, made.warnings)

    def outline(self, path: Path) -> CompleteAnswer:
        """List the sections of a document with their numbers, words and pages."""
        document = self._shelf.document(path)
        tree = DocumentTree(document)
        passages = (
            {
                "text": section.title or "(no heading)",
                "section": section.number,
                "label": tree.label(section.number),
                "level": section.level,
                "words": sum(
                    count_words(each.text) for below in section.walk() for each in below.sentences
                ),
                "start": section.start,
                "end": section.end,
                **_page(next((each.page for each in section.sentences), None)),
            }
            for section in document.walk()
        )
        return self._found(document, passages, document.warnings)

    def questions(
        self,
        path: Path,
        question: Annotated[
            str | None, Field(description="A question to ask the document.")
        ] = None,
        depth: Annotated[int | None, Field(ge=1, description="Maximum number of levels.")] = None,
        length: Annotated[
            str, Field(description="Maximum length of each node, such as 50w.")
        ] = "50w",
    ) -> CompleteAnswer:
        """Give a document as a tree: its whole, its sections and their parts, each summarized."""
        from longsum.core.systems.system import TreeOptions
        from longsum.core.tree_makers import load_tree_maker

        options = TreeOptions(Budget.parse(length), depth, question)
        tree = load_tree_maker().make(self._shelf.document(path), options)
        places = _Places(tree.document)
        passages = (
            {
                "text": node.text,
                "heading": shorten(node.title),
                "level": level,
                **({} if node.section is None else {"section": node.section}),
                "sources": places.spans([s for each in node.sentences for s in each.sources[:1]]),
            }
            for level, node in tree.root.walk()
        )
        return self._found(tree.document, passages, tree.warnings)

    def read_section(
        self,
        path: Path,
        section: Annotated[int, Field(ge=0, description="Its number in 'outline'.")],
    ) -> CompleteAnswer:
        """Read a section of a document with all below it, word for word."""
        document = self._shelf.document(path)
        sections = document.walk()
        if not 0 <= section < len(sections):
            raise LongsumError(
                f"There is no section {section}; 'outline' lists 0 to {len(sections) - 1}."
            )
        found, places = sections[section], _Places(document)
        text = document.text[found.start : found.end]
        passages = (
            {"text": text[start:end]}
            | places.stretch(range(found.start + start, found.start + end))
            for start, end in pieces(text, self._longest)
        )
        return self._found(document, passages, document.warnings)

    def find(
        self,
        path: Path,
        query: Annotated[str, Field(description="Words, or a phrase, to look for.")],
    ) -> CompleteAnswer:
        """Find sentences: those with the phrase word for word first, then the most relevant."""
        from longsum.core.extractive.focus import bm25

        if not query.strip():
            raise LongsumError("The query is empty; say what to look for.")
        document = self._shelf.document(path)
        exact = " ".join(query.casefold().split())
        texts = [each.text for each in document.sentences]
        scores = bm25([content_terms(text) for text in texts], content_terms(query)).tolist()
        literal = [exact in " ".join(text.casefold().split()) for text in texts]
        hits = sorted(
            (place for place in range(len(texts)) if literal[place] or scores[place] > 0),
            key=lambda place: (not literal[place], -scores[place], place),
        )
        places = _Places(document)
        passages = (
            {
                "text": texts[place],
                "literal": literal[place],
                **places.span(SourceSpan.of(document, place)),
            }
            for place in hits[:_MOST_HITS]
        )
        more = f"{len(hits)} sentences were found; the best {_MOST_HITS} are given."
        return self._found(document, passages, (more,) if len(hits) > _MOST_HITS else ())

    def check(
        self, text: Annotated[str, Field(description="The text to check.")], paths: Paths
    ) -> CompleteAnswer:
        """Say, sentence by sentence, whether a text agrees with documents, and what differs."""
        from longsum.checking.checker import check

        documents = [self._shelf.document(path) for path in paths]
        found = check(read_bytes(text.encode("utf-8", "replace")), *documents)
        places = _Places(found.document)
        passages = (
            {
                "text": each.text,
                "verdict": each.verdict,
                "sources": places.spans(each.sources),
                **_notes(each.findings, each.unmatched_note),
            }
            for each in found.sentences
        )
        return self._found(found.document, passages, found.notices)

    def _found(
        self, document: Document, passages: Iterator[PassageValues], notices: Sequence[str]
    ) -> CompleteAnswer:
        """Return an answer, each of whose passages fits on a page."""
        fitting = [piece for each in passages for piece in _divided(each, self._longest)]
        name = shorten(document.title or document.source.name or "the document")
        return CompleteAnswer(name, document.sha256, fitting, notices)


def _divided(passage: PassageValues, longest: int) -> Iterator[PassageValues]:
    """Yield a passage, or its pieces if its text is longer than one may be."""
    text = passage["text"]
    cuts = pieces(text, longest)
    if len(cuts) == 1:
        yield passage
        return
    for start, end in cuts:
        moved = {}
        if "literal" in passage:
            at = passage["start"]
            moved = {"start": at + start, "end": at + end}
        yield passage | {"text": text[start:end], "continued": start > 0} | moved


def _known(system: str) -> str:
    """Return the name of a system that is ready; paths to models are rejected."""
    from longsum.core.loading import systems

    ready = [each.name for each in systems() if each.state != "train first"]
    if system not in ready:
        raise LongsumError(
            f"There is no system {quote(system)}; leave it out, or give one of "
            f"{', '.join(ready)}.{did_you_mean(system, ready)}"
        )
    return system


def _notes(doubts: Sequence[Doubt], *more: str) -> PassageValues:
    shown = [*map(str, doubts[:_MOST_NOTES]), *filter(None, more)]
    notes = [shorten(each, LONGEST_NOTE) for each in shown]
    return {"notes": notes} if notes else {}


def _page(page: int | None) -> PassageValues:
    return {} if page is None else {"page": page}


class _Places:
    """The places of sources, in their own document if there are several."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def spans(self, sources: Sequence[SourceSpan]) -> list[PassageValues]:
        """Return the first few sources."""
        return [self.span(source) for source in sources[:_MOST_SOURCES]]

    def span(self, source: SourceSpan) -> PassageValues:
        """Return a source: its document, section and page, and offsets in the document's text."""
        section = self._document.walk()[source.section]
        named: PassageValues = {"title": shorten(section.title)} if section.title else {}
        moved, number = 0, section.number
        if isinstance(self._document, Dossier):
            member = self._document.member_of(source.sentence)
            moved, number = member.start, member.own_number(section.number)
            named = {"document": shorten(member.name), **(named if number else {})}
        place = {"section": number, "start": source.start - moved, "end": source.end - moved}
        return {**named, **place, **_page(source.page)}

    def stretch(self, whole: range) -> PassageValues:
        """Return a range of the text, with the page of the first sentence that starts in it."""
        pages = (each.page for each in self._document.sentences if each.start in whole)
        return {"start": whole.start, "end": whole.stop, **_page(next(pages, None))}
