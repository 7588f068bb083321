from collections.abc import Sequence

import pytest

from document_views import outline, texts
from linear_time import assert_linear
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.conservation import count_omissions
from longsum.documents.readers import ReadLimits, read_bytes
from pdf_writer import raw_pdf
from tables import rows

from ..conftest import make_pdf

_LINES = [
    "The first line of a paragraph runs to the right edge of the page and",
    "goes on to a second line.",
    "Another paragraph is as wide as the page is, or so wide that nobody",
    "sees it. This is its end.",
]
_PARAGRAPHS = [
    "The first line of a paragraph runs to the right edge of the page and"
    " goes on to a second line.",
    "Another paragraph is as wide as the page is, or so wide that nobody sees it. This is its end.",
]


def _read(data: bytes) -> Document:
    return read_bytes(data, "a.pdf")


def test_lines_join_to_paragraphs() -> None:
    document = _read(make_pdf([_LINES]))
    assert document.source.format == "pdf"
    assert texts(document) == _PARAGRAPHS
    assert document.warnings == ()
    ruled = ["The river rises", "*****", "and falls."]
    assert texts(_read(make_pdf([ruled]))) == ruled


def test_a_sentence_that_ends_at_the_right_edge_ends_no_paragraph() -> None:
    lines = [
        "One sentence fills the line up to its right edge.",
        "The next one runs up to the edge of the page too.",
        "This is short.",
    ]
    assert texts(_read(make_pdf([lines]))) == [" ".join(lines)]


def _with_code(lines: Sequence[str]) -> bytes:
    """Make a PDF of lines whose parts between back quotes are set in Courier."""
    drawn = [b"BT 72 720 Td 14 TL"]
    for line in lines:
        for number, part in enumerate(line.split("`")):
            drawn.append(b"/F%d 11 Tf (%s) Tj" % (1 + number % 2, part.encode()))
        drawn.append(b"T*")
    courier = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
    return raw_pdf(b" ".join([*drawn, b"ET"]), fonts=b"/F2 6 0 R", objects=[courier])


def test_code_in_a_sentence_ends_no_paragraph_and_code_below_it_does() -> None:
    prose = [
        "In `contracts/splitter/src/contract.rs:21-240`, in the run of the program,",
        "`raise_gates_of_the_mill` and its caller do so again when they see in",
        "`levels_of_the_river_at_the_mill`, from the gauge, that it has risen to",
        "`HIGHEST`",
        "and rises further.",
    ]
    code = ["`let gates = level(river, 1);`", "`return gates`"]
    (said,) = texts(_read(_with_code(prose)))
    assert said == " ".join(prose).replace("`", "")
    document = _read(_with_code([*prose, "", *code, "Then they close."]))
    assert texts(document) == [said, *(line.strip("`") for line in code), "Then they close."]
    kinds = [sentence.kind for sentence in document.sentences]
    assert kinds == ["prose", "fragment", "fragment", "prose"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("This is how a gate of the river is raised before the water is too high.", "`raise 1;`"),
        ("For example", "`raise 1;`"),
    ],
)
def test_code_and_prose_without_a_gap_are_separated_unless_a_full_line_continues(
    before, after
) -> None:
    others = ["The river rises in the hills and it falls into the sea after a hundred miles."] * 3
    document = _read(_with_code([*others, "", before, after]))
    assert texts(document)[-2:] == [before.strip("`"), after.strip("`")]


def test_placeholder_titles_of_programs_are_not_the_title():
    assert _read(make_pdf([_LINES], title="My  title")).title == "My title"
    for name in ("(anonymous)", "Untitled-1", "Microsoft Word - a b", "a-b.odt"):
        assert _read(make_pdf([_LINES], title=name)).title == ""


def test_the_mark_of_a_note_is_in_its_line() -> None:
    words = [(10, 72, 720, b"It rose, and then it fell in all of"), (10, 72, 707, b"the channel.")]
    words += [(8, 126, 711, b"1"), (10, 134, 707, b"So it was.")]
    content = b" ".join(b"BT /F1 %d Tf %d %d Td (%s) Tj ET" % word for word in words)
    text = "It rose, and then it fell in all of the channel.1 So it was."
    assert texts(_read(raw_pdf(content))) == [text]


def test_a_file_of_the_most_pages_is_read_and_one_page_more_is_not() -> None:
    two = make_pdf([_LINES, _LINES])
    assert len(read_bytes(two, "a.pdf", limits=ReadLimits(pages=2)).sentences) == 6
    with pytest.raises(LongsumError, match=r"a\.pdf has more than 1 page"):
        read_bytes(two, "a.pdf", limits=ReadLimits(pages=1))


def test_a_sentence_has_the_page_on_which_it_starts() -> None:
    first = ["A sentence on the first page, which is quite a long one as it goes.", "It runs on"]
    document = _read(make_pdf([first, ["to the second page, where it ends."], ["Third page."]]))
    assert [(sentence.text, sentence.page) for sentence in document.sentences] == [
        ("A sentence on the first page, which is quite a long one as it goes.", 1),
        ("It runs on to the second page, where it ends.", 1),
        ("Third page.", 3),
    ]


def test_the_outline_makes_sections_at_its_headings() -> None:
    pages = [
        ["Preface of it.", "1 Aims", *_LINES, "1.1 Scope", *_LINES],
        ["Chapter 2 Means", *_LINES],
    ]
    marks = [(0, "Aims", 0), (1, "Scope", 0), (0, "Means", 1)]
    document = _read(make_pdf(pages, marks, "T"))
    assert outline(document) == [(1, ""), (1, "Aims"), (2, "Scope"), (1, "Means")]
    assert [sentence.text for sentence in document.sections[0].sentences] == ["Preface of it."]
    assert texts(document)[1:] == _PARAGRAPHS * 3
    assert document.walk()[3].sentences[0].page == 2


def test_a_page_from_a_book_keeps_only_its_part_of_the_outline() -> None:
    page = ["Preface of it.", "Aims", *_LINES, "Means", *_LINES]
    for count, unseen in ((8, [f"Lake {number}" for number in range(8)]), (9, [])):
        lakes = [(0, f"Lake {number}", 0) for number in range(count)]
        document = _read(make_pdf([page], [*lakes, (0, "Aims", 0), (0, "Means", 0)], "T"))
        titles = [section.title for section in document.walk() if section.title]
        assert titles == [*unseen, "Aims", "Means"]


def test_a_heading_of_the_outline_over_two_lines_is_no_text() -> None:
    pages = [["A Very Long", "Heading", *_LINES], ["Next", *_LINES]]
    document = _read(make_pdf(pages, [(0, "A very longheading", 0), (0, "Next", 1)], "T"))
    assert outline(document) == [(1, "A Very Long Heading"), (1, "Next")]
    assert texts(document) == _PARAGRAPHS * 2


def test_one_heading_above_all_is_the_title_before_the_files_own() -> None:
    pages = [["On Rivers", "Aims", *_LINES], ["Means", *_LINES]]
    marks = [(0, "On Rivers", 0), (1, "Aims", 0), (1, "Means", 1)]
    document = _read(make_pdf(pages, marks, "draft7.docx"))
    assert document.title == "On Rivers"
    assert outline(document) == [(1, "Aims"), (1, "Means")]
    assert _read(make_pdf([_LINES], [], "On Seas")).title == "On Seas"


def test_a_heading_of_the_outline_that_the_page_does_not_show_is_kept() -> None:
    document = _read(make_pdf([_LINES], [(0, "Unseen", 0), (0, "Hidden", 0)], "T"))
    assert outline(document) == [(1, "Unseen"), (1, "Hidden")]
    assert texts(document) == _PARAGRAPHS


def test_without_an_outline_numbered_lines_are_headings() -> None:
    lines = ["1 Aims", *_LINES, "1.1 Scope", *_LINES, "2 Means", *_LINES]
    document = _read(make_pdf([lines]))
    assert outline(document) == [(1, "1 Aims"), (2, "1.1 Scope"), (1, "2 Means")]


def test_running_headers_and_page_numbers_are_left_out_with_a_warning() -> None:
    bodies = [[f"Page {word} says so.", f"It says {word} of it."] for word in "abcdef"]
    pages = [["Journal of Tests", *body, f"- {n} -"] for n, body in enumerate(bodies, start=1)]
    document = _read(make_pdf(pages))
    assert "Journal" not in document.text
    assert "- 3 -" not in document.text
    assert "Page c says so." in document.text
    assert count_omissions(document).startswith("12 running heads (")
    heads = [(part.kind, part.page) for part in document.omitted]
    assert heads == [("running head", page) for page in range(1, 7) for _ in range(2)]


def test_a_number_between_dashes_is_the_page_s_on_any_page_that_it_counts() -> None:
    pages = [["The river feeds the fields of"], ["the valley in summer.", "-2-"], ["- 7 -", "End."]]
    document = _read(make_pdf(pages))
    assert "-2-" not in document.text
    assert "- 7 -" in document.text
    assert [(part.kind, part.page) for part in document.omitted] == [("running head", 2)]
    assert "The river feeds the fields of the valley in summer." in document.text


def test_a_form_of_twelve_pages_keeps_its_text() -> None:
    form = ["Permit to fish.", "Name of the applicant.", "The river is {}.", "Signature."]
    rivers = ["Aare", "Bode", "Cher", "Doubs", "Elbe", "Fulda", "Gail", "Havel", "Inn", "Jagst"]
    pages = [
        [*(line.format(river) for line in form), f"Page {page} of 12"]
        for page, river in enumerate([*rivers, "Kocher", "Lahn"], start=1)
    ]
    document = _read(make_pdf(pages))
    assert document.text.count("Permit to fish.") == 12
    assert document.text.count("Signature.") == 12
    assert all(f"The river is {river}." in document.text for river in rivers)
    assert count_omissions(document).startswith("12 running heads (")


def test_a_long_text_of_lines_that_are_alike_keeps_them_all() -> None:
    pages = [[f"Line {n} of page {page} ends here." for n in range(40)] for page in range(9)]
    document = _read(make_pdf(pages))
    assert len(document.sentences) == 360
    assert document.warnings == ()


_CONTENTS = [
    "Table of Contents",
    "1 Aims ................ 1",
    "1.1 Scope ............. 1",
    "2 Means . . . . . . . . 2",
    "Function Index ........ 3",
]
_INDEX = ["Function Index", "A", "abs, 3, 17", "acos . . . . . 4", "B", "beta, 8", "gamma 12, 13"]


def test_contents_and_index_of_a_file_with_an_outline() -> None:
    pages = [[*_CONTENTS, "1 Aims", *_LINES], ["2 Means", *_LINES, *_INDEX]]
    marks = [
        (0, "Table of Contents", 0),
        (0, "1 Aims ........ 1", 0),
        (0, "2 Means . . . . . 2", 1),
        (0, "Function Index", 1),
    ]
    document = _read(make_pdf(pages, marks, "T"))
    assert outline(document) == [(1, "1 Aims"), (1, "2 Means")]
    assert texts(document) == _PARAGRAPHS * 2
    assert count_omissions(document) == "5 contents lines (15 words), 7 index lines (14 words)"
    left_out = [(part.kind, section) for part, section in document.omitted_by_section()]
    assert left_out == [("contents line", None)] * 5 + [("index line", 1)] * 7


def test_text_below_an_index_is_not_its_own() -> None:
    pages = [["1 Aims", *_LINES], [*_INDEX[:3], "entry that has no page", *_INDEX[3:]], _LINES]
    document = _read(make_pdf(pages, [(0, "1 Aims", 0), (0, "Function Index", 1)], "T"))
    assert outline(document) == [(1, "1 Aims"), (1, "")]
    assert texts(document) == _PARAGRAPHS * 2
    assert count_omissions(document) == "8 index lines (19 words)"


def test_sections_named_like_an_index_keep_their_text() -> None:
    marks = [(0, "Price Index", 0), (0, "Contents", 1), (1, "Of boxes", 1)]
    pages = [["Price Index", *_LINES], ["Contents", "Of boxes", *_LINES]]
    document = _read(make_pdf(pages, marks, "T"))
    assert outline(document) == [(1, "Price Index"), (1, "Contents"), (2, "Of boxes")]
    assert texts(document) == _PARAGRAPHS * 2


def test_words_broken_at_a_line_end_are_put_together() -> None:
    document = _read(make_pdf([["This is an exam-", "ple of the post-", "Cold War days."]]))
    assert texts(document) == ["This is an example of the post-Cold War days."]


def test_a_password_that_only_guards_changes_does_not_matter() -> None:
    assert texts(_read(make_pdf([_LINES], owner_password="secret"))) == _PARAGRAPHS


@pytest.mark.parametrize(
    ("pages", "password", "said"), rows(__file__, "a_file_without_text_says_so")
)
def test_a_file_without_text_is_reported(pages, password, said) -> None:
    with pytest.raises(LongsumError, match=said):
        _read(make_pdf(pages, password=password))


def test_some_pages_without_text() -> None:
    document = _read(make_pdf([[], _LINES, []]))
    assert document.warnings == ("Without text, perhaps pictures: 2 of 3 pages.",)


def test_truncated_files_and_files_without_pages_are_damaged() -> None:
    whole = make_pdf([_LINES])
    for data in (
        *(whole[: int(share * len(whole))] for share in (0.2, 0.5, 0.9)),
        b"%PDF-1.4\n",
        b"%PDF-1.4\n%%EOF",
        b"%PDF-" + b"x" * 9999,
        raw_pdf(kids=b"[]", count=0),
        make_pdf([]),
    ):
        with pytest.raises(LongsumError, match=r"a\.pdf is a damaged PDF; save or download it"):
            _read(data)


def test_junk_before_the_header_and_a_lost_table_do_no_harm() -> None:
    assert texts(_read(b"junk\r\n\r\n" + raw_pdf())) == ["A plain text."]
    assert texts(_read(raw_pdf().replace(b"startxref", b"startxxxx"))) == ["A plain text."]


def test_controls_in_the_text_are_dropped() -> None:
    document = _read(raw_pdf(b"BT /F1 11 Tf 72 720 Td (a\x00b \x1b[31m\x07c.) Tj ET"))
    assert "\x1b" not in document.text
    assert document.text.endswith("c.")


@pytest.mark.timing
def test_lines_that_all_run_to_the_edge_take_linear_time() -> None:
    def read(size: int) -> Document:
        pages = [[f"Line {n} of page {p} ends here." for n in range(40)] for p in range(size)]
        return _read(make_pdf(pages))

    assert_linear(read, 60)
