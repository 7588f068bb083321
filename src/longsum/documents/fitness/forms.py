"""Recognises by form what is not running text: captions, bibliographies, addresses.

Each form is a pattern that few sentences of running text match; words in them are English, and a
text in another language matches none of those.
"""

import re

from longsum.language.words import count_words, stop_words

_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_INITIALS = r"(?:[A-Z]\.[ -]?){1,4}"
_SURNAME = r"[A-Z][\w'’-]++(?: [A-Z][\w'’-]++)?"
_ADDRESS = r"(?<![\w.+-])[\w.+-]++@[\w-]+\.[\w.-]*\w"
_PHONE = r"(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\)\s?|\b\d{3}[-.])\d{3}[-.]\d{4}\b"
_URL = r"(?:https?://|www\.)\S+"

_CAPTION = re.compile(
    r"(?:(?:supplement(?:ary|al)|appendix|additional|online|extended data)\s+)?"
    r"(?:fig(?:ure)?s?|tables?|tab|chart|exhibit|plate|scheme|photo(?:graph)?|map|box|graph)\b\.?\s*+"
    r"[A-Z]?[\dIVX]*+(?:[.-]\d++)*[A-Za-z]?\s*+"
    r"(?:\((?:continued|cont.d\.?)\)|[.:|—–-](?=\s|\Z)|\Z)",
    re.IGNORECASE,
)
_UNENDED_CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)|Table|Chart|Exhibit|Photo|Map|Box)\s*[A-Z]?\d+(?:[.-]\d+)*[A-Za-z]?\s+[A-Z]"
)
_CAPTION_NOTE = re.compile(
    r"(?:sources?(?: and notes?)?|data sources?|photo credits?|image credits?|credits?|legend"
    r"|abbreviations|notes? to (?:table|figure)\w*|modified from|adapted from|courtesy of"
    r"|reprinted (?:from|with))\b[^.:]{0,30}:"
    r"|for illustrative purposes(?: only)?\b|(?:\(?(?:not|drawn|figure)? ?(?:drawn )?to scale)"
    r"|(?:image|photo|photograph|illustration|figure) (?:by|courtesy|credit)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(r"notes?\s*:", re.IGNORECASE)
_NUMBER_OF_ENTRY = r"(?:\[[\w+-]{1,12}\]|\(\d{1,3}\)|\d{1,3}[.)]?)?[\s*•-]*+"
_AUTHORS = re.compile(
    rf"{_NUMBER_OF_ENTRY}(?:{_SURNAME},?\s+{_INITIALS}|{_INITIALS}\s?{_SURNAME}"
    rf"|{_SURNAME}\s+[A-Z]{{1,3}}(?=[,.])|{_SURNAME}(?:,| and| &)?\s+et al)"
)
_DATED = re.compile(rf"\({_YEAR}\)|[.,;]\s*{_YEAR}\s*[.,;:)]|\b{_YEAR}\.?\Z")
_TITLE_QUOTED = re.compile(r"[.,]*\s*[“\"][A-Z]")
_PRINT = re.compile(
    rf"\bpp?\.\s?\d|\b\d+\s?\(\d+\)\s?[:,]\s?\d|\b{_YEAR};\s?\d+|\b\d+:\d+[-–]\d+|doi:|doi\.org"
    r"|\bISBN\b|\barXiv\b|\bProc(?:eedings|\.)|\bIn: |\bRetrieved (?:from|on)\b|\bvol\.\s?\d"
    r"|\bPress\b|\b(?:Eds?|eds?)\.\)|\bJ [A-Z][a-z]+|\bJournal of\b",
)
# Entries that end in a link, unless in parentheses, before which there is a statement.
_LINKED = re.compile(rf"{_NUMBER_OF_ENTRY}[^.?!]{{0,160}}(?<!\()(?:https?://|www\.)[^\s)]+")
_KEYED = re.compile(rf"\[[\w.+-]{{1,24}}\]:?\s(?=.*(?:{_YEAR}\b|https?:)|[^“\"_]*+[“\"_].+[”\"_],)")
_LEGAL_NOTE = re.compile(
    r"(?:\d{1,3}\s?)?(?:Ibid|Id\.|See,? e\.g\.|See also|Cf\.|Supra|Infra|Op\. cit)(?=[\s,.])"
)
_CITES = re.compile(
    r"\bGAO-\d|\bPub\. ?L\. |\bP\.L\. |\bStat\. \d|U\.S\.C\.|C\.F\.R\.|Fed\. Reg\.|\bF\.\d?d? |§"
    r"|\bS\. Ct\.|\bH\.R\. \d|(?:\bWashington|New York), [A-Z.]+:"
)
_NUMBERED_NOTE = re.compile(r"\d{1,3}\s?(?=[A-Z“\"‘])")

_CONTACT = re.compile(
    rf"(?:{_ADDRESS}|{_PHONE})|\bquestions (?:about|concerning|regarding) this"
    r" (?:report|testimony|statement|document|article)"
    r"|^(?:tel|fax|phone|telephone|e-?mail)\b\.?\s?[:(+\d]",
    re.IGNORECASE,
)
# Whatever matches contains one of these, or `@`.
_PHONE_END = re.compile(r"\d\d\d[-.]\d{4}")
_REACHED = ("tel", "fax", "phone", "email", "e-mail")
_DIGIT = re.compile(r"\d")
_CONTACT_WORDS = re.compile(
    r"\b(?:contact|call|write|email|e-mail|fax|phone|telephone|tel|correspondence|reached|address"
    r"|visit|order|subscribe|mailto)\b",
    re.IGNORECASE,
)
_POST = re.compile(
    r".{0,80}\b(?:[A-Z]{2}|D\.C\.|England|UK)\s+(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d\w? \d[A-Z]{2})\.?"
    r"\s*(?:USA|U\.S\.A\.)?"
    r"|\d{1,5} [A-Z][\w. ]{2,40} (?:Street|St\.|Avenue|Ave\.|Road|Rd\.|Boulevard|Blvd\.|Drive|NW"
    r"|N\.W\.),?.{0,60}"
)

# Patterns that begin with a word are searched at word starts, in a third of the time.
_BOILERPLATE = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|transcriber.s note"
    r"|\b(?:copyright (?:\(c\)|protection|on this publication)|copyright\W{1,4}c? ?(?:19|20)\d\d"
    r"|all rights reserved\b|(?:may|can) be reproduced and distributed\b"
    r"|e-?text was produced\b|project gutenberg\b|distributed proofread(?:ing|ers)\b"
    r"|intended (?:solely|only) for the\b|received this (?:e-?mail|message|transmission)\b"
    r"|not (?:the|an) intended (?:recipient|addressee)\b)",
    re.IGNORECASE,
)
# Whatever matches contains one of these.
_PUBLISHED = (
    "© (c) transcriber copyright reserved reproduced produced gutenberg proofread intended received"
)
_PUBLISHED_SIGNS = tuple(_PUBLISHED.split())
# The head of minutes, and that of an e-book.
_HEAD = re.compile(
    r"(?:(?:(?:\w+ ){0,3}(?:present|absent|in attendance|excused)|attendees|apologies|regrets)"
    r"(?: were| \([^()]{1,40}\))?|title|author|translator|(?:release|posting) date):",
    re.IGNORECASE,
)
_LONGEST_TERM = 400
_MOST_TERM_WORDS = 12
_MOST_TERMS = 3
_ARGUMENTS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>")
_CODE_TERM = re.compile(
    r"\A['‘`][^'’`]{1,80}['’`]\Z|\A['\"‘`]?-{1,2}\w|[\w>]\(.*\)|\w\(\)|[=<>\\{}$]|\w_\w|_\w|::|\w\[|\A[a-z]+[A-Z][a-z]|\A#\w"
)
_BRACKETED = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
_TRANSCRIBED = re.compile(
    r"\b(?:inaudible|laugh\w*|applause|music|crosstalk|voice overlap|unintelligible|indiscernible"
    r"|pause|silence|cough\w*|sigh\w*|cheer\w*|noise|nonvocalsound|vocalsound|disfmarker|gap"
    r"|off mic)\b",
    re.IGNORECASE,
)
# The first or last sentence of a stage direction, and one about entrances and exits.
_DIRECTED = re.compile(
    r"\[[^\[\]]*|[^\[\]]*\]|(?:(?:Re-?)?[Ee]nter|Exit|Exeunt)(?: [A-Z][^?!]{1,200})?\.?"
)
_MOST_DIRECTED = 12
_NUMERIC = re.compile(r"[-–+±<>=~$€£(]*\d[\d,.:/%()–-]*+[%*†‡]*|[-–—]+|n/?a|ns", re.IGNORECASE)
# `[ ] Publish the templates`, `[1d03df4c5e] - crypto: add copy() (A. Author) #29910`
_TRACKED = re.compile(r"\[(?:[ xX]?|[0-9a-f]{7,40})\]\s")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_LONGEST_TITLE = 10
_NUMBER_OF_TITLE = re.compile(r"\A(?:\d{1,2}(?:\.\d{1,2})*|[A-Z]|[ivxlc]{1,5})[.)]\s+")
# Function words that make a sentence of capitalised names: `John Was Here.`
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|must|shall|should|does|did|do"
    r"|I|he|she|it|they|we|you)\b",
    re.IGNORECASE,
)


def is_caption(text: str) -> bool:
    """Return whether a text is the caption of a figure or table, or a source or credit line."""
    if _CAPTION.match(text) or _CAPTION_NOTE.match(text):
        return True
    return bool(_UNENDED_CAPTION.match(text)) and not text.endswith((".", "!", "?"))


def is_note(text: str) -> bool:
    """Return whether a text opens with `Note:`, as notes of tables do, but also remarks."""
    return bool(_NOTE.match(text))


def is_reference(text: str) -> bool:
    """Return whether a text is an entry of a bibliography: by author, key or link."""
    linked = "://" in text or "www." in text
    if _KEYED.match(text) or (linked and _LINKED.fullmatch(text)):
        return True
    authors = _AUTHORS.match(text)
    if authors is None:
        return False
    if _TITLE_QUOTED.match(text, authors.end()):
        return True
    signs = bool(_DATED.search(text)) + bool(_PRINT.search(text)) + bool(re.search(_URL, text))
    return signs >= 2


def is_footnote(text: str) -> bool:
    """Return whether a text is a footnote of citations: `15 GAO, Tax Filing: …`, `Id. at 4.`."""
    return bool(_LEGAL_NOTE.match(text) or (_NUMBERED_NOTE.match(text) and _CITES.search(text)))


def note_number(text: str) -> int | None:
    """Return the number that opens a footnote, `3 The request also asked`; None without one."""
    match = _NUMBERED_NOTE.match(text)
    return int(match[0]) if match else None


def is_contact(text: str) -> bool:
    """Return whether a text is contact information: an address, a phone number."""
    words, low = count_words(text), text.lower()
    if words <= 20 and _DIGIT.search(text) and _POST.fullmatch(text):
        return True
    reached = "@" in text or "questions " in low or low.startswith(_REACHED)
    if not (reached or _PHONE_END.search(text)) or not _CONTACT.search(text):
        return False
    return words <= 15 or bool(_CONTACT_WORDS.search(text))


def is_boilerplate(text: str) -> bool:
    """Return whether a text is about the publication, such as a copyright line, or attendance."""
    signed = any(map(text.lower().__contains__, _PUBLISHED_SIGNS))
    return bool((":" in text and _HEAD.match(text)) or (signed and _BOILERPLATE.search(text)))


def is_tracked(text: str) -> bool:
    """Return whether a text is an item of a list of tasks, or a commit in a list of changes."""
    return bool(_TRACKED.match(text))


def is_typed(text: str) -> bool:
    """Return whether a text is a reference entry whose term is code: `-h: Help.`."""
    return any(map(_is_code, text[:_LONGEST_TERM].split(": ", _MOST_TERMS)[:-1]))


def _is_code(term: str) -> bool:
    """Return whether the term of an entry is code: a call, an option, a name with underscores."""
    if not _CODE_TERM.search(term):
        return False
    words = _WORD.findall(_ARGUMENTS.sub(" ", term))
    return len(words) <= _MOST_TERM_WORDS and not any(
        len(word) > 1 and word in stop_words() for word in words
    )


def is_stage_direction(text: str, *, spoken: bool = False) -> bool:
    """Return whether a text is a transcript's note about anything but speech: `(Laughter.)`.

    Args:
        text: The text.
        spoken: Whether it is in a transcript, where anything in brackets is one, and a sentence
            that opens or closes a square bracket, or is about entrances and exits: `Enter Ann.`
    """
    if text[:1] not in "([{" or any(map(str.isalnum, _BRACKETED.sub("", text))):
        return spoken and _DIRECTED.fullmatch(text) is not None
    if re.fullmatch(r"\W*\d[\d,; –-]*+\W*", text):
        return False
    return spoken or (count_words(text) <= _MOST_DIRECTED and bool(_TRANSCRIBED.search(text)))


def is_table_row(text: str) -> bool:
    """Return whether a text is a row of a table: three numbers or more, and mostly numbers."""
    tokens = text.split()
    # The only words that count as numbers are `na` and `ns`.
    likely = [token for token in tokens if len(token) == 2 or not token.isalpha()]
    numbers = len([token for token in likely if _NUMERIC.fullmatch(token)])
    return numbers >= 3 and 2 * numbers >= len(tokens)


def is_title_case(text: str) -> bool:
    """Return whether all words except function words begin with capitals or digits."""
    words = _WORD.findall(text)
    if not words or not (words[0][0].isupper() or words[0][0].isdigit()):
        return False
    return all(not word[0].islower() or word.lower() in stop_words() for word in words)


def is_run_in_title(text: str) -> bool:
    """Return whether a text that ends like a sentence is a title: `Grant of Patent License.`."""
    if not text.endswith(".") or not 2 <= len(text.split()) <= _LONGEST_TITLE:
        return False
    title = _NUMBER_OF_TITLE.sub("", text)
    capitals = sum(word[0].isupper() for word in _WORD.findall(title))
    return capitals >= 2 and is_title_case(title) and not _FINITE.search(title)


def is_capitals(text: str) -> bool:
    """Return whether a text is in capitals, as many headings are, and does not end in a mark."""
    if not text.isupper():
        return False
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 4 or not all(map(str.isupper, letters)):
        return False
    return not text.endswith((".", "!", "?", ":", ";", ",", '"', "”")) and count_words(text) <= 16
