import pytest

from longsum.documents import DocumentBuilder
from longsum.documents.fitness.back_matter import matter_kinds


def test_what_stands_below_such_a_heading_counts_too():
    builder = DocumentBuilder()
    builder.paragraph("An opening.")
    builder.heading(1, "Contacts")
    builder.paragraph("Write to the office.")
    builder.heading(2, "By telephone")
    builder.paragraph("Call the office. It is open on Mondays.")
    builder.heading(1, "Results")
    builder.paragraph("The river rose.")
    document = builder.build()
    assert matter_kinds(document) == [None, "contact", "contact", None]
    kinds = [sentence.kind for sentence in document.sentences]
    assert kinds == ["prose", "contact", "contact", "contact", "prose"]


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        *(("References", "reference"), ("7. REFERENCES", "reference")),
        *(("A.1 Bibliography", "reference"), ("VI. Works Cited", "reference")),
        *(("Related GAO Products", "reference"), ("Acknowledgements:", "boilerplate")),
        *(("Acknowledgment", "boilerplate"), ("GAO Contact and Staff Acknowledgments", "contact")),
        *(("Authors’ contributions", "boilerplate"), ("Conflict of Interest", "boilerplate")),
        *(("Copyright", "boilerplate"), ("Table of Contents", "boilerplate")),
        ("Endnotes", "footnote"),
    ],
)
def test_headings_of_back_matter(title, kind):
    assert kind_of_section(title, "The river rose.") == kind


@pytest.mark.parametrize(
    "title",
    [
        *("", "Referenced frames", "Funding Rates for R&D", "Contact tracing"),
        *("Copyright law in the United States", "Appendix A: Data sources", "Notes"),
        *("1 Introduction", "Abbreviations", "Funding", "Data availability"),
    ],
)
def test_headings_of_text(title):
    assert kind_of_section(title, "The river rose.") is None


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("Notes", "[1] Python 1.6, Release Schedule, http://www.python.org/1.6/", "reference"),
        ("Reference", "[1] Python 1.6, Release Schedule, http://www.python.org/1.6/", "reference"),
        ("6 Reference", "Each function takes a context. It returns nothing.", None),
        ("Notes", "This section is normative. It binds all implementations.", None),
        ("Funding", "The study was supported by a grant of the Royal Society.", "boilerplate"),
        ("Funding", " ".join(["The state funded one more school that year."] * 13), None),
        ("Abbreviations", "DNA: deoxyribonucleic acid; RNA: ribonucleic acid.", "boilerplate"),
        ("Data availability", "All data are available on request.", "boilerplate"),
    ],
)
def test_some_headings_need_content_that_says_the_same(title, text, kind):
    assert kind_of_section(title, text) == kind


def kind_of_section(title, text):
    builder = DocumentBuilder()
    builder.heading(1, title)
    builder.paragraph(text)
    return matter_kinds(builder.build("A report"))[0]
