"""Finds the sections before and after the body of a document, by heading and content."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from longsum.documents.fitness.complete import is_complete
from longsum.documents.fitness.forms import is_contact, is_footnote, is_reference
from longsum.documents.model import Document, Kind, Section
from longsum.language.words import count_words

_NUMBER = r"\W*+(?:[\dA-Z]{1,3}(?:\.\d+)*\.?\s++)?"


@dataclass(frozen=True, slots=True)
class _Matter:
    """A kind of front or back matter.

    Attributes:
        kind: What its sentences are.
        title: Pattern of the headings that name it.
        content: Matches sentences that confirm the kind; None if the heading is enough.
        least: Minimum share of such sentences; if 0, one is enough.
        most: Maximum sentences; longer sections are about the subject itself.
    """

    kind: Kind
    title: re.Pattern[str]
    content: Callable[[str], object] | None = None
    least: float = 0
    most: int | None = None


def _titled(names: str) -> re.Pattern[str]:
    """Return the pattern of headings with one of the given names, with or without a number."""
    return re.compile(rf"{_NUMBER}(?:{names})\W*", re.IGNORECASE | re.DOTALL)


_MATTERS = (
    _Matter(
        "reference",
        _titled(
            r"(?:list of |cited |selected )?references(?: cited| list| and notes)?"
            r"|reference list|bibliography|works cited|literature cited"
            r"|(?:further|suggested|additional) reading|citations"
            r"|related (?:\w+ )?(?:products|reports)"
        ),
    ),
    # Manuals also have a chapter `Reference`.
    _Matter(
        "reference",
        _titled("notes|notes and references|literature|sources|reference"),
        content=lambda text: is_reference(text) or is_footnote(text) or is_contact(text),
        least=0.4,
    ),
    _Matter("footnote", _titled(r"foot ?notes|end ?notes")),
    _Matter(
        "contact",
        _titled(
            r".*\bcontacts? and (?:staff )?acknowled?ge?ments?|contacts?"
            r"|(?:contact|author) information|(?:to )?(?:order|contact) (?:by phone|us)"
            r"|corresponding authors?|authors?['’]? addresses|how to (?:contact|reach) us"
        ),
    ),
    _Matter(
        "boilerplate",
        _titled(
            r"(?:staff )?acknowled?ge?ments?|credits|(?:authors?|credits|thanks)(?: (?:and|&) "
            r"(?:authors?|credits|thanks|contributors))+|special thanks"
            r"|authors?['’]? contributions?|about the authors?"
            r"|author (?:notes?|details|biograph(?:y|ies))|copyright(?: notice)?|dedication"
            r"|gnu (?:free documentation|(?:lesser |library |affero )?general public) licen[cs]e"
            r"|copying(?: (?:this manual|conditions))?|legal notices?"
            r"|status of this (?:memo|document)|(?:full copyright|intellectual property) statement"
            r"|disclaimer|disclosures?(?: statement)?"
            r"|(?:declaration of )?(?:competing|conflicts? of) interests?(?: statement)?"
            r"|pre-publication history|publisher['’]s notes?|colophon|imprint"
            r"|list of (?:figures|tables|abbreviations|acronyms)"
            r"|.*\bobtaining copies of .*|connect with .*|cross[- ]references? to related .*"
        ),
    ),
    _Matter(
        "boilerplate",
        _titled(r"abbreviations(?: used)?|acronyms(?: and abbreviations)?"),
        most=60,
        content=re.compile(r"[:;=–—-]|\b[A-Z]{2,}\b").search,
    ),
    _Matter(
        "boilerplate",
        _titled(
            r"(?:(?:members?|those) )?(?:present|absent|in attendance)|attend(?:ance|ees|ing)"
            r"|(?:meeting )?participants|apologies|regrets|roll call|(?:invited )?guests|observers"
        ),
        # A name.
        content=re.compile(
            r"\A(?:@|[^\W\d_a-z]\S*(?:\s(?:[a-z]{1,3}\s)?[^\W\d_a-z]|\s[(@]|\W*\Z))"
        ).search,
        least=0.7,
        most=80,
    ),
    _Matter(
        "boilerplate",
        _titled(r"signatures?(?: pages?)?"),
        content=re.compile(r"duly authori[sz]ed|\bwitness whereof\b", re.IGNORECASE).search,
        most=80,
    ),
    _Matter(
        "boilerplate",
        _titled(r"(?:sources? of )?(?:funding|financial support)(?: sources?| statement)?"),
        content=re.compile(r"\b(?:fund|grant|support|award|sponsor|financ)", re.IGNORECASE).search,
        most=12,
    ),
    _Matter(
        "boilerplate",
        _titled(r"(?:data|code|software) availability(?: statement)?|availability of .*data.*"),
        content=re.compile(r"\bavailable|\bdeposited|\baccession", re.IGNORECASE).search,
        most=12,
    ),
    _Matter(
        "boilerplate",
        _titled(r"supplement(?:ary|al) (?:material|information|data)s?|supporting information"),
        most=20,
    ),
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\W+"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\W+"
_HISTORY = _titled(
    r"change ?logs?|(?:change|revision|version|release|update|edit) (?:history|log)|release notes"
    r"|(?:version |release |v)?\d+(?:\.\w+)+\W+(?:released?\W+)?"
    rf"(?:(?:{_DAY})?{_MONTH}(?:{_DAY})?(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d)"
)
"""The headings of a program's or document's history of changes, and of its versions."""
_NOT_DONE = _titled(r"do ?n['’]?o?t['’]?s?|do not(?: do)?|what not to do")
"""The headings of lists of mistakes, each item of which by itself says the opposite."""
# `About us` in the annual report of a company is its subject.
_ABOUT = _titled(r"about (?P<who>(?!(?:us|our \w+|the company)\Z)[^.:?!]{2,60})")
_OFFERED = re.compile(
    r"\b(?:our (?:clients?|company|mission|network|services|team|(?:previous |past )?work)"
    r"|(?:founded|headquartered) in|(?:offer|provid)\w*\b[^.]{0,200}\bservices"
    r"|about us\b|reach out)\b",
    re.IGNORECASE,
)
"""What firms say about themselves in their reports."""
_MOST_OFFERED = 20
_FEWEST_BESIDE = 150
"""Minimum words of complete sentences besides such sections; else the text is about them."""


def matter_kinds(document: Document) -> list[Kind | None]:
    """Return the kind of each section's sentences by heading, None for the body, `[sections]`.

    A heading counts for everything below it. Most headings are enough by themselves; for some, the
    text must confirm the kind (`Notes` may head remarks on the subject, `Funding` a chapter about
    it). A history of changes, a list of mistakes and what authors say about themselves count if
    there is a body besides them. Only English headings are known. Appendices belong to the content.
    """
    found: list[Kind | None] = [None] * len(document.walk())
    pending: list[tuple[Section, Kind | None]] = [(top, None) for top in document.sections]
    while pending:
        section, above = pending.pop()
        found[section.number] = above or _kind(section)
        pending.extend((child, found[section.number]) for child in section.children)
    beside = _beside(document)
    if not beside:
        return found
    body = (s for s in document.walk() if not found[s.number] and s.number not in beside)
    texts = (sentence.text for section in body for sentence in section.sentences)
    if sum(count_words(text) for text in texts if is_complete(text)) >= _FEWEST_BESIDE:
        return [kind or beside.get(number) for number, kind in enumerate(found)]
    return found


def _beside(document: Document) -> dict[int, Kind]:
    """Return the kind of sections that count only besides a body, by their positions."""
    tops: list[tuple[Section, Kind]] = []
    for section in document.walk():
        if _HISTORY.fullmatch(section.title) or _is_of_makers(section, document.title):
            tops.append((section, "boilerplate"))
        elif _NOT_DONE.fullmatch(section.title):
            tops.append((section, "fragment"))
    return {below.number: kind for section, kind in tops for below in section.walk()}


def _is_of_makers(section: Section, title: str) -> bool:
    """Return whether a section is about the authors of a document, who are not its subject."""
    about = _ABOUT.fullmatch(section.title)
    if about is None or about["who"].strip().casefold() in title.casefold():
        return False
    texts = [sentence.text for below in section.walk() for sentence in below.sentences]
    return len(texts) <= _MOST_OFFERED and any(_OFFERED.search(text) for text in texts)


def _kind(section: Section) -> Kind | None:
    if not section.title:
        return None
    texts = [sentence.text for below in section.walk() for sentence in below.sentences]
    for matter in _MATTERS:
        if not matter.title.fullmatch(section.title):
            continue
        if matter.most is not None and len(texts) > matter.most:
            continue
        found = sum(map(bool, map(matter.content, texts))) if matter.content else len(texts)
        if found >= matter.least * len(texts) and (found or not matter.content):
            return matter.kind
    return None
