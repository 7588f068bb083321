"""Relevance to a focus, and its weight against other scores."""

import numpy as np
import pytest

from document_views import document_of
from longsum.core.extractive.focus import FocusedRanking, relevance
from longsum.core.extractive.selection import FixedRanking

MEETING = document_of(
    "Project Manager: The remote control should cost twelve euros.",
    "Industrial Designer: The case could be made of wood or of titanium.",
    "Project Manager: We meet again after lunch.",
    "Industrial Designer: Batteries are cheaper than a solar cell.",
    "Project Manager: The remote control needs a logo.",
    "Industrial Designer: So be it.",
)


UNLIKE = np.full(6, 0.1)


def test_words_and_vectors_have_equal_weight() -> None:
    by_words = relevance(MEETING, "Which batteries?", UNLIKE)
    assert by_words.tolist() == [0, 0, 0, 0.5, 0, 0]
    cosines = np.array([0.1, 0.6, -0.3, 0.3, 0.0, 0.0])
    both = relevance(MEETING, "Which batteries?", cosines)
    assert both == pytest.approx([1 / 12, 0.5, 0, 0.75, 0, 0])


def test_turns_of_a_speaker_named_in_the_question_are_relevant() -> None:
    found = relevance(MEETING, "What did the Project Manager think of the logo?", UNLIKE)
    assert found.argmax() == 4
    assert (found > 0).tolist() == [True, False, True, False, True, False]
    # Question words match nothing.
    assert not relevance(MEETING, "What should be done again?", UNLIKE).any()
    assert not relevance(MEETING, "quantum chromodynamics", UNLIKE).any()


def test_answers_come_before_merely_salient_sentences() -> None:
    salience = FixedRanking(np.array([3.0, 1.0, -1.0, 0.5, 2.0, -2.0]), "salience")
    relevant = relevance(MEETING, "Are batteries cheaper than a solar cell?", UNLIKE)
    ranking = FocusedRanking(salience, relevant, 0.5)
    scores, shares = ranking.scores()
    assert scores.argmax() == 3
    # Of those that do not answer, the salient come first.
    assert np.argsort(-scores).tolist() == [3, 0, 4, 1, 2, 5]
    terms = [[share[place] for place in range(6)] for share in shares.values()]
    assert np.sum(terms, axis=0) == pytest.approx(scores)
    assert FocusedRanking(salience, relevant, 0.0).scores()[0].argmax() == 0


def test_sentences_that_are_not_candidates_stay_excluded() -> None:
    known = np.array([1.0, -np.inf, 0.0, -np.inf, 3.0, 2.0])
    ranking = FocusedRanking(
        FixedRanking(known, "salience"), relevance(MEETING, "batteries", UNLIKE), 0.5
    )
    scores = ranking.scores()[0]
    assert np.isneginf(scores).tolist() == np.isneginf(known).tolist()
    alone = FocusedRanking(FixedRanking(np.full(6, 2.0), "salience"), np.zeros(6), 0.5)
    assert alone.scores()[0].tolist() == [1.0] * 6
