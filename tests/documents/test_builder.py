from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from document_views import build_tree, document_of
from effort import examples
from linear_time import assert_linear
from longsum.documents import Document, DocumentBuilder, Source
from longsum.documents.text_layout import DEEPEST_LEVEL
from longsum.language.characters import clean
from tables import rows

# Format characters that stay where they shape what is seen, and those that are seen themselves.
_SHAPING = "\u200c\u200d"
_DRAWN = {"\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"} | set(
    "\u0600\u0601\u0602\u0603\u0604\u0605"
)
# Titles with nothing, with nothing but white space, twice the same, and of any characters.
_TITLES = st.sampled_from(["", " ", "Same", "Same"]) | st.text(max_size=12)
_BLOCKS = st.lists(
    st.tuples(st.just("heading"), st.integers(-3, 9) | st.integers(), _TITLES)
    | st.tuples(st.just("paragraph"), st.just(0), st.text(max_size=60))
    | st.tuples(st.just("sentences"), st.just(0), st.text(max_size=30)),
    max_size=25,
)


@given(blocks=_BLOCKS, title=st.none() | st.text(max_size=10))
@settings(max_examples=examples(160), derandomize=True)
def test_any_blocks_make_a_valid_document(check_document, blocks, title) -> None:
    builder = DocumentBuilder()
    for kind, rank, text in blocks:
        if kind == "heading":
            builder.heading(rank, text)
        elif kind == "paragraph":
            builder.paragraph(text)
        else:
            builder.sentences(text.splitlines())
    check_document(builder.build(title))


@given(ranks=st.lists(st.integers(-5, 9), max_size=30))
@settings(max_examples=examples(200), derandomize=True)
def test_a_heading_hangs_under_the_nearest_earlier_one_of_lower_rank(ranks) -> None:
    document = build_tree(ranks)
    parent = {child.number: section for section in document.walk() for child in section.children}
    for number, rank in enumerate(ranks):
        lower = [earlier for earlier in range(number) if ranks[earlier] < rank]
        assert (parent[number].number if number in parent else None) == (
            lower[-1] if lower else None
        )
        above = parent[number].level if lower else 0
        assert document.walk()[number].level == above + 1


def _levels(document: Document) -> list[int]:
    return [section.level for section in document.walk()]


@pytest.mark.slow
@pytest.mark.parametrize("deeper", [False, True])
def test_five_thousand_headings_lie_no_deeper_than_the_deepest_level(
    check_document, deeper
) -> None:
    document = build_tree([number if deeper else 1 + number * 7919 % 6 for number in range(5000)])
    assert len(document.walk()) == 5000
    # Ranks 1, 6, 5, 4, 3, 2 and again: after the first of each round, none lies below another.
    assert max(_levels(document)) == (DEEPEST_LEVEL if deeper else 2)
    check_document(document)


def test_an_empty_section_under_an_empty_heading_is_nested_in_it(check_document) -> None:
    document = document_of("# ", "## ", "## Full", "A sentence.", title="Title")
    outer = document.sections[0]
    assert [child.title for child in outer.children] == ["", "Full"]
    assert outer.start <= outer.children[0].start
    check_document(document)


def test_nothing_makes_an_empty_document(check_document) -> None:
    document = DocumentBuilder().build()
    assert (document.text, document.sections, document.sentences) == ("", (), ())
    check_document(document)


@pytest.mark.parametrize(
    ("headings", "stated", "title", "sections"),
    rows(__file__, "which_first_heading_becomes_the_title"),
    ids=["alone of the highest rank", "another of its rank", "against one stated", "against none"],
)
def test_which_first_heading_becomes_the_title(headings, stated, title, sections) -> None:
    blocks = ((f"{'#' * rank} {heading}", "A sentence.") for rank, heading in headings)
    document = document_of(*blocks, title=stated)
    assert document.title == title
    assert [section.title for section in document.sections] == sections


def test_a_builder_builds_the_same_twice_and_takes_no_heading_after_text_for_the_title() -> None:
    builder = DocumentBuilder()
    builder.paragraph("Before.")
    builder.heading(1, "A")
    assert builder.build() == builder.build()
    assert builder.build().title == ""


def test_lines_join_and_a_sentence_has_the_page_on_which_it_starts() -> None:
    builder = DocumentBuilder()
    builder.lines([("One ends here. Two starts", 3), ("and ends.", 4), (" ", 5), ("Three is.", 6)])
    sentences = builder.build().sentences
    assert [(s.text, s.page) for s in sentences] == [
        *(("One ends here.", 3), ("Two starts and ends.", 3), ("Three is.", 6))
    ]


@pytest.mark.timing
def test_pages_of_a_long_paragraph_take_linear_time() -> None:
    assert_linear(
        lambda size: DocumentBuilder().lines((f"Line {n} of it.", n) for n in range(size)), 5000
    )


def test_lines_and_sentences_that_are_written_without_spaces_join_without(check_document) -> None:
    builder = DocumentBuilder()
    builder.heading(1, "第一\n章")
    builder.lines([("これは文で", 1), ("す。次の文は", 2), ("English です。", 3), ("終わり。", 3)])
    builder.paragraph("中文没有\n空格。第二句\n话。\nAnd a third.")
    document = builder.build("")
    check_document(document)
    assert document.text == (
        "第一章\n\nこれは文です。次の文は English です。終わり。\n\n"
        "中文没有空格。第二句话。 And a third."
    )
    assert [(s.text, s.page) for s in document.sentences][:3] == [
        *(("これは文です。", 1), ("次の文は English です。", 2), ("終わり。", 3))
    ]


def test_the_source_and_the_warnings_are_shown_as_they_are() -> None:
    builder = DocumentBuilder()
    builder.paragraph("A sentence.")
    builder.warnings.append("'a\u202e\x1b[31m.xhtml' was left out.")
    document = builder.build(otherwise="T\u2066", source=Source("photo\u202egnp.exe"))
    assert (document.title, document.source.name) == ("T", "photognp.exe")
    assert document.warnings == ("'a.xhtml' was left out.",)


def test_known_sentences_are_not_split() -> None:
    document = document_of(["One. Two.", "", " three\n four "])
    assert [s.text for s in document.sentences] == ["One. Two.", "three four"]


def test_copied_sentences_are_unchanged() -> None:
    builder = DocumentBuilder()
    builder.paragraph("ANN: The river rose again at last.")
    builder.paragraph("It was old.", kind="footnote")
    builder.sentences(["One is here. Two is there.", "It fell."])
    document = builder.build()
    copied = DocumentBuilder()
    copied.copies(document.sentences)
    told = [[(s.text, s.kind, s.speaker) for s in d.sentences] for d in (document, copied.build())]
    assert told[0] == told[1]
    assert told[0][1:3] == [
        ("It was old.", "footnote", ""),
        ("One is here. Two is there.", "prose", ""),
    ]


@pytest.mark.parametrize("opening", ["", "The ", "On the ", "All of the "])
def test_a_heading_that_opens_with_the_title_may_have_two_words_more(opening: str) -> None:
    document = document_of(f"# {opening}Floods", "A sentence.", title="Floods")
    titles = [section.title for section in document.walk()]
    assert titles == [f"{opening}Floods" if len(opening) > 9 else ""]


@pytest.mark.parametrize(("raw", "cleaned"), rows(__file__, "clean"))
def test_clean(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


@given(
    text=st.text(
        alphabet=st.characters()
        | st.sampled_from("\x1b[]0m;\\\x07 \n\ud800\u200b\u202e\u00ad\ufe0f中👩م" + _SHAPING)
    )
)
@settings(max_examples=examples(300), derandomize=True)
def test_clean_leaves_one_line_without_controls_and_nothing_more_to_do(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    for character in cleaned:
        assert category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert category(character) != "Cf" or character in _SHAPING or character in _DRAWN
    cleaned.encode()


def test_headings_that_only_say_a_stated_title_again_make_no_sections() -> None:
    headings = ("# The Great Floods", "# Floods", "# Dams", "## Spring", "### Floods")
    # With text of its own, a heading divides, whatever it says.
    document = document_of(*headings, "It rose.", "# Floods", "It fell.", title="Floods")
    titles = [(section.level, section.title) for section in document.walk()]
    assert titles == [(1, "Dams"), (2, "Spring"), (3, "Floods"), (1, "Floods")]


@given(
    blocks=st.lists(st.tuples(st.sampled_from("hop"), st.sampled_from(["Floods", "Dams"]))),
    title=st.sampled_from([None, "Floods"]),
)
@example(blocks=[("h", "Floods"), ("o", "")], title=None)
@example(blocks=[("p", "Dams"), ("h", "Floods"), ("o", ""), ("h", "Dams")], title="Floods")
@settings(max_examples=examples(100), derandomize=True)
def test_omitted_parts_come_after_all_text_before_them(blocks, title) -> None:
    builder = DocumentBuilder()
    for kind, text in blocks:
        if kind == "h":
            builder.heading(1, text)
        elif kind == "o":
            builder.omit("table")
        else:
            builder.paragraph(f"{text} rose.")
    document = builder.build(title)
    places = [part.place for part in document.omitted]
    before = [blocks[:number] for number, (kind, _) in enumerate(blocks) if kind == "o"]
    assert places == sorted(places)
    for place, earlier in zip(places, before, strict=True):
        paragraphs = sum(kind == "p" for kind, _ in earlier)
        assert document.text[:place].count(" rose.") == paragraphs
        # The title stands before everything.
        assert place >= len(document.title) * any(kind != "o" for kind, _ in earlier)


@pytest.mark.parametrize("mark", ["* ", "• ", "1. ", "(2) ", "- ", "* - "])
def test_the_mark_of_an_item_is_not_part_of_its_sentence(mark: str) -> None:
    document = document_of(f"{mark}It rained hard. It was cold.")
    assert [sentence.text for sentence in document.sentences] == ["It rained hard.", "It was cold."]
    assert document.sentences[0].start == len(mark)
    assert document.sentences[0].kind == "list_item"


@pytest.mark.parametrize(
    "text", ["— Rain fell, he said.", "1984 was cold.", "3.5 m fell.", "-5 it is."]
)
def test_text_that_only_looks_like_a_mark_is_kept(text: str) -> None:
    assert document_of(text).sentences[0].text == text


def test_numbers_of_points_within_a_paragraph_are_not_part_of_sentences() -> None:
    document = document_of("There are two rivers. 1) The Rhine is long. 2) The Main is not.")
    assert [sentence.text for sentence in document.sentences] == [
        *("There are two rivers.", "The Rhine is long.", "The Main is not.")
    ]
