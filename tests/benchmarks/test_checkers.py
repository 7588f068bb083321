"""The measures of the small checker, and changes that no classifier was trained on."""

from math import log1p
from random import Random

import pytest

import checkers
from claim_measures import ClaimMeasures, measure
from longsum.core.grounding.evidence import Evidence
from longsum.lab.checking.consistency import Contexts

DOCUMENT = [
    "Alice Smith sold the old mill to the town council in 1990.",
    "The river flooded the lower fields every spring.",
    "Bob Jones rebuilt the stone bridge after the flood of 2001.",
]


def measured(claim: str) -> ClaimMeasures:
    return measure(claim, Evidence(DOCUMENT), Contexts(DOCUMENT))


@pytest.mark.parametrize("sentence", DOCUMENT)
def test_a_copied_sentence_is_all_there(sentence: str) -> None:
    found = measured(sentence)
    assert (found.words, found.words_of_one, found.words_anywhere) == (1, 1, 1)
    assert (found.pairs, found.pairs_of_one, found.run, found.recombined) == (1, 1, 1, 0)
    assert (found.absent_names, found.absent_figures, found.elsewhere) == (0, 0, 0)


def test_measures_worked_out_by_hand() -> None:
    # Of seven pairs the document has "bob jones", "sold the", "the stone" and "stone bridge"; both
    # words of "jones sold" and "bridge in" are in the two closest sentences, apart.
    found = measured("Bob Jones sold the stone bridge in 1776.")
    assert found.pairs == pytest.approx(4 / 7)
    assert found.pairs_of_one == pytest.approx(3 / 7)
    assert found.recombined == pytest.approx(2 / 7)
    assert found.run == pytest.approx(3 / 8)
    assert found.absent_figures == pytest.approx(log1p(1))


def test_changes_that_are_never_trained_on_change_one_word() -> None:
    claim = "It cost 4567 dollars before the war."
    changed = dict(checkers.never_learned(claim, Random(0)))
    assert set(changed) == {"digit", "opposite"}
    assert changed["opposite"] == "It cost 4567 dollars after the war."


def test_a_rule_answers_with_a_name_that_the_question_lacks() -> None:
    answerer = checkers.WordAnswerer(lambda _: "name")
    question = "@placeholder sold the mill to Bob Jones."
    context = "Bob Jones bought the mill. Alice Smith sold the mill to Bob Jones."
    assert answerer.answer(question, context) == "Alice Smith"
    assert answerer.answer(question, "Nothing was sold.") == ""
