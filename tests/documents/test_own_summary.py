"""A document that opens with its own summary is recognized by title and place."""

import pytest

from document_views import document_of
from longsum.core.summaries.notices import notices_of
from longsum.documents import Document
from longsum.documents.own_summary import own_summary

OWN = ["The survey found that ports close early.", "It recommends longer hours for all ports."]
REST = [f"Port number {number} closed at nine on most days of that year." for number in range(30)]


def _document(*sections: tuple[str, list[str]]) -> Document:
    headed = ((f"# {title}", said) if title else said for title, said in sections)
    return document_of(*headed, title="Ports")


@pytest.mark.parametrize(
    "title",
    [
        *("Abstract", "ABSTRACT:", "1. Executive Summary", "Key points", "What GAO Found", "TL;DR"),
        "Summary of findings",
    ],
)
def test_by_title(title: str) -> None:
    found = own_summary(_document((title, OWN), ("Hours", REST)))
    assert found is not None
    assert (found.title, found.section, found.sentences) == (title, 0, range(2))
    assert found.words == 7 + 7
    for other in ("Introduction", "Abstract algebra", "Summary statistics", ""):
        assert own_summary(_document((other, OWN), ("Hours", REST))) is None


def test_a_label_that_runs_into_the_text() -> None:
    labelled = ["Abstract—We asked ports about their hours.", *OWN]
    document = _document(("", labelled), ("Hours", REST))
    found = own_summary(document)
    assert found is not None
    assert (found.title, found.sentences) == ("Abstract", range(3))
    assert own_summary(_document(("", ["Abstract art is old.", *OWN]), ("Hours", REST))) is None


@pytest.mark.parametrize(("before", "found"), [(2, True), (3, False)])
def test_a_label_in_one_of_the_first_three_paragraphs(before: int, found: bool) -> None:
    said = "Summary: the survey found that all of the ports close early."
    ports = (f"Port {number}." for number in range(before))
    own = own_summary(document_of(*ports, said, REST, title="Ports"))
    assert (own and own.sentences) == (range(before, before + 1) if found else None)


def test_only_at_the_front_and_only_if_more_follows() -> None:
    assert own_summary(_document(("Hours", REST), ("Summary", OWN))) is None
    assert own_summary(_document(("Summary", REST))) is None
    assert own_summary(_document(("Summary", REST), ("Hours", REST))) is None


@pytest.mark.parametrize(("chapters", "found"), [(2, True), (3, False)])
def test_those_of_chapters_are_none_of_the_document(chapters: int, found: bool) -> None:
    said = [section for _ in range(chapters) for section in (("Summary", OWN), ("Hours", REST))]
    assert (own_summary(_document(*said)) is not None) is found


def test_its_subsections_belong_to_it() -> None:
    found = own_summary(
        document_of("# Abstract", "## Methods", OWN, "# Hours", REST, title="Ports")
    )
    assert found is not None
    assert (found.title, found.sentences) == ("Abstract", range(2))


def test_every_summary_mentions_the_documents_own_summary() -> None:
    (notice,) = notices_of(_document(("Abstract", OWN), ("Hours", REST)))
    assert notice.kind == "own_summary"
    assert "'Abstract', section 1, 14 words" in notice.text
    assert notices_of(_document(("Hours", REST))) == ()
