"""Which sentences stand alone, which need others, and which dangle."""

import numpy as np
import pytest

from document_views import document_of
from longsum.documents.fitness.acronyms import Definition
from longsum.documents.fitness.fitness import ContextDependence, _next_marks, fitness_of
from tables import rows


def standing_of(text, levels):
    return fitness_of(text).context(levels)


def paragraphs(*texts):
    """Return a document of paragraphs, and what their sentences need."""
    text = document_of(*texts)
    return standing_of(text, np.ones(len(text.sentences), dtype=np.int64))


ONE = ("One", ["They left.", "The river rose.", "It fell.", "However, it rained."])
TWO = ("Two", ["It snowed on them.", "Trains ran.", "Boats sailed.", "Cars drove."])
TABLE = ("One", ["Table 1", "It fell.", "The river rose.", "Trains ran."])


@pytest.mark.parametrize(
    ("sections", "given", "levels"),
    rows(__file__, "levels_of_a_document"),
    ids=["two sections", "questions last, asides as what they are about", "dialogue is exempt",
         "what has nothing of its level before it dangles"],
)  # fmt: skip
def test_levels_of_a_document(sections, given, levels):
    document = document_of(*((f"# {title}", sentences) for title, sentences in sections))
    assert standing_of(document, np.array(given)).levels.tolist() == levels


def test_without_its_connective_a_sentence_is_self_contained():
    text = document_of("# One", ["The river rose.", "However, trains ran.", "It fell."])
    texts = ["The river rose.", "Trains ran.", "It fell."]
    levels = fitness_of(text, texts).context(np.ones(3, dtype=np.int64)).levels
    assert levels.tolist() == [2, 2, 1]


def test_an_outcome_needs_no_other_sentence():
    text = document_of("# One", ["It sank.", "For these reasons the appeal is dismissed."])
    assert fitness_of(text).dependences[1] == frozenset()


def test_a_quotation_needs_the_sentence_that_may_name_its_speaker():
    said = (
        "Boats sailed.",
        "Mr Hale spoke.",
        "“Trains ran.”",
        "Cars drove.",
        "Roads of sand were built.",
    )
    assert paragraphs(*said).levels.tolist() == [2, 2, 1, 2, 2]
    assert paragraphs("“Trains ran.”", *said[:2]).levels.tolist() == [0, 2, 2]
    # Where most is quoted, that says nothing.
    assert paragraphs("Mr Hale spoke.", *said[2:3] * 2).levels.tolist() == [2, 2, 2]


def test_an_item_and_its_lead_in_depend_on_each_other():
    lead_in, one, other = "The village built two:", "- a bridge of stone", "- a dam of wood"
    standing = paragraphs("The river rose.", lead_in, one, other, "Cars drove.")
    assert standing.levels.tolist() == [2, -1, 1, 1, 2]
    assert standing.antecedents(3) == (1,)
    standing.choose(1)
    assert standing.levels.tolist() == [2, -1, 2, 2, 2]


def test_an_item_may_lead_into_a_list_and_the_last_two_items_belong_together():
    items = ["(a) notice was given;", "(b) the owner had it; and", "(c) no appeal is pending."]
    lead_in = "1. The court may sell the ship if:"
    standing = paragraphs(lead_in, *items, "2. The owner may appeal.")
    assert [standing.needed(place) for place in range(5)] == [None, 0, 0, 2, None]
    assert np.flatnonzero(standing.leading).tolist() == [0, 2]
    standing.choose(0)
    # Not even beside its own lead does what joins stand without what it joins.
    assert standing.levels.tolist() == [-1, 2, -1, 1, 2]


ONE_OF_THEM = "3. You may sell the boat if you do at least one of the following:"


@pytest.mark.parametrize(
    ("items", "needed"),
    rows(__file__, "items_that_end_in_full_stops_keep_what_leads_into_their_list"),
    ids=["letters", "bullets", "letters, then Roman numbers", "a list in an item",
         "an item of two sentences", "one of three", "the list around it goes on"],
)  # fmt: skip
def test_items_that_end_in_full_stops_keep_their_lead_in(items, needed):
    standing = paragraphs(ONE_OF_THEM, *items)
    assert [standing.needed(place) for place in range(1, 1 + len(needed))] == needed


@pytest.mark.parametrize(
    ("item", "needed"), rows(__file__, "a_later_sentence_of_an_item_needs_the_one_before_it")
)
def test_a_later_sentence_of_an_item_needs_the_one_before_it(item, needed):
    rest = ["- Roads of sand were built.", *["Cars drove over the bridge."] * 4]
    standing = paragraphs("The village built these:", item, *rest)
    assert [standing.needed(place) for place in (1, 2, 3)] == [*needed, 0]


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


def test_a_question_needs_its_answer_and_a_short_remark_the_turn_before() -> None:
    turns = [
        "ANN: The beams on the north side of the old library are quite rotten.",
        "BEN: How much would the repair of the beams cost us this year?",
        "ANN: Yes.",
        "ANN: The first of the two firms asks for a sum of forty thousand pounds.",
        "BEN: We spent the reserve on lamps.",
        "ANN: The insurance pays us half.",
        "BEN: Who would dare to ask the council for such a large sum?",
    ]
    standing = paragraphs(*turns)
    # A question without an answer dangles; so does one that is left with none that counts.
    assert standing.levels.tolist()[:2] == [2, -1]
    assert standing.levels[6] == 0
    assert [standing.needed(place) for place in (3, 4, 5)] == [1, 3, 4]
    # An exchange has two remarks, though the first is short as well.
    assert standing.antecedents(5) == (4,)
    last, groups = standing.in_need(np.ones(7, dtype=bool))
    assert groups[last.tolist().index(5)].tolist() == [-1, 4, 5]
    standing.choose(4)
    assert standing.levels[5] == 2


def test_a_remark_that_refers_needs_its_antecedent() -> None:
    standing = paragraphs(
        "ANN: The wheelwright came on Friday and looked at the wheel of the mill.",
        "BEN: He can repair the bearing and the paddles if we decide this month.",
        "ANN: We have the money.",
        "BEN: The county closed its fund for old mills in the winter.",
        "ANN: The museum at Harden still wants the engine that we stored.",
    )
    assert standing.antecedents(2) == (0, 1)


TALK = [
    "The beams on the north side of the old library are quite rotten.",
    "Nobody knows how much the repair of the roof would cost us.",
    "The museum at Harden still wants the engine that we stored.",
    "The county closed its fund for old mills in the winter.",
]
RAN = ["Trains ran in May."] * 6


@pytest.mark.parametrize(
    ("said", "levels", "needed", "leading"),
    rows(__file__, "levels_of_what_is_said")
)  # fmt: skip
def test_levels_of_turns(said, levels, needed, leading):
    turns = [*TALK, *said, *TALK]
    names = ("ANN: ", "BEN: ")
    standing = paragraphs(
        *(text if text[0] == "(" else names[n % 2] + text for n, text in enumerate(turns))
    )
    after = 4 + len(said)
    assert standing.levels[4:after].tolist() == levels
    assert [standing.needed(place) for place in range(4, after)] == needed
    assert np.flatnonzero(standing.leading).tolist() == leading


def test_a_question_or_a_reference_may_open_a_talk():
    asked = "How much would the repair of the beams cost us this year?"
    names = ("ANN: ", "BEN: ")
    found = {}
    for first in (asked, "He came on Friday and looked at the wheel of the old mill."):
        turns = [first, asked.replace("beams", "roof"), *TALK, *TALK]
        standing = paragraphs(*(names[n % 2] + text for n, text in enumerate(turns)))
        found[first[:2]] = (standing.levels[:3].tolist(), [standing.needed(n) for n in range(3)])
    assert found == {"Ho": ([-1, 1, 1], [None, 0, 1]), "He": ([0, -1, 1], [None, None, 1])}


@pytest.mark.parametrize(
    ("texts", "levels", "needed", "startable"),
    rows(__file__, "levels_of_paragraphs")
)  # fmt: skip
def test_levels_of_paragraphs(texts, levels, needed, startable):
    standing = paragraphs(*texts, *RAN)
    assert standing.levels.tolist() == [*levels, *[2] * len(RAN)]
    assert [standing.needed(place) for place in range(len(needed))] == needed
    after = range(len(levels), len(levels) + len(RAN))
    assert np.flatnonzero(standing.startable).tolist() == [*startable, *after]


def test_of_two_similar_sentences_one_suffices_as_antecedent() -> None:
    flood = "the river Rhine rose by four feet in the old town of Basel."
    document = document_of([f"In May {flood}", f"But {flood}", *RAN])
    fitness, levels = fitness_of(document), np.ones(8, dtype=np.int64)
    assert fitness.context(levels).levels[:2].tolist() == [2, 1]
    assert fitness.context(levels, say_once=True).levels[:2].tolist() == [2, 0]


def test_marks_that_continue_a_list() -> None:
    following = {"9.": {"10."}, "(h)": {"(i)"}, "i)": {"j)", "ii)"}, "ii.": {"iii."}}
    following |= {"xiii.": {"xiv."}, "xiv.": set(), "-": {"-"}}
    assert {mark: _next_marks(mark) for mark in following} == following


def test_fitness_of_sentences_and_of_their_shortened_texts() -> None:
    sentences = [
        "PoW was new.",
        "We interviewed owners of proof of work (PoW).",
        "So PoW, said “Ann, is slow.",
        "PoW is old.”",
    ]
    texts = ["PoW was new.", "We interviewed owners.", "PoW, said Ann, is slow.", "It is old."]
    fitness = fitness_of(document_of([*sentences]), texts)
    assert fitness.procedure.tolist() == [False, True, False, False]
    assert fitness.dependences == [set(), set(), set(), {"reference"}]
    assert fitness.acronyms.definitions == {"PoW": Definition("proof of work", 1, 25, 38)}
    assert fitness.acronyms.uses == {2: {"PoW": 3}}
    assert fitness.acronyms.users["PoW"].tolist() == [2]
    assert set(fitness.quotations.opening) == {3}


def test_independent_sentences() -> None:
    standing = ContextDependence.independent(2)
    assert standing.levels.tolist() == [2, 2]
    assert [standing.needed(place) for place in (0, 1)] == [None, None]
    assert standing.in_need(np.ones(2, dtype=bool))[0].tolist() == []
