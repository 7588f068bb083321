from random import Random

import numpy as np
import pytest

import faithfulness
from longsum.lab.checking.corruptions import Swaps


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("digit", "It cost 4567 dollars."),
        ("scale", "It cost 4 million dollars."),
        ("month", "It opened in June 1990."),
        ("unit", "It weighs 4 kg."),
    ],
)
def test_each_change_changes_one_word(name: str, sentence: str) -> None:
    found = faithfulness.HELD_OUT[name](sentence, Random(0))
    assert found is not None
    differing = [a for a, b in zip(sentence.split(), found.text.split(), strict=True) if a != b]
    assert len(differing) == 1
    assert faithfulness.HELD_OUT[name]("Boats came.", Random(0)) is None


def test_every_change_has_doubts_that_tell() -> None:
    swaps = Swaps(["Ann paid 30 dollars in May.", "Bob paid 45 dollars."])
    sentence = "It was Ann Lee who paid 4567 dollars."
    kinds = {kind for kind, _ in faithfulness.changes(sentence, swaps, Random(0))}
    assert {"number", "digit", "negation"} <= kinds <= set(faithfulness.ABOUT)


def test_precision_and_recall_by_hand() -> None:
    made = [("a", True, True), ("a", True, False), ("a", False, True), ("b", False, False)]
    cases = [faithfulness.Case("set", id, "name", changed, found) for id, changed, found in made]
    found = faithfulness.Found.of(cases)
    assert (found.recall, found.precision()) == (0.5, 0.5)
    assert found.precision(19) == pytest.approx(1 / 20)


def test_the_threshold_is_the_lowest_with_the_precision() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.6])
    found = [((), True, 1, True), ((), True, 2, True), ((), False, 1, False), ((), True, 3, True)]
    assert faithfulness.threshold(scores, found, least=1.0) == 0.8
    assert faithfulness.threshold(scores, found, least=0.75) == 0.6
