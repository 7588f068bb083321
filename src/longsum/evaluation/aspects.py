"""Aspects: the subjects of the parts of a structured summary and its document (HEPOS §4, D).

A GAO report says why a study was done, what was found and what is recommended; a paper has an
introduction, methods, results and a conclusion. Aspects are recognised only by labels ("Results:
…") and headings, so a text without these has none.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from longsum.documents.model import Document, Section
from longsum.language.sentences import sentence_texts

_LONGEST_LABEL = 6
"""Maximum words of a label; longer text before a colon is part of a sentence."""
_LABEL = re.compile(r"(?P<label>[^\W\d_][^:.!?\n]{0,80}?)\s*(?P<end>:+|\s\.)(?=\s|\Z)\s*")
_GAO = re.compile(r"\b(?:why gao did|what gao (?:found|recommends))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The aspects of a kind of document.

    Attributes:
        name: Its name.
        keywords: The keywords of each aspect, by the aspect's name, in the order of the document. A
            label or heading that contains one as a whole has the aspect.
        others: The aspect of headings without a keyword, if any.
    """

    name: str
    keywords: Mapping[str, tuple[str, ...]]
    others: str | None = None

    def aspect(self, label: str, *, exact: bool = False) -> str | None:
        """Return the aspect of a label or heading, by the first keyword in it.

        Case and the plural do not matter; labels of more than six words have no aspect.

        With `exact`, the label must be the keyword alone.
        """
        words = re.findall(r"[^\W_]+", label.lower())
        if len(words) > _LONGEST_LABEL:
            return None
        occurrences = [
            (place, aspect)
            for aspect, keywords in self.keywords.items()
            for key in keywords
            if (place := _place(key.split(), words)) is not None
            and (not exact or len(key.split()) == len(words))
        ]
        return min(occurrences, key=lambda found: found[0])[1] if occurrences else None


REPORT = Scheme(
    "report",
    {
        "why": ("why gao did", "background", "introduction", "objectives scope"),
        "found": ("what gao found", "finding"),
        "recommends": ("what gao recommends", "recommendation", "matter for congressional"),
    },
    others="found",
)
"""Reports of the GAO. The paper has only the three titles (§4); the keywords for headings of the
reports themselves are ours, and so is counting all other headings as findings."""
PAPER = Scheme(
    "paper",
    {
        "introduction": (
            *("introduction", "case", "objective", "purpose", "background", "literature"),
            "related work",
        ),
        "methods": (
            *("methods", "materials and methods", "technique", "methodology", "materials"),
            *("research design", "study design"),
        ),
        "results": ("result", "experiment", "observation"),
        "conclusion": ("discussion", "limitation", "conclusion", "concluding"),
    },
)
"""Scientific papers: the keywords of the paper's Table 11, and the names of the aspects."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text whose sentences have aspects.

    Attributes:
        scheme: The aspects.
        sentences: Each sentence without its label, and its aspect; None after an unknown label and
            before the first one.
    """

    scheme: Scheme
    sentences: tuple[tuple[str, str | None], ...]

    def texts(self) -> dict[str, str]:
        """Return the text of each aspect that occurs, in the scheme's order."""
        texts = {
            aspect: " ".join(text for text, other in self.sentences if other == aspect)
            for aspect in self.scheme.keywords
        }
        return {aspect: text for aspect, text in texts.items() if text}


def labelled(text: str) -> Labelled | None:
    """Return a text with the aspects of its sentences, or None if it has none.

    At the beginning of a line, anything before a colon is a label (`Trial registration: …`), and so
    is a line that is not a sentence (`What GAO Found`); elsewhere, only a keyword before a colon or
    a separate full stop is one (`results . …`). A label applies up to the next one. A paper's
    abstract needs two aspects, since one word before a colon may be a coincidence.
    """
    scheme, fewest = (REPORT, 1) if _GAO.search(text) else (PAPER, 2)
    result = Labelled(scheme, tuple(_sentences(text, scheme)))
    return result if len(result.texts()) >= fewest else None


def section_aspects(document: Document, scheme: Scheme) -> list[str | None]:
    """Return the aspect of each section, `[sections]`, by the outermost heading that has one."""
    aspects: list[str | None] = [None] * len(document.walk())
    pending: list[tuple[Section, str | None]] = [(top, None) for top in document.sections]
    while pending:
        section, above = pending.pop()
        aspect = above or scheme.aspect(section.title)
        aspects[section.number] = aspect or (scheme.others if section.title else None)
        pending.extend((child, aspect) for child in section.children)
    return aspects


def _sentences(text: str, scheme: Scheme) -> Iterator[tuple[str, str | None]]:
    aspect: str | None = None
    for line in text.splitlines():
        for place, sentence in enumerate(sentence_texts(line)):
            label, rest = _split_label(sentence, scheme, starts_line=place == 0)
            if label is not None:
                aspect = scheme.aspect(label)
            if rest:
                yield rest, aspect


def _split_label(sentence: str, scheme: Scheme, *, starts_line: bool) -> tuple[str | None, str]:
    """Return the label of a sentence and the rest of it; None and all of it if it has none."""
    bare = sentence.rstrip(" .:")
    if scheme.aspect(bare, exact=True) is not None:
        return bare, ""
    if starts_line and bare == sentence and scheme.aspect(bare) is not None:
        return bare, ""
    match = _LABEL.match(sentence)
    if match is None or len(match["label"].split()) > _LONGEST_LABEL:
        return None, sentence
    any_label = starts_line and match["end"].startswith(":")
    if not any_label and scheme.aspect(match["label"], exact=True) is None:
        return None, sentence
    return match["label"], sentence[match.end() :]


def _place(keyword: list[str], words: list[str]) -> int | None:
    """Return the position of a keyword among words, in the singular or plural."""
    *first, last = keyword
    ends = {last, f"{last}s", last.removesuffix("s")}
    for place in range(len(words) - len(first)):
        if words[place : place + len(first)] == first and words[place + len(first)] in ends:
            return place
    return None
