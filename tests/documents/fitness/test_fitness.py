"""Which sentences stand by themselves, which need others, and which dangle."""

import numpy as np

from longsum.documents.builder import DocumentBuilder
from longsum.documents.fitness.fitness import ContextDependence, fitness_of


def document(*sections):
    builder = DocumentBuilder()
    for title, sentences in sections:
        builder.heading(1, title)
        builder.sentences(sentences)
    return builder.build()


def standing_of(text, levels):
    return fitness_of(text).context(levels)


def test_levels_of_a_document():
    text = document(
        ("One", ["They left.", "The river rose.", "It fell.", "However, it rained."]),
        ("Two", ["It snowed on them.", "Trains ran.", "Boats sailed.", "Cars drove."]),
    )
    levels = standing_of(text, np.ones(8, dtype=np.int64)).levels
    assert levels.tolist() == [0, 2, 1, 1, 0, 2, 2, 2]


def test_without_its_connective_a_sentence_stands_by_itself():
    text = document(("One", ["The river rose.", "However, trains ran.", "It fell."]))
    texts = ["The river rose.", "Trains ran.", "It fell."]
    levels = fitness_of(text, texts).context(np.ones(3, dtype=np.int64)).levels
    assert levels.tolist() == [2, 2, 1]


def test_a_question_comes_last_and_an_aside_with_what_it_is_about():
    text = document(("One", ["The river rose.", "(It is long.)", "Why did it?", "It rained."]))
    levels = standing_of(text, np.ones(4, dtype=np.int64)).levels
    assert levels.tolist() == [2, 1, 0, 1]


def test_dialogue_is_exempt():
    text = document(("One", ["They left.", "It fell.", "The river rose.", "But it rained."]))
    assert standing_of(text, np.ones(4, dtype=np.int64)).levels.tolist() == [2] * 4


def test_what_has_nothing_of_its_level_before_it_dangles():
    text = document(("One", ["Table 1", "It fell.", "The river rose.", "Trains ran."]))
    assert standing_of(text, np.array([0, 1, 1, 1])).levels.tolist() == [2, 0, 2, 2]


def test_an_item_and_its_lead_in_go_together():
    builder = DocumentBuilder()
    lead_in, one, other = "The village built two:", "- a bridge of stone", "- a dam of wood"
    for text in ("The river rose.", lead_in, one, other, "Cars drove."):
        builder.paragraph(text)
    text = builder.build()
    standing = standing_of(text, np.ones(5, dtype=np.int64))
    assert standing.levels.tolist() == [2, -1, 1, 1, 2]
    assert standing.antecedents(3) == (1,)
    standing.choose(1)
    assert standing.levels.tolist() == [2, -1, 2, 2, 2]


def test_an_item_leads_into_a_list_and_the_last_two_items_go_together():
    builder = DocumentBuilder()
    builder.paragraph("1. The court may sell the ship if:")
    for item in (
        "(a) notice was given;",
        "(b) the owner had it; and",
        "(c) no appeal is pending.",
    ):
        builder.paragraph(item)
    builder.paragraph("2. The owner may appeal.")
    text = builder.build()
    standing = standing_of(text, np.ones(5, dtype=np.int64))
    assert [standing.needed(place) for place in range(5)] == [None, 0, 0, 2, None]
    assert np.flatnonzero(standing.leading).tolist() == [0, 2]
    standing.choose(0)
    # Not even beside its own lead does what joins stand without what it joins.
    assert standing.levels.tolist() == [-1, 2, -1, 1, 2]


def test_a_later_sentence_of_an_item_needs_the_one_before_it():
    builder = DocumentBuilder()
    builder.paragraph("The village built two:")
    builder.paragraph("- It first built a bridge. It then fell into the river.")
    for _ in range(4):
        builder.paragraph("Cars drove over the bridge.")
    text = builder.build()
    standing = standing_of(text, np.ones(7, dtype=np.int64))
    assert (standing.needed(1), standing.needed(2)) == (0, 1)


def test_chains_are_chosen_whole() -> None:
    """Sentence 1 needs 0, 2 needs 1, 4 dangles; 3 is free."""
    standing = ContextDependence(np.array([-1, 0, 1, -1, -1]), np.arange(5) == 4)
    assert standing.startable.tolist() == [True, False, False, True, False]
    assert standing.antecedents(2) == (0, 1)
    last, groups = standing.in_need(np.ones(5, dtype=bool))
    assert last.tolist() == [1, 2]
    assert groups.tolist() == [[-1, 0, 1], [0, 1, 2]]
    assert standing.in_need(np.arange(5) > 0)[0].tolist() == []
    standing.choose(1)
    assert standing.startable.tolist() == [True, False, True, True, False]
