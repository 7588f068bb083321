"""Trees in one line: every tree survives the round trip, and every line gives a tree."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.core.questions.linearisation import (
    LEVEL_DOWN,
    LEVEL_UP,
    QUESTION_END,
    SAME_LEVEL,
    Mark,
    Parsed,
    linearise,
    parse_pieces,
    pieces,
)
from longsum.core.questions.question_tree import ROOT, Question, QuestionTree

_MARKS = "|".join(mark.value for mark in Mark)
DOWN, UP, HOLD, END = Mark.LEVEL_DOWN, Mark.LEVEL_UP, Mark.SAME_LEVEL, Mark.QUESTION_END

text = st.one_of(
    st.text(max_size=6),
    st.lists(
        st.sampled_from(["a?", " ", "\n", "\\", "<up>", "\\<down>", "<question>", "<hold", ">"]),
        max_size=4,
    ).map("".join),
)
question = st.recursive(
    st.builds(Question, text, text),
    lambda below: st.builds(Question, text, text, st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)
tree = st.builds(QuestionTree, st.lists(question, max_size=3).map(tuple))


def parse(line: str, first_question: str | None = None) -> Parsed:
    """Parse a line; one space on either side of a mark belongs to the mark."""
    parts = re.split(rf" ?(?<!\\)({_MARKS}) ?", line)
    return parse_pieces(
        (
            Mark(part) if place % 2 else re.sub(rf"\\({_MARKS})", r"\1", part)
            for place, part in enumerate(parts)
        ),
        first_question,
    )


piece = st.one_of(st.sampled_from(list(Mark)), st.sampled_from(["A", "Why?", "Why? A", " ", ""]))


def pair(name: str, *children: Question) -> Question:
    return Question(f"Q{name}", f"A{name}", children)


# The shape of Figure 1, and as its text the names that §5.1 writes it with.
FIGURE_1 = QuestionTree((pair("1", pair("1.1"), pair("1.2", pair("1.2.1"))),))


def rows(tree: QuestionTree) -> list[tuple[int, str, str]]:
    return [(level, pair.question, pair.answer) for level, pair in tree.walk()]


def test_figure_1_as_the_paper_writes_it() -> None:
    assert linearise(FIGURE_1, first_question=False) == (
        f"A1 {LEVEL_DOWN} Q1.1 {QUESTION_END} A1.1 {SAME_LEVEL} Q1.2 {QUESTION_END} A1.2 "
        f"{LEVEL_DOWN} Q1.2.1 {QUESTION_END} A1.2.1"
    )
    assert linearise(FIGURE_1).startswith(f"Q1 {QUESTION_END} A1 {LEVEL_DOWN} Q1.1 ")
    # A rise over several levels has several marks.
    tree = QuestionTree((pair("1", pair("1.1", pair("1.1.1"))), pair("2")))
    assert linearise(tree).endswith(f"A1.1.1 {LEVEL_UP} {LEVEL_UP} Q2 {QUESTION_END} A2")
    assert tree.parents() == [ROOT, 0, 1, ROOT]


@settings(max_examples=examples(200))
@given(tree, st.booleans())
@example(QuestionTree((Question("", ""), Question(" ", "  ", (Question("", ""),)))), True)
@example(QuestionTree((Question("<up>", "\\<up>\\"), Question("\\\\<up> ", " <question> "))), True)
def test_every_tree_comes_back_without_repairs(tree: QuestionTree, given_first: bool) -> None:
    given = tree.questions[0].question if given_first and len(tree) else None
    found = parse(linearise(tree, given is None), given)
    assert found.tree == tree
    assert found.repairs == ()
    assert parse_pieces(pieces(tree, given is None), given) == found


@pytest.mark.parametrize("first_question", [True, False])
@pytest.mark.slow
def test_no_tree_is_too_deep_or_too_wide(first_question: bool) -> None:
    deep = pair("end")
    for number in range(10_000):
        deep = pair(str(number), deep)
    wide = QuestionTree((deep, *(pair(str(number)) for number in range(10_000)), deep))
    line = linearise(wide, first_question)
    found = parse(line, None if first_question else deep.question)
    assert rows(found.tree) == rows(wide)
    assert found.repairs == ()


@settings(max_examples=examples(200))
@given(st.lists(piece, max_size=12), st.sampled_from([None, "Given?"]))
def test_a_tree_contains_all_texts_of_any_line(line, first_question) -> None:
    found = parse_pieces(line, first_question)
    again = linearise(found.tree, first_question is None)
    assert parse(again, first_question).tree == found.tree
    assert all(repair[0].isupper() and repair.endswith(".") for repair in found.repairs)
    if not found.repairs:
        written = [
            piece.value if isinstance(piece, Mark) else piece for piece in line if piece != " "
        ]
        assert "".join(again.split()) == "".join("".join(written).split())
    texts = [piece for piece in line if isinstance(piece, str)]
    said = "".join("".join(row[1:]) for row in rows(found.tree))
    missing = sum(t.count("A") for t in texts) - said.count("A")
    assert missing == 0 or "says its question again" in "".join(found.repairs)


@pytest.mark.parametrize(
    ("line", "expected", "repairs"),
    [
        (
            "Q1 <question> A1 <down> <down> Q2 <question> A2",
            [(1, "Q1", "A1"), (2, "Q2", "A2")],
            ["Pair 2 falls by 2 levels at once; it is placed one level down."],
        ),
        (
            "Q1 <question> A1 <up> Q2 <question> A2",
            [(1, "Q1", "A1"), (1, "Q2", "A2")],
            ["Pair 2 rises above the first level; it is placed on it."],
        ),
        (
            "Q1 <question> A1 <hold> <down> Q2 <question> A2",
            [(1, "Q1", "A1"), (2, "Q2", "A2")],
            ["Pair 2 follows marks that do not go together; they are added up."],
        ),
        (
            "<down> Q1 <question> A1",
            [(1, "Q1", "A1")],
            ["Pair 1 follows marks of a level, but nothing before it; they are left out."],
        ),
        (
            "A1 <hold> Q2 <question> A2",
            [(1, "", "A1"), (1, "Q2", "A2")],
            ["Pair 1 has no question; its text is taken for the answer."],
        ),
        (
            "Who? He. Why? <hold> Q2 <question> A2",
            [(1, "Who?", "He. Why?"), (1, "Q2", "A2")],
            ["Pair 1 has no end of its question; it ends at the first question mark."],
        ),
        (
            "Q1 <question> A1 <down> What did the",
            [(1, "Q1", "A1"), (2, "What did the", "")],
            ["Pair 2 is cut off before its answer; the answer is empty."],
        ),
        (
            "Q1 <question> A1 <down> <up>",
            [(1, "Q1", "A1")],
            ["The line ends in marks without a pair; they are left out."],
        ),
        (
            "Q1 <question> <question> A1 <question> A2",
            [(1, "Q1", "A1 A2")],
            ["Pair 1 has more than one end of a question; all after the first is its answer."],
        ),
        ("Q1 <question> <hold> <question> A2", [(1, "Q1", ""), (1, "", "A2")], []),
        ("Q1<question>A1<hold>Q2<question>", [(1, "Q1", "A1"), (1, "Q2", "")], []),
        ("", [], []),
        (" \n", [], []),
    ],
)
def test_repairs(line: str, expected: list[tuple[int, str, str]], repairs: list[str]) -> None:
    found = parse(line)
    assert rows(found.tree) == expected
    assert list(found.repairs) == repairs


def test_a_repeated_first_question() -> None:
    found = parse("What? <question> It. <down> Q <question> A", "What?")
    assert rows(found.tree) == [(1, "What?", "It."), (2, "Q", "A")]
    assert found.repairs == (
        "Pair 1 says its question again, which was given; the given one is kept.",
    )
    assert rows(parse("", "What?").tree) == [(1, "What?", "")]


def test_in_pieces_a_text_is_never_a_mark() -> None:
    tree = QuestionTree((Question("What is <up>?", "<question>"),))
    assert list(pieces(tree)) == ["What is <up>?", END, "<question>"]
    assert linearise(tree) == r"What is \<up>? <question> \<question>"
