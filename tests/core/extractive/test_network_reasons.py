"""The reasons for the default system's choices are shares of its network's inputs."""

import pytest

from document_views import document_of
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.core.summaries.formats import MEANINGS
from longsum.documents import Source
from longsum.documents.readers.plain.markdown import read_markdown

_SOMETIMES = {"antecedent", "outcome", "bare_item"}


def test_every_share_has_a_name_and_they_add_up(brief) -> None:
    summary = load_system("stepwise").summarize(brief, Budget(400))
    assert len(summary.sentences) > 8
    for sentence in summary.sentences:
        assert set(sentence.reasons) - {"redundancy"} | _SOMETIMES == set(MEANINGS)
        assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-4)
    # The first choice repeats nothing, and later ones do.
    by_step = sorted(summary.sentences, key=lambda sentence: sentence.step)
    assert by_step[0].reasons["novelty"] == 0
    assert any(sentence.reasons["novelty"] < -0.2 for sentence in by_step)


def test_an_outcome_is_chosen_whatever_reasons_it_refers_to() -> None:
    facts = [f"The owner of lot {n} let {n} boats to the town in 19{n}." for n in range(20, 60)]
    outcome = "For these reasons the appeal is dismissed."
    judgment = document_of("# Facts", [*facts, outcome])
    for weight, told in ((9.0, True), (0.0, False)):
        system = load_system("stepwise", outcome_weight=weight)
        chosen = {each.text: each for each in system.summarize(judgment, Budget(40)).sentences}
        assert (outcome in chosen) is told
        assert all(
            each.reasons.get("outcome", 0) * (1 if text == outcome else -1) >= 0
            for text, each in chosen.items()
        )


@pytest.mark.parametrize(("count", "is_lower"), [(40, True), (4, False)])
def test_a_list_item_that_is_not_a_sentence_counts_less_unless_there_are_many(
    count: int, is_lower: bool
):
    facts = [f"The owner of lot {n} let {n} boats to the town." for n in range(20, 20 + count)]
    whole = "The mill was sold."
    bare = ["mill: a house that grinds corn", "town: where boats are let"]
    text = "\n\n".join(["# Facts", *facts, *(f"- {item}" for item in (whole, *bare))])
    document = read_markdown(text, Source("a.md", "markdown"))
    summary = load_system("stepwise", bare_item_weight=2.0).summarize(document, Budget(900))
    shares = {each.text: each.reasons.get("bare_item", 0.0) for each in summary.sentences}
    assert {item: shares[item] < -1 for item in bare} == dict.fromkeys(bare, is_lower)
    assert all(shares[sentence] >= 0 for sentence in (*facts, whole))
