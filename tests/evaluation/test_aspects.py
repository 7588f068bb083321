"""Aspects by labels and headings: what is a label, and how far it extends."""

import pytest

from document_views import document_of
from longsum.evaluation.aspects import PAPER, REPORT, labelled, section_aspects

# The keywords of the paper's Table 11.
KEYWORDS = {
    "introduction": "introduction, case, objectives, purposes, objective, purpose, background, "
    "literature, related work",
    "methods": "materials and methods, techniques, methodology, materials, research design, "
    "study design",
    "results": "results, experiments, observations",
    "conclusion": "discussion, limitation, conclusions, concluding",
}


@pytest.mark.parametrize(
    ("keyword", "aspect"),
    [(key, aspect) for aspect, keys in KEYWORDS.items() for key in keys.split(", ")],
)
def test_every_keyword_of_the_paper_is_known(keyword: str, aspect: str) -> None:
    assert PAPER.aspect(keyword, exact=True) == aspect
    assert PAPER.aspect(f"2.1 {keyword.upper()}") == aspect


@pytest.mark.parametrize(
    ("scheme", "aspect", "headings"),
    [
        (PAPER, "results", ["3. Results and Discussion"]),
        (PAPER, "conclusion", ["Discussion of the results", "Conclusion"]),
        (PAPER, "methods", ["Patients and methods"]),
        (PAPER, None, ["Resulting", "Acknowledgements", "What we shall say of the results below"]),
        (REPORT, "why", ["Why GAO Did This Study", "Background", "1 Introduction"]),
        (REPORT, "why", ["Objectives, Scope, and Methodology"]),
        (REPORT, "found", ["What GAO Found", "Findings"]),
        (REPORT, "recommends", ["What GAO Recommends", "Recommendations for Action"]),
        (REPORT, "recommends", ["Matter for Congressional Consideration"]),
        (REPORT, None, ["Why Prices Rose"]),
    ],
)
def test_a_heading_has_the_aspect_of_its_first_keyword(scheme, aspect, headings) -> None:
    assert {scheme.aspect(heading) for heading in headings} == {aspect}


def test_labels_open_lines_and_sentences() -> None:
    text = (
        "Background:: Rivers flood. They always did. results : we counted 3: all of them.\n"
        "Trial registration: NCT1.\n"
        "conclusion . dams help."
    )
    found = labelled(text)
    assert found is not None
    assert found.sentences == (
        ("Rivers flood.", "introduction"),
        ("They always did.", "introduction"),
        ("we counted 3: all of them.", "results"),
        ("NCT1.", None),
        ("dams help.", "conclusion"),
    )
    assert list(found.texts()) == ["introduction", "results", "conclusion"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The results were clear. Conclusions followed.",
        "Results: three of nine. They said this: nothing.",
        "We compared the results of two methods: both failed.",
    ],
)
def test_a_text_without_labels_has_no_aspects(text: str) -> None:
    assert labelled(text) is None


def test_reports_of_the_gao() -> None:
    found = labelled("Why GAO Did This Study\nRents rose.\nWhat GAO Found: Rents rose fast. By 3%.")
    assert found is not None
    assert found.scheme is REPORT
    assert found.texts() == {"why": "Rents rose.", "found": "Rents rose fast. By 3%."}


def test_sections_have_the_aspect_of_the_outermost_heading() -> None:
    headings = ("# Materials and Methods", "## Case selection", "# Rivers", "## Results")
    sections = ((heading, "Some text.") for heading in headings)
    document = document_of("Before any heading.", *sections)
    assert section_aspects(document, PAPER) == [None, "methods", "methods", None, "results"]
    # All other headings of a report head findings.
    assert section_aspects(document, REPORT) == [None, "found", "found", "found", "found"]
