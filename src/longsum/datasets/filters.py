"""Filters that the papers apply to collected documents (HEPOS, Appendix A; HIBRIDS, B)."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal

from longsum.datasets.example import Example
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.words import count_words, terms

QUALITY_CLASSES = ("FA", "A", "GA", "B", "C", "Start", "Stub")
"""The classes of WikiProject Biography from best to worst (HIBRIDS, note 12)."""
MIN_QUALITY = "C"
MIN_LEVELS = 2
MIN_NEW_BIGRAMS = 0.09
SHORTEST_SHARE = 0.1
"""Share of GAO reports that is left out, the shortest ones."""

_PUBLISHED_BEFORE = {"crs": date(2020, 5, 20), "gao": date(2020, 7, 7)}


def keep_reports(reports: Iterable[Example]) -> list[Example]:
    """Keep the reports that GovReport keeps (HEPOS, Appendix A).

    CRS reports with a summary; GAO reports with a summary (the highlights) that are `well_parsed`,
    except the shortest. Two rules are not applied here: for the date of publication see `in_time`,
    and whether a PDF has a cover page cannot be seen in its text.

    Args:
        reports: Examples with `extra["agency"]`, as in the data set `govreport`.
    """
    summarized = [report for report in reports if report.references]
    gao = [
        report
        for report in summarized
        if report.extra["agency"] == "gao" and well_parsed(report.document)
    ]
    kept = {id(report) for report in without_shortest(gao)}
    return [
        report for report in summarized if report.extra["agency"] == "crs" or id(report) in kept
    ]


def in_time(agency: Literal["crs", "gao"], published: date) -> bool:
    """Return whether a report was published before GovReport was collected."""
    return published < _PUBLISHED_BEFORE[agency]


def well_parsed(document: Document) -> bool:
    """Return whether a report has none of the signs of a badly parsed PDF.

    These are an empty section, a heading that does not start with a capital, and a single section.
    Not stated in the paper: a section is empty if neither it nor a descendant has text; the first
    letter of a heading counts, so that digits and quotation marks may precede it, and a heading
    without letters passes; sections without a heading count as sections.
    """
    sections = document.walk()
    return len(sections) > 1 and all(
        any(below.sentences for below in section.walk()) and _capitalized(section.title)
        for section in sections
    )


def _capitalized(title: str) -> bool:
    return not next((letter for letter in title if letter.isalpha()), "A").islower()


def without_shortest(reports: Sequence[Example], share: float = SHORTEST_SHARE) -> list[Example]:
    """Leave out a share of the reports, rounded down, with the fewest words.

    Of reports of equal length the later are left out; the order is kept.
    """
    lengths = [
        sum(count_words(sentence.text) for sentence in report.document.sentences)
        for report in reports
    ]
    by_length = sorted(range(len(reports)), key=lambda place: (lengths[place], -place))
    dropped = set(by_length[: int(len(reports) * share)])
    return [report for place, report in enumerate(reports) if place not in dropped]


def keep_biography(document: Document, summary: str, quality: str) -> bool:
    """Return whether WikiBioSum keeps a biography (HIBRIDS, §5.1 and Appendix B).

    It has headings on at least two levels, quality class C or better, and at least 9 % of the
    summary's bigrams are new in the second half of the document.

    Raises:
        LongsumError: There is no such quality class.
    """
    levels = max((section.level for section in document.walk() if section.title), default=0)
    return (
        good_quality(quality)
        and levels >= MIN_LEVELS
        and new_in_second_half(summary, document) >= MIN_NEW_BIGRAMS
    )


def good_quality(quality: str) -> bool:
    """Return whether a quality class is C or better.

    Raises:
        LongsumError: There is no such quality class.
    """
    if quality not in QUALITY_CLASSES:
        raise LongsumError(
            f"'{quality}' is not a quality class; give one of {', '.join(QUALITY_CLASSES)}."
        )
    return QUALITY_CLASSES.index(quality) <= QUALITY_CLASSES.index(MIN_QUALITY)


def new_in_second_half(summary: str, document: Document) -> float:
    """Return the share of a summary's bigrams that occur only in the document's second half.

    The base is the distinct bigrams of the summary that occur in the document, as HEPOS (§4) counts
    salient bigrams; HIBRIDS does not state it. Tokens are `longsum.language.words.terms` of the
    document's sentences; the first half has half of them, rounded down, and a bigram across the
    boundary belongs to the second half. 0 if the two share no bigram.
    """
    tokens = [term for sentence in document.sentences for term in terms(sentence.text)]
    first = set(pairwise(tokens[: len(tokens) // 2]))
    salient = set(pairwise(terms(summary))) & set(pairwise(tokens))
    return len(salient - first) / len(salient) if salient else 0.0
