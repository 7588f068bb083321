import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.lab.checking.apes import BLANK, ApesScorer, ClozeMaker, unigram_f1
from longsum.lab.checking.consistency import Contexts, factcc

REFERENCE = "The agency hired Alice Smith in 2019.\nShe built 40 bridges."


class FirstOf:
    """Answers with the first of some phrases that the context contains."""

    def __init__(self, *phrases: str) -> None:
        self.phrases = phrases
        self.asked: list[tuple[str, str]] = []

    def answer(self, question: str, context: str) -> str:
        self.asked.append((question, context))
        return next((each for each in self.phrases if each in context), "")


def test_questions_leave_out_each_name_number_and_date() -> None:
    found = list(ClozeMaker().questions(REFERENCE))
    assert [each.answer for each in found] == ["Alice Smith", "2019", "40"]
    assert found[0].question == f"The agency hired {BLANK} in 2019."
    assert all(each.question.count(BLANK) == 1 for each in found)


def test_spacy_may_find_the_phrases(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> Callable[[str], SimpleNamespace]:
        if name != "en_small":
            raise OSError(name)
        return lambda text: SimpleNamespace(
            ents=[SimpleNamespace(start_char=text.index("ten"), end_char=text.index("ten") + 3)]
        )

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    (question,) = ClozeMaker.with_spacy("en_small").questions("She has ten boats.")
    assert (question.question, question.answer) == (f"She has {BLANK} boats.", "ten")
    with pytest.raises(LongsumError, match="xx_no_such_model"):
        ClozeMaker.with_spacy("xx_no_such_model")


@given(st.text(), st.text())
def test_f1_is_symmetric_and_within_bounds(one: str, other: str) -> None:
    assert unigram_f1(one, other) == unigram_f1(other, one)
    assert 0 <= unigram_f1(one, other) <= 1


@pytest.mark.parametrize(
    ("answer", "gold", "f1"),
    [
        ("rivers", "river", 0.0),
        ("Alice Smith", "alice smith", 1.0),
        ("Smith", "Alice Smith", 2 / 3),
        ("the the", "the", 2 / 3),
        ("", "Alice", 0.0),
        ("", "", 0.0),
    ],
)
def test_f1_by_hand(answer: str, gold: str, f1: float) -> None:
    assert unigram_f1(answer, gold) == pytest.approx(f1)


def test_apes_compares_with_the_reference_and_apes_src_with_the_source() -> None:
    source = ["The agency hired Bob Jones in 2019.", "It rained."]
    scorer = ApesScorer(FirstOf("Alice Smith", "Bob Jones"))
    found = scorer.score("The agency hired Bob Jones.", [REFERENCE], source)
    # All three questions are answered with Bob Jones, by summary and source alike.
    assert (found.apes, found.apes_src, found.questions) == (0.0, 1.0, 3)
    own = scorer.score("It hired Alice Smith.", [REFERENCE], source)
    assert own.apes == pytest.approx(1 / 3)
    assert own.apes_src == 0.0


def test_questions_to_the_source_use_only_its_context() -> None:
    answerer = FirstOf("rained")
    ApesScorer(answerer).score("It rained.", [REFERENCE], ["It rained.", "She built 40 bridges."])
    contexts = {context for _, context in answerer.asked}
    assert contexts == {"It rained.", "She built 40 bridges."}


def test_no_questions_and_an_empty_summary_score_nothing() -> None:
    scorer = ApesScorer(FirstOf("it"))
    assert scorer.score("It is so.", ["it is so."], ["it is so."]).questions == 0
    empty = scorer.score("", [REFERENCE], ["The agency hired it."])
    assert (empty.apes, empty.apes_src) == (0.0, 0.0)


WORDS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=7).map(" ".join)


@given(st.lists(WORDS, max_size=6), WORDS)
def test_a_context_is_the_greedy_one(sentences: list[str], reference: str) -> None:
    assert Contexts(sentences).choose(reference) == sorted(_by_definition(sentences, reference))


def _by_definition(sentences: Sequence[str], reference: str) -> list[int]:
    """Choose by ROUGE-2 recall, computed from scratch; unique words separate the sentences."""
    chosen: list[int] = []

    def recall(places: Sequence[int]) -> float:
        text = "".join(f" {sentences[place]} zz{place}" for place in places)
        return rouge(text, [reference])["rouge2"].recall

    while True:
        gains = [
            (recall([*chosen, place]), -place)
            for place in range(len(sentences))
            if place not in chosen
        ]
        if not gains or max(gains)[0] <= recall(chosen) + 1e-12:
            return chosen
        chosen.append(-max(gains)[1])


class Overlap:
    """Scores a claim by the share of its words that the context contains."""

    sentences = None

    def consistency(self, claim: str, context: str) -> float:
        assert context, "there is nothing that a claim could follow from"
        words = claim.split()
        return sum(word in context.split() for word in words) / len(words)


def test_a_context_has_at_most_so_many_sentences_and_none_that_are_left_out() -> None:
    contexts = Contexts(["Five six.", "Three four five.", "One two three four.", "Nothing."])
    reference = "One two three four five six."
    assert contexts.choose(reference) == [0, 1, 2]
    assert contexts.choose(reference, 1) == [2]
    assert contexts.choose(reference, without=[2]) == [0, 1]
    assert contexts.text("Seven eight.") == ""


def test_factcc_is_the_mean_over_sentences() -> None:
    source = ["boats came home late", "trains ran"]
    mean, each = factcc(["boats came early", "fish swim", "trains ran"], source, Overlap())
    assert each == [pytest.approx(2 / 3), 0.0, 1.0]
    assert mean == pytest.approx(5 / 9)
    assert factcc([], source, Overlap()) == (0.0, [])
