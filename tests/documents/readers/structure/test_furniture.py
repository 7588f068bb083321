import pytest

from document_views import texts
from longsum.documents.model import Source
from longsum.documents.readers.plain.text import read_text
from longsum.documents.readers.structure.furniture import find_furniture, join_pages


def _body(page: int, lines: int = 6) -> list[str]:
    """Return lines that are all different."""
    return [f"Text {page} has a line with the letter {'abcdefghij'[line]}" for line in range(lines)]


_FORMS = ["{}", "- {} -", "Page {} of 12", "{}/12", "[{}]", "Page {}", "{}.", "Seite {}"]
_PARTS = ["Aims", "Means", "Ends"]
_COUNTS = "Case {} has {} parts"


def _removed(pages: list[list[str]]) -> list[list[str]]:
    return [
        [lines[place] for place in sorted(places)]
        for lines, places in zip(pages, find_furniture(pages), strict=True)
    ]


def test_a_head_on_most_pages_and_a_page_number_are_furniture() -> None:
    pages = [[], *([*["On Rivers"], *_body(page), f"- {page} -"] for page in range(2, 9))]
    assert _removed(pages) == [[], *(["On Rivers", f"- {page} -"] for page in range(2, 9))]


@pytest.mark.parametrize(
    "numbers",
    [
        *[[form.format(page + 3) for page in range(12)] for form in _FORMS],
        ["i", "ii", "iii", "1", "2", "3", "4", "5"],
    ],
)
def test_numbers_that_count_with_the_pages_are_furniture(numbers: list[str]) -> None:
    pages = [[*_body(page), number] for page, number in enumerate(numbers)]
    assert _removed(pages) == [[number] for number in numbers]


def test_a_number_may_be_at_the_foot_of_pages_that_open_a_chapter() -> None:
    pages = [[f"On Rivers {page}", *_body(page)] for page in range(10)]
    pages[0] = [*_body(0), "0"]
    pages[5] = [*_body(5), "5"]
    found = [[f"On Rivers {page}"] for page in range(10)]
    found[0], found[5] = ["0"], ["5"]
    assert _removed(pages) == found


@pytest.mark.parametrize(
    "heads",
    [
        [["On Rivers" if page % 2 else "A. N. Author"] for page in range(9)],
        [[f"{p + 10} On Rivers" if p % 2 else f"{_PARTS[p // 6]} {p + 10}"] for p in range(18)],
        [["On Rivers", "Second edition"]] * 5,
    ],
    ids=["alternating", "changing with the chapter", "two lines"],
)
def test_heads_are_furniture(heads: list[list[str]]) -> None:
    assert _removed([[*head, *_body(page)] for page, head in enumerate(heads)]) == heads


@pytest.mark.parametrize("few", [2, 3, 4])
@pytest.mark.parametrize("foot", ["The Council {0}", "{0} / {1}", "Page {0} of {1}"])
def test_on_few_pages_numbered_lines_with_equal_words_are_furniture(few: int, foot: str) -> None:
    feet = [["On Rivers", foot.format(page + 1, few)] for page in range(few)]
    same = "The rivers of this valley rise here."
    pages = [[head, same, *_body(page), tail] for page, (head, tail) in enumerate(feet)]
    # From four pages on, a sentence that comes again is furniture as well.
    assert _removed(pages) == (feet if few < 4 else [[head, same, tail] for head, tail in feet])


@pytest.mark.parametrize(
    "pages",
    [
        [[*_body(page)[:1], "On Rivers", *_body(page)[1:]] for page in range(6)],
        [[_COUNTS.format(n * 7 % 11, n * 5 % 13), *_body(n), f"Sum {n * n}"] for n in range(12)],
        [[f"This is page {page}.", *_body(page), f"Page {page} ends."] for page in range(12)],
        [[f"[{n}] Author {n}, On Rivers, {1980 + n % 5}" for n in range(p, p + 5)]
         for p in range(0, 60, 5)],
        [[*(["On Rivers"] if page < 4 else []), *_body(page)] for page in range(12)],
        *[[["On Rivers", *_body(page), str(page)] for page in range(few)] for few in (1, 2, 3)],
        [["The Council 1", *_body(1)], [], ["The Council 3", *_body(3)]],
    ],
    ids=[
        *("below a line", "alike but for numbers", "sentences", "references", "on few", *"123"),
        "with an empty page",
    ],
)  # fmt: skip
def test_other_repeated_lines_are_text(pages: list[list[str]]) -> None:
    assert _removed(pages) == [[]] * len(pages)


@pytest.mark.parametrize("heading", ["Question {}", "Chapter {}", "{} Aims of part {}"])
def test_headings_that_count_with_the_pages_are_text(heading: str) -> None:
    words = ["river", "sea", "lake", "pond", "rain", "snow", "hail", "fog"]
    pages = [
        [heading.format(page, words[page]), *_body(page), "On Rivers"] for page in range(len(words))
    ]
    assert _removed(pages) == [["On Rivers"]] * len(words)


def test_most_of_a_page_is_never_furniture() -> None:
    pages = [["On Rivers", *_body(page), str(page)] for page in range(6)]
    pages[3] = ["On Rivers", "3"]
    assert _removed(pages)[3] == ["3"]
    assert _removed(pages)[4] == ["On Rivers", "4"]


def test_a_line_that_opens_with_the_page_number_is_text_if_the_page_has_another() -> None:
    pages = [[*_body(page), str(page)] for page in range(20)]
    pages[12][0] = "12 people live at the mouth of the"
    assert _removed(pages) == [[str(page)] for page in range(20)]


def test_running_headers_and_page_numbers_of_a_text_are_left_out():
    line = "The river rose for the {} time in that year and took the bridge."
    words = ["first", "second", "third", "fourth", "fifth"]
    pages = [f"Annals of the Valley\n\n{line.format(w)}\n\n{n}" for n, w in enumerate(words, 1)]
    document = read_text("\n\f".join(pages), Source())
    assert texts(document) == [line.format(word) for word in words]
    assert "10 running heads (" in document.warnings[0]


def test_a_finished_paragraph_is_not_continued():
    text, left_out = join_pages("One ends here.\n\f\nand two opens in lower case.")
    assert (text.split("\n"), left_out) == (
        ["One ends here.", "", "and two opens in lower case."],
        [],
    )
