"""The shares of the default's choices say what its network was told."""

import pytest

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
