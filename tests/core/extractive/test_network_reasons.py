"""The shares of the default's choices say what its network was told."""

import pytest

from document_views import document_of
from longsum.core.loading import load_system
from longsum.core.summaries import Budget
from longsum.core.summaries.formats import MEANINGS


def test_every_share_has_a_name_and_they_add_up(brief) -> None:
    summary = load_system("stepwise").summarize(brief, Budget(400))
    assert len(summary.sentences) > 8
    for sentence in summary.sentences:
        assert set(sentence.reasons) - {"redundancy"} | {"antecedent", "outcome"} == set(MEANINGS)
        assert sum(sentence.reasons.values()) == pytest.approx(sentence.score, abs=1e-4)
    # The first choice repeats nothing, and later ones do.
    by_step = sorted(summary.sentences, key=lambda sentence: sentence.step)
    assert by_step[0].reasons["novelty"] == 0
    assert any(sentence.reasons["novelty"] < -0.2 for sentence in by_step)


def test_an_outcome_is_told_whatever_reasons_it_refers_to() -> None:
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
