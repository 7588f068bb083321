"""Sentences are laid out in coherent paragraphs and lists, under titles, with speakers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import document_of
from effort import examples
from longsum.core.summaries import Budget, SummarySentence
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.core.summaries.layout import MOST_SENTENCES, MOST_WORDS, lay_out
from longsum.core.summaries.question_summary import (
    QuestionNode,
    QuestionSummary,
    questions_to_markdown,
    questions_to_text,
)
from longsum.core.summaries.result_file import summary_to_json
from longsum.documents import Document
from longsum.documents.model import Kind, Section
from summary_views import summary_of


def _document(
    *sections: tuple[int, str, list[str]],
    kinds: dict[int, Kind] | None = None,
    speakers: dict[int, str] | None = None,
) -> Document:
    """Make a document of (rank, title, sentences), some of other kinds or spoken."""
    document = document_of(
        *((f"{'#' * rank} {title}", [*sentences]) for rank, title, sentences in sections),
        title="The whole",
    )
    number = iter(range(len(document.sentences)))

    def marked(section: Section) -> Section:
        paragraphs = tuple(
            tuple(
                replace(
                    sentence,
                    kind=(kinds or {}).get(at := next(number), "prose"),
                    speaker=(speakers or {}).get(at, ""),
                )
                for sentence in paragraph
            )
            for paragraph in section.paragraphs
        )
        return replace(
            section, paragraphs=paragraphs, children=tuple(map(marked, section.children))
        )

    return replace(document, sections=tuple(map(marked, document.sections)))


def _named(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number} is a sentence." for number in range(count)]


@pytest.fixture(scope="module")
def nested() -> Document:
    return _document(
        (1, "Rivers", _named("R", 2)),
        (2, "Upper", _named("U", 2)),
        (2, "Lower", _named("L", 2)),
        (2, "Delta", _named("D", 2)),
        (1, "Lakes", _named("K", 9)),
        (1, "Seas", _named("S", 1)),
    )


def test_a_section_is_a_paragraph_and_lone_neighbours_share_one(nested: Document) -> None:
    text = summary_of(nested, 0, 1, 2, 4, 6, 8, 9, 17).text
    assert text.split("\n\n") == [
        "R0 is a sentence. R1 is a sentence.",
        "U0 is a sentence. L0 is a sentence. D0 is a sentence.",
        "K0 is a sentence. K1 is a sentence.",
        "S0 is a sentence.",
    ]


def test_titles_are_above_their_sentences_and_do_not_count_as_words(nested: Document) -> None:
    summary = summary_of(nested, 0, 2, 4, 8, 9, 17)
    shown = to_text(summary, headings=True)
    assert shown == (
        "Rivers\nR0 is a sentence.\n\nU0 is a sentence. L0 is a sentence.\n\n"
        "Lakes\nK0 is a sentence. K1 is a sentence.\n\nSeas\nS0 is a sentence.\n"
    )
    assert "## Lakes\n\nK0 is a sentence.[^4] K1 is a sentence.[^5]\n\n## Seas" in to_markdown(
        summary, headings=True
    )
    assert "Lakes" not in summary.text
    assert summary.words == 6 * 4


def test_titles_are_shown_automatically_above_300_words() -> None:
    long = [f"{' '.join(['word'] * 74)} {number}." for number in range(8)]
    document = _document((1, "First", long[:4]), (1, "Second", long[4:]))
    assert "Second\n" not in to_text(summary_of(document, 0, 1, 4, 5))
    assert "Second\n" in to_text(summary_of(document, 0, 1, 2, 4, 5))
    assert "Second\n" not in to_text(summary_of(document, 0, 1, 2, 4, 5), headings=False)
    assert "Second\n" in to_text(summary_of(document, 0, 4), headings=True)
    assert "Second" not in str(summary_of(document, *range(8)))


def test_a_long_paragraph_is_divided_at_the_widest_gap() -> None:
    document = _document((1, "One", _named("A", 40)))
    paragraphs = summary_of(document, 0, 1, 2, 3, 20, 21, 22, 23).paragraphs
    assert [len(paragraph) for paragraph in paragraphs] == [4, 4]


def test_text_written_by_a_model_is_not_rearranged(nested: Document) -> None:
    texts = _named("W", 9)
    said = tuple(SummarySentence(text, (), 0.0, {}, step) for step, text in enumerate(texts))
    assert summary_of(nested, sentences=said).text == " ".join(texts)
    # Out of the document's order, as in free generation: one paragraph.
    assert len(summary_of(nested, 9, 0, 5).paragraphs) == 1


LIST = (
    (1, "Advice", ["The council should:", "• widen the road;", "• plant trees;", "It will."]),
    (1, "Rest", _named("R", 3)),
)
ITEMS: dict[int, Kind] = {1: "list_item", 2: "list_item"}


def test_list_items_are_shown_under_their_lead_in() -> None:
    document = _document(*LIST, kinds=ITEMS)
    summary = summary_of(document, 0, 1, 2, 3)
    assert to_text(summary) == (
        "The council should:\n- widen the road;\n- plant trees;\n\nIt will.\n"
    )
    assert to_markdown(summary).split("\n\n")[1:4] == [
        "The council should:[^1]",
        "- widen the road;[^2]\n- plant trees;[^3]",
        "It will.[^4]",
    ]
    assert summary.text.startswith("The council should: • widen the road; • plant trees;")
    # A single item without a lead-in is not a list.
    assert to_text(summary_of(document, 2, 3)) == "plant trees; It will.\n"
    assert to_text(summary_of(document, 0, 2)) == "The council should:\n- plant trees;\n"


def test_an_ellipsis_marks_a_list_that_is_cut() -> None:
    """Not if the rest is of the same item, has no lead-in, or is in another list."""
    document = document_of(
        "A tree may be felled for one of these reasons:",
        "* It is dead. It may fall.",
        "* It hides a sign.",
        "* It is ill.",
        "Fees are low.",
        "* Birds nest there.",
    )
    shown = {
        (0, 1, 3, 4): ["- It is dead.", "- It hides a sign.", "- It is ill."],
        (0, 1, 2, 3): ["- It is dead. It may fall.", "- It hides a sign.", "- …"],
        (0, 3, 4): ["- It hides a sign.", "- It is ill.", "- …"],
        (3, 4, 6): [],
    }
    for places, lines in shown.items():
        listed = to_text(summary_of(document, *places)).split("\n")
        assert ("- …" in listed) == ("- …" in lines)
        assert not lines or listed[1 : 1 + len(lines)] == lines
    cut = summary_of(document, 0, 4)
    assert cut.words == 13
    assert "- It is ill.[^2]\n- …\n" in to_markdown(cut)
    # A node of a tree shows the list as a summary does, below its title.
    below = QuestionNode("Trees", "heading", 0, cut.sentences)
    root = QuestionNode("", "heading", None, (), (below,))
    tree = QuestionSummary(document, root, Budget(50), "sections", cut.coverage, "by hand")
    assert "reasons:\n    - It is ill.\n    - …\n" in questions_to_text(tree)
    assert "reasons:[^1]\n\n  - It is ill.[^2]\n  - …\n" in questions_to_markdown(tree)


def test_fragments_among_the_items_of_a_list_do_not_divide_it() -> None:
    lead, *items, after = said = [
        "The council should do all of this:",
        "widen the roads;",
        "bridges",
        "cut the grass;",
        "plant more trees.",
        "So be it.",
    ]
    document = document_of(lead, *(f"* {item}" for item in items), after)
    assert [sentence.kind for sentence in document.sentences][1:3] == ["list_item", "fragment"]
    for places, cut in (((0, 1, 3, 4, 5), []), ((0, 1, 4, 5), ["- …"]), ((0, 3, 5), ["- …"])):
        shown = [f"- {said[place]}" for place in places[1:-1]]
        expected = "\n".join([lead, *shown, *cut, "", after, ""])
        assert to_text(summary_of(document, *places)) == expected


@pytest.mark.parametrize("item", ["- Plant trees.", "2. Plant trees.", "(2) Plant trees."])
def test_a_single_item_has_no_bullet(item: str) -> None:
    document = _document((1, "A", ["It rains.", item, "2 of 3 left."]), kinds={1: "list_item"})
    assert to_text(summary_of(document, 1, 2)) == "Plant trees. 2 of 3 left.\n"


def test_items_of_two_lists_and_with_numbers() -> None:
    document = _document(
        (1, "A", ["1. First step.", "More.", "More.", "2. Next step.", "Then:", "Other.", "Last."]),
        kinds=dict.fromkeys((0, 1, 2, 3, 5, 6), "list_item"),
    )
    assert to_text(summary_of(document, 0, 1, 2, 3, 5, 6)) == (
        "1. First step. More. More.\n2. Next step.\n\n- Other.\n- Last.\n"
    )


def test_speakers_are_named_where_they_change_and_count_as_words() -> None:
    document = _document(
        (1, "Talk", ["Is it on?", "It is.", "Good.", "We begin.", "The room is full."]),
        speakers={0: "GRAD A", 1: "PROFESSOR B", 2: "PROFESSOR B", 3: "GRAD A"},
    )
    summary = summary_of(document, 0, 1, 2, 3, 4)
    assert str(summary) == (
        "GRAD A: Is it on?\nPROFESSOR B: It is. Good.\nGRAD A: We begin.\nThe room is full."
    )
    assert "**PROFESSOR B:** It is.[^2] Good.[^3]" in to_markdown(summary)
    assert summary.text == "Is it on? It is. Good. We begin. The room is full."
    assert summary.words == 12 + 3 * 2
    assert replace(summary, budget=Budget(9, "sentences")).reached == 5
    said = summary_to_json(summary)["summary"]["sentences"]
    assert [sentence["speaker"] for sentence in said] == [
        *("GRAD A", "PROFESSOR B", "PROFESSOR B", "GRAD A", "")
    ]
    page = summary.to_html()
    # Twice in the summary, once in the document.
    assert page.count('<b class="speaker">PROFESSOR B:</b>') == 3


def test_turns_set_as_a_list_are_turns_and_unfinished_ones_end_a_line() -> None:
    said = ["We keep the old names", "It costs us little.", "I agree", "So do you?"]
    kinds: dict[int, Kind] = dict.fromkeys(range(4), "list_item")
    speakers = {0: "P", 1: "P", 2: "G", 3: "G"}
    document = _document((1, "Talk", said), kinds=kinds, speakers=speakers)
    lines = ["P: We keep the old names", "It costs us little.", "G: I agree", "So do you?"]
    assert str(summary_of(document, 0, 1, 2, 3)) == "\n".join(lines)


documents = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from(["A", ""]), st.integers(0, 12)), min_size=1
).map(
    lambda found: _document(
        *((rank, title, _named(f"S{at}", count)) for at, (rank, title, count) in enumerate(found))
    )
)


@settings(max_examples=examples(60))
@given(documents, st.data(), st.booleans())
def test_no_sentence_is_lost_and_no_paragraph_is_long(document, data, titled) -> None:
    count = len(document.sentences)
    places = sorted(data.draw(st.sets(st.integers(0, count - 1))) if count else ())
    summary = summary_of(document, *places)
    blocks = lay_out(summary.sentences, document, titled=titled)
    assert tuple(sentence for block in blocks for sentence in block.sentences) == summary.sentences
    for block in blocks:
        assert len(block.sentences) <= MOST_SENTENCES
        assert sum(len(sentence.text.split()) for sentence in block.sentences) <= MOST_WORDS
        if block.section is not None:
            assert titled
            above = {found.number for found in document.walk()[block.section].walk()}
            assert {sentence.sources[0].section for sentence in block.sentences} <= above
