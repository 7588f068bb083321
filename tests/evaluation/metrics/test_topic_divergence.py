"""Topic divergence: pairing of topics, order of summaries, empty sides."""

import numpy as np
import pytest

from longsum.evaluation.metrics import topic_divergence
from longsum.evaluation.metrics.representativeness import min_mean_cost

ABOUT = {
    "money": "Taxes, budgets and revenue grew. The budget taxed revenue. Taxes fund the budget.",
    "sea": "Whales and sharks swim in the ocean. The ocean feeds whales. Sharks hunt in the ocean.",
    "music": "Violins and pianos play sonatas. The sonata needs a piano. Violins open the sonata.",
}
DOCUMENT = " ".join(ABOUT.values())


def test_topics_are_paired_so_that_the_sum_is_least() -> None:
    # By the diagonal 5 + 5 + 1; the best is 1 + 1 + 1, each row with another column.
    costs = np.array([[5.0, 1.0, 9.0], [1.0, 5.0, 9.0], [9.0, 9.0, 1.0]])
    assert min_mean_cost(costs) == 1.0


def test_a_text_agrees_with_itself() -> None:
    assert topic_divergence(DOCUMENT, DOCUMENT) == pytest.approx(0, abs=1e-12)


def test_a_summary_of_all_topics_is_nearer_than_one_of_another_subject() -> None:
    balanced = " ".join(text.split(". ")[0] + "." for text in ABOUT.values())
    assert topic_divergence(balanced, DOCUMENT) < topic_divergence("Nothing of it.", DOCUMENT)


def test_the_seed_decides() -> None:
    summary = ABOUT["sea"]
    assert topic_divergence(summary, DOCUMENT, seed=3) == topic_divergence(
        summary, DOCUMENT, seed=3
    )


@pytest.mark.parametrize(("summary", "document"), [("", DOCUMENT), (DOCUMENT, ""), ("", "")])
def test_empty_sides_are_defined(summary: str, document: str) -> None:
    assert np.isfinite(topic_divergence(summary, document))
