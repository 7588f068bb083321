"""Finds the kind of every sentence of a document, by structure, place and form."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import compress

from longsum.documents.fitness.back_matter import matter_kinds
from longsum.documents.fitness.complete import (
    has_verb,
    is_complete,
    is_of_programs,
    is_phrase,
    lacks_subject,
    names_code,
)
from longsum.documents.fitness.forms import (
    is_boilerplate,
    is_capitals,
    is_caption,
    is_contact,
    is_footnote,
    is_note,
    is_reference,
    is_run_in_title,
    is_stage_direction,
    is_table_row,
    is_tracked,
    is_typed,
    note_number,
)
from longsum.documents.fitness.signposts import (
    is_marginal,
    is_pointer,
    is_signpost,
    points_ahead,
)
from longsum.documents.model import MATERIAL, Document, Kind, Paragraph, Section, Sentence
from longsum.language.characters import BULLETS
from longsum.language.sentences import ends_as_sentence, opens_lower
from longsum.language.words import content_terms, count_words, stop_words, terms

_GOES_ON = (",", ";", " and", " or")
_LEAST_MATERIAL = 1 / 3
# Much of speech breaks off.
_LEAST_SPOKEN = 1 / 10
_ENGLISH = 0.3
_SAMPLE = 2000
_NEAR = 3
"""Maximum fragments between a sentence that leads into a list and the first item."""
_SHOWN = frozenset({"code block", "table", "figure", "picture", "formula"})
_FEWEST_NOTES = 3
_LONGEST_NOTE = 8
_LONGEST_ITEM = 2
"""Maximum sentences of a list item; a longer one is a paragraph with a number or bullet."""
_FEWEST_SPOKEN_TERMS = 3
_LONGEST_ANSWER = 8
_MOST_HEADING_WORDS = 14
_LONG_ITEM, _NUMBERED = 30, 0.25
"""Minimum words of a long item, and the share of long ones if paragraphs are numbered."""
_LONGEST_NAME = 12
"""Maximum words of an item that only names something: `Integration with other systems.`"""
_ITEM = re.compile(
    rf"(?:[-*+{BULLETS}–—·]|\(?(?:\d{{1,2}}|[ivx]{{2,4}})[.)]|\([a-z]\)|[a-z][.)])"
    r"\s+(?P<text>\S.*)",
    re.DOTALL,
)
# Forms that also occur in speech.
_UNSPOKEN: frozenset[Kind] = frozenset(
    {"caption", "footnote", "reference", "table_row", "heading", "contact"}
)
_WHOLE_PARAGRAPHS: frozenset[Kind] = frozenset({"caption", "footnote", "reference", "list_item"})
"""Kinds that extend to the end of a paragraph that opens with them."""
_FORMS: tuple[tuple[Kind, Callable[[str], bool]], ...] = (
    ("boilerplate", is_boilerplate),
    ("footnote", is_footnote),
    ("contact", is_contact),
    ("caption", is_caption),
    ("reference", is_reference),
    ("table_row", is_table_row),
    ("heading", is_capitals),
    ("fragment", is_typed),
    ("fragment", is_tracked),
)
"""The kinds recognised by form; the first match counts."""


def with_kinds(
    document: Document, stated: Mapping[int, Kind], known: Mapping[int, Kind]
) -> Document:
    """Return the document with the kind of each sentence.

    By structure: what the format states. By place: references, contacts, acknowledgements and the
    like, under their headings. By form: the patterns of `longsum.documents.fitness.forms`,
    consecutively numbered footnotes, and fragments: incomplete sentences, mere pointers to another
    place, lead-ins of missing lists, and answers too short to be informative. If less than a third
    of a document's text would be material (a tenth of speech), its sentences merely have another
    form, and only input typed into programs counts as fragments.

    Args:
        document: A document whose sentences have no kinds.
        stated: Kinds stated by the format, by the start of the sentence; place and clear forms win.
        known: Final kinds, likewise.
    """
    judge = _Judge(document, stated, known)
    kinds = _without_lost_lead_ins(document, list(judge.kinds()), known)
    lengths = [len(sentence.text) for sentence in document.sentences]
    material = sum(compress(lengths, (kind in MATERIAL for kind in kinds)))
    spoken = any(sentence.speaker for sentence in document.sentences)
    if material < (_LEAST_SPOKEN if spoken else _LEAST_MATERIAL) * sum(lengths):
        settled = known.keys() | {start for start, kind in stated.items() if kind == "fragment"}
        kinds = [
            kind if kind != "fragment" or each.start in settled or is_typed(each.text) else "prose"
            for kind, each in zip(kinds, document.sentences, strict=True)
        ]
    following = iter(kinds)
    sections = tuple(_with_kinds(section, following) for section in document.sections)
    return replace(document, sections=sections)


def _without_lost_lead_ins(
    document: Document, kinds: list[Kind], known: Mapping[int, Kind]
) -> list[Kind]:
    """Return the kinds, with fragments for lead-ins of lists of which nothing is left.

    So are lead-ins of an omitted part, such as code, however many items follow.
    """
    final: list[Kind] = []
    ends = {part.place for part in document.omitted if part.kind in _SHOWN}
    for section in document.walk():
        own = kinds[len(final) : len(final) + len(section.sentences)]
        for place, (sentence, kind) in enumerate(zip(section.sentences, own, strict=True)):
            if sentence.start not in known and points_ahead(sentence.text) and not sentence.speaker:
                near = own[place + 1 : place + 2 + _NEAR]
                after = next((later for later in near if later != "fragment"), None)
                shown = sentence.end in ends and sentence.text.endswith(":")
                if kind in MATERIAL and (shown or after != "list_item"):
                    kind = "fragment"
            final.append(kind)
    return final


def _with_kinds(section: Section, kinds: Iterator[Kind]) -> Section:
    paragraphs = tuple(
        tuple(
            sentence if (kind := next(kinds)) == sentence.kind else replace(sentence, kind=kind)
            for sentence in paragraph
        )
        for paragraph in section.paragraphs
    )
    children = tuple(_with_kinds(child, kinds) for child in section.children)
    return replace(section, paragraphs=paragraphs, children=children)


class _Judge:
    """Judges the paragraphs of one document."""

    def __init__(
        self, document: Document, stated: Mapping[int, Kind], known: Mapping[int, Kind]
    ) -> None:
        self._document, self._stated, self._known = document, stated, known
        sentences = document.sentences
        sample = terms(document.text[: 10 * _SAMPLE])[:_SAMPLE]
        common = sum(word in stop_words() for word in sample)
        self._english = common >= _ENGLISH * len(sample)
        # Names such as those of programs, which sentences may open with in lower case.
        self._names = set(content_terms(document.title))
        self._lower = 2 * sum(opens_lower(s.text) for s in sentences) > len(sentences)
        self._spoken = any(s.speaker for s in sentences)
        self._captioned = any(is_caption(s.text) for s in sentences)
        self._notes = _counted_notes(document)
        self._titles = _titles(document)
        self._numbered = self._numbers_paragraphs()
        self._start, self._end = 0, len(document.text)
        if "***" in document.text or any("***" in part.text for part in document.omitted):
            # Few documents are within a file with remarks of its own.
            from longsum.documents.fitness.book_edges import bounds_of

            self._start, self._end = bounds_of(document)
        # Whether a sentence leads into the items that follow, and whether the last one goes on.
        self._led = self._enumerated = False
        self._manual = self._english and is_of_programs(s.text for s in sentences[:_SAMPLE])
        # Whether the paragraph is below the name of what it defines.
        self._entry = False
        # The opening of a document says what the whole is about: `This chapter describes …`.
        self._first = next(iter(document.sentences), None)

    def _numbers_paragraphs(self) -> bool:
        """Return whether many of the words are in long items: paragraphs are numbered."""
        long = total = 0
        for section in self._document.walk():
            for paragraph in section.paragraphs:
                words = sum(count_words(sentence.text) for sentence in paragraph)
                total += words
                if words >= _LONG_ITEM and self._stated.get(paragraph[0].start) == "list_item":
                    long += words
        return long > _NUMBERED * total

    def kinds(self) -> Iterator[Kind]:
        """Yield the kind of each sentence in reading order."""
        places = matter_kinds(self._document)
        paragraphs = [
            (paragraph, section)
            for section in self._document.walk()
            for paragraph in section.paragraphs
        ]
        within: Section | None = None
        for number, (paragraph, section) in enumerate(paragraphs):
            after = paragraphs[number + 1][0][0] if number + 1 < len(paragraphs) else None
            if section is not within:
                within, self._entry = section, self._manual and names_code(section.title)
            judged = list(self._paragraph(paragraph, places[section.number], after))
            yield from judged
            leads = judged[-1] in MATERIAL and points_ahead(paragraph[-1].text)
            listed = judged[0] == "list_item" or judged[-1] in ("list_item", "fragment")
            self._led = leads or (self._led and listed)
            opener = paragraph[0]
            item = self._stated.get(opener.start) == "list_item" or opens_item(opener.text)
            self._enumerated = item and paragraph[-1].text.endswith(_GOES_ON)

    def _paragraph(
        self, paragraph: Paragraph, place: Kind | None, after: Sentence | None
    ) -> Iterator[Kind]:
        if all(sentence.start in self._known for sentence in paragraph):
            yield from (self._known[sentence.start] for sentence in paragraph)
            return
        if not self._start <= paragraph[0].start < self._end:
            outside: Kind = "boilerplate"
            yield from (outside for _ in paragraph)
            return
        first = self._opening(paragraph[0], alone=len(paragraph) == 1)
        if first == "list_item" and self._numbered and self._is_numbered_text(paragraph):
            first = None
        long = first == "list_item" and len(paragraph) > _LONGEST_ITEM
        # The first sentence of a long item says nothing without the one that leads into it.
        if long and not self._led:
            first = None
        goes_on = first in _WHOLE_PARAGRAPHS and len(paragraph) <= _LONGEST_NOTE and not long
        # A direction that opens a paragraph extends to its bracket, which may be missing.
        directing = first == "stage_direction" and paragraph[0].text.startswith("[")
        open_brackets = 0
        for position, sentence in enumerate(paragraph):
            if (kind := self._known.get(sentence.start)) is not None:
                yield kind
                continue
            if directing:
                open_brackets += sentence.text.count("[") - sentence.text.count("]")
                directing = open_brackets > 0
                yield "stage_direction"
                continue
            form = first if position == 0 else self._form(sentence)
            if position and goes_on and form is None:
                form = first
            if form in (None, "list_item"):
                form = place or form
            if form is None or form == "list_item":
                follows = paragraph[position + 1] if position + 1 < len(paragraph) else after
                form = self._running(sentence, form, follows)
            yield form

    def _is_numbered_text(self, paragraph: Paragraph) -> bool:
        """Return whether an item is a numbered paragraph of text."""
        if sum(count_words(sentence.text) for sentence in paragraph) >= _LONG_ITEM:
            return True
        end = paragraph[-1].text
        whole = end.endswith(":") or (ends_as_sentence(end) and has_verb(end))
        return whole and not opens_lower(paragraph[0].text) and not self._led

    def _opening(self, sentence: Sentence, *, alone: bool) -> Kind | None:
        """Return the kind of the sentence that opens a paragraph, None if it is running text."""
        text = sentence.text
        if form := self._form(sentence):
            return form
        if sentence.speaker:
            return self._stated.get(sentence.start)
        if sentence.start in self._notes:
            return "footnote"
        if alone and text.casefold() in self._titles:
            return "heading"
        if self._captioned and is_note(text):
            return "caption"
        if self._english and not self._lower and is_run_in_title(text):
            return "heading"
        if stated := self._stated.get(sentence.start):
            return stated
        if opens_item(text):
            return "list_item"
        return "heading" if alone and self._is_heading(text) else None

    def _form(self, sentence: Sentence) -> Kind | None:
        """Return the kind that a sentence has by its form alone, None for running text."""
        text = sentence.text
        if is_stage_direction(text, spoken=self._spoken):
            return "stage_direction"
        for kind, has_form in _FORMS:
            if has_form(text) and not (sentence.speaker and kind in _UNSPOKEN):
                return kind
        return None

    def _is_heading(self, text: str) -> bool:
        """Return whether a paragraph is a title: a few words, capitals first, no verb, no end."""
        if is_capitals(text):
            return True
        words = text.split()
        if ends_as_sentence(text) or len(words) > _MOST_HEADING_WORDS or self._lower:
            return False
        if text.endswith((",", ";", ":", "-", "–")) or not text[0].isupper():
            return False
        return self._english and not has_verb(text)

    def _running(self, sentence: Sentence, form: Kind | None, after: Sentence | None) -> Kind:
        """Distinguish material from fragments."""
        text = sentence.text
        if form == "list_item":
            match = _ITEM.match(text)
            item = match["text"] if match else text
            # A lower-case opening after `(b)` continues the sentence that leads into the list.
            marked = self._document.text[sentence.start - 2 : sentence.start].rstrip().endswith(")")
            goes_on = self._enumerated or (marked and opens_lower(item) and not self._lower)
            stands = self._led or not self._english or (self._stands(item) and not goes_on)
            stands &= not (self._english and (is_pointer(item) or is_marginal(item)))
            stands &= not (self._manual and self._is_of_entry(item))
            return "list_item" if stands and count_words(item) >= 3 else "fragment"
        listed = after and (self._stated.get(after.start) == "list_item" or opens_item(after.text))
        whole = f"{text[:-1]}." if text.endswith(":") else text
        if listed and points_ahead(text) and self._is_complete(whole):
            return "prose"
        if self._english and self._leads_away(sentence):
            return "fragment"
        return "prose" if self._is_complete(text) else "fragment"

    def _is_complete(self, text: str) -> bool:
        """Return whether a text is a sentence; a name in the title may open it in lower case."""
        opening = text.split(maxsplit=1)[0].strip(",") if text else ""
        lower = self._lower or opening in self._names
        return is_complete(text, lower=lower, english=self._english)

    def _leads_away(self, sentence: Sentence) -> bool:
        """Return whether a sentence says only where something is, or too little."""
        text = sentence.text
        if is_pointer(text) or is_marginal(text):
            return True
        if self._manual and self._is_of_entry(text):
            return True
        if sentence.speaker:
            return _says_little(text)
        if points_ahead(text):
            return True
        return is_signpost(text) and sentence is not self._first

    def _is_of_entry(self, text: str) -> bool:
        """Return whether a sentence of a manual says nothing without its entry."""
        return lacks_subject(text) or is_phrase(text, entry=self._entry)

    @staticmethod
    def _stands(item: str) -> bool:
        """Return whether an item says something without the sentence that leads into its list."""
        if ends_as_sentence(item):
            return has_verb(item) or count_words(item) > _LONGEST_NAME
        return has_verb(item) and not item.endswith(_GOES_ON)


def _says_little(text: str) -> bool:
    """Return whether a spoken sentence is an answer, an address or a title, or lacks words."""
    # Few documents have speakers.
    from longsum.documents.fitness.spoken_sentences import is_courtesy, lacks_words

    if len(set(content_terms(text))) < _FEWEST_SPOKEN_TERMS or lacks_words(text):
        return True
    # The list of verbs is short, and few long answers have none.
    return (count_words(text) <= _LONGEST_ANSWER and not has_verb(text)) or is_courtesy(text)


def _titles(document: Document) -> set[str]:
    """Return the titles of its sections, which a list of its contents repeats."""
    return {section.title.casefold() for section in document.walk()}


def opens_item(text: str) -> bool:
    """Return whether a text opens with the mark of an item: `(b) …`, `2. …`."""
    return _ITEM.match(text) is not None


def _counted_notes(document: Document) -> set[int]:
    """Return the starts of paragraphs that open with the numbers 1, 2, 3, … of footnotes.

    Numbers count if the one before or after is nearby, and there are at least three.
    """
    notes = [
        (number, paragraph[0].start)
        for paragraph in document.paragraphs
        if (number := note_number(paragraph[0].text)) is not None
    ]
    counted = {
        start
        for place, (number, start) in enumerate(notes)
        if any(number - 1 == n for n, _ in notes[max(place - 3, 0) : place])
        or any(number + 1 == n for n, _ in notes[place + 1 : place + 4])
    }
    return counted if len(counted) >= _FEWEST_NOTES else set()
