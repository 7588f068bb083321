import pytest

from longsum.documents import DocumentBuilder
from longsum.documents.back_matter import in_back_matter


def test_what_stands_below_such_a_heading_counts_too():
    builder = DocumentBuilder()
    builder.paragraph("An opening.")
    builder.heading(1, "Contacts")
    builder.paragraph("Write to the office.")
    builder.heading(2, "By telephone")
    builder.paragraph("Call the office. It is open on Mondays.")
    builder.heading(1, "Results")
    builder.paragraph("The river rose.")
    assert in_back_matter(builder.build()).tolist() == [False, True, True, True, False]


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "7. REFERENCES",
        "A.1 Bibliography",
        "VI. Works Cited",
        "Acknowledgements:",
        "Acknowledgment",
        "GAO Contact and Staff Acknowledgments",
        "Related GAO Products",
        "Authors’ contributions",
        "Conflict of Interest",
        "Copyright",
    ],
)
def test_headings_of_back_matter(title):
    assert whole(title) == [True]


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Referenced frames",
        "Funding Rates for R&D",
        "Contact tracing",
        "Copyright law in the United States",
        "Appendix A: Data sources",
        "Notes",
        "1 Introduction",
    ],
)
def test_headings_of_text(title):
    assert whole(title) == [False]


def whole(title):
    builder = DocumentBuilder()
    builder.heading(1, title)
    builder.paragraph("The river rose.")
    return in_back_matter(builder.build("A report")).tolist()
