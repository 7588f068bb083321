"""Aspects: the subjects of the parts of a structured summary and its document (HEPOS §4, D).

A report of the GAO says why the study was done, what was found and what is recommended; a paper has
an introduction, methods, results and a conclusion. Both are recognised only by labels ("Results:
…") and headings, so that a text without them has no aspects.
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
        others: The aspect of the headings without any; None if they have none.
    """

    name: str
    keywords: Mapping[str, tuple[str, ...]]
    others: str | None = None

    def aspect(self, label: str, *, exact: bool = False) -> str | None:
        """Return the aspect of a label or heading, by the first keyword in it.

        Case and the plural do not matter; labels of more than six words have no aspect.

        With `exact`, it must be the keyword alone.
        """
        words = re.findall(r"[^\W_]+", label.lower())
        if len(words) > _LONGEST_LABEL:
            return None
        found = [
            (place, aspect)
            for aspect, keywords in self.keywords.items()
            for key in keywords
            if (place := _place(key.split(), words)) is not None
            and (not exact or len(key.split()) == len(words))
        ]
        return min(found, key=lambda each: each[0])[1] if found else None


REPORT = Scheme(
    "report",
    {
        "why": ("why gao did", "background", "introduction", "objectives scope"),
        "found": ("what gao found", "finding"),
        "recommends": ("what gao recommends", "recommendation", "matter for congressional"),
    },
    others="found",
)
"""Reports of the GAO. The paper has the three titles alone (§4); the headings of the reports
themselves are ours, and so is that all others head findings."""
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
        sentences: Each sentence without its label, and its aspect; None after an unknown label, or
            before the first.
    """

    scheme: Scheme
    sentences: tuple[tuple[str, str | None], ...]

    def texts(self) -> dict[str, str]:
        """Return the text of each aspect that occurs, in the scheme's order."""
        found = {
            aspect: " ".join(text for text, of in self.sentences if of == aspect)
            for aspect in self.scheme.keywords
        }
        return {aspect: text for aspect, text in found.items() if text}


def labelled(text: str) -> Labelled | None:
    """Return a text with the aspects of its sentences, or None if it has none.

    At the beginning of a line, anything that ends in a colon is a label (`Trial registration: …`),
    as is a line that is not a sentence (`What GAO Found`); within a line, keywords before a colon
    or a separate full stop (`results . …`). A label applies up to the next one. A paper's abstract
    needs two aspects, since one word before a colon may be a coincidence.
    """
    scheme, fewest = (REPORT, 1) if _GAO.search(text) else (PAPER, 2)
    found = Labelled(scheme, tuple(_sentences(text, scheme)))
    return found if len(found.texts()) >= fewest else None


def section_aspects(document: Document, scheme: Scheme) -> list[str | None]:
    """Return the aspect of each section, `[sections]`, by the outermost heading that has one."""
    found: list[str | None] = [None] * len(document.walk())
    pending: list[tuple[Section, str | None]] = [(top, None) for top in document.sections]
    while pending:
        section, above = pending.pop()
        own = above or scheme.aspect(section.title)
        found[section.number] = own or (scheme.others if section.title else None)
        pending.extend((child, own) for child in section.children)
    return found


def _sentences(text: str, scheme: Scheme) -> Iterator[tuple[str, str | None]]:
    aspect: str | None = None
    for line in text.splitlines():
        for place, sentence in enumerate(sentence_texts(line)):
            label, rest = _divided(sentence, scheme, opens=place == 0)
            if label is not None:
                aspect = scheme.aspect(label)
            if rest:
                yield rest, aspect


def _divided(sentence: str, scheme: Scheme, *, opens: bool) -> tuple[str | None, str]:
    """Return the label of a sentence and the rest of it; None and all of it if it has none.

    `opens` says whether it opens a line.
    """
    bare = sentence.rstrip(" .:")
    if scheme.aspect(bare, exact=True) is not None:
        return bare, ""
    if opens and bare == sentence and scheme.aspect(bare) is not None:
        return bare, ""
    found = _LABEL.match(sentence)
    if found is None or len(found["label"].split()) > _LONGEST_LABEL:
        return None, sentence
    anything = opens and found["end"].startswith(":")
    if not anything and scheme.aspect(found["label"], exact=True) is None:
        return None, sentence
    return found["label"], sentence[found.end() :]


def _place(keyword: list[str], words: list[str]) -> int | None:
    """Return the position of a keyword among words, in the singular or plural."""
    *first, last = keyword
    ends = {last, f"{last}s", last.removesuffix("s")}
    for place in range(len(words) - len(first)):
        if words[place : place + len(first)] == first and words[place + len(first)] in ends:
            return place
    return None
