"""Which of the documents that were collected a data set keeps (HEPOS, Appendix A; HIBRIDS, B)."""

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
LEAST_QUALITY = "C"
LEAST_LEVELS = 2
LEAST_NEW_BIGRAMS = 0.09
SHORTEST_SHARE = 0.1
"""Share of the shortest GAO reports that is left out."""

_PUBLISHED_BEFORE = {"crs": date(2020, 5, 20), "gao": date(2020, 7, 7)}


def keep_reports(reports: Iterable[Example]) -> list[Example]:
    """Keep the reports that GovReport keeps (HEPOS, Appendix A).

    Of the CRS those with a summary; of the GAO those with a summary (its highlights) that are
    `well_parsed`, less the shortest of them. Two rules are not here: when a report was published is
    for `in_time` to tell, and whether its PDF has a cover page cannot be told from its text.

    Args:
        reports: Examples with `extra["agency"]`, as the data set `govreport` has them.
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
    """Return whether a report was published before the day on which GovReport was collected."""
    return published < _PUBLISHED_BEFORE[agency]


def well_parsed(document: Document) -> bool:
    """Return whether a report shows none of the patterns of PDFs that were parsed wrongly.

    These are: an empty section, a heading that does not start with a capital, a single section.
    Not stated in the paper: a section is empty where neither it nor one below it has text; the
    first letter of a heading counts, so that figures and quotation marks may stand before it, and
    a heading without letters passes; sections without a heading count among the sections.
    """
    sections = document.walk()
    return len(sections) > 1 and all(
        any(below.sentences for below in section.walk()) and _capitalized(section.title)
        for section in sections
    )


def _capitalized(title: str) -> bool:
    return not next((letter for letter in title if letter.isalpha()), "A").islower()


def without_shortest(reports: Sequence[Example], share: float = SHORTEST_SHARE) -> list[Example]:
    """Leave out the share of the reports that have the fewest words, rounded down.

    Of reports of equal length the later are left out; the order stays.
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

    It has headings of two levels at least, quality class C or better, and 9 % at least of the
    summary's bigrams come new in the second half of the document.

    Raises:
        LongsumError: There is no such quality class.
    """
    levels = max((section.level for section in document.walk() if section.title), default=0)
    return (
        good_quality(quality)
        and levels >= LEAST_LEVELS
        and new_in_second_half(summary, document) >= LEAST_NEW_BIGRAMS
    )


def good_quality(quality: str) -> bool:
    """Return whether a quality class is C or better.

    Raises:
        LongsumError: There is no such quality class.
    """
    if quality not in QUALITY_CLASSES:
        raise LongsumError(
            f"'{quality}' is no quality class; give one of {', '.join(QUALITY_CLASSES)}."
        )
    return QUALITY_CLASSES.index(quality) <= QUALITY_CLASSES.index(LEAST_QUALITY)


def new_in_second_half(summary: str, document: Document) -> float:
    """Return the share of a summary's bigrams that the document has in its second half alone.

    Of the distinct bigrams of the summary that occur in the document, as HEPOS (§4) counts salient
    bigrams; HIBRIDS does not say of which. Tokens are `longsum.language.words.terms` of the
    document's sentences; the document is divided after half of them, rounded down, and a bigram
    across that place belongs to the second half. 0 where the two share no bigram.
    """
    tokens = [term for sentence in document.sentences for term in terms(sentence.text)]
    first = set(pairwise(tokens[: len(tokens) // 2]))
    salient = set(pairwise(terms(summary))) & set(pairwise(tokens))
    return len(salient - first) / len(salient) if salient else 0.0
