import pytest

from document_views import document_of
from longsum.documents.fitness.back_matter import matter_kinds
from tables import rows


def test_subsections_of_back_matter_are_back_matter():
    document = document_of(
        "An opening.",
        ("# Contacts", "Write to the office."),
        ("## By telephone", "Call the office. It is open on Mondays."),
        ("# Results", "The river rose."),
    )
    assert matter_kinds(document) == [None, "contact", "contact", None]
    kinds = [sentence.kind for sentence in document.sentences]
    assert kinds == ["prose", "contact", "contact", "contact", "prose"]


_ALONE = {
    "reference": "References|7. REFERENCES|A.1 Bibliography|VI. Works Cited|Related GAO Products",
    "boilerplate": "Acknowledgements:|Acknowledgment|Authors’ contributions|Conflict of Interest|"
    "Copyright|List of Figures",
    "contact": "GAO Contact and Staff Acknowledgments",
    "footnote": "Endnotes",
    None: "|Contents|Referenced frames|Funding Rates for R&D|Contact tracing|Notes|1 Introduction|"
    "Funding|Copyright law in the United States|Appendix A: Data sources|Abbreviations|"
    "Data availability",
}


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        *((title, "The river rose.", kind) for kind in _ALONE for title in _ALONE[kind].split("|")),
        ("Notes", "[1] Python 1.6, Release Schedule, http://www.python.org/1.6/", "reference"),
        ("Reference", "[1] Python 1.6, Release Schedule, http://www.python.org/1.6/", "reference"),
        ("6 Reference", "Each function takes a context. It returns nothing.", None),
        ("Notes", "This section is normative. It binds all implementations.", None),
        ("Funding", "The study was supported by a grant of the Royal Society.", "boilerplate"),
        ("Abbreviations", "DNA: deoxyribonucleic acid; RNA: ribonucleic acid.", "boilerplate"),
        ("Funding", "It rained. A grant of the Royal Society paid for the gauge.", "boilerplate"),
        *(
            (title, n * text, "boilerplate" if n <= most else None)
            for title, text, most in (
                *(("Abbreviations", "DNA rose. ", 60), ("Funding", "It was awarded. ", 12)),
                *(("Attending", "Ann Bell. ", 80), ("Supporting information", "It rained. ", 20)),
                ("Code availability", "It is available. ", 12),
            )
            for n in (most, most + 1)
        ),
        ("Data availability", "All data are available on request.", "boilerplate"),
        ("Present", "Ann Bell (chair)", "boilerplate"),
        ("SIGNATURES", "The undersigned is thereunto duly authorized.", "boilerplate"),
        ("Signature", "A signature tells who sent a message.", None),
        ("Attendees:", "Ludwig van Dam", "boilerplate"),
        ("Participants", "We recruited forty nurses. They were of all ages.", None),
    ],
)
def test_headings_of_back_matter_and_those_that_need_matching_content(title, text, kind):
    assert matter_kinds(document_of(f"# {title}", text, title="A report"))[0] == kind


def of_words(words, more=""):
    """Make a section with the given number of words of prose, and more text."""
    last = f"It rose by day{' again' * (words % 5 + 1)}.{more}"
    return "# Rivers", (words // 5 - 1) * "The river rose by night. ", last


@pytest.mark.parametrize("words", [149, 150])
@pytest.mark.parametrize(
    ("title", "is_history"),
    rows(__file__, "a_history_of_changes_is_no_body_where_there_is_one_beside_it"),
)
def test_a_history_of_changes_is_back_matter_beside_a_body(title, is_history, words):
    body = of_words(words, " Dams, locks and all that")
    fixes = (f"# {title}", "## Fixes", "The gauge is read again.")
    kind = "boilerplate" if is_history and words >= 150 else None
    assert matter_kinds(document_of(body, fixes, title="A report")) == [None, kind, kind]


@pytest.mark.parametrize("words", [149, 150])
@pytest.mark.parametrize(
    ("title", "text", "kind"),
    rows(
        __file__,
        "what_says_the_contrary_or_tells_of_makers_is_no_body_where_there_is_one_beside_it",
    ),
)
def test_disclaimers_and_notes_on_authors_are_back_matter_beside_a_body(title, text, kind, words):
    document = document_of(of_words(words), f"# {title}", text, title="A report")
    assert matter_kinds(document) == [None, kind if words >= 150 else None]


@pytest.mark.parametrize("count", [20, 21])
def test_only_a_short_note_on_authors_is_back_matter(count):
    makers = ("# About the Bureau", count * "Our team has built many dams. ")
    document = document_of("# Rivers", 30 * "The river rose by night. ", makers, title="A report")
    assert matter_kinds(document) == [None, "boilerplate" if count == 20 else None]
